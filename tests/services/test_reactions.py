from __future__ import annotations

import pytest
from flask import Flask

from raisesum.services import play, reactions, rematch, seating, seats, server_time, waiting
from raisesum.services.errors import NoSuchTableError, ServiceError
from raisesum.services.reactions import PHRASES, TooManyReactionsError
from raisesum.services.seats import locked
from raisesum.services.table import FINISHED, table_for
from raisesum.services.table_settings import TableSettings
from raisesum.services.transactions import write_transaction
from tests.services.concurrency import at_once
from tests.services.friends import match_of, waiting_table
from tests.services.tables import guest, next_action, stored

pytestmark = pytest.mark.usefixtures("app_context")


def said(user_id: int | None, key: str) -> list[tuple[int, str]]:
    return [(each.seat, each.text) for each in table_for(user_id, key).said]


def test_there_are_ten_short_phrases():
    assert len(PHRASES) == 10
    assert all(len(text) <= 20 for text in PHRASES.values())


def test_a_reaction_is_seen_by_all_and_makes_no_move_stale():
    key, (one, two) = match_of(2, spectators=True)
    revision = stored(key).revision
    reactions.say(two, key, "wow")
    assert said(one, key) == said(two, key) == said(None, key) == [(2, "Wow!")]
    assert stored(key).revision == revision + 1
    play.submit(one, key, 0, next_action(one, key), 0)
    assert stored(key).version == 1


def test_it_is_gone_after_as_many_moves_as_there_are_seats():
    key, (one, two) = match_of(2, goal=9)
    reactions.say(one, key, "hello")
    reactions.say(two, key, "ready")
    reactions.say(two, key, "wow")
    assert said(one, key) == [(1, "Hello!"), (2, "Wow!")]
    while stored(key).version < 2:
        mover = (one, two)[table_for(one, key).view.turn - 1]
        play.submit(mover, key, stored(key).version, next_action(mover, key), 0)
    assert said(one, key) == []


def test_there_is_no_free_text():
    key, (one, _two) = match_of(2)
    for text in ("", "Wow!", "<script>", "x" * 10_000):
        with pytest.raises(ServiceError, match="no such phrase"):
            reactions.say(one, key, text)


def test_who_says_much_has_to_wait_and_the_others_do_not_notice(monkeypatch):
    key, (one, two) = match_of(2)
    for _ in range(reactions.MOST_IN_A_ROW):
        reactions.say(one, key, "wow")
    with pytest.raises(TooManyReactionsError, match="Wait a moment"):
        reactions.say(one, key, "wow")
    reactions.say(two, key, "thanks")
    now = server_time.now_ms()
    monkeypatch.setattr(server_time, "now_ms", lambda: now + reactions.WITHIN_MS)
    reactions.say(one, key, "wow")


def test_sixteen_at_once_are_as_many_as_one_may(app: Flask):
    key, (one, _two) = match_of(2)

    def say() -> bool:
        try:
            reactions.say(one, key, "wow")
        except TooManyReactionsError:
            return False
        return True

    assert at_once(app, 16, say).count(True) == reactions.MOST_IN_A_ROW


def test_anyone_can_mute_a_seat_for_themselves_alone():
    key, (one, two, three) = match_of(3)
    reactions.say(two, key, "wow")
    reactions.set_muted(one, key, 2, muted=True)
    reactions.set_muted(one, key, 2, muted=True)
    assert said(one, key) == []
    assert table_for(one, key).people[1].is_muted
    assert said(three, key) == [(2, "Wow!")]
    reactions.set_muted(one, key, 2, muted=False)
    assert said(one, key) == [(2, "Wow!")]
    with pytest.raises(ServiceError):
        reactions.set_muted(one, key, 4, muted=True)


def test_only_those_who_sit_there_say_something_or_mute_somebody_else():
    key, (one, _two) = match_of(2, ["steady"], spectators=True)
    with pytest.raises(NoSuchTableError):
        reactions.say(guest(), key, "wow")
    with pytest.raises(NoSuchTableError):
        reactions.set_muted(guest(), key, 1, muted=True)
    for seat in (1, 3, 4):
        with pytest.raises(ServiceError, match="Nobody else has this seat"):
            reactions.set_muted(one, key, seat, muted=True)


def said_in_room(user_id: int | None, key: str) -> list[tuple[int, str]]:
    return [(each.seat, each.text) for each in waiting.room_for(user_id, key).said]


def test_people_say_something_before_the_match_and_after_its_end():
    key, (one, two) = waiting_table(2)
    reactions.say(two, key, "hello")
    assert said_in_room(one, key) == said_in_room(two, key) == [(2, "Hello!")]
    for _ in range(reactions.MOST_IN_A_ROW - 1):
        reactions.say(two, key, "hello")
    with pytest.raises(TooManyReactionsError):
        reactions.say(two, key, "hello")
    waiting.start(one, key, 0)
    end_match(key)
    reactions.say(one, key, "bye")
    assert (1, "Good game!") in said(two, key)


def end_match(key: str) -> None:
    with write_transaction() as session:
        locked(session, key).status = FINISHED


def test_who_is_muted_stays_muted_in_another_seat_and_in_the_rematch():
    key, (one, two, three) = waiting_table(3)
    reactions.set_muted(one, key, 2, muted=True)
    seating.leave(two, key)
    seating.leave(three, key)
    other = guest()
    assert seating.join(other, key) == 2
    assert seating.join(two, key) == 3
    for person in (other, two):
        reactions.say(person, key, "hello")
    assert said_in_room(one, key) == [(2, "Hello!")]
    waiting.start(one, key, 0)
    assert [person.is_muted for person in table_for(one, key).people] == [False, False, True]
    end_match(key)
    new = rematch.press(other, key, 0)
    for person in (two, one):
        assert rematch.press(person, key, 0) == new
    reactions.say(two, new, "hello")
    reactions.say(other, new, "hello")
    assert said(one, new) == [(2, "Hello!")]
    assert sorted(said(other, new)) == [(2, "Hello!"), (3, "Hello!")]


def test_what_somebody_said_does_not_stay_behind_in_their_seat():
    key, (_one, two) = waiting_table(2)
    reactions.say(two, key, "hello")
    seating.leave(two, key)
    other = guest()
    assert seating.join(other, key) == 2
    assert said_in_room(other, key) == []
    # Numbers go on, because pages know by them what they have shown.
    reactions.say(other, key, "wow")
    assert [each.number for each in waiting.room_for(other, key).said] == [2]


def test_nor_when_the_seats_close_up():
    key, (one, two, three) = waiting_table(3)
    reactions.say(three, key, "hello")
    seating.leave(two, key)
    waiting.change(one, key, TableSettings(seats=2))
    assert said_in_room(three, key) == []


def test_a_guest_who_signs_in_takes_mutes_along_and_stays_muted():
    key, (one, two) = match_of(2)
    reactions.set_muted(one, key, 2, muted=True)
    reactions.set_muted(two, key, 1, muted=True)
    account = guest()
    with write_transaction() as session:
        reactions.hand_over_mutes(session, two, account)
        session.flush()
        seats.own_seat(locked(session, key), two).user_id = account
    reactions.say(account, key, "wow")
    reactions.say(one, key, "wow")
    assert said(one, key) == [(1, "Wow!")]
    assert said(account, key) == [(2, "Wow!")]
