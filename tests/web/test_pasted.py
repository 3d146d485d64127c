"""The box for a code takes links as people paste them, and leads where they lead."""

from __future__ import annotations

import pytest
from flask import Flask

from raisesum.services import handover
from raisesum.web import pasted
from raisesum.web.pasted import page_in
from tests.rows import count
from tests.web.browser import Browser
from tests.web.friends import code_on, host, invitation_to

KEY = "A-_" + "b7" * 9 + "Z"


LINKS = [
    "http://{0}",
    "https://{0}",
    "HTTP://{0}",
    "{0}",
    " http://{0}/ \r\n",
    "<http://{0}>",
    "“http://{0}”.",
    "'http://{0}',",
    "Join me: http://{0}.",
    "Join me:http://{0}!",
    "[our table](http://{0})",
    "http://{0}\nCode: BCD FGH",
    "Code: BCD FGH\nhttp://{0}",
    "\uff48\uff54\uff54\uff50\uff1a\uff0f\uff0f{0}",
    "\u200bhttp://{0}\u200b",
    "http://{0}?utm_source=mail",
    "http://someone.example/and then http://{0}",
]
NO_LINKS = [
    f"http://evil.example/games/{KEY}",
    f"http://localhost:9000/games/{KEY}",
    f"http://localhost:8000@evil.example/games/{KEY}",
    f"http://evil.example@localhost:8000/games/{KEY}",
    "http://localhost:8000/",
    "http://localhost:8000/join",
    "http://localhost:8000/nothing/here",
    "http://localhost:8000//evil.example/",
    "http://[::1/games/x",
    "http://localhost:x/games/y",
    "BCD/FGH",
    "BCD FGH",
    "",
]


def test_letters_that_stand_for_many_are_read_no_further_than_a_message_is_long(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []
    monkeypatch.setattr(pasted, "_links_without_scheme", lambda text: read.append(len(text)) or [])
    with app.test_request_context():
        assert page_in("\u3316" * 2000) is None
    assert read == [2000]


def test_a_link_of_this_site_leads_to_its_page_and_another_nowhere(app: Flask) -> None:
    with app.test_request_context(base_url="http://localhost:8000"):
        for message in LINKS:
            page = page_in(message.format(f"localhost:8000/games/{KEY}"))
            assert page is not None, message
            assert page.partition("?")[0] == f"/games/{KEY}", message
        for message in NO_LINKS:
            assert page_in(message) is None, message


def test_one_box_takes_codes_links_to_tables_and_links_for_another_device(app: Flask) -> None:
    table = host(app)
    code = code_on(table.page)
    with app.app_context():
        token = handover.begin(1)
    invitation = invitation_to(app, table)
    visitor = Browser(app)
    for page in ("/", "/join"):
        visitor.get(page)
        assert 'name="code"' in visitor.page
        assert "maxlength" not in visitor.page.partition('name="code"')[2].partition(">")[0]
        for typed, where in {
            f"http://localhost{table.path}": table.path,
            f"Sit down at http://localhost{table.path}/.": table.path,
            f"http://localhost/continue/{token}": f"/continue/{token}",
            f"Sit down at http://localhost{invitation}).": invitation,
            f"at localhost/join by the code {code}": invitation,
            f"“{code}”": invitation,
        }.items():
            visitor.get(page)
            answer = visitor.send("/join", code=typed)
            assert (answer.status_code, answer.headers["Location"]) == (303, where), typed
    assert count(app, "throttles") <= 3
