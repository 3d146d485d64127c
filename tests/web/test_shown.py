from __future__ import annotations

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from raisesum.web.shown import shown_by_page
from tests.web.browser import HTMX
from tests.web.friends import host, joins, match_of_two
from tests.web.tables import stored_game


@pytest.mark.parametrize(
    ("name", "former"), [("log", "n"), ("said", "r"), ("presence", "p"), ("role", "as")]
)
def test_a_page_of_an_older_program_is_understood(app: Flask, name: str, former: str) -> None:
    for query in (f"{name}=7", f"{former}=7", f"{name}=7&{former}=8"):
        with app.test_request_context(f"/?{query}"):
            assert shown_by_page(name) == "7"
    with app.test_request_context("/?v=7"):
        assert shown_by_page(name) is None


def test_a_table_that_was_open_during_an_upgrade_gets_the_new_part_with_the_next_news(
    app: Flask,
) -> None:
    first, _second = match_of_two(app)
    revision = stored_game(app, first.path).revision
    assert first.poll(f"?v={revision}&n=0&p=hh&r=0").status_code == 204
    news = first.poll(f"?v={revision}&n=0&p=ha&r=0")
    assert news.status_code == 200
    assert f"?v={revision}&amp;log=" in news.text
    assert "is here again" in news.text


def test_a_waiting_room_that_was_open_during_an_upgrade_is_led_to_the_page_of_its_new_role(
    app: Flask,
) -> None:
    table = host(app)
    friend = joins(app, table)

    def asks(query: str) -> TestResponse:
        return friend.client.get(f"{table.path}/waiting?{query}", headers=HTMX)

    assert "HX-Redirect" in asks("v=0&p=hh-&as=comer").headers
    role = friend.fields()["role"]
    assert "HX-Redirect" not in asks(f"v=0&p=hh-&as={role}").headers
