"""Tables in lists, and those that one person sets for a match against bots."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import and_, select
from sqlalchemy.orm import Session, selectinload

from raisesum import wording
from raisesum.bots import LEVELS
from raisesum.engine import (
    OFFICIAL_DECKS,
    Setup,
    View,
    dump_setup,
    load_state,
    parse_deck,
    view_for,
)
from raisesum.extensions import db
from raisesum.models import Action, Game, Seat, User
from raisesum.services import help as table_help
from raisesum.services import presence, server_time
from raisesum.services.dealing import deal, new_table
from raisesum.services.errors import PersonGoneError, ServiceError
from raisesum.services.help import Help
from raisesum.services.open_tables import check_open_tables
from raisesum.services.seats import bot_names, name_person, own_seat
from raisesum.services.table import PLAYING, SeatPerson, people
from raisesum.services.transactions import write_transaction

MOST_BOTS = 3

#: What "Play now" starts.
PLAY_NOW_BOTS = ("steady", "easy")

#: Against bots alone there are hints, unless somebody does not want them.
PRACTICE_HELP = Help(hints=True)

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

    @property
    def is_my_turn(self) -> bool:
        """Whether the match waits for this person, and no stand-in plays for them."""
        return (
            self.status == PLAYING
            and self.view.is_my_turn
            and not self.people[self.view.turn - 1].plays_itself
        )

    @property
    def is_practice(self) -> bool:
        """Whether nobody else sits at this table but bots, so that leaving it costs nobody."""
        return all(each.is_you or each.bot is not None for each in self.people)

    @property
    def you(self) -> SeatPerson:
        """The place of the person whose list it is."""
        return next(person for person in self.people if person.is_you)

    @property
    def others_are_away(self) -> bool:
        """Whether the match waits for a person, and none of the others is there."""
        others = [each for each in self.people if each.bot is None and not each.is_you]
        mover = self.people[self.view.turn - 1]
        return (
            self.status == PLAYING
            and not mover.plays_itself
            and all(each.presence == presence.AWAY for each in others)
        )

    @property
    def nobody_plays(self) -> bool:
        """Whether every person has gone, so that the match waits for one to come back."""
        return self.status == PLAYING and all(person.plays_itself for person in self.people)


def start_practice(
    user_id: int,
    levels: Iterable[str],
    *,
    deck: str = "full",
    goal: int = 3,
    first: int | None = None,
    help_: Help = PRACTICE_HELP,
    deck_name: str = "",
    reuse: bool = False,
    bot_delay_ms: int,
) -> str:
    """Start a match of this person, in seat 1, against bots; return the table's key.

    Args:
        user_id: the person.
        levels: the level of each bot, in the order of the seats from 2 on.
        deck: as records write it.
        goal: the points that win.
        first: the seat that opens, or None to have it drawn.
        help_: how much the table works out for this person.
        deck_name: what a deck of one's own is called.
        reuse: whether a match of the same settings in which this person has done nothing yet will
            do as well.
        bot_delay_ms: how long bots take.

    Raises:
        ServiceError: a value is not possible, or the person is gone.
    """
    levels = tuple(levels)
    if not 1 <= len(levels) <= MOST_BOTS:
        raise ServiceError(f"Choose one to {MOST_BOTS} bots.")
    help_.check()
    try:
        setup = Setup(1 + len(levels), parse_deck(deck), goal, first)
        names = bot_names(levels)
    except ValueError as error:
        raise ServiceError(wording.ended(f"This table cannot be set: {error}")) from None
    with write_transaction() as session:
        # Held, so that two presses at once do not begin two matches.
        user = session.get(User, user_id, with_for_update=True)
        if user is None:
            raise PersonGoneError
        untouched = _untouched(session, user_id, setup, levels, help_) if reuse else None
        if untouched is not None:
            return untouched
        check_open_tables(session, user_id)
        own = Seat(number=1, user_id=user.id, bot=None, name="")
        bots = [
            Seat(number=number, user_id=None, bot=level, name=name)
            for number, (level, name) in enumerate(zip(levels, names, strict=True), 2)
        ]
        game = new_table(session, setup, [own, *bots])
        name_person(game, own, user)
        table_help.store(game, help_)
        game.deck_name = deck_name or None
        deal(session, game, setup, bot_delay_ms)
        return game.key


def _untouched(
    session: Session, user_id: int, setup: Setup, levels: tuple[str, ...], help_: Help
) -> str | None:
    games = session.scalars(
        select(Game)
        .join(Seat)
        .where(
            Seat.user_id == user_id,
            Seat.left.is_(False),
            Game.status == PLAYING,
            Game.host_id.is_(None),
            Game.setup == dump_setup(setup),
            ~select(Action.number)
            .where(Action.game_id == Game.id, Action.seat == Seat.number)
            .exists(),
        )
        .order_by(Game.id.desc())
        .options(selectinload(Game.seats))
    )
    for game in games:
        bots = tuple(seat.bot for seat in game.seats if seat.bot is not None)
        if bots == levels and table_help.read(game) == help_:
            return game.key
    return None


def play_now(user_id: int, bot_delay_ms: int, *, reuse: bool = False) -> str:
    """Start a match against two bots with the full deck; return the table's key.

    `reuse` is as for `start_practice`.
    """
    return start_practice(user_id, PLAY_NOW_BOTS, reuse=reuse, bot_delay_ms=bot_delay_ms)


def my_tables(user_id: int, status: Iterable[str], most: int) -> list[TableSummary]:
    """Return this person's tables that are in one of the states `status`, the latest first.

    Matches that go on without the person, who has left, come last.
    """
    games = db.session.scalars(
        select(Game)
        .join(Seat)
        .where(Seat.user_id == user_id, Game.status.in_(tuple(status)))
        .order_by(and_(Seat.left, Game.status == PLAYING), Game.updated_at.desc(), Game.id.desc())
        .limit(most)
        .options(selectinload(Game.seats))
    ).all()
    return [_summary(game, seat, user_id) for game in games if (seat := own_seat(game, user_id))]


def keys_due(user_id: int, most: int) -> list[str]:
    """Return the keys of this person's tables at which something is due by now."""
    rows = db.session.scalars(
        select(Game.key)
        .join(Seat)
        .where(
            Seat.user_id == user_id,
            Game.status == PLAYING,
            Game.due_at <= server_time.now_ms(),
        )
        .order_by(Game.due_at)
        .limit(most)
    )
    return list(rows)


def _summary(game: Game, seat: Seat, user_id: int) -> TableSummary:
    now = server_time.now_ms()
    last_seen = presence.last_seen(db.session(), game.id)
    return TableSummary(
        game.key,
        game.status,
        game.updated_at,
        view_for(load_state(game.state), seat.number),
        people(game, user_id, last_seen, now),
    )
