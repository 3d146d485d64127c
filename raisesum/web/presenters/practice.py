"""Sums to practise as pages print them: a question, its answer, and one's record as a plot."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from raisesum import wording
from raisesum.engine.scoring import StepKind
from raisesum.services.decks import LADDER
from raisesum.services.practice import IN_A_SET, LEVELS, Question, Questions, Record, Tally
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
    level: str
    cards: tuple[Face, ...]
    against: tuple[Face, ...]
    is_right: bool
    verdict: str
    sum: Sum | None


@dataclass(frozen=True, slots=True)
class SetBox:
    """A set, as far as it has been asked.

    Attributes:
        number: names it in addresses.
        deck: what the cards are from, as forms write it.
        deck_name: the same for people.
        marks: a place for each question: right, wrong, or nothing yet.
        waiting: the question that waits for an answer.
        asked: which question that is, in words.
        answered: the questions that have been answered.
        result: how many answers are right, once all are given.
        summary: what that comes to, in a sentence or two.
        next_ten: how hard the next ten begin, in a sentence, where that is settled.
        can_repeat: whether some wrong answers can be tried again.
        repeat: what to call that.
    """

    number: int
    deck: str
    deck_name: str
    marks: tuple[str, ...]
    waiting: QuestionBox | None
    asked: str
    answered: tuple[QuestionBox, ...]
    result: str
    summary: str
    next_ten: str
    can_repeat: bool
    repeat: str


@dataclass(frozen=True, slots=True)
class SetPage:
    """A set, and the answer that has just been given.

    Attributes:
        set: the set.
        told: the question whose answer is shown, if one is.
        title: the page's title: what was said of the answer, and what comes now.
        announcement: the same for those who do not see the page, with the cards to score.
    """

    set: SetBox
    told: QuestionBox | None
    title: str
    announcement: str


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
class OpenSet:
    """Ten questions that are not finished: their deck, and which question is next."""

    deck: str
    place: int


@dataclass(frozen=True, slots=True)
class RecordBox:
    """What somebody has practised; `plot` is there once a set is finished."""

    streak: int
    best_streak: int
    tallies: tuple[TallyRow, ...]
    plot: Plot | None
    open: OpenSet | None


def present_page(questions: Questions, told: int | None, next_level: int | None) -> SetPage:
    """Return a set as its page shows it.

    Args:
        questions: the set.
        told: the question whose answer is shown.
        next_level: how hard the next ten begin; None where that is not settled.
    """
    box = present_set(questions, next_level)
    shown = next((each for each in box.answered if each.place == told), None)
    verdict = [] if shown is None else [shown.verdict]
    now = box.asked or f"{box.result} right"
    spoken = now
    if questions.waiting is not None:
        cards = wording.card_labels(questions.waiting.cards)
        against = wording.card_labels(questions.waiting.against)
        spoken = f"{now}: {cards}" + (f" against {against}" if against else "")
    return SetPage(box, shown, " ".join([*verdict, now]), wording.spoken([*verdict, spoken]))


def present_set(questions: Questions, next_level: int | None = None) -> SetBox:
    """Return a set; for `next_level` see `present_page`."""
    answered = tuple(
        _question(place, question) for place, question in enumerate(questions.answered, 1)
    )
    marks = ["right" if question.is_right else "wrong" for question in questions.answered]
    waiting = questions.waiting
    place = len(answered) + 1
    size = _in_words(questions.size)
    return SetBox(
        number=questions.number,
        deck=questions.deck,
        deck_name=_TITLES[questions.deck],
        marks=tuple(marks + [""] * (questions.size - len(marks))),
        waiting=None if waiting is None else _question(place, waiting),
        asked="" if waiting is None else f"Question {place} of {size}",
        answered=answered,
        result=f"{questions.right} of {size}" if questions.is_finished else "",
        summary=_summary(questions) if questions.is_finished else "",
        next_ten=""
        if next_level is None
        else f"The next ten begin at level {next_level} of {LEVELS[-1]}.",
        can_repeat=questions.is_finished and bool(questions.wrong),
        repeat="Again the wrong one" if len(questions.wrong) == 1 else "Again the wrong ones",
    )


def _in_words(size: int) -> str:
    return "ten" if size == IN_A_SET else str(size)


def _summary(questions: Questions) -> str:
    wrong = len(questions.wrong)
    if questions.repeats is not None:
        note = "These did not count for your record."
        return f"{'Now all of them are right' if not wrong else 'Try once more'}. {note}"
    if not wrong:
        return "All ten are right."
    if 2 * wrong < questions.size:
        others = "the other one" if wrong == 1 else "the others"
        return f"Most of them are right. Look at {others} once more."
    return "Look at each of them once more."


def present_record(record: Record) -> RecordBox:
    """Return somebody's record with its plot."""
    return RecordBox(
        streak=record.streak,
        best_streak=record.best_streak,
        tallies=tuple(map(_tally, record.tallies)),
        plot=_plot(record.sets[-MOST_PLOTTED:]) if record.sets else None,
        open=None
        if record.open is None
        else OpenSet(record.open.deck, len(record.open.answered) + 1),
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
        level=f"level {question.level} of {LEVELS[-1]}",
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
