"""How long a turn may take, and what happens when it has taken longer.

A table's `due_at` is when something happens there without a person.  Which of two things that is
is said by who has the turn: for a bot or a stand-in it is its move, for a person it is the end of
their time.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, auto
from typing import Final

from raisesum.engine import Phase, State, load_state
from raisesum.models import Game, Seat
from raisesum.services.seats import level_playing, somebody_plays

#: Seconds for a turn.
PACES: Final[Mapping[str, int | None]] = {
    "none": None,
    "slow": 24 * 3600,
    "relaxed": 120,
    "quick": 30,
}
SHORTEST_S = 10
LONGEST_S = 7 * 24 * 3600

LEAST_FOR_A_DISCARD_MS = 15_000
"""Whoever plays in the last second still gets so long to choose what to discard."""

GRACE_MS = 30_000
"""Extra time for a turn whose player's connection is lost, once a match for each seat.

The server cannot tell a lost connection from a page that its player has hidden, so extra time on
every turn would reward hiding the page."""

LOST_AFTER_MS = 25_000
"""A page that is looked at asks more often than this."""

GONE_AFTER_MS = 35_000
"""And a hidden one of somebody who waits more often than this."""

MISSES_UNTIL_STAND_IN = 2

#: With less time than this for a turn, all players sit at the table together.
_SITTING_TOGETHER_S = 3600


class Overdue(Enum):
    """What to do about a turn whose time has run out."""

    WAIT_FOR_ALL = auto()  # nobody was there: the turn's time begins anew
    WAIT_FOR_MOVER = auto()  # the mover's connection is lost: the seat's one grace begins
    MOVE_ON = auto()


def due_after(
    game: Game, state: State, now: int, bot_delay_ms: int, due_before: int | None = None
) -> int | None:
    """Return when something happens at `game` in `state` without a person, or None if nothing does.

    Args:
        game: the table, with its seats as they are now.
        state: the match.
        now: server time in ms.
        bot_delay_ms: how long a bot takes, so that people can follow.
        due_before: when the time of this same turn would have run out before its play.
    """
    if state.phase is Phase.OVER or not somebody_plays(game):
        return None
    if level_playing(game.seats[state.turn - 1]) is not None:
        # A discard belongs to the play before it: nobody should have to watch it by itself.
        return now if state.phase is Phase.DISCARD else now + bot_delay_ms
    if game.pace_s is None:
        return None
    if state.phase is Phase.DISCARD and due_before is not None:
        return max(due_before, now + LEAST_FOR_A_DISCARD_MS)
    return now + game.pace_s * 1000


def control_changed(game: Game, seat: Seat, now: int, bot_delay_ms: int) -> None:
    """Set anew what is due at `game` after a stand-in has taken `seat` or given it back."""
    state = load_state(game.state)
    if state.turn == seat.number or game.due_at is None or not somebody_plays(game):
        if game.pace_s is not None and seat.stand_in:
            # At once, so that nobody wins time by leaving on their turn and coming back to it.
            bot_delay_ms = 0
        game.due_at = due_after(game, state, now, bot_delay_ms)
        game.graced = False


def judge_overdue(game: Game, mover: Seat, last_seen: Mapping[int, int]) -> Overdue:
    """Say what is to be done now that the time of `mover` has run out.

    Args:
        game: the table; `due_at` is when the time ran out.
        mover: the seat on turn.
        last_seen: when each person was last seen, in server time.
    """
    if game.due_at is None or game.pace_s is None:
        raise ValueError("no time can run out here")
    seen = {seat.user_id: last_seen.get(seat.user_id or 0, 0) for seat in game.seats}
    everyone_gone = max(seen.values()) < game.due_at - GONE_AFTER_MS
    if everyone_gone and game.pace_s < _SITTING_TOGETHER_S:
        return Overdue.WAIT_FOR_ALL
    if not mover.grace_used and seen[mover.user_id] < game.due_at - LOST_AFTER_MS:
        return Overdue.WAIT_FOR_MOVER
    return Overdue.MOVE_ON
