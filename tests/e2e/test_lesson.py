"""The whole lesson in a real browser: with JavaScript, without it, and by the keyboard alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from raisesum.engine import Kind
from raisesum.services.lesson import STEPS
from tests.e2e.conftest import Complaints
from tests.e2e.tables import focus_by_tab, hand, possible, tick
from tests.e2e.test_every_page import AxeProblems, faults

pytestmark = pytest.mark.usefixtures("complaints")


def good_move(page: Page) -> tuple[list[str], str]:
    """Return the cards to tick and the button to press for what the step wants."""
    cards = hand(page)
    if page.locator("#discard").count():
        return cards[: len(cards) - 7], "#discard"
    plays = possible(page)
    if not plays:
        return [], "#pass"
    challenging = [
        play
        for play in plays
        if {card.kind for card in play.cards} & {Kind.SUBTRACT, Kind.DIVIDE}
        and any(card.kind is Kind.ADD for card in play.cards)
    ]
    best = (challenging or plays)[-1]
    return [card.name for card in best.cards], "#play"


def do_step(page: Page, press: Callable[[Page, list[str], str], None]) -> None:
    for _ in range(40):
        page.wait_for_load_state()
        if page.locator("#done").count():
            return
        cards, button = good_move(page)
        press(page, cards, button)
    raise AssertionError(f"{page.url} is never done")


def by_mouse(page: Page, cards: list[str], button: str) -> None:
    tick(page, cards)
    with page.expect_navigation():
        page.locator(button).click()


def by_keyboard(page: Page, cards: list[str], button: str) -> None:
    held = hand(page)
    for place, name in enumerate(cards):
        nth = [n for n, card in enumerate(held) if card == name][cards[:place].count(name)]
        identity = page.locator('#hand input[name="card"]').nth(nth).get_attribute("id")
        focus_by_tab(page, f'[id="{identity}"]')
        page.keyboard.press("Space")
    focus_by_tab(page, button)
    with page.expect_navigation():
        page.keyboard.press("Enter")


def the_lesson(page: Page, press: Callable[[Page, list[str], str], None]) -> None:
    """Go from the first step to the last."""
    for number, step in enumerate(STEPS, 1):
        expect(page.locator("main h1")).to_have_text(step.title)
        do_step(page, press)
        expect(page.locator("#done")).to_be_focused()
        if number < len(STEPS):
            focus_by_tab(page, "#next")
            with page.expect_navigation():
                page.keyboard.press("Enter")
    page.goto("/lesson")
    expect(page.locator(".lesson-steps__item--done")).to_have_count(len(STEPS))


def test_the_lesson_is_done_with_the_mouse(page: Page) -> None:
    page.goto("/")
    page.get_by_role("link", name="Learn it in five minutes").click()
    page.get_by_role("link", name="Begin").click()
    the_lesson(page, by_mouse)


def test_the_lesson_is_done_by_keyboard_alone(page: Page) -> None:
    page.goto("/lesson")
    focus_by_tab(page, "main .button--primary")
    page.keyboard.press("Enter")
    page.wait_for_url("**/lesson/beat")
    the_lesson(page, by_keyboard)


def test_the_lesson_is_done_without_javascript(
    new_context: Callable[..., BrowserContext],
) -> None:
    page = new_context(java_script_enabled=False).new_page()
    page.goto("/lesson/beat")
    tick(page, ["+3"])
    page.locator("#check-sum").click()
    expect(page.locator("#sum")).to_contain_text("3 does not beat 6")
    page.goto("/lesson/beat")
    for number, step in enumerate(STEPS, 1):
        expect(page.locator("main h1")).to_have_text(step.title)
        do_step(page, by_mouse)
        if number < len(STEPS):
            page.locator("#next").click()
    page.goto("/lesson")
    expect(page.locator(".lesson-steps__item--done")).to_have_count(len(STEPS))


def test_a_wrong_try_says_why_and_can_be_mended(
    page: Page, complaints: Complaints, axe_problems: AxeProblems
) -> None:
    complaints.expect("422")
    page.goto("/lesson/tie")
    tick(page, ["+7"])
    expect(page.locator("#sum")).to_contain_text("7 ties 7")
    page.locator("#play").click()
    expect(page.locator("#refusal")).to_have_text("7 ties 7. You need 8 or more.")
    assert faults(page, axe_problems) == []
    tick(page, ["+1"])
    page.locator("#play").click()
    expect(page.locator("#done")).to_be_visible()
    assert faults(page, axe_problems) == []
