"""Seats of a stored table: whose they are, who plays for them, and who is host."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Protocol

from sqlalchemy import delete, select
from sqlalchemy.orm import Session, selectinload

from raisesum.bots import level_named
from raisesum.models import Game, Removal, Seat, SeatOffer, User
from raisesum.services import names
from raisesum.services.errors import NoSuchTableError, SentAwayError

STAND_IN = "steady"
"""The level of the bot that plays for a person who is not there."""


def locked(session: Session, key: str) -> Game:
    """Return the table `key` with its seats, held until the transaction ends.

    Raises:
        NoSuchTableError: there is none.
    """
    game = session.scalars(
        select(Game).where(Game.key == key).options(selectinload(Game.seats)).with_for_update()
    ).one_or_none()
    if game is None:
        raise NoSuchTableError
    return game


def own_seat(game: Game, user_id: int | None) -> Seat | None:
    """Return the seat of `user_id` at `game`."""
    if user_id is None:
        return None
    return next((seat for seat in game.seats if seat.user_id == user_id), None)


def locked_with_seat(session: Session, key: str, user_id: int) -> tuple[Game, Seat]:
    """Return the table `key`, held, and the seat that `user_id` has at it.

    Raises:
        NoSuchTableError: there is none at which this person sits.
    """
    game = locked(session, key)
    seat = own_seat(game, user_id)
    if seat is None:
        raise NoSuchTableError
    return game, seat


class _Inviting(Protocol):
    """What counts of a table, or of its row, for who may come."""

    id: int
    key_invites: bool
    invitation: str | None


def check_invited(
    session: Session, game: Game | _Inviting, user_id: int | None, token: str | None
) -> None:
    """See that somebody who has no seat at `game`, which waits, may look at it and sit down.

    They need the invitation with `token`, or the key where that invites.

    Raises:
        SentAwayError: the host has removed this person.
        NoSuchTableError: they are not invited, or not any more.
    """
    if user_id is not None and session.get(Removal, (game.id, user_id)) is not None:
        raise SentAwayError
    if not game.key_invites and (token is None or token != game.invitation):
        raise NoSuchTableError


def level_playing(seat: Seat) -> str | None:
    """Return the level of the bot that plays for `seat`; None while its person does."""
    return seat.bot or (STAND_IN if seat.stand_in else None)


def is_free(seat: Seat) -> bool:
    """Whether nobody has the seat, person or bot."""
    return seat.user_id is None and seat.bot is None


def persons(game: Game) -> list[Seat]:
    """Return the seats that people have, also those whose people have left."""
    return [seat for seat in game.seats if seat.user_id is not None]


def is_for_people(game: Game) -> bool:
    """Whether others were ever asked to this table, be they gone by now; else it has bots only."""
    if game.host_id is not None or game.begun_code is not None:
        return True
    return sum(seat.bot is None for seat in game.seats) > 1


def somebody_plays(game: Game) -> bool:
    """Whether any person plays for themselves; where nobody does, the match waits."""
    return any(not seat.stand_in for seat in persons(game))


def take_back(session: Session, seat: Seat) -> None:
    """Within an open transaction, let the person who has a seat play for themselves.

    If a stand-in did, the seat is to be had by no link any more.
    """
    if seat.stand_in or seat.left:
        session.execute(
            delete(SeatOffer).where(
                SeatOffer.game_id == seat.game_id, SeatOffer.seat == seat.number
            )
        )
    seat.stand_in = seat.left = False
    seat.missed = 0


def pass_host_on(game: Game, among: Iterable[Seat] | None = None) -> None:
    """Make the next person clockwise from the host's seat the host.

    Args:
        game: the table; nobody is its host any more when nobody can be.
        among: the seats to choose from; without it those of all who have not left.
    """
    old = own_seat(game, game.host_id)
    after = old.number if old else 0
    able = [
        seat
        for seat in (persons(game) if among is None else among)
        if seat is not old and not seat.left
    ]
    following = sorted(able, key=lambda seat: (seat.number < after, seat.number))
    game.host_id = following[0].user_id if following else None


def name_person(game: Game, seat: Seat, user: User) -> None:
    """Give a seat of `game` the name that its person, `user`, carries there.

    Where strangers meet, guests carry a name from our list and not one that they typed. So does,
    everywhere, a person whose name looks like one of the program's own: some were chosen before
    those were refused. A name that looks like another one at the table has a number after it.
    """
    name = user.shown_name
    among_strangers = game.is_public and user.is_guest and not names.is_from_list(name)
    if among_strangers or names.poses_as_program(name):
        name = names.guest_name()
    seat.name = names.told_apart(name, _other_names(game, seat))


def name_former_player(game: Game, seat: Seat) -> None:
    """Give a seat of `game` the name that stands there for somebody who has gone for good."""
    seat.name = names.told_apart(names.FORMER_PLAYER, _other_names(game, seat))


def _other_names(game: Game, seat: Seat) -> list[str]:
    return [other.name for other in game.seats if other is not seat]


def name_bots(game: Game) -> None:
    """Name each bot by its level, numbered where a level sits twice."""
    bots = [seat for seat in game.seats if seat.bot is not None and seat.user_id is None]
    for seat, name in zip(bots, bot_names([str(seat.bot) for seat in bots]), strict=True):
        seat.name = name


def bot_names(levels: Iterable[str]) -> list[str]:
    """Return a name for each bot of these levels.

    >>> bot_names(["steady", "easy", "steady"])
    ['Steady 1', 'Easy', 'Steady 2']

    Raises:
        ValueError: there is no such level.
    """
    levels = list(levels)
    copies = Counter(levels)
    met: Counter[str] = Counter()
    found = []
    for level in levels:
        met[level] += 1
        title = level_named(level).title
        found.append(f"{title} {met[level]}" if copies[level] > 1 else title)
    return found
