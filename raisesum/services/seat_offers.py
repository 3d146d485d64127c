"""A seat for somebody: a link by which another person can have a seat of a match, once.

People can give their own seat away. The host can offer one whose person is away, and one that a bot
plays for; where nobody hosts, all players who are there have to agree to that. A bot keeps the seat
warm until the link is used, or until the seat's person comes back. Whoever makes a link learns
nothing of the seat's hand, and nobody who has sat at the match can have another seat there, since
they know cards of the first.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from sqlalchemy import delete, func, or_, select
from sqlalchemy.orm import Session, selectinload

from raisesum.extensions import db
from raisesum.models import (
    Agreement,
    Game,
    OfferAgreement,
    Presence,
    Removal,
    Seat,
    SeatChange,
    SeatOffer,
    User,
)
from raisesum.services import (
    absence,
    clock,
    pace,
    presence,
    reactions,
    seats,
    server_time,
    signins,
)
from raisesum.services.errors import (
    NoSuchTableError,
    NotBegunError,
    PersonGoneError,
    SentAwayError,
    ServiceError,
    TableClosedError,
)
from raisesum.services.open_tables import check_open_tables
from raisesum.services.table import PLAYING, WAITING
from raisesum.services.transactions import write_transaction


class OfferEndedError(ServiceError):
    """The link leads to no seat, or not any more."""

    def __init__(self) -> None:
        super().__init__(
            "This link has been used or withdrawn, its match is over, or the player came back. "
            "Ask for a new one."
        )


class HasSatHereError(ServiceError):
    """The person has a seat at the match, or had another one."""

    def __init__(self) -> None:
        super().__init__(
            "You have sat at this table, so you know some of its cards. "
            "This seat is for somebody who does not."
        )


@dataclass(frozen=True)
class OfferableSeat:
    """A seat that the viewer may offer.

    Attributes:
        number: the seat's.
        name: what it is called at the table.
        is_own: whether it is the viewer's.
        is_bots: whether no person has it.
        has_link: whether a link to it can be used now.
        has_agreed: whether the viewer has agreed to offer it; they are always asked themselves.
        missing: the names of the others who have to agree and have not.
    """

    number: int
    name: str
    is_own: bool
    is_bots: bool
    has_link: bool
    has_agreed: bool
    missing: tuple[str, ...]


@dataclass(frozen=True)
class OfferedSeat:
    """What somebody who opens a link learns: which seat, at a table of whom."""

    key: str
    name: str
    others: tuple[str, ...]
    is_public: bool
    has_sat_here: bool


@dataclass(frozen=True)
class LostSeat:
    """Why somebody has lost their seat: whether they gave it away, and who has it now."""

    by_owner: bool
    name: str


def offerable(user_id: int, key: str) -> list[OfferableSeat]:
    """Return the seats that this person may offer at the table `key`, their own first.

    Raises:
        NoSuchTableError: there is no such table at which this person sits.
        NotBegunError, TableClosedError: its match does not go on.
    """
    game = db.session.scalars(
        select(Game).where(Game.key == key).options(selectinload(Game.seats))
    ).one_or_none()
    own = None if game is None else seats.own_seat(game, user_id)
    if game is None or own is None:
        raise NoSuchTableError
    _check_goes_on(game)
    session = db.session()
    last_seen, now = presence.last_seen(session, game.id), server_time.now_ms()
    offers = session.scalars(select(SeatOffer).where(SeatOffer.game_id == game.id)).all()
    found = []
    for seat in sorted(game.seats, key=lambda each: (each is not own, each.number)):
        if not _may_be_offered(game, own, seat, last_seen, now):
            continue
        missing = _missing(session, game, own, seat, last_seen, now)
        found.append(
            OfferableSeat(
                number=seat.number,
                name=seat.name,
                is_own=seat is own,
                is_bots=seat.user_id is None,
                has_link=any(each.seat == seat.number and _is_good(seat, each) for each in offers),
                has_agreed=own not in missing,
                missing=tuple(each.name for each in missing if each is not own),
            )
        )
    return found


def offer(user_id: int, key: str, number: int, bot_delay_ms: int) -> str | None:
    """Offer seat `number` by a new link and return its token; one that there was before ends.

    From now on a stand-in plays for a person who is away. Where nobody hosts, this is the person's
    consent, and the answer is None until all who are there have given theirs.

    Raises:
        ServiceError: this person may not offer that seat.
        NoSuchTableError, NotBegunError, TableClosedError: as `offerable`.
    """
    token = secrets.token_urlsafe(32)
    with write_transaction() as session:
        game, own = seats.locked_with_seat(session, key, user_id)
        _check_goes_on(game)
        seat = next((each for each in game.seats if each.number == number), None)
        last_seen, now = presence.last_seen(session, game.id), server_time.now_ms()
        if seat is None or not _may_be_offered(game, own, seat, last_seen, now):
            raise ServiceError("This seat cannot be offered: its player is here, or back again.")
        if not _decides(game, own, seat):
            _agree(session, game, number, user_id, now)
        if _missing(session, game, own, seat, last_seen, now):
            return None
        _withdraw(session, game, number)
        session.add(
            SeatOffer(
                game_id=game.id,
                seat=number,
                token_hash=signins.token_hash(token),
                user_id=user_id,
                at=now,
            )
        )
        if seat is not own and seat.user_id is not None and not seat.stand_in:
            absence.stand_in(game, seat, bot_delay_ms)
    return token


def withdraw(user_id: int, key: str, number: int) -> None:
    """End the link to seat `number`, if there is one that this person could have made.

    Raises: as `offer`.
    """
    with write_transaction() as session:
        game, own = seats.locked_with_seat(session, key, user_id)
        _check_goes_on(game)
        seat = next((each for each in game.seats if each.number == number), None)
        last_seen, now = presence.last_seen(session, game.id), server_time.now_ms()
        if seat is None or not _may_be_offered(game, own, seat, last_seen, now):
            raise ServiceError("This seat is not yours to offer.")
        _withdraw(session, game, number)


def seat_behind(token: str, user_id: int | None) -> OfferedSeat:
    """Return which seat a link offers, for somebody who may not be signed in; a look uses nothing.

    Raises:
        OfferEndedError: it offers none.
    """
    session = db.session()
    found = session.scalars(
        select(SeatOffer).where(SeatOffer.token_hash == signins.token_hash(token))
    ).one_or_none()
    game = None if found is None else session.get(Game, found.game_id)
    if found is None or game is None:
        raise OfferEndedError
    seat = _seat_offered(game, found)
    return OfferedSeat(
        key=game.key,
        name=seat.name,
        others=tuple(each.name for each in game.seats if each is not seat),
        is_public=game.is_public,
        has_sat_here=user_id is not None and _has_sat_here(session, game, user_id, seat),
    )


def take(user_id: int, token: str, bot_delay_ms: int) -> str:
    """Give the seat that a link offers to this person, use the link up, and return the table's key.

    Raises:
        OfferEndedError: it offers none.
        HasSatHereError: the person has a seat at this match, or had another one.
        SentAwayError: the host has removed the person from the table.
        TooManyTablesError: the person is at as many open tables as one may.
        ServiceError: the person is gone.
    """
    token_hash = signins.token_hash(token)
    with write_transaction() as session:
        game_id = session.scalars(
            select(SeatOffer.game_id).where(SeatOffer.token_hash == token_hash)
        ).one_or_none()
        # The table first, as everybody does who changes it; the link may be gone by then.
        game = None if game_id is None else session.get(Game, game_id, with_for_update=True)
        found = session.scalars(
            select(SeatOffer).where(SeatOffer.token_hash == token_hash)
        ).one_or_none()
        if game is None or found is None:
            raise OfferEndedError
        seat = _seat_offered(game, found)
        user = session.get(User, user_id)
        if user is None:
            raise PersonGoneError
        if _has_sat_here(session, game, user_id, seat):
            raise HasSatHereError
        if session.get(Removal, (game.id, user_id)) is not None:
            raise SentAwayError
        check_open_tables(session, user_id)
        by_owner = found.user_id == seat.user_id
        _withdraw(session, game, seat.number)
        _hand_on(session, game, seat, user, bot_delay_ms, by_owner=by_owner)
        return game.key


def lost_seat(user_id: int | None, key: str) -> LostSeat | None:
    """Return why this person has no seat at the table `key` any more, if they once had one.

    Only while the match goes on: afterwards everybody may look back at it.
    """
    if user_id is None:
        return None
    change = db.session.scalars(
        select(SeatChange)
        .join(Game, Game.id == SeatChange.game_id)
        .where(Game.key == key, Game.status == PLAYING, SeatChange.former_id == user_id)
        .order_by(SeatChange.number.desc())
    ).first()
    if change is None:
        return None
    name = select(Seat.name).where(Seat.game_id == change.game_id, Seat.number == change.seat)
    return LostSeat(change.by_owner, db.session.scalar(name) or "")


def _check_goes_on(game: Game) -> None:
    if game.status == WAITING:
        raise NotBegunError
    if game.status != PLAYING:
        raise TableClosedError


def _may_be_offered(game: Game, own: Seat, seat: Seat, last_seen: dict[int, int], now: int) -> bool:
    if seat is own:
        return True
    if game.invitation is None and len(seats.persons(game)) == 1:
        # A match against bots: its others were never anybody's.
        return False
    if not _waits_for_somebody(seat) and not _is_away(seat, last_seen, now):
        return False
    return game.host_id == own.user_id or not _has_host(game, last_seen, now)


def _waits_for_somebody(seat: Seat) -> bool:
    """Whether a bot plays for the seat, and keeps it warm."""
    return seats.level_playing(seat) is not None


def _is_away(seat: Seat, last_seen: dict[int, int], now: int) -> bool:
    return presence.status(last_seen.get(seat.user_id or 0), now) == presence.AWAY


def _has_host(game: Game, last_seen: dict[int, int], now: int) -> bool:
    host = seats.own_seat(game, game.host_id)
    return host is not None and not host.stand_in and not _is_away(host, last_seen, now)


def _decides(game: Game, own: Seat, seat: Seat) -> bool:
    """Whether the person in `own` need not ask anybody before they offer `seat`."""
    return seat is own or game.host_id == own.user_id


def _agree(session: Session, game: Game, number: int, user_id: int, now: int) -> None:
    row = session.get(OfferAgreement, (game.id, number, user_id))
    if row is None:
        session.add(OfferAgreement(game_id=game.id, seat=number, user_id=user_id, at=now))
    else:
        row.at = now
    session.flush()


def _missing(
    session: Session, game: Game, own: Seat, seat: Seat, last_seen: dict[int, int], now: int
) -> list[Seat]:
    """Return the seats of those whose consent is needed to offer `seat`, and missing."""
    if _decides(game, own, seat):
        return []
    since = last_seen.get(seat.user_id or 0, 0)
    agreed = set(
        session.scalars(
            select(OfferAgreement.user_id).where(
                OfferAgreement.game_id == game.id,
                OfferAgreement.seat == seat.number,
                OfferAgreement.at > (since if not _waits_for_somebody(seat) else 0),
            )
        )
    )
    return [
        each
        for each in seats.persons(game)
        if each is own
        or (
            each is not seat
            and not each.stand_in
            and presence.status(last_seen.get(each.user_id or 0), now) == presence.HERE
        )
        if each.user_id not in agreed
    ]


def _is_good(seat: Seat, found: SeatOffer) -> bool:
    """Whether a link to `seat` can be used: its person made it, or a bot plays there."""
    return found.user_id == seat.user_id or _waits_for_somebody(seat)


def _seat_offered(game: Game, found: SeatOffer) -> Seat:
    seat = next((each for each in game.seats if each.number == found.seat), None)
    if seat is None or game.status != PLAYING or not _is_good(seat, found):
        raise OfferEndedError
    return seat


def _has_sat_here(session: Session, game: Game, user_id: int, offered: Seat) -> bool:
    """Whether the person has a seat, or had another one than that which is offered."""
    if seats.own_seat(game, user_id) is not None:
        return True
    former = select(SeatChange.number).where(
        SeatChange.game_id == game.id,
        SeatChange.former_id == user_id,
        SeatChange.seat != offered.number,
    )
    return session.scalar(former.limit(1)) is not None


def _withdraw(session: Session, game: Game, number: int) -> None:
    session.execute(delete(SeatOffer).where(SeatOffer.game_id == game.id, SeatOffer.seat == number))


def _hand_on(
    session: Session, game: Game, seat: Seat, user: User, bot_delay_ms: int, *, by_owner: bool
) -> None:
    former_id, former_name = seat.user_id, seat.name
    played_itself = _waits_for_somebody(seat)
    changes = session.scalar(
        select(func.count()).select_from(SeatChange).where(SeatChange.game_id == game.id)
    )
    session.add(
        SeatChange(
            game_id=game.id,
            number=(changes or 0) + 1,
            seat=seat.number,
            version=game.version,
            former_id=former_id,
            former_name=former_name,
            by_owner=by_owner,
            at=clock.now_ms(),
        )
    )
    if former_id is not None and game.host_id == former_id:
        seats.pass_host_on(game)
    seat.user_id = user.id
    seat.bot = None
    seat.stand_in = seat.left = False
    seat.missed = 0
    seats.name_person(game, seat, user)
    if game.host_id is None and len(seats.persons(game)) > 1:
        game.host_id = user.id
    if played_itself:
        pace.control_changed(game, seat, server_time.now_ms(), bot_delay_ms)
    game.revision += 1
    game.updated_at = clock.now_ms()
    session.flush()
    reactions.forget_said(session, game, [seat.number])
    # What people agreed to was about the one who had the seat.
    for rows in (
        delete(Presence).where(Presence.game_id == game.id, Presence.user_id == former_id),
        delete(Agreement).where(
            Agreement.game_id == game.id,
            or_(Agreement.absent == seat.number, Agreement.by == seat.number),
        ),
        delete(OfferAgreement).where(
            OfferAgreement.game_id == game.id,
            or_(OfferAgreement.seat == seat.number, OfferAgreement.user_id == former_id),
        ),
    ):
        session.execute(rows)
    presence.note_in(session, game.id, user.id)
