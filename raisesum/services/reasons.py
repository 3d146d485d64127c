"""Why bots did what they did, told once their match is over.

A bot's reason is made while it decides and kept beside its action (`services.play`).  It rests on
cards that others may not see, so it goes to nobody while the match goes on, and afterwards to
whoever may see the replay with all hands open.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from sqlalchemy import select

from raisesum.bots import level_named, parse_reason
from raisesum.bots.sentences import sentence
from raisesum.extensions import db
from raisesum.models import Action, Seat
from raisesum.services import history
from raisesum.services.seats import STAND_IN


@dataclass(frozen=True)
class Reasoner:
    """A bot that had a seat, or the stand-ins of the person who had it.

    Attributes:
        seat: the number of the seat.
        name: as the table shows it.
        level: what the bot's level is called.
        policy: how such bots play, in one line.
        is_stand_in: whether the seat is a person's.
    """

    seat: int
    name: str
    level: str
    policy: str
    is_stand_in: bool


@dataclass(frozen=True)
class Reasons:
    """What the bots of a finished match had in mind.

    Attributes:
        reasoners: who gave reasons, in the order of the seats.
        sentences: the reason of each action that has one, by the number of the action.
    """

    reasoners: tuple[Reasoner, ...]
    sentences: Mapping[int, str]


#: Those of a match in which no bot has kept any.
NO_REASONS: Final = Reasons((), {})


def reasons_for(user_id: int | None, key: str) -> Reasons:
    """Return the reasons of the bots in the finished match at table `key`.

    What is stored of a reason that no bot of today would give is left out.

    Raises: as `history.record_for`.
    """
    game = history.finished_for(user_id, key)
    rows = db.session.execute(
        select(Action.number, Action.seat, Action.reason)
        .where(Action.game_id == game.id, Action.reason.is_not(None))
        .order_by(Action.number)
    ).all()
    sentences = {number: text for number, _, reason in rows if (text := told(reason))}
    seats = {seat for number, seat, _ in rows if number in sentences}
    return Reasons(tuple(_reasoner(seat) for seat in game.seats if seat.number in seats), sentences)


def told(reason: str | None) -> str | None:
    """Return a stored reason in words; None where there is none, or none of today's bots'."""
    if reason is None:
        return None
    try:
        return sentence(parse_reason(reason))
    except ValueError:
        return None


def _reasoner(seat: Seat) -> Reasoner:
    level = level_named(seat.bot or STAND_IN)
    return Reasoner(seat.number, seat.name, level.title, level.policy, is_stand_in=seat.bot is None)
