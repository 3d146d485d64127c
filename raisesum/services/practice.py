"""Sums to practise: "what does this play score?", ten in a row, harder as one gets better.

A set of ten is asked question by question, and what was asked is stored when it is asked: a reload
asks the same again, and an answer is given once.  Only cards are stored, never a result; every
number comes from the scorer when it is needed.

The questions of a set that were answered wrongly can be asked again.  Such a set is stored whole
when it begins, and counts for nothing: not for the record, nor for how hard the next ten are.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from random import Random, SystemRandom
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from raisesum.engine import (
    OFFICIAL_DECKS,
    PLAY_LIMIT,
    Card,
    Deck,
    Incoming,
    Kind,
    Receipt,
    StepKind,
    card_names,
    parse_cards,
    score,
)
from raisesum.extensions import db
from raisesum.models import PracticeSet, User
from raisesum.services.clock import now_ms
from raisesum.services.errors import PersonGoneError, ServiceError
from raisesum.services.transactions import write_transaction

IN_A_SET: Final = 10
LEVELS: Final = range(1, 6)

#: How many right answers in a row make the next question harder; one wrong makes it easier.
RIGHT_FOR_HARDER: Final = 2

#: No play scores more: longer answers are not read.
HIGHEST_ANSWER: Final = 10**6

#: What somebody's record goes back to.
MOST_SETS: Final = 50

DECKS: Final = tuple(OFFICIAL_DECKS)


class NoSuchSetError(ServiceError):
    """There is no such set of questions, or it is somebody else's: both look the same."""

    def __init__(self) -> None:
        super().__init__("There are no such questions.")


class NothingWrongError(ServiceError):
    """Every answer of the set was right, so there is nothing to ask again."""

    def __init__(self) -> None:
        super().__init__("All your answers were right, so there is nothing to ask again.")


@dataclass(frozen=True)
class Question:
    """A play to be scored, and what was answered.

    Attributes:
        level: how hard it is, 1 to 5.
        cards: the play.
        against: the red and yellow cards that work against it.
        answer: what was answered; None while it has not been.
    """

    level: int
    cards: tuple[Card, ...]
    against: tuple[Card, ...]
    answer: int | None = None

    @property
    def receipt(self) -> Receipt:
        """The right answer and how it comes about."""
        return score(self.cards, Incoming.of(self.against))

    @property
    def is_right(self) -> bool:
        """Whether the answer is right."""
        return self.answer == self.receipt.score

    @property
    def missed(self) -> StepKind | None:
        """The kind of step that a wrong answer got wrong, as far as it shows; else None.

        An answer shows it when leaving out that one kind of step gives just that answer, or
        rounding up does.  In every other wrong answer it is the first step: the sum itself, with
        no other to blame.
        """
        if self.answer is None or self.is_right:
            return None
        for kind, mistaken in self._mistakes():
            if mistaken == self.answer:
                return kind
        return StepKind.ADD

    def _mistakes(self) -> Iterable[tuple[StepKind, int]]:
        receipt = self.receipt
        taken = {step.kind for step in receipt.steps}
        incoming = receipt.incoming
        if StepKind.ROUND_DOWN in taken:
            yield StepKind.ROUND_DOWN, receipt.score + 1
        if StepKind.SUBTRACT in taken:
            less = Incoming((), incoming.divisions)
            yield StepKind.SUBTRACT, score(self.cards, less).score
        if StepKind.MULTIPLY in taken:
            fewer = [card for card in self.cards if card.kind is not Kind.MULTIPLY]
            yield StepKind.MULTIPLY, score(fewer, incoming).score
        if StepKind.DIVIDE in taken:
            undivided = Incoming(incoming.subtractions, ())
            yield StepKind.DIVIDE, score(self.cards, undivided).score
        if StepKind.COUNTER in taken:
            bare = [card for card in self.cards if card.kind is not Kind.ZERO]
            yield StepKind.COUNTER, score(bare, incoming).score


@dataclass(frozen=True)
class Questions:
    """A set of questions: ten, as far as they have been asked, or some that are asked again.

    Attributes:
        number: names it in addresses.
        deck: what the cards are from.
        asked: the questions; answers are given in their order.
        at_ms: when the set was finished, or begun while it is not.
        repeats: the number of the set whose wrong answers these questions had; None for ten new
            ones.
    """

    number: int
    deck: str
    asked: tuple[Question, ...]
    at_ms: int
    repeats: int | None = None

    @property
    def size(self) -> int:
        """How many questions the set has in the end."""
        return IN_A_SET if self.repeats is None else len(self.asked)

    @property
    def waiting(self) -> Question | None:
        """The question that waits for an answer."""
        return next((question for question in self.asked if question.answer is None), None)

    @property
    def wrong(self) -> tuple[Question, ...]:
        """The questions that were answered wrongly."""
        return tuple(question for question in self.answered if not question.is_right)

    @property
    def answered(self) -> tuple[Question, ...]:
        """The questions that have been answered."""
        return tuple(question for question in self.asked if question.answer is not None)

    @property
    def right(self) -> int:
        """How many were answered rightly."""
        return sum(question.is_right for question in self.answered)

    @property
    def is_finished(self) -> bool:
        """Whether all questions are answered."""
        return len(self.answered) == self.size


