"""Sitting down at a table that waits, leaving it, and being sent away from it.

One person a seat, one seat a person: whoever comes at the same moment as others is seated in a
seat of their own or told that there is none.
"""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from raisesum.extensions import db
from raisesum.models import Game, Presence, Removal, Seat, User
from raisesum.services import invitations, presence, reactions, seats
from raisesum.services.begun import begun_table
from raisesum.services.errors import (
    BegunError,
    NoFreeSeatError,
    NoSuchTableError,
    PersonGoneError,
    SentAwayError,
    ServiceError,
    StaleRoomError,
)
from raisesum.services.open_tables import check_open_tables
from raisesum.services.table import WAITING
from raisesum.services.transactions import write_transaction
from raisesum.services.waiting import changed, host_order


def check_waits(key: str) -> None:
    """See that people can still come to the table `key`, whoever asks.

    Raises:
        NoSuchTableError: there is no such table, or never was one for others.
        BegunError: its match has begun.
    """
    status = db.session.scalars(select(Game.status).where(Game.key == key)).one_or_none()
    if status == WAITING:
        return
    if begun_table(key) is None:
        raise NoSuchTableError
    raise BegunError


def join(user_id: int, key: str, token: str | None = None) -> int:
    """Sit down at a waiting table and return the seat's number; sitting there already is fine.

    `token` is that of the invitation by which this person came, if they did.

    Raises:
        NoSuchTableError: there is no such table, it never was one for others, or this person is not
            invited any more.
        BegunError: its match has begun.
        NoFreeSeatError: all seats are taken.
        SentAwayError: the host has removed this person from it.
        TooManyTablesError: the person is at as many open tables as one may.
        ServiceError: the person is gone.
    """
    with write_transaction() as session:
        game = seats.locked(session, key)
        own = seats.own_seat(game, user_id)
        if own is not None:
            return own.number
        if game.status != WAITING:
            if not seats.is_for_people(game):
                raise NoSuchTableError
            raise BegunError
        seats.check_invited(session, game, user_id, token)
        seat = next(filter(seats.is_free, game.seats), None)
        if seat is None:
            raise NoFreeSeatError
        check_open_tables(session, user_id)
        take(session, game, seat, user_id)
        return seat.number


def check_not_removed(session: Session, game: Game, user_id: int) -> None:
    """Within an open transaction, see that the host has not removed this person from `game`.

    Raises:
        SentAwayError: the host has.
    """
    if session.get(Removal, (game.id, user_id)) is not None:
        raise SentAwayError


def take(session: Session, game: Game, seat: Seat, user_id: int) -> None:
    """Within an open transaction, give a free seat to somebody who sits nowhere here yet."""
    user = session.get(User, user_id)
    if user is None:
        raise PersonGoneError
    seat.user_id = user_id
    seats.name_person(game, seat, user)
    if game.host_id is None:
        game.host_id = user_id
    changed(game)
    session.flush()
    presence.note_in(session, game.id, user_id)


def leave(user_id: int, key: str) -> None:
    """Get up from a waiting table; one that nobody sits at any more is cleared away.

    Raises:
        NoSuchTableError: there is no table `key` at which this person sits.
        BegunError: its match has begun; `services.absence` knows what leaving means then.
    """
    with write_transaction() as session:
        game, seat = seats.locked_with_seat(session, key, user_id)
        if game.status != WAITING:
            raise BegunError
        free(session, game, seat)


def free(session: Session, game: Game, seat: Seat) -> None:
    """Within an open transaction, free a person's seat at a waiting table."""
    if seat.user_id == game.host_id:
        seats.pass_host_on(game)
    there = session.get(Presence, (game.id, seat.user_id))
    if there is not None:
        session.delete(there)
    reactions.forget_said(session, game, [seat.number])
    seat.user_id = None
    seat.name = ""
    if seats.persons(game):
        changed(game)
    else:
        session.delete(game)


def remove(user_id: int, key: str, number: int, revision: int) -> None:
    """Send a person away from the table for good, as its host.

    The link and the code by which people were invited so far lead nowhere any more, and others take
    their place: the person cannot come back by them as somebody else.

    Args:
        user_id: the host.
        key: the table.
        number: the seat of the one to go.
        revision: of the table as the host saw it: somebody else may sit there since.

    Raises:
        NoSuchTableError: there is no table `key` at which this person sits.
        BegunError: its match has begun.
        NotHostError: somebody else decides here.
        StaleRoomError: the table is at another revision.
        ServiceError: nobody else has the seat.
    """
    with write_transaction() as session:
        game, seat = _other_persons_seat(session, user_id, key, number, revision)
        session.add(Removal(game_id=game.id, user_id=seat.user_id))
        free(session, game, seat)
        invitations.renew(session, game)
        game.key_invites = False


def hand_over_host(user_id: int, key: str, number: int, revision: int) -> None:
    """Make the person in seat `number` the host. Arguments and errors: as `remove`."""
    with write_transaction() as session:
        game, seat = _other_persons_seat(session, user_id, key, number, revision)
        game.host_id = seat.user_id
        changed(game)


def _other_persons_seat(
    session: Session, user_id: int, key: str, number: int, revision: int
) -> tuple[Game, Seat]:
    game = host_order(session, key, user_id)
    if game.revision != revision:
        raise StaleRoomError
    seat = next((seat for seat in game.seats if seat.number == number), None)
    if seat is None or seat.user_id is None or seat.user_id == user_id:
        raise ServiceError("Nobody else has this seat.")
    return game, seat
