"""Decks as pages print them."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from raisesum import wording
from raisesum.engine.cards import ALL_CARDS, Card, Kind
from raisesum.services.decks import LADDER, MOST_CARDS, PRESETS, NamedDeck, counts_by_kind
from raisesum.web.presenters.cards import Face, Heap, face, faces

_PLAYERS: Final = {2: "two players", 3: "two or three players", 4: "two to four players"}

#: What the form calls the cards of each kind; numbers above are folded away.
_GROUPS: Final = (
    (Kind.ADD, "Blue: add", 9),
    (Kind.SUBTRACT, "Red: take away from the next player", 5),
    (Kind.ZERO, "Black: stop a challenge", 0),
    (Kind.MULTIPLY, "Green: multiply", 9),
    (Kind.DIVIDE, "Yellow: divide the next player’s score", 9),
)


@dataclass(frozen=True, slots=True)
class RungBox:
    """An official deck on the ladder."""

    name: str
    title: str
    adds: str
    size: int
    cards: tuple[Face, ...]


@dataclass(frozen=True, slots=True)
class DeckBox:
    """A deck with what is in it.

    `text` and `name` are what links carry; `kinds` says in words how many there are of each.
    """

    text: str
    name: str
    size: int
    kinds: str
    players: str
    heaps: tuple[Heap, ...]
    most_players: int


@dataclass(frozen=True, slots=True)
class CountField:
    """A face and how many copies of it the form has, as typed."""

    id: str
    face: Face
    value: str


@dataclass(frozen=True, slots=True)
class CountGroup:
    """The fields of a kind: the usual numbers, and the others, which are folded away."""

    title: str
    fields: tuple[CountField, ...]
    more: tuple[CountField, ...]

    @property
    def is_open(self) -> bool:
        """Whether one of the others is in the deck."""
        return any(field.value not in ("", "0") for field in self.more)


@cache
def present_ladder() -> tuple[RungBox, ...]:
    """Return the official decks, each with the kinds of cards that it adds."""
    return tuple(
        RungBox(rung.deck.name, rung.title, rung.adds, rung.deck.size, faces(rung.new_cards))
        for rung in LADDER
    )


@cache
def present_presets() -> tuple[DeckBox, ...]:
    """Return the decks to start from."""
    return tuple(map(present_deck, PRESETS))


def present_deck(named: NamedDeck) -> DeckBox:
    """Return a deck with what is in it."""
    counts = dict(named.deck.counts)
    return DeckBox(
        text=named.deck.text,
        name=named.name,
        size=named.deck.size,
        kinds=kinds_in_words(counts),
        players=_PLAYERS[named.most_players],
        heaps=tuple(Heap(face(card), copies) for card, copies in sorted(counts.items())),
        most_players=named.most_players,
    )


def kinds_in_words(counts: Mapping[Card, int]) -> str:
    """Return how many cards of each kind these counts have.

    >>> from raisesum.engine.cards import parse_card
    >>> kinds_in_words({parse_card("+1"): 30, parse_card("0"): 2})
    '30 add, 2 counter'
    """
    found = counts_by_kind(counts)
    told = {"add": found[Kind.ADD], "multiply": found[Kind.MULTIPLY]}
    told["challenge"] = found[Kind.SUBTRACT] + found[Kind.DIVIDE]
    told["counter"] = found[Kind.ZERO]
    return ", ".join(f"{many} {word}" for word, many in told.items() if many)


def present_counts(values: Mapping[str, str]) -> tuple[CountGroup, ...]:
    """Return the form's fields, filled with `values` by the names of the cards."""
    return tuple(_group(kind, title, usual, values) for kind, title, usual in _GROUPS)


def sum_in_words(counts: Mapping[Card, int]) -> str:
    """Return how large a deck of these counts is, in a sentence.

    >>> from raisesum.engine.cards import parse_card
    >>> sum_in_words({parse_card("+1"): 30, parse_card("0"): 2})
    '32 cards of at most 300: 30 add, 2 counter.'
    """
    total = sum(counts.values())
    kinds = kinds_in_words(counts)
    size = f"{wording.count(total, 'card')} of at most {MOST_CARDS}"
    return f"{size}: {kinds}." if kinds else f"{size}."


def _group(kind: Kind, title: str, usual: int, values: Mapping[str, str]) -> CountGroup:
    fields = tuple(_field(card, values) for card in ALL_CARDS if card.kind is kind)
    usual_ones = tuple(field for field in fields if int(field.face.number) <= usual)
    return CountGroup(title, usual_ones, fields[len(usual_ones) :])


def _field(card: Card, values: Mapping[str, str]) -> CountField:
    shown = face(card)
    return CountField(f"count-{shown.kind}-{shown.number}", shown, values.get(card.name, ""))
