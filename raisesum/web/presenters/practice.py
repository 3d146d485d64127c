"""Sums to practise as pages print them: a question, its answer, and one's record as a plot."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from raisesum import wording
from raisesum.engine.scoring import StepKind
from raisesum.services.decks import LADDER
from raisesum.services.practice import IN_A_SET, Question, Questions, Record, Tally
from raisesum.web.presenters.cards import Face, faces
from raisesum.web.presenters.table import Sum, present_sum

_TITLES: Final = {rung.deck.name: rung.title for rung in LADDER}
_KINDS: Final = {
    StepKind.ADD: "Adding up",
    StepKind.COUNTER: "A zero that cancels",
    StepKind.SUBTRACT: "Taking away",
    StepKind.MULTIPLY: "Multiplying",
    StepKind.DIVIDE: "Dividing",
    StepKind.ROUND_DOWN: "Rounding down",
    StepKind.NOT_BELOW_ZERO: "Below zero",
}

#: How many of the latest sets the plot shows.
MOST_PLOTTED: Final = 20

#: The plot, in units of its own: the corners of the axes, and its whole size.
WIDTH, HEIGHT = 640, 240
LEFT, RIGHT, TOP, BOTTOM = 40, 620, 16, 204


@dataclass(frozen=True, slots=True)
class QuestionBox:
    """A question; `sum` tells the answer and is there once it has been answered."""

    place: int
    level: int
    cards: tuple[Face, ...]
    against: tuple[Face, ...]
    is_right: bool
    verdict: str
    sum: Sum | None


@dataclass(frozen=True, slots=True)
class SetBox:
    """A set, as far as it has been asked.

    `marks` has a place for each of the ten: right, wrong, or nothing yet.
    """

    number: int
    deck: str
    deck_name: str
    marks: tuple[str, ...]
    waiting: QuestionBox | None
    answered: tuple[QuestionBox, ...]
    right: int
    is_finished: bool


@dataclass(frozen=True, slots=True)
class Point:
    """A set in the plot: where it is, and what its row of the table says."""

    x: float
    y: float
    number: int
    day: str
    iso: str
    deck: str
    right: int


@dataclass(frozen=True, slots=True)
class Tick:
    """A number beside the plot, and how high its line is."""

    y: float
    label: str


@dataclass(frozen=True, slots=True)
class Plot:
    """Right answers in each of the latest sets, drawn and told."""

    points: tuple[Point, ...]
    line: str
    ticks: tuple[Tick, ...]
    text: str


@dataclass(frozen=True, slots=True)
class TallyRow:
    """How often a kind of step was got wrong."""

    title: str
    asked: int
    missed: int


@dataclass(frozen=True, slots=True)
class RecordBox:
    """What somebody has practised; `plot` is there once a set is finished."""

    streak: int
    best_streak: int
    tallies: tuple[TallyRow, ...]
    plot: Plot | None
    open: SetBox | None


def present_set(questions: Questions) -> SetBox:
    """Return a set as its page shows it."""
    answered = tuple(
        _question(place, question) for place, question in enumerate(questions.answered, 1)
    )
    marks = ["right" if question.is_right else "wrong" for question in questions.answered]
    waiting = questions.waiting
    return SetBox(
        number=questions.number,
        deck=questions.deck,
        deck_name=_TITLES[questions.deck],
        marks=tuple(marks + [""] * (IN_A_SET - len(marks))),
        waiting=None if waiting is None else _question(len(questions.asked), waiting),
        answered=answered,
        right=questions.right,
        is_finished=questions.is_finished,
    )


def present_record(record: Record) -> RecordBox:
    """Return somebody's record with its plot."""
    return RecordBox(
        streak=record.streak,
        best_streak=record.best_streak,
        tallies=tuple(map(_tally, record.tallies)),
        plot=_plot(record.sets[-MOST_PLOTTED:]) if record.sets else None,
        open=None if record.open is None else present_set(record.open),
    )


def _question(place: int, question: Question) -> QuestionBox:
    receipt = question.receipt
    verdict = ""
    if question.answer is not None:
        verdict = (
            f"Right, it is {receipt.score}."
            if question.is_right
            else f"You said {question.answer}. It is {receipt.score}."
        )
    return QuestionBox(
        place=place,
        level=question.level,
        cards=faces(question.cards),
        against=faces(question.against),
        is_right=question.is_right,
        verdict=verdict,
        sum=None if question.answer is None else Sum(chips=present_sum(receipt, None).chips),
    )


def _tally(tally: Tally) -> TallyRow:
    return TallyRow(_KINDS[tally.kind], tally.asked, tally.missed)


def _plot(sets: Iterable[Questions]) -> Plot:
    sets = tuple(sets)
    step = (RIGHT - LEFT) / max(len(sets) - 1, 1)
    points = tuple(_point(each, LEFT + place * step) for place, each in enumerate(sets))
    told = wording.listed([str(point.right) for point in points])
    sets_told = "your set" if len(points) == 1 else f"your last {len(points)} sets"
    return Plot(
        points=points,
        line=" ".join(f"{point.x:.1f},{point.y:.1f}" for point in points),
        ticks=tuple(Tick(_height(right), str(right)) for right in (0, 5, 10)),
        text=f"Right answers out of {IN_A_SET} in {sets_told}, the oldest first: {told}.",
    )


def _point(questions: Questions, x: float) -> Point:
    day = datetime.fromtimestamp(questions.at_ms / 1000, UTC)
    return Point(
        x=x,
        y=_height(questions.right),
        number=questions.number,
        day=f"{day.day} {day:%B %Y}",
        iso=f"{day:%Y-%m-%d}",
        deck=_TITLES[questions.deck],
        right=questions.right,
    )


def _height(right: int) -> float:
    return BOTTOM - (BOTTOM - TOP) * right / IN_A_SET
