"""Reading and checking a record, against applying the same actions to the engine."""

import io
import sys
from collections import deque
from dataclasses import dataclass
from random import Random
from statistics import median
from time import perf_counter

import click

from raisesum.bots import level_named
from raisesum.engine import (
    OFFICIAL_DECKS,
    Action,
    Event,
    Phase,
    Setup,
    State,
    apply,
    new_match,
    view_for,
)
from raisesum.engine.record import RecordReader, write_record

MOST_TIMES = 3
MATCHES = 60
ROUNDS = 7


@dataclass(frozen=True)
class Match:
    """A match that was played: what the engine needs to play it again, and its record."""

    setup: Setup
    seed: int
    actions: tuple[tuple[int, Action], ...]
    record: bytes


@dataclass(frozen=True)
class Cost:
    """Microseconds an action: of applying it, and of reading and checking it."""

    apply: float
    read: float

    @property
    def times(self) -> float:
        """How many times as much reading costs."""
        return self.read / self.apply


def main() -> bool:
    """Measure and print; return whether the bound is kept."""
    matches = [play(seed) for seed in range(MATCHES)]
    costs = measure(matches, ROUNDS)
    times = median(cost.times for cost in costs)
    click.echo(
        f"records: {median(cost.read for cost in costs):.1f} µs to read and check an action, "
        f"{median(cost.apply for cost in costs):.1f} µs to apply it: "
        f"{times:.2f} times as much, at most {MOST_TIMES} allowed"
    )
    return times <= MOST_TIMES


def measure(matches: list[Match], rounds: int) -> list[Cost]:
    """Return the cost of all `matches`, measured `rounds` times, turn and turn about."""
    actions = sum(len(match.actions) for match in matches)
    costs = []
    for _ in range(rounds):
        begun = perf_counter()
        ends = [apply_all(match) for match in matches]
        applied = perf_counter()
        read_ends = [read_all(match) for match in matches]
        read = perf_counter()
        if [end.points for end in ends] != [end.points for end in read_ends]:
            raise AssertionError("what was read is not what was played")
        costs.append(Cost(1e6 * (applied - begun) / actions, 1e6 * (read - applied) / actions))
    return costs


def play(seed: int) -> Match:
    """Play a match of two to four bots with one of the official decks."""
    rng = Random(seed)
    players = 2 + seed % 3
    setup = Setup(players, list(OFFICIAL_DECKS.values())[seed // 3 % len(OFFICIAL_DECKS)], first=1)
    bots = [level_named(name) for name in ("easy", "steady")]
    choices = [bots[(seed + seat) % len(bots)].choose for seat in range(players)]
    actions: list[tuple[int, Action]] = []
    state, new = new_match(setup, seed)
    events: list[Event] = [*new]
    while state.phase is not Phase.OVER:
        action = choices[state.turn - 1](view_for(state, state.turn), rng)
        actions.append((state.turn, action))
        state, new = apply(state, state.turn, action)
        events += new
    names = [f"Seat {number}" for number in range(1, players + 1)]
    record = "".join(write_record(setup, names, events)).encode()
    return Match(setup, seed, tuple(actions), record)


def apply_all(match: Match) -> State:
    """Play `match` again; return its end."""
    state, _ = new_match(match.setup, match.seed)
    for seat, action in match.actions:
        state, _ = apply(state, seat, action)
    return state


def read_all(match: Match) -> State:
    """Read the record of `match`, holding it to the rules; return its end."""
    return deque(RecordReader(io.BytesIO(match.record)), maxlen=1).pop().state


if __name__ == "__main__":
    sys.exit(not main())
