"""A set of sums in words: what was right, what comes next, and what can be tried again."""

from __future__ import annotations

import pytest

from raisesum.engine import parse_cards
from raisesum.services.practice import IN_A_SET, Question, Questions
from raisesum.web.presenters.practice import present_page

SEVEN = Question(2, parse_cards("+3 +4"), parse_cards("-1"))


def questions(right: int, wrong: int, repeats: int | None = None, waits: bool = False) -> Questions:
    """Return a set with so many right answers and then so many wrong ones."""
    made = [6] * right + [9] * wrong
    asked = [Question(2, SEVEN.cards, SEVEN.against, said) for said in made]
    return Questions(3, "full", (*asked, SEVEN) if waits else tuple(asked), 0, repeats)


@pytest.mark.parametrize(
    ("found", "result", "summary", "repeat"),
    [
        (questions(10, 0), "10 of ten", "All ten are right.", ""),
        (questions(9, 1), "9 of ten", "Look at the other one once more.", "Again the wrong one"),
        (questions(6, 4), "6 of ten", "Look at the others once more.", "Again the wrong ones"),
        (questions(5, 5), "5 of ten", "Look at each of them once more.", "Again the wrong ones"),
        (questions(0, 10), "0 of ten", "Look at each of them once more.", "Again the wrong ones"),
        (questions(2, 1, repeats=1), "2 of 3", "Try once more.", "Again the wrong one"),
        (questions(3, 0, repeats=1), "3 of 3", "Now all of them are right.", ""),
    ],
)
def test_the_end_says_what_was_right_and_offers_the_wrong_ones(
    found: Questions, result: str, summary: str, repeat: str
) -> None:
    box = present_page(found, None, None).set
    assert (box.result, box.next_ten) == (result, "")
    assert summary in box.summary
    assert ("did not count" in box.summary) == (found.repeats is not None)
    assert (box.repeat if box.can_repeat else "") == repeat
    assert present_page(found, None, 4).set.next_ten == "The next ten begin at level 4 of 5."


@pytest.mark.parametrize(("right", "wrong"), [(1, 0), (0, 1), (8, 1)])
def test_title_and_announcement_say_the_verdict_first_and_then_the_next_question(
    right: int, wrong: int
) -> None:
    found = questions(right, wrong, waits=True)
    page = present_page(found, right + wrong, None)
    verdict = "You said 9. It is 6." if wrong else "Right, it is 6."
    place = f"Question {right + wrong + 1} of ten"
    assert page.title == f"{verdict} {place}"
    assert page.announcement == f"{verdict} {place}: +3, +4 against −1."
    assert len(page.set.marks) == IN_A_SET
    assert page.told is not None
    assert page.set.waiting is not None
    assert page.set.waiting.sum is None
