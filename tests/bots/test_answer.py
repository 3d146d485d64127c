"""A bot always has an answer; when it has none of its own, that is counted."""

from random import Random

import pytest

from raisesum.bots import Decision, Reason, ask, steady
from raisesum.engine import Discard, Pass, Play, parse_cards, view_for
from tests.engine.positions import follow, position


def fails(view, rng):
    raise RuntimeError("no idea")


BROKEN = {
    "raises": fails,
    "returns nothing": lambda view, rng: None,
    "returns text": lambda view, rng: "pass",
    "plays what it does not hold": lambda view, rng: Play(parse_cards("+20")),
    "plays what does not beat the target": lambda view, rng: Play(parse_cards("+1")),
    "plays nothing": lambda view, rng: Play(()),
    "plays no cards": lambda view, rng: Play(("+6",)),
    "discards when it should play": lambda view, rng: Discard(parse_cards("+1")),
}


@pytest.mark.parametrize("bot", BROKEN.values(), ids=BROKEN)
def test_steady_answers_for_a_bot_that_fails(bot):
    view = view_for(position("+1 +6 +9", "", standing="+4"), 1)
    answer = ask(bot, view, Random(1))
    assert answer.fell_back
    assert answer.decision.action == steady.choose(view, Random(1)) == Play(parse_cards("+6"))
    assert answer.decision.reason == Reason("cheapest", {"instead": True})


def test_steady_discards_for_a_bot_that_fails():
    state = follow(position("x3 +9 +1 0 +8 /3 +7 +2 x2", "", ""), "pass").state
    answer = ask(fails, view_for(state, 1), Random(1))
    reason = Reason("least", {"instead": True})
    assert answer == (Decision(Discard(parse_cards("+1 +2")), reason), True)


def test_a_bot_may_answer_with_an_action_alone_or_with_its_reason():
    view = view_for(position("+1 +6 +9", "", standing="+4"), 1)
    reasoned = Decision(Pass(), Reason("save", {"chance": 0.5}))
    assert ask(lambda view, rng: Pass(), view, Random(1)) == (Decision(Pass(), None), False)
    assert ask(lambda view, rng: reasoned, view, Random(1)) == (reasoned, False)


def test_who_stops_the_program_is_heard():
    def stops(view, rng):
        raise KeyboardInterrupt

    view = view_for(position("+1 +6 +9", "", standing="+4"), 1)
    with pytest.raises(KeyboardInterrupt):
        ask(stops, view, Random(1))
