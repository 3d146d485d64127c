"""Cards as pages draw them, and a hand in the order that its owner chose."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from raisesum import wording
from raisesum.engine.cards import Card, Kind

_SLUGS: Final = {
    Kind.ADD: "add",
    Kind.MULTIPLY: "multiply",
    Kind.SUBTRACT: "subtract",
    Kind.DIVIDE: "divide",
    Kind.ZERO: "zero",
}


@dataclass(frozen=True, slots=True)
class Face:
    """A card as it is drawn.

    Attributes:
        name: how forms and records write it, such as `x3`.
        kind: add, multiply, subtract, divide or zero: names its look.
        sign: the operator as shown; empty for zero.
        number: its number as shown.
        label: sign and number together.
        word: the plain word for what it does.
        spoken: sign, number and word as they are read aloud.
    """

    name: str
    kind: str
    sign: str
    number: str
    label: str
    word: str
    spoken: str

    @property
    def is_wide(self) -> bool:
        """Whether the number has two digits and must be drawn smaller."""
        return len(self.number) > 1


@dataclass(frozen=True, slots=True)
class HandCard:
    """A card of the viewer's own hand.

    Attributes:
        id: names this card in the page; the same for as long as it stays in the hand.
        face: the card.
        is_new: drawn at the start of this turn.
        is_ticked: to be shown ticked from the start.
    """

    id: str
    face: Face
    is_new: bool
    is_ticked: bool


@dataclass(frozen=True, slots=True)
class Heap:
    """So many cards of one face."""

    face: Face
    copies: int


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a sentence; `kind` is text, name, figure or cards."""

    kind: str
    text: str
    faces: tuple[Face, ...] = ()


def face(card: Card) -> Face:
    """Return how `card` is drawn.

    >>> from raisesum.engine.cards import parse_card
    >>> face(parse_card("x3")).label
    '×3'
    """
    return Face(
        name=card.name,
        kind=_SLUGS[card.kind],
        sign=wording.card_sign(card),
        number=str(card.number),
        label=wording.card_label(card),
        word=wording.card_word(card),
        spoken=wording.card_spoken(card),
    )


def faces(cards: Iterable[Card]) -> tuple[Face, ...]:
    """Return how `cards` are drawn, in their order."""
    return tuple(map(face, cards))


def pieces(sentence: wording.Sentence) -> tuple[Piece, ...]:
    """Return `sentence` in pieces that a page can draw.

    >>> from raisesum.engine.cards import parse_cards
    >>> told = wording.Sentence(("You opened with ", wording.Cards(parse_cards("+1"))))
    >>> [(piece.kind, piece.text) for piece in pieces(told)]
    [('text', 'You opened with '), ('cards', '+1')]
    """
    return tuple(map(_piece, sentence.parts))


def _piece(part: wording.Part) -> Piece:
    match part:
        case wording.Cards():
            return Piece("cards", str(part), faces(part.cards))
        case wording.Who():
            whole = wording.ISOLATED.fullmatch(part.name)
            return Piece("name", whole[1] if whole else part.name)
        case wording.Figure():
            return Piece("figure", str(part))
        case str():
            return Piece("text", part)


def heaps(cards: Iterable[Card]) -> tuple[Heap, ...]:
    """Return `cards` counted by face, kind by kind."""
    return tuple(Heap(face(card), copies) for card, copies in sorted(Counter(cards).items()))


def hand_cards(
    hand: Sequence[Card], drawn: Iterable[Card], order: str, ticked: Iterable[str] = ()
) -> tuple[HandCard, ...]:
    """Return the cards of `hand` as the page shows them.

    Args:
        hand: the cards, oldest first.
        drawn: those of them that came at the start of this turn.
        order: drawn (as it is), kind or value.
        ticked: the names of cards to show ticked, a name for each card.

    >>> from raisesum.engine.cards import parse_cards
    >>> cards = hand_cards(parse_cards("x2 +5 +1 +5"), parse_cards("+5"), "kind")
    >>> [(card.id, card.is_new) for card in cards]
    [('add1-1', False), ('add5-1', False), ('add5-2', True), ('multiply2-1', False)]
    """
    new = _newest(hand, drawn)
    wanted = Counter(ticked)
    seen: Counter[Card] = Counter()
    shown = []
    for place, card in enumerate(hand):
        seen[card] += 1
        drawn_as = face(card)
        shown.append(
            HandCard(
                id=f"{drawn_as.kind}{drawn_as.number}-{seen[card]}",
                face=drawn_as,
                is_new=place in new,
                is_ticked=seen[card] <= wanted[card.name],
            )
        )
    if order == "kind":
        return tuple(card for _, card in sorted(zip(hand, shown, strict=True), key=_by_kind))
    if order == "value":
        return tuple(card for _, card in sorted(zip(hand, shown, strict=True), key=_by_value))
    return tuple(shown)


def _by_kind(pair: tuple[Card, HandCard]) -> int:
    return pair[0].rank


def _by_value(pair: tuple[Card, HandCard]) -> tuple[int, int]:
    return pair[0].number, pair[0].rank


def _newest(hand: Sequence[Card], drawn: Iterable[Card]) -> set[int]:
    # Cards come into a hand at its end, so the last copies of a face are the new ones.
    left = Counter(drawn)
    places = set()
    for place in range(len(hand) - 1, -1, -1):
        if left[hand[place]]:
            left[hand[place]] -= 1
            places.add(place)
    return places
