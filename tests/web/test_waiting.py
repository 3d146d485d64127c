from __future__ import annotations

import re
from html import unescape

import pytest
from flask import Flask
from sqlalchemy import select

from raisesum.extensions import db
from raisesum.models import Seat
from raisesum.web.invitation import qr_picture
from raisesum.wording import bare
from tests.rows import count
from tests.services.concurrency import at_once
from tests.web.browser import HTMX, Browser
from tests.web.friends import CHOICES, code_on, host, invitation_to, joins, match_of_two
from tests.web.tables import Player, stored_game


def test_a_table_is_set_in_two_clicks_and_shows_link_code_and_picture(app: Flask) -> None:
    player = host(app)
    page = unescape(player.page)
    assert f'value="http://localhost{invitation_to(app, player)}"' in page
    assert re.search(r'<img class="qr" src="data:image/svg\+xml', page)
    assert code_on(page)
    assert "2 free seats" in player.text


def test_the_form_keeps_what_was_chosen_and_says_what_is_wrong(app: Flask) -> None:
    player = Player(app)
    player.get("/tables/friends")
    wrong = {**CHOICES, "seats": "2", "bots": "2", "pace": "own", "seconds": "3", "deck": "none"}
    assert player.send("/tables/friends", **wrong).status_code == 422
    assert "Choose at most 1 bot for 2 seats." in player.text
    assert "Choose 10 to" in player.text
    assert 'name="pace" value="own" checked' in player.page
    assert count(app, "games") == 0


def test_a_link_leads_to_a_seat_by_a_name_of_ones_own(app: Flask) -> None:
    table = host(app)
    friend = joins(app, table, "Zoë")
    assert "Zoë" in friend.text
    assert [seat.name for seat in _seats(app, table)][1] == "Zoë"
    table.look()
    assert "Zoë" in table.text


def _seats(app: Flask, table: Player) -> list[Seat]:
    game = stored_game(app, table.path)
    with app.app_context():
        query = select(Seat).where(Seat.game_id == game.id).order_by(Seat.number)
        return list(db.session.scalars(query))


def test_a_name_that_will_not_do_is_said_so_and_nobody_sits_down(app: Flask) -> None:
    table = host(app)
    player = Player(app)
    invitation = invitation_to(app, table)
    player.get(invitation)
    assert player.send(invitation, shown_name="a|b").status_code == 422
    assert "cannot be part of a name" in player.text
    assert [seat.user_id for seat in _seats(app, table)][1:] == [None, None]


def test_looking_at_an_invitation_makes_nobody_a_guest(app: Flask) -> None:
    table = host(app)
    before = count(app, "users")
    for _ in range(2):
        for address in (table.path, invitation_to(app, table)):
            assert Browser(app).get(address).status_code == 200
    assert count(app, "users") == before


def test_an_invitation_has_a_title_and_a_picture_for_messengers(app: Flask) -> None:
    table = host(app)
    visitor = Browser(app)
    visitor.get(invitation_to(app, table))
    tags = dict(re.findall(r'<meta property="og:([^"]+)" content="([^"]*)"', visitor.page))
    assert tags["title"].endswith("has a seat for you")
    assert tags["url"] == f"http://localhost{invitation_to(app, table)}"
    picture = visitor.get(tags["image"].removeprefix("http://localhost"))
    assert (picture.status_code, picture.mimetype) == (200, "image/png")
    assert picture.data[16:24] == (1200).to_bytes(4, "big") + (630).to_bytes(4, "big")


def test_a_code_leads_to_the_same_page(app: Flask) -> None:
    table = host(app)
    visitor = Browser(app)
    visitor.get("/join")
    response = visitor.send("/join", code=code_on(table.page).lower())
    assert (response.status_code, response.headers["Location"]) == (
        303,
        invitation_to(app, table),
    )
    assert visitor.follow(response).status_code == 200
    assert visitor.send("/join", code="BBBBBB").status_code == 422
    assert "No table has this code" in visitor.text


def test_after_thirty_wrong_codes_a_browser_waits_and_another_behind_its_address_does_not(
    app: Flask,
) -> None:
    table = host(app)
    visitor, classmate = Browser(app), Browser(app)
    visitor.get("/join")
    for _ in range(30):
        assert visitor.send("/join", code="BBBBBB").status_code == 422
        assert visitor.send("/join", code="no code at all").status_code == 422
    response = visitor.send("/join", code=code_on(table.page))
    assert response.status_code == 429
    assert int(response.headers["Retry-After"]) > 3000
    assert "ask for the link to the table" in visitor.text
    classmate.get("/join")
    assert classmate.send("/join", code="BBBBBB").status_code == 422
    assert classmate.send("/join", code=code_on(table.page)).status_code == 303


