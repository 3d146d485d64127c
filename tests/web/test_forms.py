import io
from collections.abc import Iterator

import pytest
from flask import Flask

from raisesum.config import MAX_BODY_BYTES
from raisesum.web.forms import MOST_FIELDS, whole_number
from tests.rows import all_rows
from tests.web.browser import HTMX, Browser

FORM = "application/x-www-form-urlencoded"

NASTY = {
    "NUL": "a\0b",
    "5,000 digits": "9" * 5000,
    "2^63": str(2**63),
    "2^31": str(2**31),
    "minus one": "-1",
    "superscript digits": "²",
    "Arabic digits": "٣",
    "exponent": "1e9",
    "a tag": "<script>alert(1)</script>",
    "a template": "{{ 7777 * 7777 }}",
    "a quote": "'\"--",
    "astral": "🦦" * 50,
    "right to left": "\u202e",
    "not a character": "\uffff",
    "a path": "../../etc/passwd",
}


@pytest.mark.parametrize(
    ("text", "number"),
    [("0", 0), ("7", 7), ("007", 7), ("300", 300), ("301", None), ("0000", None)]
    + [(text, None) for text in NASTY.values()]
    + [(text, None) for text in (None, "", " ", "+1", "1 ", "1_0", "0x1", "\u00b9")],
)
def test_a_whole_number_is_ascii_digits_within_bounds(text: str | None, number: int | None) -> None:
    assert whole_number(text, 0, 300) == number


def test_a_body_over_64_kib_is_refused_before_it_is_read(app: Flask) -> None:
    body = b"handle=" + b"x" * MAX_BODY_BYTES
    for kind in (FORM, "multipart/form-data; boundary=x", "application/json", "text/plain"):
        answer = app.test_client().post("/register", data=body, content_type=kind)
        assert answer.status_code == 413, kind
        assert "larger than anything" in answer.text


def test_a_body_of_unstated_length_is_refused_once_it_is_over(app: Flask) -> None:
    body = io.BytesIO(b"handle=" + b"x" * MAX_BODY_BYTES)
    answer = app.test_client().post(
        "/register",
        input_stream=body,
        content_type=FORM,
        environ_overrides={"wsgi.input_terminated": True},
    )
    assert answer.status_code == 413


def test_a_body_just_within_the_limit_is_read(browser: Browser) -> None:
    browser.get("/register")
    assert browser.send("/register", handle="x" * (MAX_BODY_BYTES - 500)).status_code == 422


@pytest.mark.parametrize("kind", [FORM, "multipart"])
def test_more_fields_than_any_form_has_are_refused(app: Flask, kind: str) -> None:
    client = app.test_client()
    if kind == FORM:
        answer = client.post(
            "/register", data=b"&".join([b"a=1"] * (MOST_FIELDS + 1)), content_type=FORM
        )
    else:
        many = {f"a{number}": "1" for number in range(MOST_FIELDS + 1)}
        answer = client.post("/register", data=many, content_type="multipart/form-data")
    assert answer.status_code == 413


def test_nul_is_a_400_wherever_it_stands(browser: Browser) -> None:
    browser.get("/register")
    assert browser.send("/register", handle="a\0b").status_code == 400
    assert browser.get("/register?next=%00").status_code == 400
    assert browser.get("/register?%00=x").status_code == 400
    assert browser.get("/games/a%00b").status_code == 400


def test_a_field_of_bytes_that_are_no_text_is_a_400(browser: Browser) -> None:
    for raw in (b"\xff\xfe", b"\xed\xa0\x80", b"\xc0\x80"):
        browser.get("/register")
        part = b'--x\r\nContent-Disposition: form-data; name="%s"\r\n\r\n%s\r\n'
        fields = {b"csrf_token": browser.token.encode(), b"handle": b"otter", b"shown_name": raw}
        body = b"".join(part % field for field in fields.items()) + b"--x--\r\n"
        content_type = "multipart/form-data; boundary=x"
        answer = browser.client.post("/register", data=body, content_type=content_type)
        assert answer.status_code == 400
        assert "could not be read" in answer.text


def test_bytes_that_are_not_utf8_and_lone_surrogates_are_no_fault_of_ours(app: Flask) -> None:
    client = app.test_client()
    for text in ("%ff%fe", "%ed%a0%80", "%c0%80", "%"):
        for path in (f"/register?next={text}", f"/games/{text}", f"/{text}"):
            assert client.get(path).status_code in (200, 303, 400, 404), path
        answer = client.post("/register", data=f"handle={text}&{text}=1", content_type=FORM)
        assert answer.status_code == 400


def everywhere(app: Flask, nasty: str) -> Iterator[tuple[str, str, dict[str, str]]]:
    """Every route with `nasty` in its place, and a form that has it in every field."""
    fields = {
        *("action", "version", "card", "log", "said", "presence", "confirmed", "dont_ask", "ask"),
        *("bots", "level_1", "level_2", "level_3", "deck", "goal", "first"),
        *("handle", "shown_name", "password", "new_password", "current_password", "code"),
        *("code_password", "tables", "sure"),
        *("theme", "text_size", "hand_order", "confirm_pass", "keys", "next"),
    }
    with app.test_request_context():
        adapter = app.url_map.bind("localhost")
        for rule in app.url_map.iter_rules():
            address = adapter.build(rule.endpoint, dict.fromkeys(rule.arguments, nasty))
            queries = ("v", "log", "said", "presence", "role", "ask", "next")
            yield "GET", address, dict.fromkeys(queries, nasty)
            if "POST" in (rule.methods or ()):
                yield "POST", address, dict.fromkeys(fields, nasty)


@pytest.mark.parametrize("nasty", NASTY.values(), ids=NASTY)
def test_nothing_typed_anywhere_is_a_fault_of_ours(
    app: Flask, browser: Browser, nasty: str
) -> None:
    browser.get("/")
    table = browser.send("/play-now").headers["Location"]
    browser.get("/")
    token = browser.token
    key = table.removeprefix("/games/")
    for method, address, values in everywhere(app, nasty):
        for path in (
            {address, address.replace(address.split("/")[2], key)}
            if "/games/" in address
            else {address}
        ):
            for headers in ({}, HTMX):
                if method == "GET":
                    answer = browser.client.get(path, query_string=values, headers=headers)
                else:
                    fields = {**values, "csrf_token": token}
                    answer = browser.client.post(path, data=fields, headers=headers)
                assert answer.status_code < 500, (method, path)
                assert "<script>alert" not in answer.text, (method, path)
                assert "60481729" not in answer.text or nasty != "{{ 7777 * 7777 }}", (method, path)


def test_a_refused_form_changes_nothing(app: Flask, browser: Browser) -> None:
    browser.register("otter")
    browser.get("/account")
    before = all_rows(app)
    assert browser.send("/account/name", shown_name="a\0b").status_code == 400
    assert browser.send("/settings", theme="2^63").status_code == 400
    assert all_rows(app) == before
