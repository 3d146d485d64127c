"""`HOST=0.0.0.0 make run`: devices in one room play on the computer of one of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from raisesum.config import own_address
from raisesum.web.invitation import qr_picture
from tests.e2e.conftest import Complaints
from tests.e2e.test_friends import set_table, sit_down
from tests.servers import Server, serving

OpenAt = Callable[[str], Page]


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that listens to all devices of the network."""
    with serving(tmp_path_factory.mktemp("room"), HOST="0.0.0.0") as server:  # noqa: S104 - meant
        yield server


@pytest.fixture
def address(room: Server) -> str:
    """How other devices reach it."""
    machine = own_address()
    if machine is None:
        pytest.skip("this machine is in no network")
    return f"http://{machine}:{room.port}"


@pytest.fixture
def open_at(browser: Browser, complaints: Complaints) -> Iterator[OpenAt]:
    """Make a device whose pages are at this address."""
    contexts = []

    def make(address: str) -> Page:
        context = browser.new_context(base_url=address)
        contexts.append(context)
        complaints.listen(context)
        return context.new_page()

    yield make
    for context in contexts:
        context.close()


def test_the_address_for_this_computer_is_printed_with_the_one_for_others(room: Server) -> None:
    machine = own_address()
    others = (
        "Other devices cannot reach it: this computer is in no network."
        if machine is None
        else f"For other devices on the network: http://{machine}:{room.port}"
    )
    assert room.printed().splitlines() == [
        f"Raise the Sum is at http://localhost:{room.port} (2 workers). Ctrl-C stops it.",
        others,
    ]


def test_link_and_picture_carry_the_address_for_others_who_play_by_it(
    room: Server, address: str, open_at: OpenAt
) -> None:
    # The host opened what was printed for this computer, and that is no use to anybody else.
    host = open_at(f"http://localhost:{room.port}")
    set_table(host, seats="2", first="1")
    link = host.get_by_label("or send the link").input_value()
    assert link.startswith(f"{address}/invitation/")
    expect(host.locator(".qr")).to_have_attribute("src", qr_picture(link))
    expect(host.locator(".invite__code")).to_contain_text(f"{address.partition('//')[2]}/join")
    expect(host.get_by_text("work on this computer only")).to_have_count(0)

    friend = open_at(address)
    friend.goto(link)
    sit_down(friend)
    expect(friend.locator(".qr")).to_have_attribute("src", qr_picture(link))
    expect(host.locator(".place--person")).to_have_count(1)
    host.locator("#start").click()
    expect(friend.locator("#table")).to_be_visible()


def test_a_link_is_copied_over_plain_http_and_leads_on_where_a_code_is_asked_for(
    address: str, open_at: OpenAt
) -> None:
    page = open_at(address)
    table = set_table(page, seats="2")
    # As on a friend's telephone, this page is none that browsers lend their clipboard to.
    assert page.evaluate("() => [isSecureContext, navigator.clipboard === undefined]") == [
        False,
        True,
    ]
    link = page.locator("#link").input_value()
    page.get_by_role("button", name="Copy").click()
    # The button says so for two seconds, and this for good.
    expect(page.locator("#announce")).to_have_text("Copied")
    page.goto("/join")
    code = page.locator('input[name="code"]')
    code.focus()
    page.keyboard.press("Control+V")
    expect(code).to_have_value(link)
    page.get_by_role("button", name="Join").click()
    expect(page).to_have_url(re.compile(re.escape(table)))
