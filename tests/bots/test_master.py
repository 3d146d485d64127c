from random import Random

import pytest

from raisesum.bots import master, sharp
from raisesum.bots.guesses import Unseen
from raisesum.engine import Incoming, Pass, score, view_for
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
        assert decision.reason.topic == "foreseen"


def test_the_reason_tells_what_was_computed():
    reason = choice(position("+9 +8 +3 +2 x2 -1 0", "+1 +2 +3", standing="+4")).reason
    assert reason.topic in ("foreseen", "save")
    assert 0 <= reason.facts["alone"] <= reason.facts["chance"] <= 1
    assert reason.facts["deals"] == sum(master.GUESSES[1])


def test_the_same_view_and_chance_give_the_same_choice():
    state = position("+9 +8 +3 +2 x2 -1 0", "+1 +2 +3", standing="+4")
    assert choice(state, seed=5) == choice(state, seed=5)
