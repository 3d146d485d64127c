"""Every score on the pages that teach is the scorer's: another scorer, other numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from flask import Flask

from raisesum.engine import Receipt, scoring
from raisesum.services import examples
from raisesum.services.lesson import STEPS
from raisesum.web.presenters import home, rules
from tests.web.browser import Browser
from tests.web.tables import Player

REMEMBERED = (
    examples.examples,
    examples.showcase,
    rules.present_examples,
    rules.present_reference,
    home.present_showcase,
)


@pytest.fixture
def another_scorer(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Scores are 100 too high from now on, and the values of their steps 1000."""
    right, steps = scoring.score_of, Receipt.steps.func

    def too_high(receipt: Receipt) -> tuple[scoring.ScoreStep, ...]:
        return tuple(replace(step, value=step.value + 1000) for step in steps(receipt))

    monkeypatch.setattr(scoring, "score_of", lambda *sums: right(*sums) + 100)
    monkeypatch.setattr(Receipt, "steps", property(too_high))
    for remembered in REMEMBERED:
        remembered.cache_clear()
    yield
    monkeypatch.undo()
    for remembered in REMEMBERED:
        remembered.cache_clear()


@pytest.mark.usefixtures("another_scorer")
def test_the_rules_page_and_the_rules_card_show_its_numbers(app: Flask) -> None:
    browser = Player(app)
    browser.start()
    for address in ("/rules", browser.path):
        browser.get(address)
        assert "110 beats 6" in browser.text
        assert "5 + 4 = 1009" in browser.text
    browser.get("/rules")
    assert "107 beats 6" in browser.text
    assert "127 beats 6" in browser.text
    assert not re.search(r"(?<!\d)(7|10|15|27) beats", browser.text)


@pytest.mark.usefixtures("another_scorer")
def test_the_lesson_shows_its_numbers(browser: Browser) -> None:
    for step in STEPS[:6]:
        browser.get(f"/lesson/{step.slug}")
        number = re.search(r'class="target__number[^>]*>(\d+)<', browser.page)
        assert number is not None
        assert int(number[1]) > 100
        assert int(number[1]) in [int(found) for found in re.findall(r"\b\d{3}\b", browser.text)]
    browser.get("/lesson/beat")
    answer = browser.send("/lesson/beat", action="play", card=["+3", "+4"])
    browser.follow(answer)
    assert re.search(r"Well done\. [^.]*107", browser.text)
    assert "3 + 4 = 1007" in browser.text


@pytest.mark.usefixtures("another_scorer")
def test_practice_shows_its_numbers(app: Flask, browser: Browser) -> None:
    browser.get("/practice")
    path = browser.send("/practice", deck="addition").headers["Location"]
    browser.get(path)
    played = [int(n) for n in re.findall(r"card__sign\">\+</span>(\d+)", browser.page)]
    browser.follow(browser.send(path, question="1", answer=str(sum(played))))
    assert f"You said {sum(played)}. It is {sum(played) + 100}." in browser.text
    assert f"= {sum(played) + 1000}" in browser.text
