"""Decks to choose from: the three official ones as a ladder, and decks of somebody's own.

A deck of one's own is nothing but its counts and a name.  Both travel in addresses, so that a
link is all it takes to hand a deck to a class; nothing about it is stored until a table uses it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from raisesum import wording
from raisesum.engine import OFFICIAL_DECKS, Card, Deck, Kind, custom_deck, parse_cards, parse_deck
from raisesum.engine.cards import ALL_CARDS
from raisesum.engine.decks import FEWEST_PER_PLAYER
from raisesum.engine.decks import MOST_CARDS as MOST_CARDS
from raisesum.engine.state import PLAYERS
from raisesum.services import names
from raisesum.services.refusals import RefusedError

UNNAMED: Final = "A deck of your own"

#: No deck in writing is longer: every face there is, each with a count of three digits.
LONGEST_TEXT: Final = len("custom") + len(ALL_CARDS) * len(" +20*300")


@dataclass(frozen=True)
class Rung:
    """An official deck, and what it adds to the one before it."""

    deck: Deck
    title: str
    adds: str
    new_kinds: tuple[Kind, ...]

    @property
    def new_cards(self) -> tuple[Card, ...]:
        """One card of each new kind, to be shown."""
        return tuple(
            next(card for card, _ in self.deck.counts if card.kind is kind)
            for kind in self.new_kinds
        )


LADDER: Final = (
    Rung(
        OFFICIAL_DECKS["addition"],
        "Addition",
        "Blue cards only. Add them up and beat the target: good for a first match.",
        (Kind.ADD,),
    ),
    Rung(
        OFFICIAL_DECKS["subtraction"],
        "Addition and subtraction",
        "Red cards take away from the next player’s score. A black zero counters them.",
        (Kind.SUBTRACT, Kind.ZERO),
    ),
    Rung(
        OFFICIAL_DECKS["full"],
        "All operations",
        "Green cards multiply your score, yellow ones divide the next player’s.",
        (Kind.MULTIPLY, Kind.DIVIDE),
    ),
)


@dataclass(frozen=True)
class NamedDeck:
    """A deck with a name that people know it by."""

    name: str
    deck: Deck

    @property
    def most_players(self) -> int:
        """For how many players it has enough cards; at least two."""
        return max(n for n in PLAYERS if self.deck.size >= FEWEST_PER_PLAYER * n)


def _counted(*suits: tuple[str, int]) -> Deck:
    return custom_deck({card: copies for cards, copies in suits for card in parse_cards(cards)})


#: To start from when one makes a deck.
PRESETS: Final = (
    NamedDeck("Sums up to ten", _counted(("+1 +2 +3 +4 +5", 8))),
    NamedDeck(
        "Number bonds",
        _counted(("+1 +2 +3 +4 +5 +6 +7 +8 +9", 4), ("-1 -2 -3 -4 -5", 3), ("0", 4)),
    ),
    NamedDeck(
        "Doubles and halves",
        _counted(("+2 +4 +6 +8 +10", 6), ("+1 +3 +5", 4), ("x2", 8), ("/2", 8), ("0", 4)),
    ),
    NamedDeck(
        "Times tables",
        _counted(("+2 +3 +4 +5 +6 +7 +8 +9", 5), ("x2 x3 x4 x5 x6 x7 x8 x9", 2), ("-5 -10", 3)),
    ),
    NamedDeck(
        "Big numbers",
        _counted(
            ("+8 +9 +10 +11 +12 +13 +14 +15 +16 +17 +18 +19 +20", 4),
            ("-10 -15 -20", 4),
            ("x2 x3 /2 /3 0", 4),
        ),
    ),
)


def read_deck(text: str, name: str = "") -> NamedDeck:
    """Return the deck that `text` writes as records do, with its name.

    An official deck keeps its own title whatever `name` says.

    Raises:
        RefusedError: it is no deck, it breaks a limit (field `deck`), or the name will not do
            (field `name`).
    """
    try:
        deck = parse_deck(text[: LONGEST_TEXT + 1])
        deck.check_players(PLAYERS[0])
    except ValueError as error:
        raise RefusedError(as_sentence(error), "deck") from None
    for rung in LADDER:
        if rung.deck.name == deck.name:
            return NamedDeck(rung.title, deck)
    return NamedDeck(read_name(name), deck)


def make_deck(counts: Mapping[Card, int], name: str = "") -> NamedDeck:
    """Return a deck of so many copies of each card; a count of 0 leaves a card out.

    Raises:
        RefusedError: as `read_deck`.
    """
    try:
        deck = custom_deck({card: copies for card, copies in sorted(counts.items()) if copies})
        deck.check_players(PLAYERS[0])
    except ValueError as error:
        raise RefusedError(as_sentence(error), "deck") from None
    return NamedDeck(read_name(name), deck)


def read_name(text: str) -> str:
    """Return `text` as the name of a deck; an empty one stands for none.

    Raises:
        RefusedError: it will not do, for the reasons for which a person's would not (field `name`).
    """
    if not text.strip():
        return UNNAMED
    try:
        return names.shown_name(text)
    except RefusedError as refusal:
        raise RefusedError(refusal.sentence, "name") from None


def counts_by_kind(cards: Mapping[Card, int]) -> Mapping[Kind, int]:
    """Return how many cards of each kind there are among these counts."""
    found: Counter[Kind] = Counter()
    for card, copies in cards.items():
        found[card.kind] += copies
    return found


def as_sentence(error: ValueError) -> str:
    """Return what the engine says of a deck as a sentence for whoever made it."""
    text = str(error)
    return wording.ended(text[0].upper() + text[1:])
