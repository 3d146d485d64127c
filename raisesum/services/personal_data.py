"""All that is kept about one person, for that person."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Select, or_, select
from sqlalchemy.orm import selectinload

from raisesum import wording
from raisesum.engine import load_events, load_setup, view_event
from raisesum.extensions import Base, db
from raisesum.models import Action, Game, Seat, SignIn, User
from raisesum.services import clock, signins
from raisesum.services.reasons import told
from raisesum.services.table import FINISHED, own_seat

#: Told in a form of their own.
_TOLD_APART = {model.__tablename__ for model in (User, SignIn, Seat, Game, Action)}


def personal_data(user_id: int, token: str | None) -> dict[str, Any]:
    """Return all that is kept about the person, as JSON's values.

    Times are UTC in ISO 8601. Of passwords, codes and tokens there are only hashes, and those are
    left out; so is what other people hold in a match that is not over, and why bots did what they
    did in it. `token` is that of the browser that asks.
    """
    user = db.session.get_one(User, user_id)
    return {
        "written_at": _time(clock.now_ms()),
        "person": {
            "handle": user.handle,
            "shown_name": user.shown_name,
            "theme": user.theme,
            "text_size": user.text_size,
            "ask_before_passing": user.confirm_pass,
            "hand_order": user.hand_order,
            "keys_at_the_table": user.keys,
            "first_came_at": _time(user.created_at),
            "has_password": user.password_hash is not None,
            "has_recovery_code": user.recovery_hash is not None,
        },
        "signed_in": [
            {
                "since": _time(place.created_at),
                "last_used": _time(place.seen_at),
                "this_browser": place.is_this,
            }
            for place in signins.places_of(user_id, token)
        ],
        "tables": [_table(game, user_id) for game in _games(user_id)],
        **_other_rows(user_id),
    }


def _games(user_id: int) -> list[Game]:
    return list(
        db.session.scalars(
            select(Game)
            .join(Seat)
            .where(Seat.user_id == user_id)
            .order_by(Game.id)
            .options(selectinload(Game.seats))
        )
    )


def _table(game: Game, user_id: int) -> dict[str, Any]:
    seat = own_seat(game, user_id)
    own = seat.number if seat else 0
    setup = load_setup(game.setup)
    names = {each.number: each.name for each in game.seats}
    rows = db.session.scalars(
        select(Action).where(Action.game_id == game.id).order_by(Action.number)
    )
    return {
        "began_at": _time(game.created_at),
        "status": game.status,
        "deck": setup.deck.text,
        "goal": setup.goal,
        "seats": list(names.values()),
        "your_seat": own,
        "winner": game.winner,
        "moves": [
            {
                "number": row.number,
                "seat": row.seat,
                "action": row.action,
                "at": _time(row.at),
                "by_clock": row.by_clock,
                "what_you_saw": [str(each) for each in _seen(row.events, names, own)],
                **({"why": told(row.reason)} if game.status == FINISHED else {}),
            }
            for row in rows
        ],
        **{
            table.name: _rows(select(table).where(table.c.game_id == game.id, table.c.seat == own))
            for table in Base.metadata.sorted_tables
            if {"game_id", "seat"} <= set(table.c.keys()) and table.name not in _TOLD_APART
        },
    }


def _seen(events: str, names: dict[int, str], seat: int) -> Iterable[wording.Sentence]:
    return wording.sentences(
        [view_event(event, seat) for event in load_events(events)], names, seat
    )


def _other_rows(user_id: int) -> dict[str, Any]:
    """Return the rows of whatever other tables speak of the person, whichever there are."""
    found = {}
    for table in Base.metadata.sorted_tables:
        owners = [
            column
            for column in table.c
            if any(key.column.table.name == User.__tablename__ for key in column.foreign_keys)
        ]
        if owners and table.name not in _TOLD_APART:
            found[table.name] = _rows(
                select(table).where(or_(*(column == user_id for column in owners)))
            )
    return found


def _rows(statement: Select[Any]) -> list[dict[str, Any]]:
    return [
        {
            name: _time(value) if name.endswith("_at") or name == "at" else value
            for name, value in row._mapping.items()
            if not name.endswith(("_hash", "_id"))
        }
        for row in db.session.execute(statement)
    ]


def _time(at_ms: int | None) -> str | None:
    if at_ms is None:
        return None
    return datetime.fromtimestamp(at_ms / 1000, UTC).isoformat(timespec="milliseconds")