def test_browsers_that_keep_no_cookie_count_as_one(app: Flask) -> None:
    app.config["WTF_CSRF_ENABLED"] = False
    for tries in range(31):
        answer = app.test_client(use_cookies=False).post("/join", data={"code": "BBBBBB"})
        assert answer.status_code == (422 if tries < 30 else 429)


def test_the_room_is_polled_and_shows_who_has_come(app: Flask) -> None:
    table = host(app)
    found = re.search(r'hx-get="([^"]+)"', table.page)
    assert found
    address = unescape(found[1])
    assert table.client.get(address, headers=HTMX).status_code == 204
    friend = joins(app, table)
    answer = table.client.get(address, headers=HTMX)
    assert answer.status_code == 200
    assert "1 free seat" in answer.text
    friend.send(f"{table.path}/start")
    assert table.client.get(address, headers=HTMX).status_code in (200, 204)


def test_a_room_says_aloud_who_has_sat_down_and_nothing_twice(app: Flask) -> None:
    table = host(app)

    def said(query: str) -> str:
        role = re.search(r"role=([^&\"]+)", table.page)
        assert role
        address = f"{table.path}/waiting?{query}&role={role[1]}"
        answer = table.client.get(address, headers=HTMX)
        found = re.search(r'"#announce"[^>]*>([^<]*)<', answer.text)
        assert found, answer.text
        return bare(unescape(found[1]))

    joins(app, table, "Zoë")
    now = "1 free seat. Start when you like."
    assert said("v=0&presence=h--") == f"Zoë has sat down. {now}"
    revision = stored_game(app, table.path).revision
    assert said(f"v={revision}&presence=hq-") == ""
    assert said(f"v={revision - 1}&presence=hh-") == now


def test_who_is_called_like_somebody_at_the_table_is_told_by_what_name_they_sit(app: Flask) -> None:
    table = host(app)
    first, second = joins(app, table, "Zoë"), joins(app, table, "zoë")
    assert "was taken here" not in first.text
    assert "The name zoë was taken here, so at this table you are zoë 2." in second.text
    table.look()
    assert "zoë 2" in table.text


def test_a_page_made_for_another_role_is_led_to_the_one_that_there_is_now(app: Flask) -> None:
    table = host(app, seats="2")
    comer = Player(app)
    comer.path = invitation_to(app, table)
    comer.look()
    friend = joins(app, table)
    onlooker = Player(app)
    onlooker.path = comer.path
    onlooker.look()

    def answer(player: Player) -> str:
        """Poll as the page does that this person has open."""
        found = re.search(r'hx-get="([^"]+)"', player.page)
        assert found
        response = player.client.get(unescape(found[1]), headers=HTMX)
        return response.headers.get("HX-Redirect") or response.text

    # The last seat has been taken, so there is none to offer any more.
    assert answer(comer) == comer.path
    assert "All seats are taken" in answer(table)
    friend.look()
    table.look()
    table.send(f"{table.path}/host", seat="2", revision=table.fields()["revision"])
    # Both controls and settings go to the new host, and whose table it is can be read by all.
    assert answer(friend) == answer(table) == table.path
    friend.look()
    assert "Change the table" in friend.text
    assert f"<title>{friend_name(friend)}’s table" in bare(answer(onlooker))
    table.look()
    table.send(f"{table.path}/get-up")
    assert answer(onlooker) == onlooker.path
    table.look()
    assert "Invite others" not in table.text


def friend_name(player: Player) -> str:
    found = re.search(r'place--you.*?<bdi class="name"[^>]*>([^<]+)<', player.page, re.DOTALL)
    assert found
    return found[1]


def test_when_the_match_begins_the_polls_lead_there(app: Flask) -> None:
    table = host(app, seats="2")
    friend = joins(app, table)
    table.send(f"{table.path}/start")
    answer = friend.client.get(f"{table.path}/waiting?v=0", headers=HTMX)
    assert answer.headers["HX-Redirect"] == table.path
    assert friend.client.get(f"{table.path}/waiting").status_code == 303


def test_the_hosts_orders_are_the_hosts_alone(app: Flask) -> None:
    table = host(app)
    friend, stranger = joins(app, table), Player(app)
    stranger.get(table.path)
    revision = str(stored_game(app, table.path).revision)
    for order, fields in {
        "start": {},
        "settings": CHOICES,
        "bots": {"seat": "3", "level": "easy"},
        "remove": {"seat": "1", "revision": revision},
        "host": {"seat": "1", "revision": revision},
    }.items():
        assert friend.send(f"{table.path}/{order}", **fields).status_code == 409, order
        assert "Only the host" in friend.text
        friend.look()
        stranger.get(table.path)
        assert stranger.send(f"{table.path}/{order}", **fields).status_code == 404, order


