"""What a card is worth keeping, for bots that go by fixed rules."""

from collections.abc import Iterable
from typing import Final

from raisesum.engine import Card, Kind, View
from raisesum.engine.cards import ALL_CARDS

#: Worth by kind: a fixed part and a part for each unit of the card's number.  An addition is
#: worth its number; the rest is set against that by what it does in a usual reply.
_WORTH: Final = {
    Kind.ADD: (0, 1),
    Kind.SUBTRACT: (1, 1),
    Kind.DIVIDE: (0, 3),
    Kind.ZERO: (7, 0),
    Kind.MULTIPLY: (0, 4),
}

#: Worked out once: it is asked for all the time.
_WORTH_OF: Final = {
    card: fixed + by_number * card.number
    for card in ALL_CARDS
    for fixed, by_number in (_WORTH[card.kind],)
}

#: The place of each face when all are in the order of their worth, equal ones in that of ranks.
PLACE: Final = {
    card: place
    for place, card in enumerate(sorted(ALL_CARDS, key=lambda card: (_WORTH_OF[card], card.rank)))
}


def worth(card: Card) -> int:
    """Return how much a hand loses without `card`, in points of addition.

    >>> from raisesum.engine import parse_cards
    >>> [worth(card) for card in parse_cards("+6 -3 /2 0 x3")]
    [6, 4, 6, 7, 12]
    """
    return _WORTH_OF[card]


def total_worth(cards: Iterable[Card]) -> int:
    """Return the worth of all `cards` together."""
    return sum([_WORTH_OF[card] for card in cards])


def least_useful(view: View) -> tuple[Card, ...]:
    """Return the cards that the viewer must discard now, the least useful ones."""
    return tuple(sorted(view.hand, key=PLACE.__getitem__)[: view.to_discard])
