"""Reasons in plain words, for people who ask why a bot did what it did."""

from collections.abc import Callable, Mapping
from typing import Final

from raisesum.bots.decision import Fact, Reason


def sentence(reason: Reason) -> str:
    """Return what a bot's reason says, in one or two sentences.

    >>> sentence(Reason("save", {"chance": 0.118, "alone": 0.04, "plays": 31}))
    'Its best play had a 12% chance to win the round, so it passed and kept its cards.'

    Raises:
        ValueError: no bot gives such a reason.
    """
    try:
        return _SENTENCES[reason.topic](reason.facts)
    except KeyError as error:
        raise ValueError(f"no bot gives the reason {reason.text[:80]}") from error


def _percent(fact: Fact) -> str:
    """Write a chance; one that is not certain is not called so by rounding."""
    chance = float(fact)
    if 0 < chance < 0.01:
        return "less than 1%"
    if 0.99 < chance < 1:
        return "more than 99%"
    return f"{chance:.0%}"


def _plays(fact: Fact) -> str:
    return "the only play" if fact == 1 else f"{fact} plays"


def _judged(facts: Mapping[str, Fact]) -> str:
    if facts["plays"] == 1:
        return (
            f"It was the only play that was allowed. It saw a {_percent(facts['chance'])} chance"
            " to win the round with it."
        )
    return (
        f"Of {facts['plays']} plays this one promised most: nobody could answer it in"
        f" {_percent(facts['alone'])} of its guesses, and it saw a {_percent(facts['chance'])}"
        " chance to win the round."
    )


def _foreseen(facts: Mapping[str, Fact]) -> str:
    looked = (
        "It looked ahead from the only play"
        if facts["plays"] == 1
        else f"It looked ahead from {facts['plays']} plays"
    )
    return (
        f"{looked} and from this one {facts['deals']} times: nobody answered in"
        f" {_percent(facts['alone'])} of them, and it saw a {_percent(facts['chance'])} chance"
        " to win the round."
    )


_SENTENCES: Final[Mapping[str, Callable[[Mapping[str, Fact]], str]]] = {
    "random": lambda facts: (
        f"It picked one of {_plays(facts['plays'])} without thinking."
        if facts["plays"] != 1
        else "It was the only play that was allowed."
    ),
    "whim": lambda facts: "It passed just like that.",
    "forced": lambda facts: "No play in its hand beat the target.",
    "least": lambda facts: "It let go the cards that it would miss least.",
    "simple": lambda facts: "It made one of its lowest plays, without a hard challenge.",
    "unkind": lambda facts: "All it could have played was a hard challenge, so it passed.",
    "cheapest": lambda facts: "It made the lowest play that was allowed.",
    "judged": _judged,
    "foreseen": _foreseen,
    "save": lambda facts: (
        f"Its best play had a {_percent(facts['chance'])} chance to win the round, so it passed"
        " and kept its cards."
    ),
}
