"""Asking the bots why after a match, in a real browser, with JavaScript and without."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.tables import focus_by_tab, play_to_the_end, start
from tests.e2e.test_every_page import AxeProblems, faults
from tests.e2e.test_replay import last_step, title_of

ASK = "Ask the bots why"


def words(page: Page, selector: str) -> list[str]:
    return [" ".join(text.split()) for text in page.locator(selector).all_inner_texts()]


def test_the_bots_are_asked_why_after_the_match(
    page: Page, new_context: Callable[..., BrowserContext], axe_problems: AxeProblems
) -> None:
    start(page, levels=("gentle", "master"), goal=1)
    expect(page.locator(".bots")).to_contain_text("never a hard challenge")
    expect(page.locator(".bots")).to_contain_text("learned from very many matches")
    expect(page.get_by_role("link", name=ASK)).to_have_count(0)
    play_to_the_end(page)
    focus_by_tab(page, 'a[href$="/why"]')
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Why the bots played that way")
    page.wait_for_load_state()
    address = page.url
    moves, whys = words(page, ".whys__did"), words(page, ".whys__why")
    assert len(moves) == len(whys) > 0
    assert {move.split()[0] for move in moves} == {"Gentle", "Master"}
    assert faults(page, axe_problems) == []

    focus_by_tab(page, ".whys__did")
    page.keyboard.press("Enter")
    expect(page.locator(".told__why")).to_have_text(f"Why? {whys[0]}")
    page.wait_for_load_state()
    assert words(page, ".told__line")[0] == moves[0]
    assert faults(page, axe_problems) == []
    # From step to step by the arrow keys, each reason stands at its move and nowhere else.
    last = last_step(page)
    page.keyboard.press("Home")
    told = []
    for at in range(last + 1):
        expect(page).to_have_title(title_of(at, last))
        told += words(page, ".told__why")
        page.keyboard.press("ArrowRight")
    assert told == [f"Why? {why}" for why in whys]
    page.get_by_role("link", name=ASK).click()
    expect(page).to_have_url(address)

    plain = new_context(java_script_enabled=False).new_page()
    plain.goto(address)
    assert words(plain, ".whys__why") == whys
    plain.locator(".whys__did").last.click()
    expect(plain.locator(".told__why")).to_have_text(f"Why? {whys[-1]}")
    plain.locator("#step-back").click()
    plain.locator("#step-forward").click()
    expect(plain.locator(".told__why")).to_have_text(f"Why? {whys[-1]}")
    plain.get_by_role("link", name=ASK).click()
    expect(plain.locator("h1")).to_have_text("Why the bots played that way")
