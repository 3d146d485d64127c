from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select, update

from raisesum.extensions import db
from raisesum.models import Presence, Seat
from raisesum.services import absence, server_time
from raisesum.services.transactions import write_transaction
from raisesum.wording import isolated
from tests.web.browser import HTMX, Browser
from tests.web.friends import host, joins, match_of_two
from tests.web.tables import Player, put, stored_game

MINUTE = 60_000


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Let server time stand still, and pass by so many seconds."""
    now = [server_time.now_ms()]

    def wait(seconds: float) -> None:
        now[0] += int(seconds * 1000)

    monkeypatch.setattr(server_time, "now_ms", lambda: now[0])
    return wait


def everyone_was_seen_long_ago(app: Flask) -> None:
    with app.app_context(), write_transaction() as session:
        session.execute(update(Presence).values(seen_at=1))


def test_the_clock_of_the_one_on_turn_is_shown_to_all_with_the_seconds_left(
    app: Flask, later: Any
) -> None:
    first, second = match_of_two(app, pace="quick")
    later(10)
    first.look()
    assert 'data-left="20"' in first.page
    assert "data-mine" in first.page
    second.look()
    assert 'data-left="20"' in second.page
    assert "data-mine" not in second.page


def test_a_page_can_tell_more_time_for_a_turn_from_the_same_time_looked_at_again(
    app: Flask, later: Any
) -> None:
    def ends(who: Any) -> str:
        who.look()
        return re.findall(r'data-ends="([0-9]+)"', who.page)[0]

    first, second = match_of_two(app, pace="quick")
    told = ends(first)
    later(10)
    assert ends(first) == ends(second) == told
    # The one on turn is not heard of any more: they get more time.
    later(21)
    assert ends(second) != told
    assert "clock--graced" in second.page


def test_a_poll_ends_a_turn_that_has_run_out(app: Flask, later: Any) -> None:
    first, second = match_of_two(app, pace="quick")
    later(29)
    first.poll("?v=99")
    second.poll("?v=99")
    later(1.1)
    second.poll("?v=99")
    assert "passed" in second.look().text
    first.look()
    assert "passed" in first.text


def test_presence_is_noted_by_polls_at_most_every_twenty_seconds(app: Flask, later: Any) -> None:
    first, second = match_of_two(app)

    def seen() -> list[int]:
        with app.app_context():
            return list(db.session.scalars(select(Presence.seen_at).order_by(Presence.user_id)))

    before = seen()
    later(19)
    first.poll("?v=0")
    assert seen() == before
    later(2)
    first.poll("?v=0")
    assert seen()[0] == before[0] + 21_000
    assert seen()[1] == before[1]
    assert second.path == first.path


def test_a_page_learns_that_somebody_has_gone_quiet(app: Flask, later: Any) -> None:
    first, _second = match_of_two(app)
    revision = stored_game(app, first.path).revision
    assert first.poll(f"?v={revision}&presence=hh").status_code == 204
    later(70)
    answer = first.poll(f"?v={revision}&presence=hh")
    assert answer.status_code == 200
    assert "inactive for a minute" in answer.text
    assert first.poll(f"?v={revision}&presence=hq").status_code == 204


def test_a_page_says_aloud_that_somebody_is_away_and_not_once_more_whose_turn_it_is(
    app: Flask, later: Any
) -> None:
    first, _second = match_of_two(app)
    revision = stored_game(app, first.path).revision

    def said(mark: str) -> str:
        answer = first.poll(f"?v={revision}&log=0&said=0&presence={mark}").text
        return answer.partition('hx-target="#announce"')[2].partition("</hx-partial>")[0]

    later(70)
    assert said("hh").endswith(">")
    later(300)
    assert said("hq").endswith(" is away.")
    assert "Your turn" not in said("hq")
    assert "Your turn" in first.poll("?v=0&log=0").text


def test_leaving_asks_first_and_a_stand_in_takes_over_until_one_is_back(app: Flask) -> None:
    app.config["BOT_DELAY_MS"] = MINUTE
    first, second = match_of_two(app)
    assert "Leave this match?" in first.text
    assert first.send(f"{first.path}/leave").headers["Location"] == "/"
    first.get("/")
    assert "You left: a stand-in plays" in first.text
    second.look()
    assert "has left; a stand-in plays" in second.text
    first.look()
    assert "I’m back" in first.text
    answer = first.send(f"{first.path}/come-back", headers=HTMX)
    assert answer.status_code == 200
    assert "Your turn" in answer.text
    second.look()
    assert "stand-in" not in second.text.replace("A stand-in plays on for you", "")


def test_the_others_agree_on_a_stand_in_for_somebody_who_is_away(app: Flask) -> None:
    app.config["BOT_DELAY_MS"] = MINUTE
    table = host(app, seats="3")
    second, third = joins(app, table), joins(app, table)
    table.look()
    table.send(f"{table.path}/start")
    everyone_was_seen_long_ago(app)
    second.look()
    third.look()
    second.look()
    assert "Let a stand-in play for" in second.text
    second.send(f"{table.path}/agree", headers=HTMX, seat="1")
    assert "You agreed to a stand-in" in second.text
    third.look()
    assert "would let a stand-in play" in third.text
    third.send(f"{table.path}/agree", headers=HTMX, seat="1")
    assert "a stand-in plays" in third.text
    table.look()
    assert "You were away. A stand-in plays for you." in table.text
    assert "I’m back" in table.text


def test_leaving_on_ones_turn_and_coming_back_wins_no_time(app: Flask, later: Any) -> None:
    app.config["BOT_DELAY_MS"] = 1000
    first, second = match_of_two(app, pace="quick")
    later(29)
    first.send(f"{first.path}/leave")
    first.look()
    first.send(f"{first.path}/come-back", headers=HTMX)
    assert stored_game(app, first.path).version > 0
    second.look()
    assert "A stand-in" not in second.text.replace("A stand-in plays on for you", "")


def test_a_match_that_waits_for_its_people_is_asked_for_rarely(app: Flask) -> None:
    first, second = match_of_two(app)
    for player in (first, second):
        player.look()
        player.send(f"{player.path}/leave")
    first.look()
    assert "Everyone has gone, and the match waits" in first.text
    assert "data-quick" not in first.page


def test_what_is_said_is_seen_by_all_and_makes_no_move_stale(app: Flask) -> None:
    first, second = match_of_two(app)
    card = first.cards[0]
    answer = second.send(f"{second.path}/say", headers=HTMX, phrase="wow")
    assert answer.status_code == 200
    news = first.poll("?v=0&log=0&said=0").text
    assert 'class="seat__says">Wow!' in news
    assert "says: Wow!" in news
    assert first.act("play", card).status_code == 200


def test_only_our_phrases_can_be_said_and_not_too_many(app: Flask) -> None:
    first, _second = match_of_two(app)
    assert first.send(f"{first.path}/say", headers=HTMX, phrase="<b>").status_code == 409
    statuses = [
        first.send(f"{first.path}/say", headers=HTMX, phrase="wow").status_code for _ in range(5)
    ]
    assert statuses == [200] * 4 + [409]
    assert "Wait a moment" in first.text


def test_a_muted_seat_is_not_heard(app: Flask) -> None:
    first, second = match_of_two(app)
    first.send(f"{first.path}/mute", headers=HTMX, seat="2", muted="1")
    second.send(f"{second.path}/say", headers=HTMX, phrase="wow")
    first.look()
    assert "seat__says" not in first.page
    first.send(f"{first.path}/mute", headers=HTMX, seat="2", muted="0")
    assert "seat__says" in first.page


def test_spectators_see_the_table_and_can_do_nothing(app: Flask) -> None:
    first, _second = match_of_two(app, spectators="1")
    watcher = Player(app)
    watcher.path = first.path
    assert watcher.look().status_code == 200
    assert "You are watching" in watcher.text
    assert "Your turn" not in watcher.text.replace("Tell me when it is my turn", "")
    assert watcher.cards == []
    orders = [f"{first.path}/{order}" for order in ("actions", "say", "mute", "leave")]
    for control in (*orders, "data-my-turn", "data-waits"):
        assert control not in watcher.page.partition('id="table"')[2].partition("<footer")[0]
    assert watcher.poll("?v=0&presence=hh").status_code in (200, 204)
    watcher.become_guest()
    watcher.look()
    for path in ("actions", "say", "mute", "leave", "come-back", "agree", "sum", "rematch"):
        assert watcher.send(f"{first.path}/{path}", action="pass").status_code == 404, path


def test_a_table_without_spectators_shows_itself_to_nobody_else(app: Flask) -> None:
    first, _second = match_of_two(app)
    nobody, stranger = Browser(app), Browser(app)
    stranger.become_guest()
    for path in ("", "/table"):
        for other in (nobody, stranger):
            assert other.get(first.path + path).status_code == 404
            assert 'id="table"' not in other.page
            assert other.get(first.path + path, headers=HTMX).status_code == 404


def test_home_and_table_agree_on_whose_turn_it_is(app: Flask, later: Any) -> None:
    app.config["BOT_DELAY_MS"] = 1000
    player = Player(app)
    player.start(bots="1", first="2")
    later(20)
    player.get("/")
    on_home = "Your turn" in player.text
    player.look()
    assert on_home == ("Your turn" in player.text)


def test_the_home_page_says_that_a_match_waits(app: Flask) -> None:
    first, second = match_of_two(app)
    everyone_was_seen_long_ago(app)
    second.get("/")
    assert "The match waits for" in second.text
    assert "kept for at least 30 days" in second.text
    first.send(f"{first.path}/leave")
    second.look()
    second.send(f"{second.path}/leave")
    second.get("/")
    assert "Everyone has gone: the match waits" in second.text
    second.look()
    assert "Everyone has gone, and the match waits" in second.text


def give_the_round_away(player: Player) -> None:
    """Pass on the opening turn, with the discard that may follow."""
    player.act("pass", confirmed="1")
    while "card to discard" in player.text or "to choose" in player.text:
        player.act("discard", *player.cards[: len(player.cards) - 7])


def test_one_press_each_leads_to_the_rematch(app: Flask) -> None:
    first, second = match_of_two(app, goal="1")
    give_the_round_away(first)
    first.look()
    assert "Play again" in first.text, first.text
    response = first.send(f"{first.path}/rematch")
    assert response.status_code == 303
    new = response.headers["Location"]
    first.get(new)
    assert "Start" in first.text
    assert "Free seat for " in first.text
    second.look()
    assert "would like to play again" in second.text
    assert second.send(f"{second.path}/rematch").headers["Location"] == new
    second.get(new)
    assert 'id="table"' in second.page


def test_who_presses_too_late_is_told_that_the_others_play_again(app: Flask) -> None:
    first, second = match_of_two(app, goal="1")
    give_the_round_away(first)
    second.look()
    new = first.send(f"{first.path}/rematch").headers["Location"]
    first.get(new)
    assert first.send(f"{new}/start").status_code == 303
    for response in (second.send(f"{second.path}/rematch"), second.look()):
        assert "The others are playing again already" in second.text, response.status
    assert "Play again" not in second.text


def test_time_that_ran_out_is_told_to_whose_it_was_and_why_a_stand_in_plays(
    app: Flask, later: Any
) -> None:
    first, second = match_of_two(app, pace="quick")
    for told in ("Your time ran out, so your seat passed", "Your time ran out twice"):
        assert told not in first.text
        put(app, first.path, turn=1)
        later(20)
        first.poll("?v=0")
        later(11)
        first.look()
        assert told in first.text
        second.look()
        assert told not in second.text


def test_nobody_is_blamed_for_a_pass_that_the_clock_made(app: Flask, later: Any) -> None:
    first, second = match_of_two(app, pace="quick")
    later(20)
    first.poll("?v=0")
    later(11)
    first.look()
    assert "You ran out of time and passed" in first.text
    second.look()
    assert "ran out of time and passed" in second.text
    told = "Your time ran out with nothing to beat, so the seat passed. It could have stayed in."
    assert told in first.text
    first.get(f"{first.path}/review")
    assert told in first.text
    assert "You passed" not in first.text


def test_the_page_tells_the_script_whose_turn_it_is(app: Flask) -> None:
    first, second = match_of_two(app)
    assert "data-my-turn" in first.page
    assert "data-waits" not in first.page
    assert "data-waits" in second.page
    assert "<title>Your turn" in first.page
    assert "<title>Your turn" not in second.page


def test_a_guest_goes_on_with_another_device(app: Flask) -> None:
    first, _second = match_of_two(app)
    first.get("/continue")
    first.send("/continue")
    link = (
        first.fields().get("link")
        or first.page.partition('id="link" readonly value="')[2].partition('"')[0]
    )
    path = link.removeprefix("http://localhost")
    device = Player(app)
    for _ in range(3):
        assert device.get(path).status_code == 200
    assert "Go on here" in device.text
    response = device.send(path)
    assert response.status_code == 303
    device.path = first.path
    device.look()
    assert "Your turn" in device.text
    late = Browser(app)
    late.get("/sign-in")
    assert late.get(path).status_code == 410
    assert late.send(path).status_code == 410
    first.look()
    assert "Your turn" in first.text


def stored_seats(app: Flask, path: str) -> list[Seat]:
    game = stored_game(app, path)
    with app.app_context():
        query = select(Seat).where(Seat.game_id == game.id).order_by(Seat.number)
        return list(db.session.scalars(query))


def in_partial(page: str, target: str) -> str:
    """Return what an answer to htmx brings for the place `target` outside the table's part."""
    found = page.partition(f'hx-target="#{target}"')[2].partition("</hx-partial>")[0]
    return unescape(found.partition(">")[2])


