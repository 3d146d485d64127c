"""Whoever goes, the match goes on: every moment, every table, everyone who could leave."""

from __future__ import annotations

from itertools import combinations, product

import pytest
from sqlalchemy import select

from raisesum.engine import Pass, Phase, parse_cards
from raisesum.extensions import db
from raisesum.models import Agreement
from raisesum.services import (
    absence,
    accounts,
    lobby,
    names,
    play,
    presence,
    seating,
    waiting,
)
from raisesum.services.errors import NoSuchTableError, ServiceError, TableClosedError
from raisesum.services.table import FINISHED, PLAYING, table_for
from tests.services.friends import (
    Friends,
    is_away,
    match_of,
    play_to_the_end,
    put,
    seen,
    waiting_table,
)
from tests.services.tables import guest, log_rows, next_action, replayed, stored, stored_state

pytestmark = pytest.mark.usefixtures("app_context")

#: Every table of two to four with at least two people, people first.
TABLES = [(persons, bots) for persons in (2, 3, 4) for bots in range(5 - persons)]
#: Walking all of them says nothing of the database, so that is done on one; what locks and counts
#: rows on the other is held by the tests that follow.
MOMENTS = ("own turn", "discarding", "other's turn", "out", "last two in", "host")


def table_at(moment: str, persons: int, bots: int, leaver: int, pace_s: int | None) -> Friends:
    """Begin a match and bring it to a moment of the one in seat `leaver`."""
    friends = match_of(persons, ["easy"] * bots, delay=60_000, pace_s=pace_s, goal=1)
    seats = persons + bots
    other = leaver % seats + 1
    if moment == "own turn":
        put(friends.key, turn=leaver)
    elif moment == "discarding":
        hand = parse_cards("+1 +2 +3 +4 +5 +6 +7 +8 +9")
        hands = list(stored_state(friends.key).hands)
        hands[leaver - 1] = hand
        put(friends.key, turn=leaver, phase=Phase.DISCARD, hands=tuple(hands))
    elif moment == "other's turn":
        put(friends.key, turn=other)
    elif moment == "out":
        is_in = tuple(number != leaver for number in range(1, seats + 1))
        if seats > 2:
            put(friends.key, turn=other, is_in=is_in)
        else:
            play.submit(
                friends.people[0], friends.key, 0, next_action(friends.people[0], friends.key), 0
            )
    elif moment == "last two in":
        is_in = tuple(number in (leaver, other) for number in range(1, seats + 1))
        put(friends.key, turn=leaver, is_in=is_in)
    return friends


@pytest.mark.sqlite
@pytest.mark.parametrize("pace_s", [None, 30])
@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize(("persons", "bots"), TABLES)
def test_whoever_leaves_at_whatever_moment_the_match_goes_on(persons, bots, moment, pace_s):
    for leaver in range(1, persons + 1):
        key, people = table_at(moment, persons, bots, leaver, pace_s)
        gone = people[leaver - 1]
        stay = [person for person in people if person != gone]
        absence.leave(gone, key, 0)
        seat = table_for(stay[0], key).people[leaver - 1]
        assert (seat.left, seat.stand_in, seat.bot) == (True, True, None)
        assert stored(key).host_id in stay
        play_to_the_end(key, stay)
        assert stored(key).status == FINISHED
        assert stored(key).due_at is None


@pytest.mark.parametrize(("persons", "bots"), [(3, 0), (3, 1), (4, 0)])
def test_several_who_leave_do_not_stop_the_others(persons, bots):
    for many in range(2, persons):
        for leavers in combinations(range(persons), many):
            key, people = match_of(persons, ["steady"] * bots, goal=1)
            for leaver in leavers:
                absence.leave(people[leaver], key, 0)
            stay = [person for at, person in enumerate(people) if at not in leavers]
            assert stored(key).host_id in stay
            play_to_the_end(key, stay)
            assert stored(key).status == FINISHED


