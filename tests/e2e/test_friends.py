"""Several people at one table, each in a browser of their own."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from raisesum.engine import Phase
from tests.e2e.conftest import Complaints
from tests.e2e.positions import put
from tests.e2e.tables import arrive, choose, move
from tests.engine.positions import position
from tests.servers import Server

NewContext = Callable[..., BrowserContext]

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}

HIDDEN = """
    window.pretended = "HIDDEN" === window.name ? "hidden" : "visible";
    Object.defineProperty(document, "visibilityState", { get: () => window.pretended });
    Object.defineProperty(document, "hidden", { get: () => window.pretended === "hidden" });
"""


TOLD = """
    window.told = {sounds: 0, looping: 0, notices: []};
    window.AudioContext = class {
        currentTime = 0;
        destination = {};
        resume() { return Promise.resolve(); }
        createGain() {
            const gain = {setValueAtTime() {}, exponentialRampToValueAtTime() {}};
            return {gain, connect() {}};
        }
        createOscillator() {
            const oscillator = {frequency: {setValueAtTime() {}}, connect() {}};
            oscillator.start = () => { window.told.sounds += 1; window.told.looping += 1; };
            oscillator.stop = () => { window.told.looping -= 1; };
            return oscillator;
        }
    };
    window.Notification = class {
        static permission = "default";
        static async requestPermission() {
            this.permission = window.name === "refuses" ? "denied" : "granted";
            return this.permission;
        }
        constructor(title) { window.told.notices.push(title); }
        addEventListener() {}
        close() {}
    };
"""


def set_table(page: Page, **choices: str) -> str:
    """Set a table by its form and return its address."""
    page.goto("/")
    page.get_by_role("link", name="Play with friends").click()
    for name, value in choices.items():
        if name == "spectators":
            page.locator('input[name="spectators"]').check()
        else:
            choose(page, name, value)
    page.get_by_role("button", name="Set the table").first.click()
    arrive(page, "#room")
    return page.url


def sit_down(page: Page, name: str = "") -> None:
    """Sit down at the table whose page this is."""
    if name:
        page.get_by_label("Your name at the table").fill(name)
    page.get_by_role("button", name="Sit down").click()
    arrive(page, "#room .place--you")


def say_hello(page: Page, seat: int) -> None:
    """Say it from one's own seat; once this is back, all others can see it who ask anew."""
    page.locator("#say-hello").click()
    expect(page.locator(f"#seat-{seat} .seat__says")).to_have_text("Hello!")


def check_until(page: Page, shown: Locator) -> None:
    """Press "Check now" until `shown` is there.

    Once is not enough: a poll that set out before there was news may come in between.
    """
    for _ in range(200):
        if shown.count():
            return
        page.locator("#check-now").click()
        page.wait_for_timeout(100)
    raise AssertionError(f"asking never brings {shown}")


def is_asked(page: Page) -> bool:
    """Whether the page, as it is now, asks for a move."""
    return page.locator("#play, #discard").count() > 0


def look_again(page: Page) -> None:
    """Refresh a page that no script refreshes."""
    scripted = page.evaluate("() => document.documentElement.classList.contains('js')")
    if not scripted and page.locator("#check-now").count():
        page.locator("#check-now").click()
        page.wait_for_load_state()


def play(pages: Sequence[Page], moves: int, *, passes: bool = False) -> bool:
    """Let whoever is asked move, so many times or to the end; False once it is over."""
    for _ in range(moves):
        for _ in range(200):
            for page in pages:
                look_again(page)
                if page.locator("#ending").count():
                    return False
            asked = [page for page in pages if is_asked(page)]
            if asked:
                break
            pages[0].wait_for_timeout(100)
        else:
            raise AssertionError("nobody is asked to move")
        assert len(asked) == 1, "two are asked at once"
        move(asked[0], passes=passes)
    return True


def play_to_the_end(pages: Sequence[Page]) -> None:
    play(pages, 1)
    while play(pages, 1, passes=True):
        pass
    for page in pages:
        look_again(page)
        expect(page.locator("#ending")).to_have_text(re.compile("won the match"))


