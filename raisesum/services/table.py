"""A table as one person sees it, loaded whole: all that a page about a match is made from."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import selectinload

from raisesum.engine import EventView, View, load_events, load_state, view_event, view_for
from raisesum.extensions import db
from raisesum.models import Action, Game, Seat
from raisesum.services.errors import NoSuchTableError

#: How many of the latest actions a table's log goes back.
LOG_LENGTH = 40


@dataclass(frozen=True)
class SeatPerson:
    """Who sits in a seat; `bot` is the level of a bot, or None for a person."""

    number: int
    name: str
    bot: str | None
    is_you: bool


@dataclass(frozen=True)
class LogEntry:
    """One action's events, as the viewer may see them; `at_ms` is when it happened."""

    number: int
    at_ms: int
    events: tuple[EventView, ...]


@dataclass(frozen=True)
class Table:
    """A match with the people around it, as one of them sees it.

    Attributes:
        key: its name in addresses.
        version: counts moves; a form carries it back.
        revision: counts everything visible; a poll carries it back.
        status: `playing`, `finished` or `given_up`.
        view: the match, as far as the viewer may know it.
        people: who sits where, in the order of the seats.
        log: the latest actions, newest last.
        rematch_key: the table of the rematch, once there is one.
    """

    key: str
    version: int
    revision: int
    status: str
    view: View
    people: tuple[SeatPerson, ...]
    log: tuple[LogEntry, ...]
    rematch_key: str | None

    @property
    def is_playing(self) -> bool:
        """Whether the match still goes on."""
        return self.status == PLAYING

    @property
    def practice(self) -> bool:
        """Whether nobody else sits here but bots."""
        return all(person.is_you or person.bot for person in self.people)

    @property
    def can_beat(self) -> bool:
        """Whether the viewer could make some play now."""
        return self.is_playing and self.view.can_beat

    @property
    def waiting_on_bots(self) -> bool:
        """Whether the next to act is a bot."""
        return self.is_playing and self.people[self.view.turn - 1].bot is not None

    @property
    def can_skip(self) -> bool:
        """Whether the viewer may let the bots go on without a pause."""
        return self.practice and self.waiting_on_bots


PLAYING = "playing"
FINISHED = "finished"
GIVEN_UP = "given_up"


def table_for(user_id: int, key: str) -> Table:
    """Return the table named `key` as `user_id` sees it.

    Raises:
        NoSuchTableError: there is none at which this person sits.
    """
    game = db.session.scalars(
        select(Game).where(Game.key == key).options(selectinload(Game.seats))
    ).one_or_none()
    if game is None or (seat := own_seat(game, user_id)) is None:
        raise NoSuchTableError
    rows = db.session.execute(
        select(Action.number, Action.at, Action.events)
        .where(Action.game_id == game.id, Action.number > game.version - LOG_LENGTH)
        .order_by(Action.number)
    ).all()
    return Table(
        key=game.key,
        version=game.version,
        revision=game.revision,
        status=game.status,
        view=view_for(load_state(game.state), seat.number),
        people=people(game, user_id),
        log=tuple(
            LogEntry(number, at, tuple(view_event(e, seat.number) for e in load_events(events)))
            for number, at, events in rows
        ),
        rematch_key=_rematch_key(game),
    )


def revision_and_due(user_id: int, key: str) -> tuple[int, int | None]:
    """Return the revision of a table and when something is due there: a poll's one read.

    Raises:
        NoSuchTableError: as `table_for`.
    """
    row = db.session.execute(
        select(Game.revision, Game.due_at)
        .join(Seat)
        .where(Game.key == key, Seat.user_id == user_id)
    ).one_or_none()
    if row is None:
        raise NoSuchTableError
    return row.revision, row.due_at


def own_seat(game: Game, user_id: int) -> Seat | None:
    """Return the seat of `user_id` at `game`."""
    return next((seat for seat in game.seats if seat.user_id == user_id), None)


def people(game: Game, user_id: int) -> tuple[SeatPerson, ...]:
    """Return who sits at `game`, in the order of the seats, as `user_id` sees them."""
    return tuple(
        SeatPerson(seat.number, seat.name, seat.bot, seat.user_id == user_id) for seat in game.seats
    )


def _rematch_key(game: Game) -> str | None:
    if game.rematch_id is None:
        return None
    return db.session.scalars(select(Game.key).where(Game.id == game.rematch_id)).one()
