import logging
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from raisesum import create_app
from raisesum.extensions import db
from raisesum.services import health
from raisesum.services.health import DatabaseState
from raisesum.services.transactions import write_transaction
from raisesum.web import counters
from tests.conftest import close
from tests.rows import all_rows
from tests.web.browser import Browser


@pytest.fixture
def watched(app: Flask) -> Iterator[Flask]:
    """The same database, served with the log and the numbers switched on."""
    config = {**app.config, "METRICS": 1, "ACCESS_LOG": 1}
    config["DATABASE_URL"] = app.config["DATABASE_URL"]
    watched = create_app(config)
    yield watched
    close(watched)
    logging.getLogger("raisesum.access").handlers.clear()


def test_the_server_says_that_it_is_well_and_changes_nothing(app: Flask, browser: Browser) -> None:
    before = all_rows(app)
    answer = browser.client.get("/healthz")
    assert (answer.status_code, answer.json) == (200, {"status": "ok", "database": "writable"})
    assert answer.headers["Cache-Control"] == "no-store"
    assert "Set-Cookie" not in answer.headers
    assert all_rows(app) == before


@pytest.mark.sqlite
def test_a_database_that_cannot_be_written_to_is_said_and_is_no_failure(
    app: Flask, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "PATIENCE_MS", 50)
    with app.app_context(), write_transaction():
        answer = browser.client.get("/healthz")
    assert (answer.status_code, answer.json) == (200, {"status": "ok", "database": "busy"})
    monkeypatch.setattr(health, "LEAST_FREE_BYTES", 2**62)
    assert browser.client.get("/healthz").json == {"status": "ok", "database": "disk full"}
    monkeypatch.setattr("os.access", lambda *_: False)
    assert browser.client.get("/healthz").json == {"status": "ok", "database": "read-only"}


@pytest.mark.sqlite
def test_a_database_that_cannot_be_read_is_a_failure(app: Flask, browser: Browser) -> None:
    with app.app_context():
        db.session.remove()
        db.engine.dispose()
        Path(str(db.engine.url.database)).write_bytes(b"no database" * 1000)
    answer = browser.client.get("/healthz")
    assert answer.status_code == 503
    assert answer.json == {"status": "failing", "database": DatabaseState.UNREACHABLE}


def test_numbers_are_told_only_where_that_is_switched_on(app: Flask, watched: Flask) -> None:
    assert Browser(app).client.get("/metrics").status_code == 404
    browser = Browser(watched)
    browser.become_guest()
    browser.get("/")
    assert browser.send("/play-now").status_code == 303
    browser.get("/nothing")
    answer = browser.client.get("/metrics")
    assert answer.content_type == "text/plain; version=0.0.4; charset=utf-8"
    for line in (
        'raisesum_requests_total{status="4xx"} 1',
        'raisesum_requests_total{status="5xx"} 0',
        'raisesum_people{kind="guest"} 1',
        'raisesum_tables{status="playing"} 1',
        "raisesum_database_up 1",
    ):
        assert line in answer.text.splitlines()
    for line in answer.text.splitlines():
        assert re.fullmatch(r"# (HELP|TYPE) \w+ .+|\w+(\{\w+=\"[^\"]+\"\})? [0-9.e+-]+", line), line


def test_what_all_processes_have_counted_is_added_up(tmp_path: Path) -> None:
    first = counters.Counters(tmp_path)
    first.count(200, 3_000)
    first.count(503, 7_000_000)
    (tmp_path / "1.counts").write_bytes(next(tmp_path.glob("*.counts")).read_bytes())
    (tmp_path / "2.counts").write_bytes(b"half")
    total = first.total()
    assert total.by_status_class == (0, 2, 0, 0, 2)
    assert (total.answered_within[0], total.answered_within[-1]) == (2, 4)
    assert total.microseconds == 2 * 7_003_000
    counters.forget(tmp_path)
    assert counters.Counters(tmp_path).total().answered_within[-1] == 0


def test_each_request_is_one_line_without_anything_secret(
    watched: Flask, capsys: pytest.CaptureFixture[str]
) -> None:
    log = logging.getLogger("raisesum.access")
    lines: list[str] = []

    class Keep(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(record.getMessage())

    log.addHandler(Keep())
    browser = Browser(watched)
    browser.register("otter", password="seven quiet otters")
    browser.get("/")
    table = browser.send("/play-now").headers["Location"]
    browser.get(table)
    browser.get("/nothing/secret?token=secret")
    browser.client.open("/", method="SECRET")
    browser.client.get("/rules", headers={"Host": "secret.example"})
    written = [re.sub(r"[\d.]+ ms$", "MS", line) for line in lines]
    assert written == [
        "GET /register 200 MS",
        "POST /register 200 MS",
        "GET / 200 MS",
        "POST /play-now 303 MS",
        "GET /games/<key> 200 MS",
        "GET (no route) 404 MS",
        "? (no route) 405 MS",
        "GET /rules 400 MS",
    ]
    text = "".join(lines)
    for secret in ("secret", "otter", table.rpartition("/")[2], browser.cookie(), browser.token):
        assert secret
        assert secret not in text