def test_a_public_table_fills_by_list_code_and_link_and_is_played_to_its_winner_twice(
    new_context: NewContext,
) -> None:
    one = new_context().new_page()
    two = new_context(**PHONE).new_page()
    three = new_context(java_script_enabled=False).new_page()
    four = new_context().new_page()
    address = set_table(one, access="public", seats="4", goal="1", deck="addition")
    path = "/games/" + address.rsplit("/", 1)[-1]

    two.goto("/")
    link = one.get_by_label("or send the link").input_value()
    two.locator(f'a[href="/invitation/{link.rsplit("/", 1)[-1]}"]').click()
    sit_down(two)
    code = one.locator(".invite__letters").inner_text()
    three.goto("/")
    three.get_by_label("Got a code from a friend?").fill(code.lower())
    three.get_by_role("button", name="Join").click()
    sit_down(three)
    four.goto(link)
    sit_down(four)
    expect(one.locator(".place--person")).to_have_count(3)
    four.goto("/")
    expect(four.locator(f'a[href="{path}"]')).to_contain_text("Waiting for players")
    four.goto(path)

    # The host leaves, and the next person has the same controls.
    one.get_by_text("Leave this table").click()
    one.get_by_role("button", name="Leave the table").click()
    expect(two.locator("#start")).to_be_visible()
    expect(two.get_by_text("Change the table")).to_be_visible()
    one.goto(path)
    sit_down(one)
    expect(two.locator(".place--person")).to_have_count(3)
    two.locator("#start").click()
    for page in (one, two, four):
        expect(page.locator("#table")).to_be_visible()
    three.reload()
    expect(three.locator("#table")).to_be_visible()

    pages = [one, two, three, four]
    play_to_the_end(pages)

    # One press each.
    for page in (one, two, four):
        page.get_by_role("button", name="Play again").click()
        expect(page.locator("#room")).to_be_visible()
    three.get_by_role("button", name="Play again").click()
    for page in pages:
        expect(page.locator("#table")).to_be_visible()
        expect(page.locator("#ending")).to_have_count(0)
    play_to_the_end(pages)


def test_a_private_table_goes_on_without_those_who_leave_or_lose_the_connection(
    new_context: NewContext, complaints: Complaints
) -> None:
    complaints.expect("ERR_INTERNET_DISCONNECTED")
    complaints.expect("Failed to fetch")
    one = new_context().new_page()
    two_context = new_context(**PHONE)
    two = two_context.new_page()
    three = new_context(java_script_enabled=False).new_page()
    watcher = new_context().new_page()
    address = set_table(
        one, access="private", seats="3", goal="1", deck="addition", pace="relaxed", spectators="1"
    )
    watcher.goto("/")
    assert address.rsplit("/", 1)[-1] not in watcher.content()
    for page, name in ((two, "Zoë"), (three, "")):
        page.goto(address)
        sit_down(page, name)
    expect(one.locator(".place--person")).to_have_count(2)
    one.locator("#start").click()
    expect(two.locator("#table")).to_be_visible()
    three.reload()
    expect(one.locator("#seat-2")).to_contain_text("Zoë")
    expect(one.locator("#clock")).to_be_visible()

    watcher.goto(address)
    expect(watcher.locator("#hand-title")).to_have_text("You are watching")
    assert not is_asked(watcher)

    # Something is said, and a move made meanwhile is not stale.
    say_hello(two, seat=2)
    expect(one.locator("#seat-2 .seat__says")).to_have_text("Hello!")
    expect(watcher.locator("#seat-2 .seat__says")).to_have_text("Hello!")

    # One leaves in mid-match; a stand-in plays, until they are back.
    play([one, two, three], 1)
    one.locator(".menu--give-up summary").click()
    one.get_by_role("button", name="Leave the match").click()
    expect(one.locator("main")).to_contain_text("You left: a stand-in plays")
    expect(two.locator("#seat-1 .seat__state")).to_contain_text("stand-in")
    play([two, three], 1)
    one.goto(address)
    if one.locator("#come-back").count():
        one.locator("#come-back").click()
        expect(one.locator("#come-back")).to_have_count(0)
        expect(two.locator("#seat-1 .seat__state")).not_to_contain_text("stand-in")

    # One loses the connection for a while; the page says so, and finds the table again.
    two_context.set_offline(True)
    two.evaluate("htmx.trigger('#table', 'every')")
    expect(two.locator("#lost")).to_contain_text("Connection lost")
    two_context.set_offline(False)
    expect(two.locator("#lost")).to_be_empty()
    play_to_the_end([one, two, three])
    expect(watcher.locator("#ending")).to_contain_text("won the match")


def test_ones_turn_shows_in_title_and_icon(new_context: NewContext) -> None:
    one, two = new_context().new_page(), new_context().new_page()
    address = set_table(one, seats="2", first="1")
    two.goto(address)
    sit_down(two)
    one.locator("#start").click()
    expect(two.locator("#table")).to_be_visible()
    expect(one).to_have_title(re.compile("^Your turn"))
    expect(one.locator('link[rel="icon"]')).to_have_attribute("href", re.compile("icon-turn"))
    expect(two).not_to_have_title(re.compile("Your turn"))
    while is_asked(one):
        move(one, passes=False)
    expect(two).to_have_title(re.compile("^Your turn"))
    expect(two.locator('link[rel="icon"]')).to_have_attribute("href", re.compile("icon-turn"))
    expect(one.locator('link[rel="icon"]')).to_have_attribute("href", re.compile("icon.svg"))


