from random import Random

import pytest

from raisesum.bots import master, sharp
from raisesum.bots.guesses import Unseen
from raisesum.bots.stakes import Stakes
from raisesum.engine import HAND_LIMIT, Incoming, Pass, Play, score, view_for
from tests.engine.positions import position


def choice(state, seed=1):
    return master.decide(view_for(state, state.turn), Random(seed))


def test_master_passes_when_nothing_beats_the_target():
    decision = choice(position("+1 -2", "+3", standing="+4"))
    assert decision.action == Pass()
    assert decision.reason.topic == "forced"


@pytest.mark.parametrize("bot", [sharp, master], ids=["sharp", "master"])
@pytest.mark.parametrize("seed", range(5))
def test_who_can_win_the_match_for_certain_does(bot, seed):
    # One point short, and some plays leave nothing that could be answered with any cards.
    state = position("+9 +9 x3 x3 /3 +1 +2 +4 -1 0", "+1 x3", standing="+4", points=(2, 2))
    view = view_for(state, 1)
    decision = bot.decide(view, Random(seed))
    cards = decision.action.cards
    sent = Incoming.of(cards)
    assert score(cards).score >= Unseen(view).highest(sent.less, sent.divisor)
    assert decision.reason.topic == "certain"


def test_a_round_that_is_not_the_last_is_not_won_at_any_price():
    hand = "+9 +9 x3 x3 /3 +1 +2 +4 -1 0"
    for points in ((1, 2), (0, 0)):
        decision = choice(position(hand, "+1 x3", standing="+4", points=points))
        assert decision.reason.topic == "learned"


@pytest.mark.parametrize("seed", range(5))
def test_a_pass_that_loses_the_match_is_not_made(seed):
    # Hardly a play to be proud of, but after a pass there is no other one.
    decision = choice(position("+9 +1 x3", "+9 x3 x3", standing="+9", points=(0, 2)), seed)
    assert isinstance(decision.action, Play)


def test_the_reason_tells_what_was_computed():
    reason = choice(position("+9 +8 +3 +2 x2 -1 0", "+1 +2 +3", standing="+4")).reason
    assert reason.topic in ("learned", "save")
    assert 0 <= reason.facts["alone"] <= 1
    assert 0 <= reason.facts["chance"] <= 1
    assert reason.facts["plays"] == master.CANDIDATES


def test_the_plays_looked_at_closely_are_legal_and_different():
    view = view_for(position("+9 +8 +3 +2 x2 -1 0 +1 /2 +4", "+1", standing="+4 -2"), 1)
    stakes = Stakes(view)
    candidates = master.candidates_of(view, stakes, stakes.keep(view.hand, 10), 1)
    plays = [candidate.play for candidate in candidates]
    assert len(set(plays)) == len(plays) == master.CANDIDATES
    assert set(plays) <= set(view.legal_plays)
    for candidate in candidates:
        incoming = Incoming.of(candidate.play.cards)
        assert candidate.challenge == (incoming.less, incoming.divisor)
        assert sorted((*candidate.kept, *candidate.play.cards)) == sorted(view.hand) or (
            len(candidate.kept) == HAND_LIMIT
        )


def test_the_same_view_and_chance_give_the_same_choice():
    state = position("+9 +8 +3 +2 x2 -1 0", "+1 +2 +3", standing="+4")
    assert choice(state, seed=5) == choice(state, seed=5)
