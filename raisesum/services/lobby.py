"""Tables before and after a match: starting one, playing again, and one's own."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session, selectinload

from raisesum.bots import LEVELS, level_named
from raisesum.engine import (
    OFFICIAL_DECKS,
    Setup,
    View,
    dump_events,
    dump_setup,
    dump_state,
    load_setup,
    load_state,
    new_match,
    parse_deck,
    view_for,
)
from raisesum.extensions import db
from raisesum.models import Action, Game, Seat, User
from raisesum.services.clock import now_ms
from raisesum.services.errors import MatchGoesOnError, NoSuchTableError, ServiceError
from raisesum.services.play import due_after
from raisesum.services.table import PLAYING, SeatPerson, own_seat, people
from raisesum.services.transactions import write_transaction

SEED_BITS = 128
KEY_BYTES = 16
MOST_BOTS = 3

#: What "Play now" starts.
PLAY_NOW_BOTS = ("steady", "easy")

#: What a table can choose from; custom decks are written out instead.
DECKS = tuple(OFFICIAL_DECKS)
BOT_LEVELS = tuple(LEVELS.values())


@dataclass(frozen=True)
class TableSummary:
    """A table in a list of one's own: enough to see whose turn it is.

    `view` is what this person sees of the match; `status` is as in `Table`.
    """

    key: str
    status: str
    updated_at: int
    view: View
    people: tuple[SeatPerson, ...]


def start_practice(
    user_id: int,
    levels: Iterable[str],
    *,
    deck: str = "full",
    goal: int = 3,
    first: int | None = None,
    bot_delay_ms: int,
) -> str:
    """Start a match of this person, in seat 1, against bots; return the table's key.

    Args:
        user_id: the person.
        levels: the level of each bot, in the order of the seats from 2 on.
        deck: as records write it.
        goal: the points that win.
        first: the seat that opens, or None to have it drawn.
        bot_delay_ms: how long bots take.

    Raises:
        ServiceError: a value is not possible, or the person is gone.
    """
    levels = tuple(levels)
    if not 1 <= len(levels) <= MOST_BOTS:
        raise ServiceError(f"Choose one to {MOST_BOTS} bots.")
    try:
        setup = Setup(1 + len(levels), parse_deck(deck), goal, first)
        names = _bot_names(levels)
    except ValueError as error:
        raise ServiceError(f"This table cannot be set: {error}.") from None
    with write_transaction() as session:
        user = session.get(User, user_id)
        if user is None:
            raise ServiceError("You are not signed in any more.")
        seats = [Seat(number=1, user_id=user.id, bot=None, name=user.shown_name)]
        seats += [
            Seat(number=number, user_id=None, bot=level, name=name)
            for number, (level, name) in enumerate(zip(levels, names, strict=True), 2)
        ]
        return _start(session, setup, seats, bot_delay_ms).key


def play_now(user_id: int, bot_delay_ms: int) -> str:
    """Start a match against two bots with the full deck; return the table's key."""
    return start_practice(user_id, PLAY_NOW_BOTS, bot_delay_ms=bot_delay_ms)


def rematch(user_id: int, key: str, bot_delay_ms: int) -> str:
    """Start the same match once more, or find the one already started; return its key.

    The winner's left neighbour opens; after a match without a winner the seed draws who does.

    Raises:
        NoSuchTableError: there is no table `key` at which this person sits.
        MatchGoesOnError: it has not ended.
    """
    with write_transaction() as session:
        game = session.scalars(select(Game).where(Game.key == key).with_for_update()).one_or_none()
        if game is None or own_seat(game, user_id) is None:
            raise NoSuchTableError
        if game.status == PLAYING:
            raise MatchGoesOnError
        if game.rematch_id is not None:
            return session.scalars(select(Game.key).where(Game.id == game.rematch_id)).one()
        old = load_setup(game.setup)
        first = None if game.winner is None else game.winner % old.players + 1
        seats = [
            Seat(number=seat.number, user_id=seat.user_id, bot=seat.bot, name=seat.name)
            for seat in game.seats
        ]
        setup = Setup(old.players, old.deck, old.goal, first)
        new = _start(session, setup, seats, bot_delay_ms)
        game.rematch_id = new.id
        game.revision += 1
        return new.key


def my_tables(user_id: int, status: Iterable[str], most: int) -> list[TableSummary]:
    """Return this person's tables that are in one of the states `status`, the latest first."""
    games = db.session.scalars(
        select(Game)
        .join(Seat)
        .where(Seat.user_id == user_id, Game.status.in_(tuple(status)))
        .order_by(Game.updated_at.desc(), Game.id.desc())
        .limit(most)
        .options(selectinload(Game.seats))
    ).all()
    return [
        TableSummary(
            game.key,
            game.status,
            game.updated_at,
            view_for(load_state(game.state), seat.number),
            people(game, user_id),
        )
        for game in games
        if (seat := own_seat(game, user_id))
    ]


def _start(session: Session, setup: Setup, seats: list[Seat], bot_delay_ms: int) -> Game:
    now = now_ms()
    step = new_match(setup, secrets.randbits(SEED_BITS))
    bots = {seat.number for seat in seats if seat.bot}
    game = Game(
        key=secrets.token_urlsafe(KEY_BYTES),
        created_at=now,
        updated_at=now,
        status=PLAYING,
        version=0,
        revision=0,
        setup=dump_setup(setup),
        state=dump_state(step.state),
        due_at=due_after(step.state, bots, now, bot_delay_ms),
        seats=seats,
    )
    session.add(game)
    session.flush()
    session.add(
        Action(
            game_id=game.id, number=0, seat=None, action="", events=dump_events(step.events), at=now
        )
    )
    return game


def _bot_names(levels: tuple[str, ...]) -> list[str]:
    """Name each bot by its level, numbered where a level sits twice."""
    copies = Counter(levels)
    met: Counter[str] = Counter()
    names = []
    for level in levels:
        met[level] += 1
        title = level_named(level).title
        names.append(f"{title} {met[level]}" if copies[level] > 1 else title)
    return names
