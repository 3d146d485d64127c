"""A play that ends the round is legal, and none of the hands it was made for can answer it."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from raisesum.bots.knockout import knock_out
from raisesum.bots.reach import reach_of
from raisesum.engine import PLAY_LIMIT, Incoming, can_beat, card_names, parse_cards, score
from raisesum.engine.cards import ALL_CARDS

hands = st.lists(st.sampled_from(ALL_CARDS), max_size=10)


@given(
    hand=hands,
    others=st.lists(hands, min_size=1, max_size=3),
    challenge=st.lists(st.sampled_from(ALL_CARDS), max_size=5),
    target=st.none() | st.integers(0, 60),
)
def test_nobody_answers_a_play_that_ends_the_round(hand, others, challenge, target):
    incoming = Incoming.of(challenge if target is not None else ())
    cards = knock_out(
        hand, [reach_of(held) for held in others], target, incoming.less, incoming.divisor
    )
    if cards is None:
        return
    assert 1 <= len(cards) <= PLAY_LIMIT
    assert not Counter(cards) - Counter(hand)
    scored = score(cards, incoming).score
    assert target is None or scored > target
    for held in others:
        assert not can_beat(held, Incoming.of(cards), scored)


def found(hand, other, target=5, less=0, divisor=1):
    cards = knock_out(parse_cards(hand), [reach_of(parse_cards(other))], target, less, divisor)
    return cards and card_names(cards)


def test_no_more_is_spent_than_it_takes():
    assert found("+9 +8 +7 x3 /3 -5", "+1") == "+9"
    assert found("+9 +8 +7 x3 /3 -5", "+1", target=8) == "+9 +8"
    assert found("+9 +8 +7 x3 /3 -5", "+9 +9 +9") == "+9 /3 -5"


def test_a_zero_is_used_where_there_is_something_to_cancel():
    assert found("+9 +8 +7 0", "+1", less=20, target=8) == "+9 +8 0"
    assert found("+9 +8 0", "+1", target=8) == "+9 +8"


def test_there_may_be_no_such_play():
    assert found("+3 +2", "+9 x3 x3") is None
    assert found("x3 0 /2", "") is None
