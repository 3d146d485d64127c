"""The program that made the weights: it can be run again, and finds what is there."""

import json
from math import exp
from random import Random

import pytest

from raisesum.bots import training
from raisesum.bots.judgement import FILE, Judgement


def test_the_fit_finds_the_weights_that_made_the_rows():
    rng = Random(1)
    true = [0.5, -1.0, 2.0]
    rows = []
    for _ in range(4000):
        features = [1.0, rng.uniform(-1, 1), float(rng.randrange(2))]
        odds = sum(w * x for w, x in zip(true, features, strict=True))
        rows.append((features, float(rng.random() < 1 / (1 + exp(-odds)))))
    assert training.fit(rows) == pytest.approx(true, abs=0.2)


def test_a_match_gives_rows_of_every_kind_and_the_same_ones_each_time(monkeypatch):
    monkeypatch.setattr(training, "BATCH", 2)
    one, other = (training._lessons_of((2, 1, 5, 0)) for _ in range(2))
    assert one == other
    assert len(one.after[1]) > 20
    assert any(one.held)
    shares = [share for _, share in one.after[1]]
    assert min(shares) == 0
    assert 0.5 < max(shares) <= 1


def test_only_the_newest_rows_are_kept(monkeypatch):
    monkeypatch.setattr(training, "MOST_ROWS", 3)
    lessons, more = training.Lessons(), training.Lessons()
    lessons.after[1] += [([1.0], 1.0), ([2.0], 1.0)]
    more.after[1] += [([3.0], 1.0), ([4.0], 1.0)]
    lessons.add(more)
    assert lessons.after[1] == [([2.0], 1.0), ([3.0], 1.0), ([4.0], 1.0)]


def test_the_stored_weights_have_the_shape_that_the_models_need():
    stored, blank = json.loads(FILE.read_text()), json.loads(json.dumps(training.blank()))

    def shape(data):
        if isinstance(data, dict):
            return {name: shape(part) for name, part in data.items()}
        return [shape(part) for part in data] if isinstance(data, list) else None

    assert shape(stored) == shape(blank)


def test_more_of_a_good_card_is_better():
    value = Judgement(json.loads(FILE.read_text())).value
    faces = {card.name: worth for card, worth in value.items()}
    assert faces["+9"] > faces["+5"] > faces["+2"]
    assert faces["x3"] > faces["x2"] > faces["+1"]
