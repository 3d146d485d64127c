"""The programs that made the numbers: they can be run again, and find what is there."""

import json
import shutil
import subprocess
from math import exp
from random import Random

import pytest

from raisesum.bots import judgement, training
from raisesum.bots.judgement import FILE, JUDGEMENT, of_cards
from raisesum.bots.network import FILE as NETWORKS
from raisesum.bots.network import networks_for
from tests.bots.told import compared


@pytest.fixture
def numbers(tmp_path, monkeypatch):
    """A copy of the numbers, which the programs write to."""
    return copied(FILE, "FILE", tmp_path, monkeypatch)


@pytest.fixture
def networks(tmp_path, monkeypatch):
    """A copy of the networks, which the program writes to."""
    return copied(NETWORKS, "NETWORKS", tmp_path, monkeypatch)


def copied(file, name, folder, monkeypatch):
    copy = folder / file.name
    copy.write_text(file.read_text())
    monkeypatch.setattr(training, name, copy)
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


@pytest.mark.parametrize("players", [2, 3, 4])
def test_networks_that_the_program_read_and_wrote_are_the_same(networks, players):
    before = networks.read_text()
    training.keep_networks(players, training.networks_bytes(players))
    assert networks.read_text() == before


def test_half_a_file_of_networks_is_not_kept(networks):
    before = networks.read_text()
    with pytest.raises(ValueError, match="two networks have 83728 bytes, not 83724"):
        training.keep_networks(2, training.networks_bytes(2)[:-4])
    assert networks.read_text() == before


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    folder = tmp_path_factory.mktemp("program")
    (folder / "nothing.c").write_text("int main(void) { return 0; }\n")
    if shutil.which(training.COMPILER[0]) is None or subprocess.call(
        [*training.COMPILER, "-o", folder / "nothing", folder / "nothing.c"]
    ):
        pytest.skip("no C compiler with OpenMP here; test_sight.py compares with what is recorded")
    path = training.built(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(training, "built", lambda folder: path)
        yield path


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_program_and_the_bot_see_and_like_the_same(program, players):
    pairs = list(compared(training.told_text(players, 1), networks_for(players).actor))
    assert len(pairs) >= 8
    for theirs, ours in pairs:
        assert ours == pytest.approx(theirs, abs=2e-3)


def test_the_program_learns_on_from_what_is_there(program, networks):
    before = json.loads(networks.read_text())
    training.learn_networks(2, 0.02, 7, deals=20)
    after = json.loads(networks.read_text())
    assert after.pop("2") != before.pop("2")
    assert after == before


@pytest.mark.parametrize(
    "words",
    [
        "",
        "foo 2 1 1 1",
        "held",
        "held 0 1",
        "weights 5 1 1 1",
        "weights 2 0 1 1",
        "networks 2 1",
        "networks 5 1 1",
        "networks 2 0 1",
        "networks 2 -1 1",
        "networks 2 nan 1",
        "networks 2 inf 1",
        "networks 2 1 1 more",
        "told 1 1",
    ],
)
def test_words_that_ask_for_nothing_are_refused_and_nothing_is_done(words, monkeypatch, capsys):
    for name in ("learn_held", "search", "learn_networks", "told_text"):
        monkeypatch.setattr(training, name, lambda *_: pytest.fail("something was done"))
    with pytest.raises(SystemExit) as ended:
        training.main(words.split())
    assert ended.value.code == 2
    assert "usage: python -m raisesum.bots.training" in capsys.readouterr().err


def test_the_words_of_a_command_are_handed_on(monkeypatch):
    done = []
    for name in ("learn_held", "search", "learn_networks"):
        monkeypatch.setattr(training, name, lambda *given, name=name: done.append((name, *given)))
    for words in ("held 2 1", "weights 3 10 2 1", "networks 4 0.5 7"):
        training.main(words.split())
    assert done == [("learn_held", 2, 1), ("search", 3, 10, 2, 1), ("learn_networks", 4, 0.5, 7)]
