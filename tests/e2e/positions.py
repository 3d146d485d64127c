"""Written positions on the tables of a running server.

A test that is about what a page shows writes down what lies on the table, instead of playing
until it does. `tests.engine.positions.position` makes the states.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager

from raisesum.engine import Event, State, dump_events, dump_setup, dump_state
from raisesum.engine.events import Played
from tests.servers import Server


def key_of(address: str) -> str:
    """Return the key of the table whose page, or a part of it, has this address."""
    return address.split("/games/")[1].split("/")[0].split("?")[0]


def put(
    server: Server,
    address: str,
    state: State,
    *events: Event,
    seats: Mapping[int, Mapping[str, object]] | None = None,
    **columns: object,
) -> None:
    """Put `state` in the place of what is on the table at `address`, as a move that was made.

    Pages that are open hear of it with their next poll. A table that waits for a bot in the new
    state is due at once. The log gets one action more, with `events`; without any, those that
    tell of the standing play. `seats` are columns of seats' rows, by number, and `columns` those
    of the game's row: `pace_s=30` starts a clock for a person on turn.
    """
    with _writing(server) as rows:
        game, version = rows.execute(
            "SELECT id, version FROM games WHERE key = ?", (key_of(address),)
        ).fetchone()
        for number, changed in (seats or {}).items():
            _update(rows, "seats", changed, "game_id = ? AND number = ?", (game, number))
        on_turn_is_bot = rows.execute(
            "SELECT bot IS NOT NULL OR stand_in FROM seats WHERE game_id = ? AND number = ?",
            (game, state.turn),
        ).fetchone()[0]
        pace_s = columns.get("pace_s")
        if on_turn_is_bot:
            columns.setdefault("due_at", 0)
        elif isinstance(pace_s, int):
            columns.setdefault("due_at", _server_ms(rows) + pace_s * 1000)
        told = dump_events(events or _standing_play(state))
        rows.execute(
            "INSERT INTO actions (game_id, number, seat, action, events, at, by_clock)"
            " VALUES (?, ?, ?, 'pass', ?, ?, 0)",
            (game, version + 1, _mover(told), told, time.time_ns() // 1_000_000),
        )
        fresh = {
            "state": dump_state(state),
            "setup": dump_setup(state.setup),
            "due_at": None,
            **columns,
        }
        _update(rows, "games", fresh, "id = ?", (game,))
        rows.execute(
            "UPDATE games SET version = version + 1, revision = revision + 1 WHERE id = ?", (game,)
        )


@contextmanager
def _writing(server: Server) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(server.instance / "raisesum.db", timeout=60)) as rows:
        rows.isolation_level = None
        rows.execute("BEGIN IMMEDIATE")
        yield rows
        rows.execute("COMMIT")


def _update(
    rows: sqlite3.Connection,
    table: str,
    changed: Mapping[str, object],
    where: str,
    which: tuple[int, ...],
) -> None:
    names = ", ".join(f"{name} = ?" for name in changed)
    rows.execute(f"UPDATE {table} SET {names} WHERE {where}", (*changed.values(), *which))  # noqa: S608


def _standing_play(state: State) -> tuple[Event, ...]:
    standing = state.standing
    if standing is None:
        return ()
    # What it had to beat: anything that it did beat will do.
    return (
        Played(
            standing.seat,
            standing.cards,
            standing.score,
            standing.answered,
            max(standing.score - 1, 0),
        ),
    )


def _mover(events: str) -> int | None:
    told = json.loads(events)
    return int(told[0][1]) if told else None


def _server_ms(rows: sqlite3.Connection) -> int:
    row = rows.execute("SELECT server_ms, wall_ms FROM heartbeats WHERE id = 1").fetchone()
    wall = time.time_ns() // 1_000_000
    return wall if row is None else int(row[0] + wall - row[1])
