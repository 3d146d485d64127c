"""Guesses at the hidden cards fit all that the viewer knows."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given

from raisesum.bots import easy
from raisesum.bots.guesses import Unseen
from raisesum.engine import OFFICIAL_DECKS, Phase, Setup, apply, new_match, view_for
from tests.engine.decks import seeds, setups
from tests.engine.positions import twin


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
    drawn = Counter(card for cards in (*guess.draws, guess.mine) for card in cards)
    assert guessed + drawn <= hidden + Counter(view.discard_pile)


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
    assert len(guess.draws) == len(sizes)


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
