"""The home page: starting at once, putting tables away, and the list of open tables."""

from __future__ import annotations

import re

from flask import Flask

from raisesum.extensions import db
from raisesum.models import Game
from tests.rows import count
from tests.web.browser import Browser
from tests.web.friends import CHOICES, host, invitation_to, match_of_two
from tests.web.tables import Player


def test_four_presses_of_play_now_are_one_match(app: Flask, browser: Browser) -> None:
    app.config["BOT_DELAY_MS"] = 60_000
    browser.get("/")
    tables = set()
    for _ in range(4):
        tables.add(browser.send("/play-now").headers["Location"])
        browser.get("/")
    assert len(tables) == 1
    assert count(app, "games") == 1


def test_a_match_against_bots_is_put_away_from_home(app: Flask) -> None:
    player = Player(app)
    player.start()
    touched = player.path
    player.act("pass", htmx=False, confirmed="1")
    player.start()
    untouched = player.path
    for path in (untouched, touched):
        player.get("/")
        assert f'action="{path}/put-away"' in player.page
        stale = player.send(f"{path}/put-away", csrf_token="old")
        assert stale.status_code == 400
        assert "too old to be sent" in player.text
        assert player.send(f"{path}/put-away").headers["Location"] == "/"
        player.get("/")
        assert "The match is put away." in player.text
        assert f'action="{path}/put-away"' not in player.page
    assert untouched not in player.page
    # It was a match, so it is among those that are over.
    assert touched in player.page
    assert "Given up" in player.text


def test_a_match_with_others_is_not_put_away_from_home(app: Flask) -> None:
    table, _friend = match_of_two(app)
    table.get("/")
    assert table.path in table.page
    assert "put-away" not in table.page
    assert table.send(f"{table.path}/put-away").status_code == 409
    assert "Other people play at that table" in table.text
    with app.app_context():
        assert db.session.get_one(Game, 1).status == "playing"


def test_the_host_is_asked_for_a_name_and_sits_there_by_it(app: Flask) -> None:
    player = Player(app)
    player.get("/tables/friends")
    assert 'name="shown_name"' in player.page
    wrong = player.send("/tables/friends", **CHOICES, shown_name="a|b")
    assert wrong.status_code == 422
    assert "cannot be part of a name" in player.text
    assert player.fields()["shown_name"] == "a|b"
    assert count(app, "games") == 0
    answer = player.send("/tables/friends", **CHOICES, shown_name="Zoë")
    player.follow(answer)
    assert "Zoë" in player.text
    # The next time it is there already, and left empty it stays.
    player.get("/tables/friends")
    assert player.fields()["shown_name"] == "Zoë"
    player.follow(player.send("/tables/friends", **CHOICES, shown_name=""))
    assert "Zoë" in player.text


def test_where_strangers_meet_a_guest_who_hosts_has_a_name_from_the_list(app: Flask) -> None:
    player = Player(app)
    player.get("/tables/friends")
    public = {**CHOICES, "access": "public"}
    player.follow(player.send("/tables/friends", **public, shown_name="Visit example dot com"))
    assert "Visit example" not in player.text


def test_with_an_account_nobody_is_asked_for_a_name(app: Flask, browser: Browser) -> None:
    browser.register("otter", shown_name="Ann")
    browser.get("/tables/friends")
    assert 'name="shown_name"' not in browser.page
    browser.follow(browser.send("/tables/friends", **CHOICES, shown_name="Newt"))
    assert "Ann" in browser.text
    assert "Newt" not in browser.text


def listed(browser: Browser) -> list[str]:
    return re.findall(r'class="mine" href="([^"]+)"', browser.page)


def test_one_guest_does_not_fill_the_list_of_open_tables_and_all_others_are_on_its_pages(
    app: Flask,
) -> None:
    first = host(app, access="public")
    for _ in range(10):
        first.get("/tables/friends")
        first.send("/tables/friends", **{**CHOICES, "access": "public"})
    others = {invitation_to(app, host(app, access="public")) for _ in range(23)}
    browser = Browser(app)
    browser.get("/")
    assert len(listed(browser)) == 8
    assert 'href="/tables/open"' in browser.page
    seen: list[str] = []
    browser.get("/tables/open")
    seen += listed(browser)
    following = re.search(r'rel="next" href="([^"]+)"', browser.page)
    assert following
    browser.get(following[1])
    seen += listed(browser)
    assert 'rel="next"' not in browser.page
    assert len(seen) == len(set(seen)) == 24
    assert set(seen) > others
    assert browser.get("/tables/open?page=9").status_code == 200
    assert "There are no more tables" in browser.text
    assert browser.get("/tables/open?page=0").status_code == 400


def test_a_short_list_of_open_tables_is_all_on_the_home_page(app: Flask, browser: Browser) -> None:
    browser.get("/tables/open")
    assert "No table is open to all right now." in browser.text
    path = invitation_to(app, host(app, access="public"))
    browser.get("/")
    assert listed(browser) == [path]
    assert 'href="/tables/open"' not in browser.page
    app.config["PUBLIC_TABLES"] = 0
    assert browser.get("/tables/open").status_code == 404
