"""How high a hand can score, whatever works against it.

For a given number of multiplications the largest cards of each kind score most, so a handful of
sums and products says all that there is to know about a hand's best score.
"""

from collections.abc import Iterable
from typing import NamedTuple

from raisesum.engine import PLAY_LIMIT, Card, Kind
from raisesum.engine.scoring import score_of

_ADD = Kind.ADD
_MULTIPLY = Kind.MULTIPLY
_ZERO = Kind.ZERO


class Reach(NamedTuple):
    """What the best plays of a hand are made of.

    Attributes:
        plain: for each number of multiplications used, the sum and the product.
        zero: the same beside a zero; empty without one.
    """

    plain: tuple[tuple[int, int], ...]
    zero: tuple[tuple[int, int], ...]

    def best(self, less: int, divisor: int) -> int:
        """Return the best score against subtractions of `less` in all and this divisor.

        >>> from raisesum.engine import parse_cards
        >>> reach_of(parse_cards("+9 +5 x3 0 -2")).best(2, 2)
        42
        """
        return max(
            [score_of(total, factor, False, less, divisor) for total, factor in self.plain]
            + [score_of(total, factor, True, less, divisor) for total, factor in self.zero]
        )


def reach_of(hand: Iterable[Card]) -> Reach:
    """Return what the best plays of `hand` are made of."""
    additions: list[int] = []
    factors: list[int] = []
    has_zero = False
    for card in hand:
        kind = card.kind
        if kind is _ADD:
            additions.append(card.number)
        elif kind is _MULTIPLY:
            factors.append(card.number)
        elif kind is _ZERO:
            has_zero = True
    additions.sort(reverse=True)
    sums = [0, 0, 0, 0, 0, 0]
    total = 0
    for count in range(1, PLAY_LIMIT + 1):
        if count <= len(additions):
            total += additions[count - 1]
        sums[count] = total
    plain = [(total, 1)]
    zero = [(sums[PLAY_LIMIT - 1], 1)] if has_zero else []
    if factors:
        factors.sort(reverse=True)
        product = 1
        for used, factor in enumerate(factors[: PLAY_LIMIT - 1], 1):
            product *= factor
            plain.append((sums[PLAY_LIMIT - used], product))
            if has_zero:
                zero.append((sums[PLAY_LIMIT - 1 - used], product))
    return Reach(tuple(plain), tuple(zero))
