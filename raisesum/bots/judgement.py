"""What was learned from many matches: numbers that judge cards, hands and plays.

The numbers are data (`judgement.json`).  Features know kinds and numbers, not faces, so that every
custom deck can be judged.
"""

import json
from collections.abc import Mapping
from functools import cached_property, lru_cache
from math import exp, log
from operator import mul
from pathlib import Path
from typing import Any, Final, NamedTuple

from raisesum.engine import Card, Kind
from raisesum.engine.cards import ALL_CARDS

FILE: Final = Path(__file__).with_name("judgement.json")

#: How many features a card has.
CARD_FEATURES: Final = 10
_FIRST: Final = {
    Kind.ADD: 0,
    Kind.MULTIPLY: 3,
    Kind.SUBTRACT: 5,
    Kind.DIVIDE: 7,
    Kind.ZERO: 9,
}


def card_features(card: Card) -> tuple[float, ...]:
    """Return the features of one card; those of a hand are the sums over its cards."""
    n = card.number
    own: tuple[float, ...]
    match card.kind:
        case Kind.ADD:
            own = (1.0, n / 10, n * n / 100)
        case Kind.SUBTRACT:
            own = (1.0, n / 5)
        case Kind.ZERO:
            own = (1.0,)
        case _:
            own = (1.0, log(n))
    first = _FIRST[card.kind]
    return (0.0,) * first + own + (0.0,) * (CARD_FEATURES - first - len(own))


FEATURES_OF: Final = {card: card_features(card) for card in ALL_CARDS}


#: How many stages a round has.
STAGES: Final = 5


def stage(target: int | None) -> int:
    """Return how far a round has got, for what players hold at such a time."""
    if target is None:
        return 0
    return 1 + sum(target >= limit for limit in (6, 12, 20))


@lru_cache(maxsize=256)
def of_cards(weights: tuple[float, ...]) -> Mapping[Card, float]:
    """Return what each face comes to by the weights of its features."""
    return {card: sum(map(mul, weights, features)) for card, features in FEATURES_OF.items()}


def logistic(odds: float) -> float:
    """Return the chance of these log-odds."""
    return 1 / (1 + exp(-odds)) if odds > -700 else 0.0


class Weights(NamedTuple):
    """What `sharp` weighs at a table of so many players; the unit is a round won.

    Attributes:
        cards: of the features of each card kept.
        reach: of the logarithm of the best score of the cards kept.
        size: of how many cards are kept, as a part of a full hand.
        alone: of the log-odds that nobody answers, without looking at any guess: a constant, then
            of how high the score and the challenge are together, of the division, of the cards
            that the fullest opponent holds, of there being a subtraction, and, not of the
            log-odds, how much more each opponent after the first counts.
        guessed: the part that guesses at the hidden cards have in the chance that nobody answers.
        again: of winning the round though somebody answers: a constant, then of how far the own
            best score is above the play, of how far above the best of the others, and, not of the
            log-odds, what that chance counts.
        opening: how much more it counts that nobody answers an opening play.
        passing: for a pass: a constant, then of an opponent being two points from the end, of the
            lead over the best of them, and of the cards the fullest opponent holds.
        last: how much the cards kept count where the own next point is the last, and where an
            opponent's is.
    """

    cards: tuple[float, ...]
    reach: float
    size: float
    alone: tuple[float, ...]
    guessed: float
    again: tuple[float, ...]
    opening: float
    passing: tuple[float, ...]
    last: tuple[float, ...]


class Judgement:
    """All that was learned."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._data = data

    @cached_property
    def held(self) -> tuple[Mapping[Card, float], ...]:
        """For each stage of a round, the odds of each face to be in another player's hand."""
        odds = [of_cards(tuple(weights)) for weights in self._data["held"]]
        return tuple({card: exp(odd) for card, odd in stage.items()} for stage in odds)

    @cached_property
    def weights(self) -> dict[int, Weights]:
        """The weights by the number of players at the table."""

        def part(value: Any) -> Any:
            return tuple(value) if isinstance(value, list) else value

        return {
            int(players): Weights(**{name: part(value) for name, value in parts.items()})
            for players, parts in self._data["weights"].items()
        }


JUDGEMENT: Final = Judgement(json.loads(FILE.read_text(encoding="utf-8")))
