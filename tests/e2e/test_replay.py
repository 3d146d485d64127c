"""Replays in a real browser: by keyboard, by themselves, without JavaScript, and from a file."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from raisesum.engine.record import read_record
from tests.e2e.conftest import Complaints
from tests.e2e.tables import arrive, choose_move, play_to_the_end, start, version_of
from tests.engine.records import RIGHT, SHORT

pytestmark = pytest.mark.usefixtures("complaints")


def title_of(at: int, last: int) -> re.Pattern[str]:
    return re.compile(rf"^Step {at} of {last} ")


def expect_step(page: Page, at: int, last: int) -> None:
    """Wait for the whole page of a step, which without scripts is another page each time."""
    expect(page).to_have_title(title_of(at, last))
    page.wait_for_load_state()


def last_step(page: Page) -> int:
    found = re.match(r"Step \d+ of (\d+)", page.title())
    assert found, page.title()
    return int(found[1])


def hands(page: Page) -> list[str]:
    return page.locator(".open-hand").all_inner_texts()


def download(page: Page, to: Path) -> bytes:
    """Press the button that downloads the record; return what came."""
    with page.expect_download() as waiting:
        page.get_by_role("link", name="Download the record").click()
    assert re.fullmatch(r"raise-the-sum-[a-z0-9-]+\.txt", waiting.value.suggested_filename)
    path = to / waiting.value.suggested_filename
    waiting.value.save_as(path)
    return path.read_bytes()


def walk_by_keys(page: Page, last: int) -> list[list[str]]:
    """Go from the deal to the end by the right arrow; return the hands of every step."""
    page.keyboard.press("Home")
    expect(page).to_have_title(title_of(0, last))
    seen = [hands(page)]
    for at in range(1, last + 1):
        page.keyboard.press("ArrowRight")
        expect(page).to_have_title(title_of(at, last))
        seen.append(hands(page))
    expect(page.locator("#replay .ending")).to_contain_text("won the match")
    return seen


def test_a_match_is_replayed_by_keyboard_downloaded_pasted_and_seen_again(
    page: Page, tmp_path: Path
) -> None:
    start(page, bots=2, goal=1)
    play_to_the_end(page)
    page.get_by_role("link", name="Watch the replay").click()
    arrive(page, "#replay")
    last = last_step(page)
    seen = walk_by_keys(page, last)
    expect(page).to_have_url(re.compile(rf"at={last}$"))
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_title(title_of(last - 1, last))
    page.reload()
    expect(page).to_have_title(title_of(last - 1, last))
    page.keyboard.press("End")
    expect(page).to_have_title(title_of(last, last))

    record = download(page, tmp_path)
    page.get_by_role("link", name="open here").click()
    page.get_by_label("Paste a record").fill(record.decode())
    page.keyboard.press("Home")
    page.get_by_role("button", name="Watch it").click()
    arrive(page, "#replay")
    assert last_step(page) == last
    assert walk_by_keys(page, last) == seen


def test_the_same_without_javascript(
    new_context: Callable[..., BrowserContext], tmp_path: Path
) -> None:
    page = new_context(java_script_enabled=False).new_page()
    start(page, bots=2, goal=1)
    for _ in range(300):
        button = choose_move(page)
        if not button:
            break
        page.locator(f"#{button}").click()
        page.wait_for_load_state()
    page.get_by_role("link", name="Watch the replay").click()
    arrive(page, "#replay")
    last = last_step(page)
    seen = [hands(page)]
    for at in range(1, last + 1):
        page.locator("#step-forward").click()
        expect_step(page, at, last)
        seen.append(hands(page))
    expect(page.locator("#link")).to_be_visible()
    expect(page.get_by_role("button", name="Copy the link")).to_be_hidden()

    record = download(page, tmp_path)
    page.get_by_role("link", name="Open a record").click()
    page.get_by_label("Paste a record").fill(record.decode())
    page.get_by_role("button", name="Watch it").click()
    for at in range(last + 1):
        expect_step(page, at, last)
        assert hands(page) == seen[at]
        if at < last:
            page.locator("#step-forward").click()
    page.locator("#step-first").click()
    expect(page).to_have_title(title_of(0, last))
    page.locator("#plays-toggle").click()
    expect(page.locator(".plays")).to_be_visible()
    expect(page.locator("#step-play")).to_be_hidden()


def test_without_javascript_a_replay_still_goes_on_by_itself(
    page: Page, new_context: Callable[..., BrowserContext]
) -> None:
    start(page, goal=1)
    play_to_the_end(page)
    plain = new_context(java_script_enabled=False).new_page()
    plain.goto(f"{page.url}/replay")
    last = last_step(plain)
    # Near the end, however many steps the match had.
    plain.goto(f"{page.url}/replay?at={max(0, last - 4)}")
    plain.get_by_role("link", name="Fast").click()
    expect_step(plain, last, last)
    assert "pace" in plain.url
    expect(plain.locator("#step-forward")).to_have_attribute("aria-disabled", "true")


def open_record(page: Page, path: Path) -> None:
    page.goto("/records/open")
    page.get_by_label("Or choose a file").set_input_files(path)
    page.get_by_role("button", name="Watch it").click()
    arrive(page, "#replay")


def test_a_file_is_watched_round_by_round_and_nothing_is_sent_to_it_but_steps(page: Page) -> None:
    open_record(page, RIGHT[10])
    with RIGHT[10].open("rb") as file:
        rounds = sum(b"round " in line for line in file)
        file.seek(0)
        last = len(read_record(file).steps) - 1
    assert last_step(page) == last
    expect(page.locator(".steps__more--rounds .steps__pick")).to_have_count(rounds)
    page.locator(f"#step-round-{rounds}").click()
    expect(page.locator(f"#step-round-{rounds}")).to_have_attribute("aria-current", "true")
    expect(page.locator(".header__context")).to_contain_text("Replay")
    page.locator("#plays-toggle").click()
    expect(page.locator(".plays__play").first).to_be_visible()
    page.locator(".log__way").last.click()
    expect(page.locator("#step-round-1")).not_to_have_attribute("aria-current", "true")


def test_keys_pressed_faster_than_steps_come_are_not_lost(page: Page) -> None:
    open_record(page, RIGHT[10])
    last = last_step(page)
    for _ in range(12):
        page.keyboard.press("ArrowRight")
    expect(page).to_have_title(title_of(12, last))
    for _ in range(5):
        page.keyboard.press("ArrowLeft")
    expect(page).to_have_title(title_of(7, last))


def test_keys_are_left_to_fields_lists_and_shortcuts(page: Page) -> None:
    open_record(page, RIGHT[10])
    last = last_step(page)
    page.locator(".log__list").focus()
    page.keyboard.press("End")
    page.keyboard.press("Control+ArrowRight")
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page).to_have_title(title_of(1, last))


def test_the_focus_stays_on_the_button_to_the_very_end(page: Page, tmp_path: Path) -> None:
    record = tmp_path / "short.txt"
    record.write_text(SHORT, newline="\n")
    open_record(page, record)
    page.locator("#step-forward").focus()
    for at in range(1, last_step(page) + 1):
        page.keyboard.press("Enter")
        expect(page).to_have_title(title_of(at, 3))
        expect(page.locator("#step-forward")).to_be_focused()
    expect(page.locator("#announce")).to_have_text(re.compile(r"East\W won the match. Step 3 of 3"))


def test_a_replay_goes_on_by_itself_at_a_pace_and_can_be_paused(page: Page) -> None:
    open_record(page, RIGHT[10])
    page.locator("#step-pace-fast").click()
    expect(page.locator("#step-pace-fast")).to_have_attribute("aria-current", "true")
    # A step is shown for a second, so it can be over when one looks.
    page.wait_for_function("() => Number(document.title.match(/^Step (\\d+) /)?.[1]) >= 2")
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Play by itself")).to_be_visible()
    paused = page.title()
    page.wait_for_timeout(1500)
    assert page.title() == paused


def test_the_link_is_copied_where_there_is_a_clipboard_and_where_there_is_none(
    page: Page,
) -> None:
    start(page, goal=1)
    play_to_the_end(page)
    page.goto(f"{page.url}/replay?at=1")
    link = page.locator("#link").inner_text()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy the link").click()
    expect(page.locator("[data-copy]")).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == link
    page.evaluate("navigator.clipboard.writeText('something else')")
    # Over plain HTTP there is no such thing.
    page.add_init_script("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    page.reload()
    page.get_by_role("button", name="Copy the link").click()
    expect(page.locator("[data-copy]")).to_have_text("Copied")
    page.goto("/records/open")
    page.get_by_label("Paste a record").focus()
    page.keyboard.press("Control+v")
    expect(page.get_by_label("Paste a record")).to_have_value(link)


def test_a_wrong_record_names_its_line_and_a_large_file_is_refused(
    page: Page, complaints: Complaints, tmp_path: Path
) -> None:
    complaints.expect("422")
    complaints.expect("413")
    page.goto("/records/open")
    page.get_by_label("Paste a record").fill(SHORT.replace("= 4", "= 5"))
    page.get_by_role("button", name="Watch it").click()
    expect(page.locator("#fault h2")).to_have_text("Line 11 is wrong")
    expect(page.locator(".excerpt__line--wrong")).to_contain_text("2 play: +1 +3 = 5")
    expect(page.locator("#fault")).to_be_focused()
    large = tmp_path / "large.txt"
    large.write_bytes(b"x" * 300_000)
    page.get_by_label("Or choose a file").set_input_files(large)
    page.get_by_role("button", name="Watch it").click()
    expect(page.locator("#errors")).to_contain_text("up to 64 KiB")


# -- Since you looked ----------------------------------------------------------------------

POLLS = "**/table?*"


def since(page: Page) -> list[str]:
    shown = page.locator("#since-list li").all_inner_texts()
    return [" ".join(text.split()) for text in shown] if page.locator("#since").is_visible() else []


def logged(page: Page, lines: str = ".log__line") -> list[str]:
    """Return the sentences of the log, oldest first."""
    texts = page.locator(f"{lines} .log__said").all_inner_texts()
    return [" ".join(text.split()) for text in texts][::-1]


def act(page: Page) -> None:
    """Make a move, with the discard it may ask for."""
    while True:
        button, version = choose_move(page), version_of(page)
        with page.expect_response("**/actions"):
            page.locator(f"#{button}").click()
        page.wait_for_function(
            "(version) => document.querySelector('#hand')?.dataset.version !== version", arg=version
        )
        if not page.locator("#discard").count():
            break


def hear_nothing(page: Page) -> None:
    """Let the page's polls bring no news, so that it stays as it is, until `hear_again`."""
    page.route(POLLS, lambda route: route.fulfill(status=204))


