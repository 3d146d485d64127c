"""What the networks are told of a turn and of what may be done in it: numbers, each at its place.

Everything is something that the viewer knows or guesses.  The places are those that the weights
were learned for (`learn_master.c`); all numbers are made to be of the order of 1.
"""

from collections import Counter
from collections.abc import Iterable
from functools import cache
from math import log
from typing import Final

from raisesum.bots.guesses import Unseen
from raisesum.bots.reach import Reach, reach_of
from raisesum.bots.sharp import Answers, Promise
from raisesum.bots.stakes import Stakes
from raisesum.engine import HAND_LIMIT, PLAY_LIMIT, Card, Kind, View

#: The faces that have a place, the kinds in order; a higher number counts as the highest there is.
_PLACES: Final = {
    Kind.ADD: (0, range(1, 10)),
    Kind.MULTIPLY: (9, range(2, 4)),
    Kind.SUBTRACT: (11, range(1, 6)),
    Kind.DIVIDE: (16, range(2, 4)),
    Kind.ZERO: (18, range(1)),
}
FACES: Final = 19
#: How many cards the deck has that sizes are measured by.
_DECK: Final = 98

# The cards that stay in hand: how many of each face, and whether there is one.
_KEPT: Final = 0
_HAS: Final = 19
# Their best score against four challenges, how many they are, their best score without the best
# of them, and the sum of the additions.
_REACH: Final = 38
_SIZE: Final = 42
_SECOND: Final = 43
_SUM: Final = 44
# A play: its score and challenge, and both together; whether it opens the round; how far what is
# kept could go beyond it.
_PLAYED: Final = 45
_SCORE: Final = 46
_LESS: Final = 47
_DIVISOR: Final = 48
_HEIGHT: Final = 49
_OPENS: Final = 50
_LEAD: Final = 51
# What answers it over the guesses: how often nothing does, the best answer on average, the first
# as odds, how far the answer is above the play, and where the quarters of the answers lie.
_ALONE: Final = 52
_ANSWER: Final = 53
_ODDS: Final = 54
_AHEAD: Final = 55
_QUARTERS: Final = 96
# The match: the points still to win (1, 2, or more), who is in, and the cards nobody has seen.
_TO_GO: Final = 56
_OTHERS: Final = 59
_PILE: Final = 60
_HIDDEN: Final = 61
_UNSEEN: Final = 62
# The opponents in the order of their turns: whether in, how many cards, points to win.
_SEATS: Final = 81
_SEAT: Final = 5
# A pass: whether the round goes on, whether nothing has been played in it, or whether it is over.
_GOES_ON: Final = 99
_BARE: Final = 100
_ENDED: Final = 101
# What `sharp` makes of it: nobody answers, the round is won all the same, the hand, all in all.
_PROMISE: Final = 102
# What is on the table before: the cards of the standing play, the target, what works against.
_STANDING: Final = 106
_TARGET: Final = 125
INPUTS: Final = 129

#: The challenges that what is kept is measured against.
_CHALLENGES: Final = ((0, 1), (3, 1), (0, 2), (3, 6))
#: Of the cards kept, so many factors and so many cards in all make the best play.
_FACTORS: Final = 2
_BEST: Final = PLAY_LIMIT - 1
#: The most points to win that are told apart.
_MOST_TO_GO: Final = 3

Told = list[tuple[int, float]]


@cache
def place_of(card: Card) -> int:
    """Return the place of a face among all.

    >>> from raisesum.engine import parse_cards
    >>> [place_of(card) for card in parse_cards("+1 +9 +20 x2 x9 -5 /2 0")]
    [0, 8, 8, 9, 10, 15, 16, 18]
    """
    first, numbers = _PLACES[card.kind]
    return first + min(card.number, numbers[-1]) - numbers[0]


