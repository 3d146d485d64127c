import re
from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask
from flask_migrate import upgrade
from itsdangerous import timed
from sqlalchemy import delete, select
from werkzeug.test import TestResponse

from raisesum import create_app
from raisesum.extensions import db
from raisesum.models import Game, SignIn, User
from raisesum.services import absence, lobby, play, signins
from raisesum.services.clock import now_ms
from raisesum.services.errors import NoSuchTableError, PersonGoneError
from raisesum.services.transactions import write_transaction
from raisesum.web import sessions
from tests.conftest import close, settings
from tests.rows import count
from tests.web.browser import HTMX, PASSWORD, Browser

OTHER_PASSWORD = "eight loud herons"

Browsers = Callable[..., Browser]


def cookies(response: TestResponse) -> list[str]:
    return response.headers.getlist("Set-Cookie")


# The cookie


def test_there_is_one_cookie_and_scripts_and_other_sites_do_not_get_it(browser: Browser) -> None:
    (cookie,) = cookies(browser.get("/register"))
    name, *flags = cookie.split("; ")
    assert name.startswith(f"{browser.cookie_name}=")
    assert re.fullmatch("raisesum-[0-9a-f]{8}", browser.cookie_name)
    assert {"HttpOnly", "SameSite=Lax", "Path=/", f"Max-Age={400 * 24 * 3600}"} <= set(flags)
    assert "Secure" not in flags
    assert not any(flag.startswith("Domain") for flag in flags)


def test_over_https_it_is_secure_and_bound_to_this_host(new_browser: Browsers) -> None:
    browser = new_browser("https://localhost")
    (cookie,) = cookies(browser.get("/register"))
    name, *flags = cookie.split("; ")
    assert re.match("__Host-raisesum-[0-9a-f]{8}=", name)
    assert {"Secure", "HttpOnly", "SameSite=Lax", "Path=/"} <= set(flags)
    assert not any(flag.startswith("Domain") for flag in flags)
    browser.register("otter")
    assert browser.is_signed_in()


def test_a_guest_of_plain_http_is_known_when_the_site_has_moved_to_https(
    browser: Browser, new_browser: Browsers
) -> None:
    browser.register("otter")
    moved = new_browser("https://localhost")
    moved.client.set_cookie(browser.cookie_name, browser.cookie() or "", domain="localhost")
    assert moved.is_signed_in()
    moved.get("/account")
    sent = cookies(moved.send("/settings", theme="dark"))
    assert {(cookie.partition("=")[0], "Max-Age=0" in cookie) for cookie in sent} == {
        (moved.cookie_name, False),
        (browser.cookie_name, True),
    }
    assert moved.is_signed_in()


def test_a_cookie_given_over_https_and_put_in_by_plain_http_is_worth_nothing(
    new_browser: Browsers,
) -> None:
    attacker, victim = new_browser("https://localhost"), new_browser("https://localhost")
    attacker.become_guest()
    plain = new_browser().cookie_name
    victim.client.set_cookie(plain, attacker.cookie() or "", domain="localhost")
    assert not victim.is_signed_in()


# As the first releases have signed it with the key for tests; see LAST_RELEASE_TOKEN.
COOKIE_OF_THE_LAST_RELEASE = (
    ".eJyrVkpWslJKMyAOKukoFQOVJ-oWZ6bn6Wbm6ean6ZZkpOrmJBaX6Bal5qQmFqcq1QIAC-YZ2Q."
    "7Yiwbsmwx8KGCD7VTo620bhObrEN4W86FV0qtKKeshU"
)
LAST_RELEASE_TOKEN = "a-sign-in-of-the-last-release"


def guest_of_the_last_release(app: Flask, browser: Browser) -> str:
    """Put in what the last release has left in a browser; returns the name of the cookie."""
    with app.app_context(), write_transaction() as session:
        user = User(shown_name="Zoë", created_at=now_ms())
        token_hash = signins.token_hash(LAST_RELEASE_TOKEN)
        at = now_ms()
        session.add(SignIn(token_hash=token_hash, user=user, created_at=at, seen_at=at))
    secure = browser.base_url.startswith("https")
    name = "__Host-raisesum" if secure else "raisesum"
    browser.client.set_cookie(name, COOKIE_OF_THE_LAST_RELEASE, domain="localhost")
    return name


