"""Matches between bots, to tell which of them plays better.

Duplicate deals: each deal, one seed of a match, is played once for every rotation of the bots
over the seats, so that every bot meets every place and the luck of the cards is shared out.  A
bot that leaves nothing to chance comes out exactly even against itself.

The matches of one deal have much in common, so a deal is one observation: shares are given with
a 95% interval that is clustered by deal.
"""

import importlib
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from math import ceil, sqrt
from random import Random
from statistics import fmean, quantiles
from time import perf_counter

from raisesum.bots.answer import Bot, ask
from raisesum.bots.levels import level_named
from raisesum.engine import Deck, Phase, Setup, apply, new_match, view_for

#: How many standard errors a 95% interval reaches to either side.
_NORMAL_95 = 1.96


@dataclass(frozen=True)
class Contest:
    """What is played.

    Attributes:
        bots: the names of those that play, as `find_bot` takes them; at least one.
        players: seats at each table; the last bot takes those that are left over.
        deck: the cards.
        goal: points that win a match.
        deals: how many different deals are played.
        seed: where all chance comes from: the same contest gives the same results.

    Raises:
        ValueError: there are more bots than seats, or the numbers make no match.
    """

    bots: tuple[str, ...]
    players: int
    deck: Deck
    goal: int
    deals: int
    seed: int

    def __post_init__(self) -> None:
        if not 1 <= len(self.bots) <= self.players:
            raise ValueError(f"{self.players} seats cannot be shared by {len(self.bots)} bots")
        if self.deals < 1:
            raise ValueError("at least one deal must be played")
        self.setup  # noqa: B018 - asked for, so that a wrong setup is found here

    @property
    def setup(self) -> Setup:
        """What the table agreed on; the deal draws the first player."""
        return Setup(self.players, self.deck, self.goal)

    def sitting(self, rotation: int) -> tuple[int, ...]:
        """Return for each seat which bot has it, as its place among `bots`.

        >>> from raisesum.engine import OFFICIAL_DECKS
        >>> contest = Contest(("sharp", "steady"), 3, OFFICIAL_DECKS["full"], 3, 1, 1)
        >>> [contest.sitting(rotation) for rotation in range(3)]
        [(0, 1, 1), (1, 1, 0), (1, 0, 1)]
        """
        last = len(self.bots) - 1
        return tuple(min((seat + rotation) % self.players, last) for seat in range(self.players))


@dataclass
class Tally:
    """What one bot did in the matches of one deal."""

    matches: int = 0
    rounds: int = 0
    turns: int = 0
    fallbacks: int = 0


@dataclass(frozen=True)
class DealResult:
    """The matches of one deal: a tally for each bot, and the seconds that each move took."""

    tallies: tuple[Tally, ...]
    seconds: tuple[tuple[float, ...], ...]

    @property
    def rounds(self) -> int:
        """Rounds played by all."""
        return sum(tally.rounds for tally in self.tallies)


