"""What a card is worth keeping, for bots that do not look ahead."""

from collections.abc import Iterable
from operator import attrgetter
from typing import Final

from raisesum.engine import Card, Kind, View

#: Worth by kind: a fixed part and a part for each unit of the card's number.  An addition is
#: worth its number; the rest is set against that by what it does in a usual reply.
_WORTH: Final = {
    Kind.ADD: (0, 1),
    Kind.SUBTRACT: (1, 1),
    Kind.DIVIDE: (0, 3),
    Kind.ZERO: (7, 0),
    Kind.MULTIPLY: (0, 4),
}


def worth(card: Card) -> int:
    """Return how much a hand loses without `card`, in points of addition.

    >>> from raisesum.engine import parse_cards
    >>> [worth(card) for card in parse_cards("+6 -3 /2 0 x3")]
    [6, 4, 6, 7, 12]
    """
    fixed, by_number = _WORTH[card.kind]
    return fixed + by_number * card.number


def total_worth(cards: Iterable[Card]) -> int:
    """Return the worth of all `cards` together."""
    return sum(worth(card) for card in cards)


def least_useful(view: View) -> tuple[Card, ...]:
    """Return the cards that the viewer must discard now, the least useful ones."""
    ordered = sorted(view.hand, key=attrgetter("rank"))
    return tuple(sorted(ordered, key=worth)[: view.to_discard])
