"""The clock of a turn, as a page counts it down between the answers of the server."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, Response, expect

from tests.e2e.test_friends import set_table, sit_down

NewContext = Callable[..., BrowserContext]

# Shows are written down ten times a second. Now and then the table is asked for beside the page's
# own polls: what the server says was true between the two looks at the page around it.
WATCH = """() => {
    const shown = () => {
        const [minutes, seconds] = document.querySelector("#clock-text").textContent.split(":");
        return Number(minutes) * 60 + Number(seconds);
    };
    window.shows = [];
    window.compared = [];
    setInterval(() => window.shows.push(shown()), 100);
    setInterval(async () => {
        const before = shown();
        const answer = await fetch(document.querySelector("#table").dataset.part, {
            headers: {"HX-Request": "true"},
        });
        const left = Number((await answer.text()).match(/data-left="([0-9]+)"/)[1]);
        window.compared.push([before, left, shown()]);
    }, 700);
}"""


@pytest.fixture
def two_at_a_table(new_context: NewContext) -> Callable[[str], tuple[Page, Page]]:
    """Begin a match of two at a pace; it is the first one's turn."""

    def begin(pace: str) -> tuple[Page, Page]:
        one, two = new_context().new_page(), new_context().new_page()
        if pace == "relaxed":
            one.clock.install()
        address = set_table(one, seats="2", first="1", pace=pace)
        two.goto(address)
        sit_down(two)
        one.locator("#start").click()
        expect(one.locator("#play")).to_be_visible()
        expect(two.locator("#table")).to_be_visible()
        return one, two

    return begin


def is_quiet(response: Response) -> bool:
    """Whether it is the answer to a poll that had nothing to tell."""
    return response.status == 204 and "/table?" in response.url


def test_the_time_shown_runs_down_with_the_servers_through_quiet_polls_and_news(
    two_at_a_table: Callable[[str], tuple[Page, Page]],
) -> None:
    """Twelve seconds have to pass: only then have polls without news had time to do harm."""
    one, two = two_at_a_table("quick")
    quiet: list[str] = []
    one.on("response", lambda answer: quiet.append(answer.url) if is_quiet(answer) else None)
    for page in (one, two):
        page.evaluate(WATCH)
    one.wait_for_timeout(6_000)
    # News in the middle of the turn bring its time once more.
    two.locator("#say-hello").click()
    expect(one.locator("#seat-2 .seat__says")).to_have_text("Hello!")
    one.wait_for_function("() => window.shows.length > 120")
    assert len(quiet) >= 3
    for page in (one, two):
        shows = page.evaluate("shows")
        assert shows == sorted(shows, reverse=True)
        assert shows[0] - shows[-1] >= 10
        compared = page.evaluate("compared")
        assert len(compared) >= 5
        for before, left, after in compared:
            assert after - 1.5 <= left <= before + 1.5, (before, left, after)


def test_the_end_of_ones_time_is_told_once_though_quiet_polls_fall_between(
    two_at_a_table: Callable[[str], tuple[Page, Page]],
) -> None:
    one, _ = two_at_a_table("relaxed")
    one.evaluate(
        """() => {
            window.heard = [];
            const announce = document.querySelector("#announce");
            new MutationObserver(() => heard.push(announce.textContent)).observe(
                announce, {childList: true, characterData: true, subtree: true});
        }"""
    )
    shown = one.locator("#clock-text")
    for _ in range(15):
        with one.expect_response(is_quiet):
            one.clock.run_for(8_000)
    expect(shown).to_have_text("0:00")
    expect(one.locator("#clock")).to_have_class("clock clock--near")
    heard = one.evaluate("heard.filter((text) => text.includes('seconds left'))")
    assert len(heard) == 1
    assert heard[0] in ("10 seconds left for your turn.", "9 seconds left for your turn.")
