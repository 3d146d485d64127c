"""The cheapest play that beats a target, found without listing every play.

What is cheapest is said by `cost`; `cheapest_play` finds the one legal play with the lowest
cost.  A play's score depends on nothing but its multiplications, whether it has a zero, and the
sum of its additions, and grows with that sum.  So it is enough to go through the few sets of
multiplications, and to look among the sums that the additions can have for the first one that
is large enough.  Which sums there are is kept as the bits of an integer, one integer for each
number of cards.
"""

from collections.abc import Iterable
from itertools import combinations
from math import prod
from typing import Final

from raisesum.bots.worth import PLACE, total_worth, worth
from raisesum.engine import PLAY_LIMIT, Card, Incoming, Kind, LegalPlay
from raisesum.engine.cards import ALL_CARDS
from raisesum.engine.scoring import score_of

#: As names of this module: who plays many matches asks for them many thousands of times.
_ADD: Final = Kind.ADD
_MULTIPLY: Final = Kind.MULTIPLY
_ZERO: Final = Kind.ZERO
_NO_FACTORS: Final[tuple[tuple[tuple[Card, ...], int], ...]] = (((), 1),)
_WITHOUT_ZERO: Final = (False,)
_WITH_ZERO: Final = (False, True)

#: The additions by their numbers.
_ADDITION: Final = {card.number: card for card in ALL_CARDS if card.kind is Kind.ADD}

Cost = tuple[int, bool, int, int, tuple[int, ...]]


def cost(cards: tuple[Card, ...], score: int) -> Cost:
    """Return what a play of `cards` costs; `cards` are sorted.

    First its score, since a lower one is easier to beat next time round but also easier to make;
    of equal scores, one that leaves a challenge is cheaper, since that costs nothing now; then
    the one with the fewest cards, and then the one whose cards are worth least.
    """
    # The ranks come last so that no two plays cost the same: the choice is then the same always.
    ranks = tuple([card.rank for card in cards])
    return score, not Incoming.of(cards), len(cards), total_worth(cards), ranks


