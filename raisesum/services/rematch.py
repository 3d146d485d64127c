"""The same people and settings once more: one press each.

Against bots the match begins at once. Where others sat, the first press sets a table that waits,
with a seat kept for each of them; it begins when the last has pressed, or when its host says so,
and bots then have the seats of those who did not. The winner's left neighbour opens.
"""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session, selectinload

from raisesum.engine import Setup, load_setup
from raisesum.models import Game, Seat
from raisesum.services import invitations, reactions, seating, seats, waiting
from raisesum.services.dealing import new_table
from raisesum.services.errors import MatchGoesOnError, NotBegunError, RematchBegunError
from raisesum.services.open_tables import check_open_tables
from raisesum.services.table import PLAYING, WAITING
from raisesum.services.transactions import write_transaction


def press(user_id: int, key: str, bot_delay_ms: int) -> str:
    """Ask for a rematch of table `key`, and return the key of the new table.

    After a match without a winner the seed draws who opens. When all seats of the new table were
    taken meanwhile, or its match has begun and others may watch, the answer is its key all the
    same.

    Raises:
        NoSuchTableError: there is no table `key` at which this person sits.
        NotBegunError, MatchGoesOnError: it has not ended.
        RematchBegunError: the others have begun the new match without this person.
        SentAwayError: the host of the new table has removed this person from it.
        TooManyTablesError: the person is at as many open tables as one may.
    """
    with write_transaction() as session:
        old, own = seats.locked_with_seat(session, key, user_id)
        if old.status == WAITING:
            raise NotBegunError
        if old.status == PLAYING:
            raise MatchGoesOnError
        new = _begun(session, old)
        if new is None:
            check_open_tables(session, user_id)
            new = _set_table(session, old)
            reactions.carry_mutes(session, old, new)
            new.host_id = user_id
            seating.take(session, new, new.seats[own.number - 1], user_id)
        elif seats.own_seat(new, user_id) is not None:
            pass
        elif new.status != WAITING:
            if not new.spectators:
                raise RematchBegunError
        else:
            seating.check_not_removed(session, new, user_id)
            check_open_tables(session, user_id)
            wanted = [seat for seat in new.seats if seat.number == own.number]
            seat = next(filter(seats.is_free, [*wanted, *new.seats]), None)
            if seat is not None:
                seating.take(session, new, seat, user_id)
        if new.status == WAITING and _all_there(old, new):
            if len(seats.persons(new)) == 1:
                # Nobody else was ever asked to this table.
                new.host_id = new.code = new.invitation = None
            waiting.begin(session, new, bot_delay_ms)
        return new.key


def _begun(session: Session, old: Game) -> Game | None:
    if old.rematch_id is None:
        return None
    return session.scalars(
        select(Game)
        .where(Game.id == old.rematch_id)
        .options(selectinload(Game.seats))
        .with_for_update()
    ).one_or_none()


def _set_table(session: Session, old: Game) -> Game:
    agreed = load_setup(old.setup)
    first = None if old.winner is None else old.winner % agreed.players + 1
    setup = Setup(agreed.players, agreed.deck, agreed.goal, first)
    places = [
        # A former player's seat stays free, like those of the people who have yet to press.
        Seat(number=seat.number, bot=seat.bot if seat.user_id is None else None, name="")
        for seat in old.seats
    ]
    new = new_table(session, setup, places)
    seats.name_bots(new)
    # Not listed, so that no stranger takes the seat of somebody who is about to press.
    new.is_public = False
    new.pace_s, new.spectators, new.bot_level = old.pace_s, old.spectators, old.bot_level
    new.help, new.hints, new.deck_name = old.help, old.hints, old.deck_name
    invitations.renew(session, new)
    old.rematch_id = new.id
    old.revision += 1
    return new


def _all_there(old: Game, new: Game) -> bool:
    there = {seat.user_id for seat in seats.persons(new)}
    return all(seat.user_id in there for seat in seats.persons(old))
