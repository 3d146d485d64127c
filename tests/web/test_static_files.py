import re
from pathlib import Path

import pytest
from flask import Flask, url_for

from raisesum.web.static_files import FOR_A_DAY, FOREVER
from tests.web.browser import Browser


@pytest.fixture
def static_folder(app: Flask, tmp_path: Path) -> Path:
    app.static_folder = str(tmp_path / "static")
    Path(app.static_folder).mkdir()
    return Path(app.static_folder)


def address(app: Flask, filename: str, **values: object) -> str:
    with app.test_request_context():
        return url_for("static", filename=filename, **values)


def test_an_address_changes_with_the_content_and_only_with_it(
    app: Flask, static_folder: Path
) -> None:
    file = static_folder / "a.css"
    file.write_text("one")
    first = address(app, "a.css")
    assert re.fullmatch(r"/static/a\.css\?h=[0-9a-f]{12}", first)
    file.write_text("two!")
    assert address(app, "a.css") != first
    file.write_text("one")
    assert address(app, "a.css") == first


def test_a_file_is_kept_for_long_only_under_the_hash_it_has(
    app: Flask, browser: Browser, static_folder: Path
) -> None:
    (static_folder / "a.css").write_text("one")
    assert browser.get(address(app, "a.css")).headers["Cache-Control"] == FOREVER
    assert browser.get("/static/a.css?h=0123456789ab").headers["Cache-Control"] == FOR_A_DAY
    assert browser.get("/static/a.css").headers["Cache-Control"] == FOR_A_DAY


def test_a_file_that_is_not_there_is_a_404_like_any_other(
    app: Flask, browser: Browser, static_folder: Path
) -> None:
    assert address(app, "nothing.css") == "/static/nothing.css"
    assert address(app, "../../etc/passwd") == "/static/../../etc/passwd"
    answer = browser.get("/static/nothing.css?h=x")
    assert answer.status_code == 404
    assert answer.headers["Cache-Control"] == "no-store"
    assert browser.get("/static/%2e%2e/app.py").status_code == 404


def test_an_address_can_do_without_the_hash(app: Flask) -> None:
    assert address(app, "css/base.css", h=None) == "/static/css/base.css"


def test_every_page_names_its_files_with_the_hash(browser: Browser) -> None:
    browser.get("/")
    named = re.findall(r'(?:href|src)="(/static/[^"]+)"', browser.page)
    assert named
    assert [name for name in named if "?h=" not in name and "/fonts/" not in name] == []
    assert {browser.get(name).status_code for name in named} == {200}
