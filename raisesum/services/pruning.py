"""Clearing away unfinished matches that nobody has touched for long: the operator's to ask for."""

from __future__ import annotations

from sqlalchemy import delete, select

from raisesum.models import Game
from raisesum.services import clock
from raisesum.services.table import PLAYING, WAITING
from raisesum.services.transactions import write_transaction

_AT_ONCE = 200


def prune(older_than_ms: int) -> int:
    """Delete the unfinished matches in which nothing has happened for so long.

    Finished ones stay. Others can play on meanwhile: it is done in small steps.

    Returns:
        How many matches there were.
    """
    before = clock.now_ms() - older_than_ms
    deleted = 0
    while True:
        with write_transaction() as session:
            old = session.scalars(
                select(Game.id)
                .where(Game.status.in_((WAITING, PLAYING)), Game.updated_at < before)
                .order_by(Game.id)
                .limit(_AT_ONCE)
                .with_for_update()
            ).all()
            session.execute(delete(Game).where(Game.id.in_(old)))
        deleted += len(old)
        if len(old) < _AT_ONCE:
            return deleted
