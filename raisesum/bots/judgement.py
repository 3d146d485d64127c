"""What was learned from many matches: numbers that judge cards, hands and positions.

The numbers are data (`judgement.json`); `raisesum.bots.training` made them.  Each model is
linear in a few features and gives log-odds.  Features know kinds and numbers, not faces, so that
every custom deck can be judged.
"""

import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from math import exp, log, tanh
from operator import mul
from pathlib import Path
from typing import Any, Final

from raisesum.bots.reach import Reach
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


def hand_features(cards: Sequence[Card]) -> list[float]:
    """Return the summed features of `cards`."""
    if not cards:
        return [0.0] * CARD_FEATURES
    return [sum(column) for column in zip(*[FEATURES_OF[card] for card in cards], strict=True)]


def after_features(
    kept: Reach, size: int, score: int, less: int, divisor: int, alone: float, held: float
) -> list[float]:
    """Return the features of a play just made, beside those of the cards kept.

    Args:
        kept: the reach of the cards kept.
        size: how many cards are kept.
        score: the play's score.
        less: the sum of the subtractions it sends on.
        divisor: the product of the divisions it sends on.
        alone: the chance that nobody can answer it.
        held: the cards that an opponent who is in holds, on average.
    """
    plain, products = kept.plain[0][0], kept.plain[-1][1]
    zero = 1.0 if kept.zero else 0.0
    needed = score + 2
    answered = 1 - alone
    height, factors, capital = log(1 + score), log(products), log(1 + plain)
    small = tanh((kept.best(3, 1) - needed) / 8)
    best = kept.best(0, 1)
    lead = log(1 + best) - log(needed)
    return [
        1.0,
        zero,
        alone,
        alone * alone,
        alone**3,
        height,
        score / 20,
        less / 5,
        log(divisor),
        1.0 if less or divisor > 1 else 0.0,
        tanh((best - needed) / 8),
        small,
        tanh((kept.best(0, 2) - needed) / 8),
        tanh((kept.best(0, 3) - needed) / 8),
        lead,
        answered * zero,
        answered * small,
        answered * plain / 15,
        answered * lead,
        factors * capital / 3,
        size / 7,
        held / 7,
        answered * held / 7,
        alone * height,
        height * factors,
    ]


def stage(target: int | None) -> int:
    """Return how far a round has got, for what players hold at such a time."""
    if target is None:
        return 0
    return 1 + sum(target >= limit for limit in (6, 12, 20))


class Model:
    """One linear model: weights of the cards and of the other features."""

    def __init__(self, cards: Sequence[float], rest: Sequence[float]) -> None:
        self._rest = tuple(rest)
        #: What each face adds to the log-odds.
        self.of_card: Mapping[Card, float] = {
            card: sum(map(mul, cards, features)) for card, features in FEATURES_OF.items()
        }

    def chance(self, of_cards: float, features: Sequence[float]) -> float:
        """Return the chance from the sum over the cards and the other features."""
        return logistic(of_cards + sum(map(mul, self._rest, features)))


class Judgement:
    """All that was learned.

    Attributes:
        opener: what opening a round adds to the log-odds of winning it.
        usual_hand: the usual value of a hand kept from one round to the next.
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._data = data
        self.opener: float = data["opener"]
        self.usual_hand: float = data["usual_hand"]

    @cached_property
    def value(self) -> Mapping[Card, float]:
        """What each face in a hand adds to the log-odds of winning the next round."""
        return Model(self._data["value"], ()).of_card

    @cached_property
    def held(self) -> tuple[Mapping[Card, float], ...]:
        """For each stage of a round, the odds of each face to be in another player's hand."""
        models = (Model(weights, ()).of_card for weights in self._data["held"])
        return tuple({card: exp(odds) for card, odds in model.items()} for model in models)

    @cached_property
    def after(self) -> Mapping[int, Model]:
        """By the number of opponents who are in: the chance of winning the round after a play."""
        return {
            int(opponents): Model(weights[:CARD_FEATURES], weights[CARD_FEATURES:])
            for opponents, weights in self._data["after"].items()
        }


def logistic(odds: float) -> float:
    """Return the chance of these log-odds."""
    return 1 / (1 + exp(-odds)) if odds > -700 else 0.0


JUDGEMENT: Final = Judgement(json.loads(FILE.read_text(encoding="utf-8")))