@pytest.mark.parametrize("pace_s", [None, 30])
@pytest.mark.parametrize(("persons", "bots"), TABLES)
def test_when_everyone_has_gone_the_match_waits_for_any_of_them(persons, bots, pace_s):
    for back in range(persons):
        key, people = match_of(
            persons, ["easy"] * bots, pace_s=pace_s, goal=1, first=persons + bots
        )
        for person in people:
            absence.leave(person, key, 0)
        version = stored(key).version
        play.run_due(key, 0)
        assert (stored(key).version, stored(key).due_at) == (version, None)
        assert table_for(people[0], key).nobody_plays
        absence.come_back(people[back], key, 0)
        assert stored(key).host_id in (None, people[back])
        play_to_the_end(key, [people[back]])
        assert stored(key).status == FINISHED


@pytest.mark.parametrize(("persons", "bots"), TABLES)
def test_leaving_a_table_that_waits_leaves_a_table_that_can_start(persons, bots):
    for leaver, host in product(range(persons), repeat=2):
        key, people = waiting_table(persons, ["easy"] * bots, goal=1)
        if host:
            seating.hand_over_host(people[0], key, host + 1, stored(key).revision)
        seating.leave(people[leaver], key)
        stay = [person for person in people if person != people[leaver]]
        assert stored(key).host_id in stay
        waiting.start(stored(key).host_id, key, 0)
        play_to_the_end(key, stay)


def test_who_left_may_come_back_until_the_match_ends():
    key, (one, two) = match_of(2, goal=1, delay=60_000)
    absence.leave(one, key, 60_000)
    assert table_for(one, key).waiting_on_bots
    absence.come_back(one, key, 60_000)
    assert table_for(one, key).is_my_turn
    assert table_for(two, key).people[0].left is False
    absence.leave(one, key, 0)
    play_to_the_end(key, [two])
    for late in (absence.leave, absence.come_back):
        with pytest.raises(TableClosedError):
            late(one, key, 0)


def test_leaving_and_coming_back_twice_are_harmless_and_seen_by_all():
    key, (one, two) = match_of(2, delay=60_000)
    revision, version = stored(key).revision, stored(key).version
    absence.leave(one, key, 60_000)
    absence.leave(one, key, 60_000)
    assert stored(key).revision == revision + 1
    absence.come_back(one, key, 60_000)
    absence.come_back(one, key, 60_000)
    assert stored(key).revision == revision + 2
    assert stored(key).version == version
    assert table_for(two, key).people[0].presence == presence.HERE


def test_whose_turn_it_was_has_it_again_on_coming_back_before_the_stand_in_moved():
    key, (one, _two) = match_of(2, delay=60_000)
    absence.leave(one, key, 60_000)
    absence.come_back(one, key, 60_000)
    play.run_due(key, 60_000)
    assert stored(key).version == 0
    play.submit(one, key, 0, next_action(one, key), 60_000)


def test_the_others_can_agree_on_a_stand_in_for_somebody_who_is_away():
    key, (one, two, three) = match_of(3, delay=0)
    is_away(key, one)
    assert [person.number for person in table_for(two, key).absent] == [1]
    assert not absence.agree(two, key, 1, 0)
    assert table_for(three, key).agreed == ((1, frozenset({2})),)
    assert not stored(key).seats[0].stand_in
    assert absence.agree(three, key, 1, 0)
    assert stored(key).seats[0].stand_in
    assert not stored(key).seats[0].left
    play_to_the_end(key, [two, three])


def test_only_those_who_are_there_are_asked():
    key, (one, two, three) = match_of(3)
    is_away(key, one)
    seen(key, three, at=1)
    assert absence.agree(two, key, 1, 0)


def test_every_match_can_end_without_those_who_vanished():
    for persons in (2, 3, 4):
        key, people = match_of(persons, goal=1)
        for person in people[1:]:
            is_away(key, person)
        for number in range(2, persons + 1):
            assert absence.agree(people[0], key, number, 0)
        play_to_the_end(key, people[:1])


def test_nobody_is_replaced_who_is_there_or_has_been_of_late():
    key, (one, two) = match_of(2)
    with pytest.raises(ServiceError, match="within the last five minutes"):
        absence.agree(two, key, 1, 0)
    is_away(key, one)
    absence.come_back(one, key, 0)
    seen(key, one)
    with pytest.raises(ServiceError, match="within the last five minutes"):
        absence.agree(two, key, 1, 0)


