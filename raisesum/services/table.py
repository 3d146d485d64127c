"""A table as one person sees it, loaded whole: all that a page about a match is made from.

Somebody who does not sit there may watch where the host allows it; they see what everybody may
know.  Every other table does not exist for them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from sqlalchemy import and_, select
from sqlalchemy.orm import aliased, selectinload

from raisesum.bots import level_named
from raisesum.engine import EventView, View, load_events, load_state, view_event, view_for
from raisesum.extensions import db
from raisesum.models import Action, Agreement, Game, Presence, Seat, SeatChange
from raisesum.services import help as table_help
from raisesum.services import presence, reactions, server_time
from raisesum.services.errors import NoSuchTableError, NotBegunError
from raisesum.services.help import NO_GUESSES, USUAL_HELP, Guesses, Help, Tells
from raisesum.services.seats import check_invited, level_playing, persons
from raisesum.services.seats import own_seat as own_seat

#: How many of the latest actions a table's log goes back; after the end it is whole.
LOG_LENGTH = 40

WAITING = "waiting"
PLAYING = "playing"
FINISHED = "finished"
GIVEN_UP = "given_up"

#: What stands in a mark of presence, beside what `presence.status` says.
LEFT, STOOD_IN, NOBODY = "left", "stood in for", "-"


@dataclass(frozen=True)
class SeatPerson:
    """Who sits in a seat.

    Attributes:
        number: the seat's.
        name: as the table shows it.
        bot: the level of a bot that has the seat, or None for a person.
        is_you: whether the viewer has it.
        stand_in: whether a bot plays for the person who has it.
        left: whether the person has left.
        missed: how many turns in a row ran out of time.
        presence: `here`, `quiet` (for a minute) or `away`; empty for bots.
        is_host: whether the person is the host.
        is_muted: whether the viewer has muted the person.
        policy: how bots of this level play, in one line; empty for a person.
        took_from: what the seat was called before this person took it in mid-match; mostly nothing.
    """

    number: int
    name: str
    bot: str | None
    is_you: bool
    stand_in: bool = False
    left: bool = False
    missed: int = 0
    presence: str = ""
    is_host: bool = False
    is_muted: bool = False
    policy: str = ""
    took_from: str = ""

    @property
    def plays_itself(self) -> bool:
        """Whether no person moves for this seat now."""
        return self.bot is not None or self.stand_in


@dataclass(frozen=True)
class LogEntry:
    """One action's events, as the viewer may see them; `at_ms` is when it happened.

    `by_clock` says that nobody chose it, but time had run out.
    """

    number: int
    at_ms: int
    events: tuple[EventView, ...]
    by_clock: bool = False


@dataclass(frozen=True)
class Change:
    """From the move after `version` on, another person has had `seat`; before, `former_name`."""

    seat: int
    version: int
    former_name: str


@dataclass(frozen=True)
class Table:
    """A match with the people around it, as one of them sees it.

    Attributes:
        key: its name in addresses.
        version: counts moves; a form carries it back.
        revision: counts everything visible; a poll carries it back.
        status: `playing`, `finished` or `given_up`.
        view: the match, as far as the viewer may know it.
        people: who sits where, in the order of the seats.
        log: the latest actions, newest last.
        rematch_key: the table of the rematch, once somebody wants one.
        rematch_waits: whether it has not begun yet.
        rematch_pressed: the seats of those who want it.
        rematch_mark: changes with everything visible about the rematch; empty without one.
        presence_mark: a letter for each seat says who is there: h(ere), q(uiet), a(way), l(eft) or
            s(tood in for), and - where no person is. It can change without the revision.
        pace_s: seconds for a turn, or None for all the time there is.
        left_ms: what the player on turn has left of it, or None when no time runs.
        ends_at: when that time ends, in server time, or None when no time runs.
        graced: whether that is extra time, because the connection of the player was lost.
        spectators: whether whoever has the link may watch.
        said: the reactions to be shown.
        agreed: for each absent seat, those who want a stand-in to play for it.
        help: how much the table works out for the players.
        guesses: what the viewer has said that their plays would score.
        deck_name: what a deck of somebody's own is called, or nothing.
        changes: the seats that other people have had before, in the order in which they changed.
        has_replay: whether the match is over and the viewer may see it again.
        has_reasons: whether the match is over and its bots can be asked why they played that way.
    """

    key: str
    version: int
    revision: int
    status: str
    view: View
    people: tuple[SeatPerson, ...]
    log: tuple[LogEntry, ...]
    rematch_key: str | None = None
    rematch_waits: bool = False
    rematch_pressed: tuple[int, ...] = ()
    rematch_mark: str = ""
    presence_mark: str = ""
    pace_s: int | None = None
    left_ms: int | None = None
    ends_at: int | None = None
    graced: bool = False
    spectators: bool = False
    said: tuple[reactions.Said, ...] = ()
    agreed: tuple[tuple[int, frozenset[int]], ...] = ()
    help: Help = USUAL_HELP
    guesses: Guesses = NO_GUESSES
    deck_name: str = ""
    has_replay: bool = False
    has_reasons: bool = False
    changes: tuple[Change, ...] = ()

    @property
    def is_playing(self) -> bool:
        """Whether the match still goes on."""
        return self.status == PLAYING

    @property
    def you(self) -> SeatPerson | None:
        """The viewer's place; None for a spectator."""
        return next((person for person in self.people if person.is_you), None)

    @property
    def is_spectator(self) -> bool:
        """Whether the viewer only watches."""
        return self.you is None

    @property
    def practice(self) -> bool:
        """Whether the viewer sits here and nobody else does but bots."""
        return not self.is_spectator and all(person.is_you or person.bot for person in self.people)

    @property
    def is_my_turn(self) -> bool:
        """Whether the match waits for the viewer, and no stand-in plays for them."""
        return self.is_playing and self.view.is_my_turn and not self._mover.plays_itself

    @property
    def can_hint(self) -> bool:
        """Whether the viewer may ask for a hint now."""
        return self.tells.plays and self.is_playing and self.view.can_move

    @property
    def tells(self) -> Tells:
        """What the viewer may be told before a play."""
        return self.help.tells(alone=self.practice)

    @property
    def can_beat(self) -> bool:
        """Whether the viewer could make some play now."""
        return self.is_playing and self.view.can_beat

    @property
    def waiting_on_bots(self) -> bool:
        """Whether the next to act is a bot, be it one that stands in, and does so by itself."""
        return self.is_playing and self._mover.plays_itself and not self.nobody_plays

    @property
    def nobody_plays(self) -> bool:
        """Whether every person here has gone, so that the match waits for one to come back."""
        return self.is_playing and all(person.plays_itself for person in self.people)

    @property
    def can_skip(self) -> bool:
        """Whether the viewer may let the bots go on without a pause."""
        return self.practice and self.waiting_on_bots

    @property
    def absent(self) -> tuple[SeatPerson, ...]:
        """Those for whom the others may agree on a stand-in: away, where no clock helps."""
        if not self.is_playing or self.is_spectator or self.pace_s is not None:
            return ()
        return tuple(
            person
            for person in self.people
            if person.presence == presence.AWAY and not person.is_you and not person.plays_itself
        )

    @property
    def _mover(self) -> SeatPerson:
        return self.people[self.view.turn - 1]