def test_the_host_changes_the_table_seats_bots_and_hands_over(app: Flask) -> None:
    table = host(app)
    friend = joins(app, table)
    table.look()
    changed = {**CHOICES, "seats": "4", "goal": "5", "pace": "quick"}
    assert table.send(f"{table.path}/settings", **changed).status_code == 303
    table.look()
    assert "first to 5 points" in table.text
    assert "30 seconds a turn" in table.text
    assert table.send(f"{table.path}/bots", seat="3", level="easy").status_code == 303
    table.look()
    assert "Easy bot" in table.text
    revision = table.fields()["revision"]
    assert table.send(f"{table.path}/host", seat="2", revision=revision).status_code == 303
    friend.look()
    assert "Start with 2 people and 2 bots" in friend.text
    wrong = {**changed, "goal": "10"}
    assert friend.send(f"{table.path}/settings", **wrong).status_code == 422
    assert "Choose a goal from 1 to 9 points" in friend.text


def test_somebody_who_was_removed_is_told_and_cannot_come_back(app: Flask) -> None:
    table = host(app)
    third, friend = joins(app, table), joins(app, table)
    old, code = invitation_to(app, table), code_on(table.page)
    table.look()
    table.send(f"{table.path}/remove", seat="3", revision=table.fields()["revision"])
    # The page that is open is led to one that says so, and shows nothing of the table.
    poll = friend.client.get(f"{table.path}/waiting?v=0", headers=HTMX)
    assert poll.headers["HX-Redirect"] == table.path
    new = invitation_to(app, table)
    assert new != old
    for address in (table.path, new):
        assert friend.get(address).status_code == 403
        assert "The host removed you from this table" in friend.text
        assert friend_name(third) not in friend.page
    for address in (f"{table.path}/join", new):
        assert friend.send(address).status_code == 403
        assert "cannot sit here again" in friend.text
    # Nor as somebody else, by what they know: the key, the link and the code.
    again = Player(app)
    again.get("/join")
    users = count(app, "users")
    assert again.send("/join", code=code).status_code == 422
    for address in (table.path, f"{table.path}/waiting", old, f"{old}/waiting"):
        assert again.client.get(address).status_code in (303, 404)
        assert again.client.get(address, headers=HTMX).status_code in (401, 404)
    for address in (f"{table.path}/join", old):
        assert again.send(address).status_code in (303, 404)
    assert count(app, "users") == users
    # Those who sit there are given what is passed on from now on.
    poll = third.client.get(polled(third), headers=HTMX)
    assert poll.headers["HX-Redirect"] == table.path
    for player in (third, table):
        player.look()
        assert new in player.page
        assert code_on(player.page) != code
    assert joins(app, table).path == table.path


def polled(player: Player) -> str:
    """Return what the page that this person has open asks for."""
    found = re.search(r'hx-get="([^"]+)"', player.page)
    assert found
    return unescape(found[1])


def test_links_given_away_before_invitations_had_names_of_their_own_go_on_working(
    app: Flask,
) -> None:
    table = host(app)
    friend = Player(app)
    friend.path = table.path
    assert friend.look().status_code == 200
    assert friend.send(f"{table.path}/join").headers["Location"] == table.path
    friend.look()
    assert "Invite others" in friend.text


def test_pages_of_people_who_are_invited_do_not_know_the_tables_own_address(app: Flask) -> None:
    table = host(app)
    comer = Player(app)
    comer.get(invitation_to(app, table))
    assert table.path not in comer.page
    assert comer.client.get(polled(comer), headers=HTMX).status_code == 204
    joins(app, table)
    part = comer.client.get(polled(comer), headers=HTMX)
    assert part.status_code == 200
    assert table.path not in part.text


def test_an_invitation_leads_those_who_sit_there_to_the_table_and_everybody_once_it_has_begun(
    app: Flask,
) -> None:
    table = host(app)
    friend, late = joins(app, table), Player(app)
    invitation = invitation_to(app, table)
    late.get(invitation)
    asked = polled(late)
    assert friend.get(invitation).headers["Location"] == table.path
    table.look()
    table.send(f"{table.path}/start")
    assert friend.get(invitation).headers["Location"] == table.path
    assert late.client.get(asked, headers=HTMX).headers["HX-Redirect"] == invitation
    assert late.client.get(invitation).headers["Location"] == table.path
    assert late.send(invitation).status_code == 409
    assert "This match has begun already" in late.text


