"""A replay as the templates print it: a table at one step of its match, with all hands open."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from raisesum import wording
from raisesum.engine.cards import Card
from raisesum.engine.events import Played
from raisesum.engine.state import Phase
from raisesum.services.history import Position, Replay
from raisesum.services.reasons import NO_REASONS, Reasons
from raisesum.services.table import FINISHED, GIVEN_UP, PLAYING, LogEntry, SeatPerson, Table
from raisesum.web.presenters.cards import Face, HandCard, faces, hand_cards
from raisesum.web.presenters.table import LogLine, TablePage, present_table


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast a replay goes by itself: the seconds for each step."""

    name: str
    title: str
    seconds: int


#: The longest that a name is shown.
MOST_OF_A_NAME: Final = 40

PACES: Final = (Pace("slow", "Slow", 5), Pace("normal", "Normal", 3), Pace("fast", "Fast", 1))


@dataclass(frozen=True, slots=True)
class OpenHand:
    """A player's cards, for all to see; the new ones are marked for the player on turn."""

    number: int
    name: str
    is_on_turn: bool
    cards: tuple[HandCard, ...]


@dataclass(frozen=True, slots=True)
class RoundLink:
    """A round to go to: the step in which it opens."""

    number: int
    at: int
    is_here: bool


@dataclass(frozen=True, slots=True)
class PlayLine:
    """A play that the mover could make; `is_made` marks the one that was made."""

    cards: tuple[Face, ...]
    score: int
    is_made: bool


@dataclass(frozen=True, slots=True)
class Choices:
    """What the player on turn can do, in words; `count` is that of different plays."""

    text: str
    count: int


@dataclass(frozen=True, slots=True)
class ReplayPage:
    """Everything that the templates of a replay print.

    Attributes:
        table: the table as a spectator sees it.
        names: of all who played.
        at, last: the step that is shown, and the one in which the match is won.
        back, forward: the steps beside it; at either end the step itself.
        headline: where in the match this is.
        told: what happened in this step.
        log: what has happened in this round, newest first.
        hands: all of them, in the order of the seats.
        choices: what the player on turn could do; None after the end.
        plays: all that the player on turn could play, where that list is open.
        pace: how fast it goes on by itself, if it does.
        announcement: what to say aloud.
        why: the reason of the bot that acted in this step, if it gave one.
        has_record: whether there is a record to keep: not of a match that was given up.
        has_reasons: whether there are reasons for any step.
    """

    table: TablePage
    names: str
    at: int
    last: int
    back: int
    forward: int
    headline: str
    told: tuple[LogLine, ...]
    log: tuple[LogLine, ...]
    hands: tuple[OpenHand, ...]
    rounds: tuple[RoundLink, ...]
    choices: Choices | None
    plays: tuple[PlayLine, ...] | None
    pace: Pace | None
    announcement: str
    why: str
    has_record: bool
    has_reasons: bool


def pace_named(name: str) -> Pace | None:
    """Return the pace called `name`, if there is one."""
    return next((pace for pace in PACES if pace.name == name), None)