@pytest.mark.parametrize("base_url", ["http://localhost", "https://localhost"])
def test_a_guest_of_the_last_release_keeps_everything_and_the_next_post_renames_the_cookie(
    app: Flask, new_browser: Browsers, base_url: str
) -> None:
    browser = new_browser(base_url)
    old_name = guest_of_the_last_release(app, browser)
    assert "Zoë" in browser.get("/account").text
    assert browser.cookie() is None
    # The form token of a page that was open during the update is good as well.
    answer = browser.send("/settings", theme="dark", csrf_token=browser.token)
    assert answer.status_code == 303
    assert browser.cookie() is not None
    assert browser.client.get_cookie(old_name, domain="localhost") is None
    assert "Zoë" in browser.get("/account").text
    assert cookies(browser.send("/settings", theme="light")) == []
    assert browser.follow(browser.send("/sign-out", sure="yes")).status_code == 200
    assert not browser.is_signed_in()


def test_instances_on_one_host_leave_each_others_guests_alone(
    app: Flask, browser: Browser, tmp_path: Path
) -> None:
    other_app = create_app({**settings(tmp_path / "other"), "SECRET_KEY": "k" * 40})
    with other_app.app_context():
        upgrade()
    other = Browser(other_app)
    # Ports share the cookies of a host.
    other.client._cookies = browser.client._cookies
    guest_of_the_last_release(app, browser)
    other.become_guest()
    assert "Zoë" in browser.get("/account").text
    browser.send("/settings", theme="dark")
    assert other.is_signed_in()
    assert "Zoë" in browser.get("/account").text
    assert browser.cookie_name != other.cookie_name
    close(other_app)


def test_no_look_sends_the_cookie_again(browser: Browser) -> None:
    browser.become_guest()
    browser.get("/")
    for path in ("/", "/account", "/rules", "/tables/new", "/nothing/here"):
        assert cookies(browser.get(path)) == []
        assert cookies(browser.get(path, headers=HTMX)) == []


def test_no_poll_sends_the_cookie_or_writes(browser: Browser, app: Flask) -> None:
    browser.get("/")
    table = browser.send("/play-now").headers["Location"]
    browser.get(table)
    before = now_ms() - 40 * signins.SEEN_EVERY_MS
    set_all_seen(app, before)
    for _ in range(3):
        answer = browser.get(f"{table}/table?v=0", headers=HTMX)
        assert answer.status_code in (200, 204)
        assert cookies(answer) == []
    assert seen(app) == [before]


def test_a_post_lets_the_cookie_live_on_once_a_day(browser: Browser, app: Flask) -> None:
    browser.become_guest()
    assert cookies(browser.send("/settings", theme="dark")) == []
    set_all_seen(app, now_ms() - signins.SEEN_EVERY_MS - 1)
    assert len(cookies(browser.send("/settings", theme="light"))) == 1
    assert cookies(browser.send("/settings", theme="dark")) == []


def set_all_seen(app: Flask, when: int) -> None:
    with app.app_context(), signins.write_transaction() as session:
        for row in session.scalars(select(SignIn)):
            row.seen_at = when


def seen(app: Flask) -> list[int]:
    with app.app_context():
        return list(db.session.scalars(select(SignIn.seen_at)))


@pytest.mark.parametrize("change", ["", "x", "e30.x", "."])
def test_a_forged_cookie_is_as_good_as_none(browser: Browser, change: str) -> None:
    browser.become_guest()
    real = browser.cookie() or ""
    payload, _, signature = real.rpartition(".")
    for forged in (change, f"{payload}.{signature[::-1]}", f"{payload}{change}.{signature}x"):
        browser.set_cookie(forged)
        assert not browser.is_signed_in()
    browser.set_cookie(real)
    assert browser.is_signed_in()


def test_a_cookie_of_another_server_is_as_good_as_none(browser: Browser, tmp_path: Path) -> None:
    browser.become_guest()
    value = browser.cookie() or ""
    other_app = create_app({**settings(tmp_path / "other"), "SECRET_KEY": "k" * 40})
    other_name = sessions.cookie_name(other_app, is_secure=False)
    headers = {"Cookie": f"{other_name}={value}; raisesum={value}; {browser.cookie_name}={value}"}
    with other_app.test_request_context(headers=headers) as context:
        assert not other_app.session_interface.open_session(other_app, context.request)
    close(other_app)


