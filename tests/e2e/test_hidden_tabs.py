"""What somebody is told who looks at another tab, in tabs that are really hidden."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import BrowserContext, Page, Request, expect

from raisesum.wording import isolated
from tests.e2e.positions import put
from tests.e2e.test_friends import set_table, sit_down
from tests.engine.positions import position
from tests.servers import Server

NewContext = Callable[..., BrowserContext]

# A hidden page asks every half minute. Its clock runs on by commands, so that no test has to wait.
STEP, STEPS = 5_000, 7

# What was told is kept by the tab, because the page changes when the match begins.
TOLD = """
    const tell = (what) => {
        const told = JSON.parse(sessionStorage.getItem("told") ?? "[]");
        sessionStorage.setItem("told", JSON.stringify([...told, what]));
    };
    window.AudioContext = class {
        currentTime = 0;
        destination = {};
        async resume() {}
        createGain() {
            return {gain: {setValueAtTime() {}, exponentialRampToValueAtTime() {}}, connect() {}};
        }
        createOscillator() {
            const start = () => tell("sound");
            return {frequency: {setValueAtTime() {}}, connect() {}, start, stop() {}};
        }
    };
    window.Notification = class {
        static permission = "granted";
        static requestPermission = async () => "granted";
        constructor(text) { tell(text); }
        addEventListener() {}
        close() {}
    };
"""


def look_away(page: Page, other: Page) -> None:
    """Open another tab over the page."""
    other.bring_to_front()
    page.wait_for_function("() => document.hidden")


def look_at(page: Page) -> None:
    page.bring_to_front()
    page.wait_for_function("() => !document.hidden")


def told(page: Page) -> list[str]:
    """What has been told by notice or sound since this was asked last."""
    return page.evaluate(
        """() => {
            const told = JSON.parse(sessionStorage.getItem("told") ?? "[]");
            sessionStorage.removeItem("told");
            return told;
        }"""
    )


def let_it_ask(page: Page) -> bool:
    """Let half a minute of the page's time pass, and the answer come if the page asks by then."""
    asked: list[Request] = []

    def note(request: Request) -> None:
        if re.search(r"/(table|waiting)\?", request.url):
            asked.append(request)

    page.on("request", note)
    for _ in range(STEPS):
        page.clock.run_for(STEP)
        if asked:
            answer = asked[0].response()
            assert answer is not None
            answer.finished()
            break
    page.remove_listener("request", note)
    return bool(asked)


def is_told(page: Page, text: str) -> None:
    """See that the hidden page tells `text` with its next question, and not again with others."""
    assert let_it_ask(page)
    expect(page).to_have_title(f"{text} · Raise the Sum")
    page.wait_for_function("() => sessionStorage.getItem('told')?.includes('sound')")
    expect(page.locator('link[rel="icon"]')).to_have_attribute("href", re.compile("icon-turn"))
    assert sorted(told(page)) == sorted(["sound", text])
    for _ in range(2):
        let_it_ask(page)
    assert page.evaluate("document.hidden")
    assert told(page) == []
    expect(page).to_have_title(f"{text} · Raise the Sum")


def test_who_looks_elsewhere_is_told_once_of_friends_of_the_match_and_of_a_wish_for_another(
    new_context: NewContext, tabs: BrowserContext, live_server: Server, base_url: str
) -> None:
    host, friend = new_context().new_page(), new_context().new_page()
    address = set_table(host, seats="3", first="2", goal="1")
    tabs.add_init_script(TOLD)
    other, page = tabs.new_page(), tabs.new_page()
    page.clock.install()
    page.goto(address)
    sit_down(page, "Max")
    page.locator("#bell summary").click()
    for wish in ("sound", "notice"):
        page.locator(f"#bell-{wish}").click()
        expect(page.locator(f"#bell-{wish}")).to_have_attribute("aria-pressed", "true")
    assert told(page) == ["sound"]

    look_away(page, other)
    # Nothing happens, and nothing is told: the host comes and goes without a word.
    assert let_it_ask(page)
    assert told(page) == []
    friend.goto(address)
    sit_down(friend, "Zoë")
    is_told(page, f"{isolated('Zoë')} has sat down. Everybody is here")
    expect(host.locator("#place-3")).to_contain_text("Zoë")
    host.locator("#place-2").get_by_role("button", name="Make host").click()
    is_told(page, "You are the host now")
    look_at(page)
    expect(page).to_have_title("Your table · Raise the Sum")
    page.locator("#place-1").get_by_role("button", name="Make host").click()
    expect(host.locator("#start")).to_be_visible()
    look_away(page, other)
    host.locator("#start").click()
    is_told(page, "Your turn")

    # The others play without looking; Max wins when the host passes.
    put(
        live_server,
        address,
        position("+5", "+1", "+1", standing="+9", standing_seat=2, out=[3], goal=1),
    )
    look_at(page)
    expect(page).to_have_title(re.compile("is playing"))
    host.locator("#pass").click()
    assert let_it_ask(page)
    expect(page.locator("#ending")).to_be_visible()
    look_away(page, other)
    assert told(page) == []
    name = host.locator(".nav__who").inner_text()
    host.get_by_role("button", name="Play again").click()
    expect(host.locator("#room")).to_be_visible()
    is_told(page, f"{isolated(name)} would like to play again")
    # After five minutes the page stops asking, but not for who comes back to it.
    page.clock.fast_forward(5 * 60_000)
    assert not let_it_ask(page)
    friend.get_by_role("button", name="Play again").click()
    expect(friend.locator("#room")).to_be_visible()
    look_at(page)
    expect(page.locator(".ending")).to_contain_text(f"{name} and Zoë would like to play again")
    assert told(page) == ["sound"]
    # Who still looks sees it within five seconds.
    friend.get_by_text("Leave this table").click()
    friend.get_by_role("button", name="Leave the table").click()
    expect(friend).to_have_url(f"{base_url}/")
    page.clock.run_for(STEP)
    expect(page.locator(".ending")).to_contain_text(f"{name} would like to play again")
    assert told(page) == []
