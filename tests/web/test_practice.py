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
    for place in range(1, 10):
        browser.get(path)
        assert 'class="chip' not in browser.page.split("<main")[1]
        reply(app, browser, path)
        assert 'class="chip' not in browser.page.split('id="question"')[1], place
    browser.get(f"{path}?shown=10")
    assert 'class="chip' not in browser.page.split("<main")[1]


def test_an_answer_brings_its_verdict_and_the_next_question_at_once(
    app: Flask, browser: Browser
) -> None:
    path = begin(browser)
    for place in range(1, 10):
        said = waiting(app, path).receipt.score + (place == 2)
        # No page in between: what is sent next was on the page that told the verdict.
        assert browser.fields()["question"] == str(place)
        browser.follow(browser.send(path, question=str(place), answer=str(said)))
        verdict = f"You said {said}." if place == 2 else f"Right, it is {said}."
        title = browser.page.split("<title>")[1].split("</title>")[0]
        assert title.startswith(verdict)
        assert f"Question {place + 1} of ten" in title
        described = re.search(r'id="answer"[^>]* aria-describedby="([^"]*)"', browser.page)
        assert described
        assert "verdict" in described[1].split()
        assert all(f'id="{name}"' in browser.page for name in described[1].split())
    reply(app, browser, path)
    assert "Right, it is" in browser.text
    assert "9 of ten" in browser.page.split("<title>")[1].split("</title>")[0]


def test_htmx_gets_the_part_alone_whatever_was_typed(app: Flask, browser: Browser) -> None:
    path = begin(browser)
    right = str(waiting(app, path).receipt.score)
    for typed, status, told in (("?", 422, "whole number"), (right, 200, "Right, it is")):
        answer = browser.send(path, headers={"HX-Request": "true"}, question="1", answer=typed)
        assert answer.status_code == status
        assert "<html" not in answer.text
        assert told in answer.text
    again = browser.send(path, headers={"HX-Request": "true"}, question="1", answer="0")
    assert again.status_code == 200
    assert "Question 2 of ten" in again.text


def test_the_end_says_how_hard_the_next_ten_really_begin(app: Flask, browser: Browser) -> None:
    # Few are right, but the last two were: the next ten begin harder, not easier.
    path = begin(browser)
    for place in range(10):
        reply(app, browser, path, off=0 if place > 7 else 1)
    browser.get(path)
    told = re.search(r"The next ten begin at level (\d) of 5", browser.text)
    assert told
    assert "easier" not in browser.text
    browser.follow(browser.send("/practice", deck="full"))
    assert f"level {told[1]} of 5" in browser.text
    browser.get(path)
    assert "The next ten begin" not in browser.text


def test_the_wrong_ones_come_again(app: Flask, browser: Browser) -> None:
    path = begin(browser)
    for place in range(10):
        reply(app, browser, path, off=1 if place < 2 else 0)
    browser.get(path)
    assert "Again the wrong ones" in browser.text
    answer = browser.send(f"{path}/again")
    assert answer.status_code == 303
    again = answer.headers["Location"]
    for off, summary in ((1, "Try once more"), (0, "Now all of them are right")):
        places = 2 if off else 1
        for place in range(places):
            reply(app, browser, again, off=off if place == 0 else 0)
        browser.get(again)
        assert summary in browser.text
        if off:
            again = browser.send(f"{again}/again").headers["Location"]
    assert "Again the wrong" not in browser.text
    assert browser.send(f"{again}/again").status_code == 422
    assert browser.send("/practice/99/again").status_code == 404
    assert browser.send(f"{path}/again", csrf_token="old").status_code == 400


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
