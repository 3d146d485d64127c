"""What the others may hold: hands and draws that fit all that a viewer knows.

The cards that a viewer has not seen are the deck without the own hand, the standing play and the
discards.  Any of them may be anywhere, but players keep some cards and spend others, so a hand is
guessed with the odds that self-play found.
"""

from collections import Counter
from random import Random
from typing import NamedTuple

from raisesum.bots.judgement import JUDGEMENT, stage
from raisesum.engine import Card, View
from raisesum.engine.state import DRAW

#: A custom deck may leave nothing but cards that hardly anyone holds; one of them is held then.
_MOST_TRIES = 40


class Guess(NamedTuple):
    """One way in which the hidden cards may lie.

    Attributes:
        hands: the hands of the opponents who are in, in the order of their turns.
        draws: what each of them draws next.
        mine: what the viewer draws next.
    """

    hands: tuple[tuple[Card, ...], ...]
    draws: tuple[tuple[Card, ...], ...]
    mine: tuple[Card, ...]


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
        # What is left over when the pile runs short comes from the discards, in any order.
        self._discards = view.discard_pile
        self._draw_size = view.draw_size

    def guess(self, rng: Random) -> Guess:
        """Return one way, drawn from `rng`."""
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
                hand.append(pool[place])
                last = pool.pop()
                if place < len(pool):
                    pool[place] = last
            hands.append(tuple(hand))
        count = DRAW * (len(self.sizes) + 1)
        pile = self._pile(pool, count, rng)
        draws = [tuple(pile[start : start + DRAW]) for start in range(0, count, DRAW)]
        return Guess(tuple(hands), tuple(draws[:-1]), draws[-1])

    def _pile(self, pool: list[Card], count: int, rng: Random) -> list[Card]:
        # Picked one by one: `Random.sample` costs several times as much for a few cards.
        random = rng.random
        usable = min(count, self._draw_size, len(pool))
        pile = [pool.pop(int(random() * len(pool))) for _ in range(usable)]
        short = count - usable
        if short and self._discards:
            pile += rng.sample(self._discards, min(short, len(self._discards)))
        return pile
