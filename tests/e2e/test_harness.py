"""The browser tests' own tools find what they are there to find."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, Route

from tests.e2e.conftest import Complaints
from tests.e2e.tables import hand, play_on, start

POLICY = "default-src 'none'; script-src 'unsafe-inline'"


def show(page: Page, body: str) -> None:
    """Put a page with `body` and a strict policy before the browser, from no server."""

    def answer(route: Route) -> None:
        route.fulfill(
            body=f"<!doctype html><title>x</title>{body}",
            content_type="text/html",
            headers={"Content-Security-Policy": POLICY},
        )

    page.route("**/shown", answer)
    page.goto("/shown")


def is_heard(page: Page, complaints: Complaints, part: str) -> bool:
    """Wait for a complaint that contains `part`: it comes by another way than the page."""
    for _ in range(100):
        if any(part in text for text in complaints.unexpected()):
            return True
        page.wait_for_timeout(100)
    return False


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        ("<script>console.error('went wrong')</script>", "went wrong"),
        ("<script>throw new Error('not caught')</script>", "not caught"),
        ("<p style='color: red'>x</p>", "CSP violation: style-src"),
        ("<img src='/static/picture.png' alt='x'>", "CSP violation: img-src"),
    ],
)
def test_every_kind_of_complaint_is_heard(
    page: Page, complaints: Complaints, body: str, complaint: str
) -> None:
    show(page, body)

    assert is_heard(page, complaints, complaint), complaints.made
    complaints.expect("")


def test_a_violation_is_heard_with_javascript_off(
    new_context: Callable[..., BrowserContext], complaints: Complaints
) -> None:
    page = new_context(java_script_enabled=False).new_page()

    show(page, "<p style='color: red'>x</p>")

    assert is_heard(page, complaints, "Content Security Policy"), complaints.made
    complaints.expect("")


def test_a_quiet_page_is_not_complained_of(page: Page, complaints: Complaints) -> None:
    show(page, "<p>x</p>")

    assert complaints.unexpected() == []


def test_axe_finds_a_field_without_a_label(
    page: Page, axe_problems: Callable[[Page], list[str]]
) -> None:
    show(page, "<main><h1>x</h1><input></main>")

    assert any("(label)" in problem for problem in axe_problems(page))


def test_the_same_setup_and_moves_lead_to_the_same_match(page: Page) -> None:
    def course() -> list[list[str]]:
        start(page, bots=2, goal=3)
        hands = [hand(page)]
        for _ in range(4):
            play_on(page)
            hands.append(hand(page))
        return hands

    assert course() == course()