def present_replay(
    replay: Replay,
    at: int,
    *,
    pace: Pace | None = None,
    shows_plays: bool = False,
    reasons: Reasons = NO_REASONS,
) -> ReplayPage:
    """Return step `at` of a match.

    Args:
        replay: the match.
        at: a position of it.
        pace: at which it goes on by itself; at the end it does not.
        shows_plays: list the plays that the player on turn could make.
        reasons: why the bots did what they did, where that is known.
    """
    position = replay.position(at)
    names = {number: _short(name) for number, name in enumerate(replay.names, 1)}
    isolated = {number: wording.isolated(name) for number, name in names.items()}
    here = bisect_right(replay.rounds, at) - 1
    table = present_table(
        Table(
            key="",
            version=at,
            revision=at,
            status=_status(replay, at),
            view=position.view,
            people=tuple(
                SeatPerson(number, name, bot=None, is_you=False) for number, name in names.items()
            ),
            # The middle tells how the round before was won, so the log begins with that one.
            log=tuple(_entries(replay, replay.rounds[max(here - 1, 0)], at)),
            rematch_key=None,
        )
    )
    told = tuple(line for line in reversed(table.log) if line.number == at)
    headline = f"Step {at} of {replay.last}"
    why = _why(position, reasons)
    return ReplayPage(
        table=table,
        names=wording.listed(list(isolated.values())),
        at=at,
        last=replay.last,
        back=max(at - 1, 0),
        forward=min(at + 1, replay.last),
        headline=headline,
        told=told,
        log=tuple(line for line in table.log if line.number >= replay.rounds[here]),
        hands=tuple(_hands(position, names)),
        rounds=tuple(
            RoundLink(number, start, is_here=number == here + 1)
            for number, start in enumerate(replay.rounds, 1)
        ),
        choices=_choices(position, isolated),
        plays=tuple(_plays(position, replay)) if shows_plays else None,
        pace=pace if at < replay.last else None,
        announcement=" ".join(_said(told, why, headline)),
        why=why,
        has_record=replay.is_won,
        has_reasons=bool(reasons.sentences),
    )


def _status(replay: Replay, at: int) -> str:
    if at < replay.last:
        return PLAYING
    return FINISHED if replay.is_won else GIVEN_UP


def _entries(replay: Replay, first: int, last: int) -> Iterator[LogEntry]:
    for number in range(first, last + 1):
        yield LogEntry(number, 0, replay.position(number).events)


def _why(position: Position, reasons: Reasons) -> str:
    text = reasons.sentences.get(position.number, "")
    stand_ins = [each.seat for each in reasons.reasoners if each.is_stand_in]
    return f"A stand-in moved here. {text}" if text and position.seat in stand_ins else text


def _said(told: Iterable[LogLine], why: str, headline: str) -> Iterator[str]:
    for line in told:
        yield f"{_plain(line)}."
    if why:
        yield why
    yield f"{headline}."


def _plain(line: LogLine) -> str:
    return "".join(
        wording.isolated(piece.text) if piece.kind == "name" else piece.text
        for piece in line.pieces
    )


def _short(name: str) -> str:
    # A record may hold names of any length, and with any characters in them.
    name = wording.bare(name)
    return name if len(name) <= MOST_OF_A_NAME else name[:MOST_OF_A_NAME] + "…"


def _hands(position: Position, names: Mapping[int, str]) -> Iterator[OpenHand]:
    view = position.view
    for number, cards in enumerate(position.hands, 1):
        on_turn = view.phase is not Phase.OVER and number == view.turn
        drawn = position.drawn if on_turn else ()
        yield OpenHand(number, names[number], on_turn, hand_cards(cards, drawn, "drawn"))


def _choices(position: Position, names: Mapping[int, str]) -> Choices | None:
    view = position.view
    if view.phase is Phase.OVER:
        return None
    name = names[view.turn]
    if position.to_discard:
        return Choices(f"{name} has to discard {wording.count(position.to_discard, 'card')}.", 0)
    count = len(position.plays)
    different = wording.count(count, "different play")
    if view.target is None:
        return Choices(f"{name} can open with {different}.", count)
    if not count:
        return Choices(f"Nothing in {name}’s hand beats {view.target}.", 0)
    verb = "beats" if count == 1 else "beat"
    return Choices(f"{name} has {different} that {verb} {view.target}.", count)


def _plays(position: Position, replay: Replay) -> Iterator[PlayLine]:
    """List what the mover could play: the highest scores first, then the fewest cards."""
    made: list[Card] | None = None
    if position.plays and position.number < replay.last:
        event = replay.position(position.number + 1).events[0]
        made = sorted(event.cards) if isinstance(event, Played) else None
    for play in sorted(position.plays, key=lambda play: -play.score):
        yield PlayLine(faces(play.cards), play.score, sorted(play.cards) == made)
