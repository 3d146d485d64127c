"""The rules page and the rules card: kinds of cards as drawn, and sums as the scorer makes them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from raisesum import wording
from raisesum.engine.cards import Card, Kind, parse_card
from raisesum.services.examples import examples
from raisesum.web.presenters.cards import Face, face, faces
from raisesum.web.presenters.table import Sum, present_sum


@dataclass(frozen=True, slots=True)
class KindLine:
    """A kind of card and what it does, in one sentence, and shorter where space is small."""

    face: Face
    text: str
    short: str


@dataclass(frozen=True, slots=True)
class ExampleBox:
    """A worked score."""

    cards: tuple[Face, ...]
    against: tuple[Face, ...]
    words: str
    target: int | None
    sum: Sum


@dataclass(frozen=True, slots=True)
class Reference:
    """The rules card of a deck: only what can happen with its cards.

    Attributes:
        kinds: the kinds of cards that the deck has.
        steps: how a score is made, a sentence a step.
        example: a score made with cards of these kinds.
    """

    kinds: tuple[KindLine, ...]
    steps: tuple[str, ...]
    example: ExampleBox


#: The kinds in the order in which they are told.
_KINDS: Final = (Kind.ADD, Kind.MULTIPLY, Kind.SUBTRACT, Kind.DIVIDE, Kind.ZERO)
_STEPS: Final = (
    (Kind.ADD, "Add your blue cards."),
    (Kind.SUBTRACT, "Take away the red cards against you: a score below zero counts as zero."),
    (Kind.MULTIPLY, "Multiply by your green cards."),
    (Kind.DIVIDE, "Divide by the yellow cards against you, and round down."),
)
#: Examples for a rules card: the first that the deck has the cards for.
_TELLING: Final = ("order", "subtract", "multiply", "add")


@cache
def present_kinds() -> tuple[KindLine, ...]:
    """Return the five kinds of cards."""
    return tuple(
        KindLine(face(parse_card(name)), text, short)
        for name, text, short in (
            ("+4", "Blue adds its number to your score.", "Blue adds to your score."),
            ("x3", "Green multiplies your score.", "Green multiplies your score."),
            (
                "-2",
                "Red is a challenge: it lowers the next reply’s score, not yours.",
                "Red lowers the next reply’s score.",
            ),
            (
                "/2",
                "Yellow is a challenge: it divides the next reply’s score, not yours.",
                "Yellow divides the next reply’s score.",
            ),
            (
                "0",
                "Black counters the challenge: nothing works against your play.",
                "Black counters the challenge.",
            ),
        )
    )


@cache
def present_reference(deck: Iterable[Card] | None = None) -> Reference:
    """Return the rules card for a deck of these cards; without one, for all kinds."""
    held = set(Kind) if deck is None else {card.kind for card in deck}
    return Reference(
        kinds=tuple(
            line for kind, line in zip(_KINDS, present_kinds(), strict=True) if kind in held
        ),
        steps=tuple(step for kind, step in _STEPS if kind in held),
        example=next(
            present_examples()[name] for name in _TELLING if held.issuperset(_kinds_in(name))
        ),
    )


def _kinds_in(name: str) -> set[Kind]:
    example = next(each for each in examples() if each.name == name)
    return {card.kind for card in (*example.receipt.cards, *example.challenge)}


@cache
def present_examples() -> Mapping[str, ExampleBox]:
    """Return the worked scores of the rules by their names."""
    return {
        each.name: ExampleBox(
            cards=faces(each.receipt.cards),
            against=faces(each.challenge),
            words=wording.challenge(each.receipt.incoming),
            target=each.target,
            sum=present_sum(each.receipt, each.target),
        )
        for each in examples()
    }