@dataclass(frozen=True)
class Pulse:
    """The little that a poll needs to know of a table.

    Attributes:
        game_id: the number of its row.
        status: as in `Table`, or `waiting`.
        revision: counts everything visible.
        due_at: when something is due there, in server time, or None.
        presence_mark: as in `Table`.
        rematch_mark: as in `Table`.
        is_seated: whether the viewer sits there.
        seen_at: when the viewer was last noted as being there; None for never.
    """

    game_id: int
    status: str
    revision: int
    due_at: int | None
    presence_mark: str
    rematch_mark: str
    is_seated: bool
    seen_at: int | None


def table_for(user_id: int | None, key: str) -> Table:
    """Return the table named `key` as `user_id` sees it, or somebody who is not signed in.

    Raises:
        NoSuchTableError: there is none that this person may see.
        NotBegunError: the table waits for people.
    """
    game = db.session.scalars(
        select(Game).where(Game.key == key).options(selectinload(Game.seats))
    ).one_or_none()
    if game is None:
        raise NoSuchTableError
    if game.status == WAITING:
        raise NotBegunError
    seat = own_seat(game, user_id)
    if seat is None and not game.spectators:
        raise NoSuchTableError
    viewer = None if seat is None else seat.number
    now = server_time.now_ms()
    is_shared = len(persons(game)) > 1 or viewer is None
    last_seen = presence.last_seen(db.session(), game.id) if is_shared else {}
    muted = reactions.muted_by(game, user_id) if is_shared else frozenset()
    rematch = _rematch(game)
    state = load_state(game.state)
    changes = changes_of(game)
    took_from = {change.seat: change.former_name for change in changes}
    mover_waits = level_playing(game.seats[state.turn - 1]) is None
    return Table(
        key=game.key,
        version=game.version,
        revision=game.revision,
        status=game.status,
        view=view_for(state, viewer),
        people=tuple(
            replace(person, took_from=took_from.get(person.number, ""))
            for person in people(game, user_id, last_seen, now, muted)
        ),
        log=_log(game, viewer),
        rematch_key=rematch.key if rematch else None,
        rematch_waits=rematch is not None and rematch.status == WAITING,
        rematch_pressed=_sitting_at_both(game, rematch),
        rematch_mark=_rematch_mark(
            None if rematch is None else rematch.status,
            None if rematch is None else rematch.revision,
        ),
        presence_mark=_mark(
            (
                (each.user_id, last_seen.get(each.user_id or 0), each.left, each.stand_in)
                for each in game.seats
            ),
            user_id,
            now,
        ),
        pace_s=game.pace_s,
        left_ms=max(0, game.due_at - now) if game.due_at is not None and mover_waits else None,
        ends_at=game.due_at if mover_waits else None,
        graced=game.graced,
        spectators=game.spectators,
        said=reactions.said_lately(game, muted) if is_shared else (),
        agreed=_agreed(game, last_seen) if is_shared else (),
        help=table_help.read(game),
        guesses=NO_GUESSES
        if viewer is None or game.help != table_help.HEAD
        else table_help.guesses_of(
            db.session(),
            game.id,
            viewer,
            since=max((each.version for each in changes if each.seat == viewer), default=0),
        ),
        deck_name=game.deck_name or "",
        has_replay=game.status == FINISHED or (game.status == GIVEN_UP and viewer is not None),
        has_reasons=game.status == FINISHED and _has_reasons(game),
        changes=changes,
    )


