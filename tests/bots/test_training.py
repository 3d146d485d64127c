"""The programs that made the numbers: they can be run again, and find what is there."""

import json
from math import exp
from random import Random

import pytest

from raisesum.bots import judgement, training
from raisesum.bots.judgement import FILE, JUDGEMENT, of_cards


@pytest.fixture
def numbers(tmp_path, monkeypatch):
    """A copy of the numbers, which the programs write to."""
    copy = tmp_path / "judgement.json"
    copy.write_text(FILE.read_text())
    monkeypatch.setattr(training, "FILE", copy)
    return copy


def test_the_fit_finds_the_weights_that_made_the_rows():
    rng = Random(1)
    true = [0.5, -1.0, 2.0]
    rows = []
    for _ in range(4000):
        features = (1.0, rng.uniform(-1, 1), float(rng.randrange(2)))
        odds = sum(w * x for w, x in zip(true, features, strict=True))
        rows.append((features, float(rng.random() < 1 / (1 + exp(-odds)))))
    assert training.fit(rows) == pytest.approx(true, abs=0.2)


def test_the_search_comes_near_what_wins_most():
    best = (0.5, -1.0, 0.0)
    rng = Random(3)

    def won(tried):
        return [-sum((a - b) ** 2 for a, b in zip(one, best, strict=True)) for one in tried]

    mean, width = (0.0, 0.0, 0.0), (0.3, 0.3, 0.3)
    for _ in range(25):
        mean, width = training.next_generation(mean, width, rng, won)
    assert mean == pytest.approx(best, abs=0.03)
    assert max(width) < 0.05


def test_a_generation_is_written_in_the_shape_it_had_and_the_same_each_time(numbers, monkeypatch):
    monkeypatch.setattr(training, "POPULATION", 4)
    monkeypatch.setattr(training, "share_won", first_number)
    before = json.loads(numbers.read_text())
    texts = []
    for _ in range(2):
        numbers.write_text(json.dumps(before))
        training.search(2, generations=1, jobs=1, seed=7)
        texts.append(numbers.read_text())
    assert texts[0] == texts[1]
    after = json.loads(texts[0])
    assert after["weights"].pop("2") != before["weights"].pop("2")
    assert after == before


def first_number(players, seed, numbers):
    return numbers[0]


def test_matches_are_won_with_the_weights_that_are_tried(monkeypatch):
    monkeypatch.setattr(training, "DEALS", 2)
    monkeypatch.setattr(JUDGEMENT, "weights", dict(JUDGEMENT.weights))
    good = training.flat(JUDGEMENT.weights[2])
    shares = [training.share_won(2, 5, weights) for weights in (good, good)]
    assert shares[0] == shares[1]
    assert shares[0] in (0, 0.25, 0.5, 0.75, 1)
    assert JUDGEMENT.weights[2] == training.shaped(good, JUDGEMENT.weights[2])


def test_what_is_held_is_learned_from_every_stage_and_the_same_each_time():
    one, other = (training.held_in_match((2, 5, 3)) for _ in range(2))
    assert one == other
    assert len(one) == judgement.STAGES
    shares = [share for rows in one for _, share in rows]
    assert {0.0, 1.0} == set(shares)


def test_what_is_written_can_be_read(numbers):
    data = json.loads(numbers.read_text())
    training.write(data)
    assert json.loads(numbers.read_text()) == data
    assert numbers.read_text() == FILE.read_text()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_more_of_a_good_card_is_better(players):
    faces = {card.name: worth for card, worth in of_cards(JUDGEMENT.weights[players].cards).items()}
    assert faces["+9"] > faces["+5"] > faces["+2"]
    assert faces["x3"] > faces["x2"] > faces["+1"]
