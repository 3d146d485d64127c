from __future__ import annotations

import pytest
from flask import Flask
from sqlalchemy import select

from raisesum.extensions import db
from raisesum.models import Game
from raisesum.services import (
    absence,
    accounts,
    invitations,
    lobby,
    names,
    presence,
    seating,
    server_time,
    waiting,
)
from raisesum.services.attempts import Visitor
from raisesum.services.errors import (
    BegunError,
    NoFreeSeatError,
    NoSuchTableError,
    NotBegunError,
    NotHostError,
    SentAwayError,
    ServiceError,
    StaleRoomError,
)
from raisesum.services.refusals import RefusedError
from raisesum.services.table import PLAYING, WAITING, pulse, table_for
from raisesum.services.table_settings import TableSettings
from tests.services.concurrency import at_once
from tests.services.friends import is_away, match_of, waiting_table
from tests.services.tables import guest, log_rows, stored

pytestmark = pytest.mark.usefixtures("app_context")

FOUR = TableSettings()


def who(key: str) -> list[int | None]:
    """Return whose each seat is."""
    return [seat.user_id for seat in stored(key).seats]


def test_whoever_sets_a_table_sits_there_as_its_host():
    me = guest()
    room = waiting.room_for(me, waiting.create(me, FOUR))
    assert (room.is_seated, room.is_host, room.free_seats) == (True, True, 3)
    assert room.people[0].is_you
    assert room.settings == FOUR


def test_people_sit_down_one_after_the_other_and_bots_take_what_is_left():
    key, (one, two) = waiting_table(2, seats=4, bot_level="easy")
    assert who(key) == [one, two, None, None]
    waiting.start(one, key, 0)
    assert stored(key).status == PLAYING
    assert [person.bot for person in table_for(two, key).people] == [None, None, "easy", "easy"]
    assert [person.name for person in table_for(two, key).people][2:] == ["Easy 1", "Easy 2"]
    assert len(log_rows(key)) == 1


def test_bots_can_have_seats_from_the_beginning_and_be_seated_and_sent_away():
    me = guest()
    key = waiting.create(me, TableSettings(seats=3), ["steady"])
    assert [seat.bot for seat in stored(key).seats] == [None, None, "steady"]
    waiting.seat_bot(me, key, 2, "easy")
    waiting.seat_bot(me, key, 3, None)
    assert [seat.bot for seat in stored(key).seats] == [None, "easy", None]
    assert waiting.room_for(me, key).free_seats == 1
    with pytest.raises(ServiceError, match="Somebody has taken"):
        waiting.seat_bot(me, key, 1, "easy")


def test_sitting_down_twice_is_sitting_down_once():
    key, (_one, two) = waiting_table(2, seats=4)
    assert seating.join(two, key) == 2
    assert who(key).count(two) == 1


def test_a_full_table_says_so():
    key, _people = waiting_table(2)
    with pytest.raises(NoFreeSeatError, match="Somebody was quicker"):
        seating.join(guest(), key)


def test_after_the_start_nobody_sits_down_and_is_told_why():
    key, people = match_of(2)
    with pytest.raises(BegunError):
        seating.join(guest(), key)
    assert seating.join(people[1], key) == 2


def test_a_match_against_bots_is_unknown_to_those_who_would_join_it():
    with pytest.raises(NoSuchTableError):
        seating.join(guest(), lobby.play_now(guest(), 60_000))


@pytest.mark.parametrize("free", [1, 2, 3])
def test_of_sixteen_who_come_at_once_each_gets_a_seat_of_their_own_or_is_told(
    app: Flask, backend, free
):
    # Fifty times in all; PostgreSQL takes long to open sixteen connections.
    for _ in range(17 if backend == "sqlite" else 4):
        key, _people = waiting_table(4 - free, seats=4)
        comers = [guest() for _ in range(16)]
        waiting_for = iter(comers)

        def come(key: str = key, waiting_for=waiting_for) -> int | None:
            try:
                return seating.join(next(waiting_for), key)
            except NoFreeSeatError:
                return None

        seats = at_once(app, 16, come)
        assert sorted(filter(None, seats)) == list(range(5 - free, 5))
        assert None not in who(key)
        assert len(set(who(key))) == 4
        assert stored(key).revision == 3


