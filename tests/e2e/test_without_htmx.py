"""A page whose script for swapping parts never came, beside one without any scripts."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Route, expect

from tests.e2e.conftest import Complaints
from tests.e2e.tables import hand, tick
from tests.e2e.test_friends import set_table, sit_down

HTMX = "**/vendor/htmx*"


def abort(route: Route) -> None:
    route.abort()


def empty(route: Route) -> None:
    route.fulfill(status=200, content_type="text/javascript", body="")


@pytest.mark.parametrize("missing", [abort, empty])
def test_two_play_without_htmx_and_without_scripts_and_their_pages_ask_by_themselves(
    new_context: Callable[..., BrowserContext],
    complaints: Complaints,
    missing: Callable[[Route], None],
) -> None:
    complaints.expect("ERR_FAILED")
    one = new_context().new_page()
    one.route(HTMX, missing)
    one.clock.install()
    address = set_table(one, seats="2", first="1", goal="9")
    expect(one.locator("html")).not_to_have_class("js")
    two = new_context(java_script_enabled=False).new_page()
    two.goto(one.get_by_label("or send the link").input_value())
    sit_down(two)
    one.clock.run_for(5_000)
    expect(one.locator(".place--person, .place--you")).to_have_count(2)
    one.locator("#start").click()
    # The other one's browser asks again by itself.
    expect(two.locator("#table")).to_be_visible()
    expect(two.get_by_role("link", name="Refresh")).to_be_visible()

    expect(one.locator("#play")).to_be_visible()
    tick(one, hand(one)[:2])
    one.clock.run_for(20_000)
    assert one.locator("#hand .pick__box:checked").count() == 2
    one.get_by_role("button", name="Check the score").click()
    expect(one.locator("#hand .receipt")).to_be_visible()
    tick(one, hand(one)[:1])
    one.locator("#play").click()
    expect(one.get_by_role("link", name="Refresh")).to_be_visible()
    two.goto(address)
    two.locator("#pass").click()
    if two.locator("#pass-anyway").count():
        two.locator("#pass-anyway").click()
    two.wait_for_load_state()
    if two.locator("#discard").count():
        tick(two, hand(two)[: len(hand(two)) - 7])
        two.locator("#discard").click()
        two.wait_for_load_state()
    one.clock.run_for(5_000)
    expect(one.locator("#play")).to_be_visible()


def test_a_page_does_not_wait_for_htmx_that_never_comes(
    new_context: Callable[..., BrowserContext],
) -> None:
    page = new_context().new_page()
    page.clock.install()
    held: list[Route] = []
    page.route(HTMX, lambda route: held.append(route))
    page.goto("/lesson/beat", wait_until="domcontentloaded")
    expect(page.locator("html")).to_have_class("awaits-htmx")
    page.clock.run_for(4_000)
    expect(page.locator("#check-sum")).to_be_visible()
    # And it takes it up when it comes after all.
    held[0].continue_()
    expect(page.locator("html")).to_have_class("js")
    expect(page.locator("#check-sum")).to_be_hidden()
    tick(page, ["+3"])
    page.clock.run_for(500)
    expect(page.locator("#hand .verdict")).to_be_visible()