def test_the_end_of_ones_time_is_told_once_and_when_the_page_last_asked(
    new_context: NewContext,
) -> None:
    one, two = new_context().new_page(), new_context().new_page()
    one.clock.install()
    address = set_table(one, seats="2", first="1", pace="relaxed")
    two.goto(address)
    sit_down(two)
    one.locator("#start").click()
    expect(one.locator("#play")).to_be_visible()
    one.evaluate(
        """() => {
            window.heard = [];
            const announce = document.querySelector("#announce");
            new MutationObserver(() => heard.push(announce.textContent)).observe(
                announce, {childList: true, characterData: true, subtree: true});
        }"""
    )
    one.clock.fast_forward(112_000)
    one.wait_for_function("() => heard.some((text) => text.includes('seconds left for your turn'))")
    # The next part brings what the server says is left, and the end comes near once more.
    expect(two.locator("#table")).to_be_visible()
    say_hello(two, seat=2)
    check_until(one, one.locator("#seat-2 .seat__says", has_text="Hello!"))
    expect(one.locator("#checked-ago")).to_have_text(re.compile(r"Checked \d+ s ago"))
    expect(one.locator("#clock")).not_to_have_class(re.compile("clock--near"))
    one.clock.fast_forward(112_000)
    heard = one.evaluate("heard")
    assert len([text for text in heard if "seconds left for your turn" in text]) == 1, heard


def test_a_sound_and_a_notice_tell_of_ones_turn_once_and_only_who_asked_for_them(
    new_context: NewContext,
) -> None:
    one, context = new_context().new_page(), new_context()
    context.add_init_script(HIDDEN)
    context.add_init_script(TOLD)
    two = context.new_page()
    address = set_table(one, seats="2", first="1", deck="addition", goal="9")
    two.goto(address)
    sit_down(two)
    one.locator("#start").click()
    expect(two.locator("#table")).to_be_visible()

    def told() -> list[object]:
        return two.evaluate("() => [told.sounds, told.looping, told.notices.length]")

    def turn_of(page: Page, other: Page) -> None:
        """Let the other play until it is this page's turn, which it learns by asking."""
        for _ in range(200):
            if is_asked(page):
                return
            if is_asked(other):
                move(other, passes=False)
            page.locator("#check-now").click()
            page.wait_for_timeout(100)
        raise AssertionError("it never is this page's turn")

    # Neither at first.
    turn_of(two, one)
    assert told() == [0, 0, 0]
    two.locator("details.menu", has_text="Tell me when it is my turn").locator("summary").click()
    sound, notice = two.locator('[data-tell="sound"]'), two.locator('[data-tell="notice"]')
    expect(sound).to_have_attribute("aria-pressed", "false")
    sound.click()
    expect(sound).to_have_attribute("aria-pressed", "true")
    # It is played once as a sample.
    two.wait_for_function("() => told.sounds === 1")
    two.evaluate("() => { window.name = 'refuses'; }")
    notice.click()
    expect(two.locator("#alert")).to_contain_text("does not allow notices")
    expect(notice).to_have_attribute("aria-pressed", "false")
    two.evaluate("() => { window.name = ''; }")
    notice.click()
    expect(notice).to_have_attribute("aria-pressed", "true")
    turn_of(one, two)
    turn_of(two, one)
    # Whoever looks at the page hears it, and needs no notice.
    two.wait_for_function("() => told.sounds === 2")
    assert told() == [2, 0, 0]
    turn_of(one, two)
    pretend(two, "hidden")
    turn_of(two, one)
    two.wait_for_function("() => told.notices.length === 1")
    assert told() == [3, 0, 1]
    # News of the same turn tell of it no more.
    say_hello(one, seat=1)
    check_until(two, two.locator("#seat-1 .seat__says", has_text="Hello!"))
    assert told() == [3, 0, 1]
    two.reload()
    expect(two.locator("#table")).to_be_visible()
    assert told() == [0, 0, 0]


