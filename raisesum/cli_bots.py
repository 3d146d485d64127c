"""`flask --app app bots ...`: matches between bots."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from raisesum.bots.arena import Contest, Result, Share, find_bot, play_contest
from raisesum.engine import Deck, parse_deck


class _DeckType(click.ParamType[Deck]):
    name = "deck"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Deck:
        if isinstance(value, Deck):
            return value
        try:
            return parse_deck(str(value))
        except ValueError as error:
            self.fail(str(error), param, ctx)


@click.group()
def bots() -> None:
    """Let bots play against each other."""


@bots.command()
@click.argument("names", metavar="BOT...", nargs=-1, required=True)
@click.option("--deals", type=click.IntRange(1), default=100, show_default=True)
@click.option("--players", type=click.IntRange(2, 4), default=2, show_default=True)
@click.option(
    "--deck",
    type=_DeckType(),
    default="full",
    show_default=True,
    help="As records write it: addition, subtraction, full, or 'custom +1*20 -2*5 ...'.",
)
@click.option("--goal", type=click.IntRange(1, 9), default=3, show_default=True)
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True)
@click.option(
    "--jobs", type=click.IntRange(1), help="Processes that share the work.  [default: the cores]"
)
@click.option(
    "--json", "json_file", type=click.Path(dir_okay=False), help="Write the numbers here, too."
)
def arena(
    names: tuple[str, ...],
    deals: int,
    players: int,
    deck: Deck,
    goal: int,
    seed: int,
    jobs: int | None,
    json_file: str | None,
) -> None:
    """Play duplicate deals between BOTs: each deal once for every rotation over the seats.

    A BOT is a level, or module:function. The last one named takes all seats that are left over.
    Intervals are of 95%, clustered by deal.
    """
    try:
        contest = Contest(names, players, deck, goal, deals, seed)
        for name in names:
            find_bot(name)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    with _bar(deals) as bar:
        result = play_contest(contest, jobs, bar.update)
    for line in _lines(result):
        click.echo(line)
    if json_file is not None:
        Path(json_file).write_text(json.dumps(_numbers(result), indent=2) + "\n", encoding="utf-8")


@contextmanager
def _bar(deals: int) -> Iterator[Any]:
    # On a terminal only, and never in the output: that is for the figures.
    hidden = not sys.stderr.isatty()
    with click.progressbar(length=deals, label="Deals", file=sys.stderr, hidden=hidden) as bar:
        yield bar


def _lines(result: Result) -> Iterator[str]:
    contest = result.contest
    yield (
        f"{contest.deals} deals, {contest.players} players, deck {contest.deck.text},"
        f" goal {contest.goal}, seed {contest.seed}: {result.matches} matches,"
        f" {result.rounds:.2f} rounds and {result.turns:.1f} turns each"
    )
    width = max(len(standing.bot) for standing in result.standings)
    yield (
        f"{'bot':{width}}  seats  {'matches won':>21}  {'rounds won':>21}"
        "  turns/match  fallbacks  ms/move  p99"
    )
    for each in result.standings:
        yield (
            f"{each.bot:{width}}  {each.seats:5}  {_percent(each.matches):>21}"
            f"  {_percent(each.rounds):>21}  {each.turns:11.1f}  {each.fallbacks:9}"
            f"  {each.median_ms:7.2f}  {each.p99_ms:.2f}"
        )


def _percent(part: Share) -> str:
    return f"{part.value:.1%} ({part.low:.1%} - {part.high:.1%})"


def _numbers(result: Result) -> dict[str, Any]:
    numbers = asdict(result)
    numbers["contest"]["deck"] = result.contest.deck.text
    return numbers
