"""What a round and the cards in hand are worth at this moment of a match.

A round won is the unit.  Cards kept are worth a part of one: they win later turns and rounds.
"""

from collections.abc import Sequence
from math import log

from raisesum.bots.judgement import JUDGEMENT, of_cards
from raisesum.bots.reach import Reach, reach_of
from raisesum.engine import HAND_LIMIT, Card, View


class Stakes:
    """What is at stake for the viewer of a turn."""

    def __init__(self, view: View) -> None:
        me = view.viewer or 1
        goal = view.setup.goal
        self.weights = JUDGEMENT.weights[view.setup.players]
        #: What each face adds to the worth of a hand.
        self.value = of_cards(self.weights.cards)
        self._mine = view.seats[me - 1].points
        self._theirs = max([seat.points for seat in view.seats if seat.number != me])
        #: The fullest hand among the opponents who are in.
        self.held = max(
            [seat.hand_size for seat in view.seats if seat.is_in and seat.number != me], default=0
        )
        mine, theirs = self.weights.last
        #: How much the cards kept count: less where the next point may be the last.
        self.cards_count = (mine if self._mine == goal - 1 else 1.0) * (
            theirs if self._theirs == goal - 1 else 1.0
        )
        self._goal = goal
        self._worths: dict[tuple[Card, ...], float] = {}

    def of_hand(self, cards: tuple[Card, ...], reach: Reach | None = None) -> float:
        """Return what a hand is worth; of more cards than may be kept, the best.

        Args:
            cards: the cards, in any order.
            reach: that of the cards, where it is known and there are no more than may be kept.
        """
        worth = self._worths.get(cards)
        if worth is None:
            kept = cards
            if len(kept) > HAND_LIMIT:
                kept = self.keep(kept, HAND_LIMIT)
                reach = None
            value = self.value
            weights = self.weights
            worth = self._worths[cards] = self.cards_count * (
                sum([value[card] for card in kept])
                + weights.reach * log(1 + (reach or reach_of(kept)).best(0, 1))
                + weights.size * len(kept) / HAND_LIMIT
            )
        return worth

    def keep(self, cards: Sequence[Card], most: int) -> tuple[Card, ...]:
        """Return the `most` cards worth keeping, the best first."""
        value = self.value
        return tuple(sorted(cards, key=lambda card: (-value[card], card.rank))[:most])

    @property
    def is_last_stand(self) -> bool:
        """Whether an opponent's next point is the last."""
        return self._theirs >= self._goal - 1

    def of_pass(self, hand: tuple[Card, ...]) -> float:
        """Return what passing with this hand is worth, apart from a match that it may lose."""
        always, close, lead, held = self.weights.passing
        return (
            always
            + close * (self._theirs == self._goal - 2)
            + lead * (self._mine - self._theirs)
            + held * (self.held - 4) / 10
            + self.of_hand(hand)
        )