def test_what_can_be_left_or_given_up_follows_the_match_without_a_reload(app: Flask) -> None:
    app.config["BOT_DELAY_MS"] = MINUTE
    first, second = match_of_two(app)
    assert "Leave this match?" in in_partial(second.poll("?v=99").text, "table-menus")
    first.send(f"{first.path}/leave")
    first.look()
    assert "Leave this match?" not in first.text
    answer = first.send(f"{first.path}/come-back", headers=HTMX)
    assert "Leave this match?" in in_partial(answer.text, "table-menus")
    # The other one goes for good, and only bots are left.
    with app.app_context(), write_transaction() as session:
        other = stored_seats(app, first.path)[1].user_id
        assert other is not None
        absence.leave_for_good(session, other)
    menus = in_partial(first.poll("?v=99").text, "table-menus")
    assert "Leave this match?" not in menus
    assert "Give up this match?" in menus
    answer = first.send(f"{first.path}/leave")
    assert answer.status_code == 409
    assert "Only bots play here besides you" in first.text
    assert "Your turn" in first.text
    assert not stored_seats(app, first.path)[0].stand_in


def test_what_the_foot_offers_follows_the_match_and_the_settings(app: Flask) -> None:
    first, second = match_of_two(app)
    asks = "Ask before I pass"
    assert asks not in in_partial(first.poll("?v=99").text, "table-foot")
    answer = first.send(
        f"{first.path}/actions",
        headers=HTMX,
        **{"action": "pass", "version": "0", "confirmed": "1", "dont_ask": "1"},
    )
    assert asks in in_partial(answer.text, "table-foot")
    assert asks not in in_partial(second.poll("?v=99").text, "table-foot")
    assert "Round 1" in in_partial(answer.text, "table-foot")
    assert "check-now" in first.look().text


