"""Matches that are over: as records, and again from turn to turn with all hands open.

Nothing here looks into a match that is still being played, whoever asks.  A replay is always
made from a record, one of the database's matches or one that somebody brings along, so that
both are held to the rules by the same reader.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from sqlalchemy import select
from sqlalchemy.orm import selectinload

from raisesum.engine import (
    HAND_LIMIT,
    Card,
    Event,
    EventView,
    LegalPlay,
    Phase,
    RoundStarted,
    Setup,
    View,
    legal_plays,
    load_events,
    load_setup,
    view_for,
)
from raisesum.engine.record import MatchRecord, Source, fit_name, read_record, write_record
from raisesum.engine.view import open_event
from raisesum.extensions import db
from raisesum.models import Action, Game
from raisesum.services.errors import MatchGoesOnError, NoSuchTableError, NoWinnerError
from raisesum.services.table import FINISHED, GIVEN_UP

# Whoever steps through a match asks for its positions one after the other, and reading the record
# costs much more than any of them.  What is kept depends on the text alone: 0.2 MB were measured
# for a match of 300 actions, so these many of the longest that a page takes are some 10 MB.
_KEPT = 8


@dataclass(frozen=True)
class Position:
    """A match at one moment, with all hands open.

    Attributes:
        number: 0 after the deal, then one more for each action.
        seat: who acted; None for the deal.
        events: what led here from the position before, all cards open.
        view: the table as a spectator sees it.
        hands: the cards of each seat, seat 1 first, oldest first.
        drawn: the cards that the mover drew as this turn began.
    """

    number: int
    seat: int | None
    events: tuple[EventView, ...]
    view: View
    hands: tuple[tuple[Card, ...], ...]
    drawn: tuple[Card, ...]

    @cached_property
    def plays(self) -> tuple[LegalPlay, ...]:
        """The different plays that the mover may make here; none when no play is asked for."""
        if self.view.phase is not Phase.MOVE:
            return ()
        return legal_plays(self.hands[self.view.turn - 1], self.view.incoming, self.view.target)

    @property
    def to_discard(self) -> int:
        """How many cards the mover must discard here; else 0."""
        if self.view.phase is not Phase.DISCARD:
            return 0
        return len(self.hands[self.view.turn - 1]) - HAND_LIMIT


class Replay:
    """A match that is over, to be looked at position by position.

    Attributes:
        setup: what was agreed.
        names: of the players, seat 1 first.
        last: the number of the last position; the first is 0.
        is_won: whether somebody has won there; else the match was given up.
        rounds: for each round, the number of the position in which it opens.
    """

    def __init__(self, record: MatchRecord) -> None:
        self.setup: Setup = record.setup
        self.names = record.names
        self.last = len(record.steps) - 1
        self.is_won = record.final.phase is Phase.OVER
        self.rounds = tuple(
            number
            for number, step in enumerate(record.steps)
            if any(isinstance(event, RoundStarted) for event in step.events)
        )
        self._record = record

    @property
    def text(self) -> str:
        """The record of the match."""
        return self._record.text

    def position(self, number: int) -> Position:
        """Return position `number`, 0 to `last`.

        Raises:
            IndexError: there is none.
        """
        if not 0 <= number <= self.last:
            raise IndexError(f"there is no position {number}")
        state, events = self._record.steps[number]
        return Position(
            number=number,
            seat=self._record.steps[number - 1].state.turn if number else None,
            events=tuple(open_event(event) for event in events),
            view=view_for(state, None),
            hands=state.hands,
            drawn=state.drawn,
        )


def replay_from(source: Source, *, finished: bool = True) -> Replay:
    """Return the match that a record tells; nothing is stored.

    Args:
        source: the record.
        finished: whether it must tell of a winner.

    Raises:
        RecordError: the record is wrong.
    """
    return Replay(read_record(source, finished=finished))


@lru_cache(maxsize=_KEPT)
def replay_of(record: bytes, *, finished: bool = True) -> Replay:
    """Return the match that `record` tells; the last few are remembered.

    Raises: as `replay_from`.
    """
    return replay_from(io.BytesIO(record), finished=finished)


def over_for(user_id: int | None, key: str) -> Game:
    """Return the match at table `key`, which is over, for somebody who may see all of it.

    A finished match is open to all who know its key, which nobody can guess: its players pass it
    on as a link.  One that was given up is open to those who sit there, as nobody meant to show
    it.  Of any other table only those who sit there learn that it exists.

    Args:
        user_id: who asks; None for somebody who is not signed in.
        key: of the table.

    Raises:
        NoSuchTableError: there is no such table, for this person.
        MatchGoesOnError: the match is still being played.
    """
    game = _game(key)
    sits_here = user_id is not None and any(seat.user_id == user_id for seat in game.seats)
    if game.status != FINISHED and not sits_here:
        raise NoSuchTableError
    if game.status not in (FINISHED, GIVEN_UP):
        raise MatchGoesOnError
    return game


def finished_for(user_id: int | None, key: str) -> Game:
    """Return the match at table `key` as `over_for` does, if somebody has won it.

    Raises:
        NoSuchTableError, MatchGoesOnError: as `over_for`.
        NoWinnerError: the match was given up.
    """
    return _finished(over_for(user_id, key))


def replay_for(user_id: int | None, key: str) -> Replay:
    """Return the match at table `key`, as `over_for` lets see it."""
    game = over_for(user_id, key)
    finished = game.status == FINISHED
    return replay_of(_record(game, finished=finished).encode(), finished=finished)


def record_for(user_id: int | None, key: str) -> str:
    """Return the record of the match at table `key`, as `finished_for` lets see it."""
    return _record(finished_for(user_id, key))


def record_of(key: str) -> str:
    """Return the record of the match at table `key`.

    Raises:
        NoSuchTableError: there is no such table.
        MatchGoesOnError: the match is still being played.
        NoWinnerError: the match was given up.
    """
    return _record(_finished(_game(key)))


def _finished(game: Game) -> Game:
    if game.status == GIVEN_UP:
        raise NoWinnerError
    if game.status != FINISHED:
        raise MatchGoesOnError
    return game


def _record(game: Game, *, finished: bool = True) -> str:
    names = [fit_name(seat.name) or f"Seat {seat.number}" for seat in game.seats]
    lines = write_record(load_setup(game.setup), names, _events(game), finished=finished)
    return "".join(lines)


def _game(key: str) -> Game:
    game = db.session.scalars(
        select(Game).where(Game.key == key).options(selectinload(Game.seats))
    ).one_or_none()
    if game is None:
        raise NoSuchTableError
    return game


def key_of(number: int) -> str:
    """Return the key of the table in row `number`.

    Raises:
        NoSuchTableError: there is no such row.
    """
    key = db.session.scalars(select(Game.key).where(Game.id == number)).one_or_none()
    if key is None:
        raise NoSuchTableError
    return key


def _events(game: Game) -> Iterator[Event]:
    rows = db.session.scalars(
        select(Action.events).where(Action.game_id == game.id).order_by(Action.number)
    )
    for row in rows:
        yield from load_events(row)
