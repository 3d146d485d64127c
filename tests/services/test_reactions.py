from __future__ import annotations

import pytest
from flask import Flask

from raisesum.services import play, reactions, server_time
from raisesum.services.errors import NoSuchTableError, NotBegunError, ServiceError
from raisesum.services.reactions import PHRASES, TooManyReactionsError
from raisesum.services.table import table_for
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


def test_only_those_who_sit_there_say_something_and_only_in_a_match():
    key, _people = match_of(2, spectators=True)
    with pytest.raises(NoSuchTableError):
        reactions.say(guest(), key, "wow")
    with pytest.raises(NoSuchTableError):
        reactions.set_muted(guest(), key, 1, muted=True)
    key, (one, _two) = waiting_table(2)
    with pytest.raises(NotBegunError):
        reactions.say(one, key, "wow")
