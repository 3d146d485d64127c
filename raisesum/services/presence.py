"""Who is there: when each person was last seen at a table where they sit.

It is noted in a table and a transaction of its own, at most once in 20 seconds, so that those
who only look do not hold up those who move.
"""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from raisesum.models import Presence
from raisesum.services import server_time
from raisesum.services.transactions import write_transaction

NOTE_EVERY_MS = 20_000
PRESENT_MS = 60_000
AWAY_MS = 5 * 60_000

HERE, QUIET, AWAY = "here", "quiet", "away"


def status(seen_at: int | None, now: int) -> str:
    """Say how long ago somebody was seen: `here`, `quiet` for a minute, or `away`.

    >>> [status(seen, 400_000) for seen in (350_000, 300_000, 90_000, None)]
    ['here', 'quiet', 'away', 'away']
    """
    if seen_at is None or now - seen_at > AWAY_MS:
        return AWAY
    return HERE if now - seen_at <= PRESENT_MS else QUIET


def note(game_id: int, user_id: int) -> None:
    """Note that somebody who sits at a table is there; nothing happens within 20 s of a note."""
    try:
        with write_transaction() as session:
            note_in(session, game_id, user_id)
    except IntegrityError:
        # Two devices of one person came at once, or the table has just gone.
        return


def is_worth_noting(seen_at: int | None) -> bool:
    """Whether the last note is so old that the next one is due."""
    return seen_at is None or server_time.now_ms() - seen_at >= NOTE_EVERY_MS


def note_in(session: Session, game_id: int, user_id: int) -> None:
    """Do what `note` does, within an open transaction."""
    row = session.get(Presence, (game_id, user_id), with_for_update=True)
    now = server_time.now_ms()
    if row is None:
        session.add(Presence(game_id=game_id, user_id=user_id, seen_at=now))
    elif now - row.seen_at >= NOTE_EVERY_MS:
        row.seen_at = now


def last_seen(session: Session, game_id: int) -> dict[int, int]:
    """Return when each person of a table was last seen, by the number of their row."""
    rows = session.execute(
        select(Presence.user_id, Presence.seen_at).where(Presence.game_id == game_id)
    )
    return {row.user_id: row.seen_at for row in rows}
