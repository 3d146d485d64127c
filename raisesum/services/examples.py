"""Positions made to be shown: a table in mid-play for the home page, sums for the rules.

Nothing here is a picture or a copied result: the table is a state of the engine seen through
`view_for`, and every sum is the scorer's own.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from raisesum.engine import (
    NO_INCOMING,
    Card,
    Incoming,
    Passed,
    Played,
    PointWon,
    Receipt,
    RoundStarted,
    parse_cards,
    score,
    view_for,
)
from raisesum.services.positions import position, standing_play
from raisesum.services.table import PLAYING, LogEntry, SeatPerson, Table


@dataclass(frozen=True)
class Example:
    """A play, what it must answer and what it comes to; `name` says what it is an example of."""

    name: str
    challenge: tuple[Card, ...]
    target: int | None
    receipt: Receipt


@dataclass(frozen=True)
class Showcase:
    """A table in mid-play, and the cards that its player is about to lay down."""

    table: Table
    ticked: tuple[Card, ...]
    receipt: Receipt


@cache
def examples() -> tuple[Example, ...]:
    """Return the sums that the rules page works out, in the order in which it tells them."""
    return (
        _example("add", "+3 +4", "", 6),
        _example("tie", "+6", "", 6),
        _example("multiply", "+2 +3 x3", "", 12),
        _example("subtract", "+5 +4", "-2", 6),
        _example("order", "+5 +4 x3", "-2 /2", 6),
        _example("counter", "+5 +4 x3 0", "-2 /2", 6),
        _example("below zero", "x3", "-2", 0),
        _example("opening", "-2 /2", "", None),
    )


def _example(name: str, cards: str, challenge: str, target: int | None) -> Example:
    against = parse_cards(challenge)
    return Example(name, against, target, score(parse_cards(cards), Incoming.of(against)))


@cache
def showcase() -> Showcase:
    """Return the table that the home page shows: a reply to a challenge, about to be played."""
    state = position(
        "full",
        ("+3 +1 x2 +7 -1", "+2 +5 0 -3 +1 /2 +4", "+2 +4 +5 +8 x2 x3 -3 /3 0"),
        standing=standing_play(1, "+6 -2 /2"),
        turn=3,
        drawn="x3 /3 0",
        discards="+9 x3 +1 +2 -4 +7 +4 0 +5 +3 /2 +8 +6 +1 +2 +1",
        is_in=(True, False, True),
        points=(1, 0, 1),
        number=3,
    )
    told = (
        (PointWon(3, 2, 1), RoundStarted(3, 3)),
        (Played(3, parse_cards("+1"), 1, NO_INCOMING, None),),
        (Played(1, parse_cards("+6 -2 /2"), 6, NO_INCOMING, 1),),
        (Passed(2),),
    )
    people = (
        SeatPerson(1, "Quick Otter", None, is_you=False),
        SeatPerson(2, "Steady", "steady", is_you=False),
        SeatPerson(3, "You", None, is_you=True),
    )
    table = Table(
        key="",
        version=4,
        revision=4,
        status=PLAYING,
        view=view_for(state, 3),
        people=people,
        log=tuple(LogEntry(number, 0, events) for number, events in enumerate(told, 1)),
        rematch_key=None,
    )
    ticked = parse_cards("+4 +5 x3")
    return Showcase(table, ticked, score(ticked, state.incoming))
