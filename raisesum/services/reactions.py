"""Saying something at the table: ten short phrases, and no others.

People can say them before the match, during it and after it.  Anyone can mute a person for
themselves.  A reaction is visible to all, so it changes the table's revision, but it is no move:
the version stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from sqlalchemy import delete, func, or_, select, update
from sqlalchemy.orm import Session

from raisesum.extensions import db
from raisesum.models import Game, Mute, Reaction
from raisesum.services import server_time
from raisesum.services.errors import ServiceError
from raisesum.services.seats import locked_with_seat, persons
from raisesum.services.transactions import write_transaction

PHRASES: Final[Mapping[str, str]] = {
    "hello": "Hello!",
    "ready": "Good luck!",
    "well": "Well played!",
    "wow": "Wow!",
    "close": "That was close!",
    "ouch": "Ouch!",
    "think": "Let me think…",
    "lucky": "Lucky draw!",
    "thanks": "Thank you!",
    "bye": "Good game!",
}

MOST_IN_A_ROW = 4
WITHIN_MS = 20_000
_KEPT = 20


class TooManyReactionsError(ServiceError):
    """Somebody reacts faster than anyone can read."""

    def __init__(self) -> None:
        super().__init__("That was a lot at once. Wait a moment before you say more.")


@dataclass(frozen=True)
class Said:
    """A phrase said from a seat; `number` counts the table's reactions."""

    number: int
    seat: int
    text: str


def say(user_id: int, key: str, phrase: str) -> None:
    """Say one of `PHRASES` at the table `key`.

    Raises:
        NoSuchTableError: there is no such table at which this person sits.
        TooManyReactionsError: this person has said much just now.
        ServiceError: there is no such phrase.
    """
    if phrase not in PHRASES:
        raise ServiceError("There is no such phrase.")
    with write_transaction() as session:
        game, seat = locked_with_seat(session, key, user_id)
        now = server_time.now_ms()
        lately = select(func.count()).where(
            Reaction.game_id == game.id,
            Reaction.seat == seat.number,
            Reaction.at > now - WITHIN_MS,
        )
        if session.scalars(lately).one() >= MOST_IN_A_ROW:
            raise TooManyReactionsError
        number = last_number(session, game.id) + 1
        session.add(
            Reaction(
                game_id=game.id,
                number=number,
                seat=seat.number,
                phrase=phrase,
                version=game.version,
                at=now,
            )
        )
        session.execute(
            delete(Reaction).where(Reaction.game_id == game.id, Reaction.number <= number - _KEPT)
        )
        game.revision += 1


def forget_said(session: Session, game: Game, seats: Iterable[int]) -> None:
    """Within an open transaction, empty what was said from `seats`: other people will have them.

    The rows stay, because their numbers tell pages what they have shown.
    """
    session.execute(
        update(Reaction)
        .where(Reaction.game_id == game.id, Reaction.seat.in_(list(seats)))
        .values(phrase="")
    )


def set_muted(user_id: int, key: str, seat_number: int, muted: bool) -> None:
    """Hide from this person what the person in a seat says, or show it again.

    Raises:
        NoSuchTableError: there is no such table at which this person sits.
        ServiceError: nobody else has that seat.
    """
    with write_transaction() as session:
        game, own = locked_with_seat(session, key, user_id)
        seat = next((seat for seat in persons(game) if seat.number == seat_number), None)
        if seat is None or seat is own:
            raise ServiceError("Nobody else has this seat.")
        row = session.get(Mute, (game.id, user_id, seat.user_id))
        if muted and row is None:
            session.add(Mute(game_id=game.id, user_id=user_id, muted_id=seat.user_id))
        elif not muted and row is not None:
            session.delete(row)


def carry_mutes(session: Session, old: Game, new: Game) -> None:
    """Within an open transaction, mute at `new` whoever is muted at `old`."""
    rows = session.scalars(select(Mute).where(Mute.game_id == old.id)).all()
    session.add_all(
        Mute(game_id=new.id, user_id=row.user_id, muted_id=row.muted_id) for row in rows
    )


def hand_over_mutes(session: Session, guest_id: int, account_id: int) -> None:
    """Within an open transaction, make a guest's mutes, and those of the guest, the account's."""
    rows = session.scalars(
        select(Mute).where(or_(Mute.user_id == guest_id, Mute.muted_id == guest_id))
    ).all()
    for row in rows:
        user_id, muted_id = (
            account_id if each == guest_id else each for each in (row.user_id, row.muted_id)
        )
        if user_id != muted_id and session.get(Mute, (row.game_id, user_id, muted_id)) is None:
            session.add(Mute(game_id=row.game_id, user_id=user_id, muted_id=muted_id))


def muted_by(game: Game, user_id: int | None) -> frozenset[int]:
    """Return the seats of the people whom this person has muted."""
    if user_id is None:
        return frozenset()
    muted = set(
        db.session.scalars(
            select(Mute.muted_id).where(Mute.game_id == game.id, Mute.user_id == user_id)
        )
    )
    return frozenset(seat.number for seat in game.seats if seat.user_id in muted)


def last_number(session: Session, game_id: int) -> int:
    """Return the number of the last thing said at a table; 0 if nothing was."""
    return (
        session.scalar(
            select(func.coalesce(func.max(Reaction.number), 0)).where(Reaction.game_id == game_id)
        )
        or 0
    )


def said_lately(game: Game, muted: frozenset[int]) -> tuple[Said, ...]:
    """Return the last thing said from each seat, until as many moves have followed as it has."""
    rows = db.session.scalars(
        select(Reaction)
        .where(Reaction.game_id == game.id, Reaction.version > game.version - len(game.seats))
        .order_by(Reaction.number)
    ).all()
    latest = {row.seat: row for row in rows if row.seat not in muted}
    return tuple(
        Said(row.number, row.seat, PHRASES[row.phrase])
        for row in sorted(latest.values(), key=lambda row: row.number)
        if row.phrase in PHRASES
    )
