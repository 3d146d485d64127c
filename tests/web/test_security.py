from pathlib import Path

import pytest
from flask import Flask, request

from raisesum import create_app
from raisesum.web.security import HEADERS
from tests.conftest import settings
from tests.web.browser import HTMX, Browser


def test_every_answer_has_the_headers(browser: Browser, app: Flask) -> None:
    app.config["PROPAGATE_EXCEPTIONS"] = False
    app.view_functions["home.rules"] = lambda: 1 / 0
    browser.get("/")
    answers = {
        200: browser.get("/register"),
        303: browser.get("/account"),
        401: browser.get("/account", headers=HTMX),
        400: browser.send("/settings", theme="no such theme"),
        204: browser.send("/settings", headers=HTMX, theme="dark"),
        404: browser.get("/nothing/here"),
        405: browser.get("/settings"),
        500: browser.get("/rules"),
    }
    for status, answer in answers.items():
        assert answer.status_code == status
        assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS, status
        assert answer.headers["Cache-Control"] == "no-store", status
        assert answer.headers["Vary"] == "Cookie, HX-Request", status
        assert "ETag" not in answer.headers, status


def test_the_policy_allows_nothing_inline_and_nothing_from_elsewhere() -> None:
    policy = HEADERS["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    assert "*" not in policy


def test_static_files_have_the_headers_and_are_no_secret(browser: Browser) -> None:
    answer = browser.get("/static/css/base.css")
    assert answer.status_code == 200
    assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS
    assert "no-store" not in answer.headers["Cache-Control"]
    assert "Cookie" not in answer.headers.get("Vary", "")
    assert "Set-Cookie" not in answer.headers


@pytest.mark.parametrize(
    "host",
    ["evil.example", "localhost.evil.example", "evil.example:80", "", "127.0.0.2", "a b", "[::2]"],
)
def test_a_host_that_is_not_ours_is_refused(app: Flask, host: str) -> None:
    answer = app.test_client().get("/", headers={"Host": host})
    assert answer.status_code == 400
    if host:
        assert host not in answer.text


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:8000", "127.0.0.1:80"])
def test_a_host_that_is_ours_is_answered_at_any_port(app: Flask, host: str) -> None:
    assert app.test_client().get("/", headers={"Host": host}).status_code == 200


def seen_by(app: Flask, **forwarded: str) -> tuple[str, str, bool]:
    @app.get("/seen")
    def seen() -> dict[str, object]:
        return {"address": request.remote_addr, "host": request.host, "secure": request.is_secure}

    headers = {f"X-Forwarded-{name}": value for name, value in forwarded.items()}
    answer = app.test_client().get("/seen", headers=headers)
    assert answer.json is not None, answer.text
    return answer.json["address"], answer.json["host"], answer.json["secure"]


def test_proxy_headers_are_not_believed_from_just_anyone(app: Flask) -> None:
    found = seen_by(app, For="192.0.2.1", Proto="https", Host="evil.example")
    assert found == ("127.0.0.1", "localhost", False)


def test_proxy_headers_are_believed_when_configured_and_the_host_still_checked(
    tmp_path: Path,
) -> None:
    app = create_app({**settings(tmp_path), "TRUSTED_PROXIES": 1, "ALLOWED_HOSTS": "game.example"})
    found = seen_by(app, For="203.0.113.9, 192.0.2.1", Proto="https", Host="game.example")
    assert found == ("192.0.2.1", "game.example", True)
    evil = {"X-Forwarded-Host": "evil.example"}
    assert app.test_client().get("/seen", headers=evil).status_code == 400
