"""How a round goes on when the hidden cards lie as guessed.

Everybody plays as `steady` does, but for one thing: the viewer, when the turn comes round again and
there is a play that nobody can answer, ends the round with it.  Without that, whoever looks ahead
would think that a round can only be won now, and spend too much on it.
"""

from typing import Final, NamedTuple

from raisesum.bots.cheapest import cheapest_play
from raisesum.bots.guesses import Guess
from raisesum.bots.knockout import knock_out
from raisesum.bots.reach import Reach, reach_of
from raisesum.bots.sharp import Option
from raisesum.bots.stakes import Stakes
from raisesum.bots.worth import by_use
from raisesum.engine import HAND_LIMIT, Card, Kind, View

_SUBTRACT: Final = Kind.SUBTRACT
_DIVIDE: Final = Kind.DIVIDE

#: A hand, the target, and the subtractions and divisions that work against the reply.
_Question = tuple[tuple[Card, ...], int | None, int, int]


class Reply(NamedTuple):
    """An answer: its score, what it sends on, and the cards kept after discarding."""

    score: int
    less: int
    divisor: int
    kept: tuple[Card, ...]


class Seen(NamedTuple):
    """What became of one play over some guesses: sums over them, and their number.

    Attributes:
        worth: what the endings are worth; see `stakes`.
        won: in how many of them the round was won.
        alone: in how many nobody answered.
        guesses: how many there were.
    """

    worth: float
    won: int
    alone: int
    guesses: int

    @property
    def promise(self) -> float:
        """What an ending is worth on average."""
        return self.worth / self.guesses

    def plus(self, more: "Seen") -> "Seen":
        """Return what was seen over both sets of guesses."""
        return Seen(
            self.worth + more.worth,
            self.won + more.won,
            self.alone + more.alone,
            self.guesses + more.guesses,
        )


#: Stands for an answer that was not looked for yet.
_UNKNOWN: Final = Reply(-1, 0, 1, ())


class Ending(NamedTuple):
    """How a round ended for the one who looks ahead.

    Attributes:
        won: whether it was won.
        alone: whether nobody answered the first play.
        hand: the cards held at the end.
        others: those of the opponents, who are in when the look ahead begins.
    """

    won: bool
    alone: bool
    hand: tuple[Card, ...]
    others: tuple[tuple[Card, ...], ...]


class Rollout:
    """Rounds played on from one turn.  What was answered once is remembered."""

    def __init__(self) -> None:
        """Begin anew."""
        self._replies: dict[_Question, Reply | None] = {}
        self._reaches: dict[tuple[Card, ...], Reach] = {}

    def after_play(self, option: Option, guesses: list[Guess], stakes: Stakes) -> Seen:
        """Return what becomes of a play over all `guesses`."""
        score, less, divisor = option.play.score, option.less, option.divisor
        return _summed(
            [self.play_on(guess, option.kept, score, less, divisor) for guess in guesses], stakes
        )

    def after_pass(self, view: View, guesses: list[Guess], stakes: Stakes) -> Seen:
        """Return what becomes of a pass, the viewer's turn being `view`."""
        target, less, divisor = view.target, view.incoming.less, view.incoming.divisor
        return _summed(
            [
                self.play_on(guess, view.hand, target, less, divisor, passes=True)
                for guess in guesses
            ],
            stakes,
        )

    def play_on(
        self,
        guess: Guess,
        hand: tuple[Card, ...],
        target: int | None,
        less: int,
        divisor: int,
        *,
        passes: bool = False,
    ) -> Ending:
        """Return how the round ends after the viewer's turn.

        When the viewer has passed before the end, what follows is left open.

        Args:
            guess: where the hidden cards are.
            hand: the viewer's cards after the turn.
            target: the score to beat.
            less: the sum of the subtractions that work against the next reply.
            divisor: the product of the divisions.
            passes: whether the viewer passes in this turn.
        """
        replies = self._replies
        me = len(guess.hands)
        hands = [*guess.hands, hand]
        still_in = list(range(me if passes else me + 1))
        lap = 0
        answered = False
        while True:
            for place in still_in[:]:
                if len(still_in) == 1:
                    won = still_in[0] == me
                    return Ending(won, won and not answered, hands[me], tuple(hands[:me]))
                held = hands[place] + guess.drawn(lap, place)
                if place == me:
                    others = [hands[other] + guess.drawn(lap + 1, other) for other in still_in[:-1]]
                    kept = self._knock_out(held, others, target, less, divisor)
                    if kept is not None:
                        for other, drawn in zip(still_in, others, strict=False):
                            hands[other] = drawn
                        return Ending(True, False, kept, tuple(hands[:me]))
                key = (held, target, less, divisor)
                reply = replies.get(key, _UNKNOWN)
                if reply is _UNKNOWN:
                    reply = self._reply(key)
                if reply is None:
                    hands[place] = held
                    if place == me:
                        return Ending(False, False, held, tuple(hands[:me]))
                    still_in.remove(place)
                else:
                    answered = True
                    target, less, divisor, hands[place] = reply
            lap += 1

    def _knock_out(
        self,
        hand: tuple[Card, ...],
        others: list[tuple[Card, ...]],
        target: int | None,
        less: int,
        divisor: int,
    ) -> tuple[Card, ...] | None:
        """Return what a play that none of `others` answers leaves of `hand`, if there is one."""
        best = knock_out(hand, [self._reach(held) for held in others], target, less, divisor)
        if best is None:
            return None
        kept = list(hand)
        for card in best:
            kept.remove(card)
        return tuple(kept)

    def _reach(self, hand: tuple[Card, ...]) -> Reach:
        reach = self._reaches.get(hand)
        if reach is None:
            reach = self._reaches[hand] = reach_of(hand)
        return reach

    def _reply(self, key: _Question) -> Reply | None:
        hand, target, less, divisor = key
        play = cheapest_play(hand, less, divisor, target)
        reply = None
        if play is not None:
            cards, score = play
            rest = list(hand)
            less, divisor = 0, 1
            for card in cards:
                rest.remove(card)
                if card.kind is _SUBTRACT:
                    less += card.number
                elif card.kind is _DIVIDE:
                    divisor *= card.number
            kept = by_use(rest)[-HAND_LIMIT:] if len(rest) > HAND_LIMIT else tuple(rest)
            reply = Reply(score, less, divisor, kept)
        self._replies[key] = reply
        return reply


def _summed(endings: list[Ending], stakes: Stakes) -> Seen:
    worth, won, alone = 0.0, 0, 0
    for ending in endings:
        worth += stakes.of_ending(ending.won, ending.hand, ending.others)
        won += ending.won
        alone += ending.alone
    return Seen(worth, won, alone, len(endings))
