from random import Random

import pytest

from raisesum.bots import LEVELS, Reason, parse_reason
from raisesum.bots.sentences import sentence
from raisesum.engine import (
    OFFICIAL_DECKS,
    Discard,
    Pass,
    Phase,
    Play,
    Setup,
    apply,
    new_match,
    view_for,
)

#: What a bot may give as its reason for each kind of action.
TOPICS = {
    Play: {"random", "simple", "cheapest", "certain", "judged", "learned"},
    Pass: {"whim", "forced", "unkind", "save"},
    Discard: {"blind", "least"},
}


@pytest.mark.parametrize("level", LEVELS.values(), ids=LEVELS)
def test_every_decision_of_a_match_can_be_told(level):
    told = set()
    rng = Random(4)
    state, _ = new_match(Setup(2, OFFICIAL_DECKS["full"], goal=1), seed=4)
    while state.phase is not Phase.OVER:
        decision = level.decide(view_for(state, state.turn), rng)
        assert decision.reason.topic in TOPICS[type(decision.action)]
        text = sentence(parse_reason(decision.reason.text))
        assert text[0].isupper()
        assert text.endswith(".")
        told.add(text)
        state, _ = apply(state, state.turn, decision.action)
    assert told


@pytest.mark.parametrize(
    ("reason", "expected"),
    [
        (
            Reason("random", {"plays": 214}),
            "It picked one of the 214 plays it could make, without thinking.",
        ),
        (Reason("random", {"plays": 1}), "This was the only play it could make."),
        (Reason("forced", {"target": 27}), "Nothing in its hand could beat 27."),
        (Reason("forced"), "It had no card to play."),
        (Reason("simple", {"plays": 1}), "This was its only play without a hard challenge."),
        (
            Reason("judged", {"plays": 214, "alone": 0.625}),
            "Of its 214 plays it liked this one best, for what it may win and the cards it keeps."
            " It guessed that nobody could answer it 62 times out of 100.",
        ),
        (
            Reason("judged", {"plays": 1, "alone": 0.011}),
            "This was the only play it could make. It guessed that nobody could answer it once out"
            " of 100 times.",
        ),
        (
            Reason("learned", {"plays": 23, "alone": 0.625, "chance": 0.004}),
            "Of 23 plays it looked at closely, it has learned to like this one best. It guessed"
            " that nobody could answer it 62 times out of 100, and it expected to win the round"
            " less than once out of 100 times.",
        ),
        (
            Reason("learned", {"plays": 1, "alone": 1.0, "chance": 0.5}),
            "This was the only play it could make. It guessed that nobody could ever answer it,"
            " and it expected to win the round 50 times out of 100.",
        ),
        (
            Reason("foreseen", {"plays": 24, "deals": 120, "alone": 0.625, "chance": 0.004}),
            "It tried 24 plays in its head and liked this one best. It guessed the hidden cards"
            " 120 times: 75 times nobody answered this play, and it expected to win the round less"
            " than once out of 100 times.",
        ),
        (
            Reason("foreseen", {"plays": 1, "deals": 30, "alone": 0.033, "chance": 0.5}),
            "This was the only play it could make. It guessed the hidden cards 30 times: once"
            " nobody answered this play, and it expected to win the round 50 times out of 100.",
        ),
        (
            Reason("cheapest", {"instead": True}),
            "It had no move of its own, so Steady chose for it. This was the lowest play it could"
            " make.",
        ),
    ],
)
def test_a_reason_is_told_with_its_numbers(reason, expected):
    assert sentence(reason) == expected


def test_a_chance_that_is_not_certain_is_not_called_so():
    told = sentence(Reason("save", {"chance": 0.9999}))
    assert "more than 99 times out of 100" in told


@pytest.mark.parametrize(
    ("topic", "alone", "expected"),
    [
        ("foreseen", 0.0, "somebody always answered"),
        ("foreseen", 1.0, "nobody ever answered"),
        ("judged", 0.0, "somebody could always answer"),
        ("judged", 1.0, "nobody could ever answer"),
    ],
)
def test_what_was_always_so_in_its_head_is_told_in_words(topic, alone, expected):
    facts = {"plays": 24, "deals": 120, "alone": alone, "chance": 0.5}
    assert expected in sentence(Reason(topic, facts))


@pytest.mark.parametrize(
    "reason",
    [
        Reason("luck"),
        Reason("judged", {"plays": 3}),
        Reason("random", {"plays": "many"}),
        Reason("random", {"plays": -1}),
        Reason("save", {"chance": "good"}),
        Reason("save", {"chance": float("nan")}),
        Reason("save", {"chance": 10**400}),
    ],
)
def test_a_reason_that_no_bot_gives_is_refused(reason):
    with pytest.raises(ValueError, match="no bot gives the reason"):
        sentence(reason)
