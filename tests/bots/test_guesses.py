"""Guesses at the hidden cards fit all that the viewer knows."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given

from raisesum.bots import easy
from raisesum.bots.guesses import Unseen
from raisesum.bots.reach import reach_of
from raisesum.engine import (
    OFFICIAL_DECKS,
    Phase,
    Setup,
    apply,
    new_match,
    view_for,
)
from raisesum.engine.state import DRAW
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
    guessed = Counter(card for hand in unseen.guess(Random(seed)) for card in hand)
    assert guessed <= hidden + Counter(view.discard_pile)
    if view.draw_size >= DRAW * len(unseen.sizes):
        # Before there is a shuffle, only what is hidden can be drawn.
        assert guessed <= hidden


@given(setups(), seeds)
def test_guessed_hands_are_those_of_the_opponents_who_are_in_with_what_they_draw(setup, seed):
    state = played(setup, seed, seed % 40)
    view = view_for(state, state.turn)
    players = setup.players
    sizes = [
        len(state.hand((state.turn - 1 + step) % players + 1))
        for step in range(1, players)
        if state.is_in[(state.turn - 1 + step) % players]
    ]
    to_come = view.draw_size + len(view.discard_pile)
    for place in range(len(sizes)):
        drawn = min(DRAW, to_come)
        sizes[place] += drawn
        to_come -= drawn
    assert [len(hand) for hand in Unseen(view).guess(Random(seed))] == sizes


def test_discards_are_drawn_when_the_pile_runs_short():
    state = position("+1", "+2", draw="+3", discards=" ".join(["0"] * 8))
    (hand,) = Unseen(view_for(state, 1)).guess(Random(1))
    # One card is held and one is in the pile, neither of them a zero: those are all discards.
    assert len(hand) == 4
    assert [card.name for card in hand].count("0") == 2


@given(setups(), seeds)
def test_no_reply_is_higher_than_the_highest(setup, seed):
    state = played(setup, seed, seed % 40)
    unseen = Unseen(view_for(state, state.turn))
    for less, divisor in ((0, 1), (3, 1), (0, 2), (4, 6)):
        highest = unseen.highest(less, divisor)
        for hand in unseen.guess(Random(seed)):
            assert highest is None or reach_of(hand).best(less, divisor) <= highest


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
