from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import Flask

from raisesum.engine import Pass, Phase, parse_cards
from raisesum.services import absence, clock, pace, play, server_time
from raisesum.services.table import pulse, table_for
from tests.services.concurrency import at_once
from tests.services.friends import Friends, match_of, put, seen
from tests.services.tables import log_rows, next_action, replayed, stored, stored_state

pytestmark = pytest.mark.usefixtures("app_context")

QUICK = 30
HOUR = 3_600_000


class Time:
    """Server time, as the test has it."""

    def __init__(self) -> None:
        self.now = server_time.now_ms()

    def pass_s(self, seconds: float) -> None:
        self.now += int(seconds * 1000)


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    time = Time()
    monkeypatch.setattr(server_time, "now_ms", lambda: time.now)
    return time


@pytest.fixture
def friends(time: Time) -> Friends:
    """Two people at a quick table; the first is on turn."""
    return match_of(2, pace_s=QUICK, goal=9)


def everyone_is_here(friends: Friends) -> None:
    for person in friends.people:
        seen(friends.key, person)


def run_out(friends: Friends, time: Time, seconds: float = QUICK) -> None:
    """Let the time of whoever is on turn run out while all are there, and have somebody ask."""
    time.pass_s(seconds - 1)
    everyone_is_here(friends)
    time.pass_s(1)
    play.run_due(friends.key, 60_000)


def test_the_time_left_is_told_as_it_passes(friends, time):
    assert table_for(friends.people[0], friends.key).left_ms == QUICK * 1000
    time.pass_s(12)
    for person in friends.people:
        assert table_for(person, friends.key).left_ms == 18_000


def test_who_takes_too_long_passes_and_the_next_has_all_of_theirs(friends, time):
    time.pass_s(QUICK - 0.001)
    everyone_is_here(friends)
    play.run_due(friends.key, 0)
    assert stored(friends.key).version == 0
    run_out(friends, time, 1)
    assert [row.action for row in log_rows(friends.key)][1:2] == ["pass"]
    assert stored_state(friends.key).turn == 2
    assert table_for(friends.people[1], friends.key).left_ms == QUICK * 1000
    assert replayed(friends.key) == stored_state(friends.key)


def test_who_must_discard_discards_what_is_least_useful(friends, time):
    put(friends.key, hands=(parse_cards("+1 +9 x3 +2 +8 0 x2 +7 +1"), parse_cards("+1")))
    run_out(friends, time)
    assert [row.action for row in log_rows(friends.key)][1:] == ["pass", "discard +1 +1"]
    assert stored(friends.key).seats[0].missed == 1


def test_a_turn_that_runs_out_at_the_discard_has_had_its_play(friends, time):
    put(friends.key, hands=(parse_cards("+9 +8 +7 +6 +5 +4 +3 +2 +1"), parse_cards("+1")))
    time.pass_s(QUICK - 1)
    play.submit(friends.people[0], friends.key, 0, next_action(friends.people[0], friends.key), 0)
    assert stored_state(friends.key).phase is Phase.DISCARD
    assert table_for(friends.people[0], friends.key).left_ms == pace.LEAST_FOR_A_DISCARD_MS
    run_out(friends, time, pace.LEAST_FOR_A_DISCARD_MS / 1000)
    assert stored_state(friends.key).turn == 2
    assert log_rows(friends.key)[-1].action.startswith("discard")


def test_early_in_the_turn_a_discard_has_the_rest_of_its_time(friends, time):
    put(friends.key, hands=(parse_cards("+9 +8 +7 +6 +5 +4 +3 +2 +1"), parse_cards("+1")))
    time.pass_s(5)
    play.submit(friends.people[0], friends.key, 0, next_action(friends.people[0], friends.key), 0)
    assert table_for(friends.people[0], friends.key).left_ms == 25_000


def miss_two_turns(friends: Friends, time: Time) -> None:
    run_out(friends, time)
    while stored_state(friends.key).turn != 1:
        version = stored(friends.key).version
        other = friends.people[stored_state(friends.key).turn - 1]
        play.submit(other, friends.key, version, next_action(other, friends.key), 60_000)
    run_out(friends, time)


def test_after_two_in_a_row_a_stand_in_plays_until_the_person_is_back(friends, time):
    miss_two_turns(friends, time)
    key = friends.key
    assert table_for(friends.people[1], key).people[0].stand_in
    while stored_state(key).turn != 1:
        other = friends.people[1]
        play.submit(other, key, stored(key).version, next_action(other, key), 60_000)
    table = table_for(friends.people[0], key)
    assert table.waiting_on_bots
    assert not table.is_my_turn
    assert table.left_ms is None
    absence.come_back(friends.people[0], key, 60_000)
    table = table_for(friends.people[0], key)
    assert table.is_my_turn
    assert table.left_ms == QUICK * 1000
    assert not table.people[0].stand_in


