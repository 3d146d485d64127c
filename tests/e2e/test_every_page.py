"""Every page there is, by the URL map: readable for all, in both themes, at every width."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask
from playwright.sync_api import BrowserContext, Page

from tests.e2e.conftest import Complaints
from tests.e2e.tables import arrive, hand, move, play_to_the_end, start, tick
from tests.engine.records import RIGHT, SHORT, with_line

WIDTHS = (320, 390, 1280)
THEMES = ("light", "dark")

AxeProblems = Callable[[Page], list[str]]


def addresses(app: Flask, key: str) -> list[str]:
    """Return the address of every route that can be looked at, at the table `key`."""
    found = []
    for rule in app.url_map.iter_rules():
        if "GET" in (rule.methods or set()) and rule.endpoint != "static":
            address = rule.rule
            parts = {"<key>": key, "<step>": "order", "<number>": "1", "<token>": "none"}
            for part, value in parts.items():
                address = address.replace(part, value)
            assert "<" not in address, f"say here what {rule.rule} needs"
            found.append(address)
    return sorted(found)


def faults(page: Page, axe_problems: AxeProblems) -> list[str]:
    """Return what is wrong with the page as it stands: axe in both themes, and its widths."""
    wrong = []
    for theme in THEMES:
        # Without motion, so that no colour is looked at on its way to another.
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        wrong += [f"{theme}: {problem}" for problem in axe_problems(page)]
    size = page.viewport_size
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        wide = page.evaluate(
            "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"
        )
        if wide[0] > wide[1]:
            wrong.append(f"{page.url} scrolls sideways at {width} px: {wide[0]} > {wide[1]}")
    if size is not None:
        page.set_viewport_size(size)
    return wrong


def test_every_page_is_readable_for_all_and_fits_every_width(
    app: Flask, page: Page, complaints: Complaints, axe_problems: AxeProblems
) -> None:
    complaints.expect("404")
    complaints.expect("410")
    start(page, goal=9)
    key = page.url.rsplit("/", 1)[-1]
    wrong = []
    shown = 0
    for address in [*addresses(app, key), "/no/such/page"]:
        # Asked for without the page first: some answers are files, which a page cannot show.
        response = page.request.get(address)
        assert response.status in (200, 404, 410), (address, response.status)
        if not response.body().lstrip().lower().startswith(b"<!doctype html"):
            # A part that htmx fetches, or data: not a page.
            continue
        page.goto(address)
        shown += 1
        wrong += faults(page, axe_problems)
    assert shown >= 9
    assert wrong == []


def test_every_page_for_somebody_unknown_is_readable_too(
    app: Flask, page: Page, complaints: Complaints, axe_problems: AxeProblems
) -> None:
    complaints.expect("404")
    wrong = []
    for address in ("/", "/sign-in", "/register", "/recover", "/join", "/games/none"):
        page.goto(address)
        wrong += faults(page, axe_problems)
    assert wrong == []


def test_a_table_is_readable_at_every_moment(page: Page, axe_problems: AxeProblems) -> None:
    start(page, goal=9)
    wrong = []
    tick(page, hand(page)[:3])
    page.locator("#hand .receipt").wait_for()
    wrong += faults(page, axe_problems)
    page.locator("#discards summary, #sort-menu summary").first.click()
    wrong += faults(page, axe_problems)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Rules").click()
    wrong += faults(page, axe_problems)
    page.keyboard.press("Escape")
    page.locator("#pass").click()
    page.locator("#pass-anyway").wait_for()
    wrong += faults(page, axe_problems)
    page.locator("#pass-anyway").click()
    page.locator("#discard").wait_for()
    wrong += faults(page, axe_problems)
    start(page, goal=1)
    play_to_the_end(page)
    wrong += faults(page, axe_problems)
    assert wrong == []


def test_a_replay_is_readable_at_every_step(
    page: Page, complaints: Complaints, axe_problems: AxeProblems
) -> None:
    complaints.expect("422")
    start(page, bots=3, goal=1)
    play_to_the_end(page)
    address = f"{page.url}/replay"
    wrong = []
    for query in ("", "?at=2&plays=1", "?at=3&pace=slow"):
        page.goto(address + query)
        wrong += faults(page, axe_problems)
    page.locator("#step-last").click()
    page.locator("#replay .ending").wait_for()
    wrong += faults(page, axe_problems)
    page.goto("/")
    wrong += faults(page, axe_problems)
    page.goto("/records/open")
    page.get_by_label("Paste a record").fill(with_line(SHORT, 10, "2 draw: " + "+1 " * 200))
    page.get_by_role("button", name="Watch it").click()
    arrive(page, "#fault")
    wrong += faults(page, axe_problems)
    # Many rounds, four players, names and scores as long as they come.
    page.get_by_label("Or choose a file").set_input_files(RIGHT[62])
    page.get_by_role("button", name="Watch it").click()
    arrive(page, "#replay")
    page.locator("#step-last").click()
    page.locator("#replay .ending").wait_for()
    wrong += faults(page, axe_problems)
    assert wrong == []


def test_what_happened_meanwhile_is_readable(
    new_context: Callable[..., BrowserContext], axe_problems: AxeProblems
) -> None:
    plain = new_context(java_script_enabled=False).new_page()
    start(plain, bots=3, goal=9)
    move(plain, passes=True)
    if plain.locator("#discard").count():
        move(plain, passes=True)
    arrive(plain, "#since")
    # The same person in a browser that has not shown the table yet.
    page = new_context(storage_state=plain.context.storage_state()).new_page()
    page.goto(plain.url)
    page.locator("#since").wait_for()
    assert faults(page, axe_problems) == []


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("width", [390, 1280])
def test_pictures_of_the_table_are_taken(
    new_context: Callable[..., BrowserContext], pictures: Path, width: int, theme: str
) -> None:
    page = new_context(viewport={"width": width, "height": 820}, color_scheme=theme).new_page()
    start(page, bots=2, goal=3)
    tick(page, hand(page)[:3])
    page.locator("#hand .receipt").wait_for()
    target = pictures / f"table-{width}-{theme}.png"
    page.screenshot(path=target, full_page=True)
    assert target.stat().st_size > 10_000


def test_a_table_of_friends_is_readable_while_it_waits_and_when_it_is_watched(
    new_context: Callable[..., BrowserContext], axe_problems: AxeProblems
) -> None:
    host, friend, watcher = (new_context().new_page() for _ in range(3))
    host.goto("/tables/friends")
    host.locator('select[name="seats"]').select_option("3")
    host.locator('input[name="pace"][value="relaxed"]').check()
    host.locator('input[name="spectators"]').check()
    host.get_by_role("button", name="Set the table").first.click()
    arrive(host, "#room")
    host.get_by_text("Change the table").click()
    friend.goto(host.url)
    wrong = faults(host, axe_problems) + faults(friend, axe_problems)
    friend.get_by_role("button", name="Sit down").click()
    arrive(friend, ".place--you")
    host.locator(".place--person").wait_for()
    wrong += faults(friend, axe_problems)
    host.locator("#start").click()
    arrive(host, "#table")
    arrive(friend, "#table")
    friend.locator("#say-wow").click()
    host.locator(".seat__says").wait_for()
    watcher.goto(host.url)
    for page in (host, friend, watcher):
        wrong += faults(page, axe_problems)
    host.goto("/continue")
    host.get_by_role("button", name="Make a link").click()
    arrive(host, "#link")
    wrong += faults(host, axe_problems)
    watcher.goto(host.get_by_label("The link").input_value())
    wrong += faults(watcher, axe_problems)
    assert wrong == []
