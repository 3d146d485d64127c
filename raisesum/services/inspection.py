"""Whether the database is whole, and every match in it is what its log leads to."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import select, text
from sqlalchemy.orm import selectinload

from raisesum.engine import apply, load_events, load_state, new_match
from raisesum.engine.actions import parse_action
from raisesum.extensions import db
from raisesum.models import Action, Game
from raisesum.services.table import FINISHED

#: How many tables are looked at before the read ends, so that SQLite's log can be emptied.
_AT_ONCE = 100


def damage() -> Iterator[str]:
    """Yield a line for each thing that is wrong with the files of the database."""
    if db.engine.dialect.name != "sqlite":
        return
    for (problem,) in db.session.execute(text("PRAGMA integrity_check")):
        if problem != "ok":
            yield f"SQLite finds damage: {problem}"
    for row in db.session.execute(text("PRAGMA foreign_key_check")):
        yield f"a row of {row[0]} points to a row of {row[2]} that is not there"
    db.session.rollback()


def untrue_matches() -> Iterator[str | None]:
    """Yield for each match what is wrong with it, or None.

    Matches are named by the number of their row: their keys are secrets.
    """
    last = 0
    while True:
        games = db.session.scalars(
            select(Game)
            .where(Game.id > last, Game.state != "")
            .order_by(Game.id)
            .limit(_AT_ONCE)
            .options(selectinload(Game.seats))
        ).all()
        if not games:
            return
        last = games[-1].id
        for game in games:
            wrong = wrong_with(game)
            yield f"match {game.id}: {wrong}" if wrong else None
        db.session.rollback()
        db.session.expunge_all()


def wrong_with(game: Game) -> str:
    """Say in which way a match is not what its log leads to; nothing when it is."""
    rows = db.session.scalars(
        select(Action).where(Action.game_id == game.id).order_by(Action.number)
    ).all()
    if [row.number for row in rows] != list(range(game.version + 1)):
        return f"its log has {len(rows)} rows and not {game.version + 1} in a row"
    try:
        stored = load_state(game.state)
        if stored.seed is None:
            return "its state tells no seed"
        step = new_match(stored.setup, stored.seed)
        for row in rows:
            if row.number:
                if row.seat is None:
                    return f"nobody made move {row.number}"
                step = apply(step.state, row.seat, parse_action(row.action))
            if load_events(row.events) != step.events:
                return f"move {row.number} is told otherwise than it happened"
    except ValueError as error:
        return f"its log is not a match: {error}"
    if step.state != stored:
        return "its state is not what its log leads to"
    if (step.state.winner is not None) != (game.status == FINISHED):
        return f"it is {game.status}, which its log is not"
    if game.winner != step.state.winner:
        return "another seat has won it than its log says"
    return ""