def test_a_stand_in_moves_like_a_bot_when_its_time_comes(friends, time):
    miss_two_turns(friends, time)
    key = friends.key
    while stored_state(key).turn != 1:
        other = friends.people[1]
        play.submit(other, key, stored(key).version, next_action(other, key), 1000)
    version = stored(key).version
    play.run_due(key, 1000)
    assert stored(key).version == version
    time.pass_s(60)
    play.run_due(key, 1000)
    assert stored(key).version > version
    assert replayed(key) == stored_state(key)


def test_a_move_in_between_forgives_a_missed_turn(friends, time):
    run_out(friends, time)
    assert stored(friends.key).seats[0].missed == 1
    key = friends.key
    while stored_state(key).turn != 1:
        other = friends.people[1]
        play.submit(other, key, stored(key).version, next_action(other, key), 0)
    me = friends.people[0]
    play.submit(me, key, stored(key).version, next_action(me, key), 0)
    assert stored(key).seats[0].missed == 0


def test_a_person_who_moves_is_back(friends, time):
    key, me = friends.key, friends.people[0]
    absence.leave(me, key, 60_000)
    play.submit(me, key, stored(key).version, next_action(me, key), 60_000)
    seat = stored(key).seats[0]
    assert (seat.stand_in, seat.left) == (False, False)


def test_who_has_lost_the_connection_gets_some_time_more_once(friends, time):
    key, (mover, other) = friends
    seen(key, mover)
    time.pass_s(QUICK)
    seen(key, other)
    revision = stored(key).revision
    play.run_due(key, 0)
    game = stored(key)
    assert (game.version, game.graced) == (0, True)
    assert game.revision == revision + 1
    assert table_for(other, key).graced
    assert table_for(other, key).left_ms == pace.GRACE_MS
    time.pass_s(pace.GRACE_MS / 1000 - 1)
    seen(key, other)
    play.run_due(key, 0)
    assert stored(key).version == 0
    time.pass_s(1)
    play.run_due(key, 0)
    assert stored(key).version > 0
    assert not stored(key).graced


