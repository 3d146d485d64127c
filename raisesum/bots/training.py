"""The programs that make `judgement.json` and `networks.json`, which `sharp` and `master` play by.

    python -m raisesum.bots.training held JOBS SEED
    python -m raisesum.bots.training weights PLAYERS GENERATIONS JOBS SEED
    python -m raisesum.bots.training networks PLAYERS MINUTES SEED
    python -m raisesum.bots.training told PLAYERS SEED

The first lets `sharp` play `steady` and fits to what opponents then hold at which time of a round.
The second looks for weights with which `sharp` wins more matches, one table size at a time, by the
cross-entropy method: weights are drawn around the best that are known, all play the same deals
against `steady`, and the next ones are drawn around those that won most.  Each generation begins
with what the last one wrote.

Everything follows from the seed; the processes only share the work.

The third builds `learn_master.c`, for which it needs a C compiler with OpenMP, and lets it learn on
all cores for so many minutes, going on from the networks that are there.  How far it gets in that
time depends on the machine.  What the networks learned is to be added to the opinion of `sharp`, so
they have to learn on after the first two have changed that.

The last prints what that program tells its networks in some turns, as lines of JSON.
"""

import json
import struct
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from math import exp, sqrt
from multiprocessing import get_context
from pathlib import Path
from random import Random
from subprocess import PIPE, run
from tempfile import TemporaryDirectory
from typing import Any, Final

from raisesum.bots import sharp, steady
from raisesum.bots.guesses import Unseen
from raisesum.bots.judgement import FEATURES_OF, FILE, JUDGEMENT, STAGES, Weights, stage
from raisesum.bots.network import FILE as NETWORKS
from raisesum.bots.network import SECOND, Network, packed, unpacked
from raisesum.bots.sight import INPUTS
from raisesum.engine import OFFICIAL_DECKS, Phase, Setup, State, apply, new_match, view_for

#: Rows that one model is fitted to, at most; the newest count.
MOST_ROWS: Final = 30_000
#: How strongly weights are held near zero.
RIDGE: Final = 3.0
#: One turn in so many is looked at for what players hold.
LOOKS: Final = 10
#: Decks of the matches looked at, by how many of ten matches they get.
DECKS: Final = ("full",) * 7 + ("subtraction", "addition", "addition")
#: Matches looked at, by the number of players.
LOOKED_AT: Final = {2: 200, 3: 200, 4: 200}

#: How many sets of weights a generation tries.
POPULATION: Final = 40
#: How many deals each of them plays, once from every seat.
DEALS: Final = 200
#: How wide the first generation is drawn.
WIDTH: Final = 0.1
#: What a generation adds to the width that is left, so that the search never stands still.
STIR: Final = 0.002

#: How `learn_master.c` is built.
COMPILER: Final = ("cc", "-std=gnu11", "-Wall", "-O3", "-march=native", "-ffast-math", "-fopenmp")
#: How large its steps are at first and in the end.
RATES: Final = (2e-3, 2e-4)
#: The longest it may take; who wants more begins anew.
MOST_MINUTES: Final = 10_000
#: With how many deals it is measured, ten times while it learns.
MEASURED: Final = 500

#: Features, and whether it was so.
Row = tuple[tuple[float, ...], float]
Vector = tuple[float, ...]


def flat(weights: Weights) -> Vector:
    """Return all weights in one row."""
    return tuple([n for part in weights for n in (part if isinstance(part, tuple) else (part,))])


def shaped(numbers: Sequence[float], like: Weights) -> Weights:
    """Return weights of these numbers, in the shape of others.

    >>> weights = JUDGEMENT.weights[2]
    >>> shaped(flat(weights), weights) == weights
    True
    """
    rest = iter(numbers)
    return Weights._make(
        [
            tuple([next(rest) for _ in part]) if isinstance(part, tuple) else next(rest)
            for part in like
        ]
    )


