"""What bots and their parts cost, in CPU time of one core, beside a fixed loop for comparison."""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations
from random import Random
from statistics import median, quantiles
from time import process_time

import click

from raisesum.bots import level_named
from raisesum.engine import (
    HAND_LIMIT,
    OFFICIAL_DECKS,
    PLAY_LIMIT,
    Action,
    Card,
    Incoming,
    Phase,
    Setup,
    State,
    View,
    apply,
    dump_state,
    legal_plays,
    new_match,
    score,
    view_for,
)

FULL = OFFICIAL_DECKS["full"]
#: Ten cards are what a full hand has after its draw.
TEN = HAND_LIMIT + 3
#: What the loop took, in microseconds, where the bounds in milliseconds were set.  A slower
#: machine is allowed more in proportion; a faster one is not held to less.
REFERENCE_LOOP = 70
MOST_MS = {"sharp": (10, 30), "master, two players": (100, None), "master, four": (250, None)}
FEWEST_TIMES = 3.5
MOST_LOOPS = 1.5
MOST_BYTES = 1500


@dataclass(frozen=True)
class Turn:
    """A turn of a match: the state, what the mover sees, and what it did."""

    state: State
    view: View
    action: Action


def main() -> bool:
    """Measure and print; return whether every bound is kept."""
    two = list(turns(players=2, matches=40))
    four = list(turns(players=4, matches=12))
    kept = [
        thinking("sharp", level_named("sharp").choose, ten_cards(two, 150)),
        thinking("master, two players", level_named("master").choose, ten_cards(two, 60)),
        thinking("master, four", level_named("master").choose, ten_cards(four, 40)),
        listing(ten_cards(two, 150)),
        rollout_turn(two),
        stored_state(four),
    ]
    return all(kept)


def turns(players: int, matches: int) -> Iterator[Turn]:
    """Yield the turns of matches between sharp and steady bots."""
    rng = Random(1)
    bots = [level_named(name).choose for name in ("sharp", "steady")]
    for seed in range(matches):
        state, _ = new_match(Setup(players, FULL), seed)
        while state.phase is not Phase.OVER:
            view = view_for(state, state.turn)
            action = bots[(state.turn + seed) % 2](view, rng)
            yield Turn(state, view, action)
            state, _ = apply(state, state.turn, action)


def ten_cards(played: list[Turn], most: int) -> list[View]:
    """Return views of movers with ten cards who can play, from all over the matches."""
    fitting = [turn.view for turn in played if len(turn.view.hand) == TEN and turn.view.can_beat]
    return Random(2).sample(fitting, min(most, len(fitting)))


def loop() -> float:
    """Return the microseconds that a thousand updates of a dict take now."""
    times = []
    for _ in range(15):
        begun = process_time()
        counts: dict[int, int] = {}
        for number in range(1000):
            counts[number] = number
        times.append(process_time() - begun)
    return 1e6 * median(times)


def thinking(name: str, choose: Callable[[View, Random], Action], views: list[View]) -> bool:
    """Measure how long a bot takes to choose."""
    most_median, most_p99 = MOST_MS[name]
    times, loops = [], []
    for number, view in enumerate(views):
        loops.append(loop())
        # A fresh view: nothing that was worked out for it before is to help.
        view = fresh(view)
        begun = process_time()
        choose(view, Random(number))
        times.append(1000 * (process_time() - begun))
    middle, p99 = median(times), quantiles(times, n=100, method="inclusive")[98]
    slower = max(1.0, median(loops) / REFERENCE_LOOP)
    bounds = f"at most {most_median * slower:.0f}"
    kept = middle <= most_median * slower
    if most_p99 is not None:
        bounds += f" and {most_p99 * slower:.0f}"
        kept = kept and p99 <= most_p99 * slower
    click.echo(
        f"{name}: {middle:.1f} ms a move in the median, {p99:.1f} at p99 of {len(times)},"
        f" {bounds} allowed; {_calibration(loops)}"
    )
    return kept


def fresh(view: View) -> View:
    """Return an equal view that has worked out nothing yet."""
    fields = {name: getattr(view, name) for name in View.__dataclass_fields__}
    return View(**fields)


def listing(views: list[View]) -> bool:
    """Measure listing the legal plays against trying all combinations one by one."""
    listed, tried = [], []
    for view in views:
        begun = process_time()
        plays = legal_plays(view.hand, view.incoming, view.target)
        middle = process_time()
        found = one_by_one(view.hand, view.incoming, view.target)
        listed.append(middle - begun)
        tried.append(process_time() - middle)
        if {play.cards for play in plays} != found:
            raise AssertionError("the plays listed are not those that were tried out")
    times = sum(tried) / sum(listed)
    click.echo(
        f"legal plays of {TEN} cards: {1e6 * sum(listed) / len(listed):.0f} µs, tried one by one"
        f" {1e6 * sum(tried) / len(tried):.0f} µs: {times:.1f} times as fast,"
        f" at least {FEWEST_TIMES} needed"
    )
    return times >= FEWEST_TIMES


def one_by_one(
    hand: tuple[Card, ...], incoming: Incoming, target: int | None
) -> set[tuple[Card, ...]]:
    """Return the legal plays by trying every combination of cards."""
    ordered = sorted(hand)
    return {
        cards
        for size in range(1, PLAY_LIMIT + 1)
        for cards in combinations(ordered, size)
        if target is None or score(cards, incoming).score > target
    }


def rollout_turn(played: list[Turn]) -> bool:
    """Measure steady's choice and applying an action: a turn played on in a rollout."""
    rng = Random(3)
    steady = level_named("steady").choose
    costs, loops = [], []
    for _ in range(7):
        loops.append(loop())
        begun = process_time()
        for turn in played:
            steady(turn.view, rng)
            apply(turn.state, turn.state.turn, turn.action)
        costs.append(1e6 * (process_time() - begun) / len(played))
    many = median(cost / unit for cost, unit in zip(costs, loops, strict=True))
    click.echo(
        f"one turn of a rollout: {median(costs):.1f} µs, {many:.2f} loops,"
        f" at most {MOST_LOOPS} allowed; {_calibration(loops)}"
    )
    return many <= MOST_LOOPS


def stored_state(played: list[Turn]) -> bool:
    """Measure the longest state, as JSON."""
    longest = max(len(dump_state(turn.state).encode()) for turn in played)
    click.echo(f"a state: at most {longest} bytes as JSON, {MOST_BYTES} allowed")
    return longest <= MOST_BYTES


def _calibration(loops: list[float]) -> str:
    return f"loop of 1,000 dict updates {median(loops):.0f} µs"


if __name__ == "__main__":
    sys.exit(not main())