def silent_turn(friends: Friends, time: Time) -> int:
    """Let seat 1 take its turn unheard, as with a hidden page, and return how long it lasted."""
    key, (_silent, other) = friends
    for second in range(1, 2 * QUICK + pace.GRACE_MS // 1000):
        time.pass_s(1)
        seen(key, other)
        version = stored(key).version
        play.run_due(key, 60_000)
        if stored(key).version > version:
            return second
    raise AssertionError("the turn never ends")


def test_a_page_that_is_hidden_on_each_turn_gains_extra_time_once_a_match(friends, time):
    key, (silent, other) = friends
    # Missed turns in a row would bring a stand-in, so the silent one comes back to move.
    for lasted in (QUICK + pace.GRACE_MS // 1000, QUICK, QUICK):
        seen(key, silent)
        assert silent_turn(friends, time) == lasted
        for mover in (other, silent, other):
            while table_for(mover, key).is_my_turn:
                play.submit(mover, key, stored(key).version, next_action(mover, key), 60_000)
        assert table_for(silent, key).is_my_turn
    assert not stored(key).seats[1].grace_used


def test_who_comes_back_within_the_grace_can_still_move(friends, time):
    key, (mover, other) = friends
    time.pass_s(QUICK)
    seen(key, other)
    play.run_due(key, 0)
    time.pass_s(pace.GRACE_MS / 1000 - 5)
    play.submit(mover, key, 0, next_action(mover, key), 0)
    assert stored(key).version == 1


def test_while_nobody_is_there_the_match_waits(friends, time):
    key, (mover, _other) = friends
    everyone_is_here(friends)
    time.pass_s(10 * HOUR / 1000)
    play.run_due(key, 0)
    assert stored(key).version == 0
    assert table_for(mover, key).left_ms == QUICK * 1000
    assert not stored(key).graced


def test_with_a_day_for_each_turn_nobody_need_sit_and_wait(time):
    friends = match_of(2, pace_s=24 * 3600, goal=9)
    time.pass_s(24 * 3600 - 1)
    play.run_due(friends.key, 0)
    assert stored(friends.key).version == 0
    time.pass_s(31)
    play.run_due(friends.key, 0)
    time.pass_s(31)
    play.run_due(friends.key, 0)
    assert stored_state(friends.key).turn == 2


def test_with_no_pace_nothing_is_ever_skipped(time):
    friends = match_of(2)
    time.pass_s(30 * 24 * 3600)
    everyone_is_here(friends)
    play.run_due(friends.key, 0)
    assert stored(friends.key).version == 0
    assert table_for(friends.people[0], friends.key).left_ms is None


def test_sixteen_who_ask_at_once_end_a_turn_once(app: Flask, friends, time):
    time.pass_s(QUICK - 1)
    everyone_is_here(friends)
    time.pass_s(1)
    at_once(app, 16, lambda: play.run_due(friends.key, 60_000))
    assert [row.action for row in log_rows(friends.key)].count("pass") == 1
    assert replayed(friends.key) == stored_state(friends.key)


def test_bots_and_clocks_know_whose_time_it_is(time):
    friends = match_of(2, ["steady"], delay=1000, pace_s=QUICK, first=3, goal=9)
    key = friends.key
    assert pulse(friends.people[0], key).due_at == time.now + 1000
    assert table_for(friends.people[0], key).left_ms is None
    time.pass_s(1)
    play.run_due(key, 1000)
    assert stored_state(key).turn == 1
    assert table_for(friends.people[0], key).left_ms == QUICK * 1000


class Machine:
    """The clocks of the machine that the server runs on."""

    def __init__(self) -> None:
        self.wall, self.monotonic = clock.now_ms(), clock.monotonic_ms()

    def run(self, seconds: float) -> None:
        """Let the server run for so long, with its heartbeat."""
        ms = int(seconds * 1000)
        while ms > 0:
            step = min(ms, server_time.BEAT_EVERY_MS)
            self.wall += step
            self.monotonic += step
            server_time.beat()
            ms -= step


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Iterator[Machine]:
    machine = Machine()
    monkeypatch.setattr(clock, "now_ms", lambda: machine.wall)
    monkeypatch.setattr(clock, "monotonic_ms", lambda: machine.monotonic)
    server_time.beat()
    yield machine
    server_time.forget()


def nobody_lost_a_turn(friends: Friends, left_s: int) -> None:
    everyone_is_here(friends)
    play.run_due(friends.key, 0)
    game = stored(friends.key)
    assert (game.version, game.graced, game.seats[0].missed) == (0, False, 0)
    assert table_for(friends.people[0], friends.key).left_ms == left_s * 1000


def the_turn_runs_out(friends: Friends, machine: Machine, left_s: int) -> None:
    machine.run(left_s - 1)
    everyone_is_here(friends)
    play.run_due(friends.key, 0)
    assert stored(friends.key).version == 0
    machine.run(1)
    play.run_due(friends.key, 0)
    assert stored(friends.key).seats[0].missed == 1


@pytest.mark.parametrize("jump", [HOUR, -HOUR], ids=["forward", "back"])
def test_a_clock_that_jumps_an_hour_costs_nobody_a_turn(machine, jump):
    friends = match_of(2, pace_s=120, goal=9)
    machine.run(20)
    machine.wall += jump
    machine.run(20)
    nobody_lost_a_turn(friends, 80)
    the_turn_runs_out(friends, machine, 80)


@pytest.mark.parametrize("jump", [HOUR, -HOUR], ids=["forward", "back"])
def test_nor_does_a_bot_wait_for_an_hour_or_hurry(machine, jump):
    friends = match_of(2, ["steady"], delay=1000, first=3, goal=9)
    machine.wall += jump
    play.run_due(friends.key, 1000)
    assert stored(friends.key).version == 0
    machine.run(1)
    play.run_due(friends.key, 1000)
    assert stored(friends.key).version > 0


@pytest.mark.parametrize("pace_s", [120, 24 * 3600])
@pytest.mark.parametrize("jump", [0, HOUR, -HOUR])
def test_two_hours_of_the_server_being_down_cost_nobody_a_turn(machine, pace_s, jump):
    friends = match_of(2, pace_s=pace_s, goal=9)
    machine.run(20)
    machine.wall += 2 * HOUR + jump
    machine.monotonic = 77
    server_time.forget()
    server_time.beat()
    machine.run(10)
    nobody_lost_a_turn(friends, pace_s - 30)
    if pace_s == 120:
        the_turn_runs_out(friends, machine, pace_s - 30)


def test_a_clock_that_jumps_makes_nobody_seem_away(machine):
    friends = match_of(2)
    everyone_is_here(friends)
    machine.wall += HOUR
    assert table_for(friends.people[0], friends.key).people[1].presence == "here"


def test_passing_in_the_last_second_counts_as_ones_own(friends, time):
    time.pass_s(QUICK - 0.001)
    play.submit(friends.people[0], friends.key, 0, Pass(), 0)
    assert stored(friends.key).seats[0].missed == 0