@pytest.mark.parametrize("step", [-86_400, -1, 1, 86_400, 2_000_000_000])
def test_a_step_of_the_clock_logs_nobody_out_and_kills_no_form(
    browser: Browser, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    browser.become_guest()
    browser.get("/account")
    real = timed.time.time
    monkeypatch.setattr(timed.time, "time", lambda: real() + step)
    assert browser.is_signed_in()
    assert browser.send("/settings", theme="dark").status_code == 303


# Beginning and ending


def test_signing_in_gives_a_new_token_and_a_new_form_token(
    browser: Browser, new_browser: Browsers
) -> None:
    browser.register("otter")
    other = new_browser()
    other.get("/sign-in")
    before, form_token = other.cookie(), other.token
    other.sign_in("otter")
    assert other.cookie() != before
    other.get("/account")
    assert other.send("/settings", csrf_token=form_token, theme="dark").status_code == 400
    other.set_cookie(before or "")
    assert not other.is_signed_in()


def test_a_copied_cookie_ends_with_the_sign_out(browser: Browser, new_browser: Browsers) -> None:
    browser.register("otter")
    thief = new_browser()
    thief.set_cookie(browser.cookie() or "")
    assert thief.is_signed_in()
    browser.get("/account")
    assert browser.follow(browser.send("/sign-out")).status_code == 200
    assert "You are signed out." in browser.text
    assert not browser.is_signed_in()
    assert not thief.is_signed_in()


def test_signing_out_here_leaves_other_devices_signed_in(
    browser: Browser, new_browser: Browsers
) -> None:
    browser.register("otter")
    other = new_browser()
    other.sign_in("otter")
    browser.get("/account")
    browser.send("/sign-out")
    assert other.is_signed_in()


def test_a_password_change_ends_the_others_and_the_old_cookie_and_keeps_this_one(
    browser: Browser, new_browser: Browsers
) -> None:
    browser.register("otter")
    other, thief = new_browser(), new_browser()
    other.sign_in("otter")
    thief.set_cookie(browser.cookie() or "")
    browser.get("/account")
    changed = browser.send(
        "/account/password", current_password=PASSWORD, new_password=OTHER_PASSWORD
    )
    assert changed.status_code == 303
    assert [each.is_signed_in() for each in (browser, other, thief)] == [True, False, False]


def test_a_deletion_ends_every_sign_in(browser: Browser, new_browser: Browsers) -> None:
    browser.register("otter")
    other = new_browser()
    other.sign_in("otter")
    browser.get("/account/delete")
    assert browser.send("/account/delete", password=PASSWORD).status_code == 303
    assert [each.is_signed_in() for each in (browser, other)] == [False, False]


def test_signing_in_again_leaves_no_old_row(browser: Browser, app: Flask) -> None:
    browser.become_guest()
    browser.register("otter")
    assert count(app, "sign_ins") == 1
    with app.app_context():
        assert db.session.scalars(select(User.handle)).all() == ["otter"]


def test_a_look_makes_nobody_and_a_form_makes_one_guest(browser: Browser, app: Flask) -> None:
    for path in ("/", "/register", "/sign-in", "/recover", "/rules", "/tables/new", "/account"):
        browser.get(path)
    assert count(app, "users") == 0
    browser.become_guest()
    browser.get("/account")
    browser.send("/settings", theme="dark")
    assert count(app, "users") == 1


def test_becoming_a_guest_keeps_other_open_pages_good(browser: Browser) -> None:
    browser.get("/")
    token = browser.token
    assert browser.send("/settings", csrf_token=token, theme="dark").status_code == 303
    assert browser.send("/settings", csrf_token=token, theme="light").status_code == 303


# A dead session


def dead(browser: Browser) -> None:
    """End the sign-in behind the browser's back, as another device can."""
    with browser.client.application.app_context(), signins.write_transaction() as session:
        for row in session.scalars(select(SignIn)):
            session.delete(row)


def test_a_dead_session_on_a_page_leads_to_the_sign_in_page_and_back(browser: Browser) -> None:
    browser.register("otter")
    dead(browser)
    answer = browser.get("/account")
    assert answer.status_code == 303
    assert answer.headers["Location"] == "/sign-in?next=/account"
    browser.follow(answer)
    assert browser.fields()["next"] == "/account"
    back = browser.send("/sign-in", handle="otter", password=PASSWORD, next="/account")
    assert back.headers["Location"] == "/account"


def test_a_dead_session_on_a_poll_leaves_the_page_instead_of_filling_it(browser: Browser) -> None:
    browser.get("/")
    table = browser.send("/play-now").headers["Location"]
    browser.get(table)
    dead(browser)
    answer = browser.get(
        f"{table}/table?v=0", headers={**HTMX, "HX-Current-URL": f"http://localhost{table}"}
    )
    assert answer.status_code == 401
    assert answer.headers["HX-Redirect"] == f"/sign-in?next={table}"
    assert answer.text == ""


def test_a_dead_session_on_a_move_leads_back_to_the_table(browser: Browser) -> None:
    browser.get("/")
    table = browser.send("/play-now").headers["Location"]
    browser.get(table)
    dead(browser)
    here = {**HTMX, "HX-Current-URL": f"http://localhost{table}"}
    answer = browser.send(f"{table}/actions", headers=here, action="pass", version="0")
    assert answer.status_code == 401
    assert answer.headers["HX-Redirect"] == f"/sign-in?next={table}"
    answer = browser.send(f"{table}/actions", action="pass", version="0")
    assert answer.status_code == 303
    assert answer.headers["Location"] == f"/sign-in?next={table}"


def test_a_sign_in_page_named_by_htmx_for_another_site_is_not_gone_back_to(
    browser: Browser,
) -> None:
    evil = {**HTMX, "HX-Current-URL": "https://evil.example/games/x"}
    assert browser.get("/account", headers=evil).headers["HX-Redirect"] == "/sign-in"


def test_who_is_deleted_elsewhere_in_the_middle_of_a_request_is_led_to_the_sign_in_page(
    app: Flask, browser: Browser
) -> None:
    browser.register("otter")
    real = app.view_functions["accounts.change_password"]

    def interrupted() -> object:
        with app.app_context(), signins.write_transaction() as session:
            session.delete(session.scalars(select(User)).one())
        return real()

    app.view_functions["accounts.change_password"] = sessions.sign_in_required(interrupted)
    browser.get("/account")
    sent = {"current_password": PASSWORD, "new_password": OTHER_PASSWORD}
    answer = browser.send("/account/password", **sent)
    assert answer.headers["Location"] == "/sign-in?next=/account"


@pytest.mark.parametrize("path", ["actions", "leave", "give-up"])
def test_who_goes_together_with_the_table_in_the_middle_of_a_request_is_led_away(
    app: Flask, browser: Browser, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser.get("/")
    table = browser.send("/play-now").headers["Location"]
    browser.get(table)

    def restored(*_: object, **__: object) -> None:
        """As when a copy is brought back in which there was neither."""
        with write_transaction() as session:
            session.execute(delete(Game))
            session.execute(delete(User))
        raise NoSuchTableError

    monkeypatch.setattr(play, "submit", restored)
    monkeypatch.setattr(absence, "leave", restored)
    monkeypatch.setattr(play, "give_up", restored)
    answer = browser.send(f"{table}/{path}", action="pass", confirmed="1", version="0")
    assert answer.status_code in (303, 404)


@pytest.mark.parametrize("path", ["/play-now", "/tables/new"])
def test_who_goes_before_a_table_is_set_is_led_to_the_sign_in_page(
    app: Flask, browser: Browser, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser.become_guest()
    browser.get("/tables/new")

    def gone(*_: object, **__: object) -> None:
        with write_transaction() as session:
            session.execute(delete(User))
        raise PersonGoneError

    monkeypatch.setattr(lobby, "start_practice", gone)
    choices = {"bots": "1", "level_1": "easy", "deck": "full", "goal": "1", "first": "1"}
    answer = browser.send(path, **choices)
    assert (answer.status_code, answer.headers["Location"][:8]) == (303, "/sign-in")


def test_a_row_that_is_missing_for_another_reason_is_a_fault(app: Flask, browser: Browser) -> None:
    browser.register("otter")
    app.config["PROPAGATE_EXCEPTIONS"] = False

    def broken() -> None:
        db.session.get_one(User, 10**6)

    app.view_functions["home.rules"] = broken
    assert browser.get("/rules").status_code == 500
