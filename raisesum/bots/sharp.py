"""The bot that judges each play by what the others can still answer, and by what it keeps."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from math import log
from random import Random
from typing import NamedTuple

from raisesum.bots.decision import Decision, Reason, forced_pass
from raisesum.bots.guesses import Guess, Unseen
from raisesum.bots.judgement import logistic
from raisesum.bots.reach import Reach, reach_of
from raisesum.bots.stakes import Stakes
from raisesum.engine import (
    HAND_LIMIT,
    Action,
    Card,
    Discard,
    Incoming,
    LegalPlay,
    Pass,
    Play,
    View,
)

#: How many guesses at the hidden cards a decision rests on.
GUESSES = 36
#: How many plays are judged in full: the best at a first glance.
JUDGED = 40


class Option(NamedTuple):
    """A play and what it promises.

    Attributes:
        worth: what it is worth; see `stakes`.
        alone: in what part of the guesses nobody can answer.
        play: the play.
        kept: the cards that stay in hand, after discarding.
    """

    worth: float
    alone: float
    play: LegalPlay
    kept: tuple[Card, ...]


class Appraisal(NamedTuple):
    """A turn judged: the options, the best first, and what passing is worth.

    `passing` is None where a pass is out of the question.
    """

    options: list[Option]
    passing: float | None


def choose(view: View, rng: Random) -> Action:
    """Return the action that promises most."""
    return decide(view, rng).action


def decide(view: View, rng: Random) -> Decision:
    """Return what `choose` chooses, with the reason."""
    if view.to_discard:
        return discard(view)
    if not view.can_beat:
        return forced_pass(view)
    certain = certain_play(view)
    if certain is not None:
        return Decision(Play(certain.cards), Reason("certain"))
    appraisal = appraise(view, rng)
    best = appraisal.options[0]
    facts = {"alone": round(best.alone, 3), "plays": len(view.legal_plays)}
    if appraisal.passing is not None and appraisal.passing > best.worth:
        return Decision(Pass(), Reason("save", facts))
    return Decision(Play(best.play.cards), Reason("judged", facts))


def certain_play(view: View, plays: Iterable[LegalPlay] | None = None) -> LegalPlay | None:
    """Return a play that wins the match now, whatever cards the others hold, if there is one.

    Looks among `plays`, legal ones of this turn; among all of them when not given.
    """
    me = view.viewer or 1
    if view.seats[me - 1].points + 1 < view.setup.goal:
        return None
    unseen = Unseen(view)
    for play in view.legal_plays if plays is None else plays:
        incoming = Incoming.of(play.cards)
        highest = unseen.highest(incoming.less, incoming.divisor)
        if highest is not None and play.score >= highest:
            return play
    return None


def discard(view: View) -> Decision:
    """Return the discard of the cards that are worth least."""
    kept = Stakes(view).keep(view.hand, HAND_LIMIT)
    return Decision(Discard(tuple(sorted(without(view.hand, kept)))), Reason("least"))


def appraise(view: View, rng: Random, plays: Iterable[LegalPlay] | None = None) -> Appraisal:
    """Judge the legal plays of a turn on which there are some.

    Args:
        view: the turn.
        rng: where the guesses come from.
        plays: those to judge, at least one; all legal ones when not given.
    """
    unseen = Unseen(view)
    answers = Answers([unseen.guess(rng) for _ in range(GUESSES)])
    stakes = Stakes(view)
    value = stakes.value
    opponents = len(unseen.sizes)
    hand = stakes.keep(view.hand, len(view.hand))
    glances: list[tuple[float, int, LegalPlay, int, int, float, tuple[Card, ...]]] = []
    for play in view.legal_plays if plays is None else plays:
        incoming = Incoming.of(play.cards)
        less, divisor = incoming.less, incoming.divisor
        alone = usually_alone(stakes, play.score, less, divisor, opponents)
        kept = without(hand, play.cards)[:HAND_LIMIT]
        glance = -alone - sum([value[card] for card in kept])
        glances.append((glance, len(glances), play, less, divisor, alone, kept))
    glances.sort()
    options = []
    for _, _, play, less, divisor, alone, kept in glances[:JUDGED]:
        met = answers.alone(less, divisor, play.score)
        edge = answers.best(less, divisor)
        promise = promise_of(stakes, view, play.score, alone, kept, reach_of(kept), met, edge)
        options.append(Option(promise.worth, met, play, kept))
    options.sort(key=lambda option: -option.worth)
    passing = None if stakes.is_last_stand else stakes.of_pass(hand)
    return Appraisal(options, passing)


def usually_alone(stakes: Stakes, score: int, less: int, divisor: int, opponents: int) -> float:
    """Return the chance that none of so many opponents has an answer, without any guess."""
    always, height, division, held, subtraction, crowd = stakes.weights.alone
    chance = logistic(
        always
        + height * (log((score + 1) * divisor + less) - 2.5)
        + division * log(divisor)
        + held * (stakes.held - 4)
        + subtraction * (less > 0)
    )
    return float(chance ** (1 + crowd * (opponents - 1)))


class Promise(NamedTuple):
    """What a play promises, with a round won as the unit.

    Attributes:
        alone: the chance that nobody answers it.
        again: the chance to win the round all the same.
        worth: all in all, with what the cards kept are worth.
    """

    alone: float
    again: float
    worth: float


def promise_of(
    stakes: Stakes,
    view: View,
    score: int,
    usually: float,
    kept: tuple[Card, ...],
    reach: Reach,
    met: float | None = None,
    others: float | None = None,
) -> Promise:
    """Return what a play promises; at a first glance, where nothing was guessed.

    Args:
        stakes: what is at stake.
        view: the turn.
        score: the score of the play.
        usually: the chance that nobody answers, without a look at the guesses.
        kept: the cards that stay in hand, no more than may be kept.
        reach: that of the cards kept.
        met: the part of the guesses in which nobody can answer.
        others: the logarithm of what the best answer scores, on average over the guesses.
    """
    weights = stakes.weights
    alone = usually if met is None else weights.guessed * met + (1 - weights.guessed) * usually
    mine = log(1 + reach.best(0, 1))
    always, lead, edge, counts = weights.again
    ahead = 0.0 if others is None else mine - others
    again = logistic(always + lead * (mine - log(1 + score)) + edge * ahead)
    opening = 1 + weights.opening if view.target is None else 1.0
    worth = alone * opening + (1 - alone) * counts * again + stakes.of_hand(kept, reach)
    return Promise(alone, again, worth)


class Answers:
    """What the opponents could answer to a play, over a number of guesses."""

    def __init__(self, guesses: Sequence[Guess]) -> None:
        """Take the guesses, of which there is at least one."""
        self._reaches = [[reach_of(hand) for hand in guess] for guess in guesses]
        self._best: dict[tuple[int, int], tuple[list[int], float]] = {}

    def alone(self, less: int, divisor: int, score: int) -> float:
        """Return the part of the guesses in which nobody answers `score` with this challenge."""
        scores = self.scores(less, divisor)
        return bisect_right(scores, score) / len(scores)

    def scores(self, less: int, divisor: int) -> list[int]:
        """Return the score of the best answer in each guess, the lowest first."""
        return self._of(less, divisor)[0]

    def best(self, less: int, divisor: int) -> float:
        """Return the mean logarithm of the best answer's score, and one."""
        return self._of(less, divisor)[1]

    def _of(self, less: int, divisor: int) -> tuple[list[int], float]:
        found = self._best.get((less, divisor))
        if found is None:
            scores = sorted(
                [max([reach.best(less, divisor) for reach in hands]) for hands in self._reaches]
            )
            mean = sum([log(1 + score) for score in scores]) / len(scores)
            found = self._best[less, divisor] = scores, mean
        return found


def without(cards: tuple[Card, ...], gone: tuple[Card, ...]) -> tuple[Card, ...]:
    """Return `cards` in their order without those that are `gone`."""
    rest = list(cards)
    for card in gone:
        rest.remove(card)
    return tuple(rest)
