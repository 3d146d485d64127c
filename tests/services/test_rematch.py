from __future__ import annotations

import pytest
from flask import Flask

from raisesum.services import absence, accounts, lobby, play, rematch, seating, waiting
from raisesum.services.errors import (
    MatchGoesOnError,
    NoSuchTableError,
    NotBegunError,
    RematchBegunError,
    SentAwayError,
)
from raisesum.services.table import PLAYING, WAITING, table_for
from tests.services.concurrency import at_once
from tests.services.friends import Friends, match_of, play_to_the_end, waiting_table
from tests.services.tables import guest, stored

pytestmark = pytest.mark.usefixtures("app_context")

LATER = 60_000


@pytest.fixture
def ended() -> Friends:
    """A match of three people and a bot that has been won."""
    friends = match_of(3, ["easy"], goal=1, deck="subtraction", pace_s=120, spectators=True)
    play_to_the_end(friends.key, friends.people)
    return friends


def test_one_press_each_begins_the_same_match_again(ended):
    key, people = ended
    new = rematch.press(people[1], key, LATER)
    assert stored(new).status == WAITING
    assert rematch.press(people[0], key, LATER) == new
    assert stored(new).status == WAITING
    assert table_for(people[2], key).rematch_pressed == (1, 2)
    assert table_for(people[2], key).rematch_waits
    assert rematch.press(people[2], key, LATER) == new
    game = stored(new)
    assert game.status == PLAYING
    assert [seat.user_id for seat in game.seats] == [*people, None]
    assert game.seats[3].bot == "easy"
    table = table_for(people[0], new)
    assert (table.view.setup.deck.name, table.view.setup.goal) == ("subtraction", 1)
    assert (table.pace_s, table.spectators) == (120, True)
    assert table.view.setup.first == stored(key).winner % 4 + 1
    assert table.view.turn == table.view.setup.first


def test_those_who_do_not_press_are_replaced_when_the_host_starts(ended):
    key, people = ended
    new = rematch.press(people[2], key, LATER)
    rematch.press(people[0], key, LATER)
    waiting.start(people[2], new, LATER)
    assert [person.bot for person in table_for(people[0], new).people] == [
        None,
        "steady",
        None,
        "easy",
    ]
    assert rematch.press(people[1], key, LATER) == new


def test_a_room_knows_for_whom_its_free_seats_are(ended):
    key, people = ended
    names = [person.name for person in table_for(people[0], key).people]
    new = rematch.press(people[2], key, LATER)

    def kept() -> dict[int, str]:
        return dict(waiting.room_for(people[2], new).kept_for)

    assert kept() == {1: names[0], 2: names[1]}
    rematch.press(people[0], key, LATER)
    assert kept() == {2: names[1]}
    seating.leave(people[0], new)
    assert kept() == {1: names[0], 2: names[1]}
    # A friend has taken one of the seats, and somebody has gone for good.
    assert seating.join(guest(), new) == 1
    accounts.delete_account(people[1], "")
    assert kept() == {}
    assert waiting.room_for(people[2], waiting_table(2, seats=3).key).kept_for == {}


def test_who_presses_when_the_others_have_begun_is_told_so():
    key, people = match_of(2, goal=1)
    play_to_the_end(key, people)
    new = rematch.press(people[0], key, LATER)
    waiting.start(people[0], new, LATER)
    with pytest.raises(RematchBegunError):
        rematch.press(people[1], key, LATER)
    assert rematch.press(people[0], key, LATER) == new


def test_who_was_removed_from_the_rematch_gets_no_seat_by_pressing_again(ended):
    key, people = ended
    new = rematch.press(people[0], key, LATER)
    rematch.press(people[1], key, LATER)
    seating.remove(people[0], new, 2, stored(new).revision)
    with pytest.raises(SentAwayError):
        rematch.press(people[1], key, LATER)
    assert stored(new).seats[1].user_id is None


def test_a_seat_of_somebody_who_does_not_press_is_free_for_others(ended):
    key, people = ended
    new = rematch.press(people[0], key, LATER)
    friend = guest()
    assert seating.join(friend, new) == 2
    assert rematch.press(people[2], key, LATER) == new
    assert rematch.press(people[1], key, LATER) == new
    assert stored(new).status == WAITING
    waiting.start(people[0], new, LATER)


def test_pressing_twice_or_all_at_once_is_one_match(app: Flask, ended):
    key, people = ended
    comers = iter(people * 4)
    assert len(set(at_once(app, 12, lambda: rematch.press(next(comers), key, LATER)))) == 1
    new = table_for(people[0], key).rematch_key
    assert stored(new).status == PLAYING
    assert [seat.user_id for seat in stored(new).seats] == [*people, None]


def test_against_bots_it_begins_at_once():
    me = guest()
    key = lobby.play_now(me, LATER)
    play.give_up(me, key)
    new = rematch.press(me, key, LATER)
    assert stored(new).status == PLAYING
    assert [person.bot for person in table_for(me, new).people] == [None, "steady", "easy"]
    with pytest.raises(NoSuchTableError):
        seating.join(guest(), new)


def test_when_the_others_have_deleted_their_accounts_bots_play():
    key, (one, two) = match_of(2, goal=1)
    play_to_the_end(key, [one, two])
    accounts.delete_account(two, "")
    new = rematch.press(one, key, 0)
    assert table_for(one, new).people[1].bot == "steady"
    play_to_the_end(new, [one])


def test_who_left_the_match_before_may_press_too():
    key, (one, two) = match_of(2, goal=1)
    absence.leave(one, key, 0)
    play_to_the_end(key, [two])
    new = rematch.press(two, key, LATER)
    rematch.press(one, key, LATER)
    assert stored(new).status == PLAYING
    assert not stored(new).seats[0].left


def test_a_rematch_that_everyone_gave_up_on_can_be_asked_for_again(ended):
    key, people = ended
    new = rematch.press(people[0], key, LATER)
    seating.leave(people[0], new)
    assert table_for(people[0], key).rematch_key is None
    assert rematch.press(people[0], key, LATER) != new


def test_there_is_none_before_the_end():
    key, (one, _two) = match_of(2)
    with pytest.raises(MatchGoesOnError):
        rematch.press(one, key, LATER)
    key, (one, _two) = waiting_table(2)
    with pytest.raises(NotBegunError):
        rematch.press(one, key, LATER)


def test_strangers_have_no_rematch(ended):
    with pytest.raises(NoSuchTableError):
        rematch.press(guest(), ended.key, LATER)