class Sight:
    """What is told of one turn."""

    def __init__(self, view: View, stakes: Stakes, unseen: Unseen, answers: Answers) -> None:
        self._view = view
        self._stakes = stakes
        self._answers = answers
        self._others = len(unseen.sizes)
        players = view.setup.players
        me = view.viewer or 1
        goal = view.setup.goal
        self._around = [view.seats[(me - 1 + step) % players] for step in range(1, players)]
        self._goal = goal
        standing = () if view.standing is None else view.standing.cards
        self._table: Told = [
            (_TO_GO - 1 + min(_MOST_TO_GO, goal - view.seats[me - 1].points), 1.0),
            (_OTHERS, self._others / 3),
            (_PILE, view.draw_size / _DECK),
            (_HIDDEN, len(unseen.cards) / _DECK),
            *_counted(unseen.cards, _UNSEEN, 8),
            *_counted(standing, _STANDING, 2),
        ]
        if view.target is not None:
            self._table += [
                (_TARGET, log(1 + view.target) / 4),
                (_TARGET + 1, 1.0),
                (_TARGET + 2, view.incoming.less / 5),
                (_TARGET + 3, log(view.incoming.divisor)),
            ]

    @property
    def pass_ends_round(self) -> bool:
        """Whether only one opponent is in."""
        return self._others == 1

    def of_table(self, *, ended: bool = False) -> Told:
        """Return what is the same for all plays; with `ended`, what it is after a pass."""
        told = self._table[:]
        for step, seat in enumerate(self._around):
            first = _SEATS + _SEAT * step
            to_go = self._goal - seat.points - (ended and seat.is_in)
            told += [
                (first, float(ended or seat.is_in)),
                (first + 1, seat.hand_size / 10),
                (first + 1 + max(1, min(_MOST_TO_GO, to_go)), 1.0),
            ]
        return told

    def of_play(
        self,
        score: int,
        challenge: tuple[int, int],
        kept: tuple[Card, ...],
        reach: Reach,
        promise: Promise,
    ) -> Told:
        """Return what is told of a play.

        Args:
            score: its score.
            challenge: what it subtracts from the next reply, and what it divides it by.
            kept: the cards that stay in hand.
            reach: that of the cards kept.
            promise: what `sharp` makes of it.
        """
        answers = self._answers
        less, divisor = challenge
        met = answers.alone(less, divisor, score)
        best = answers.best(less, divisor)
        scores = answers.scores(less, divisor)
        many = len(scores)
        height = log(1 + score)
        mine = log(1 + reach.best(0, 1))
        return [
            *self._of_hand(kept, reach),
            (_PLAYED, 1.0),
            (_SCORE, height / 4),
            (_LESS, less / 5),
            (_DIVISOR, log(divisor)),
            (_HEIGHT, log((score + 1) * divisor + less) / 4),
            (_OPENS, float(self._view.target is None)),
            (_LEAD, (mine - height) / 2),
            (_ALONE, met),
            (_ANSWER, best / 4),
            (_ODDS, log((met + 0.02) / (1.02 - met)) / 4),
            (_AHEAD, (best - height) / 2),
            (_QUARTERS, (log(1 + scores[many // 4]) - height) / 2),
            (_QUARTERS + 1, (log(1 + scores[many * 3 // 4]) - height) / 2),
            (_QUARTERS + 2, (log(1 + scores[many // 2]) - mine) / 2),
            (_PROMISE, promise.alone),
            (_PROMISE + 1, promise.again),
            *self._of_worth(kept, reach, promise.worth),
        ]

    def of_pass(self, kept: tuple[Card, ...], worth: float) -> Told:
        """Return what is told of a pass that keeps these cards, which `sharp` finds worth that."""
        reach = reach_of(kept)
        told = [*self._of_hand(kept, reach), *self._of_worth(kept, reach, worth)]
        if self.pass_ends_round:
            told.append((_ENDED, 1.0))
        else:
            view = self._view
            told += [
                (_GOES_ON, 1.0),
                (_SCORE, log(1 + (view.target or 0)) / 4),
                (_LESS, view.incoming.less / 5),
                (_DIVISOR, log(view.incoming.divisor)),
                (_BARE, float(view.target is None)),
            ]
        return told

    def _of_hand(self, kept: tuple[Card, ...], reach: Reach) -> Told:
        told = _counted(kept, _KEPT, 2)
        told += [(place + _HAS, 1.0) for place, _ in told]
        for step, challenge in enumerate(_CHALLENGES):
            told.append((_REACH + step, log(1 + reach.best(*challenge)) / 4))
        additions = [card for card in kept if card.kind is Kind.ADD]
        told += [
            (_SIZE, len(kept) / HAND_LIMIT),
            (_SECOND, log(1 + _reach_without_best(kept).best(0, 1)) / 4),
            (_SUM, sum([card.number for card in additions]) / 30),
        ]
        return told

    def _of_worth(self, kept: tuple[Card, ...], reach: Reach, worth: float) -> Told:
        stakes = self._stakes
        return [
            (_PROMISE + 2, stakes.of_hand(kept, reach) / stakes.cards_count),
            (_PROMISE + 3, worth),
        ]


def _counted(cards: Iterable[Card], first: int, unit: int) -> Told:
    return [(first + place, count / unit) for place, count in Counter(map(place_of, cards)).items()]


def _reach_without_best(kept: tuple[Card, ...]) -> Reach:
    """Return the reach of a hand after its largest factors and additions have gone."""
    factors = sorted([card for card in kept if card.kind is Kind.MULTIPLY], reverse=True)
    additions = sorted([card for card in kept if card.kind is Kind.ADD], reverse=True)
    used = min(len(factors), _FACTORS)
    rest = [card for card in kept if card.kind is Kind.ZERO]
    return reach_of([*factors[used:], *additions[_BEST - used :], *rest])
