"""What the others may answer with: hands and draws that fit all that a viewer knows.

The cards that a viewer has not seen are the deck without the own hand, the standing play and the
discards.  Any of them may be anywhere, but players keep some cards and spend others, so a hand is
guessed with the odds that were learned.
"""

from collections import Counter
from functools import cached_property
from random import Random

from raisesum.bots.judgement import JUDGEMENT, stage
from raisesum.bots.reach import Reach, reach_of
from raisesum.engine import Card, View
from raisesum.engine.state import DRAW

#: A custom deck may leave nothing but cards that hardly anyone holds; one of them is held then.
_MOST_TRIES = 40


#: The cards that the opponents who are in have on their next turns, in the order of these.
Guess = tuple[tuple[Card, ...], ...]


class Unseen:
    """The cards a viewer has not seen, to make guesses from."""

    def __init__(self, view: View) -> None:
        me = view.viewer or 1
        players = view.setup.players
        around = [view.seats[(me - 1 + step) % players] for step in range(1, players)]
        seen = Counter(view.hand)
        seen.update(view.discard_pile)
        if view.standing is not None:
            seen.update(view.standing.cards)
        #: In the order of faces: nothing about where the hidden cards are can show in it.
        self.cards = [
            card
            for card, copies in sorted(view.setup.deck.counts)
            for _ in range(copies - seen[card])
        ]
        self.sizes = [seat.hand_size for seat in around if seat.is_in]
        odds = JUDGEMENT.held[stage(view.target)]
        most = max([odds[card] for card in self.cards], default=1.0)
        self._chance = {card: odds[card] / most for card in set(self.cards)}
        self._discards = list(view.discard_pile)
        self._draw_size = view.draw_size

    def highest(self, less: int, divisor: int) -> int | None:
        """Return a score that no opponent's next reply is above, wherever the hidden cards are.

        None when cards are to be shuffled before: then more than the hidden ones can be drawn.
        """
        if self._draw_size < DRAW * len(self.sizes):
            return None
        return self._reach.best(less, divisor)

    @cached_property
    def _reach(self) -> Reach:
        return reach_of(self.cards)

    def guess(self, rng: Random) -> Guess:
        """Return one way in which the hidden cards may lie, drawn from `rng`."""
        random = rng.random
        pool = self.cards[:]
        chance = self._chance
        hands = []
        for size in self.sizes:
            hand = []
            for _ in range(min(size, len(pool))):
                place = 0
                # An even pick, kept with the odds of its face: cards often held are held more.
                for _ in range(_MOST_TRIES):
                    place = int(random() * len(pool))
                    if random() < chance[pool[place]]:
                        break
                hand.append(_taken(pool, place))
            hands.append(hand)
        # Nobody draws what is in the hand of one who has passed.
        to_come = self._draw_size
        discards = self._discards[:]
        for hand in hands:
            for _ in range(DRAW):
                # What is left over when the pile runs short comes from the discards, in any order.
                heap = pool if to_come else discards
                if not heap:
                    break
                hand.append(_taken(heap, int(random() * len(heap))))
                to_come -= to_come > 0
        return tuple([tuple(hand) for hand in hands])


def _taken(heap: list[Card], place: int) -> Card:
    """Take a card out of a heap whose order is of no account."""
    card, last = heap[place], heap.pop()
    if place < len(heap):
        heap[place] = last
    return card