def pulse(user_id: int | None, key: str, token: str | None = None) -> Pulse:
    """Return the little that a poll of a table needs to know: one read.

    `token` is that of the invitation by which somebody came, if they did.

    Raises:
        NoSuchTableError: there is none that this person may see.
        SentAwayError: it waits, and the host has removed this person from it.
    """
    rematch = aliased(Game)
    rows = db.session.execute(
        select(
            Game.id,
            Game.status,
            Game.revision,
            Game.due_at,
            Game.spectators,
            Game.key_invites,
            Game.invitation,
            Seat.user_id,
            Seat.left,
            Seat.stand_in,
            Presence.seen_at,
            rematch.status.label("rematch_status"),
            rematch.revision.label("rematch_revision"),
        )
        .join(Seat, Seat.game_id == Game.id)
        .outerjoin(Presence, and_(Presence.game_id == Game.id, Presence.user_id == Seat.user_id))
        .outerjoin(rematch, rematch.id == Game.rematch_id)
        .where(Game.key == key)
        .order_by(Seat.number)
    ).all()
    if not rows:
        raise NoSuchTableError
    game = rows[0]
    own = next((row for row in rows if user_id is not None and row.user_id == user_id), None)
    if own is None:
        if game.status == WAITING:
            check_invited(db.session(), game, user_id, token)
        elif not game.spectators:
            raise NoSuchTableError
    return Pulse(
        game_id=game.id,
        status=game.status,
        revision=game.revision,
        due_at=game.due_at,
        presence_mark=_mark(
            ((row.user_id, row.seen_at, row.left, row.stand_in) for row in rows),
            user_id,
            server_time.now_ms(),
        ),
        rematch_mark=_rematch_mark(game.rematch_status, game.rematch_revision),
        is_seated=own is not None,
        seen_at=None if own is None else own.seen_at,
    )


