"""Ten sums in a real browser, two of them answered wrongly, by the keyboard."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from raisesum.engine import Incoming, parse_card, score
from tests.e2e.tables import card_named
from tests.e2e.test_every_page import AxeProblems, faults

pytestmark = pytest.mark.usefixtures("complaints")


def right_answer(page: Page) -> int:
    """Return what the play on the page scores."""
    played = page.locator(".drill__cards .card__label").all_text_contents()
    against = page.locator(".drill__against .slip").all_inner_texts()
    incoming = Incoming.of(parse_card(card_named(label)) for label in against)
    return score([parse_card(card_named(label)) for label in played], incoming).score


def test_ten_questions_with_two_wrong_answers(page: Page, axe_problems: AxeProblems) -> None:
    page.goto("/practice")
    page.get_by_role("button", name="All operations").click()
    wrong = []
    for place in range(1, 11):
        expect(page.locator("#answer")).to_be_focused()
        page.wait_for_load_state()
        said = right_answer(page) + (1 if place in (3, 7) else 0)
        if place == 1:
            wrong += faults(page, axe_problems)
        page.keyboard.type(str(said))
        page.keyboard.press("Enter")
        told = f"You said {said}" if place in (3, 7) else f"Right, it is {said}"
        expect(page.locator("#verdict")).to_contain_text(told)
        expect(page.locator(".receipt")).to_be_visible()
        expect(page.locator("#next")).to_be_focused()
        if place == 3:
            wrong += faults(page, axe_problems)
        page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("8 of ten")
    wrong += faults(page, axe_problems)
    page.get_by_role("link", name="Your record").click()
    picture = page.get_by_role("img", name="Right answers out of 10 in your set")
    expect(picture).to_be_visible()
    expect(page.locator(".figures").first).to_contain_text("8")
    expect(page.get_by_text("Right answers in a row now: 3")).to_be_visible()
    wrong += faults(page, axe_problems)
    assert wrong == []
