import pytest
from flask import Flask

from raisesum.services import attempts, clock
from raisesum.services.attempts import HOUR_MS, Limit, TooManyError
from tests.rows import all_rows, count
from tests.services.concurrency import at_once

THREE = Limit("three", 3, HOUR_MS)
TWO = Limit("two", 2, HOUR_MS, "Two are enough. Wait {wait}.")


class Clock:
    """The time of day, set by a test."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.ms = 1_800_000_000_000
        monkeypatch.setattr(clock, "now_ms", lambda: self.ms)


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def refused_after(limit: Limit, who: str) -> int:
    """How many tries are let through before one is not."""
    for made in range(100):
        try:
            attempts.count([(limit, who)])
        except TooManyError:
            return made
    raise AssertionError("nothing was refused")


def test_as_many_tries_as_the_limit_says_are_let_through(app: Flask) -> None:
    with app.app_context():
        assert refused_after(THREE, "otter") == 3


def test_another_and_another_limit_notice_nothing(app: Flask) -> None:
    with app.app_context():
        refused_after(THREE, "otter")
        assert refused_after(THREE, "heron") == 3
        assert refused_after(TWO, "otter") == 2


def test_sixteen_at_once_are_sixteen(app: Flask) -> None:
    def is_let_through() -> bool:
        try:
            attempts.count([(THREE, "otter")])
        except TooManyError:
            return False
        return True

    assert sum(at_once(app, 16, is_let_through)) == 3


def test_a_try_that_is_refused_counts_for_no_limit(app: Flask, time: Clock) -> None:
    with app.app_context():
        refused_after(TWO, "otter")
        for _ in range(5):
            with pytest.raises(TooManyError):
                attempts.count([(THREE, "otter"), (TWO, "otter")])
        assert refused_after(THREE, "otter") == 3


def test_the_wait_is_told_and_long_enough(app: Flask, time: Clock) -> None:
    with app.app_context():
        attempts.count([(THREE, "otter")])
        time.ms += HOUR_MS // 2
        refused_after(THREE, "otter")
        with pytest.raises(TooManyError, match="Wait 30 minutes, then try again") as refused:
            attempts.count([(THREE, "otter")])
        time.ms += refused.value.seconds * 1000 - 1
        with pytest.raises(TooManyError, match="Wait a minute"):
            attempts.count([(THREE, "otter")])
        time.ms += 1
        assert refused_after(THREE, "otter") == 3


def test_a_limit_says_what_was_too_much_and_what_to_do(app: Flask) -> None:
    with app.app_context():
        refused_after(TWO, "otter")
        with pytest.raises(TooManyError, match=r"^Two are enough\. Wait 60 minutes\.$"):
            attempts.count([(TWO, "otter")])


def test_what_turns_out_well_is_taken_back_and_what_does_not_stays(app: Flask) -> None:
    with app.app_context():
        for _ in range(10):
            with attempts.tried([(THREE, "otter")]):
                pass
        with pytest.raises(ZeroDivisionError), attempts.tried([(THREE, "otter")]):
            raise ZeroDivisionError
        assert refused_after(THREE, "otter") == 2


def test_what_is_over_is_swept_away_and_who_tried_is_kept_only_as_a_hash(
    app: Flask, time: Clock
) -> None:
    with app.app_context():
        for name in ("otter", "heron", "newt"):
            attempts.count([(THREE, name)])
        assert "otter" not in repr(all_rows(app))
        time.ms += HOUR_MS
        attempts.count([(THREE, "stoat")])
        attempts.count([(THREE, "stoat")])
    assert count(app, "throttles") == 1


def test_who_tries_may_be_called_anything(app: Flask) -> None:
    with app.app_context():
        for name in ("", "\0", "\ud800", "x" * 100_000):
            assert refused_after(THREE, name) == 3
