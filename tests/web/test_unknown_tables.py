"""Who has no seat at a table gets one answer at every address of it."""

from __future__ import annotations

import pytest
from flask import Flask
from sqlalchemy import update

from raisesum.models import Game
from raisesum.services import signins
from raisesum.services.transactions import write_transaction
from raisesum.web.sessions import sign_in_token
from tests.rows import all_rows, count
from tests.web.browser import HTMX, Browser
from tests.web.friends import host, joins, match_of_two
from tests.web.tables import Player, stored_game

LOOKS = ("", "/table", "/waiting", "/replay", "/record", "/why", "/review")
FORMS = (
    *("actions", "sum", "hint", "skip", "give-up", "rematch", "leave", "come-back", "agree"),
    *("say", "mute", "get-up", "start", "settings", "bots", "remove", "host"),
)
TOO_LATE = "Too late for this table"
NO_TABLE = "The invitation is incomplete, or its table is gone."


def late_ones(app: Flask) -> list[Browser]:
    """Somebody who was never here, one who has a cookie and no name, and a guest."""
    stranger, looker, guest = Browser(app), Browser(app), Browser(app)
    looker.get("/")
    guest.become_guest()
    return [stranger, looker, guest]


def finish(app: Flask, table: Player, status: str = "finished") -> None:
    with app.app_context(), write_transaction() as session:
        session.execute(
            update(Game).where(Game.key == table.path.split("/")[-1]).values(status=status)
        )


def test_who_is_late_for_a_match_is_told_so_at_every_address_and_shown_what_to_do(
    app: Flask,
) -> None:
    table, _friend = match_of_two(app)
    for late in late_ones(app):
        before = count(app, "users")
        for look in LOOKS:
            assert late.get(table.path + look).status_code == 404, look
            assert TOO_LATE in late.text, look
            assert 'href="/tables/friends"' in late.page
            assert "Watch" not in late.text
        late.get("/")
        assert late.send(f"{table.path}/join", shown_name="Zoë").status_code == 409
        assert TOO_LATE in late.text
        assert count(app, "users") == before
        for form in FORMS:
            late.get("/")
            assert late.send(f"{table.path}/{form}").status_code == 404, form
            assert TOO_LATE in late.text, form


def test_an_open_room_page_without_a_seat_is_led_to_the_same_page_at_the_start(app: Flask) -> None:
    table = host(app, seats="2")
    onlooker = Player(app)
    onlooker.path = table.path
    onlooker.look()
    joins(app, table)
    table.look()
    table.send(f"{table.path}/start")
    answer = onlooker.client.get(f"{table.path}/waiting?v=0", headers=HTMX)
    # A 404 has the script open the page anew.
    assert answer.status_code == 404 or answer.headers["HX-Redirect"] == table.path
    onlooker.look()
    assert TOO_LATE in onlooker.text


def test_where_watching_is_allowed_the_late_one_may_watch(app: Flask) -> None:
    table, _friend = match_of_two(app, spectators="1")
    for late in late_ones(app):
        late.get("/")
        assert late.send(f"{table.path}/join").status_code == 409
        assert TOO_LATE in late.text
        assert f'href="{table.path}">Watch the match' in late.page
        late.get(table.path)
        assert "You are watching" in late.text
        # Whose cookie is gone sits there perhaps, and cannot be told from who only watches.
        assert ("Sign in to your seat" in late.text) == ("Account" not in late.text)
        late.get("/")
        assert late.send(f"{table.path}/actions", action="pass").status_code == 404
        assert "Watch the match" in late.text


@pytest.mark.parametrize("status", ["finished", "given_up"])
def test_who_comes_after_the_end_is_told_that_the_match_is_over(app: Flask, status: str) -> None:
    table, _friend = match_of_two(app)
    finish(app, table, status)
    for late in late_ones(app):
        assert late.get(table.path).status_code == 404
        assert "The match at this table is over" in late.text
        assert (f"{table.path}/replay" in late.page) == (status == "finished")


def test_a_table_of_people_who_have_all_left_is_still_one_for_people(app: Flask) -> None:
    table, friend = match_of_two(app)
    for player in (table, friend):
        player.look()
        player.send(f"{table.path}/leave")
    assert stored_game(app, table.path).host_id is None
    late = Browser(app)
    late.get(table.path)
    assert TOO_LATE in late.text


def test_a_table_against_bots_and_no_table_at_all_look_the_same(app: Flask) -> None:
    player = Player(app)
    player.start()
    unknown = f"/games/{'A' * 22}"
    for late in late_ones(app):
        late.get("/")
        for look in LOOKS:
            pages = []
            for path in (player.path, unknown):
                assert late.get(path + look).status_code == 404, look
                assert NO_TABLE in late.text
                assert 'name="code"' in late.page
                pages.append(late.text)
            assert pages[0] == pages[1]
        for form in ("join", *FORMS):
            for path in (player.path, unknown):
                late.get("/")
                assert late.send(f"{path}/{form}").status_code == 404, form
                assert NO_TABLE in late.text


def test_a_cookie_that_no_longer_signs_in_leads_to_the_sign_in_page_and_back(app: Flask) -> None:
    shared, _friend = match_of_two(app)
    alone = Player(app)
    alone.start()
    for player in (shared, alone):
        player.look()
        with app.app_context():
            signins.end(signin_token(app, player))
        for look in ("", "/review"):
            answer = player.get(player.path + look)
            assert answer.status_code == 303
            assert answer.headers["Location"] == f"/sign-in?next={player.path}{look}"
        here = {**HTMX, "HX-Current-URL": f"http://localhost{player.path}"}
        poll = player.get(f"{player.path}/table?v=0", headers=here)
        assert (poll.status_code, poll.headers["HX-Redirect"]) == (
            401,
            f"/sign-in?next={player.path}",
        )
        for form in ("actions", "leave", "hint", "get-up"):
            answer = player.send(f"{player.path}/{form}", action="pass")
            assert answer.status_code == 303, form
            assert answer.headers["Location"].startswith("/sign-in?next="), form


def signin_token(app: Flask, browser: Browser) -> str:
    with app.test_request_context(headers={"Cookie": f"{browser.cookie_name}={browser.cookie()}"}):
        return sign_in_token() or ""


def test_pages_about_a_table_that_waits_lead_strangers_to_it(app: Flask) -> None:
    table = host(app)
    for late in late_ones(app):
        for look in ("/replay", "/record", "/why", "/review"):
            answer = late.get(table.path + look)
            assert (answer.status_code, answer.headers["Location"]) == (303, table.path), look


def test_an_address_of_a_form_that_is_opened_like_a_page_leads_to_the_table(app: Flask) -> None:
    table, _friend = match_of_two(app)
    for form in ("join", *FORMS):
        answer = table.get(f"{table.path}/{form}")
        assert (answer.status_code, answer.headers["Location"]) == (303, table.path), form


def test_nothing_is_changed_by_asking(app: Flask) -> None:
    app.config["BOT_DELAY_MS"] = 60_000
    table, _friend = match_of_two(app)
    late = Browser(app)
    before = all_rows(app)
    for look in LOOKS:
        late.get(table.path + look)
    assert all_rows(app) == before