def next_generation(
    mean: Vector, width: Vector, rng: Random, won: Callable[[list[Vector]], list[float]]
) -> tuple[Vector, Vector]:
    """Return where the next weights are to be drawn, and how wide.

    Args:
        mean: the weights that are best by now.
        width: the standard deviation of each.
        rng: draws the weights that are tried; `mean` is one of them.
        won: tells how much each of them wins.
    """
    tried = [mean] + [tuple(map(rng.gauss, mean, width)) for _ in range(POPULATION - 1)]
    ranked = sorted(zip(won(tried), tried, strict=True), key=lambda pair: -pair[0])
    elite = [weights for _, weights in ranked[: POPULATION // 4]]
    centre = [sum(column) / len(elite) for column in zip(*elite, strict=True)]
    spread = [
        sqrt(sum([(n - middle) ** 2 for n in column]) / len(elite))
        for column, middle in zip(zip(*elite, strict=True), centre, strict=True)
    ]
    return (
        tuple([0.3 * old + 0.7 * new for old, new in zip(mean, centre, strict=True)]),
        tuple([0.4 * old + 0.6 * new + STIR for old, new in zip(width, spread, strict=True)]),
    )


def search(players: int, generations: int, jobs: int, seed: int) -> None:
    """Look for better weights for a table of so many, and write them down."""
    like = JUDGEMENT.weights[players]
    mean, width = flat(like), (WIDTH,) * len(flat(like))
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        for number in range(generations):
            rng = Random(f"{seed} {players} {number}")  # noqa: S311 - nothing secret
            deals = rng.getrandbits(32)

            def won(tried: list[Vector], deals: int = deals) -> list[float]:
                return list(pool.map(partial(share_won, players, deals), tried))

            mean, width = next_generation(mean, width, rng, won)
            data = json.loads(FILE.read_text(encoding="utf-8"))
            data["weights"][str(players)] = shaped(mean, like)._asdict()
            write(data)
            print(f"generation {number + 1} of {generations}", flush=True)  # noqa: T201


def share_won(players: int, seed: int, numbers: Vector) -> float:
    """Return the share of matches that `sharp` wins with these weights against `steady`."""
    JUDGEMENT.weights[players] = shaped(numbers, JUDGEMENT.weights[players])
    setup, won = Setup(players, OFFICIAL_DECKS["full"]), 0
    for deal in range(DEALS):
        for seat in range(1, players + 1):
            rng = Random(f"{seed} {deal}")  # noqa: S311 - nothing secret
            state, _ = new_match(setup, rng.getrandbits(64))
            while state.phase is not Phase.OVER:
                bot = sharp if state.turn == seat else steady
                action = bot.choose(view_for(state, state.turn), rng)
                state, _ = apply(state, state.turn, action)
            won += state.winner == seat
    return won / (DEALS * players)


def learn_held(jobs: int, seed: int) -> None:
    """Learn anew what players hold, and write it down."""
    tasks = [
        (players, seed, number) for players, many in LOOKED_AT.items() for number in range(many)
    ]
    stages: list[list[Row]] = [[] for _ in range(STAGES)]
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        for found in pool.map(held_in_match, tasks, chunksize=10):
            for rows, more in zip(stages, found, strict=True):
                rows.extend(more)
                del rows[:-MOST_ROWS]
    data = json.loads(FILE.read_text(encoding="utf-8"))
    data["held"] = [fit(rows) for rows in stages]
    write(data)


def held_in_match(task: tuple[int, int, int]) -> list[list[Row]]:
    """Return, for each stage of a round, which hidden cards of a match were held and which not.

    Args:
        task: the number of players, a seed and which match it is.
    """
    players, seed, number = task
    rng = Random(f"{seed} {players} {number}")  # noqa: S311 - nothing secret
    state, _ = new_match(
        Setup(players, OFFICIAL_DECKS[DECKS[number % len(DECKS)]]), rng.getrandbits(64)
    )
    stages: list[list[Row]] = [[] for _ in range(STAGES)]
    while state.phase is not Phase.OVER:
        view = view_for(state, state.turn)
        if state.turn == 1 and not view.to_discard and rng.randrange(LOOKS) == 0:
            stages[stage(view.target)] += _rows(state)
        bot = sharp if state.turn == 1 else steady
        state, _ = apply(state, state.turn, bot.choose(view, rng))
    return stages


def _rows(state: State) -> list[Row]:
    view = view_for(state, state.turn)
    others = [seat.number for seat in view.seats if seat.is_in and seat.number != view.viewer]
    held = [card for seat in others for card in state.hand(seat)]
    rest = Unseen(view).cards
    for card in held:
        rest.remove(card)
    return [(FEATURES_OF[card], 1.0) for card in held] + [(FEATURES_OF[card], 0.0) for card in rest]


def learn_networks(
    players: int,
    minutes: float,
    seed: int,
    rates: tuple[float, float] = RATES,
    deals: int = MEASURED,
) -> None:
    """Learn the networks for a table of so many on, and write them down.

    Args:
        players: how many play.
        minutes: for how long.
        seed: where its chance comes from.
        rates: how large the steps are at first and in the end.
        deals: with how many it measures now and then how much it wins.

    Raises:
        OSError: there is no compiler.
        CalledProcessError: it could not build the program, or that failed.
    """
    with TemporaryDirectory() as folder:
        networks = Path(folder, "networks")
        _run(Path(folder), "learn", players, seed, minutes, *rates, deals)
        keep_networks(players, networks.read_bytes())


def told_text(players: int, seed: int) -> str:
    """Return what the networks for a table of so many are told in some turns.

    Raises:
        OSError: there is no compiler.
        CalledProcessError: it could not build the program, or that failed.
    """
    with TemporaryDirectory() as folder:
        return _run(Path(folder), "told", players, seed, 0, 0, 0, 0, capture=True)


def _run(folder: Path, *words: object, capture: bool = False) -> str:
    """Run `learn_master.c` on a judgement and networks in a folder; return what it prints."""
    players = int(str(words[1]))
    program = built(folder)
    judgement, networks = folder / "judgement", folder / "networks"
    judgement.write_text(judgement_text(players), encoding="ascii")
    if NETWORKS.exists() and str(players) in json.loads(NETWORKS.read_text(encoding="utf-8")):
        networks.write_bytes(networks_bytes(players))
    done = run(  # noqa: S603 - a program of our own
        [program, *map(str, words), judgement, networks],
        check=True,
        stdout=PIPE if capture else None,
        encoding="ascii",
    )
    return done.stdout if capture else ""


def built(folder: Path) -> Path:
    """Build `learn_master.c` in a folder and return the program."""
    program = folder / "learn_master"
    run(  # noqa: S603
        [*COMPILER, "-o", program, Path(__file__).with_name("learn_master.c"), "-lm"], check=True
    )
    return program


def judgement_text(players: int) -> str:
    """Return what `learn_master.c` reads: the weights of `sharp`, and the odds of what is held."""
    data = json.loads(FILE.read_text(encoding="utf-8"))
    rows = [flat(JUDGEMENT.weights[players]), *data["held"]]
    return "".join([" ".join(map(str, row)) + "\n" for row in rows])


def networks_bytes(players: int) -> bytes:
    """Return the networks as `learn_master.c` reads them: with two outputs each."""
    texts = json.loads(NETWORKS.read_text(encoding="utf-8"))[str(players)]
    weights = list(unpacked(texts["actor"]))
    # The last layer of the actor: the second output is of no use and all zeros.
    start = len(weights) - SECOND - 1
    weights[start:] = [n for weight in weights[start:] for n in (weight, 0.0)]
    weights += unpacked(texts["critic"])
    return struct.pack(f"={len(weights)}f", *weights)


def keep_networks(players: int, data: bytes) -> None:
    """Write down networks that `learn_master.c` wrote.

    Raises:
        ValueError: they have not as many weights as they should.
    """
    size = Network.size(INPUTS, 2)
    if len(data) != 8 * size:
        raise ValueError(f"two networks have {8 * size} bytes, not {len(data)}")
    weights = struct.unpack(f"={2 * size}f", data)
    last = size - 2 * (SECOND + 1)
    actor = [*weights[:last], *weights[last:size:2]]
    texts = json.loads(NETWORKS.read_text(encoding="utf-8")) if NETWORKS.exists() else {}
    texts[str(players)] = {"actor": packed(actor), "critic": packed(weights[size:])}
    NETWORKS.write_text(json.dumps(dict(sorted(texts.items())), indent=1) + "\n", encoding="utf-8")


def write(data: dict[str, Any]) -> None:
    """Write the numbers, rounded, a line for each part."""

    def line(name: str, part: Any) -> str:
        return f"{json.dumps(name)}: {json.dumps(part)}"

    rounded = json.loads(json.dumps(data), parse_float=lambda text: round(float(text), 4))
    tables = ",\n  ".join([line(*item) for item in rounded["weights"].items()])
    FILE.write_text(
        f'{{\n {line("held", rounded["held"])},\n "weights": {{\n  {tables}\n }}\n}}\n',
        encoding="utf-8",
    )


def fit(rows: Sequence[Row]) -> list[float]:
    """Return the weights of a logistic regression with a ridge, by Newton's method.

    >>> [round(weight, 1) for weight in fit([([1.0], 1.0)] * 300 + [([1.0], 0.0)] * 100)]
    [1.1]
    """
    size = len(rows[0][0])
    sparse = [([(i, x) for i, x in enumerate(row) if x], won) for row, won in rows]
    weights = [0.0] * size
    for _ in range(8):
        slope = [-RIDGE * weight for weight in weights]
        curve = [[0.0] * size for _ in range(size)]
        for entries, won in sparse:
            odds = sum([weights[i] * x for i, x in entries])
            chance = 1 / (1 + exp(-max(-15.0, min(15.0, odds))))
            off, bend = won - chance, chance * (1 - chance)
            for place, (i, x) in enumerate(entries):
                slope[i] += off * x
                line, part = curve[i], bend * x
                for j, y in entries[place:]:
                    line[j] += part * y
        for i in range(size):
            curve[i][i] += RIDGE
            for j in range(i):
                curve[i][j] = curve[j][i]
        step = _solved(curve, slope)
        weights = [weight + change for weight, change in zip(weights, step, strict=True)]
        if max(map(abs, step)) < 0.01:
            break
    return weights


def _solved(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """Solve a symmetric, positive definite system of equations by elimination."""
    size = len(right)
    lines = [[*line, value] for line, value in zip(matrix, right, strict=True)]
    for i, pivot in enumerate(lines):
        for line in lines[i + 1 :]:
            ratio = line[i] / pivot[i]
            if ratio:
                line[i:] = [a - ratio * b for a, b in zip(line[i:], pivot[i:], strict=True)]
    found = [0.0] * size
    for i in reversed(range(size)):
        known = sum(lines[i][j] * found[j] for j in range(i + 1, size))
        found[i] = (lines[i][size] - known) / lines[i][i]
    return found


def main(words: Sequence[str]) -> None:
    """Do what the command line asks for; words that ask for nothing end the program."""
    parser = ArgumentParser(prog="python -m raisesum.bots.training")
    programs = parser.add_subparsers(dest="program", required=True)
    held = programs.add_parser("held", help="learn what players hold")
    weights = programs.add_parser("weights", help="look for better weights of sharp")
    networks = programs.add_parser("networks", help="let the networks of master learn on")
    told = programs.add_parser("told", help="print what the networks are told in some turns")
    for part in (weights, networks, told):
        part.add_argument("players", type=int, choices=sorted(JUDGEMENT.weights))
    weights.add_argument("generations", type=_positive)
    networks.add_argument("minutes", type=_minutes)
    for part in (held, weights):
        part.add_argument("jobs", type=_positive)
    for part in (held, weights, networks, told):
        part.add_argument("seed", type=int)
    asked = parser.parse_args(words)
    match asked.program:
        case "held":
            learn_held(asked.jobs, asked.seed)
        case "weights":
            search(asked.players, asked.generations, asked.jobs, asked.seed)
        case "networks":
            learn_networks(asked.players, asked.minutes, asked.seed)
        case _:
            print(told_text(asked.players, asked.seed), end="")  # noqa: T201


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError("nothing to do")
    return number


def _minutes(text: str) -> float:
    number = float(text)
    if not 0 < number <= MOST_MINUTES:
        raise ValueError("no time that can be spent")
    return number


if __name__ == "__main__":
    main(sys.argv[1:])
