"""Ten sums in a real browser, two of them answered wrongly, by the keyboard."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from raisesum.engine import Incoming, parse_card, score
from tests.e2e.conftest import Complaints
from tests.e2e.tables import card_named
from tests.e2e.test_every_page import AxeProblems, faults


def right_answer(page: Page) -> int:
    """Return what the play on the page scores."""
    played = page.locator(".drill__cards .card__label").all_text_contents()
    against = page.locator(".drill__against .slip").all_inner_texts()
    incoming = Incoming.of(parse_card(card_named(label)) for label in against)
    return score([parse_card(card_named(label)) for label in played], incoming).score


def loaded_once(page: Page) -> int:
    """Return how many times the page has been loaded whole, by a mark that loading takes away."""
    return int(page.evaluate("window.marked = (window.marked ?? 0) + 1"))


def test_each_answer_takes_one_press_and_the_wrong_ones_come_again(
    page: Page, axe_problems: AxeProblems, complaints: Complaints
) -> None:
    complaints.expect("422")
    page.set_viewport_size({"width": 320, "height": 568})
    page.goto("/practice")
    page.get_by_role("button", name="All operations").click()
    wrong = []
    for place in range(1, 11):
        expect(page.locator("#question")).to_have_text(f"Question {place} of ten")
        expect(page.locator("#answer")).to_be_focused()
        expect(page.locator("#answer")).to_have_value("")
        # The answers come into the page, so that the keyboard of a phone stays open.
        assert loaded_once(page) == place
        said = right_answer(page) + (1 if place in (3, 7) else 0)
        if place == 1:
            wrong += faults(page, axe_problems)
            page.keyboard.press("Enter")
            expect(page.locator("#refused")).to_contain_text("whole number")
            expect(page.locator("#answer")).to_be_focused()
        page.keyboard.type(str(said))
        page.keyboard.press("Enter")
        told = f"You said {said}" if place in (3, 7) else f"Right, it is {said}."
        expect(page.locator("#verdict")).to_contain_text(told)
        expect(page.locator("#announce")).to_contain_text(told)
        expect(page).to_have_title(re.compile(re.escape(told)))
        expect(page.locator("#alert")).to_be_empty()
        if place < 10:
            expect(page.locator("#verdict")).to_be_in_viewport(ratio=1)
            expect(page.locator("#answer")).to_be_in_viewport(ratio=1)
        if place == 3:
            expect(page.locator(".drill__told .receipt")).to_be_visible()
            wrong += faults(page, axe_problems)
    expect(page.locator("h1")).to_have_text("8 of ten")
    expect(page.locator("h1")).to_be_focused()
    wrong += faults(page, axe_problems)
    page.get_by_role("button", name="Again the wrong ones").click()
    for place in (1, 2):
        expect(page.locator("#question")).to_have_text(f"Question {place} of 2")
        page.keyboard.type(str(right_answer(page)))
        page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("2 of 2")
    page.get_by_role("link", name="Your record").click()
    picture = page.get_by_role("img", name="Right answers out of 10 in your set")
    expect(picture).to_be_visible()
    expect(page.locator(".figures").first).to_contain_text("8")
    expect(page.get_by_text("Right answers in a row now: 3")).to_be_visible()
    wrong += faults(page, axe_problems)
    assert wrong == []
