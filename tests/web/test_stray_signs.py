"""Addresses that people share work with whatever a sentence or a messenger has put around them."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from flask import Flask

from raisesum.services import handover
from raisesum.web.stray_signs import _without_closing_signs, page_meant
from tests.web.browser import Browser
from tests.web.friends import code_on, host, invitation_to, match_of_two
from tests.web.tables import Player

AFTER = ["/", "//", ".", ",", ")", "]", ">", ";", ":", "!", '"', "'", "*", "**", "`", "|", "\\"]
AFTER += ["…", "”", "’", "»", "。", " ", "\u00a0", "\u200b", "\n", "\ufeff", "&quot;", "&gt;"]
AFTER += ["/.", "/)", ").", ")/", " )", "%20", "%0A", "](http://localhost/x)", ") and more"]
BEFORE = ["(", '"', "<", " ", "\u200b", "“"]

KEY = "A-_" + "b7" * 9 + "Z"
TOKEN = "c_-" + "D8" * 20


PAGES = [f"/games/{KEY}{part}" for part in ("", "/replay", "/review", "/record", "/why")]
PAGES += [f"/continue/{TOKEN}", "/decks/custom", "/records/open"]


def test_what_follows_an_address_is_left_out(app: Flask) -> None:
    with app.test_request_context():
        for page in PAGES:
            for sign in AFTER:
                assert page_meant(page + sign) == page, sign
        assert page_meant(f"/games/{KEY}_") == f"/games/{KEY}"


def test_what_stands_before_a_key_is_left_out(app: Flask) -> None:
    with app.test_request_context():
        for sign in BEFORE:
            for part in ("", "/replay", "/review."):
                meant = f"/games/{KEY}{part.strip('.')}"
                assert page_meant(f"/games/{sign}{KEY}{part}") == meant, sign


def test_an_address_that_is_tidy_or_can_be_no_page_of_ours_stays(app: Flask) -> None:
    odd = ["/games/1'--", "/games/.", "/games/🂡", f"/games/{KEY[:9]}.", "/nothing/here."]
    with app.test_request_context():
        for path in (*PAGES, *odd, "/static/app.js.", "/", "//evil.example/"):
            assert page_meant(path) is None, path


@pytest.mark.parametrize("sign", ["/", ".", ")", "”", "%20", "\u200b", ")."])
def test_people_get_where_the_link_was_to_lead(app: Flask, sign: str) -> None:
    table = host(app)
    begun, _friend = match_of_two(app)
    with app.app_context():
        token = handover.begin(1)
    for path in (
        table.path,
        invitation_to(app, table),
        f"{begun.path}/review",
        f"/continue/{token}",
    ):
        visitor = begun if path.startswith(begun.path) else Browser(app)
        answer = visitor.get(quote(path + sign, safe="/%") + "?utm_source=mail")
        assert answer.headers["Location"] == f"{path}?utm_source=mail"
        assert visitor.follow(answer).status_code == 200


@pytest.mark.parametrize(
    ("query", "meant"),
    [
        ("at=12).", "at=12"),
        ("at=12&plays=1%22", "at=12&plays=1"),
        ("at=12&pace=slow,", "at=12&pace=slow"),
        ("deck=full&name=Ours).", "deck=full&name=Ours"),
        ("deck=full&name=Ours%E2%80%9D", "deck=full&name=Ours"),
        ("deck=full&name=Ours%20(big)", None),
        ("deck=full&name=Wow!", None),
        ("deck=full&name=Mr.%20T.", None),
        ("at=.", None),
        ("utm=x).", None),
    ],
)
def test_signs_after_a_query_are_left_out(app: Flask, query: str, meant: str | None) -> None:
    with app.test_request_context():
        page = page_meant("/decks/custom", query)
        assert page == (None if meant is None else f"/decks/custom?{meant}")


@pytest.mark.parametrize("sign", [" ", ")", ").", "\u3000"])
def test_signs_without_end_are_read_once(app: Flask, sign: str) -> None:
    # Read anew from each sign, as many as these would keep the server for an hour.
    with app.test_request_context():
        assert page_meant("/decks/custom", "name=" + 700 * sign + "a") is None
        assert _without_closing_signs("(" + 500_000 * sign + "a").endswith("a")
        assert _without_closing_signs("Ours" + 500_000 * sign).startswith("Ours")


def test_a_query_with_stray_signs_leads_to_the_step_and_to_the_deck(app: Flask) -> None:
    player = Player(app)
    deck = "/decks/custom?deck=custom+%2B1*10+%2B2*10"
    for sign in (".", ")", "%22", "%20"):
        answer = player.get(deck + sign)
        assert player.follow(answer).status_code == 200
        assert "20 cards" in player.text
    assert player.get(deck.replace("custom+", "nonsense+")).status_code == 400
    player.start()
    answer = player.get(f"{player.path}/replay?at=12).")
    assert answer.status_code == 404, "there is no replay yet, whatever the step"


@pytest.mark.parametrize(
    "path",
    [
        *("/games", "/games/", "/games/short", f"/games/{KEY}", "/games/x/y"),
        *("/invitation", "/invitation/short", f"/invitation/{KEY}", "/invitation/x/y"),
    ],
)
def test_an_invitation_that_leads_nowhere_says_so_and_takes_a_code(app: Flask, path: str) -> None:
    visitor = Browser(app)
    assert visitor.get(path).status_code == 404
    assert "The invitation is incomplete, or its table is gone." in visitor.text
    assert 'name="code"' in visitor.page
    table = host(app)
    code = code_on(table.page)
    assert visitor.send("/join", code=code).headers["Location"] == invitation_to(app, table)