def test_at_a_table_of_bots_nothing_says_when_it_was_checked(app: Flask) -> None:
    player = Player(app)
    player.start(bots="1", first="1")
    assert "checked-ago" not in player.page
    assert "check-now" not in player.page


def test_phrases_are_said_and_muted_in_the_waiting_room_as_at_the_table(app: Flask) -> None:
    table = host(app, seats="3")
    assert "/say" not in table.page
    friend, other = joins(app, table, "Zoë"), joins(app, table)
    table.look()
    revision = stored_game(app, table.path).revision
    shown = {"v": str(revision), "presence": "hhh", "said": "0"}
    role = friend.fields()["role"]
    answer = friend.send(f"{table.path}/say", headers=HTMX, role=role, phrase="hello", **shown)
    assert answer.status_code == 200
    assert '<section id="room"' in answer.text
    assert in_partial(answer.text, "announce") == "You said: Hello!"
    query = "&".join(
        f"{name}={value}" for name, value in {**shown, "role": table.fields()["role"]}.items()
    )
    news = table.client.get(f"{table.path}/waiting?{query}", headers=HTMX).text
    assert '<span class="place__says">Hello!</span>' in news
    assert in_partial(news, "announce") == f"{isolated('Zoë')} says: Hello!"
    # Without scripts it is the page again.
    assert friend.send(f"{table.path}/say", phrase="wow").headers["Location"] == table.path
    assert table.send(f"{table.path}/mute", seat="2", muted="1").status_code == 303
    assert "place__says" not in table.look().text
    assert "Unmute" in table.text
    other.look()
    assert '<span class="place__says">Wow!</span>' in other.page
    for _ in range(2):
        friend.send(f"{table.path}/say", headers=HTMX, role=role, phrase="wow")
    assert friend.send(f"{table.path}/say", phrase="wow").status_code == 409
    assert "Wait a moment" in friend.text
    answer = friend.send(f"{table.path}/say", headers=HTMX, role=role, phrase="wow")
    assert answer.status_code == 409
    assert "Wait a moment" in in_partial(answer.text, "refused")
    assert friend.send(f"{table.path}/say", phrase="<b>").status_code == 409
    answer = friend.send(
        f"{table.path}/say", headers=HTMX, role=role, phrase="wow", csrf_token="old"
    )
    assert answer.status_code == 400
    assert "too old to be sent" in in_partial(answer.text, "refused")
    stranger = Player(app)
    stranger.become_guest()
    assert stranger.send(f"{table.path}/say", phrase="wow").status_code == 404
    # What comes from the page of a room after the start leads to the match.
    table.send(f"{table.path}/start")
    answer = other.send(f"{table.path}/say", headers=HTMX, role=role, phrase="bye")
    assert answer.headers["HX-Redirect"] == table.path
    other.look()
    assert 'class="seat__says">Good game!' in other.page
    assert 'class="seat__says">Wow!' in other.page
    table.look()
    assert 'class="seat__says">Wow!' not in table.page


