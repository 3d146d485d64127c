"""Saying something at the table: ten short phrases, and no others.

Anyone can mute a seat for themselves.  A reaction is visible to all, so it changes the table's
revision, but it is no move: the version stays as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from sqlalchemy import delete, func, select

from raisesum.extensions import db
from raisesum.models import Game, Mute, Reaction
from raisesum.services import server_time
from raisesum.services.errors import NotBegunError, ServiceError
from raisesum.services.seats import locked_with_seat
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
        NotBegunError: the table waits for people.
        TooManyReactionsError: this person has said much just now.
        ServiceError: there is no such phrase.
    """
    if phrase not in PHRASES:
        raise ServiceError("There is no such phrase.")
    with write_transaction() as session:
        game, seat = locked_with_seat(session, key, user_id)
        if not game.state:
            raise NotBegunError
        now = server_time.now_ms()
        lately = select(func.count()).where(
            Reaction.game_id == game.id,
            Reaction.seat == seat.number,
            Reaction.at > now - WITHIN_MS,
        )
        if session.scalars(lately).one() >= MOST_IN_A_ROW:
            raise TooManyReactionsError
        last = session.scalars(
            select(func.max(Reaction.number)).where(Reaction.game_id == game.id)
        ).one()
        number = (last or 0) + 1
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


def set_muted(user_id: int, key: str, seat_number: int, muted: bool) -> None:
    """Hide from this person what is said from a seat, or show it again.

    Raises:
        NoSuchTableError: there is no such table at which this person sits.
        ServiceError: there is no such seat.
    """
    with write_transaction() as session:
        game, _own = locked_with_seat(session, key, user_id)
        if seat_number not in {seat.number for seat in game.seats}:
            raise ServiceError("There is no such seat.")
        row = session.get(Mute, (game.id, user_id, seat_number))
        if muted and row is None:
            session.add(Mute(game_id=game.id, user_id=user_id, seat=seat_number))
        elif not muted and row is not None:
            session.delete(row)


def muted_by(game_id: int, user_id: int | None) -> frozenset[int]:
    """Return the seats whose reactions this person does not want to see."""
    if user_id is None:
        return frozenset()
    rows = db.session.scalars(
        select(Mute.seat).where(Mute.game_id == game_id, Mute.user_id == user_id)
    )
    return frozenset(rows)


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
