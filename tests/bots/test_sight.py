"""The networks are told the same in play as they were when they learned."""

from pathlib import Path
from random import Random

import pytest

from raisesum.bots.guesses import Unseen
from raisesum.bots.reach import reach_of
from raisesum.bots.sharp import Answers, promise_of
from raisesum.bots.sight import FACES, INPUTS, Sight, place_of
from raisesum.bots.stakes import Stakes
from raisesum.engine import parse_cards, view_for
from raisesum.engine.cards import ALL_CARDS
from tests.bots.told import compared
from tests.engine.positions import position

TOLD = Path(__file__).parents[1] / "data" / "told"


def sight_of(state):
    view = view_for(state, state.turn)
    unseen = Unseen(view)
    rng = Random(1)
    answers = Answers([unseen.guess(rng) for _ in range(8)])
    return Sight(view, Stakes(view), unseen, answers)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_turn_is_told_as_the_learning_program_tells_it(players):
    pairs = list(compared((TOLD / f"{players}.jsonl").read_text(), None))
    assert len(pairs) >= 8
    for theirs, ours in pairs:
        assert ours == pytest.approx(theirs, abs=1e-3)


def test_every_face_has_a_place_and_those_of_the_full_deck_have_one_each():
    assert {place_of(card) for card in ALL_CARDS} == set(range(FACES))
    usual = parse_cards("+1 +2 +3 +4 +5 +6 +7 +8 +9 x2 x3 -1 -2 -3 -4 -5 /2 /3 0")
    assert [place_of(card) for card in usual] == list(range(FACES))


def test_nothing_is_told_twice_or_out_of_place():
    sight = sight_of(position("+9 +8 +3 +2 x2 -1 0", "+1 +2", "+3", standing="+4 -2"))
    view = view_for(position("+9 +8 +3 +2 x2 -1 0", "+1 +2", "+3", standing="+4 -2"), 1)
    kept = parse_cards("+9 +8 x2 -1 0")
    promise = promise_of(Stakes(view), view, 5, 0.5, kept, reach_of(kept), 0.25, 2.0)
    play = sight.of_play(5, (0, 1), kept, reach_of(kept), promise)
    for told in (play, sight.of_pass(view.hand, 0.5)):
        places = [place for place, _ in (*sight.of_table(), *told)]
        assert len(set(places)) == len(places)
        assert set(places) <= set(range(INPUTS))


def test_a_pass_ends_the_round_when_one_opponent_is_in():
    assert sight_of(position("+9 +8", "+1", standing="+4")).pass_ends_round
    assert not sight_of(position("+9 +8", "+1", "+2", standing="+4")).pass_ends_round