def test_a_finished_table_tells_of_a_wish_for_a_rematch_and_of_what_is_said(app: Flask) -> None:
    first, second = match_of_two(app, goal="1")
    give_the_round_away(first)
    second.look()
    found = re.search(r'id="table"[^>]*hx-get="([^"]+)"', second.page)
    assert found
    address = unescape(found[1])
    query = address.partition("?")[2]
    assert second.client.get(address, headers=HTMX).status_code == 204
    new = first.send(f"{first.path}/rematch").headers["Location"]
    answer = second.poll(f"?{query}")
    name = isolated(stored_seats(app, first.path)[0].name)
    wish = f"{name} would like to play again"
    assert f"<title>{wish} · Raise the Sum</title>" in unescape(answer.text)
    assert in_partial(answer.text, "announce") == f"{wish}."
    found = re.search(r'hx-get="([^"]+/table[^"]+)"', answer.text)
    assert found
    assert second.client.get(unescape(found[1]), headers=HTMX).status_code == 204
    # The wish is taken back by leaving the new table, and that is seen as well.
    query = unescape(found[1]).partition("?")[2]
    first.get(new)
    first.send(f"{new}/get-up")
    answer = second.poll(f"?{query}")
    assert wish not in answer.text
    assert in_partial(answer.text, "announce") == ""
    said = first.send(f"{first.path}/say", headers=HTMX, phrase="bye")
    assert said.status_code == 200
    answer = second.poll(f"?{query}&said=0&rematch=")
    assert 'class="seat__says">Good game!' in answer.text
    assert in_partial(answer.text, "announce") == f"{name} says: Good game!"


def test_a_finished_match_against_bots_asks_for_nothing(app: Flask) -> None:
    player = Player(app)
    player.start(bots="1", first="1")
    player.send(f"{player.path}/give-up")
    player.look()
    assert "hx-trigger" not in player.page.partition('id="table"')[2].partition(">")[0]


@pytest.mark.parametrize("path", ["/", "{table}/review", "{table}/replay"])
def test_pages_that_tell_of_tables_are_asked_for_anew_when_back_brings_them(
    app: Flask, path: str
) -> None:
    first, _second = match_of_two(app)
    address = path.format(table=first.path)
    first.get(address)
    assert f'data-asks-anew="{address}"' in first.page