def cheapest_play(
    hand: Iterable[Card], less: int, divisor: int, target: int | None
) -> LegalPlay | None:
    """Return the legal play with the lowest `cost`, its cards sorted; None when there is none.

    Args:
        hand: the cards held, in any order.
        less: the sum of the incoming subtractions.
        divisor: the product of the incoming divisions.
        target: the score to beat, None for an opening play.

    >>> from raisesum.engine import card_names, parse_cards
    >>> play = cheapest_play(parse_cards("+5 x3 +2 -1"), 0, 1, 4)
    >>> card_names(play.cards), play.score
    ('+5 -1', 5)
    """
    numbers: list[int] = []
    factors: list[Card] = []
    zero = challenge = None
    # Which sums so many additions have, as bits: for exactly one card, exactly two, and so on.
    one = two = three = four = five = 0
    for card in hand:
        kind = card.kind
        if kind is _ADD:
            number = card.number
            numbers.append(number)
            five |= four << number
            four |= three << number
            three |= two << number
            two |= one << number
            one |= 1 << number
        elif kind is _MULTIPLY:
            factors.append(card)
        elif kind is _ZERO:
            zero = card
        elif challenge is None or PLACE[card] < PLACE[challenge]:
            challenge = card
    if target is None:
        return _opening(numbers, factors, zero, challenge)
    if not numbers:
        return None
    # The same for at most so many.
    pairs = one | two
    triples = pairs | three
    fours = triples | four
    sums = (0, one, pairs, triples, fours, fours | five)
    # A zero that has nothing to cancel is a card more for the same score.
    zeros = _WITH_ZERO if zero is not None and (less or divisor > 1) else _WITHOUT_ZERO
    best_score, best_harmless = -1, True
    found: list[tuple[tuple[Card, ...], int, bool, int]] = []
    for chosen, factor in _factor_sets(factors) if factors else _NO_FACTORS:
        for black in zeros:
            room = PLAY_LIMIT - len(chosen) - black
            # The lowest sum of additions that beats the target, and the lowest there is from it.
            if black:
                needed = target // factor + 1
            else:
                needed = less - (-(target + 1) * divisor // factor)
            enough = sums[room] >> needed
            if not enough:
                continue
            total = needed + (enough & -enough).bit_length() - 1
            score = score_of(total, factor, black, less, divisor)
            if found and score > best_score:
                continue
            harmless = True
            if challenge is not None and room > 1:
                # The same with a card less, so that a challenge has a place: it may be dearer.
                enough = sums[room - 1] >> needed
                if enough:
                    lowest = needed + (enough & -enough).bit_length() - 1
                    if lowest == total or score_of(lowest, factor, black, less, divisor) == score:
                        total, harmless = lowest, False
            if score != best_score or harmless < best_harmless:
                best_score, best_harmless = score, harmless
                found = [(chosen, factor, black, total)]
            elif harmless is best_harmless:
                found.append((chosen, factor, black, total))
    if not found:
        return None
    extra = () if best_harmless or challenge is None else (challenge,)
    # The sets that reach the lowest score: of those, the fewest cards, the least worth, and last
    # the ranks decide.  More than one sum may give that score where division rounds down.
    exact = (0, one, two, three, four, five)
    ways: list[tuple[int, int, tuple[Card, ...], bool, int, int]] = []
    for chosen, factor, black, total in found:
        others = len(chosen) + black + len(extra)
        room = PLAY_LIMIT - others
        held = total_worth(chosen) + (worth(zero) if black and zero is not None else 0)
        while sums[room] >> total and score_of(total, factor, black, less, divisor) == best_score:
            for count in range(1, room + 1):
                if exact[count] >> total & 1:
                    ways.append((count + others, total + held, chosen, black, count, total))
                    break
            total += 1
            if divisor == 1 or black:
                break
    if len(ways) > 1:
        fewest = min([way[:2] for way in ways])
        ways = [way for way in ways if way[:2] == fewest]
    numbers.sort()
    plays = [
        _first_with_sum(numbers, count, total)
        + chosen
        + extra
        + ((zero,) if black and zero is not None else ())
        for _, _, chosen, black, count, total in ways
    ]
    return LegalPlay(min(plays, key=_ranks) if len(plays) > 1 else plays[0], best_score)


def _opening(
    numbers: list[int], factors: list[Card], zero: Card | None, challenge: Card | None
) -> LegalPlay | None:
    """Return the cheapest opening play: any one card that scores nothing, a challenge first."""
    if challenge is not None:
        return LegalPlay((challenge,), 0)
    idle = factors if zero is None else [*factors, zero]
    if idle:
        return LegalPlay((min(idle, key=PLACE.__getitem__),), 0)
    if numbers:
        lowest = min(numbers)
        return LegalPlay((_ADDITION[lowest],), score_of(lowest, 1, False, 0, 1))
    return None


def _ranks(cards: tuple[Card, ...]) -> tuple[int, ...]:
    return tuple([card.rank for card in cards])


def _first_with_sum(numbers: list[int], count: int, total: int) -> tuple[Card, ...]:
    """Return the first `count` additions, of these sorted numbers, that sum to `total`."""
    if count == 1:
        return (_ADDITION[total],)
    for some in combinations(numbers, count):
        if sum(some) == total:
            return tuple([_ADDITION[number] for number in some])
    raise ValueError(f"no {count} of {numbers} make {total}")


def _factor_sets(factors: list[Card]) -> list[tuple[tuple[Card, ...], int]]:
    """Return the different sets of `factors` beside which an addition has room, with products."""
    if len(factors) == 1:
        return [((), 1), ((factors[0],), factors[0].number)]
    factors.sort()
    sets: dict[tuple[Card, ...], int] = {(): 1}
    for size in range(1, min(len(factors), PLAY_LIMIT - 1) + 1):
        for chosen in combinations(factors, size):
            sets[chosen] = prod([card.number for card in chosen])
    return list(sets.items())
