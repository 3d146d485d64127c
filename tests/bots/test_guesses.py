"""Guesses at the hidden cards fit all that the viewer knows."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given

from raisesum.bots import easy
from raisesum.bots.guesses import Guess, Unseen
from raisesum.bots.reach import reach_of
from raisesum.engine import (
    OFFICIAL_DECKS,
    Phase,
    Setup,
    apply,
    new_match,
    parse_cards,
    view_for,
)
from tests.engine.decks import seeds, setups
from tests.engine.positions import position, twin


def played(setup, seed, turns):
    state, _ = new_match(setup, seed)
    rng = Random(seed)
    for _ in range(turns):
        action = easy.choose(view_for(state, state.turn), rng)
        step = apply(state, state.turn, action).state
        if step.phase is Phase.OVER:
            break
        state = step
    return state


@given(setups(), seeds)
def test_what_is_guessed_are_cards_that_were_not_seen_as_often_as_they_are_there(setup, seed):
    state = played(setup, seed, seed % 40)
    view = view_for(state, state.turn)
    unseen = Unseen(view)
    hidden = Counter(state.draw_pile)
    for seat, hand in enumerate(state.hands, 1):
        if seat != state.turn:
            hidden.update(hand)
    assert Counter(unseen.cards) == hidden
    guess = unseen.guess(Random(seed))
    guessed = Counter(card for hand in guess.hands for card in hand)
    assert guessed <= hidden
    assert guessed + Counter(guess.pile) <= hidden + Counter(view.discard_pile)
    # Before there is a shuffle, only what is hidden can be drawn.
    assert guessed + Counter(guess.pile[: view.draw_size]) <= hidden
    assert len(guess.pile) == view.draw_size + len(view.discard_pile)


@given(setups(), seeds)
def test_guessed_hands_are_as_large_as_those_of_the_opponents_who_are_in(setup, seed):
    state = played(setup, seed, seed % 40)
    view = view_for(state, state.turn)
    players = setup.players
    sizes = [
        len(state.hand((state.turn - 1 + step) % players + 1))
        for step in range(1, players)
        if state.is_in[(state.turn - 1 + step) % players]
    ]
    guess = Unseen(view).guess(Random(seed))
    assert [len(hand) for hand in guess.hands] == sizes


def test_no_card_is_drawn_by_two():
    guess = Guess((parse_cards("+1"), parse_cards("+2")), OFFICIAL_DECKS["full"].cards[:14])
    drawn = [guess.drawn(lap, place) for lap in range(2) for place in range(3)]
    assert [len(cards) for cards in drawn] == [3, 3, 3, 3, 2, 0]
    assert sum(drawn, ()) == guess.pile


@given(setups(), seeds)
def test_no_reply_is_higher_than_the_highest(setup, seed):
    state = played(setup, seed, seed % 40)
    unseen = Unseen(view_for(state, state.turn))
    for less, divisor in ((0, 1), (3, 1), (0, 2), (4, 6)):
        highest = unseen.highest(less, divisor)
        guess = unseen.guess(Random(seed))
        for place, hand in enumerate(guess.hands):
            held = hand + guess.drawn(0, place)
            assert highest is None or reach_of(held).best(less, divisor) <= highest


def test_nothing_is_certain_when_the_discards_are_drawn_next():
    state = position("+1", "+2", draw="+3 +4", discards="x3 +9")
    assert Unseen(view_for(state, 1)).highest(0, 1) is None
    state = position("+1", "+2", draw="+3 +4 +5", discards="x3 +9")
    assert Unseen(view_for(state, 1)).highest(0, 1) is not None


@given(setups(), seeds)
def test_where_the_hidden_cards_really_are_makes_no_difference(setup, seed):
    state = played(setup, seed, seed % 40)
    other = twin(state, state.turn, Random(seed))
    one, two = (Unseen(view_for(each, state.turn)).guess(Random(7)) for each in (state, other))
    assert one == two


@pytest.mark.parametrize("seed", range(3))
def test_guesses_differ(setup_of_two, seed):
    view = view_for(played(setup_of_two, seed, 6), 1)
    rng = Random(seed)
    unseen = Unseen(view)
    assert len({unseen.guess(rng) for _ in range(20)}) == 20


@pytest.fixture
def setup_of_two():
    return Setup(2, OFFICIAL_DECKS["full"])
