from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from sqlalchemy import select

from raisesum.extensions import db
from raisesum.models import Heartbeat
from raisesum.services import clock, server_time

pytestmark = pytest.mark.usefixtures("app_context")

HOUR = 3_600_000


class Clocks:
    """The wall clock, which anybody may set, and the monotonic one."""

    def __init__(self) -> None:
        self.wall = 1_800_000_000_000
        self.monotonic = 5_000_000

    def pass_time(self, ms: int) -> None:
        self.wall += ms
        self.monotonic += ms


@pytest.fixture
def clocks(monkeypatch: pytest.MonkeyPatch) -> Iterator[Clocks]:
    clocks = Clocks()
    monkeypatch.setattr(clock, "now_ms", lambda: clocks.wall)
    monkeypatch.setattr(clock, "monotonic_ms", lambda: clocks.monotonic)
    yield clocks
    server_time.forget()


def run(clocks: Clocks, ms: int) -> None:
    """Let the server run for so long, with its heartbeat."""
    while ms > 0:
        step = min(ms, server_time.BEAT_EVERY_MS)
        clocks.pass_time(step)
        server_time.beat()
        ms -= step


def restart(clocks: Clocks, down_ms: int) -> None:
    """Stop the server, and start it after so long on a machine that has been off meanwhile."""
    server_time.forget()
    clocks.pass_time(down_ms)
    clocks.monotonic = 1_000
    server_time.beat()


def test_it_begins_as_the_time_of_day_and_passes_like_it(clocks):
    server_time.beat()
    assert server_time.now_ms() == clocks.wall
    run(clocks, HOUR)
    clocks.pass_time(7_000)
    assert server_time.now_ms() == clocks.wall


def test_a_process_without_a_heartbeat_takes_the_time_of_day(clocks):
    assert server_time.now_ms() == clocks.wall


@pytest.mark.parametrize("jump", [-HOUR, HOUR, -1_000, 365 * 24 * HOUR])
def test_setting_the_clock_changes_nothing(clocks, jump):
    server_time.beat()
    before = server_time.now_ms()
    clocks.wall += jump
    assert server_time.now_ms() == before
    run(clocks, 60_000)
    assert server_time.now_ms() == before + 60_000


@pytest.mark.parametrize("down", [2 * HOUR, 31_000, 400 * 24 * HOUR])
def test_while_the_server_is_down_no_time_passes(clocks, down):
    server_time.beat()
    run(clocks, 60_000)
    before = server_time.now_ms()
    restart(clocks, down)
    assert server_time.now_ms() == before


def test_a_restart_of_some_seconds_takes_some_seconds(clocks):
    server_time.beat()
    before = server_time.now_ms()
    restart(clocks, 4_000)
    assert server_time.now_ms() == before + 4_000


@pytest.mark.parametrize("jump", [-HOUR, HOUR])
def test_a_clock_that_is_set_while_the_server_is_down_changes_nothing(clocks, jump):
    server_time.beat()
    before = server_time.now_ms()
    clocks.wall += jump
    restart(clocks, 3_000)
    assert server_time.now_ms() == before


def test_a_machine_that_slept_has_not_used_the_time(clocks):
    """As with a lid that was closed, on systems whose monotonic clock goes on meanwhile."""
    server_time.beat()
    before = server_time.now_ms()
    clocks.pass_time(2 * HOUR)
    # Somebody asks before the next beat.
    assert server_time.now_ms() <= before + server_time.BEAT_EVERY_MS
    server_time.beat()
    assert server_time.now_ms() <= before + server_time.BEAT_EVERY_MS


def test_processes_agree_and_none_goes_back(clocks):
    server_time.beat()
    run(clocks, 60_000)
    one = server_time._anchor
    clocks.pass_time(3_000)
    # A second process starts beside the first.
    server_time.forget()
    server_time.beat()
    assert server_time.now_ms() == one.server_ms + 3_000
    clocks.wall += HOUR
    # And a third after the clock was set, which cannot know how long ago the last beat was.
    server_time.forget()
    server_time.beat()
    third = server_time.now_ms()
    assert one.server_ms <= third <= one.server_ms + 3_000
    server_time._anchor = one
    clocks.pass_time(8_000)
    server_time.beat()
    first = server_time.now_ms()
    server_time._anchor = server_time._Anchor(third, clocks.monotonic - 8_000)
    server_time.beat()
    assert server_time.now_ms() >= first


def test_it_is_written_down_for_those_who_come_after(clocks):
    server_time.beat()
    run(clocks, 30_000)
    rows = db.session.scalars(select(Heartbeat)).all()
    assert [(row.server_ms, row.wall_ms) for row in rows] == [(clocks.wall, clocks.wall)]


@pytest.mark.parametrize("zone", ["Europe/Berlin", "Australia/Lord_Howe", "UTC"])
def test_daylight_saving_is_no_concern(monkeypatch, zone):
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        # The last hour before and the first after Europe's clocks go forward in 2027.
        for moment in (1_806_195_599, 1_806_195_600):
            monkeypatch.setattr(time, "time_ns", lambda moment=moment: moment * 10**9)
            assert clock.now_ms() == moment * 1000
            assert server_time.now_ms() == moment * 1000
    finally:
        monkeypatch.undo()
        time.tzset()
