import logging

import pytest
from flask import Flask, abort
from sqlalchemy.exc import OperationalError

from raisesum.extensions import db
from raisesum.models import User
from raisesum.services import signins
from raisesum.services.transactions import write_transaction
from raisesum.web.errors import PAGES
from tests.rows import all_rows
from tests.web.browser import HTMX, Browser


@pytest.fixture(autouse=True)
def _in_earnest(app: Flask) -> None:
    """Faults are answered, as they are outside of tests."""
    app.config["PROPAGATE_EXCEPTIONS"] = False


def replace(app: Flask, endpoint: str, view: object) -> None:
    app.view_functions[endpoint] = view  # type: ignore[assignment]


@pytest.mark.parametrize("status", [400, 403, 404, 405, 413])
def test_an_error_page_looks_like_the_rest_and_offers_the_way_back(
    app: Flask, browser: Browser, status: int
) -> None:
    replace(app, "home.rules", lambda: abort(status))
    answer = browser.client.get("/rules", headers={"Referer": "http://localhost/tables/new"})
    assert answer.status_code == status
    assert PAGES[status].title in answer.text
    assert '<header class="header">' in answer.text
    assert 'href="/tables/new"' in answer.text
    assert 'href="/"' in answer.text


def test_the_way_back_never_leads_elsewhere(browser: Browser) -> None:
    answer = browser.client.get("/nothing", headers={"Referer": "https://evil.example/"})
    assert answer.status_code == 404
    assert "evil.example" not in answer.text


def test_a_code_without_a_page_is_shown_as_the_most_general_one(
    app: Flask, browser: Browser
) -> None:
    replace(app, "home.rules", lambda: abort(418))
    assert browser.get("/rules").status_code == 418
    assert PAGES[400].title in browser.text


def test_an_address_for_forms_says_so(browser: Browser) -> None:
    answer = browser.get("/sign-out")
    assert answer.status_code == 405
    assert set(answer.headers["Allow"].split(", ")) == {"OPTIONS", "POST"}
    assert PAGES[405].title in browser.text


def test_to_htmx_an_error_is_a_sentence_for_the_alert_region(browser: Browser) -> None:
    answer = browser.get("/nothing", headers=HTMX)
    assert answer.status_code == 404
    assert answer.text == PAGES[404].sentence
    assert answer.headers["HX-Retarget"] == "#alert"
    assert answer.headers["HX-Reswap"] == "innerHTML"


def test_a_fault_is_answered_calmly_and_undone(app: Flask, browser: Browser) -> None:
    def fail() -> str:
        with write_transaction() as session:
            session.add(User(shown_name="Half Done", created_at=0))
            session.flush()
            raise RuntimeError("a secret of the state")

    replace(app, "home.rules", fail)
    before = all_rows(app)
    answer = browser.get("/rules")
    assert answer.status_code == 500
    assert "Something broke here" in browser.text
    assert "secret" not in answer.text
    assert all_rows(app) == before
    assert browser.get("/").status_code == 200


def test_to_htmx_a_fault_is_nothing_to_show(app: Flask, browser: Browser) -> None:
    replace(app, "home.rules", lambda: 1 / 0)
    answer = browser.get("/rules", headers=HTMX)
    assert answer.status_code == 500
    assert answer.text == ""
    assert answer.headers["HX-Reswap"] == "none"


def test_the_page_for_faults_needs_no_database(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser.become_guest()

    def fail(token: str) -> None:
        raise OperationalError("SELECT", {"token": token}, Exception("disk I/O error"))

    monkeypatch.setattr(signins, "find", fail)
    for path in ("/account", "/", "/nothing"):
        assert browser.get(path).status_code == 500
        assert "Something broke here" in browser.text


def test_a_rollback_that_fails_too_is_still_answered(
    app: Flask, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise OperationalError("ROLLBACK", None, Exception("disk I/O error"))

    replace(app, "home.rules", lambda: 1 / 0)
    monkeypatch.setattr(db.session, "rollback", fail)
    assert browser.get("/rules").status_code == 500


def test_the_log_of_a_fault_names_the_route_and_no_secret(
    app: Flask,
    browser: Browser,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    browser.register("otter", password="my very own words")
    browser.get("/")
    table = browser.send("/play-now").headers["Location"]
    cookie = browser.cookie() or ""
    browser.get(table)

    def fail(token: str) -> None:
        with write_transaction() as session:
            session.execute(db.text("SELECT :token FROM nowhere"), {"token": token})

    monkeypatch.setattr(signins, "find", fail)
    caplog.set_level(logging.DEBUG)
    caplog.clear()
    assert browser.get(f"{table}?ask=pass").status_code == 500
    sent = browser.send("/account/password", current_password="my very own words")
    assert sent.status_code == 500
    assert "fault in GET /games/<key>" in caplog.text
    assert "fault in POST /account/password" in caplog.text
    for secret in (table.removeprefix("/games/"), cookie, "my very own words"):
        assert secret not in caplog.text
