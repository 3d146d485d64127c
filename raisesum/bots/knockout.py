"""A play that ends the round: one that none of some known hands can answer."""

from collections.abc import Sequence
from operator import attrgetter
from typing import Final

from raisesum.bots.reach import Reach
from raisesum.bots.worth import worth
from raisesum.engine import PLAY_LIMIT, Card, Kind
from raisesum.engine.scoring import score_of

_ADD: Final = Kind.ADD
_MULTIPLY: Final = Kind.MULTIPLY
_ZERO: Final = Kind.ZERO
_SUBTRACT: Final = Kind.SUBTRACT
_number: Final = attrgetter("number")

#: By how much the play must score more than it has to: who looks ahead knows the hands better
#: than who plays will.
MARGIN: Final = 2


def knock_out(
    hand: Sequence[Card], others: Sequence[Reach], target: int | None, less: int, divisor: int
) -> tuple[Card, ...] | None:
    """Return the play of least worth, of those tried, that nobody answers; None without one.

    Tried are the largest cards of each kind, in all numbers that a play has room for.

    Args:
        hand: the cards held.
        others: what can be reached by those who would have to answer.
        target: the score to beat, None for an opening play.
        less: the sum of the incoming subtractions.
        divisor: the product of the incoming divisions.

    >>> from raisesum.bots.reach import reach_of
    >>> from raisesum.engine import card_names, parse_cards
    >>> held = parse_cards("+9 +8 +2 x3 /2 -1")
    >>> card_names(knock_out(held, [reach_of(parse_cards("+9 +9 x2"))], 10, 0, 1))
    '+9 x3 /2'
    """
    additions: list[Card] = []
    factors: list[Card] = []
    divisions: list[Card] = []
    zero = subtraction = None
    for card in hand:
        kind = card.kind
        if kind is _ADD:
            additions.append(card)
        elif kind is _MULTIPLY:
            factors.append(card)
        elif kind is _ZERO:
            zero = card
        elif kind is _SUBTRACT:
            if subtraction is None or card.number > subtraction.number:
                subtraction = card
        else:
            divisions.append(card)
    if not additions:
        return None
    additions.sort(key=_number, reverse=True)
    factors.sort(key=_number, reverse=True)
    divisions.sort(key=_number, reverse=True)
    floor = -1 if target is None else target
    # What multiplies the sum of the additions, with the worth of that.
    means: list[tuple[tuple[Card, ...], int, bool, int]] = []
    product, spent = 1, 0
    for count in range(min(len(factors), PLAY_LIMIT - 1) + 1):
        if count:
            product *= factors[count - 1].number
            spent += worth(factors[count - 1])
        chosen = tuple(factors[:count])
        means.append((chosen, product, False, spent))
        if zero is not None and (less or divisor > 1):
            means.append(((*chosen, zero), product, True, spent + worth(zero)))
    best: tuple[Card, ...] | None = None
    least = 0
    for challenge in _challenges(divisions, subtraction):
        sent, by, cost = 0, 1, 0
        for card in challenge:
            cost += worth(card)
            if card.kind is _SUBTRACT:
                sent += card.number
            else:
                by *= card.number
        needed = floor
        for reach in others:
            answer = reach.best(sent, by)
            if answer > needed:
                needed = answer
        needed += MARGIN
        for others_used, factor, black, spent in means:
            room = PLAY_LIMIT - len(challenge) - len(others_used)
            total, price = 0, cost + spent
            for count, card in enumerate(additions[:room], 1):
                total += card.number
                price += card.number
                if best is not None and price >= least:
                    break
                if score_of(total, factor, black, less, divisor) >= needed:
                    best = (*additions[:count], *others_used, *challenge)
                    least = price
                    break
    return best


def _challenges(divisions: list[Card], subtraction: Card | None) -> list[tuple[Card, ...]]:
    sets: list[tuple[Card, ...]] = [
        (),
        *(tuple(divisions[:n]) for n in (1, 2) if n <= len(divisions)),
    ]
    if subtraction is not None:
        sets += [(*some, subtraction) for some in sets]
    return sets
