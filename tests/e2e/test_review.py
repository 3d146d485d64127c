"""Looking back on a match in a real browser: one pass that was not forced."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.tables import play_on, play_to_the_end, start, version_of, wait_for_next
from tests.e2e.test_every_page import AxeProblems, faults

pytestmark = pytest.mark.usefixtures("complaints")


def test_a_pass_that_was_not_forced_is_looked_back_on(
    page: Page, axe_problems: AxeProblems
) -> None:
    start(page, level="steady", goal=2)
    version = version_of(page)
    page.locator("#pass").click()
    page.locator("#pass-anyway").click()
    wait_for_next(page, version)
    # The discard ends the round: only then is it told.
    expect(page.locator(".log__missed")).to_have_count(0)
    play_on(page)
    told = "You passed with nothing to beat and could have stayed in"
    expect(page.locator(".log__missed")).to_contain_text(told)
    assert faults(page, axe_problems) == []
    key = page.url.rsplit("/", 1)[-1]
    page.goto(f"/games/{key}/review")
    expect(page.locator("main")).to_contain_text(told)
    page.get_by_role("link", name="Back to the table").click()
    play_to_the_end(page)
    page.get_by_role("link", name="Look back").click()
    expect(page.locator("#round-1")).to_be_visible()
    expect(page.locator("main")).to_contain_text(told)
    assert faults(page, axe_problems) == []
    page.get_by_role("link", name="See it in the replay").first.click()
    expect(page.locator("#replay")).to_be_visible()
    page.get_by_role("link", name="Who could have stayed in").click()
    expect(page.locator("h1")).to_have_text("You could have stayed in")
