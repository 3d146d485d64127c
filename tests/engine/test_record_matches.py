"""Matches played by programs, written down and read again."""

import os
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from raisesum.engine import OFFICIAL_DECKS, Dealt, MatchWon, Setup, Step, parse_cards
from raisesum.engine.record import as_recorded, check_name, fit_name, write_record
from tests.engine.matches import any_setup, played
from tests.engine.records import DRY, LEAN, RIGHT, SHORT, SPLIT, read, wrong_line

#: How many matches are played; with RECORD_MATCHES=2000 for the full run.
MATCHES = int(os.environ.get("RECORD_MATCHES", "300"))
BATCHES = 10


@pytest.mark.parametrize("batch", range(BATCHES))
def test_a_match_reads_back_as_it_was_played(batch):
    for number in range(batch, MATCHES, BATCHES):
        rng = Random(number)
        setup = any_setup(rng)
        steps = [step for _, step in played(setup, rng.getrandbits(128), rng)]
        names = tuple(f"Seat {seat}" for seat in range(1, setup.players + 1))
        events = [event for step in steps for event in step.events]
        text = "".join(write_record(setup, names, events))

        record = read(text)

        first = events[0].seat
        assert record.steps == tuple(
            Step(as_recorded(step.state, first), step.events) for step in steps
        )
        assert record.final.winner == steps[-1].state.winner
        assert (record.names, record.events) == (names, tuple(events))
        assert record.text == text


@pytest.mark.parametrize(
    "names", [("A",), ("A", "B", "C"), ("", "B"), ("A", "B | C"), ("A\n", "B")]
)
def test_names_that_no_record_can_hold_are_not_written(names):
    setup = Setup(2, OFFICIAL_DECKS["full"])
    with pytest.raises(ValueError, match="name"):
        list(write_record(setup, names, read(SHORT).events))


def test_only_a_whole_match_is_written():
    record = read(SHORT)
    for events in (record.events[:-1], record.events[2:], ()):
        with pytest.raises(ValueError, match="match"):
            list(write_record(record.setup, record.names, events))


def test_the_record_says_who_opened_when_the_setup_left_it_to_chance():
    setup = Setup(2, OFFICIAL_DECKS["full"], goal=1)
    events = [Dealt(2, parse_cards("+1")), MatchWon(2)]
    assert "first: 2\n" in list(write_record(setup, ("A", "B"), events))


@given(st.text())
def test_a_name_made_fit_can_be_written_unless_nothing_is_left(name):
    fitted = fit_name(name)
    if fitted:
        check_name(fitted)
    assert fit_name(fitted) == fitted


@given(st.lists(st.text(min_size=1), min_size=2, max_size=2))
def test_any_name_that_passes_the_check_is_read_back(names):
    try:
        for name in names:
            check_name(name)
    except ValueError:
        return
    text = SHORT.replace("North | East", " | ".join(names))
    assert read(text).names == tuple(names)


@settings(max_examples=300)
@given(
    text=st.sampled_from([SHORT, LEAN, SPLIT, DRY]),
    cut=st.floats(0, 1),
    taken=st.integers(0, 3),
    put=st.one_of(
        st.binary(max_size=3),
        st.sampled_from(
            [
                b"\n",
                b"\r\n",
                b" ",
                b"\0",
                b"0",
                b"1",
                b"2",
                b" +1",
                b"-1",
                b"x",
                b":",
                b"\xef\xbb\xbf",
            ]
        ),
    ),
)
def test_a_changed_record_is_right_in_itself_or_wrong_from_the_change_on(text, cut, taken, put):
    before = text.encode()
    place = int(cut * len(before))
    after = before[:place] + put + before[place + taken :]
    changed_line = before.count(b"\n", 0, place) + 1
    wrong = wrong_line(after)
    if wrong is None:
        assert read(after).text.encode() == after
    else:
        # What stood before the change was part of a right record.
        assert changed_line <= wrong <= after.count(b"\n") + 1


@pytest.mark.parametrize("path", RIGHT[::7], ids=lambda path: path.stem)
def test_swapped_lines_are_wrong_from_the_first_of_them_on_or_right_in_themselves(path):
    lines = path.read_bytes().splitlines(keepends=True)
    rng = Random(path.name)
    for _ in range(20):
        one, other = sorted(rng.sample(range(len(lines)), 2))
        swapped = list(lines)
        swapped[one], swapped[other] = lines[other], lines[one]
        after = b"".join(swapped)
        wrong = wrong_line(after)
        if wrong is None:
            assert read(after).text.encode() == after
        else:
            assert one + 1 <= wrong <= len(lines) + 1