def test_a_guest_goes_on_with_another_device_and_both_play(new_context: NewContext) -> None:
    one, other = new_context().new_page(), new_context(**PHONE).new_page()
    address = set_table(one, seats="2", first="1")
    one.get_by_role("link", name="Go on with another device").click()
    one.get_by_role("button", name="Make a link").click()
    other.goto(one.get_by_label("The link").input_value())
    other.get_by_role("button", name=re.compile("Go on as")).click()
    other.goto(address)
    expect(other.locator("#start")).to_be_visible()
    other.locator("#start").click()
    expect(other.locator("#play")).to_be_visible()
    one.goto(address)
    expect(one.locator("#play")).to_be_visible()
    move(other, passes=False)
    expect(one.locator("#hand")).not_to_have_attribute("data-version", "0")


@pytest.fixture
def counted(new_context: NewContext) -> Callable[[], tuple[Page, list[str]]]:
    """Make pages whose requests are counted, and whose visibility can be pretended."""

    def make() -> tuple[Page, list[str]]:
        page = new_context().new_page()
        page.add_init_script(HIDDEN)
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        return page, asked

    return make


def pretend(page: Page, state: str) -> None:
    """Hide or show the page, as far as it can know."""
    page.evaluate(
        """(state) => {
            window.pretended = state;
            document.dispatchEvent(new Event("visibilitychange"));
        }""",
        state,
    )


def test_a_quiet_minute_costs_little(
    counted: Callable[[], tuple[Page, list[str]]], new_context: NewContext, live_server: Server
) -> None:
    """Nine pages are open for a minute: looked at, hidden, on turn, watching, at the end.

    Who sits there looks at the table all the time: that somebody grows quiet would be news.
    """
    one, turns = counted()
    address = set_table(one, seats="2", first="1", spectators="1")
    opened: dict[str, tuple[Page, list[str]]] = {"own turn": (one, turns)}
    waiting, asked = counted()
    waiting.goto(address)
    sit_down(waiting)
    one.locator("#start").click()
    expect(one.locator("#play")).to_be_visible()
    expect(waiting.locator("#table")).to_be_visible()
    opened["waits"] = waiting, asked
    state = waiting.context.storage_state()
    for name in ("waits, hidden",):
        hidden = new_context(storage_state=state).new_page()
        hidden.add_init_script(HIDDEN)
        seen: list[str] = []
        hidden.on("request", lambda request, seen=seen: seen.append(request.url))
        hidden.goto(address)
        opened[name] = hidden, seen
    own = new_context(storage_state=one.context.storage_state()).new_page()
    own.add_init_script(HIDDEN)
    on_turn: list[str] = []
    own.on("request", lambda request: on_turn.append(request.url))
    own.goto(address)
    opened["own turn, hidden"] = own, on_turn
    for name in ("watches", "watches, hidden"):
        page, asked = counted()
        page.goto(address)
        opened[name] = page, asked
    over, asked = counted()
    over.goto("/")
    over.get_by_role("button", name="Play now").click()
    arrive(over, "#table")
    over.locator(".menu--give-up summary").click()
    over.get_by_role("button", name="Give up the match").click()
    expect(over.locator("#ending")).to_be_visible()
    opened["finished"] = over, asked
    for name in ("finished among friends", "finished among friends, hidden"):
        ended, asked = counted()
        friend = new_context().new_page()
        place = set_table(ended, seats="2", first="1")
        friend.goto(place)
        sit_down(friend)
        ended.locator("#start").click()
        expect(ended.locator("#play")).to_be_visible()
        end = position("+1", "+1", goal=1, points=(1, 0), phase=Phase.OVER)
        put(live_server, place, end, status="finished", winner=1)
        friend.close()
        expect(ended.locator("#ending")).to_be_visible()
        opened[name] = ended, asked
    for name, (page, _) in opened.items():
        if "hidden" in name:
            pretend(page, "hidden")
    for _, asked in opened.values():
        asked.clear()
    waiting.wait_for_timeout(60_000)
    found = {name: len(asked) for name, (_, asked) in opened.items()}
    print(f"requests in a quiet minute: {found}")  # noqa: T201 - what was measured
    assert found["own turn"] <= 15
    assert found["waits"] <= 15
    assert found["watches"] <= 15
    assert 1 <= found["waits, hidden"] <= 2
    assert found["own turn, hidden"] == 0
    assert found["watches, hidden"] == 0
    assert found["finished"] == 0
    assert 8 <= found["finished among friends"] <= 13
    assert 1 <= found["finished among friends, hidden"] <= 2
    # And whoever comes back to a page is told at once, and not only half a minute later.
    opened["waits, hidden"][1].clear()
    with opened["waits, hidden"][0].expect_request(re.compile("/table"), timeout=10_000):
        pretend(opened["waits, hidden"][0], "visible")
