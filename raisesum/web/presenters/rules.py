"""The rules page and the rules card: kinds of cards as drawn, and sums as the scorer makes them."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from raisesum import wording
from raisesum.engine.cards import parse_card
from raisesum.services.examples import examples
from raisesum.web.presenters.cards import Face, face, faces
from raisesum.web.presenters.table import Sum, present_sum


@dataclass(frozen=True, slots=True)
class KindLine:
    """A kind of card and what it does, in one sentence."""

    face: Face
    text: str


@dataclass(frozen=True, slots=True)
class ExampleBox:
    """A worked sum."""

    cards: tuple[Face, ...]
    against: tuple[Face, ...]
    words: str
    target: int | None
    sum: Sum


@cache
def present_kinds() -> tuple[KindLine, ...]:
    """Return the five kinds of cards."""
    return tuple(
        KindLine(face(parse_card(name)), text)
        for name, text in (
            ("+4", "Blue adds its number to your sum."),
            ("x3", "Green multiplies your sum."),
            ("-2", "Red takes away from the next player’s sum, not from yours."),
            ("/2", "Yellow divides the next player’s sum, not yours."),
            ("0", "Black cancels every challenge against this play."),
        )
    )


@cache
def present_examples() -> Mapping[str, ExampleBox]:
    """Return the worked sums of the rules page by their names."""
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
