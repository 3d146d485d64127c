"""The score of a play: the one place where it is worked out.

Source of the formula: the rulebook, "Always score in this order".  With A the sum of the
additions, M the product of the multiplications, S the sum of the incoming subtractions and D
the product of the incoming divisions,

    score = max(0, floor((A - S) * M / D))

exactly, rounded down once, at the end.  A zero in the play makes S = 0 and D = 1.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import cached_property
from math import prod
from typing import Final

from raisesum.engine.cards import Card, Kind


@dataclass(frozen=True, slots=True)
class Incoming:
    """What a challenge means for the player who must reply.

    Attributes:
        subtractions: the numbers of the challenge's red cards, as laid down.
        divisions: the numbers of its yellow cards, as laid down.
    """

    subtractions: tuple[int, ...] = ()
    divisions: tuple[int, ...] = ()

    @classmethod
    def of(cls, cards: Iterable[Card]) -> "Incoming":
        """Return what a standing play of `cards` sends to the next reply."""
        subtractions: tuple[int, ...] = ()
        divisions: tuple[int, ...] = ()
        for card in cards:
            kind = card.kind
            if kind is Kind.SUBTRACT:
                subtractions += (card.number,)
            elif kind is Kind.DIVIDE:
                divisions += (card.number,)
        return cls(subtractions, divisions)

    @property
    def less(self) -> int:
        """The sum of the subtractions."""
        return sum(self.subtractions)

    @property
    def divisor(self) -> int:
        """The product of the divisions; 1 with none."""
        return prod(self.divisions)

    def __bool__(self) -> bool:
        return bool(self.subtractions or self.divisions)


NO_INCOMING: Final = Incoming()


class StepKind(Enum):
    """The steps of a score, in the order in which they are taken."""

    ADD = "add"
    COUNTER = "counter"
    SUBTRACT = "subtract"
    MULTIPLY = "multiply"
    DIVIDE = "divide"
    ROUND_DOWN = "round down"
    NOT_BELOW_ZERO = "not below zero"


@dataclass(frozen=True, slots=True)
class ScoreStep:
    """One step: what was done with which numbers, and the value after it.

    `operands` are the numbers of the cards that the step used (for `COUNTER`, those it
    cancelled: subtractions first, then divisions); rounding and the floor at zero have none.
    """

    kind: StepKind
    operands: tuple[int, ...]
    value: Fraction


@dataclass(frozen=True)
class Receipt:
    """A play's score and how it came about.

    Attributes:
        cards: the play, in the order in which it was laid down.
        incoming: what worked against it.
        score: the final number, never negative.
    """

    cards: tuple[Card, ...]
    incoming: Incoming
    score: int

    @property
    def countered(self) -> bool:
        """Whether a zero in the play cancelled a challenge that was there."""
        return bool(self.incoming) and any(card.kind is Kind.ZERO for card in self.cards)

    @cached_property
    def steps(self) -> tuple[ScoreStep, ...]:
        """The steps in their order; the first is the sum of the additions, even with none.

        Steps that change nothing because no card asks for them are left out.

        >>> from raisesum.engine.cards import parse_cards
        >>> receipt = score(parse_cards("+5 +4 x3"), Incoming((2,), (2,)))
        >>> for step in receipt.steps:
        ...     print(step.kind.value, step.value)
        add 9
        subtract 7
        multiply 21
        divide 21/2
        round down 10
        """
        additions = _numbers(self.cards, Kind.ADD)
        multiplications = _numbers(self.cards, Kind.MULTIPLY)
        value = Fraction(sum(additions))
        steps = [ScoreStep(StepKind.ADD, additions, value)]
        if self.countered:
            cancelled = self.incoming.subtractions + self.incoming.divisions
            steps.append(ScoreStep(StepKind.COUNTER, cancelled, value))
        elif self.incoming.subtractions:
            value -= self.incoming.less
            steps.append(ScoreStep(StepKind.SUBTRACT, self.incoming.subtractions, value))
        if multiplications:
            value *= prod(multiplications)
            steps.append(ScoreStep(StepKind.MULTIPLY, multiplications, value))
        if self.incoming.divisions and not self.countered:
            value /= self.incoming.divisor
            steps.append(ScoreStep(StepKind.DIVIDE, self.incoming.divisions, value))
        if value < 0:
            steps.append(ScoreStep(StepKind.NOT_BELOW_ZERO, (), Fraction(0)))
        elif value.denominator != 1:
            steps.append(ScoreStep(StepKind.ROUND_DOWN, (), Fraction(self.score)))
        return tuple(steps)


def score(cards: Iterable[Card], incoming: Incoming = NO_INCOMING) -> Receipt:
    """Return the receipt of playing `cards` against `incoming`.

    Any number of cards has a score; how many may be played is `legality`'s affair.

    >>> from raisesum.engine.cards import parse_cards
    >>> score(parse_cards("+5 +4 x3 0"), Incoming((2,), (2,))).score
    27
    """
    cards = tuple(cards)
    total, factor, zero = 0, 1, False
    for card in cards:
        if card.kind is Kind.ADD:
            total += card.number
        elif card.kind is Kind.MULTIPLY:
            factor *= card.number
        elif card.kind is Kind.ZERO:
            zero = True
    return Receipt(cards, incoming, score_of(total, factor, zero, incoming.less, incoming.divisor))


def score_of(total: int, factor: int, zero: bool, less: int, divisor: int) -> int:
    """Return the score from a play's sums: the formula at the head of this module.

    For code that walks many plays and keeps the sums as it goes; everyone else calls `score`.

    >>> score_of(9, 3, False, 2, 2)
    10
    """
    # `//` rounds down exactly on integers; a negative value becomes 0 either way.
    value = total * factor if zero else (total - less) * factor // divisor
    return value if value > 0 else 0


def _numbers(cards: Iterable[Card], kind: Kind) -> tuple[int, ...]:
    return tuple(card.number for card in cards if card.kind is kind)
