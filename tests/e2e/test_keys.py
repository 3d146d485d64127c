"""A match without a mouse: keys for cards and buttons, and what else shortens the way."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Complaints
from tests.e2e.tables import choose_move, hand, possible, start, version_of, wait_for_next

pytestmark = pytest.mark.usefixtures("complaints")


def ticked(page: Page) -> list[int]:
    """Return the places of the ticked cards, from 1."""
    places = page.locator("#hand .pick__box").evaluate_all(
        "(boxes) => boxes.flatMap((box, place) => box.checked ? [place + 1] : [])"
    )
    return list(places)


def press_cards(page: Page, names: list[str]) -> None:
    """Tick cards by their keys."""
    held = hand(page)
    for name in names:
        place = held.index(name)
        held[place] = ""
        page.keyboard.press(str((place + 1) % 10))


def test_keys_tick_cards_play_pass_discard_and_sort(page: Page, complaints: Complaints) -> None:
    start(page, goal=9)
    page.keyboard.press("1")
    page.keyboard.press("3")
    assert ticked(page) == [1, 3]
    expect(page.locator("#play")).to_have_text("Play 2 cards")
    expect(page.locator("#hand .verdict")).to_be_visible()
    page.keyboard.press("3")
    assert ticked(page) == [1]
    # Not with another key, which is the browser's or a screen reader's.
    for keys in ("Control+2", "Alt+2", "Shift+2"):
        page.keyboard.press(keys)
    assert ticked(page) == [1]
    # Nor in an open menu.
    page.locator("#sort-menu summary").click()
    page.keyboard.press("2")
    assert ticked(page) == [1]
    page.keyboard.press("Escape")
    page.keyboard.press("s")
    by_kind = page.locator('#sort-menu [value="kind"]')
    expect(by_kind).to_have_attribute("aria-pressed", "true")
    assert len(ticked(page)) == 1
    for place in ticked(page):
        page.keyboard.press(str(place))
    version = version_of(page)
    press_cards(page, [card.name for card in possible(page)[-1].cards])
    page.keyboard.press("p")
    wait_for_next(page, version)

    # A pass is asked about, and no key answers that by accident.
    while not (page.locator("#pass").count() and len(hand(page)) > 7):
        version = version_of(page)
        page.locator(f"#{choose_move(page)}").click()
        wait_for_next(page, version)
    version = version_of(page)
    page.keyboard.press("a")
    page.wait_for_selector("#pass-anyway, #discard")
    if page.locator("#pass-anyway").count():
        page.keyboard.press("a")
        page.keyboard.press("p")
        expect(page.locator("#pass-anyway")).to_be_visible()
        page.locator("#pass-anyway").click()
        page.wait_for_selector("#discard")
    version = version_of(page)
    press_cards(page, hand(page)[: len(hand(page)) - 7])
    page.keyboard.press("d")
    wait_for_next(page, version)


def test_enter_on_a_card_says_why_nothing_happens_and_links_lead_past_the_cards(page: Page) -> None:
    start(page, goal=9)
    version = version_of(page)
    page.locator("#hand .pick__box").first.focus()
    page.keyboard.press("Enter")
    why = page.locator("#alert")
    expect(why).to_contain_text("Enter neither plays nor passes")
    expect(why).to_be_in_viewport()
    page.keyboard.press("Space")
    expect(why).to_be_empty()
    assert ticked(page) == [1]
    assert version_of(page) == version
    page.keyboard.press("Shift+Tab")
    expect(page.locator("#past-cards")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#pass")).to_be_focused()
    page.locator('.skip[href="#hand-title"]').focus()
    page.keyboard.press("Enter")
    expect(page.locator("#hand-title")).to_be_focused()


def test_keys_can_be_turned_off_at_the_table_and_stay_off(page: Page) -> None:
    start(page, goal=9)
    box = page.locator("#hand .pick__box").first
    expect(box).to_have_attribute("aria-keyshortcuts", "1")
    page.locator("nav summary", has_text="keys").click()
    page.get_by_role("button", name="Keys: Off").click()
    expect(page.locator("[aria-keyshortcuts]")).to_have_count(0)
    page.keyboard.press("Escape")
    page.keyboard.press("1")
    page.keyboard.press("a")
    assert ticked(page) == []
    expect(page.locator("#ask")).to_have_count(0)
    page.goto("/lesson/beat")
    page.keyboard.press("1")
    assert ticked(page) == []
    page.goto("/account")
    page.get_by_role("group", name="Keys that tick cards").get_by_label("On").check()
    page.get_by_role("button", name="Save", exact=True).click()
    page.goto("/lesson/beat")
    page.keyboard.press("1")
    assert ticked(page) == [1]
    expect(page.locator("#hand .verdict")).to_be_visible()