@dataclass(frozen=True)
class Tally:
    """How often a kind of step was asked for, and how often it was got wrong."""

    kind: StepKind
    asked: int
    missed: int


@dataclass(frozen=True)
class Record:
    """What somebody has practised.

    Attributes:
        sets: the finished sets, the oldest first.
        open: the set that is not finished, if there is one.
        streak: right answers in a row up to now.
        best_streak: the longest there was.
        tallies: the kinds of step, the one that is got wrong most often first.
    """

    sets: tuple[Questions, ...]
    open: Questions | None
    streak: int
    best_streak: int
    tallies: tuple[Tally, ...]


def begin(user_id: int, deck: str) -> int:
    """Begin a set from `deck`, as hard as the last one had become; return its number.

    A set of the same deck that is not finished is gone on with instead.

    Raises:
        ServiceError: there is no such deck, or the person is gone.
    """
    if deck not in DECKS:
        raise ServiceError("Choose one of the decks.")
    with write_transaction() as session:
        if session.get(User, user_id) is None:
            raise PersonGoneError
        last = _last(session, user_id, deck)
        if last is not None and not last.is_finished:
            return last.number
        asked = [new_question(deck, _first_level(last), SystemRandom())]
        return _store(session, user_id, deck, asked)


def begin_again(user_id: int, number: int) -> int:
    """Begin a set of the questions that set `number` got wrong; return the new set's number.

    If such a set is not finished yet, it is gone on with instead, and so is set `number` itself.

    Raises:
        NoSuchSetError: as `questions_of`.
        NothingWrongError: no answer was wrong.
    """
    with write_transaction() as session:
        questions = _read(_row(session, user_id, number))
        if not questions.is_finished:
            return number
        if not questions.wrong:
            raise NothingWrongError
        begun = session.scalars(
            select(PracticeSet.id).where(
                PracticeSet.user_id == user_id,
                PracticeSet.repeats == number,
                PracticeSet.finished_at.is_(None),
            )
        ).first()
        if begun is not None:
            return begun
        asked = [replace(question, answer=None) for question in questions.wrong]
        return _store(session, user_id, questions.deck, asked, repeats=number)


def level_of_next_ten(user_id: int, deck: str) -> int | None:
    """Return how hard the next ten questions from `deck` begin; None while ten are not finished."""
    last = _last(db.session(), user_id, deck)
    return None if last is not None and not last.is_finished else _first_level(last)


def questions_of(user_id: int, number: int) -> Questions:
    """Return a set of this person's.

    Raises:
        NoSuchSetError: this person has none with that number.
    """
    return _read(_row(db.session(), user_id, number))


def answer(user_id: int, number: int, place: int, said: int) -> None:
    """Answer question `place` (from 1) of a set; one that has been answered stays as it was.

    Raises:
        NoSuchSetError: as `questions_of`.
    """
    with write_transaction() as session:
        row = _row(session, user_id, number)
        questions = _read(row)
        if place != len(questions.answered) + 1 or questions.waiting is None:
            return
        asked = list(questions.asked)
        asked[place - 1] = replace(questions.waiting, answer=said)
        if place == questions.size:
            row.finished_at = now_ms()
        elif place == len(asked):
            asked.append(new_question(row.deck, next_level(asked), SystemRandom()))
        row.questions = _dump(asked)


def record_of(user_id: int) -> Record:
    """Return what this person has practised lately."""
    rows = _rows(db.session(), user_id, None, MOST_SETS)
    sets = sorted(map(_read, rows), key=lambda each: each.number)
    answered = [question for each in sets for question in each.answered]
    streak, best = _streaks(answered)
    finished = tuple(each for each in sets if each.is_finished)
    waiting = [each for each in sets if not each.is_finished]
    return Record(finished, waiting[-1] if waiting else None, streak, best, tallies_of(answered))


