"""Offering a seat of a match by a link and taking it, in browsers without JavaScript."""

from __future__ import annotations

import re
from html import unescape

import pytest
from flask import Flask
from sqlalchemy import select

from raisesum.extensions import db
from raisesum.models import Seat
from raisesum.services import server_time
from tests.rows import all_rows, count
from tests.web.browser import HTMX, Browser
from tests.web.friends import match_of_two
from tests.web.tables import Player, stored_game


def link_to(player: Player, seat: int) -> str:
    """Make a link to a seat as its page does, and return its path."""
    assert player.get(f"{player.path}/seats").status_code == 200
    assert player.send(f"{player.path}/seats", seat=str(seat)).status_code == 200, player.text
    found = re.search(r'id="link" readonly value="http://localhost(/seat/[^"]+)"', player.page)
    assert found, player.text
    return unescape(found[1])


def names_at(app: Flask, player: Player) -> list[str]:
    game = stored_game(app, player.path)
    with app.app_context():
        query = select(Seat.name).where(Seat.game_id == game.id).order_by(Seat.number)
        return list(db.session.scalars(query))


def test_a_friend_takes_ones_seat_by_a_link_with_picture_and_copy(app: Flask) -> None:
    first, second = match_of_two(app)
    hand = first.cards
    assert hand
    assert f'href="{first.path}/seats"' in first.page
    link = link_to(first, 1)
    for part in ('class="qr" src="data:image/svg', 'data-copy="#link"', 'data-share="http'):
        assert part in first.page
    friend = Player(app)
    before = all_rows(app)
    for _ in range(2):
        assert friend.get(link).status_code == 200
    assert all_rows(app) == before
    for card in hand:
        assert f'value="{card}"' not in friend.page
    answer = friend.send(link, shown_name="Zoë")
    assert (answer.status_code, answer.headers["Location"]) == (303, first.path)
    friend.path = first.path
    friend.look()
    assert friend.cards == hand
    assert names_at(app, first)[0] == "Zoë"
    second.look()
    assert "Zoë" in second.text
    # Whoever gave the seat away sees what became of it, on every page about the match.
    for address in ("", "/seats", "/table", "/review"):
        assert first.get(f"{first.path}{address}").status_code == 404
        assert "You gave your seat away by a link, and Zoë plays on in it." in first.text
    assert first.client.get(f"{first.path}/table", headers=HTMX).status_code == 404
    assert first.send(f"{first.path}/actions", action="pass", version="0").status_code == 404
    # And the link leads nowhere any more.
    late = Browser(app)
    users = count(app, "users")
    for ask in (late.get, late.send):
        late.get("/sign-in")
        assert ask(link).status_code == 410
        assert "This link has been used" in late.text
    assert count(app, "users") == users


def test_the_host_gives_the_seat_of_somebody_who_left_to_another_who_plays_by_their_own_name(
    app: Flask,
) -> None:
    first, second = match_of_two(app, spectators="1")
    former = names_at(app, first)[1]
    first.get(f"{first.path}/seats")
    assert first.send(f"{first.path}/seats", seat="2").status_code == 409
    assert "cannot be offered" in first.text
    second.look()
    second.send(f"{second.path}/leave")
    link = link_to(first, 2)
    # The host sees the link, and has no use for it.
    first.get(link)
    assert "Somebody else has to open this link." in first.text
    assert first.send(link).status_code == 409
    third = Player(app)
    third.register("heron", shown_name="Heron")
    third.get(link)
    assert 'name="shown_name"' not in third.page
    assert third.send(link).status_code == 303
    assert names_at(app, first)[1] == "Heron"
    second.look()
    assert "the others offered your seat by a link, and Heron plays on in it." in second.text
    assert "You can watch." in second.text
    first.look()
    assert f"here, in the seat of {former}" in first.text


def test_a_link_is_withdrawn_on_the_page_and_ends_when_the_player_is_back(app: Flask) -> None:
    first, second = match_of_two(app)
    link = link_to(first, 1)
    first.get(f"{first.path}/seats")
    assert "A link to this seat can be used now." in first.text
    assert first.send(f"{first.path}/seats/withdraw", seat="1").status_code == 303
    assert Browser(app).get(link).status_code == 410
    second.look()
    second.send(f"{second.path}/leave")
    link = link_to(first, 2)
    assert Browser(app).get(link).status_code == 200
    second.look()
    assert second.send(f"{second.path}/come-back").status_code == 303
    assert Browser(app).get(link).status_code == 410
    first.get(f"{first.path}/seats")
    assert "Your seat" in first.text
    assert names_at(app, first)[1] not in first.text


