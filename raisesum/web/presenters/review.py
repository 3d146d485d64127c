"""Looking back, as pages print it: passes that were not forced, round by round."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby

from raisesum.services.help import Tells
from raisesum.services.review import MissedPlay, Review
from raisesum.web.presenters.cards import Face, faces
from raisesum.web.presenters.table import Sum, helped, present_sum

AFTERWARDS = "When the match is over you see everybody’s."


@dataclass(frozen=True, slots=True)
class MissedLine:
    """A pass that was not forced.

    Attributes:
        number: of the action, to be looked up in a replay.
        name: who passed; empty for the viewer.
        target: what would have had to be beaten; None for an opening turn.
        cards: the cheapest play there was; none where the table does not tell it.
        score: what it would have scored; None where that is not told.
        sum: how.
        by_clock: whether nobody chose to pass, but time had run out.
    """

    number: int
    name: str
    target: int | None
    cards: tuple[Face, ...]
    score: int | None
    sum: Sum
    by_clock: bool


@dataclass(frozen=True, slots=True)
class RoundBox:
    """A round with its passes that were not forced."""

    number: int
    lines: tuple[MissedLine, ...]


@dataclass(frozen=True, slots=True)
class ReviewPage:
    """What there is to learn from a match.

    Attributes:
        title: what it is, in a word about the viewer's own passes.
        lead: what is shown and what is not.
        empty: what to say instead where there is nothing to show.
        rounds: the rounds that have a pass which was not forced.
        is_whole: as in `Review`.
    """

    title: str
    lead: str
    empty: str
    rounds: tuple[RoundBox, ...]
    is_whole: bool

    def lines_of(self, number: int) -> tuple[MissedLine, ...]:
        """Return the passes of round `number`."""
        return next((box.lines for box in self.rounds if box.number == number), ())


def present_review(review: Review) -> ReviewPage:
    """Return the rounds that have a pass which was not forced."""
    names = {seat: name for seat, name in enumerate(review.names, 1) if seat != review.viewer}
    return ReviewPage(
        title=_title(review),
        lead=_lead(review),
        empty=_empty(review),
        rounds=tuple(
            RoundBox(number, _lines(missed, names, review.tells))
            for number, missed in groupby(review.missed, key=lambda each: each.round)
        ),
        is_whole=review.is_whole,
    )


def _title(review: Review) -> str:
    if review.own:
        return "You could have stayed in"
    if review.missed:
        return "Passes that were not forced"
    return "Looking back"


def _lead(review: Review) -> str:
    if not review.missed:
        return ""
    if review.is_whole:
        return (
            "These passes were not forced by the cards: the hand held a play that would have "
            "done. The cheapest one is shown."
        )
    passes = "Your own passes in the rounds so far that the cards did not force"
    if not review.tells.plays:
        return f"{passes}. When the match is over you see the plays, and everybody’s passes."
    return f"{passes}, each with the cheapest play you had. {AFTERWARDS}"


def _empty(review: Review) -> str:
    if review.is_whole:
        return "Nobody passed without need: no hand that passed held a play that would have done."
    if not review.tells.past_passes:
        return (
            "While the match goes on, this table does not say what your cards could do. "
            "Look back when it is over."
        )
    return "So far you have not passed without need."


def _lines(
    missed: Iterable[MissedPlay], names: Mapping[int, str], tells: Tells
) -> tuple[MissedLine, ...]:
    return tuple(
        MissedLine(
            number=each.number,
            name=each.by or names.get(each.seat, ""),
            target=each.target,
            cards=faces(each.receipt.cards) if tells.plays else (),
            score=each.receipt.score if tells.plays and tells.score else None,
            sum=helped(present_sum(each.receipt, each.target), tells) if tells.plays else Sum(),
            by_clock=each.by_clock,
        )
        for each in missed
    )
