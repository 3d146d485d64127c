"""Signing in, registering, recovering: slowed by account and address; others don't notice."""

from collections.abc import Callable

import pytest
from flask import Flask

from raisesum.services import clock
from raisesum.web.sessions import _network
from tests.rows import all_rows, count
from tests.web.browser import HTMX, PASSWORD, Browser

HERE, THERE = "192.0.2.1", "192.0.2.2"

#: As many as one address has for one account, in a quarter of an hour.
TRIES = 20

Browsers = Callable[..., Browser]


def from_address(browser: Browser, address: str) -> Browser:
    browser.client.environ_base["REMOTE_ADDR"] = address
    return browser


def guess(browser: Browser, path: str = "/sign-in", **fields: str) -> int:
    """Send one wrong guess; the status it is answered with."""
    browser.get(path)
    wrong = {
        "handle": "otter",
        "password": "a wrong one",
        "code": "x",
        "new_password": "eight loud herons",
    }
    return browser.send(path, **{**wrong, **fields}).status_code


@pytest.mark.parametrize("path", ["/sign-in", "/recover"])
def test_who_guesses_has_to_wait_and_is_told_how_long(
    new_browser: Browsers, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = new_browser()
    code = owner.register("otter")
    guesser = from_address(new_browser(), THERE)
    assert [guess(guesser, path) for _ in range(TRIES)] == [422] * TRIES
    guesser.get(path)
    answer = guesser.send(path, handle="Otter", password=PASSWORD, code=code, new_password=PASSWORD)
    assert answer.status_code == 429
    assert 0 < int(answer.headers["Retry-After"]) <= 15 * 60
    assert "Wait 15 minutes" in guesser.text or "Wait 14 minutes" in guesser.text
    assert guesser.fields()["handle"] == "Otter"

    # Whoever guesses, the owner does not notice, nor do others where the guesser is.
    assert new_browser().sign_in("otter").status_code == 303
    from_address(owner, THERE)
    assert owner.is_signed_in()
    other = from_address(new_browser(), THERE)
    other.register("heron")
    assert from_address(new_browser(), THERE).sign_in("heron").status_code == 303

    now = clock.now_ms()
    monkeypatch.setattr(clock, "now_ms", lambda: now + 15 * 60_000)
    assert guesser.sign_in("otter").status_code == 303


def test_who_guesses_from_many_places_is_slowed_too(new_browser: Browsers, app: Flask) -> None:
    new_browser().register("otter")
    browser = new_browser()
    statuses = []
    for place in range(6):
        from_address(browser, f"198.51.100.{place}")
        statuses += [guess(browser) for _ in range(10)]
    assert statuses == [422] * 50 + [429] * 10


def test_who_tries_one_password_on_many_accounts_is_slowed_too(new_browser: Browsers) -> None:
    browser = new_browser()
    statuses = [guess(browser, handle=f"otter{number}") for number in range(62)]
    assert statuses == [422] * 60 + [429] * 2
    assert guess(from_address(browser, THERE)) == 422


def test_finding_out_names_is_slowed(new_browser: Browsers, app: Flask) -> None:
    app.config["GUESTS_PER_HOUR"] = 30
    browser = new_browser()
    statuses = []
    for number in range(62):
        browser.get("/register")
        answer = browser.send("/register", handle=f"otter{number}", password="short")
        statuses.append(answer.status_code)
    assert statuses == [422] * 60 + [429] * 2
    from_address(browser, THERE).register("otter")


def test_so_many_guests_an_hour_come_from_one_address_and_the_rest_are_told_what_to_do(
    new_browser: Browsers, app: Flask
) -> None:
    assert app.config["GUESTS_PER_HOUR"] == 300
    app.config["GUESTS_PER_HOUR"] = 30
    for _ in range(30):
        new_browser().become_guest()
    late = new_browser()
    late.get("/")
    answer = late.send("/play-now")
    assert answer.status_code == 429
    assert "So many new people have come from your network" in late.text
    assert "Wait 60 minutes, sign in if you have an account, or ask" in late.text
    assert int(answer.headers["Retry-After"]) > 3000
    late.get("/tables/new")
    choices = {"bots": "1", "level_1": "easy", "deck": "full", "goal": "1", "first": "random"}
    assert late.send("/tables/new", **choices).status_code == 429
    assert late.send("/settings", theme="dark").status_code == 429
    answer = late.send("/settings", headers=HTMX, theme="dark")
    assert (answer.status_code, answer.headers["HX-Retarget"]) == (429, "#alert")
    assert count(app, "users") == 30
    from_address(new_browser(), THERE).become_guest()


def test_who_is_here_already_is_not_slowed_by_those_who_come(
    new_browser: Browsers, app: Flask
) -> None:
    app.config["GUESTS_PER_HOUR"] = 1
    browser = new_browser()
    browser.become_guest()
    browser.get("/")
    assert browser.send("/play-now").status_code == 303
    browser.register("otter")


def test_guessing_at_the_password_of_an_open_browser_is_slowed(browser: Browser) -> None:
    browser.register("otter")
    statuses = []
    for _ in range(TRIES + 2):
        browser.get("/account/delete")
        statuses.append(browser.send("/account/delete", password="a wrong one").status_code)
    assert statuses == [422] * TRIES + [429] * 2


def test_no_address_is_stored(new_browser: Browsers, app: Flask) -> None:
    guess(from_address(new_browser(), HERE))
    from_address(new_browser(), HERE).become_guest()
    assert HERE not in repr(all_rows(app))
    assert count(app, "throttles") == 4


def test_a_home_with_many_addresses_counts_as_one() -> None:
    assert _network("2001:db8:1:2:3::4") == _network("2001:db8:1:2:aaaa::1")
    assert _network("2001:db8:1:2:3::4") != _network("2001:db8:1:3::4")
    assert _network("::ffff:192.0.2.1") == _network("192.0.2.1") == "192.0.2.1"
    assert _network(None) == _network("nonsense") == ""
