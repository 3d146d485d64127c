"""The bot that judges each play by what the others can still answer, and by what it keeps."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from random import Random
from typing import NamedTuple

from raisesum.bots.decision import Decision, Reason, forced_pass
from raisesum.bots.guesses import Guess, Unseen
from raisesum.bots.judgement import JUDGEMENT, after_features
from raisesum.bots.prospects import Prospects
from raisesum.bots.reach import Reach, reach_of
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
JUDGED = 60


class Option(NamedTuple):
    """A play and what it promises.

    Attributes:
        worth: the chance of winning the match.
        chance: the chance of winning the round.
        alone: the chance that nobody can answer.
        play: the play.
        less, divisor: its challenge.
        kept: the cards that stay in hand, after discarding.
        value: what these add to the log-odds of the next round.
    """

    worth: float
    chance: float
    alone: float
    play: LegalPlay
    less: int
    divisor: int
    kept: tuple[Card, ...]
    value: float


class Appraisal(NamedTuple):
    """A turn judged: the options, the best first, and what passing promises.

    `guesses` are those that the options were judged with.
    """

    options: list[Option]
    passing: float
    guesses: list[Guess]
    prospects: Prospects


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
    facts = {
        "chance": round(best.chance, 3),
        "alone": round(best.alone, 3),
        "plays": len(view.legal_plays),
    }
    if appraisal.passing > best.worth:
        return Decision(Pass(), Reason("save", facts))
    return Decision(Play(best.play.cards), Reason("judged", facts))


def certain_play(view: View) -> LegalPlay | None:
    """Return a play that wins the match now, whatever cards the others hold, if there is one."""
    me = view.viewer or 1
    if view.seats[me - 1].points + 1 < view.setup.goal:
        return None
    unseen = Unseen(view)
    for play in view.legal_plays:
        incoming = Incoming.of(play.cards)
        highest = unseen.highest(incoming.less, incoming.divisor)
        if highest is not None and play.score >= highest:
            return play
    return None


def discard(view: View) -> Decision:
    """Return the discard of the cards that are worth least in the next round."""
    kept = keep(view.hand, HAND_LIMIT)
    gone = list(view.hand)
    for card in kept:
        gone.remove(card)
    return Decision(Discard(tuple(sorted(gone))), Reason("least"))


def keep(cards: Iterable[Card], most: int) -> tuple[Card, ...]:
    """Return the `most` cards worth keeping, the best first."""
    value = JUDGEMENT.value
    return tuple(sorted(cards, key=lambda card: (-value[card], card.rank))[:most])


def appraise(view: View, rng: Random, most: int | None = None) -> Appraisal:
    """Judge the legal plays of a turn on which there are some.

    Args:
        view: the turn.
        rng: where the guesses come from.
        most: how many plays are judged in full; without it, as many as `sharp` does.
    """
    unseen = Unseen(view)
    guesses = [unseen.guess(rng) for _ in range(GUESSES)]
    chances = Answers(guesses)
    prospects = Prospects(view)
    value = JUDGEMENT.value
    ordered = keep(view.hand, len(view.hand))
    glances: list[tuple[float, int, LegalPlay, int, int, float]] = []
    for play in view.legal_plays:
        incoming = Incoming.of(play.cards)
        less, divisor = incoming.less, incoming.divisor
        alone = chances.alone(less, divisor, play.score)
        spent = sum([value[card] for card in play.cards])
        glances.append((spent - alone, len(glances), play, less, divisor, alone))
    glances.sort()
    opponents = len(unseen.sizes)
    held = sum(unseen.sizes) / opponents
    options = []
    reaches: dict[tuple[Card, ...], Reach] = {}
    for _, _, play, less, divisor, alone in glances[: most or JUDGED]:
        kept = without(ordered, play.cards)[:HAND_LIMIT]
        reach = reaches.get(kept)
        if reach is None:
            reach = reaches[kept] = reach_of(kept)
        chance = chance_after(opponents, kept, reach, play.score, less, divisor, alone, held)
        worth_kept = sum([value[card] for card in kept])
        worth = chance * prospects.if_won(worth_kept) + (1 - chance) * prospects.if_lost(worth_kept)
        options.append(Option(worth, chance, alone, play, less, divisor, kept, worth_kept))
    options.sort(key=lambda option: -option.worth)
    passing = prospects.if_lost(sum([value[card] for card in ordered[:HAND_LIMIT]]))
    return Appraisal(options, passing, guesses, prospects)


def chance_after(
    opponents: int,
    kept: tuple[Card, ...],
    reach: Reach,
    score: int,
    less: int,
    divisor: int,
    alone: float,
    held: float,
) -> float:
    """Return the chance of winning the round after a play; see `after_features`."""
    model = JUDGEMENT.after[opponents]
    of_card: Mapping[Card, float] = model.of_card
    features = after_features(reach, len(kept), score, less, divisor, alone, held)
    return model.chance(sum([of_card[card] for card in kept]), features)


class Answers:
    """How often the opponents could answer a play, over a number of guesses."""

    def __init__(self, guesses: list[Guess]) -> None:
        self._reaches = [
            [reach_of(guess.hands[place] + guess.drawn(0, place)) for guess in guesses]
            for place in range(len(guesses[0].hands))
        ]
        self._best: dict[tuple[int, int], list[list[int]]] = {}

    def alone(self, less: int, divisor: int, score: int) -> float:
        """Return the chance that nobody answers `score` with this challenge."""
        best = self._best.get((less, divisor))
        if best is None:
            best = self._best[less, divisor] = [
                sorted([reach.best(less, divisor) for reach in reaches])
                for reaches in self._reaches
            ]
        chance = 1.0
        for scores in best:
            chance *= bisect_right(scores, score) / len(scores)
        return chance


def without(cards: tuple[Card, ...], gone: tuple[Card, ...]) -> tuple[Card, ...]:
    """Return `cards` in their order without those that are `gone`."""
    rest = list(cards)
    for card in gone:
        rest.remove(card)
    return tuple(rest)
