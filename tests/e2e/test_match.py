"""Whole matches in a real browser: with JavaScript, without it, and by the keyboard alone."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.conftest import Complaints
from tests.e2e.tables import (
    arrive,
    choose_move,
    focus_by_tab,
    hand,
    play_on,
    play_to_the_end,
    possible,
    start,
    tick,
    version_of,
    wait_for_next,
)

pytestmark = pytest.mark.usefixtures("complaints")


def test_one_button_leads_from_the_home_page_to_a_won_match(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="Play now").click()
    arrive(page, "#table")
    for _ in range(3):
        play_on(page)
    start(page, bots=2, goal=1)
    play_to_the_end(page)
    address = page.url
    page.get_by_role("button", name="Play again").click()
    page.wait_for_url(lambda url: url != address)
    page.goto("/")
    expect(page.locator("main")).to_contain_text("Your turn")


def test_the_receipt_follows_the_ticks_and_says_what_the_move_will_do(page: Page) -> None:
    start(page, goal=9)
    cards = hand(page)
    tick(page, cards[:1])
    expect(page.locator("#hand .receipt")).to_be_visible()
    expect(page.locator("#play")).to_have_text("Play 1 card")
    tick(page, cards[:2])
    expect(page.locator("#play")).to_have_text("Play 2 cards")


def test_a_match_can_be_played_without_javascript(
    new_context: Callable[..., BrowserContext],
) -> None:
    page = new_context(java_script_enabled=False).new_page()
    start(page, bots=2, goal=1)
    expect(page.get_by_role("button", name="Check the score")).to_be_visible()
    tick(page, hand(page)[:2])
    page.get_by_role("button", name="Check the score").click()
    expect(page.locator("#hand .receipt")).to_be_visible()
    assert page.locator('#hand input[name="card"]:checked').count() == 2
    page.goto(page.url.removesuffix("/sum"))
    for _ in range(300):
        button = choose_move(page)
        if not button:
            break
        page.locator(f"#{button}").click()
        page.wait_for_load_state()
    expect(page.locator("#ending")).to_have_text(re.compile("won the match"))


def test_a_match_can_be_played_by_keyboard_alone(page: Page) -> None:
    page.goto("/tables/new")
    focus_by_tab(page, 'input[name="bots"]')
    page.keyboard.press("ArrowLeft")
    focus_by_tab(page, '[name="goal"]')
    page.keyboard.press("Home")
    page.keyboard.press("1")
    focus_by_tab(page, 'main form button:not([type="button"])')
    page.keyboard.press("Enter")
    page.wait_for_selector("#table")
    for _ in range(300):
        page.wait_for_selector("#play, #discard, #ending")
        if page.locator("#ending").count():
            break
        version = version_of(page)
        cards = hand(page)
        if page.locator("#discard").count():
            chosen, button = cards[: len(cards) - 7], "#discard"
        elif plays := possible(page):
            chosen, button = [card.name for card in plays[-1].cards], "#play"
        else:
            chosen, button = [], "#pass"
        for place, name in enumerate(chosen):
            nth = [n for n, card in enumerate(cards) if card == name][chosen[:place].count(name)]
            identity = page.locator('#hand input[name="card"]').nth(nth).get_attribute("id")
            focus_by_tab(page, f'[id="{identity}"]')
            page.keyboard.press("Space")
        focus_by_tab(page, button)
        page.keyboard.press("Enter")
        wait_for_next(page, version)
    expect(page.locator("#ending")).to_have_text(re.compile("won the match"))


def test_ticks_and_focus_survive_a_poll(page: Page) -> None:
    start(page, goal=9)
    tick(page, hand(page)[:2])
    page.locator('#hand input[name="card"]').nth(1).focus()
    page.locator("#hand .receipt").wait_for()
    revision = page.locator("#table").get_attribute("hx-get")
    # A new name in another tab is something to see, so the next poll brings a new part.
    other = page.context.new_page()
    other.goto("/account")
    other.get_by_label("Name that others see").fill("Somebody Else")
    other.get_by_role("button", name="Change the name").click()
    expect(page.locator("#table")).not_to_have_attribute("hx-get", str(revision))
    assert page.locator('#hand input[name="card"]:checked').count() == 2
    assert page.evaluate("document.activeElement.name") == "card"
    expect(page.locator("#hand .receipt")).to_be_visible()


def test_enter_in_a_tick_box_neither_plays_nor_passes(page: Page) -> None:
    start(page, goal=9)
    version = version_of(page)
    sent: list[str] = []
    page.on("request", lambda r: sent.append(r.url) if r.url.endswith("/actions") else None)
    tick(page, hand(page)[:1])
    page.locator('#hand input[name="card"]').first.focus()
    page.keyboard.press("Enter")
    page.wait_for_timeout(500)
    assert sent == []
    assert version_of(page) == version
    assert page.locator('#hand input[name="card"]:checked').count() == 1


def test_a_double_click_plays_once(page: Page) -> None:
    start(page, goal=9)
    version = int(version_of(page) or 0)
    tick(page, hand(page)[:1])
    sent = []
    page.on("request", lambda request: sent.append(request) if "/actions" in request.url else None)
    page.locator("#play").dblclick()
    wait_for_next(page, str(version))
    page.wait_for_timeout(300)
    expect(page.locator(".log").get_by_text("You opened", exact=False)).to_have_count(1)
    assert page.locator("#refusal").count() == 0


def test_two_tabs_do_not_fight(page: Page, complaints: Complaints) -> None:
    complaints.expect("409")
    start(page, goal=9)
    other = page.context.new_page()
    # The other tab hears nothing new: what it sends then is refused with the current table.
    other.route("**/table?*", lambda route: route.fulfill(status=204))
    other.goto(page.url)
    assert play_on(page)
    tick(other, hand(other)[:1])
    old = version_of(other)
    other.locator("#play").click()
    wait_for_next(other, old)
    page.wait_for_selector("#play, #discard, #ending")
    page.reload()
    other.reload()
    assert hand(page) == hand(other)
    assert version_of(page) == version_of(other)


def test_back_and_refresh_harm_nothing(page: Page) -> None:
    start(page, goal=9)
    address = page.url
    assert play_on(page)
    version, cards = version_of(page), hand(page)
    page.reload()
    assert (version_of(page), hand(page)) == (version, cards)
    page.goto("/rules")
    page.go_back()
    page.wait_for_selector("#table")
    assert page.url == address
    assert (version_of(page), hand(page)) == (version, cards)
    page.go_back()
    expect(page.locator("main h1")).to_be_visible()
    page.go_forward()
    page.wait_for_selector("#table")
    assert (version_of(page), hand(page)) == (version, cards)


def test_a_lost_connection_is_told_keeps_the_ticks_and_recovers(
    page: Page, complaints: Complaints
) -> None:
    complaints.expect("ERR_INTERNET_DISCONNECTED")
    complaints.expect("Failed to fetch")
    start(page, goal=9)
    tick(page, hand(page)[:2])
    page.locator("#hand .receipt").wait_for()
    version = version_of(page)
    page.context.set_offline(True)
    expect(page.locator("#lost")).to_have_text("Connection lost, trying again")
    assert page.locator('#hand input[name="card"]:checked').count() == 2
    page.locator("#play").click()
    page.wait_for_timeout(500)
    assert page.locator('#hand input[name="card"]:checked').count() == 2
    page.context.set_offline(False)
    # The move that found no line is sent by itself once there is one.
    wait_for_next(page, version)
    expect(page.locator("#lost")).to_have_text("")


def test_the_title_says_whose_turn_it_is_and_events_are_spoken(page: Page) -> None:
    start(page, goal=9)
    expect(page).to_have_title(re.compile("^Your turn"))
    assert play_on(page)
    expect(page.locator("#announce")).not_to_have_text("")


def test_passing_is_asked_about_and_can_be_called_off(page: Page) -> None:
    start(page, goal=9)
    version = version_of(page)
    page.locator("#pass").click()
    expect(page.locator("#ask")).to_be_visible()
    expect(page.locator("#ask-title")).to_be_focused()
    page.locator("#keep-playing").click()
    expect(page.locator("#ask")).to_have_count(0)
    assert version_of(page) == version
    page.locator("#pass").click()
    page.locator("#pass-anyway").click()
    wait_for_next(page, version)


def test_a_double_click_on_pass_does_not_answer_the_question(page: Page) -> None:
    start(page, goal=9)
    version = version_of(page)
    page.locator("#pass").dblclick(delay=20)
    page.wait_for_timeout(800)
    # The question may be there, called off, or still on its way: a page that is new asks nothing.
    page.reload()
    assert version_of(page) == version
    spot = page.locator("#pass").bounding_box()
    assert spot is not None
    page.locator("#pass").click()
    page.locator("#pass-anyway").wait_for()
    page.mouse.click(spot["x"] + spot["width"] / 2, spot["y"] + spot["height"] / 2)
    page.wait_for_timeout(500)
    page.reload()
    assert version_of(page) == version


@pytest.mark.parametrize("javascript", [True, False])
def test_enter_never_answers_the_question_before_a_pass(
    new_context: Callable[..., BrowserContext], javascript: bool
) -> None:
    page = new_context(java_script_enabled=javascript).new_page()
    start(page, goal=9)
    version = version_of(page) or ""
    page.locator("#pass").click()
    page.locator("#pass-anyway").wait_for()
    for field in ('#hand input[name="card"]', 'input[name="dont_ask"]'):
        # Without scripts, Enter asks for the sum on a page of its own.
        page.wait_for_load_state()
        if page.locator(field).count():
            page.locator(field).first.focus()
            page.keyboard.press("Enter")
            page.wait_for_timeout(400)
    expect(page.locator("#hand")).to_have_attribute("data-version", version)
    expect(page.locator("#discard")).to_have_count(0)


def test_a_double_click_on_play_now_starts_one_match(page: Page) -> None:
    page.goto("/")
    sent: list[str] = []
    page.on("request", lambda r: sent.append(r.url) if r.url.endswith("/play-now") else None)
    page.get_by_role("button", name="Play now").dblclick(delay=10)
    page.wait_for_selector("#table")
    assert len(sent) == 1


def test_sorting_works_again_after_registering_in_another_tab(
    page: Page, complaints: Complaints
) -> None:
    complaints.expect("400")
    start(page, goal=9)
    other = page.context.new_page()
    other.goto("/register")
    other.locator('input[name="handle"]').fill("otter")
    other.locator('input[name="password"]').fill("seven quiet otters swim")
    other.locator('main form button:not([type="button"])').last.click()
    expect(other.locator("main")).to_contain_text("it is shown only now")
    chosen = page.locator('#sort-menu [value="value"]')
    # The first press brings a form that is good, and one of the next, once it is there, does it.
    for _ in range(5):
        if not page.locator("#sort-menu[open]").count():
            page.locator("#sort-menu summary").click()
        with page.expect_response("**/settings"):
            chosen.click()
        page.wait_for_timeout(500)
        if chosen.get_attribute("aria-pressed") == "true":
            break
    expect(chosen).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#alert")).to_have_text("")
    numbers = [int(name.strip("+x-/")) for name in hand(page)]
    assert numbers == sorted(numbers) or numbers == sorted(numbers, reverse=True)


def test_a_match_can_be_given_up(page: Page) -> None:
    start(page, goal=9)
    page.locator("nav details summary", has_text="Give up").click()
    page.get_by_role("button", name="Give up the match").click()
    expect(page.locator("#ending")).to_have_text("Match given up")


def round_in_the_log(page: Page) -> int:
    heading = page.locator(".log__line--heading").first.inner_text()
    return int(heading.split()[1])


def test_what_lies_outside_the_swapped_part_follows_the_match(page: Page) -> None:
    start(page, goal=2)
    give_up = page.locator("nav details summary", has_text="Give up")
    expect(page.locator("#context")).to_contain_text("Round 1")
    expect(give_up).to_be_visible()
    # The head of the page comes after its part, so the part says where the match is.
    while round_in_the_log(page) == 1:
        play_on(page)
    expect(page.locator("#context")).to_contain_text(f"Round {round_in_the_log(page)}")
    play_to_the_end(page)
    expect(give_up).to_be_hidden()


def test_the_theme_is_chosen_and_remembered(page: Page) -> None:
    page.goto("/rules")
    page.locator("nav summary", has_text="Theme").click()
    with page.expect_response("**/settings"):
        page.get_by_role("button", name="Dark").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.goto("/")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
