"""The program that made `judgement.json`: `python -m raisesum.bots.training`.

It plays matches, writes down what every position looked like to the players and who won the
round, fits the models of `judgement` to that, and plays on with what it has learned, a few times
over.  The learner sits at tables of two, three and four with `steady`, and with itself; now and
then it tries something else than it thinks best, so that it finds out about that, too.

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
    turn_features,
)
from raisesum.bots.reach import reach_of
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
MOST_ROWS: Final = 40_000
#: How strongly weights are held near zero.
RIDGE: Final = 3.0
#: How often the learner tries something else, and among how many of the best plays.
CURIOSITY: Final = 0.15
AMONG: Final = 12
#: One turn in so many is looked at for what players hold.
LOOKS: Final = 25
STAGES: Final = 5
#: Decks, by how many of ten matches they get.
DECKS: Final = ("full",) * 8 + ("subtraction", "addition")
#: The tables of one pass: players, learners among them, and matches.
TABLES: Final = ((2, 1, 500), (2, 2, 100), (3, 1, 120), (4, 1, 200), (4, 2, 30))

#: What a card adds to the odds of winning the next round, by its features, and what opening adds.
#: Set by hand: who learns this from its own play finds what its play makes of the cards, and at
#: first that is too little of those that are best saved up.
VALUE: Final = (0.1, 0.2, 0.45, -0.67, 1.5, 0.02, 0.0, -0.02, 0.0, 0.06)
OPENER: Final = 0.33

Row = tuple[list[float], bool]


@dataclass
class Lessons:
    """Rows to learn from, by model: features, and whether it came out well."""

    after: dict[int, list[Row]] = field(default_factory=lambda: {1: [], 2: [], 3: []})
    turn: dict[int, list[Row]] = field(default_factory=lambda: {1: [], 2: [], 3: []})
    held: list[list[Row]] = field(default_factory=lambda: [[] for _ in range(STAGES)])

    def add(self, other: "Lessons") -> None:
        """Put the rows of `other` behind the own ones and drop the oldest."""
        for opponents in self.after:
            _append(self.after[opponents], other.after[opponents])
            _append(self.turn[opponents], other.turn[opponents])
        for mine, theirs in zip(self.held, other.held, strict=True):
            _append(mine, theirs)


def _append(rows: list[Row], more: Iterable[Row]) -> None:
    rows.extend(more)
    del rows[:-MOST_ROWS]


def blank() -> dict[str, Any]:
    """Return what is known before anything was learned."""
    rest_after = len(after_features(reach_of(()), 0, 0, 0, 1, 0.0, 0.0))
    rest_turn = len(turn_features(reach_of(()), 0, 0, 0, 0, 1, [reach_of(())]))
    return {
        "opener": OPENER,
        "usual_hand": 1.5,
        "value": VALUE,
        "held": [[0.0] * CARD_FEATURES for _ in range(STAGES)],
        "after": {n: [0.0] * (CARD_FEATURES + rest_after) for n in (1, 2, 3)},
        "turn": {n: [0.0] * (2 * CARD_FEATURES + rest_turn) for n in (1, 2, 3)},
    }


def main(passes: int, jobs: int, seed: int) -> None:
    """Learn anew, in this many passes, and write the file after each."""
    _write(blank())
    lessons = Lessons()
    for number in range(passes):
        tasks = [
            (players, learners, seed + 1000 * number, start, number == 0)
            for players, learners, matches in TABLES
            for start in range(0, matches, 10)
        ]
        # New processes for each pass: they read what the last one has learned.
        with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
            won = played = 0
            for found, wins in pool.map(_lessons_of, tasks):
                lessons.add(found)
                won += wins
                played += 10
        _write(fitted(lessons, with_turns=number == passes - 1))
        sys.stderr.write(f"pass {number + 1}: learners won {won} of {played} matches\n")


def _write(data: dict[str, Any]) -> None:
    rounded = json.loads(json.dumps(data), parse_float=lambda text: round(float(text), 4))
    lines = (f" {json.dumps(name)}: {json.dumps(part)}" for name, part in rounded.items())
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def _lessons_of(task: tuple[int, int, int, int, bool]) -> tuple[Lessons, int]:
    players, learners, seed, start, is_first = task
    lessons, wins = Lessons(), 0
    for number in range(start, start + 10):
        rng = Random(f"{seed} {players} {learners} {number}")  # noqa: S311 - nothing secret
        deck = OFFICIAL_DECKS[DECKS[number % len(DECKS)]]
        table = _Table(learners, rng, lessons, is_first)
        wins += table.play(Setup(players, deck))
    return lessons, wins


class _Table:
    """One match with its learners in the first seats, and the rows that it gives."""

    def __init__(self, learners: int, rng: Random, lessons: Lessons, is_first: bool) -> None:
        self._learners = learners
        self._rng = rng
        self._lessons = lessons
        self._is_first = is_first

    def play(self, setup: Setup) -> int:
        """Play to the end; return whether a learner won."""
        state, _ = new_match(setup, self._rng.getrandbits(64))
        while state.phase is not Phase.OVER:
            state = self._play_round(state)
        return int(state.turn <= self._learners)

    def _play_round(self, state: State) -> State:
        number = state.round
        pending: list[tuple[dict[int, list[Row]], int, list[float], int]] = []
        while state.phase is not Phase.OVER and state.round == number:
            seat = state.turn
            view = view_for(state, seat)
            action: Action
            if seat > self._learners:
                action = steady.choose(view, self._rng)
            else:
                action = self._learner(state, view, pending)
            state, _ = apply(state, seat, action)
        winner = state.turn
        for rows, opponents, features, seat in pending:
            rows[opponents].append((features, seat == winner))
        return state

    def _learner(
        self,
        state: State,
        view: View,
        pending: list[tuple[dict[int, list[Row]], int, list[float], int]],
    ) -> Action:
        seat = state.turn
        if view.to_discard:
            return sharp.discard(view).action
        if self._rng.randrange(LOOKS) == 0:
            self._look(state, view)
        if not view.can_beat:
            return Pass()
        others = [state.hand(number) for number in _opponents(view)]
        incoming = view.incoming
        if view.target is not None:
            mine = reach_of(view.hand)
            features = turn_features(
                mine,
                mine.best(incoming.less, incoming.divisor),
                len(view.hand),
                view.target,
                incoming.less,
                incoming.divisor,
                [reach_of(hand) for hand in others],
            )
            columns = zip(*map(hand_features, others), strict=True)
            theirs = [sum(column) / len(others) for column in columns]
            row = hand_features(view.hand) + theirs + features
            pending.append((self._lessons.turn, len(others), row, seat))
        option = self._choice(view)
        if option is None:
            return Pass()
        features = after_features(
            reach_of(option.kept),
            len(option.kept),
            option.play.score,
            option.less,
            option.divisor,
            option.alone,
            sum(map(len, others)) / len(others),
        )
        row = hand_features(option.kept) + features
        pending.append((self._lessons.after, len(others), row, seat))
        return Play(option.play.cards)

    def _choice(self, view: View) -> sharp.Option | None:
        """Return the play to make, or None for a pass."""
        # At first a glance says nothing, so every play is looked at.
        most = len(view.legal_plays) if self._is_first else None
        appraisal = sharp.appraise(view, self._rng, most)
        options = appraisal.options
        if self._rng.random() < CURIOSITY:
            return self._rng.choice(options[:AMONG])
        if self._is_first:
            # Nothing was learned yet: begin with a way of playing that is not bad.
            action = steady.choose(view, self._rng)
            return next(option for option in options if Play(option.play.cards) == action)
        return None if appraisal.passing > options[0].worth else options[0]

    def _look(self, state: State, view: View) -> None:
        rows = self._lessons.held[stage(view.target)]
        held = [card for seat in _opponents(view) for card in state.hand(seat)]
        rest = Unseen(view).cards
        for card in held:
            rest.remove(card)
        rows += [([*FEATURES_OF[card]], True) for card in held]
        rows += [([*FEATURES_OF[card]], False) for card in rest]


def _opponents(view: View) -> list[int]:
    return [seat.number for seat in view.seats if seat.is_in and seat.number != view.viewer]


def fitted(lessons: Lessons, *, with_turns: bool) -> dict[str, Any]:
    """Return the weights that explain the lessons best.

    The learner itself does without the model of a turn, so it is worked out only when asked for.
    """
    usual = sum(weight * mean for weight, mean in zip(VALUE, _usual(lessons.after[1]), strict=True))
    return {
        **blank(),
        "usual_hand": usual,
        "held": [fit(rows) for rows in lessons.held],
        "after": {n: fit(rows) for n, rows in lessons.after.items()},
        "turn": {n: fit(rows) for n, rows in lessons.turn.items()}
        if with_turns
        else blank()["turn"],
    }


def _usual(rows: Sequence[Row]) -> list[float]:
    """Return the mean features of the hands that were kept."""
    hands = [row[:CARD_FEATURES] for row, _ in rows]
    return [sum(column) / len(hands) for column in zip(*hands, strict=True)]


def fit(rows: Sequence[Row]) -> list[float]:
    """Return the weights of a logistic regression with a ridge, by Newton's method.

    >>> [round(weight, 1) for weight in fit([([1.0], True)] * 300 + [([1.0], False)] * 100)]
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
    main(passes=int(sys.argv[1]), jobs=int(sys.argv[2]), seed=int(sys.argv[3]))
