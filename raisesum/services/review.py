"""Looking back: passes where the hand held a play that would have stayed in the round.

A player learns of their own passes once the round is over, and of everybody's once the match is.
Until then the cards may still be in the hand, so `services.help` decides how much is told.  The
cheapest such play is the one that the bots' own measure calls so, without a card that it does not
need. A pass that the clock made is said to be the clock's; a stand-in passes only when it must.

What somebody's own hand was is followed through what they themselves could see of the match, so
nothing else can come into it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from sqlalchemy import select
from sqlalchemy.orm import selectinload

from raisesum.bots.advice import plain_cheapest
from raisesum.engine import (
    NO_INCOMING,
    Card,
    CardsTaken,
    Discarded,
    EventView,
    Incoming,
    Passed,
    Played,
    Receipt,
    RoundStarted,
    load_events,
    score,
    view_event,
)
from raisesum.extensions import db
from raisesum.models import Action, Game
from raisesum.services import help as table_help
from raisesum.services import history
from raisesum.services.errors import MatchGoesOnError, NoSuchTableError
from raisesum.services.help import TELLS_ALL, Tells
from raisesum.services.table import PLAYING, changes_of, own_seat


@dataclass(frozen=True)
class MissedPlay:
    """A pass that was not forced, and the cheapest play there was instead.

    Attributes:
        number: of the action, as in logs and replays.
        round: the round it was in.
        seat: whose pass it was.
        target: what would have had to be beaten; None when it was the opening turn.
        receipt: the play and its score.
        by_clock: whether nobody chose to pass, but time had run out.
        by: what the seat was called then, if somebody else has it by now; else empty.
    """

    number: int
    round: int
    seat: int
    target: int | None
    receipt: Receipt
    by_clock: bool = False
    by: str = ""


@dataclass(frozen=True)
class Review:
    """What there is to learn from a match so far.

    Attributes:
        names: of the players, seat 1 first.
        viewer: the seat of whoever looks; None for somebody who did not play.
        missed: the passes that were not forced, the earliest first; none where the table does not
            tell of them yet.
        is_whole: whether they are everybody's, of the whole match.
        tells: how much of them may be told.
    """

    names: tuple[str, ...]
    viewer: int | None
    missed: tuple[MissedPlay, ...]
    is_whole: bool
    tells: Tells = TELLS_ALL

    @property
    def own(self) -> tuple[MissedPlay, ...]:
        """The passes that the viewer chose, where the cards did not force them."""
        return tuple(
            each
            for each in self.missed
            if each.seat == self.viewer and not each.by_clock and not each.by
        )


def review_for(user_id: int | None, key: str) -> Review:
    """Return what `user_id` may learn from the match at table `key`.

    Raises:
        NoSuchTableError: there is none that this person may look back on.
    """
    try:
        replay = history.replay_for(user_id, key)
    except MatchGoesOnError:
        return own_review(user_id, key)
    turns = ((number, replay.position(number).events) for number in range(replay.last + 1))
    game = _game(key)
    missed = missed_plays(turns, range(1, len(replay.names) + 1))
    return Review(replay.names, _own_seat(user_id, game), _marked(game, missed), is_whole=True)


def own_review(user_id: int | None, key: str) -> Review:
    """Return what a player may learn while the cards of others are closed.

    Raises:
        NoSuchTableError: there is no table `key` at which this person sits.
    """
    game = _game(key)
    seat = _own_seat(user_id, game)
    if game is None or seat is None:
        raise NoSuchTableError
    tells = TELLS_ALL
    if game.status == PLAYING:
        alone = all(each.number == seat or each.bot for each in game.seats)
        tells = table_help.read(game).tells(alone=alone)
    names = tuple(each.name for each in game.seats)
    if not tells.past_passes:
        return Review(names, seat, (), is_whole=False, tells=tells)
    rows = db.session.execute(
        select(Action.number, Action.events)
        .where(Action.game_id == game.id)
        .order_by(Action.number)
    )
    seen = [
        (number, [view_event(event, seat) for event in load_events(events)])
        for number, events in rows
    ]
    rounds = [e.round for _, events in seen for e in events if isinstance(e, RoundStarted)]
    over = max(rounds, default=0) - (game.status == PLAYING)
    missed = _marked(game, (each for each in missed_plays(seen, (seat,)) if each.round <= over))
    own = tuple(each for each in missed if not each.by)
    return Review(names, seat, own, is_whole=False, tells=tells)


def missed_plays(
    turns: Iterable[tuple[int, Iterable[EventView]]], seats: Iterable[int]
) -> Iterator[MissedPlay]:
    """Find the passes that were not forced in what somebody has seen of a match.

    Args:
        turns: for each action from the deal on, its number and its events.
        seats: those whose passes are looked at; the events must have their cards.
    """
    hands: dict[int, Counter[Card]] = {seat: Counter() for seat in seats}
    round_number = 0
    incoming: Incoming = NO_INCOMING
    target: int | None = None
    for number, events in turns:
        for event in events:
            match event:
                case CardsTaken() if event.seat in hands:
                    hands[event.seat].update(event.cards)
                case RoundStarted():
                    round_number, incoming, target = event.round, NO_INCOMING, None
                case Played():
                    _take_away(hands, event)
                    incoming, target = Incoming.of(event.cards), event.score
                case Discarded():
                    _take_away(hands, event)
                case Passed() if event.seat in hands:
                    held = hands[event.seat].elements()
                    play = plain_cheapest(held, incoming.less, incoming.divisor, target)
                    if play is not None:
                        receipt = score(play.cards, incoming)
                        yield MissedPlay(number, round_number, event.seat, target, receipt)


def _take_away(hands: dict[int, Counter[Card]], event: Played | Discarded) -> None:
    if event.seat in hands:
        hands[event.seat] -= Counter(event.cards)


def _marked(game: Game | None, missed: Iterable[MissedPlay]) -> tuple[MissedPlay, ...]:
    found = tuple(missed)
    if game is None or not found:
        return found
    by_clock = set(
        db.session.scalars(select(Action.number).where(Action.game_id == game.id, Action.by_clock))
    )
    changes = changes_of(game)
    return tuple(
        replace(
            each,
            by_clock=each.number in by_clock,
            by=next(
                (
                    change.former_name
                    for change in changes
                    if change.seat == each.seat and each.number <= change.version
                ),
                "",
            ),
        )
        for each in found
    )


def _game(key: str) -> Game | None:
    return db.session.scalars(
        select(Game).where(Game.key == key).options(selectinload(Game.seats))
    ).one_or_none()


def _own_seat(user_id: int | None, game: Game | None) -> int | None:
    if game is None or user_id is None:
        return None
    seat = own_seat(game, user_id)
    return None if seat is None else seat.number
