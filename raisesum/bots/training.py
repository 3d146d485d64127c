"""The program that made `judgement.json`: `python -m raisesum.bots.training 1 1`.

It plays matches much as `master` does, but looks ahead from plays of all kinds, good ones and
others, everybody playing on as `steady` does, and writes down how often each won the round.  The
models are fitted to that, so that `sharp` sees at a glance what a look ahead would find.  Of two
passes, the first begins with knowing nothing; the second knows which cards players hold and which
plays may be good.

Everything follows from the seed, but for the order in which processes finish, which is undone.
"""

import json
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from math import exp
from multiprocessing import get_context
from random import Random
from typing import Any, Final

from raisesum.bots import sharp, steady
from raisesum.bots.guesses import Unseen
from raisesum.bots.judgement import (
    CARD_FEATURES,
    FEATURES_OF,
    FILE,
    after_features,
    hand_features,
    stage,
)
from raisesum.bots.prospects import Prospects
from raisesum.bots.reach import reach_of
from raisesum.bots.rollout import Rollout
from raisesum.engine import (
    OFFICIAL_DECKS,
    Action,
    Pass,
    Phase,
    Play,
    Setup,
    State,
    View,
    apply,
    new_match,
    view_for,
)

#: Rows that one model is fitted to, at most; the newest count.
MOST_ROWS: Final = 30_000
#: How strongly weights are held near zero.
RIDGE: Final = 3.0
#: Plays looked ahead from: so many of the best by what is known, and so many of the others.
BEST: Final = 6
OTHERS: Final = 6
#: How many guesses each of them meets.
GUESSES: Final = 16
#: How often any of them is played, and not the one that promises most.
CURIOSITY: Final = 0.15
#: One turn in so many is looked at for what players hold.
LOOKS: Final = 10
#: Matches that one process plays at a time.
BATCH: Final = 10
STAGES: Final = 5
PASSES: Final = 2
#: Decks, by how many of ten matches they get.
DECKS: Final = ("full",) * 7 + ("subtraction", "addition", "addition")
#: The tables of one pass: seats, how many of them learn, and matches; `steady` has the others.
TABLES: Final = ((2, 1, 140), (2, 2, 30), (3, 1, 150), (4, 1, 200))

#: What a card adds to the odds of winning the next round, by its features, and what opening adds.
#: Set by hand: what can be learned about this from matches is what their players made of the
#: cards, and that is too little of those that are best saved up.
VALUE: Final = (0.1, 0.2, 0.45, -0.67, 1.5, 0.02, 0.0, -0.02, 0.0, 0.06)
OPENER: Final = 0.33

#: Features, and the share of cases in which it came out well.
Row = tuple[list[float], float]


@dataclass
class Lessons:
    """Rows to learn from, by model."""

    after: dict[int, list[Row]] = field(default_factory=lambda: {1: [], 2: [], 3: []})
    held: list[list[Row]] = field(default_factory=lambda: [[] for _ in range(STAGES)])

    def add(self, other: "Lessons") -> None:
        """Put the rows of `other` behind the own ones and drop the oldest."""
        for opponents in self.after:
            _append(self.after[opponents], other.after[opponents])
        for mine, theirs in zip(self.held, other.held, strict=True):
            _append(mine, theirs)


def _append(rows: list[Row], more: Iterable[Row]) -> None:
    rows.extend(more)
    del rows[:-MOST_ROWS]


def blank() -> dict[str, Any]:
    """Return what is known before anything was learned."""
    rest_after = len(after_features(reach_of(()), 0, 0, 0, 1, 0.0, 0.0))
    return {
        "opener": OPENER,
        "usual_hand": 1.5,
        "value": VALUE,
        "held": [[0.0] * CARD_FEATURES for _ in range(STAGES)],
        "after": {n: [0.0] * (CARD_FEATURES + rest_after) for n in (1, 2, 3)},
    }


def main(jobs: int, seed: int) -> None:
    """Learn anew and write the file."""
    _write(blank())
    for number in range(PASSES):
        tasks = [
            (players, learners, seed + 1000 * number, start)
            for players, learners, matches in TABLES
            for start in range(0, matches, BATCH)
        ]
        lessons = Lessons()
        # New processes for each pass: they read what the last one has learned.
        with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
            for found in pool.map(_lessons_of, tasks):
                lessons.add(found)
        _write(fitted(lessons))


