"""The pages of sums to practise; no answer is in a page before it was given."""

from __future__ import annotations

import re

import pytest
from flask import Flask

from raisesum.extensions import db
from raisesum.models import PracticeSet
from raisesum.services import practice
from tests.web.browser import Browser


def begin(browser: Browser, deck: str = "full") -> str:
    browser.get("/practice")
    answer = browser.send("/practice", deck=deck)
    browser.follow(answer)
    return answer.headers["Location"]


def waiting(app: Flask, path: str) -> practice.Question:
    with app.app_context():
        row = db.session.get_one(PracticeSet, int(path.rsplit("/", 1)[-1]))
        found = practice.questions_of(row.user_id, row.id).waiting
        assert found is not None
        return found


def reply(app: Flask, browser: Browser, path: str, off: int = 0) -> None:
    """Answer the question that waits, `off` by so much, and look at what is said."""
    place = browser.get(path) and browser.fields()["question"]
    said = str(waiting(app, path).receipt.score + off)
    browser.follow(browser.send(path, question=place, answer=said))


def test_ten_questions_lead_to_a_record_with_a_plot_that_is_told(
    app: Flask, browser: Browser
) -> None:
    path = begin(browser)
    for place in range(10):
        reply(app, browser, path, off=1 if place < 2 else 0)
        assert ("You said" if place < 2 else "Right, it is") in browser.text
    browser.get(path)
    assert "8 of ten" in browser.text
    browser.get("/practice")
    assert "Right answers out of 10 in your set, the oldest first: 8." in browser.text
    assert re.search(r"<td>8</td>", browser.page)
    assert "Your longest row: 8" in browser.text


def test_a_question_does_not_hold_its_answer(app: Flask, browser: Browser) -> None:
    path = begin(browser)
    for _ in range(9):
        browser.get(path)
        assert 'class="chip' not in browser.page.split("<main")[1]
        reply(app, browser, path)
    browser.get(f"{path}?shown=10")
    assert 'class="chip' not in browser.page.split("<main")[1]


def test_an_answer_that_is_no_number_is_asked_for_again(browser: Browser) -> None:
    path = begin(browser)
    for typed in ("", "ten", "-1", "1.5", "9" * 5000):
        assert browser.send(path, question="1", answer=typed).status_code == 422
        assert "whole number" in browser.text
    assert browser.send(path, question="0", answer="1").status_code == 422


def test_a_reload_asks_the_same_and_a_repeat_counts_once(app: Flask, browser: Browser) -> None:
    path = begin(browser)
    first = waiting(app, path)
    browser.get(path)
    assert waiting(app, path) == first
    for said in ("1", "2"):
        browser.send(path, question="1", answer=said)
    browser.get(f"{path}?shown=1")
    assert "1" in browser.text
    browser.get(path)
    assert "Question 2 of ten" in browser.text


@pytest.mark.parametrize("number", ["0", "99", "x", "9" * 50])
def test_other_numbers_are_not_found(browser: Browser, number: str) -> None:
    begin(browser)
    assert browser.get(f"/practice/{number}").status_code == 404
    browser.get("/practice")
    assert browser.send(f"/practice/{number}", question="1", answer="1").status_code == 404


def test_somebody_unknown_can_look_and_begin(browser: Browser) -> None:
    assert browser.get("/practice").status_code == 200
    assert not browser.is_signed_in()
    begin(browser, "addition")
    assert browser.is_signed_in()


def test_an_old_token_asks_the_question_again(browser: Browser) -> None:
    path = begin(browser)
    answer = browser.send(path, question="1", answer="7", csrf_token="old")
    assert answer.status_code == 400
    assert browser.fields()["answer"] == "7"
    assert browser.send("/practice", deck="full", csrf_token="old").status_code == 400


def test_a_deck_that_is_none_is_refused(browser: Browser) -> None:
    browser.get("/practice")
    assert browser.send("/practice", deck="none").status_code == 422
