"""Lines that lose what is sent, or are slow: nothing untrue is shown, and nothing looks dead."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from raisesum import wording
from raisesum.engine import Incoming, parse_card, score
from tests.e2e.conftest import Complaints
from tests.e2e.tables import card_named, choose_move, hand, start, tick, version_of, wait_for_next

# A line that can be slow and can lose what is sent, in the order that a seed gives. It stands where
# the page's own requests go through, so that all of them meet it.
LINE = """
window.line = {slow: 0, lost: 0, down: false, held: null, seed: 1, sent: []};
const send = window.fetch;
const chance = () => (line.seed = (line.seed * 48271) % 2147483647) / 2147483647;
window.fetch = (address, how) => new Promise((bring, fail) => {
    line.sent.push(String(address));
    const lost = line.down || chance() < line.lost;
    const go = () =>
        lost ? fail(new TypeError("Failed to fetch")) : send(address, how).then(bring, fail);
    const timer = line.held ? line.held.push(go) : setTimeout(go, line.slow);
    how?.signal?.addEventListener("abort", () => {
        clearTimeout(timer);
        fail(new DOMException(how.signal.reason, "AbortError"));
    });
});
"""

# What can be read at the hand, looked at after each change of the page and before each picture.
READ = """() => {
    window.read = new Set();
    const look = () => {
        const form = document.querySelector("#hand");
        if (!form) return;
        const text = (selector) => form.querySelector(selector)?.textContent ?? "";
        let strength = 1;
        const verdict = form.querySelector(".verdict");
        for (let part = verdict; part; part = part.parentElement) {
            strength *= Number(getComputedStyle(part).opacity);
        }
        const of = (selector) => [...document.querySelectorAll(selector)].map((e) => e.textContent);
        window.read.add(JSON.stringify({
            ticked: [...form.querySelectorAll(".pick__box:checked")].map((box) => box.value),
            target: of(".felt .target__number")[0],
            against: of(".felt .against__cards .token"),
            verdict: strength === 1 && verdict?.checkVisibility() ? verdict.textContent : "",
            play: text("#play"),
        }));
    };
    const each = () => { look(); requestAnimationFrame(each); };
    each();
    document.addEventListener("change", () => queueMicrotask(look));
}"""


@pytest.fixture
def on_a_line(new_context: Callable[..., BrowserContext], complaints: Complaints) -> Page:
    """A page whose line can be made bad."""
    for expected in ("Failed to fetch", "htmx:error", "AbortError", "timeout", "422"):
        complaints.expect(expected)
    context = new_context()
    context.add_init_script(LINE)
    return context.new_page()


def untrue(page: Page) -> list[str]:
    """Return what could be read at the hand and was not so."""
    found: list[str] = []
    for look in page.evaluate("[...window.read].map((text) => JSON.parse(text))"):
        cards = [parse_card(name) for name in look["ticked"]]
        against = Incoming.of([parse_card(card_named(label)) for label in look["against"]])
        target = int(look["target"]) if look["target"].isdigit() else None
        right = str(wording.verdict(score(cards, against), target)) if cards else ""
        if look["verdict"] and (not right or not look["verdict"].startswith(right)):
            found.append(f"{look['verdict']!r} beside {look['ticked']}: {right!r}")
        count = f"Play {wording.count(len(cards), 'card')}" if cards else "Play cards"
        if look["play"] and look["play"] != count:
            found.append(f"{look['play']!r} beside {look['ticked']}")
    return found


def test_no_verdict_is_shown_of_other_cards_than_the_ticked_ones_on_a_line_that_loses(
    on_a_line: Page,
) -> None:
    page, chance = on_a_line, Random(7)
    start(page, goal=2)
    page.evaluate(READ)
    verdict = page.locator("#hand .verdict")
    tick(page, hand(page)[:2])
    expect(verdict).to_be_visible()
    # Nothing gets through: the old sum goes, and the new one comes as soon as the line is back.
    page.evaluate("line.down = true")
    tick(page, hand(page)[:3])
    expect(page.locator("#lost")).not_to_be_empty()
    expect(verdict).to_have_count(0)
    page.evaluate("line.down = false")
    expect(verdict).to_be_visible()
    page.evaluate("line.lost = 0.03")
    while page.locator("#ending").count() == 0:
        page.wait_for_selector("#play, #discard, #ending")
        version = version_of(page)
        for box in page.locator("#hand .pick__box").all():
            if page.locator("#play").count() and chance.random() < 0.5:
                box.set_checked(chance.random() < 0.6, force=True)
        for box in page.locator("#hand .pick__box").all():
            box.set_checked(False, force=True)
        if button := choose_move(page):
            if button == "play":
                expect(verdict).to_be_visible()
            page.locator(f"#{button}").click()
            wait_for_next(page, version)
    assert page.evaluate("read.size") >= 30
    assert untrue(page) == []


def test_an_answer_that_is_slow_is_waited_for_and_not_asked_for_alike_for_ever(
    on_a_line: Page,
) -> None:
    """A second here stands for ten: twelve of latency where ten were waited for."""
    page = on_a_line
    start(page, goal=9)
    page.evaluate(READ)
    page.evaluate("htmx.config.defaultTimeout = 1000; line.slow = 1200; line.sent = []")
    verdict = page.locator("#hand .verdict")

    def asked() -> int:
        return int(page.evaluate("line.sent.filter((address) => address.includes('/sum')).length"))

    tick(page, hand(page)[:1])
    expect(verdict).to_be_visible()
    assert asked() <= 3
    before = asked()
    tick(page, hand(page)[:2])
    expect(page.locator("#hand [aria-busy=true]")).to_have_count(0)
    assert asked() == before + 1
    # Other cards are ticked while an answer is on its way.
    tick(page, hand(page)[:3])
    page.wait_for_timeout(400)
    tick(page, hand(page)[:4])
    page.wait_for_function("(n) => line.sent.length >= n", arg=asked() + 1)
    expect(verdict).to_be_visible()
    version = version_of(page)
    page.locator("#play").click()
    page.wait_for_function("() => line.sent.some((address) => address.includes('/actions'))")
    wait_for_next(page, version)
    assert len(page.evaluate("line.sent.filter((address) => address.includes('/actions'))")) <= 2
    assert untrue(page) == []


def test_the_lessons_sum_goes_when_its_successor_is_lost_and_is_asked_for_again(
    on_a_line: Page,
) -> None:
    page = on_a_line
    page.goto("/lesson/beat")
    page.evaluate(READ)
    verdict = page.locator("#hand .verdict")
    tick(page, ["+3"])
    expect(verdict).to_have_text("3 does not beat 6. You need 7 or more.")
    page.evaluate("line.down = true; line.sent = []")
    tick(page, [name for name in hand(page) if name != "+3"][:1])
    expect(verdict).to_have_count(0)
    page.wait_for_function("() => line.sent.length >= 3")
    page.evaluate("line.down = false")
    expect(verdict).to_be_visible()
    assert untrue(page) == []


def test_the_sum_stays_with_the_ticks_after_a_refusal_a_hint_sorting_and_news(
    on_a_line: Page,
) -> None:
    page = on_a_line
    start(page, goal=9)
    page.evaluate(READ)
    tick(page, hand(page)[:6])
    why = "6 cards are too many. A play has at most five."
    verdict = page.locator("#hand .verdict")
    expect(verdict).to_have_text(why)
    page.locator("#play").click()
    expect(page.locator("#refused")).to_have_text(why)
    for name in ("hint", "sort", "news"):
        if name == "hint":
            page.locator("#ask-hint").click()
            expect(page.locator("#told-hint")).to_be_visible()
        elif name == "sort":
            page.locator("#sort-menu summary").click()
            page.locator('#sort-menu [value="value"]').click()
            sorted_by = page.locator('#sort-menu [value="value"]')
            expect(sorted_by).to_have_attribute("aria-pressed", "true")
        else:
            revision = page.locator("#table").get_attribute("hx-get") or ""
            other = page.context.new_page()
            other.goto("/account")
            other.get_by_label("Name that others see").fill("Somebody Else")
            other.get_by_role("button", name="Change the name").click()
            expect(page.locator("#table")).not_to_have_attribute("hx-get", revision)
        expect(verdict).to_have_text(why)
        assert page.locator("#hand .pick__box:checked").count() == 6
    # What was refused is about the cards that were sent, and others are ticked by now.
    page.evaluate("line.slow = 600")
    page.locator("#play").click()
    page.locator("#hand .pick__box:checked").first.uncheck(force=True)
    expect(page.locator("#refused")).to_have_text(why)
    expect(verdict).not_to_have_text(why)
    expect(verdict).to_be_visible()
    assert untrue(page) == []


def test_what_is_pressed_looks_pressed_until_it_is_answered_and_may_have_arrived_until_then(
    on_a_line: Page,
) -> None:
    page = on_a_line
    page.goto("/")
    # A form that leads to another page.
    sent: list[str] = []

    def nowhere(route: Route) -> None:
        sent.append(route.request.url)
        route.fulfill(status=204)

    page.route("**/play-now", nowhere)
    now = page.get_by_role("button", name="Play now").first
    with page.expect_response("**/play-now"):
        looks = "(button) => { button.click(); button.click(); return button.ariaBusy; }"
        assert now.evaluate(looks) == "true"
    assert len(sent) == 1
    page.unroute_all()
    start(page, goal=9)
    choose_move(page)
    expect(page.locator("#hand .verdict")).to_be_visible()
    play = page.locator("#play")
    rest = play.evaluate("(button) => getComputedStyle(button).boxShadow")
    page.evaluate("line.held = []")
    play.click()
    expect(play).to_have_attribute("aria-busy", "true")
    assert play.evaluate("(button) => getComputedStyle(button).boxShadow") != rest
    version = version_of(page)
    page.evaluate("line.held.forEach((go) => go()); line.held = null")
    wait_for_next(page, version)
    expect(page.locator("#hand [aria-busy=true]")).to_have_count(0)

    button = choose_move(page)
    version = version_of(page)
    page.evaluate("line.down = true; line.sent = []")
    page.locator(f"#{button}").click()
    expect(page.locator("#lost")).to_contain_text("It may have arrived")
    expect(page.locator(f"#{button}")).to_have_attribute("aria-busy", "true")
    page.wait_for_function("() => line.sent.filter((to) => to.endsWith('/actions')).length > 1")
    page.evaluate("line.down = false")
    wait_for_next(page, version)
    expect(page.locator("#lost")).to_be_empty()
