"""Sums to practise: questions from one deck, harder as one gets better, and a record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from raisesum.engine import OFFICIAL_DECKS, PLAY_LIMIT, Kind, StepKind, parse_cards, scoring
from raisesum.services import accounts, practice
from raisesum.services.errors import ServiceError
from raisesum.services.practice import (
    DECKS,
    IN_A_SET,
    LEVELS,
    NoSuchSetError,
    NothingWrongError,
    Question,
    new_question,
    next_level,
    tallies_of,
)
from tests.services.tables import guest


def question(cards: str, against: str = "", answer: int | None = None, level: int = 1) -> Question:
    return Question(level, parse_cards(cards), parse_cards(against), answer)


@pytest.mark.parametrize("deck", DECKS)
@pytest.mark.parametrize("level", LEVELS)
def test_a_question_is_a_play_that_its_deck_allows(deck: str, level: int) -> None:
    rng = Random(level)
    held = OFFICIAL_DECKS[deck].cards
    for _ in range(300):
        asked = new_question(deck, level, rng)
        assert 1 <= len(asked.cards) <= PLAY_LIMIT
        everything = [*asked.cards, *asked.against]
        assert all(everything.count(card) <= held.count(card) for card in everything)
        assert {card.kind for card in asked.against} <= {Kind.SUBTRACT, Kind.DIVIDE}
        assert asked.receipt.score <= practice.HIGHEST_ANSWER


@pytest.mark.parametrize("deck", DECKS)
def test_questions_have_more_cards_at_higher_levels(deck: str) -> None:
    rng = Random(1)
    sizes = [
        sum(len(q.cards) + len(q.against) for q in (new_question(deck, level, rng),) * 1)
        for level in (LEVELS[0], LEVELS[-1])
    ]
    assert sizes[0] < sizes[1]


def test_two_right_make_it_harder_and_one_wrong_easier_within_bounds() -> None:
    right = question("+1 +2", answer=3, level=3)
    wrong = replace(right, answer=4)
    assert next_level([right]) == 3
    assert next_level([right, right]) == 4
    assert next_level([right, right, wrong]) == 2
    assert next_level([replace(wrong, level=1)]) == 1
    assert next_level([replace(right, level=5)] * 4) == 5
    assert next_level([replace(right, level=2), right]) == 3


@pytest.mark.parametrize(
    ("asked", "missed"),
    [
        (question("+5 +4 x3", "-2 /2", 10), None),
        (question("+5 +4 x3", "-2 /2", 11), StepKind.ROUND_DOWN),
        (question("+5 +4 x3", "-2 /2", 21), StepKind.DIVIDE),
        (question("+5 +4 x3", "-2 /2", 13), StepKind.SUBTRACT),
        (question("+5 +4 x3", "-2 /2", 3), StepKind.MULTIPLY),
        (question("+5 +4 x3 0", "-2 /2", 10), StepKind.COUNTER),
        (question("+5 +4", "", 8), StepKind.ADD),
    ],
)
def test_a_wrong_answer_tells_which_step_was_missed(
    asked: Question, missed: StepKind | None
) -> None:
    assert asked.missed is missed


def test_the_step_got_wrong_most_comes_first() -> None:
    asked = [question("+5 +4 x3", "-2 /2", said) for said in (10, 21, 21, 11)]
    tallies = tallies_of(asked)
    assert [(t.kind, t.asked, t.missed) for t in tallies[:2]] == [
        (StepKind.DIVIDE, 4, 2),
        (StepKind.ROUND_DOWN, 4, 1),
    ]
    assert all(tally.missed == 0 for tally in tallies[2:])


def test_right_and_wrong_are_the_scorers(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = question("+3 +4", answer=7)
    assert asked.is_right
    right = scoring.score_of
    monkeypatch.setattr(scoring, "score_of", lambda *sums: right(*sums) + 1)
    assert not asked.is_right
    assert asked.receipt.score == 8


def answer_all(user_id: int, number: int, wrong: int = 0) -> None:
    """Answer all ten, the first `wrong` of them wrongly."""
    for place in range(1, IN_A_SET + 1):
        waiting = practice.questions_of(user_id, number).waiting
        assert waiting is not None
        practice.answer(user_id, number, place, waiting.receipt.score + (place <= wrong))


@pytest.mark.usefixtures("app_context")
class TestASet:
    def test_has_ten_questions_and_a_record(self) -> None:
        user_id = guest()
        answer_all(user_id, practice.begin(user_id, "full"), wrong=2)
        record = practice.record_of(user_id)
        assert [(each.right, each.is_finished) for each in record.sets] == [(8, True)]
        assert (record.streak, record.best_streak, record.open) == (8, 8, None)
        assert sum(tally.missed for tally in record.tallies) == 2

    def test_begins_as_hard_as_the_last_one_ended_with_its_deck(self) -> None:
        user_id = guest()
        answer_all(user_id, practice.begin(user_id, "addition"))
        harder = practice.questions_of(user_id, practice.begin(user_id, "addition")).waiting
        other = practice.questions_of(user_id, practice.begin(user_id, "full")).waiting
        assert harder is not None
        assert other is not None
        assert (harder.level, other.level) == (5, 1)

    def test_that_is_not_finished_is_gone_on_with(self) -> None:
        user_id = guest()
        number = practice.begin(user_id, "full")
        practice.answer(user_id, number, 1, 0)
        assert practice.begin(user_id, "full") == number
        assert practice.begin(user_id, "addition") != number

    def test_takes_an_answer_once_and_only_to_what_waits(self) -> None:
        user_id = guest()
        number = practice.begin(user_id, "full")
        practice.answer(user_id, number, 2, 5)
        practice.answer(user_id, number, 1, 5)
        practice.answer(user_id, number, 1, 6)
        questions = practice.questions_of(user_id, number)
        assert [q.answer for q in questions.asked] == [5, None]

    def test_asks_the_wrong_ones_again_which_counts_for_nothing(self) -> None:
        user_id = guest()
        number = practice.begin(user_id, "full")
        answer_all(user_id, number, wrong=3)
        wrong = practice.questions_of(user_id, number).wrong
        record, level = practice.record_of(user_id), practice.level_of_next_ten(user_id, "full")
        again = practice.begin_again(user_id, number)
        assert practice.begin_again(user_id, number) == again
        repeated = practice.questions_of(user_id, again)
        assert [replace(q, answer=None) for q in wrong] == list(repeated.asked)
        assert (repeated.size, repeated.answered) == (3, ())
        for place, question in enumerate(wrong, 1):
            assert practice.questions_of(user_id, again).waiting == repeated.asked[place - 1]
            practice.answer(user_id, again, place, question.receipt.score + (place == 2))
        repeated = practice.questions_of(user_id, again)
        assert (repeated.is_finished, repeated.right, repeated.waiting) == (True, 2, None)
        assert practice.record_of(user_id) == record
        assert practice.level_of_next_ten(user_id, "full") == level
        third = practice.begin_again(user_id, again)
        assert practice.questions_of(user_id, third).size == 1
        assert practice.questions_of(user_id, practice.begin(user_id, "full")).repeats is None

    def test_asks_nothing_again_before_its_end_or_without_a_wrong_answer(self) -> None:
        user_id = guest()
        number = practice.begin(user_id, "full")
        practice.answer(user_id, number, 1, practice.HIGHEST_ANSWER)
        assert practice.begin_again(user_id, number) == number
        clean = practice.begin(user_id, "addition")
        answer_all(user_id, clean)
        with pytest.raises(NothingWrongError):
            practice.begin_again(user_id, clean)
        with pytest.raises(NoSuchSetError):
            practice.begin_again(guest(), clean)

    @pytest.mark.parametrize("wrong", [(), (10,), (9,), range(1, 11), (1, 3, 5)])
    def test_tells_the_level_at_which_the_next_ten_then_begin(self, wrong: Sequence[int]) -> None:
        user_id = guest()
        number = practice.begin(user_id, "full")
        assert practice.level_of_next_ten(user_id, "full") is None
        for place in range(1, IN_A_SET + 1):
            waiting = practice.questions_of(user_id, number).waiting
            assert waiting is not None
            practice.answer(user_id, number, place, waiting.receipt.score + (place in wrong))
        told = practice.level_of_next_ten(user_id, "full")
        first = practice.questions_of(user_id, practice.begin(user_id, "full")).waiting
        assert first is not None
        assert first.level == told

    def test_is_its_owners_alone(self) -> None:
        number = practice.begin(guest(), "full")
        other = guest()
        with pytest.raises(NoSuchSetError):
            practice.questions_of(other, number)
        with pytest.raises(NoSuchSetError):
            practice.answer(other, number, 1, 1)

    def test_goes_with_a_guest_to_the_account_and_ends_with_it(self) -> None:
        entrance = accounts.register("otter", "Otter", "seven quiet otters")
        number = practice.begin(user_id := guest(), "full")
        accounts.sign_in("otter", "seven quiet otters", guest_id=user_id)
        assert practice.questions_of(entrance.user_id, number).number == number
        accounts.delete_account(entrance.user_id, "seven quiet otters")
        with pytest.raises(NoSuchSetError):
            practice.questions_of(entrance.user_id, number)

    def test_needs_a_deck_that_there_is(self) -> None:
        with pytest.raises(ServiceError):
            practice.begin(guest(), "custom +1*20")