def test_who_was_seen_after_an_agreement_is_not_replaced_by_it():
    key, (one, two, _three) = match_of(3)
    is_away(key, one)
    absence.agree(two, key, 1, 0)
    seen(key, one)
    assert table_for(two, key).agreed == ()
    is_away(key, one)
    seen(key, one, at=stored_agreement_at(key) + 1)
    assert table_for(two, key).agreed == ()


def stored_agreement_at(key: str) -> int:
    return db.session.scalars(select(Agreement.at)).one()


def test_with_a_clock_nobody_needs_to_agree():
    key, (one, two) = match_of(2, pace_s=30)
    is_away(key, one)
    assert table_for(two, key).absent == ()
    with pytest.raises(ServiceError, match="time limit"):
        absence.agree(two, key, 1, 0)


@pytest.mark.parametrize("absent", [0, 2, 3, 5])
def test_only_another_persons_seat_can_be_agreed_on(absent):
    key, (_one, two) = match_of(2, ["easy"])
    with pytest.raises(ServiceError, match="No other person"):
        absence.agree(two, key, absent, 0)


def test_strangers_leave_nothing_and_agree_on_nothing():
    key, _people = match_of(2, spectators=True)
    stranger = guest()
    for ask in (
        lambda: absence.leave(stranger, key, 0),
        lambda: absence.come_back(stranger, key, 0),
        lambda: absence.agree(stranger, key, 1, 0),
    ):
        with pytest.raises(NoSuchTableError):
            ask()


@pytest.mark.sqlite
@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize(("persons", "bots"), TABLES)
def test_who_deletes_their_account_leaves_a_bot_and_the_others_their_match(persons, bots, moment):
    for leaver in range(1, persons + 1):
        key, people = table_at(moment, persons, bots, leaver, None)
        gone = people[leaver - 1]
        stay = [person for person in people if person != gone]
        accounts.delete_account(gone, "")
        seat = table_for(stay[0], key).people[leaver - 1]
        assert (seat.name, seat.bot) == (names.FORMER_PLAYER, "steady")
        play_to_the_end(key, stay)
        assert stored(key).status == FINISHED


def test_a_match_whose_people_have_all_deleted_their_accounts_goes_with_the_last():
    key, (one, two) = match_of(2)
    accounts.delete_account(one, "")
    assert table_for(two, key).practice
    accounts.delete_account(two, "")
    assert log_rows(key) == []


def test_a_guest_who_registers_or_signs_in_keeps_seat_and_host():
    key, (one, two) = match_of(2, delay=60_000)
    account = accounts.register("otter", "Ann", "seven quiet otters").user_id
    accounts.sign_in("otter", "seven quiet otters", guest_id=one)
    assert stored(key).seats[0].user_id == account
    assert stored(key).host_id == account
    accounts.register("heron", "", "seven quiet herons", guest_id=two)
    assert stored(key).seats[1].user_id == two
    play_to_the_end(key, [account, two])


def test_who_sits_at_a_table_twice_by_two_names_leaves_one_seat_to_a_bot():
    key, (one, two) = match_of(2, delay=60_000)
    accounts.register("otter", "Ann", "seven quiet otters", guest_id=two)
    accounts.sign_in("otter", "seven quiet otters", guest_id=one)
    assert [seat.user_id for seat in stored(key).seats] == [None, two]
    assert table_for(two, key).people[0].bot == "steady"
    play_to_the_end(key, [two])


def test_a_stand_ins_moves_replay_like_any_others():
    key, (one, two) = match_of(2, goal=1)
    absence.leave(one, key, 0)
    play_to_the_end(key, [two])
    assert replayed(key) == stored_state(key)


def test_a_match_that_was_left_is_still_in_ones_list():
    key, (one, _two) = match_of(2, delay=60_000)
    absence.leave(one, key, 60_000)
    summary = lobby.my_tables(one, [PLAYING], 10)[0]
    assert (summary.key, summary.is_my_turn) == (key, False)


def test_passing_is_possible_for_everyone_who_stays():
    key, (one, two) = match_of(2, goal=1, delay=0)
    absence.leave(two, key, 0)
    play.submit(one, key, 0, Pass(), 0)
    play_to_the_end(key, [one])
