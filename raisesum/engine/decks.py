"""Decks: which faces are in play, and how many of each."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from raisesum.engine.cards import Card, Kind, parse_card

#: The limits of a custom deck.
MOST_CARDS: Final = 300
FEWEST_ADDITIONS: Final = 10
FEWEST_PER_PLAYER: Final = 8


@dataclass(frozen=True)
class Deck:
    """A named set of counted faces.

    Attributes:
        name: `addition`, `subtraction`, `full` or `custom`.
        counts: each face with its number of copies, in the order in which the deck was
            written down (a record of a match gives that order back).
    """

    name: str
    counts: tuple[tuple[Card, int], ...]

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        """Every card of the deck, sorted by face: the same for every way of writing it."""
        return tuple(card for card, count in sorted(self.counts) for _ in range(count))

    @property
    def size(self) -> int:
        """How many cards there are."""
        return len(self.cards)

    @property
    def text(self) -> str:
        """The deck as records write it; `parse_deck` reads it back.

        >>> OFFICIAL_DECKS["full"].text
        'full'
        >>> custom_deck({parse_card("+1"): 30, parse_card("0"): 2}).text
        'custom +1*30 0*2'
        """
        if self.name in OFFICIAL_DECKS:
            return self.name
        return " ".join([self.name, *(f"{card.name}*{count}" for card, count in self.counts)])

    def check_players(self, players: int) -> None:
        """Raise ValueError when the deck has too few cards for so many players."""
        needed = FEWEST_PER_PLAYER * players
        if self.size < needed:
            raise ValueError(
                f"{players} players need a deck of at least {needed} cards, not of {self.size}"
            )


def custom_deck(counts: Mapping[Card, int]) -> Deck:
    """Return a deck of the table's own.

    The limit that depends on the number of players is checked where players are known,
    by `Deck.check_players`.

    Raises:
        ValueError: a count is below 1, there are more than 300 cards, or there are fewer than 10
            addition cards.
    """
    if any(count < 1 for count in counts.values()):
        raise ValueError("a card in a deck needs at least one copy")
    size = sum(counts.values())
    if size > MOST_CARDS:
        raise ValueError(f"a deck has at most {MOST_CARDS} cards, this one has {size}")
    additions = sum(count for card, count in counts.items() if card.kind is Kind.ADD)
    if additions < FEWEST_ADDITIONS:
        raise ValueError(
            f"a deck needs at least {FEWEST_ADDITIONS} addition cards, this one has {additions}"
        )
    return Deck("custom", tuple(counts.items()))


def parse_deck(text: str) -> Deck:
    """Return the deck that `text` writes as records do.

    Raises:
        ValueError: it is no deck, a card stands twice, or a limit is broken.

    >>> parse_deck("addition").size
    51
    >>> parse_deck("custom +1*10 +2*10").size
    20
    >>> parse_deck("custom +1*10 +1*10")
    Traceback (most recent call last):
        ...
    ValueError: the deck names +1 twice
    """
    if text in OFFICIAL_DECKS:
        return OFFICIAL_DECKS[text]
    word, *entries = text.split(" ")
    if word != "custom" or not entries:
        raise ValueError("a deck is addition, subtraction, full, or custom and its counts")
    counts: dict[Card, int] = {}
    for entry in entries:
        name, star, digits = entry.partition("*")
        card = parse_card(name)
        if card in counts:
            raise ValueError(f"the deck names {card.name} twice")
        if not star:
            raise ValueError(f"the deck does not say how many {card.name} there are")
        counts[card] = _parse_count(digits)
    return custom_deck(counts)


def _parse_count(digits: str) -> int:
    plain = 1 <= len(digits) <= 3 and digits.isascii() and digits.isdigit() and digits[0] != "0"
    if not plain or int(digits) > MOST_CARDS:
        raise ValueError(f"a count is a number from 1 to {MOST_CARDS} without leading zeros")
    return int(digits)


def _official(name: str, *suits: dict[str, int]) -> Deck:
    counts: Counter[Card] = Counter()
    for suit in suits:
        counts.update({parse_card(face): count for face, count in suit.items()})
    return Deck(name, tuple(counts.items()))


_BLUE: Final = {
    "+1": 6, "+2": 7, "+3": 8, "+4": 8, "+5": 7, "+6": 6, "+7": 4, "+8": 3, "+9": 2,
}  # fmt: skip
_RED: Final = {"-1": 3, "-2": 5, "-3": 4, "-4": 3, "-5": 2}
_BLACK: Final = {"0": 8}
_GREEN: Final = {"x2": 7, "x3": 4}
_YELLOW: Final = {"/2": 7, "/3": 4}

#: The decks that have names.  The rulebook gives the kinds; these counts are the project's.
OFFICIAL_DECKS: Final[Mapping[str, Deck]] = {
    "addition": _official("addition", _BLUE),
    "subtraction": _official("subtraction", _BLUE, _RED, _BLACK),
    "full": _official("full", _BLUE, _RED, _BLACK, _GREEN, _YELLOW),
}
