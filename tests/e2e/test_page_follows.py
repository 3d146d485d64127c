"""What is around a table's part, and what Back and a reload bring, follows the table as well."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.positions import key_of, put
from tests.e2e.tables import arrive, box
from tests.e2e.test_friends import say_hello, set_table, sit_down
from tests.engine.positions import position
from tests.servers import Server

NewContext = Callable[..., BrowserContext]


def test_menus_follow_the_table_and_ticks_outlive_a_reload_but_not_their_version(
    new_context: NewContext, live_server: Server
) -> None:
    one, two = new_context().new_page(), new_context().new_page()
    address = set_table(one, seats="2", first="1")
    two.goto(address)
    sit_down(two)
    one.locator("#start").click()
    arrive(one, "#play")
    expect(two.locator("#table")).to_be_visible()
    put(live_server, address, position("+5 +5 +3 x2", "+1", standing="+6"))
    expect(box(one, "x2")).to_be_visible()

    for card, nth in (("+5", 1), ("+3", 0)):
        box(one, card, nth).check(force=True)
    expect(one.locator("#play")).to_have_text("Play 2 cards")
    verdict = one.locator("#hand .verdict").first
    expect(verdict).to_contain_text("8 beats 6")
    one.reload()
    expect(one.locator("#play")).to_have_text("Play 2 cards")
    expect(verdict).to_contain_text("8 beats 6")
    assert [box(one, "+5", nth).is_checked() for nth in (0, 1)] == [False, True]
    # The same cards on another turn are other cards.
    put(live_server, address, position("+5 +5 +3 x2", "+1", standing="+9"))
    one.reload()
    expect(one.locator("#play")).to_have_text("Play cards")
    assert one.locator("#hand .pick__box:checked").count() == 0

    two.locator("#leave summary").click()
    two.get_by_role("button", name="Leave the match").click()
    expect(two.locator("main")).to_contain_text("You left")
    two.goto(address)
    expect(two.locator("#come-back")).to_be_visible()
    expect(two.locator("#leave")).to_have_count(0)
    two.locator("#come-back").click()
    expect(two.locator("#leave")).to_be_visible()
    # What is open stays open when news comes.
    two.locator("#leave summary").click()
    say_hello(one, seat=1)
    expect(two.locator("#seat-1 .seat__says")).to_have_text("Hello!")
    expect(two.get_by_role("button", name="Leave the match")).to_be_visible()


# What a browser says of a page that it brings back as it was left. It brings none back itself while
# a test drives it.
BACK = "() => dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))"


def asks_when_back_brings_it(page: Page, address: str) -> None:
    """See that the page asks for what there is now at an address that matches."""
    page.wait_for_load_state()
    with page.expect_response(lambda answer: re.search(address, answer.url) is not None):
        page.evaluate(BACK)


def test_back_brings_no_page_that_tells_of_tables_as_they_were(new_context: NewContext) -> None:
    page = new_context().new_page()
    room = set_table(page, seats="2")
    asks_when_back_brings_it(page, "/waiting[?]")
    page.goto("/")
    page.get_by_role("button", name="Play now").click()
    arrive(page, "#table")
    table = page.url
    asks_when_back_brings_it(page, "/table")
    page.locator("#give-up summary").click()
    page.get_by_role("button", name="Give up the match").click()
    arrive(page, "#ending")
    # It asks for nothing by itself any more, but for this.
    asks_when_back_brings_it(page, "/table$")
    for address in ("/", "/tables/open", f"{table}/review"):
        page.goto(address)
        with page.expect_navigation(url=re.compile(f"{re.escape(address)}$")):
            page.evaluate(BACK)
    page.goto("/")
    expect(page.locator(f'a[href="/games/{key_of(room)}"]')).to_be_visible()