@dataclass(frozen=True)
class Share:
    """A part of a whole, from 0 to 1, with its 95% interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Standing:
    """How one bot came out.

    Attributes:
        bot: its name.
        seats: how many seats it had at each table.
        matches, rounds: its share of those won.
        turns: its turns a match, of all its seats together.
        fallbacks: moves that `steady` had to make for it.
        median_ms, p99_ms: milliseconds a move, discards not counted.
    """

    bot: str
    seats: int
    matches: Share
    rounds: Share
    turns: float
    fallbacks: int
    median_ms: float
    p99_ms: float


@dataclass(frozen=True)
class Result:
    """A contest and how it ended.

    Attributes:
        contest: what was played.
        standings: the bots, in the contest's order.
        matches: how many matches were played.
        rounds, turns: of all players together, a match.
    """

    contest: Contest
    standings: tuple[Standing, ...]
    matches: int
    rounds: float
    turns: float


def find_bot(name: str) -> Bot:
    """Return the bot called `name`: a level, or `module:function`.

    Raises:
        ValueError: there is none.

    >>> find_bot("raisesum.bots.easy:choose").__name__
    'choose'
    """
    module_name, colon, function_name = name.partition(":")
    if not colon:
        return level_named(name).decide
    try:
        bot: Bot = getattr(importlib.import_module(module_name), function_name)
    except (ImportError, AttributeError) as error:
        raise ValueError(f"{name} is no bot: {error}") from error
    return bot


def play_contest(
    contest: Contest, jobs: int | None = None, progress: Callable[[int], None] | None = None
) -> Result:
    """Play a whole contest.

    Args:
        contest: what to play.
        jobs: how many processes share the work; without it, one for each core.
        progress: called with the number of deals that were finished since the last call.

    Raises:
        ValueError: one of its bots is not to be found.
    """
    for name in contest.bots:
        find_bot(name)
    jobs = min(jobs or os.cpu_count() or 1, contest.deals)
    results: dict[int, DealResult] = {}
    for done in _in_processes(contest, jobs) if jobs > 1 else _one_by_one(contest):
        results.update(done)
        if progress is not None:
            progress(len(done))
    # In the order of the deals, whoever finished first: sums of floats depend on their order.
    return summed_up(contest, [results[deal] for deal in range(contest.deals)])


def _one_by_one(contest: Contest) -> Iterator[dict[int, DealResult]]:
    for deal in range(contest.deals):
        yield _play_deals(contest, (deal,))


def _in_processes(contest: Contest, jobs: int) -> Iterator[dict[int, DealResult]]:
    # Small parts, so that the bar moves and no process idles long at the end.
    size = max(1, min(10, ceil(contest.deals / (8 * jobs))))
    parts = [
        tuple(range(start, min(start + size, contest.deals)))
        for start in range(0, contest.deals, size)
    ]
    with ProcessPoolExecutor(jobs) as pool:
        futures = [pool.submit(_play_deals, contest, part) for part in parts]
        try:
            for future in as_completed(futures):
                yield future.result()
        finally:
            for future in futures:
                future.cancel()


def _play_deals(contest: Contest, deals: Sequence[int]) -> dict[int, DealResult]:
    bots = [find_bot(name) for name in contest.bots]
    return {deal: _play_deal(contest, bots, deal) for deal in deals}


def _play_deal(contest: Contest, bots: Sequence[Bot], deal: int) -> DealResult:
    tallies = tuple(Tally() for _ in bots)
    seconds: tuple[list[float], ...] = tuple([] for _ in bots)
    for rotation in range(contest.players):
        _play_match(contest, bots, deal, contest.sitting(rotation), tallies, seconds)
    return DealResult(tallies, tuple(map(tuple, seconds)))


def _play_match(
    contest: Contest,
    bots: Sequence[Bot],
    deal: int,
    sitting: tuple[int, ...],
    tallies: tuple[Tally, ...],
    seconds: tuple[list[float], ...],
) -> None:
    source = Random(f"{contest.seed} {deal}")  # noqa: S311 - a measurement, not a secret
    state, _ = new_match(contest.setup, source.getrandbits(64))
    # Chance belongs to the seat, not to the bot: equal bots then decide equally in every rotation.
    chances = [Random(source.getrandbits(64)) for _ in sitting]  # noqa: S311 - as above
    while state.phase is not Phase.OVER:
        seat = state.turn - 1
        place = sitting[seat]
        view = view_for(state, state.turn)
        begun = perf_counter()
        answer = ask(bots[place], view, chances[seat])
        if state.phase is Phase.MOVE:
            seconds[place].append(perf_counter() - begun)
            tallies[place].turns += 1
        tallies[place].fallbacks += answer.fell_back
        state, _ = apply(state, state.turn, answer.decision.action)
    for place, points in zip(sitting, state.points, strict=True):
        tallies[place].rounds += points
    tallies[sitting[state.turn - 1]].matches += 1


def summed_up(contest: Contest, results: Sequence[DealResult]) -> Result:
    """Return what the deals of a contest come to together."""
    matches = contest.players * len(results)
    standings = []
    for place, bot in enumerate(contest.bots):
        tallies = [result.tallies[place] for result in results]
        times = sorted(1000 * time for result in results for time in result.seconds[place])
        standings.append(
            Standing(
                bot=bot,
                seats=contest.sitting(0).count(place),
                matches=share(
                    [tally.matches for tally in tallies], [contest.players] * len(results)
                ),
                rounds=share(
                    [tally.rounds for tally in tallies], [each.rounds for each in results]
                ),
                turns=sum(tally.turns for tally in tallies) / matches,
                fallbacks=sum(tally.fallbacks for tally in tallies),
                median_ms=_quantile(times, 50),
                p99_ms=_quantile(times, 99),
            )
        )
    return Result(
        contest=contest,
        standings=tuple(standings),
        matches=matches,
        rounds=sum(result.rounds for result in results) / matches,
        turns=sum(standing.turns for standing in standings),
    )


def share(won: Sequence[int], played: Sequence[int]) -> Share:
    """Return the share won of all that was played, with its interval; one number for each deal.

    >>> part = share([2, 1, 1, 0], [2, 2, 2, 2])
    >>> part.value, round(part.low, 2), round(part.high, 2)
    (0.5, 0.1, 0.9)
    """
    value = sum(won) / sum(played)
    deals = len(won)
    if deals == 1:
        return Share(value, 0.0, 1.0)
    # A ratio of two sums, each over independent deals: what a deal is off by, squared and summed.
    off = [w - value * p for w, p in zip(won, played, strict=True)]
    error = sqrt(deals / (deals - 1) * sum(each * each for each in off)) / sum(played)
    reach = _NORMAL_95 * error
    return Share(value, max(0.0, value - reach), min(1.0, value + reach))


def _quantile(ordered: Sequence[float], percent: int) -> float:
    if len(ordered) < 2:
        return fmean(ordered) if ordered else 0.0
    return quantiles(ordered, n=100, method="inclusive")[percent - 1]
