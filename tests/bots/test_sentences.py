from random import Random

import pytest

from raisesum.bots import LEVELS, Reason, parse_reason
from raisesum.bots.sentences import sentence
from raisesum.engine import OFFICIAL_DECKS, Phase, Setup, apply, new_match, view_for


@pytest.mark.parametrize("level", LEVELS.values(), ids=LEVELS)
def test_every_decision_of_a_match_can_be_told(level):
    told = set()
    rng = Random(4)
    state, _ = new_match(Setup(2, OFFICIAL_DECKS["full"], goal=1), seed=4)
    while state.phase is not Phase.OVER:
        decision = level.decide(view_for(state, state.turn), rng)
        text = sentence(parse_reason(decision.reason.text))
        assert text[0].isupper()
        assert text.endswith(".")
        told.add(text)
        state, _ = apply(state, state.turn, decision.action)
    assert told


@pytest.mark.parametrize(
    ("reason", "expected"),
    [
        (Reason("random", {"plays": 214}), "It picked one of 214 plays without thinking."),
        (Reason("random", {"plays": 1}), "It was the only play that was allowed."),
        (
            Reason("judged", {"plays": 214, "alone": 0.625, "chance": 0.711}),
            "Of 214 plays this one promised most: nobody could answer it in 62% of its guesses,"
            " and it saw a 71% chance to win the round.",
        ),
        (
            Reason("foreseen", {"plays": 24, "deals": 120, "alone": 0.0, "chance": 0.004}),
            "It looked ahead from 24 plays and from this one 120 times: nobody answered in 0% of"
            " them, and it saw a less than 1% chance to win the round.",
        ),
    ],
)
def test_a_reason_is_told_with_its_numbers(reason, expected):
    assert sentence(reason) == expected


def test_a_chance_that_is_not_certain_is_not_called_so():
    told = sentence(Reason("save", {"chance": 0.9999}))
    assert "more than 99%" in told


@pytest.mark.parametrize("reason", [Reason("luck"), Reason("judged", {"plays": 3})])
def test_a_reason_that_no_bot_gives_is_refused(reason):
    with pytest.raises(ValueError, match="no bot gives the reason"):
        sentence(reason)