def test_two_devices_of_one_person_sit_down_once(app: Flask):
    key, _people = waiting_table(1, seats=4)
    me = guest()
    assert at_once(app, 8, lambda: seating.join(me, key)) == [2] * 8


def test_only_the_host_decides():
    key, (host, other) = waiting_table(2, seats=3)
    revision = stored(key).revision
    for order in (
        lambda who: waiting.change(who, key, TableSettings(seats=2)),
        lambda who: waiting.seat_bot(who, key, 3, "easy"),
        lambda who: seating.remove(who, key, 1, revision),
        lambda who: seating.hand_over_host(who, key, 1, revision),
        lambda who: waiting.start(who, key, 0),
    ):
        with pytest.raises(NotHostError):
            order(other)
        with pytest.raises(NoSuchTableError):
            order(guest())
    assert stored(key).host_id == host
    assert stored(key).status == WAITING


def test_whoever_the_host_removes_cannot_sit_there_again():
    key, (host, other) = waiting_table(2, seats=3)
    seating.remove(host, key, 2, stored(key).revision)
    assert who(key) == [host, None, None]
    for look in (waiting.room_for, pulse, seating.join):
        with pytest.raises(SentAwayError):
            look(other, key, stored(key).invitation)
    assert seating.join(guest(), key, stored(key).invitation) == 2


def test_whoever_is_removed_does_not_come_back_as_somebody_else_by_what_they_know():
    key, (host, other) = waiting_table(2, seats=3)
    game = stored(key)
    link, code = game.invitation, game.code
    seating.remove(host, key, 2, game.revision)
    visitor = Visitor("one")
    for who_comes in (None, guest()):
        for token in (None, link, ""):
            for look in (waiting.room_for, pulse):
                with pytest.raises(NoSuchTableError):
                    look(who_comes, key, token)
    for token in (None, link):
        with pytest.raises(NoSuchTableError):
            seating.join(guest(), key, token)
    with pytest.raises(NoSuchTableError):
        invitations.key_behind(link)
    with pytest.raises(RefusedError):
        invitations.token_for(code, visitor)
    # Deleting the account forgets the removal, and still leads nowhere.
    accounts.delete_account(other, "")
    with pytest.raises(NoSuchTableError):
        seating.join(guest(), key)
    token = invitations.token_for(stored(key).code, visitor)
    assert invitations.key_behind(token) == key
    assert seating.join(guest(), key, token) == 2
    assert pulse(host, key).is_seated


def test_the_key_invites_as_well_until_somebody_is_removed():
    key, _people = waiting_table(1, seats=3)
    assert not waiting.room_for(None, key).is_seated
    assert seating.join(guest(), key) == 2


def test_sixteen_who_come_while_somebody_is_removed_sit_by_the_link_that_counts(app: Flask):
    key, (host, _other) = waiting_table(2, seats=4)
    old, revision = stored(key).invitation, stored(key).revision
    people = iter([guest() for _ in range(15)])
    jobs = iter([host, *people])

    def come() -> str:
        me = next(jobs)
        try:
            if me == host:
                seating.remove(host, key, 2, revision)
                return "removed"
            seating.join(me, key, old)
        except (NoSuchTableError, NoFreeSeatError, StaleRoomError) as error:
            return type(error).__name__
        return "seated"

    outcomes = at_once(app, 16, come)
    seated = len(_seated(key))
    if "removed" in outcomes:
        assert stored(key).invitation != old
        assert "NoSuchTableError" in outcomes
    assert seated == outcomes.count("seated") + (1 if "removed" in outcomes else 2)


def test_signing_in_to_an_account_does_not_undo_a_removal():
    key, (host, other) = waiting_table(2, seats=3)
    account = accounts.register("otter", "", "seven quiet otters").user_id
    seating.remove(host, key, 2, stored(key).revision)
    accounts.sign_in("otter", "seven quiet otters", guest_id=other)
    with pytest.raises(SentAwayError):
        seating.join(account, key)


def test_an_order_against_a_person_counts_only_while_that_person_sits_there():
    key, (host, other) = waiting_table(2, seats=3)
    seen = stored(key).revision
    seating.leave(other, key)
    seating.join(guest(), key)
    with pytest.raises(StaleRoomError):
        seating.remove(host, key, 2, seen)
    with pytest.raises(ServiceError, match="Nobody else"):
        seating.remove(host, key, 1, stored(key).revision)


