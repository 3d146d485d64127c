"""Cards: five kinds, written as in match records."""

from collections.abc import Iterable
from enum import Enum
from typing import Final


class Kind(Enum):
    """What a card does; the value is the sign that its name begins with."""

    ADD = "+"
    MULTIPLY = "x"
    SUBTRACT = "-"
    DIVIDE = "/"
    ZERO = "0"


#: The numbers that a card of each kind may carry.  Zero carries none.
NUMBERS: Final = {
    Kind.ADD: range(1, 21),
    Kind.MULTIPLY: range(2, 10),
    Kind.SUBTRACT: range(1, 21),
    Kind.DIVIDE: range(2, 10),
    Kind.ZERO: range(1),
}


class Card:
    """One face, such as +4.  There is one object for each face, so `is` and `==` agree.

    Get cards from `parse_card`, never from the class.

    Attributes:
        kind: what the card does.
        number: its number; 0 for the zero card.
        name: how it is written in records, forms and stored states, such as `x3`.
        rank: its place in the order of all faces, kind by kind and then by number.
    """

    __slots__ = ("kind", "name", "number", "rank")

    def __init__(self, kind: Kind, number: int, rank: int) -> None:
        """Make a face; only this module does."""
        self.kind = kind
        self.number = number
        self.name = "0" if kind is Kind.ZERO else f"{kind.value}{number}"
        self.rank = rank

    def __repr__(self) -> str:
        return f"<Card {self.name}>"

    def __lt__(self, other: "Card") -> bool:
        return self.rank < other.rank

    def __reduce__(self) -> tuple[object, tuple[str]]:
        # A copy or an unpickled card must be the one object of its face again.
        return parse_card, (self.name,)


ALL_CARDS: Final = tuple(
    Card(kind, number, rank)
    for rank, (kind, number) in enumerate(
        (kind, number) for kind, numbers in NUMBERS.items() for number in numbers
    )
)
_BY_NAME: Final = {card.name: card for card in ALL_CARDS}


def parse_card(name: str) -> Card:
    """Return the card that is written `name`.

    Raises:
        ValueError: no card is written so.

    >>> parse_card("x3").kind
    <Kind.MULTIPLY: 'x'>
    >>> parse_card("+21")
    Traceback (most recent call last):
        ...
    ValueError: no card is written '+21'
    """
    try:
        return _BY_NAME[name]
    except KeyError:
        raise ValueError(f"no card is written {_shortened(name)}") from None


def parse_cards(names: str) -> tuple[Card, ...]:
    """Return the cards written in `names`, each parted from the next by one space.

    >>> card_names(parse_cards("+5 x3 0"))
    '+5 x3 0'
    >>> parse_cards("")
    ()

    Raises:
        ValueError: some part of the text is not a card.
    """
    return tuple(parse_card(name) for name in names.split(" ")) if names else ()


def card_names(cards: Iterable[Card]) -> str:
    """Write `cards` in their order, parted by single spaces; `parse_cards` reads it back."""
    return " ".join(card.name for card in cards)


def _shortened(text: str) -> str:
    # What could not be read is quoted in messages; a hostile megabyte must not be.
    return repr(text if len(text) <= 20 else text[:20] + "…")
