"""How much there is: people, tables, moves, bytes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import func, select, text

from raisesum.extensions import db
from raisesum.models import Game, SignIn, User
from raisesum.services.clock import now_ms

DAY_MS = 24 * 3600 * 1000


@dataclass(frozen=True)
class Statistics:
    """Numbers about the whole database."""

    accounts: int
    guests: int
    people_today: int
    """Who began or used a sign-in in the last 24 hours; a use is noted once a day."""
    tables: dict[str, int]
    """By status."""
    moves: int
    tables_today: int
    """Tables at which something happened in the last 24 hours."""
    database_bytes: int
    log_bytes: int
    """Of SQLite's write-ahead log; 0 elsewhere."""


def statistics() -> Statistics:
    """Return the numbers as they are now."""
    since = now_ms() - DAY_MS
    count = func.count
    guests = db.session.scalar(select(count()).where(User.handle.is_(None)))
    people = db.session.scalar(select(count()).select_from(User))
    tables = db.session.execute(select(Game.status, count()).group_by(Game.status))
    database, log = _sizes()
    return Statistics(
        accounts=(people or 0) - (guests or 0),
        guests=guests or 0,
        people_today=db.session.scalar(
            select(count(SignIn.user_id.distinct())).where(SignIn.seen_at >= since)
        )
        or 0,
        tables=dict(sorted((status, many) for status, many in tables)),
        # The version counts a table's moves, and there are fewer tables than moves to count.
        moves=db.session.scalar(select(func.sum(Game.version))) or 0,
        tables_today=db.session.scalar(
            select(count()).select_from(Game).where(Game.updated_at >= since)
        )
        or 0,
        database_bytes=database,
        log_bytes=log,
    )


def _sizes() -> tuple[int, int]:
    if db.engine.dialect.name != "sqlite":
        size = db.session.scalar(text("SELECT pg_database_size(current_database())"))
        return size or 0, 0
    path = Path(str(db.engine.url.database))
    log = path.with_name(path.name + "-wal")
    return path.stat().st_size, log.stat().st_size if log.exists() else 0
