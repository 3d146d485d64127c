"""Reasons in plain words, for people who ask why a bot did what it did.

Chances are told as so many times out of 100: who has not learnt percents yet can read that, too.
"""

from collections.abc import Callable, Mapping
from typing import Final

from raisesum.bots.decision import Fact, Reason

Facts = Mapping[str, Fact]

_ONLY: Final = "This was the only play it could make."


def sentence(reason: Reason) -> str:
    """Return what a bot's reason says, in a sentence or two.

    >>> sentence(Reason("forced", {"target": 27}))
    'Nothing in its hand could beat 27.'

    Raises:
        ValueError: no bot gives such a reason.
    """
    try:
        told = _SENTENCES[reason.topic](reason.facts)
    except (KeyError, ValueError) as error:
        raise ValueError(f"no bot gives the reason {reason.text[:80]}") from error
    if reason.facts.get("instead"):
        return f"It had no move of its own, so Steady chose for it. {told}"
    return told


def _count(facts: Facts, name: str) -> int:
    count = facts[name]
    if not isinstance(count, int) or count < 0:
        raise ValueError(f"{name} counts nothing")
    return count


def _chance(facts: Facts, name: str) -> float:
    chance = facts[name]
    if isinstance(chance, str) or not 0 <= chance <= 1:
        raise ValueError(f"{name} is no chance")
    return chance


def _often(facts: Facts, name: str) -> str:
    """Write a chance; one that is not certain is not called so by rounding."""
    chance = _chance(facts, name)
    if 0 < chance < 0.01:
        return "less than once out of 100 times"
    if 0.99 < chance < 1:
        return "more than 99 times out of 100"
    times = round(100 * chance)
    return "once out of 100 times" if times == 1 else f"{times} times out of 100"


def _wins(facts: Facts) -> str:
    return f"it expected to win the round {_often(facts, 'chance')}"


def _random(facts: Facts) -> str:
    plays = _count(facts, "plays")
    if plays == 1:
        return _ONLY
    return f"It picked one of the {plays} plays it could make, without thinking."


def _forced(facts: Facts) -> str:
    if "target" not in facts:
        return "It had no card to play."
    return f"Nothing in its hand could beat {_count(facts, 'target')}."


def _simple(facts: Facts) -> str:
    if _count(facts, "plays") == 1:
        return "This was its only play without a hard challenge."
    return "It picked one of its lowest plays without a hard challenge."


def _answer(facts: Facts) -> str:
    alone = _chance(facts, "alone")
    if alone == 0:
        return "somebody could always answer it"
    if alone == 1:
        return "nobody could ever answer it"
    return f"nobody could answer it {_often(facts, 'alone')}"


def _judged(facts: Facts) -> str:
    plays = _count(facts, "plays")
    if plays == 1:
        return f"{_ONLY} It guessed that {_answer(facts)}."
    return (
        f"Of its {plays} plays it liked this one best, for what it may win and the cards it keeps."
        f" It guessed that {_answer(facts)}."
    )


def _learned(facts: Facts) -> str:
    plays = _count(facts, "plays")
    liked = f"Of {plays} plays it looked at closely, it has learned to like this one best."
    return f"{_ONLY if plays == 1 else liked} It guessed that {_answer(facts)}, and {_wins(facts)}."


def _foreseen(facts: Facts) -> str:
    # What `master` said before it learned: matches that were played then still tell.
    plays = _count(facts, "plays")
    tried = f"It tried {plays} plays in its head and liked this one best."
    guesses = _count(facts, "deals")
    alone = round(_chance(facts, "alone") * guesses)
    if alone == guesses:
        answered = "nobody ever answered this play"
    elif alone == 0:
        answered = "somebody always answered this play"
    else:
        answered = f"{'once' if alone == 1 else f'{alone} times'} nobody answered this play"
    return (
        f"{_ONLY if plays == 1 else tried} It guessed the hidden cards {guesses} times:"
        f" {answered}, and {_wins(facts)}."
    )


def _save(facts: Facts) -> str:
    best = _wins(facts) if "chance" in facts else f"it guessed that {_answer(facts)}"
    return f"With its best play {best}. It passed, because keeping its cards promised more."


_SENTENCES: Final[Mapping[str, Callable[[Facts], str]]] = {
    "random": _random,
    "whim": lambda facts: "It could have played. One time in ten it passes all the same.",
    "blind": lambda facts: "It chose without looking.",
    "forced": _forced,
    "least": lambda facts: "It let go of what it would miss least.",
    "simple": _simple,
    "unkind": lambda facts: "Every play it could make set a hard challenge, so it passed.",
    "cheapest": lambda facts: "This was the lowest play it could make.",
    "certain": lambda facts: "No cards that it had not seen could answer, and so it won the match.",
    "judged": _judged,
    "learned": _learned,
    "foreseen": _foreseen,
    "save": _save,
}
