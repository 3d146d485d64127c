"""Leaving in mid-match, coming back, and going on without somebody who has vanished.

A seat stays its person's until the match ends: what changes is who plays for it.
"""

from __future__ import annotations

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from raisesum import wording
from raisesum.models import Agreement, Game, Seat
from raisesum.services import clock, pace, presence, seating, seats, server_time
from raisesum.services.errors import NotBegunError, ServiceError, TableClosedError
from raisesum.services.table import PLAYING, WAITING
from raisesum.services.transactions import write_transaction


class AloneError(ServiceError):
    """Somebody would leave a match in which only bots play besides them, so that it would wait."""

    def __init__(self) -> None:
        super().__init__(
            "Only bots play here besides you, so there is nobody to leave the match to. "
            "It waits for you, or you can give it up."
        )


def leave(user_id: int, key: str, bot_delay_ms: int) -> None:
    """Leave a match: a stand-in plays on. Leaving twice is harmless.

    Raises:
        NoSuchTableError: there is no table `key` at which this person sits.
        NotBegunError: it waits; `services.seating` knows what leaving means then.
        TableClosedError: the match is over.
        AloneError: nobody else but bots plays here.
    """
    with write_transaction() as session:
        game, seat = _in_play(session, key, user_id)
        if seat.left:
            return
        if seats.persons(game) == [seat]:
            raise AloneError
        seat.left = True
        stand_in(game, seat, bot_delay_ms)
        if seat.user_id == game.host_id:
            seats.pass_host_on(game)


def come_back(user_id: int, key: str, bot_delay_ms: int) -> None:
    """Take one's seat back from the stand-in, at any time; harmless if none plays.

    Raises: as `leave`.
    """
    with write_transaction() as session:
        game, seat = _in_play(session, key, user_id)
        if not (seat.stand_in or seat.left):
            return
        seats.take_back(session, seat)
        if game.host_id is None and len(seats.persons(game)) > 1:
            game.host_id = user_id
        _changed(game, seat, bot_delay_ms)
        session.flush()
        presence.note_in(session, game.id, user_id)


def agree(user_id: int, key: str, absent: int, bot_delay_ms: int) -> bool:
    """Agree that a stand-in plays for the person in seat `absent`, who is away.

    Once all who are present agree, it does.

    Returns:
        Whether a stand-in plays there now.

    Raises:
        ServiceError: that seat's person is not away, or the clock takes care of it.
        NoSuchTableError, NotBegunError, TableClosedError: as `leave`.
    """
    with write_transaction() as session:
        game, own = _in_play(session, key, user_id)
        seat = next((seat for seat in game.seats if seat.number == absent), None)
        if seat is None or seat is own or seat.user_id is None:
            raise ServiceError("No other person has this seat.")
        if seat.stand_in:
            return True
        if game.pace_s is not None:
            raise ServiceError("Turns have a time limit here, which takes care of that.")
        last_seen = presence.last_seen(session, game.id)
        now = server_time.now_ms()
        seen_at = last_seen.get(seat.user_id)
        if presence.status(seen_at, now) != presence.AWAY:
            name = wording.isolated(seat.name)
            raise ServiceError(f"{name} has been here within the last five minutes.")
        _agree(session, game, absent, own.number, now)
        agreed = set(
            session.scalars(
                select(Agreement.by).where(
                    Agreement.game_id == game.id,
                    Agreement.absent == absent,
                    Agreement.at > (seen_at or 0),
                )
            )
        )
        asked = {
            each.number
            for each in seats.persons(game)
            if each is not seat
            and not each.stand_in
            and presence.status(last_seen.get(each.user_id or 0), now) == presence.HERE
        }
        if asked - agreed:
            game.revision += 1
            return False
        session.execute(
            delete(Agreement).where(Agreement.game_id == game.id, Agreement.absent == absent)
        )
        stand_in(game, seat, bot_delay_ms)
        return True


def leave_for_good(session: Session, user_id: int) -> None:
    """Within an open transaction, take somebody who is being deleted from all open tables.

    Where a match goes on, a bot has the seat from now on; at a table that waits it is free.
    """
    games = session.scalars(
        select(Game)
        .join(Seat)
        .where(Seat.user_id == user_id, Game.status.in_((WAITING, PLAYING)))
        .order_by(Game.id)
        .with_for_update(of=Game)
    ).all()
    for game in games:
        seat = seats.own_seat(game, user_id)
        if seat is None:
            continue
        if game.status == WAITING:
            seating.free(session, game, seat)
            continue
        if seat.user_id == game.host_id:
            seats.pass_host_on(game)
        seat.user_id = None
        seats.name_former_player(game, seat)
        seat.bot = seats.STAND_IN
        seat.stand_in = seat.left = False
        _changed(game, seat, bot_delay_ms=0)
    session.flush()


def _in_play(session: Session, key: str, user_id: int) -> tuple[Game, Seat]:
    game, seat = seats.locked_with_seat(session, key, user_id)
    if game.status == WAITING:
        raise NotBegunError
    if game.status != PLAYING:
        raise TableClosedError
    return game, seat


def stand_in(game: Game, seat: Seat, bot_delay_ms: int) -> None:
    """Within an open transaction, let a bot play for a person from now on."""
    seat.stand_in = True
    seat.missed = 0
    _changed(game, seat, bot_delay_ms)


def _changed(game: Game, seat: Seat, bot_delay_ms: int) -> None:
    pace.control_changed(game, seat, server_time.now_ms(), bot_delay_ms)
    game.revision += 1
    game.updated_at = clock.now_ms()


def _agree(session: Session, game: Game, absent: int, by: int, now: int) -> None:
    row = session.get(Agreement, (game.id, absent, by))
    if row is None:
        session.add(Agreement(game_id=game.id, absent=absent, by=by, at=now))
    else:
        row.at = now
    session.flush()