def hear_again(page: Page) -> None:
    page.unroute(POLLS)


def test_a_table_tells_what_happened_since_one_looked(page: Page) -> None:
    start(page, bots=3, goal=9)
    address = page.url
    assert since(page) == []
    hear_nothing(page)
    act(page)
    page.goto("/rules")
    page.goto(address)
    for _ in range(20):
        # Somebody who looks again and again without waiting, while the bots move.
        if since(page):
            break
        page.goto("/rules")
        page.goto(address)
    told = since(page)
    assert told
    assert told == logged(page)[-len(told) :]
    # What has been looked at is no news.
    hear_again(page)
    expect(page).to_have_title(re.compile("^Your turn"))
    page.reload()
    assert since(page) == []
    page.goto("/rules")
    page.goto(address)
    assert since(page) == []


def test_coming_back_to_an_open_tab_tells_what_happened_meanwhile(
    page: Page, new_context: Callable[..., BrowserContext]
) -> None:
    page.add_init_script(
        """
        let hidden = false;
        Object.defineProperty(document, "hidden", {get: () => hidden});
        Object.defineProperty(
            document, "visibilityState", {get: () => (hidden ? "hidden" : "visible")});
        window.look = (away) => {
            hidden = away;
            document.dispatchEvent(new Event("visibilitychange"));
        };
        """
    )
    start(page, bots=3, goal=9)
    hear_nothing(page)
    act(page)
    page.evaluate("look(true)")
    # Another browser of the same person lets the bots move.
    other = new_context(storage_state=page.context.storage_state())
    second = other.new_page()
    second.goto(page.url)
    second.wait_for_selector("#play, #discard")
    hear_again(page)
    page.evaluate("look(false)")
    expect(page.locator("#since")).to_be_visible()
    assert since(page)
    assert set(since(page)) <= set(logged(page))
    page.locator("#since-close").click()
    expect(page.locator("#since")).to_be_hidden()


def test_without_javascript_a_table_tells_what_the_bots_did(
    new_context: Callable[..., BrowserContext],
) -> None:
    page = new_context(java_script_enabled=False).new_page()
    start(page, bots=2, goal=9)
    for _ in range(2):
        button = choose_move(page)
        page.locator(f"#{button}").click()
        page.wait_for_load_state()
    assert since(page)
    assert since(page) == logged(page, ".log__line--fresh")