def test_a_guest_who_has_lost_the_cookie_has_the_seat_again_by_a_link_of_the_host(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = match_of_two(app)
    now = server_time.now_ms() + 6 * 60_000
    monkeypatch.setattr(server_time, "now_ms", lambda: now)
    first.look()
    link = link_to(first, 2)
    again = Player(app)
    again.path = first.path
    again.get(link)
    assert again.send(link).status_code == 303
    assert again.look().status_code == 200
    assert f"{first.path}/seats" in again.page
    assert second.look().status_code == 404


def test_a_name_that_will_not_do_takes_no_seat(app: Flask) -> None:
    first, _second = match_of_two(app)
    link = link_to(first, 1)
    friend = Player(app)
    friend.get(link)
    assert friend.send(link, shown_name="You").status_code == 422
    assert "The table uses this name itself" in friend.text
    assert friend.get(link).status_code == 200


def test_seats_are_offered_by_those_who_sit_there_alone_and_while_the_match_goes_on(
    app: Flask,
) -> None:
    first, _second = match_of_two(app, spectators="1")
    visitor = Player(app)
    visitor.become_guest()
    before = count(app, "seat_offers")
    for address in ("seats", "seats/withdraw"):
        assert visitor.send(f"{first.path}/{address}", seat="1").status_code == 404
    visitor.get(first.path)
    assert f"{first.path}/seats" not in visitor.page
    assert count(app, "seat_offers") == before
    alone = Player(app)
    alone.start()
    link = link_to(alone, 1)
    alone.get(f"{alone.path}/seats")
    assert "A bot has this seat" not in alone.text
    alone.look()
    alone.send(f"{alone.path}/give-up")
    assert alone.get(f"{alone.path}/seats").headers["Location"] == alone.path
    assert alone.send(f"{alone.path}/seats", seat="1").headers["Location"] == alone.path
    assert Browser(app).get(link).status_code == 410


def test_a_stale_form_takes_no_seat_and_is_shown_again(app: Flask) -> None:
    first, _second = match_of_two(app)
    link = link_to(first, 1)
    friend = Player(app)
    friend.get(link)
    assert friend.send(link, csrf_token="old").status_code == 400
    assert "Sit down" in friend.text
    assert first.send(f"{first.path}/seats", seat="1", csrf_token="old").status_code == 400
    assert "A seat for somebody" in first.text
    assert friend.get(link).status_code == 200


def test_the_log_tells_of_former_moves_by_the_name_of_the_one_who_made_them(app: Flask) -> None:
    first, second = match_of_two(app)
    ann, bea = names_at(app, first)
    first.look()
    first.act("pass", confirmed="1", htmx=False)
    friend = Player(app)
    link = link_to(first, 1)
    friend.get(link)
    friend.send(link, shown_name="Zoë")
    friend.path = first.path
    for player in (friend, second):
        player.look()
        assert f"{ann} passed" in player.text
        assert "Zoë passed" not in player.text
    assert bea in friend.text


def test_a_link_goes_on_leading_to_the_seat_when_its_guest_signs_in(app: Flask) -> None:
    heron = Browser(app)
    heron.register("heron")
    first, _second = match_of_two(app)
    link = link_to(first, 1)
    assert first.sign_in("heron").status_code == 303
    friend = Player(app)
    assert friend.get(link).status_code == 200
    assert friend.send(link, shown_name="Zoë").status_code == 303


def test_who_is_refused_a_seat_keeps_their_name(app: Flask) -> None:
    first, second = match_of_two(app)
    before = names_at(app, first)
    link = link_to(first, 1)
    second.get(link)
    assert second.send(link, shown_name="Renamed").status_code == 409
    assert names_at(app, first) == before
    friend = Player(app)
    friend.get(link)
    assert friend.send(link, shown_name="You").status_code == 422
    assert names_at(app, first) == before
