"""A table before its match: who may come, what is set, and the start.

Seats fill as people sit down (`services.seating`). The host decides: settings, bots, the start.
A table that waits is known to whoever has its link; what they may do there is another matter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session, selectinload

from raisesum.bots import LEVELS
from raisesum.extensions import db
from raisesum.models import Game, Presence, Removal, Seat, User
from raisesum.services import (
    clock,
    invitations,
    presence,
    reactions,
    seats,
    server_time,
    table_settings,
)
from raisesum.services.dealing import deal, new_table
from raisesum.services.errors import (
    BegunError,
    NoSuchTableError,
    NotHostError,
    PersonGoneError,
    ServiceError,
)
from raisesum.services.open_tables import check_open_tables
from raisesum.services.refusals import RefusedError
from raisesum.services.table import WAITING, SeatPerson, people
from raisesum.services.table_settings import TableSettings
from raisesum.services.transactions import write_transaction


@dataclass(frozen=True)
class Room:
    """A table that waits, as one person sees it.

    Attributes:
        key: its name in addresses.
        revision: counts everything visible.
        code: the six letters that lead here.
        invitation: the token of the link that leads here.
        settings: what the host has decided.
        people: who sits where; a free seat has an empty name.
        kept_for: the number of a free seat, and the name of whoever had it in the match of which
            this is to be the rematch, and has not come yet.
        is_seated: whether the viewer sits here.
        is_host: whether the viewer decides here.
        said: the reactions to be shown.
        last_said: the number of the last reaction, whether the viewer sees it or not.
    """

    key: str
    revision: int
    code: str
    invitation: str
    settings: TableSettings
    people: tuple[SeatPerson, ...]
    kept_for: Mapping[int, str]
    is_seated: bool
    is_host: bool
    said: tuple[reactions.Said, ...]
    last_said: int

    @property
    def host(self) -> SeatPerson | None:
        """The person who decides."""
        return next((person for person in self.people if person.is_host), None)

    @property
    def free_seats(self) -> int:
        """How many seats nobody has."""
        return sum(is_free(person) for person in self.people)


@dataclass(frozen=True)
class PublicTable:
    """A table in the list of those that anybody may join."""

    invitation: str
    host: str
    settings: TableSettings
    taken: int
    free_seats: int


def is_free(person: SeatPerson) -> bool:
    """Whether nobody has this seat."""
    return not person.name


def create(user_id: int, settings: TableSettings, bots: Sequence[str] = ()) -> str:
    """Set a table, sit down at it as its host, and return its key.

    Args:
        user_id: the host.
        settings: what is decided for now.
        bots: the levels of bots that take the last seats at once.

    Raises:
        RefusedError: a value is not possible.
        TooManyTablesError: the person is at as many open tables as one may.
        ServiceError: the person is gone.
    """
    setup = settings.checked()
    if len(bots) >= settings.seats:
        raise RefusedError("Leave at least the seat you sit on.", "bots")
    if any(level not in LEVELS for level in bots):
        raise RefusedError("Choose a level for the bots.", "bot_level")
    first_bot = settings.seats - len(bots) + 1
    with write_transaction() as session:
        user = session.get(User, user_id)
        if user is None:
            raise PersonGoneError
        check_open_tables(session, user_id)
        places = [Seat(number=number, name="") for number in range(1, settings.seats + 1)]
        for number, level in enumerate(bots, first_bot):
            places[number - 1].bot = level
        places[0].user_id = user_id
        game = new_table(session, setup, places)
        table_settings.store(game, settings)
        seats.name_person(game, places[0], user)
        seats.name_bots(game)
        game.host_id = user_id
        invitations.renew(session, game)
        presence.note_in(session, game.id, user_id)
        return game.key


def room_for(user_id: int | None, key: str, token: str | None = None) -> Room:
    """Return the table `key` as `user_id` sees it, or somebody who is not signed in.

    `token` is that of the invitation they have, if they came by one.

    Raises:
        NoSuchTableError: there is none to which this person is invited.
        SentAwayError: the host has removed this person from it.
        BegunError: it does not wait any more.
    """
    game = db.session.scalars(
        select(Game).where(Game.key == key).options(selectinload(Game.seats))
    ).one_or_none()
    if game is None:
        raise NoSuchTableError
    if game.status != WAITING:
        raise BegunError
    is_seated = seats.own_seat(game, user_id) is not None
    if not is_seated:
        seats.check_invited(db.session(), game, user_id, token)
    last_seen = presence.last_seen(db.session(), game.id)
    is_shared = len(seats.persons(game)) > 1
    muted = reactions.muted_by(game, user_id) if is_shared else frozenset()
    return Room(
        key=game.key,
        revision=game.revision,
        code=game.code or "",
        invitation=game.invitation or "",
        settings=table_settings.read(game),
        people=people(game, user_id, last_seen, server_time.now_ms(), muted),
        kept_for=_kept_for(game),
        is_seated=is_seated,
        is_host=user_id is not None and game.host_id == user_id,
        said=reactions.said_lately(game, muted) if is_shared else (),
        last_said=reactions.last_number(db.session(), game.id) if is_shared else 0,
    )


def _kept_for(game: Game) -> dict[int, str]:
    before = db.session.scalars(
        select(Game).where(Game.rematch_id == game.id).options(selectinload(Game.seats))
    ).one_or_none()
    if before is None or len(before.seats) != len(game.seats):
        return {}
    have_come = {seat.user_id for seat in seats.persons(game)}
    return {
        new.number: old.name
        for old, new in zip(before.seats, game.seats, strict=True)
        if seats.is_free(new) and old.user_id is not None and old.user_id not in have_come
    }


def my_rooms(user_id: int, most: int) -> list[Room]:
    """Return the waiting tables at which this person sits, the latest first."""
    keys = db.session.scalars(
        select(Game.key)
        .join(Seat)
        .where(Seat.user_id == user_id, Game.status == WAITING)
        .order_by(Game.updated_at.desc(), Game.id.desc())
        .limit(most)
    ).all()
    return [room_for(user_id, key) for key in keys]


def public_tables(user_id: int | None, most: int, skip: int = 0) -> list[PublicTable]:
    """Return public tables with a free seat where somebody has been of late, the latest first.

    A host is in the list once, with the latest table that can be joined: so nobody fills it. Tables
    at which this person sits, or may not sit, are left out.

    Args:
        user_id: who looks, if signed in.
        most: how many to return.
        skip: how many to leave out before those.
    """
    seen_since = server_time.now_ms() - presence.AWAY_MS
    place = func.row_number().over(
        partition_by=Game.host_id, order_by=(Game.created_at.desc(), Game.id.desc())
    )
    joinable = (
        select(Game.id, place.label("place"))
        .where(
            Game.status == WAITING,
            Game.is_public.is_(True),
            select(Seat.number)
            .where(Seat.game_id == Game.id, Seat.user_id.is_(None), Seat.bot.is_(None))
            .exists(),
            select(Presence.user_id)
            .where(Presence.game_id == Game.id, Presence.seen_at >= seen_since)
            .exists(),
        )
        .subquery()
    )
    query = (
        select(Game)
        .join(joinable, joinable.c.id == Game.id)
        .where(joinable.c.place == 1)
        .order_by(Game.created_at.desc(), Game.id.desc())
        .offset(skip)
        .limit(most)
        .options(selectinload(Game.seats))
    )
    if user_id is not None:
        query = query.where(
            ~select(Seat.number).where(Seat.game_id == Game.id, Seat.user_id == user_id).exists(),
            ~select(Removal.user_id)
            .where(Removal.game_id == Game.id, Removal.user_id == user_id)
            .exists(),
        )
    found = []
    for game in db.session.scalars(query):
        host = seats.own_seat(game, game.host_id)
        free = sum(map(seats.is_free, game.seats))
        found.append(
            PublicTable(
                invitation=game.invitation or "",
                host=host.name if host else "",
                settings=table_settings.read(game),
                taken=len(game.seats) - free,
                free_seats=free,
            )
        )
    return found


def change(user_id: int, key: str, settings: TableSettings) -> None:
    """Set the table anew.

    Raises:
        NoSuchTableError: there is none at which this person sits.
        BegunError: its match has begun.
        NotHostError: somebody else decides here.
        RefusedError: a value is not possible, or more people sit here than there would be seats.
    """
    settings.checked()
    with write_transaction() as session:
        game = host_order(session, key, user_id)
        was_public = game.is_public
        _resize(session, game, settings.seats)
        table_settings.store(game, settings)
        if was_public != settings.is_public:
            for seat in seats.persons(game):
                seats.name_person(game, seat, session.get_one(User, seat.user_id))
        changed(game)


def seat_bot(user_id: int, key: str, number: int, level: str | None) -> None:
    """Give a free seat to a bot of `level`, or take it from a bot (None).

    Raises:
        ServiceError: there is no such seat or level, or a person has the seat.
        NoSuchTableError, BegunError, NotHostError: as `change`.
    """
    if level is not None and level not in LEVELS:
        raise RefusedError("Choose a level for the bot.", "level")
    with write_transaction() as session:
        game = host_order(session, key, user_id)
        seat = next((seat for seat in game.seats if seat.number == number), None)
        if seat is None or seat.user_id is not None:
            raise ServiceError("Somebody has taken that seat meanwhile.")
        seat.bot = level
        seat.name = ""
        seats.name_bots(game)
        changed(game)


def start(user_id: int, key: str, bot_delay_ms: int) -> None:
    """Begin the match; bots take the seats that are still free. Starting twice is harmless.

    Raises:
        NoSuchTableError: there is no table `key` at which this person sits.
        NotHostError: somebody else decides here.
    """
    with write_transaction() as session:
        try:
            game = host_order(session, key, user_id)
        except BegunError:
            return
        begin(session, game, bot_delay_ms)


def begin(session: Session, game: Game, bot_delay_ms: int) -> None:
    """Within an open transaction, seat bots where nobody sits, and deal."""
    for seat in game.seats:
        if seats.is_free(seat):
            seat.bot = game.bot_level
    seats.name_bots(game)
    deal(session, game, table_settings.read(game).checked(), bot_delay_ms)
    game.revision += 1


def take_over_from_absent_host(user_id: int, key: str) -> None:
    """Make the next person who is there the host, if the host has been away for long.

    Nothing happens unless `user_id` sits at this waiting table.
    """
    with write_transaction() as session:
        game = seats.locked(session, key)
        if game.status != WAITING or seats.own_seat(game, user_id) is None:
            return
        last_seen = presence.last_seen(session, game.id)
        now = server_time.now_ms()
        here = [
            seat
            for seat in seats.persons(game)
            if seat.user_id == user_id
            or presence.status(last_seen.get(seat.user_id or 0), now) == presence.HERE
        ]
        host = last_seen.get(game.host_id or 0)
        if game.host_id != user_id and presence.status(host, now) == presence.AWAY:
            seats.pass_host_on(game, among=here)
            changed(game)


def host_order(session: Session, key: str, user_id: int) -> Game:
    """Return the waiting table `key`, held, for its host.

    Raises: as `change`.
    """
    game, _seat = seats.locked_with_seat(session, key, user_id)
    if game.status != WAITING:
        raise BegunError
    if game.host_id != user_id:
        raise NotHostError
    return game


def changed(game: Game) -> None:
    """Note that something visible about a waiting table has changed."""
    game.revision += 1
    game.updated_at = clock.now_ms()


def _resize(session: Session, game: Game, wanted: int) -> None:
    """Give the table `wanted` seats: free ones go first, then bots, people never."""
    spare = sorted(
        (seat for seat in game.seats if seat.user_id is None),
        key=lambda seat: (seat.bot is None, seat.number),
    )
    if len(game.seats) - len(spare) > wanted:
        raise RefusedError("More people sit here than that. Somebody would have to leave.", "seats")
    kept = list(game.seats)
    while len(kept) > wanted:
        kept.remove(spare.pop())
    for seat in game.seats:
        if seat not in kept:
            session.delete(seat)
    session.flush()
    if [seat.number for seat in kept] != list(range(1, len(kept) + 1)):
        reactions.forget_said(session, game, [seat.number for seat in game.seats])
    # The numbers close up: one after the other, since no two may be equal in between.
    for number, seat in enumerate(kept, 1):
        if seat.number != number:
            seat.number = number
            session.flush()
    session.expire(game, ["seats"])
    for number in range(len(kept) + 1, wanted + 1):
        game.seats.append(Seat(number=number, name=""))
    session.flush()
    seats.name_bots(game)
