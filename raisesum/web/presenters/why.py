"""Why the bots of a match played that way, as the template prints it: move by move, by rounds."""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from raisesum import wording
from raisesum.engine.events import Discarded
from raisesum.services.history import Replay
from raisesum.services.reasons import Reasoner, Reasons
from raisesum.web.presenters.cards import Piece, pieces


@dataclass(frozen=True, slots=True)
class ReasonerLine:
    """A bot: its name, what its level is called unless the name says it, and what it does."""

    name: str
    level: str
    policy: str


@dataclass(frozen=True, slots=True)
class ReasonedMove:
    """What a bot did and why; `number` is that of the step in the replay.

    A discard belongs to the move before it.
    """

    number: int
    pieces: tuple[Piece, ...]
    why: str
    is_discard: bool


@dataclass(frozen=True, slots=True)
class ReasonedRound:
    """A round with the moves of its bots."""

    number: int
    moves: tuple[ReasonedMove, ...]


@dataclass(frozen=True, slots=True)
class WhyPage:
    """All that the bots of a match have to say; nothing where none kept its reasons."""

    reasoners: tuple[ReasonerLine, ...]
    rounds: tuple[ReasonedRound, ...]


def present_why(replay: Replay, reasons: Reasons) -> WhyPage:
    """Return the moves of a match that have a reason."""
    numbers = [number for number in sorted(reasons.sentences) if 0 < number <= replay.last]
    return WhyPage(
        reasoners=tuple(map(_line, reasons.reasoners)),
        rounds=tuple(
            ReasonedRound(round_, tuple(_moves(replay, reasons, group)))
            for round_, group in groupby(numbers, key=lambda number: _round(replay, number))
        ),
    )


def _round(replay: Replay, number: int) -> int:
    # The action that ends a round also opens the next one.
    return bisect_right(replay.rounds, number - 1)


def _moves(replay: Replay, reasons: Reasons, numbers: Iterator[int]) -> Iterator[ReasonedMove]:
    names = dict(enumerate(replay.names, 1))
    names |= {each.seat: _name(each) for each in reasons.reasoners}
    for number in numbers:
        event = replay.position(number).events[0]
        did = pieces(wording.sentence(event, names, None))
        yield ReasonedMove(number, did, reasons.sentences[number], isinstance(event, Discarded))


def _line(reasoner: Reasoner) -> ReasonerLine:
    name = _name(reasoner)
    says_level = name.startswith(reasoner.level)
    return ReasonerLine(name, "" if says_level else reasoner.level, reasoner.policy)


def _name(reasoner: Reasoner) -> str:
    if reasoner.is_stand_in:
        return f"Stand-in for {wording.isolated(reasoner.name)}"
    return reasoner.name