def people(
    game: Game,
    user_id: int | None,
    last_seen: Mapping[int, int],
    now: int,
    muted: frozenset[int] = frozenset(),
) -> tuple[SeatPerson, ...]:
    """Return who sits at `game`, in the order of the seats, as `user_id` sees them.

    Args:
        game: the table.
        user_id: the viewer, if signed in.
        last_seen: when each person was last seen, as `presence.last_seen` has it.
        now: server time.
        muted: the seats that the viewer has muted.
    """
    return tuple(
        SeatPerson(
            number=seat.number,
            name=seat.name,
            bot=seat.bot,
            is_you=seat.user_id is not None and seat.user_id == user_id,
            stand_in=seat.stand_in,
            left=seat.left,
            missed=seat.missed,
            presence=_presence(seat.user_id, last_seen.get(seat.user_id or 0), user_id, now),
            is_host=seat.user_id is not None and seat.user_id == game.host_id,
            is_muted=seat.number in muted,
            policy=level_named(seat.bot).policy if seat.bot is not None else "",
        )
        for seat in game.seats
    )


def _presence(who: int | None, seen_at: int | None, viewer: int | None, now: int) -> str:
    if who is None:
        return ""
    # Whoever looks is there.
    return presence.HERE if who == viewer else presence.status(seen_at, now)


def _mark(
    seats: Iterable[tuple[int | None, int | None, bool, bool]], viewer: int | None, now: int
) -> str:
    words = (
        LEFT if left else STOOD_IN if stand_in else _presence(who, seen_at, viewer, now)
        for who, seen_at, left, stand_in in seats
    )
    return "".join((word or NOBODY)[0] for word in words)


def _log(game: Game, viewer: int | None) -> tuple[LogEntry, ...]:
    first = game.version - LOG_LENGTH + 1 if game.status == PLAYING else 0
    rows = db.session.execute(
        select(Action.number, Action.at, Action.events, Action.by_clock)
        .where(Action.game_id == game.id, Action.number >= first)
        .order_by(Action.number)
    ).all()
    return tuple(
        LogEntry(
            row.number,
            row.at,
            tuple(view_event(event, viewer) for event in load_events(row.events)),
            row.by_clock,
        )
        for row in rows
    )


def changes_of(game: Game) -> tuple[Change, ...]:
    """Return which seats of `game` have changed hands, in the order in which they did."""
    rows = db.session.scalars(
        select(SeatChange).where(SeatChange.game_id == game.id).order_by(SeatChange.number)
    )
    return tuple(Change(row.seat, row.version, row.former_name) for row in rows)


def _has_reasons(game: Game) -> bool:
    kept = select(Action.number).where(Action.game_id == game.id, Action.reason.is_not(None))
    return bool(db.session.scalar(select(kept.exists())))


def _agreed(game: Game, last_seen: Mapping[int, int]) -> tuple[tuple[int, frozenset[int]], ...]:
    rows = db.session.scalars(select(Agreement).where(Agreement.game_id == game.id)).all()
    by_seat: dict[int, set[int]] = {}
    for row in rows:
        if row.at > last_seen.get(game.seats[row.absent - 1].user_id or 0, 0):
            by_seat.setdefault(row.absent, set()).add(row.by)
    return tuple((absent, frozenset(by_seat[absent])) for absent in sorted(by_seat))


def _rematch(game: Game) -> Game | None:
    if game.rematch_id is None:
        return None
    return db.session.get_one(Game, game.rematch_id, options=[selectinload(Game.seats)])


def _rematch_mark(status: str | None, revision: int | None) -> str:
    if status is None:
        return ""
    # Once it has begun, only that can be seen from the old table, and not its moves.
    return str(revision) if status == WAITING else "begun"


def _sitting_at_both(game: Game, rematch: Game | None) -> tuple[int, ...]:
    there = {seat.user_id for seat in persons(rematch)} if rematch else set()
    return tuple(seat.number for seat in persons(game) if seat.user_id in there)