def tallies_of(answered: Iterable[Question]) -> tuple[Tally, ...]:
    """Return how often each kind of step was asked for and got wrong, the worst first."""
    asked: Counter[StepKind] = Counter()
    missed: Counter[StepKind] = Counter()
    for question in answered:
        asked.update({step.kind for step in question.receipt.steps})
        wrong = question.missed
        if wrong is not None:
            missed[wrong] += 1
    order = list(StepKind)
    return tuple(
        sorted(
            (Tally(kind, asked[kind], missed[kind]) for kind in order if asked[kind]),
            key=lambda tally: (-tally.missed, order.index(tally.kind)),
        )
    )


def next_level(asked: Sequence[Question]) -> int:
    """Return how hard the question after these should be.

    >>> right = [Question(2, parse_cards("+1 +2"), (), 3)] * 2
    >>> wrong = Question(2, parse_cards("+1 +2"), (), 4)
    >>> next_level(right[:1]), next_level(right), next_level([*right, wrong])
    (2, 3, 1)
    """
    level = asked[-1].level
    if not asked[-1].is_right:
        return max(LEVELS[0], level - 1)
    latest = asked[-RIGHT_FOR_HARDER:]
    if len(latest) == RIGHT_FOR_HARDER and all(q.is_right and q.level == level for q in latest):
        return min(LEVELS[-1], level + 1)
    return level


def new_question(deck: str, level: int, rng: Random) -> Question:
    """Return a question with cards that `deck` has; more of them, and larger, at higher levels."""
    cards = OFFICIAL_DECKS[deck]
    play: list[Card] = _draw(cards, Kind.ADD, 1 + (level + 1) // 2, level, rng)
    against: list[Card] = []
    if deck == "subtraction":
        against = _draw(cards, Kind.SUBTRACT, 1 if level < 4 else 2, level, rng)
    elif deck == "full":
        play += _draw(cards, Kind.MULTIPLY, rng.choice((0, 1) if level < 4 else (1, 2)), level, rng)
        if level > 1 or not any(card.kind is Kind.MULTIPLY for card in play):
            against += _draw(cards, Kind.SUBTRACT, rng.choice((0, 1)), level, rng)
            against += _draw(cards, Kind.DIVIDE, 0 if against and level < 3 else 1, level, rng)
    if against and level > 1 and rng.randrange(5) == 0:
        play += _draw(cards, Kind.ZERO, 1, level, rng)
    return Question(level, tuple(play[:PLAY_LIMIT]), tuple(against))


def _draw(deck: Deck, kind: Kind, count: int, level: int, rng: Random) -> list[Card]:
    found = [card for card in deck.cards if card.kind is kind]
    if kind is Kind.ADD and level == LEVELS[0]:
        found = [card for card in found if card.number <= PLAY_LIMIT]
    return rng.sample(found, count)


def _streaks(answered: Iterable[Question]) -> tuple[int, int]:
    now = best = 0
    for question in answered:
        now = now + 1 if question.is_right else 0
        best = max(best, now)
    return now, best


def _row(session: Session, user_id: int, number: int) -> PracticeSet:
    row = session.scalars(
        select(PracticeSet)
        .where(PracticeSet.id == number, PracticeSet.user_id == user_id)
        .with_for_update()
    ).one_or_none()
    if row is None:
        raise NoSuchSetError
    return row


def _first_level(last: Questions | None) -> int:
    return LEVELS[0] if last is None else next_level(last.asked)


def _last(session: Session, user_id: int, deck: str) -> Questions | None:
    """Return the latest ten of a person from `deck`."""
    return next(map(_read, _rows(session, user_id, deck, most=1)), None)


def _store(
    session: Session,
    user_id: int,
    deck: str,
    asked: Iterable[Question],
    repeats: int | None = None,
) -> int:
    row = PracticeSet(
        user_id=user_id,
        deck=deck,
        questions=_dump(asked),
        started_at=now_ms(),
        repeats=repeats,
    )
    session.add(row)
    session.flush()
    return row.id


def _rows(session: Session, user_id: int, deck: str | None, most: int) -> Iterable[PracticeSet]:
    """Return the latest sets of ten of a person, of one deck or of all, the latest first."""
    query = select(PracticeSet).where(PracticeSet.user_id == user_id, PracticeSet.repeats.is_(None))
    if deck is not None:
        query = query.where(PracticeSet.deck == deck)
    return session.scalars(query.order_by(PracticeSet.id.desc()).limit(most))


def _read(row: PracticeSet) -> Questions:
    asked = tuple(
        Question(level, parse_cards(cards), parse_cards(against), said)
        for level, cards, against, said in json.loads(row.questions)
    )
    return Questions(row.id, row.deck, asked, row.finished_at or row.started_at, row.repeats)


def _dump(asked: Iterable[Question]) -> str:
    return json.dumps(
        [[q.level, card_names(q.cards), card_names(q.against), q.answer] for q in asked],
        separators=(",", ":"),
    )
