"""What somebody without a seat may learn of a table whose match has begun."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import selectinload

from raisesum.extensions import db
from raisesum.models import Game
from raisesum.services import seats
from raisesum.services.table import FINISHED, GIVEN_UP, WAITING


@dataclass(frozen=True)
class BegunTable:
    """A table for people that one comes to too late.

    Attributes:
        is_over: whether the match has ended, too.
        may_watch: whether people without a seat may look at the table.
        has_replay: whether the match has a winner, so that all who have the key may look back.
    """

    is_over: bool
    may_watch: bool
    has_replay: bool


def begun_table(key: str) -> BegunTable | None:
    """Return what there is to say of the table `key` to somebody who comes too late for it.

    None where nothing may be said: there is no such table, it still waits, or it was only ever
    meant for one person and bots.
    """
    game = db.session.scalars(
        select(Game).where(Game.key == key).options(selectinload(Game.seats))
    ).one_or_none()
    if game is None or game.status == WAITING or not seats.is_for_people(game):
        return None
    return BegunTable(
        is_over=game.status in (FINISHED, GIVEN_UP),
        may_watch=game.spectators,
        has_replay=game.status == FINISHED,
    )
