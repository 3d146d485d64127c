"""How many tables a person may have open at once."""

from __future__ import annotations

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from raisesum.models import Game, Seat, User
from raisesum.services.errors import ServiceError
from raisesum.services.table import FINISHED, GIVEN_UP

MOST_OPEN = 20


class TooManyTablesError(ServiceError):
    """The person sits at as many open tables as one may."""

    def __init__(self) -> None:
        super().__init__(
            f"You are at {MOST_OPEN} tables that are still open, and more are not possible at "
            "once. Finish one of them, give one up or leave one first."
        )


def check_open_tables(session: Session, user_id: int) -> None:
    """Within an open transaction, see that the person may sit down at one more table.

    Raises:
        TooManyTablesError: they may not.
    """
    # Two requests of one person at once wait for each other here, or both would find room.
    session.execute(select(User.id).where(User.id == user_id).with_for_update())
    open_tables = session.scalar(
        select(func.count())
        .select_from(Seat)
        .join(Game)
        .where(
            Seat.user_id == user_id,
            Seat.left.is_(False),
            Game.status.not_in((FINISHED, GIVEN_UP)),
        )
    )
    if (open_tables or 0) >= MOST_OPEN:
        raise TooManyTablesError
