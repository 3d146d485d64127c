"""The table's page in a browser: what stays where it is, and what is said how often."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.conftest import Complaints
from tests.e2e.tables import arrive, hand, start, tick

pytestmark = pytest.mark.usefixtures("complaints")

PHONE = {"width": 390, "height": 800}
NARROWEST = {"width": 320, "height": 640}
WHITE, TRANSPARENT = "rgb(255, 255, 255)", "rgba(0, 0, 0, 0)"


def top_of(page: Page, selector: str) -> float:
    box = page.locator(selector).bounding_box()
    assert box is not None
    return box["y"]


def test_a_tap_beside_the_rules_card_puts_it_away_on_a_phone(page: Page) -> None:
    page.set_viewport_size(PHONE)
    start(page)
    card = page.locator("#card-of-rules")
    page.locator("[popovertarget=card-of-rules]").first.click()
    expect(card).to_be_visible()
    card.get_by_role("heading").first.click()
    expect(card).to_be_visible()
    page.locator("#seat-1").click()
    expect(card).to_be_hidden()


def test_the_rules_card_stays_beside_the_table_and_hands_the_focus_back(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 820})
    start(page)
    opener = page.locator("[popovertarget=card-of-rules]").first
    opener.click()
    tick(page, hand(page)[:1])
    card = page.locator("#card-of-rules")
    expect(card).to_be_visible()
    # Closed by its button or by Escape from within, it hands the focus back.
    card.get_by_role("button", name="Close").press("Enter")
    expect(card).to_be_hidden()
    expect(opener).to_be_focused()
    opener.press("Enter")
    card.get_by_role("button", name="Close").focus()
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    expect(opener).to_be_focused()


def test_a_refused_play_keeps_its_sum_which_says_why_and_moves_no_button(
    page: Page, complaints: Complaints
) -> None:
    complaints.expect("422")
    start(page)
    tick(page, hand(page)[:6])
    why = page.locator("#hand .verdict--bad")
    expect(why).to_have_text("6 cards are too many. A play has at most five.")
    page.locator("#play").scroll_into_view_if_needed()
    before = top_of(page, "#play")
    page.locator("#play").click()
    expect(page.locator("#refused")).to_have_text("6 cards are too many. A play has at most five.")
    expect(why).to_be_visible()
    expect(page.locator("#refusal")).to_have_count(0)
    assert page.locator("#hand input:checked").count() == 6
    # A button that was pressed comes back up first.
    page.locator("#play").evaluate(
        "(button) => Promise.all(button.getAnimations().map((each) => each.finished))"
    )
    assert top_of(page, "#play") == before


def test_the_question_before_a_pass_is_said_by_its_focus_alone(page: Page) -> None:
    start(page)
    page.locator("#pass").click()
    expect(page.locator("#ask-title")).to_be_focused()
    for region in ("#announce", "#alert", "#refused"):
        assert page.locator(region).inner_text().strip() == ""
    page.locator("#keep-playing").click()
    expect(page.locator("#pass")).to_be_visible()
    assert page.locator("#announce").inner_text() == ""


def test_the_discard_pile_opens_over_the_page_and_moves_nothing(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 820})
    start(page)
    page.locator("#pass").click()
    page.locator("#pass-anyway").click()
    page.locator("#discard").wait_for()
    tick(page, hand(page)[: len(hand(page)) - 7])
    page.locator("#discard").click()
    pile = page.locator("summary.pile")
    pile.wait_for()
    before = top_of(page, ".cards")
    pile.click()
    expect(page.locator(".discards__sheet")).to_be_visible()
    assert top_of(page, ".cards") == before


def test_without_javascript_the_three_buttons_of_a_hand_have_one_line_each(
    new_context: Callable[..., BrowserContext],
) -> None:
    page = new_context(java_script_enabled=False, viewport=PHONE).new_page()
    start(page)
    buttons = page.locator("#hand .bar .button")
    assert buttons.count() == 3
    tops = {round(buttons.nth(place).bounding_box()["y"]) for place in range(3)}
    assert len(tops) == 1
    for place in range(3):
        lines = buttons.nth(place).evaluate(
            """(button) => {
                const range = document.createRange();
                range.selectNodeContents(button);
                return range.getClientRects().length;
            }"""
        )
        assert lines == 1


def test_a_name_that_no_line_can_break_widens_no_page(
    page: Page, new_context: Callable[..., BrowserContext]
) -> None:
    page.set_viewport_size(NARROWEST)
    start(page)
    page.goto("/account")
    page.locator("#shown_name").fill("\u0e33" * 24)
    page.get_by_role("button", name="Change the name").click()
    page.goto("/tables/friends")
    page.get_by_role("button", name="Set the table").first.click()
    arrive(page, "#room")
    friend = new_context(viewport=NARROWEST).new_page()
    friend.goto(page.url)
    friend.get_by_label("Your name").fill("WWWWWWWWW WWWWWWWWWWWWWW")
    friend.get_by_role("button", name="Sit down").click()
    arrive(friend, ".place--you")
    assert friend.evaluate("document.documentElement.scrollWidth") <= NARROWEST["width"]
    for path in (page.url, "/account", "/register", "/sign-in", "/"):
        page.goto(path)
        widths = page.evaluate(
            "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"
        )
        assert widths[0] <= widths[1], path


def test_what_is_printed_is_dark_on_white_in_the_dark_theme_too(
    new_context: Callable[..., BrowserContext],
) -> None:
    page = new_context(color_scheme="dark").new_page()
    start(page)
    page.emulate_media(media="print", color_scheme="dark")
    ground, ink = page.evaluate(
        """() => {
            const style = getComputedStyle(document.documentElement);
            return [style.backgroundColor, style.color];
        }"""
    )
    assert ground in (WHITE, TRANSPARENT)
    assert ink == "rgb(29, 27, 38)"
    expect(page.locator(".header")).to_be_hidden()
    expect(page.locator("#play")).to_be_hidden()
    expect(page.locator(".log")).to_be_visible()
