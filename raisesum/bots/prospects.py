"""What a round won or lost means for the match.

Nobody knows how the rounds to come will go; they are taken as won with chances that depend on
the hands kept for the very next round, and as even after that.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import exp
from operator import mul

from raisesum.bots.judgement import JUDGEMENT
from raisesum.engine import View


@lru_cache(maxsize=20_000)
def even_chance(needs: tuple[int, ...]) -> float:
    """Return the chance that the first player wins a match in which every round is a fair draw.

    Args:
        needs: the points that each player still needs.

    >>> even_chance((1, 1)), even_chance((1, 2)), even_chance((2, 1))
    (0.5, 0.75, 0.25)
    """
    if 0 in needs:
        return float(needs[0] == 0)
    return sum(
        even_chance((*needs[:seat], needs[seat] - 1, *needs[seat + 1 :]))
        for seat in range(len(needs))
    ) / len(needs)


class Prospects:
    """The chances of the viewer to win the match, after this round and with a hand kept.

    The opponents are counted among those who are still in, in the order of their turns.
    """

    def __init__(self, view: View) -> None:
        me = view.viewer or 1
        players = view.setup.players
        order = [view.seats[(me - 1 + step) % players] for step in range(players)]
        needs = tuple(view.setup.goal - seat.points for seat in order)
        self._players = players
        self._won = _after(needs, 0)
        #: Every opponent who is still in may be the one who wins the round.
        self._in = [place for place in range(1, players) if order[place].is_in]
        self._lost = [_after(needs, place) for place in self._in]

    def if_won(self, kept: float, others: Sequence[float] | None = None) -> float:
        """Return the chance when the viewer wins the round.

        Args:
            kept: the value of the viewer's hand then.
            others: the values of the opponents' hands, if something is known of them.
        """
        return self._chance(self._won, 0, self._weights(kept, others))

    def if_lost(
        self,
        kept: float,
        others: Sequence[float] | None = None,
        winners: Sequence[int] | None = None,
    ) -> float:
        """Return the chance when somebody else wins the round.

        Args:
            kept: the value of the viewer's hand then.
            others: as for `if_won`.
            winners: which opponents it may be; without it, any of them.
        """
        if not self._lost:
            return self.if_won(kept)
        weights = self._weights(kept, others)
        if winners is None:
            winners = range(len(self._lost))
        chances = [self._chance(self._lost[place], self._in[place], weights) for place in winners]
        return sum(chances) / len(chances)

    def _weights(self, kept: float, others: Sequence[float] | None) -> list[float]:
        # What is not known of a hand is taken to be as usual.
        usual = JUDGEMENT.usual_hand
        weights = [exp(kept - usual)] + [1.0] * (self._players - 1)
        if others is not None:
            for place, value in zip(self._in, others, strict=True):
                weights[place] = exp(value - usual)
        return weights

    def _chance(self, after: tuple[float, ...], opener: int, weights: list[float]) -> float:
        weights = weights[:]
        weights[opener] *= exp(JUDGEMENT.opener)
        hoped: float = sum(map(mul, weights, after))
        return hoped / sum(weights)


def _after(needs: tuple[int, ...], winner: int) -> tuple[float, ...]:
    """Return, for each winner of the round after this one, the first player's chance."""
    rest = (*needs[:winner], needs[winner] - 1, *needs[winner + 1 :])
    if 0 in rest:
        return (float(rest[0] == 0),) * len(needs)
    return tuple(
        even_chance((*rest[:seat], rest[seat] - 1, *rest[seat + 1 :])) for seat in range(len(needs))
    )