def test_leaving_frees_the_seat_and_passes_the_host_on(app: Flask) -> None:
    table = host(app)
    friend = joins(app, table)
    table.look()
    assert table.send(f"{table.path}/get-up").headers["Location"] == "/"
    friend.look()
    assert "Your table" in friend.text
    assert friend.send(f"{table.path}/get-up").status_code == 303
    assert count(app, "games") == 0


def test_who_comes_too_late_is_told_so(app: Flask) -> None:
    table = host(app, seats="2")
    late = Player(app)
    invitation = invitation_to(app, table)
    late.get(invitation)
    joins(app, table)
    assert late.send(invitation).status_code == 409
    assert "Somebody was quicker" in late.text
    table.look()
    table.send(f"{table.path}/start")
    assert late.send(f"{table.path}/join").status_code == 409
    assert "This match has begun already" in late.text


def test_of_sixteen_who_press_at_once_each_is_seated_or_told(app: Flask) -> None:
    table = host(app, seats="4")
    comers = []
    for _ in range(16):
        comer = Player(app)
        comer.become_guest()
        comer.get(invitation_to(app, table))
        comers.append(comer)
    waiting, invitation = iter(comers), invitation_to(app, table)
    statuses = at_once(app, 16, lambda: next(waiting).send(invitation).status_code)
    assert sorted(statuses) == [303] * 3 + [409] * 13
    assert None not in [seat.user_id for seat in _seats(app, table)]
    assert all("Somebody was quicker" in comer.text for comer in comers if "taken" in comer.text)


@pytest.mark.parametrize("path", ["join", "start", "get-up", "waiting", "settings", "bots"])
def test_a_wrong_link_leads_nowhere_and_makes_nobody_a_guest(app: Flask, path: str) -> None:
    visitor = Browser(app)
    visitor.get("/sign-in")
    address = f"/games/no-such-table/{path}"
    ask = visitor.get if path == "waiting" else visitor.send
    fields = CHOICES if path == "settings" else {}
    assert ask(address, **fields).status_code in (303, 404)
    assert count(app, "users") == 0


def test_a_table_for_all_is_on_the_home_page_and_one_for_friends_is_not(app: Flask) -> None:
    private, public = host(app), host(app, access="public")
    home = Browser(app)
    home.get("/")
    assert invitation_to(app, public) in home.page
    assert invitation_to(app, private) not in home.page
    assert public.path not in home.page
    assert private.path not in home.page
    assert "Open to all" in home.text
    assert "2 free seats" in home.text


def test_a_server_may_list_no_tables_and_make_no_accounts(app: Flask) -> None:
    public = host(app, access="public")
    app.config["PUBLIC_TABLES"] = False
    app.config["REGISTRATION"] = "closed"
    visitor = Player(app)
    visitor.get("/")
    assert invitation_to(app, public) not in visitor.page
    visitor.get("/tables/friends")
    assert "Everyone" not in visitor.text
    assert visitor.send("/tables/friends", **{**CHOICES, "access": "public"}).status_code == 422
    for answer in (visitor.get("/register"), visitor.send("/register", handle="otter")):
        assert answer.status_code == 403
    assert "No new accounts here" in visitor.text
    visitor.get("/sign-in")
    assert "/register" not in visitor.page
    joins(app, host(app))


def test_other_devices_are_given_an_address_that_they_can_open(app: Flask) -> None:
    app.config["NETWORK_ADDRESS"] = "192.168.1.20"
    table = host(app)
    invitation = invitation_to(app, table)
    assert f'value="http://192.168.1.20{invitation}"' in table.page
    assert f'src="{qr_picture(f"http://192.168.1.20{invitation}")}"' in unescape(table.page)
    other = Browser(app, "http://127.0.0.1:8000")
    other.get(invitation)
    assert f'content="http://192.168.1.20:8000{invitation}"' in other.page


def test_an_address_that_only_this_computer_can_open_is_said_to_be_one(app: Flask) -> None:
    table = host(app)
    assert "work on this computer only" in table.text
    app.config["NETWORK_ADDRESS"] = "192.0.2.7"
    table.look()
    assert "work on this computer only" not in table.text


def test_my_waiting_tables_are_on_my_home_page(app: Flask) -> None:
    table = host(app)
    table.get("/")
    assert table.path in table.page
    assert "Waiting for players" in table.text


def test_a_form_that_is_too_old_is_answered_with_the_room(app: Flask) -> None:
    table = host(app)
    friend = joins(app, table)
    for path in ("start", "settings", "get-up", "join", "bots"):
        friend.look()
        answer = friend.send(f"{table.path}/{path}", csrf_token="old")
        assert answer.status_code == 400
        assert "too old to be sent" in friend.text
    match_of_two(app)
