"""Looking back, as pages print it: passes that were not forced, round by round."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby

from raisesum.services.review import MissedPlay, Review
from raisesum.web.presenters.cards import Face, faces
from raisesum.web.presenters.table import Sum, present_sum


@dataclass(frozen=True, slots=True)
class MissedLine:
    """A pass that was not forced.

    Attributes:
        number: of the action, to be looked up in a replay.
        name: who passed; empty for the viewer.
        target: what would have had to be beaten; None for an opening turn.
        cards: the cheapest play there was.
        score: what it would have scored.
        sum: how.
        by_clock: whether nobody chose to pass, but time had run out.
    """

    number: int
    name: str
    target: int | None
    cards: tuple[Face, ...]
    score: int
    sum: Sum
    by_clock: bool


@dataclass(frozen=True, slots=True)
class RoundBox:
    """A round with its passes that were not forced."""

    number: int
    lines: tuple[MissedLine, ...]


@dataclass(frozen=True, slots=True)
class ReviewPage:
    """What there is to learn from a match."""

    rounds: tuple[RoundBox, ...]
    is_whole: bool

    def lines_of(self, number: int) -> tuple[MissedLine, ...]:
        """Return the passes of round `number`."""
        return next((box.lines for box in self.rounds if box.number == number), ())


def present_review(review: Review) -> ReviewPage:
    """Return the rounds that have a pass which was not forced."""
    names = {seat: name for seat, name in enumerate(review.names, 1) if seat != review.viewer}
    return ReviewPage(
        rounds=tuple(
            RoundBox(number, _lines(missed, names))
            for number, missed in groupby(review.missed, key=lambda each: each.round)
        ),
        is_whole=review.is_whole,
    )


def _lines(missed: Iterable[MissedPlay], names: Mapping[int, str]) -> tuple[MissedLine, ...]:
    return tuple(
        MissedLine(
            number=each.number,
            name=names.get(each.seat, ""),
            target=each.target,
            cards=faces(each.receipt.cards),
            score=each.receipt.score,
            sum=present_sum(each.receipt, each.target),
            by_clock=each.by_clock,
        )
        for each in missed
    )
