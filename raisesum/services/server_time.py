"""Server time: the time that passes while the server runs.

What a turn may take is counted in it, so that nobody loses a turn while the server is down, nor
when its clock is set forward or back.  It is counted by the monotonic clock; every process that
serves writes down now and then how far it has come (`beat`), and one that starts goes on from
there.  It began as the time of day, in milliseconds since 1970, and falls behind that by however
long the server has been down.

A process that keeps no heartbeat (a command, say) takes the time of day instead.
"""

from __future__ import annotations

import threading
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from raisesum.extensions import db
from raisesum.models import Heartbeat
from raisesum.services import clock
from raisesum.services.transactions import write_transaction

BEAT_EVERY_MS = 10_000
LONGEST_GAP_MS = 30_000
"""A silence longer than this was no pause but an absence: nothing ran, so no time passed."""

#: When another process has written so lately, there is nothing new to write.
_FRESH_MS = 5_000

_ROW = 1


class _Anchor(NamedTuple):
    """What server time it was at a moment of this process's monotonic clock."""

    server_ms: int
    monotonic_ms: int

    def now(self) -> int:
        since = clock.monotonic_ms() - self.monotonic_ms
        # After a long silence this process itself has been standing still, or its database has
        # been out of reach: until the next beat succeeds no time passes.
        return self.server_ms + (since if since <= LONGEST_GAP_MS else BEAT_EVERY_MS)


_anchor: _Anchor | None = None
_lock = threading.Lock()


def now_ms() -> int:
    """Server time, in milliseconds."""
    anchor = _anchor
    return clock.now_ms() if anchor is None else anchor.now()


def beat() -> None:
    """Write down that the server runs, and agree with the other processes on what time it is.

    From the first beat on this process keeps a heartbeat: it must go on with one every
    `BEAT_EVERY_MS`.  Not within a transaction.
    """
    global _anchor
    with _lock:
        own = _anchor
        row = db.session.execute(select(Heartbeat.server_ms, Heartbeat.wall_ms)).one_or_none()
        db.session.rollback()
        if row is None:
            now = clock.now_ms() if own is None else own.now()
        else:
            now = _agreed(own, row.server_ms, row.wall_ms)
        if row is None or now - row.server_ms > _FRESH_MS or own is None:
            now = _write(now)
        _anchor = _Anchor(now, clock.monotonic_ms())


def forget() -> None:
    """Keep no heartbeat any more in this process."""
    global _anchor
    _anchor = None


def _agreed(own: _Anchor | None, last_ms: int, last_wall_ms: int) -> int:
    """What time it is now, when `last_ms` was written down by any process at `last_wall_ms`."""
    if own is None:
        # A worker that joins others, or a quick restart: here alone the time of day is asked.
        since = clock.now_ms() - last_wall_ms
        return last_ms + since if 0 <= since <= LONGEST_GAP_MS else last_ms
    return max(own.now(), last_ms)


def _write(now: int) -> int:
    """Put `now` into the row, unless another process is ahead already; return what stands there."""
    try:
        with write_transaction() as session:
            row = _row(session)
            if row is None:
                session.add(Heartbeat(id=_ROW, server_ms=now, wall_ms=clock.now_ms()))
                return now
            row.server_ms = max(row.server_ms, now)
            row.wall_ms = clock.now_ms()
            return row.server_ms
    except IntegrityError:
        # Another process was the first of all, a moment ago.
        return now


def _row(session: Session) -> Heartbeat | None:
    return session.get(Heartbeat, _ROW, with_for_update=True)
