"""Asking a bot, so that a table never waits for one that has no answer."""

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import NamedTuple

from raisesum.bots import steady
from raisesum.bots.decision import Decision
from raisesum.engine import Action, IllegalActionError, Play, View, score
from raisesum.engine.legality import check_action

#: A bot, or anyone's function that could be one; giving a reason is left to it.
Bot = Callable[[View, Random], Action | Decision]


class Answer(NamedTuple):
    """What a bot decided, and whether `steady` had to decide in its place."""

    decision: Decision
    fell_back: bool


def ask(bot: Bot, view: View, rng: Random) -> Answer:
    """Return the decision of `bot`, or that of `steady` when it fails or breaks the rules.

    Falling back is a fault of the bot, so it is told: the arena counts it, and the reason, which
    is that of `steady`, says so with the fact `instead`.

    >>> from raisesum.engine import OFFICIAL_DECKS, Pass, Setup, new_match, parse_cards, view_for
    >>> state, _ = new_match(Setup(2, OFFICIAL_DECKS["full"], first=1), seed=7)
    >>> ask(lambda view, rng: Play(parse_cards("+20")), view_for(state, 1), Random(1)).fell_back
    True
    """
    try:
        decision = _decision(bot(view, rng))
        _check(view, decision.action)
    except Exception:  # noqa: BLE001 - whatever is wrong with a bot, the match must go on
        action, reason = steady.decide(view, rng)
        marked = reason and replace(reason, facts={**reason.facts, "instead": True})
        return Answer(Decision(action, marked), fell_back=True)
    return Answer(decision, fell_back=False)


def _decision(answer: Action | Decision) -> Decision:
    return answer if isinstance(answer, Decision) else Decision(answer)


def _check(view: View, action: Action) -> None:
    if not isinstance(action, Action):
        raise IllegalActionError("no action", f"{action!r} is no action.")
    played = score(action.cards, view.incoming).score if isinstance(action, Play) else None
    check_action(action, view.phase, view.hand, played, view.target)