def _write(data: dict[str, Any]) -> None:
    rounded = json.loads(json.dumps(data), parse_float=lambda text: round(float(text), 4))
    lines = (f" {json.dumps(name)}: {json.dumps(part)}" for name, part in rounded.items())
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def _lessons_of(task: tuple[int, int, int, int]) -> Lessons:
    players, learners, seed, start = task
    lessons = Lessons()
    for number in range(start, start + BATCH):
        rng = Random(f"{seed} {players} {learners} {number}")  # noqa: S311 - nothing secret
        deck = OFFICIAL_DECKS[DECKS[number % len(DECKS)]]
        _Table(learners, rng, lessons).play(Setup(players, deck))
    return lessons


class _Table:
    """One match, its learners in the first seats, and the rows that it gives."""

    def __init__(self, learners: int, rng: Random, lessons: Lessons) -> None:
        self._learners = learners
        self._rng = rng
        self._lessons = lessons

    def play(self, setup: Setup) -> None:
        """Play to the end."""
        state, _ = new_match(setup, self._rng.getrandbits(64))
        while state.phase is not Phase.OVER:
            view = view_for(state, state.turn)
            if state.turn > self._learners:
                action = steady.choose(view, self._rng)
            else:
                action = self._action(state, view)
            state, _ = apply(state, state.turn, action)

    def _action(self, state: State, view: View) -> Action:
        if view.to_discard:
            return sharp.discard(view).action
        if self._rng.randrange(LOOKS) == 0:
            self._look(state, view)
        if not view.can_beat:
            return Pass()
        appraisal = sharp.appraise(view, self._rng, len(view.legal_plays))
        options = appraisal.options
        others = options[BEST:]
        options = options[:BEST] + self._rng.sample(others, min(OTHERS, len(others)))
        best = self._look_ahead(view, options, appraisal.prospects)
        if self._rng.random() < CURIOSITY:
            best = self._rng.choice(options)
        return Pass() if best is None else Play(best.play.cards)

    def _look_ahead(
        self, view: View, options: list[sharp.Option], prospects: Prospects
    ) -> sharp.Option | None:
        """Add to the lessons how often the options win; return the best, None for a pass."""
        unseen = Unseen(view)
        guesses = [unseen.guess(self._rng) for _ in range(GUESSES)]
        rollout = Rollout(ends_rounds=False)
        opponents = len(unseen.sizes)
        most, best = rollout.after_pass(view, guesses, prospects).promise, None
        for option in options:
            seen = rollout.after_play(option, guesses, prospects)
            if seen.promise > most:
                most, best = seen.promise, option
            features = after_features(
                reach_of(option.kept),
                len(option.kept),
                option.play.score,
                option.less,
                option.divisor,
                option.alone,
                sum(unseen.sizes) / opponents,
            )
            row = hand_features(option.kept) + features
            self._lessons.after[opponents].append((row, seen.won / seen.guesses))
        return best

    def _look(self, state: State, view: View) -> None:
        rows = self._lessons.held[stage(view.target)]
        others = [seat.number for seat in view.seats if seat.is_in and seat.number != view.viewer]
        held = [card for seat in others for card in state.hand(seat)]
        rest = Unseen(view).cards
        for card in held:
            rest.remove(card)
        rows += [([*FEATURES_OF[card]], 1.0) for card in held]
        rows += [([*FEATURES_OF[card]], 0.0) for card in rest]


def fitted(lessons: Lessons) -> dict[str, Any]:
    """Return the weights that explain the lessons best."""
    usual = sum(weight * mean for weight, mean in zip(VALUE, _usual(lessons.after[1]), strict=True))
    return {
        **blank(),
        "usual_hand": usual,
        "held": [fit(rows) for rows in lessons.held],
        "after": {n: fit(rows) for n, rows in lessons.after.items()},
    }


def _usual(rows: Sequence[Row]) -> list[float]:
    """Return the mean features of the hands that were kept."""
    hands = [row[:CARD_FEATURES] for row, _ in rows]
    return [sum(column) / len(hands) for column in zip(*hands, strict=True)]


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


if __name__ == "__main__":
    main(jobs=int(sys.argv[1]), seed=int(sys.argv[2]))
