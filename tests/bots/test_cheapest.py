"""The pruned search chooses exactly what listing every play and taking the cheapest would."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from raisesum.bots.cheapest import cheapest_play, cost
from raisesum.engine import NO_INCOMING, OFFICIAL_DECKS, Incoming, legal_plays, parse_cards
from raisesum.engine.cards import ALL_CARDS


def cheapest_of_all(hand, incoming, target):
    plays = legal_plays(hand, incoming, target)
    return min(plays, key=lambda play: cost(play.cards, play.score)) if plays else None


def assert_agrees(hand, incoming, target):
    found = cheapest_play(hand, incoming.less, incoming.divisor, target)
    assert found == cheapest_of_all(hand, incoming, target)


@given(
    hand=st.lists(st.sampled_from(ALL_CARDS), max_size=10),
    challenge=st.lists(st.sampled_from(ALL_CARDS), max_size=5),
    target=st.integers(0, 60) | st.integers(0, 2000),
)
def test_of_any_cards_the_cheapest_reply_is_found(hand, challenge, target):
    assert_agrees(hand, Incoming.of(challenge), target)


@given(hand=st.lists(st.sampled_from(ALL_CARDS), max_size=10))
def test_of_any_cards_the_cheapest_opening_is_found(hand):
    assert_agrees(hand, NO_INCOMING, None)


@pytest.mark.parametrize("deck", OFFICIAL_DECKS)
def test_of_ten_cards_of_a_deck_the_cheapest_reply_is_found(deck):
    rng = Random(5)
    for _ in range(150):
        cards = rng.sample(OFFICIAL_DECKS[deck].cards, 15)
        assert_agrees(cards[:10], Incoming.of(cards[10:]), rng.randrange(30))


@pytest.mark.parametrize(
    ("hand", "challenge", "target"),
    [
        # Two sums of additions round down to one score: the larger takes fewer cards.
        ("+4 +5 +10", "/2", 3),
        # Two sets of multiplications have one product.
        ("+1 x2 x6 x3 x4", "", 5),
        # Two challenges are worth the same.
        ("+5 -5 /2", "", 4),
        # The place that a challenge takes makes the play dearer.
        ("+1 +1 +1 +1 +1 +9 -1", "", 4),
    ],
)
def test_where_plays_are_almost_equal_the_cheapest_is_found(hand, challenge, target):
    assert_agrees(parse_cards(hand), Incoming.of(parse_cards(challenge)), target)
