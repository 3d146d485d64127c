"""Sheets to print: nine cards each, with marks that say where to cut.

Lengths are in millimetres from the upper left corner of the paper.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from raisesum.services.decks import NamedDeck
from raisesum.web.presenters.cards import Face, face

#: The size of a card, and how many lie side by side and one below the other.
CARD_WIDTH, CARD_HEIGHT = 63.0, 88.0
ACROSS, DOWN = 3, 3
POINT_CARDS: Final = 9

#: How long a cutting mark is, and how far it stays away from the cards.
MARK, GAP = 5.0, 1.0


@dataclass(frozen=True, slots=True)
class Paper:
    """A size of paper."""

    name: str
    title: str
    width: float
    height: float

    @property
    def left(self) -> float:
        """Where the cards begin."""
        return (self.width - ACROSS * CARD_WIDTH) / 2

    @property
    def top(self) -> float:
        """Where the cards begin."""
        return (self.height - DOWN * CARD_HEIGHT) / 2


PAPERS: Final = {
    paper.name: paper
    for paper in (Paper("a4", "A4", 210.0, 297.0), Paper("letter", "Letter", 215.9, 279.4))
}
INKS: Final = {"colour": "In colour", "outline": "Outlines only, to save ink"}


@dataclass(frozen=True, slots=True)
class Line:
    """A mark, from one point to another."""

    x1: float
    y1: float
    x2: float
    y2: float


#: A point card; nine are the most that a match of four to three points can need.
POINT: Final = Face(
    name="point", kind="point", sign="", number="1", label="1", word="point", spoken="1 point"
)


@dataclass(frozen=True, slots=True)
class Sheets:
    """All that is printed.

    Attributes:
        paper: what on.
        ink: colour or outline.
        sheets: the cards of each sheet; None stands for the rules card.
        marks: where to cut, the same on every sheet.
        cards: how many cards there are, the point cards and the rules card included.
    """

    paper: Paper
    ink: str
    sheets: tuple[tuple[Face | None, ...], ...]
    marks: tuple[Line, ...]
    cards: int


def present_sheets(named: NamedDeck, paper: str, ink: str) -> Sheets:
    """Return the sheets of a deck, its point cards and the rules card."""
    cards = [*map(face, named.deck.cards), *(POINT,) * POINT_CARDS, None]
    return Sheets(
        paper=PAPERS[paper],
        ink=ink,
        sheets=tuple(_nines(cards)),
        marks=tuple(_marks(PAPERS[paper])),
        cards=len(cards),
    )


def _nines(cards: list[Face | None]) -> Iterator[tuple[Face | None, ...]]:
    for start in range(0, len(cards), ACROSS * DOWN):
        yield tuple(cards[start : start + ACROSS * DOWN])


def _marks(paper: Paper) -> Iterator[Line]:
    right, bottom = paper.width - paper.left, paper.height - paper.top
    for column in range(ACROSS + 1):
        x = paper.left + column * CARD_WIDTH
        yield Line(x, paper.top - GAP - MARK, x, paper.top - GAP)
        yield Line(x, bottom + GAP, x, bottom + GAP + MARK)
    for row in range(DOWN + 1):
        y = paper.top + row * CARD_HEIGHT
        yield Line(paper.left - GAP - MARK, y, paper.left - GAP, y)
        yield Line(right + GAP, y, right + GAP + MARK, y)