def test_the_host_can_make_somebody_else_the_host():
    key, (one, two, three) = waiting_table(3)
    seating.hand_over_host(one, key, 3, stored(key).revision)
    assert stored(key).host_id == three
    with pytest.raises(NotHostError):
        waiting.start(one, key, 0)
    waiting.start(three, key, 0)
    assert table_for(two, key).people[2].is_host


def test_when_the_host_leaves_the_next_person_is_host():
    key, (one, two, three) = waiting_table(3)
    seating.hand_over_host(one, key, 2, stored(key).revision)
    seating.leave(two, key)
    assert stored(key).host_id == three
    seating.leave(three, key)
    assert stored(key).host_id == one
    waiting.change(one, key, TableSettings(seats=2))


def test_a_table_that_nobody_sits_at_is_cleared_away():
    key, (one, two) = waiting_table(2)
    seating.leave(one, key)
    seating.leave(two, key)
    assert db.session.scalars(select(Game).where(Game.key == key)).one_or_none() is None


def test_a_host_who_has_vanished_does_not_keep_the_others_waiting():
    key, (host, other, third) = waiting_table(3)
    waiting.take_over_from_absent_host(other, key)
    assert stored(key).host_id == host
    is_away(key, host)
    waiting.take_over_from_absent_host(guest(), key)
    assert stored(key).host_id == host
    waiting.take_over_from_absent_host(third, key)
    assert stored(key).host_id == other
    waiting.start(other, key, 0)


def test_settings_can_be_changed_until_the_start():
    key, (host, _other) = waiting_table(2, seats=4)
    wanted = TableSettings(2, "addition", 5, 2, 30, True, True, "easy")
    waiting.change(host, key, wanted)
    assert waiting.room_for(host, key).settings == wanted
    assert len(stored(key).seats) == 2
    waiting.start(host, key, 0)
    table = table_for(host, key)
    assert (table.view.setup.goal, table.view.setup.deck.name, table.pace_s) == (5, "addition", 30)
    with pytest.raises(BegunError):
        waiting.change(host, key, FOUR)


def test_fewer_seats_take_free_ones_first_then_bots_and_never_people():
    key, people = waiting_table(3, seats=4)
    seating.leave(people[1], key)
    waiting.seat_bot(people[0], key, 2, "easy")
    waiting.change(people[0], key, TableSettings(seats=3))
    assert who(key) == [people[0], None, people[2]]
    waiting.change(people[0], key, TableSettings(seats=2))
    assert who(key) == [people[0], people[2]]
    assert [seat.number for seat in stored(key).seats] == [1, 2]
    waiting.change(people[0], key, TableSettings(seats=4))
    assert who(key) == [people[0], people[2], None, None]
    key, people = waiting_table(3)
    with pytest.raises(RefusedError, match="More people sit here"):
        waiting.change(people[0], key, TableSettings(seats=2))


@pytest.mark.parametrize(
    "wrong",
    [
        {"seats": 5},
        {"seats": 1},
        {"goal": 0},
        {"deck": "none"},
        {"first": 3, "seats": 2},
        {"pace_s": 9},
        {"pace_s": 10**9},
        {"bot_level": "nobody"},
        {"deck": "custom +1*10"},
    ],
)
def test_what_cannot_be_set_is_refused_and_changes_nothing(wrong):
    me = guest()
    with pytest.raises(RefusedError):
        waiting.create(me, TableSettings(**wrong))
    key = waiting.create(me, FOUR)
    with pytest.raises(RefusedError):
        waiting.change(me, key, TableSettings(**wrong))
    assert waiting.room_for(me, key).settings == FOUR


def test_starting_twice_is_starting_once():
    key, (host, _other) = waiting_table(2)
    waiting.start(host, key, 0)
    before = stored(key).state
    waiting.start(host, key, 0)
    assert stored(key).state == before
    assert stored(key).code is None


def test_a_table_that_waits_is_no_match_yet():
    key, (host, _other) = waiting_table(2)
    with pytest.raises(NotBegunError):
        table_for(host, key)
    with pytest.raises(NotBegunError):
        absence.leave(host, key, 0)
    assert lobby.my_tables(host, [PLAYING], 10) == []
    assert [room.key for room in waiting.my_rooms(host, 10)] == [key]
    with pytest.raises(BegunError):
        waiting.room_for(host, match_of(2).key)


