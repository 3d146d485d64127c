from random import Random

import pytest

from raisesum.bots import steady
from raisesum.engine import card_names, view_for
from tests.engine.positions import follow, position


def choice(state):
    return steady.choose(view_for(state, state.turn), Random(1)).text


@pytest.mark.parametrize(
    ("hand", "standing", "expected"),
    [
        ("+1 +5 +9", "+4", "play +5"),
        ("+1 +4 +9", "+4", "play +1 +4"),
        ("+3 +4 x2", "+6", "play +3 +4"),
        ("+9 +8", "+4 -3", "play +8"),
        ("+9 0 +6", "+4 -3", "play +9"),
        ("+9 0 +5", "+4 -5", "play +5 0"),
        ("x2 x3 +2", "+4 /2", "play +2 x2 x3"),
    ],
)
def test_steady_makes_the_play_with_the_lowest_score_that_beats_the_target(
    hand, standing, expected
):
    assert choice(position(hand, "", standing=standing)) == expected


def test_steady_opens_with_the_lowest_score_there_is():
    assert choice(position("+1 +2 x3", "")) == "play x3"
    assert choice(position("+2 +1", "")) == "play +1"


def test_of_equal_scores_steady_takes_one_that_leaves_a_challenge():
    assert choice(position("+5 +1 +2 -1", "", standing="+4")) == "play +5 -1"


def test_of_equal_scores_steady_keeps_cards():
    assert choice(position("+5 +2 +3", "", standing="+4")) == "play +5"


def test_steady_never_passes_while_something_beats_the_target():
    assert choice(position("+9 x9 0 -1 /2", "", standing="+8")) != "pass"


@pytest.mark.parametrize("hand", ["", "+4", "-1 /2 0", "+1 +3"])
def test_steady_passes_when_nothing_beats_the_target(hand):
    assert choice(position(hand, "", standing="+4")) == "pass"


def test_steady_discards_what_is_of_least_use():
    state = follow(position("x3 +9 +1 0 +8 /3 +7 +2 x2", "", ""), "pass").state
    assert choice(state) == "discard +1 +2"


def test_steady_chooses_the_same_whatever_the_order_of_its_hand():
    hand = ["+1", "+1", "+2", "+5", "x2", "0", "-2", "/2", "+3"]
    one = position(" ".join(hand), "", standing="+4 -1")
    other = position(" ".join(reversed(hand)), "", standing="+4 -1")
    assert choice(one) == choice(other)


def test_steady_leaves_nothing_to_chance():
    view = view_for(position("+1 +1 +2 +5 x2 0 -2 /2 +3", "", standing="+4"), 1)
    assert len({card_names(steady.choose(view, Random(seed)).cards) for seed in range(20)}) == 1
