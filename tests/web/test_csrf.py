from collections.abc import Iterator

import pytest
from flask import Flask
from werkzeug.routing import Rule

from raisesum import create_app
from raisesum.web.csrf import STALE_FORM
from tests.conftest import settings
from tests.rows import all_rows
from tests.web.browser import HTMX, Browser

STALE = STALE_FORM.split(",")[0]


def posts(app: Flask) -> Iterator[Rule]:
    return (rule for rule in app.url_map.iter_rules() if "POST" in (rule.methods or ()))


def addresses(app: Flask, key: str) -> list[str]:
    """Every address that takes a form, at the table `key` where it is about one."""
    with app.test_request_context():
        adapter = app.url_map.bind("localhost")
        return [
            adapter.build(
                rule.endpoint,
                # A step of the lesson has a name, and there is no other.
                {name: "order" if name == "step" else key for name in rule.arguments},
                method="POST",
            )
            for rule in posts(app)
        ]


def rows_that_people_change(app: Flask) -> dict[str, object]:
    """Every row but the server's own pulse, which time moves."""
    return {table: rows for table, rows in all_rows(app).items() if table != "heartbeats"}


@pytest.mark.parametrize("kind", ["missing", "nonsense", "of another browser"])
@pytest.mark.parametrize("headers", [{}, HTMX], ids=["plain", "htmx"])
def test_no_form_is_acted_on_without_the_token_of_this_browser(
    app: Flask, browser: Browser, kind: str, headers: dict[str, str]
) -> None:
    # Bots that wait: what time makes due is no form's doing.
    app.config["BOT_DELAY_MS"] = 60_000
    other = Browser(app)
    other.get("/register")
    token = {"missing": "", "nonsense": "x.y.z", "of another browser": other.token}[kind]
    browser.register("otter")
    browser.get("/")
    key = browser.send("/play-now").headers["Location"].removeprefix("/games/")
    before = rows_that_people_change(app)
    fields = {"action": "pass", "theme": "dark", "shown_name": "Changed", "sure": "yes"}
    for address in addresses(app, key):
        answer = browser.send(address, headers=headers, csrf_token=token, **fields)
        # What is not there, such as a lesson of this name, may say so instead.
        assert answer.status_code in (400, 404, 410), address
        assert not answer.headers.getlist("Set-Cookie"), address
    assert rows_that_people_change(app) == before
    assert browser.is_signed_in()


def test_the_url_map_has_the_forms_this_is_about(app: Flask) -> None:
    rules = {rule.rule for rule in posts(app)}
    assert {"/sign-in", "/sign-out", "/register", "/settings", "/play-now"} <= rules


def test_nothing_but_get_and_post_is_answered(app: Flask) -> None:
    for rule in app.url_map.iter_rules():
        assert (rule.methods or set()) <= {"GET", "HEAD", "OPTIONS", "POST"}, rule


@pytest.mark.parametrize(
    ("path", "typed"),
    [
        ("/register", {"handle": "quick_otter", "shown_name": "Zoë <3"}),
        ("/sign-in", {"handle": "quick_otter", "next": "/rules"}),
        ("/recover", {"handle": "quick_otter"}),
    ],
)
def test_an_old_form_is_shown_again_with_what_was_typed_and_can_be_sent(
    browser: Browser, path: str, typed: dict[str, str]
) -> None:
    browser.get(path)
    browser.delete_cookie()
    answer = browser.send(path, **typed, **{"password": "not to be repeated", "code": "nor this"})
    assert answer.status_code == 400
    assert STALE in browser.text
    assert {name: browser.fields()[name] for name in typed} == typed
    assert "not to be repeated" not in browser.page
    assert "nor this" not in browser.page
    assert browser.send(path, **browser.fields()).status_code == 422


def test_a_name_typed_into_the_account_page_survives_a_sign_in_in_another_tab(
    browser: Browser,
) -> None:
    browser.register("otter")
    browser.get("/account")
    old = browser.token
    browser.get("/account")
    browser.send("/sign-out")
    browser.sign_in("otter")
    answer = browser.send("/account/name", csrf_token=old, shown_name="Zoë")
    assert answer.status_code == 400
    assert browser.fields()["shown_name"] == "Zoë"
    assert browser.send("/account/name", shown_name="Zoë").status_code == 303


def test_a_token_does_not_die_overnight(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    from itsdangerous import timed

    browser.get("/register")
    real = timed.time.time
    monkeypatch.setattr(timed.time, "time", lambda: real() + 300 * 24 * 3600)
    assert browser.send("/settings", theme="dark").status_code == 303


def test_over_https_a_form_of_another_site_is_refused_though_it_has_the_token(app: Flask) -> None:
    browser = Browser(app, "https://localhost")
    browser.get("/register")
    for referer in ("https://evil.example/", "http://localhost/", ""):
        answer = browser.send("/settings", headers={"Referer": referer}, theme="dark")
        assert answer.status_code == 400
    assert browser.send("/settings", theme="dark").status_code == 303


def test_a_route_without_a_page_of_its_own_answers_with_the_error_page(tmp_path: object) -> None:
    app = create_app(settings(tmp_path / "instance"))  # type: ignore[operator]

    @app.post("/plain")
    def plain() -> str:
        return "done"

    answer = app.test_client().post("/plain")
    assert answer.status_code == 400
    assert STALE in answer.text