def test_a_room_is_known_to_whoever_has_its_link_and_to_nobody_else():
    key, _people = waiting_table(2)
    assert not waiting.room_for(None, key).is_seated
    assert not pulse(None, key).is_seated
    with pytest.raises(NoSuchTableError):
        waiting.room_for(None, "no-such-key")


def test_public_tables_are_listed_while_they_have_seats_and_somebody_is_there():
    key, (host, _other) = waiting_table(2, seats=3, is_public=True)
    waiting_table(2, seats=3)
    _full, _people = waiting_table(2, is_public=True)
    _begun, _people = match_of(2, is_public=True)
    me = guest()
    token = stored(key).invitation
    listed = waiting.public_tables(me, 10)
    assert [(t.invitation, t.taken, t.free_seats) for t in listed] == [(token, 2, 1)]
    assert [table.invitation for table in waiting.public_tables(None, 10)] == [token]
    assert waiting.public_tables(host, 10) == []
    for person in _seated(key):
        is_away(key, person)
    assert waiting.public_tables(me, 10) == []


def test_a_host_is_in_the_list_once_and_pages_of_it_leave_nobody_out():
    hosts = [guest() for _ in range(5)]
    latest = []
    for host in hosts:
        for _ in range(4):
            key = waiting.create(host, TableSettings(is_public=True))
        latest.insert(0, stored(key).invitation)
    me = guest()
    assert [table.invitation for table in waiting.public_tables(me, 20)] == latest
    pages = [waiting.public_tables(me, 2, skip=skip) for skip in (0, 2, 4, 6)]
    assert [table.invitation for page in pages for table in page] == latest
    # When the latest can no longer be joined, the one before it is there in its place.
    waiting.start(hosts[-1], invitations.key_behind(latest[0]), 0)
    shown = [table.invitation for table in waiting.public_tables(me, 20)]
    assert len(shown) == 5
    assert set(shown) > set(latest[1:])


def _seated(key: str) -> list[int]:
    return [user_id for user_id in who(key) if user_id is not None]


def test_who_was_sent_away_from_a_public_table_does_not_see_it_in_the_list():
    key, (host, other) = waiting_table(2, seats=3, is_public=True)
    seating.remove(host, key, 2, stored(key).revision)
    assert waiting.public_tables(other, 10) == []


def test_where_strangers_meet_guests_carry_a_name_from_the_list():
    me = guest()
    accounts.set_shown_name(me, "Visit example dot com")
    key = waiting.create(me, TableSettings(is_public=True))
    shown = stored(key).seats[0].name
    assert names.is_from_list(shown)
    accounts.set_shown_name(me, "Another advert")
    assert stored(key).seats[0].name == shown
    waiting.change(me, key, TableSettings(is_public=False))
    assert stored(key).seats[0].name == "Another advert"
    accounts.register("otter", "Ann", "seven quiet otters", guest_id=me)
    waiting.change(me, key, TableSettings(is_public=True))
    assert stored(key).seats[0].name == "Ann"


def test_sitting_down_is_being_there():
    key, (host, other) = waiting_table(2)
    assert [person.presence for person in waiting.room_for(host, key).people] == ["here", "here"]
    is_away(key, other)
    assert waiting.room_for(host, key).people[1].presence == presence.AWAY


def test_who_deletes_their_account_leaves_the_tables_that_wait():
    key, (one, two) = waiting_table(2)
    accounts.delete_account(one, "")
    assert who(key) == [None, two]
    assert stored(key).host_id == two
    accounts.delete_account(two, "")
    assert db.session.scalars(select(Game).where(Game.key == key)).one_or_none() is None


def test_somebody_who_has_gone_meanwhile_is_told_so():
    key, _people = waiting_table(1, seats=2)
    gone = guest()
    accounts.delete_account(gone, "")
    with pytest.raises(ServiceError, match="not signed in"):
        seating.join(gone, key)


def test_presence_is_counted_in_server_time(monkeypatch):
    key, (host, other) = waiting_table(2)
    now = server_time.now_ms()
    monkeypatch.setattr(server_time, "now_ms", lambda: now + 61_000)
    assert waiting.room_for(host, key).people[1].presence == presence.QUIET
    presence.note(stored(key).id, other)
    assert waiting.room_for(host, key).people[1].presence == presence.HERE
