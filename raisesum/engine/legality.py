"""What may be done now: one source for moves, buttons, previews and bots.

Every refusal is an `IllegalActionError` whose `reason` is one of the constants below.
"""

from collections import Counter
from collections.abc import Iterable
from math import prod
from typing import Final, NamedTuple

from raisesum.engine.actions import Action, Discard, Play
from raisesum.engine.cards import Card, Kind
from raisesum.engine.errors import IllegalActionError
from raisesum.engine.scoring import Incoming, score_of
from raisesum.engine.state import HAND_LIMIT, PLAY_LIMIT, Phase

MATCH_OVER: Final = "match over"
NOT_YOUR_TURN: Final = "not your turn"
DRAW_FIRST: Final = "draw first"
DISCARD_FIRST: Final = "discard first"
NOTHING_TO_DISCARD: Final = "nothing to discard"
WRONG_DISCARD_COUNT: Final = "wrong discard count"
NO_CARDS: Final = "no cards"
TOO_MANY_CARDS: Final = "too many cards"
NOT_IN_HAND: Final = "not in hand"
DOES_NOT_BEAT: Final = "does not beat"

_IN_WORDS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


class LegalPlay(NamedTuple):
    """A play that the rules allow, with the score it would have."""

    cards: tuple[Card, ...]
    score: int


def legal_plays(
    hand: Iterable[Card], incoming: Incoming, target: int | None
) -> tuple[LegalPlay, ...]:
    """Return the different plays that `hand` allows.

    Plays that differ only in the order of their cards, or in which of several equal cards they
    use, are one.  The cards of each are sorted; shorter plays come before longer ones, and the
    order depends on nothing but the faces in the hand.

    >>> from raisesum.engine.cards import card_names, parse_cards
    >>> plays = legal_plays(parse_cards("+4 +3 +4"), Incoming(), 7)
    >>> [(card_names(play.cards), play.score) for play in plays]
    [('+4 +4', 8), ('+3 +4 +4', 11)]
    """
    less, divisor = incoming.less, incoming.divisor
    floor = -1 if target is None else target
    # A bot's turn or a replayed match lists hundreds of plays at a time, so no play is built
    # twice: those of each size grow by every face in turn, and carry the sums that their score
    # needs (additions, product of multiplications, whether a zero is among them).
    by_size: list[list[tuple[tuple[Card, ...], int, int, bool]]]
    by_size = [[((), 0, 1, False)], *([] for _ in range(PLAY_LIMIT))]
    for card, copies in sorted(Counter(hand).items()):
        plus = card.number if card.kind is Kind.ADD else 0
        times = card.number if card.kind is Kind.MULTIPLY else 1
        black = card.kind is Kind.ZERO
        # From the longest to the shortest: a play grown by this face must not grow by it again.
        for size in reversed(range(PLAY_LIMIT)):
            for used in range(1, min(copies, PLAY_LIMIT - size) + 1):
                new, more, factors = (card,) * used, plus * used, times**used
                by_size[size + used] += [
                    (cards + new, total + more, factor * factors, zero or black)
                    for cards, total, factor, zero in by_size[size]
                ]
    return tuple(
        [
            # What LegalPlay(cards, points) does, without the cost of its call.
            tuple.__new__(LegalPlay, (cards, points))
            for plays in by_size[1:]
            for cards, total, factor, zero in plays
            if (points := score_of(total, factor, zero, less, divisor)) > floor
        ]
    )


def can_beat(hand: Iterable[Card], incoming: Incoming, target: int | None) -> bool:
    """Return whether `hand` allows any play: the same as `legal_plays` not being empty.

    >>> from raisesum.engine.cards import parse_cards
    >>> can_beat(parse_cards("+4 +3 -2"), Incoming(), 7)
    False
    """
    hand = tuple(hand)
    if target is None:
        return bool(hand)
    return best_score(hand, incoming) > target


def best_score(hand: Iterable[Card], incoming: Incoming) -> int:
    """Return the highest score that one to five cards of `hand` can have; 0 for an empty hand.

    More of a larger addition or multiplication never lowers a score that is above zero, so it
    is enough to try, for every number of multiplications, the largest of each kind.
    """
    hand = tuple(hand)
    additions = sorted((c.number for c in hand if c.kind is Kind.ADD), reverse=True)
    factors = sorted((c.number for c in hand if c.kind is Kind.MULTIPLY), reverse=True)
    zeros = (False, True) if any(c.kind is Kind.ZERO for c in hand) else (False,)
    return max(
        score_of(
            sum(additions[: PLAY_LIMIT - used - zero]),
            prod(factors[:used]),
            zero,
            incoming.less,
            incoming.divisor,
        )
        for zero in zeros
        for used in range(min(len(factors), PLAY_LIMIT - zero) + 1)
    )


def check_turn(phase: Phase, turn: int, seat: int) -> None:
    """Raise IllegalActionError unless `seat` is the one that the match waits for."""
    if phase is Phase.OVER:
        raise IllegalActionError(MATCH_OVER, "The match is over.")
    if seat != turn:
        raise IllegalActionError(NOT_YOUR_TURN, "It is not your turn.")
    if phase is Phase.DRAW:
        raise IllegalActionError(DRAW_FIRST, "The turn begins with a draw.")


def check_action(
    action: Action, phase: Phase, hand: tuple[Card, ...], played: int | None, target: int | None
) -> None:
    """Raise IllegalActionError unless the mover may take `action`.

    Args:
        action: what the mover wants.
        phase: what the match waits for.
        hand: the mover's cards.
        played: the score of `action` when it is a play, else None.
        target: the score to beat, None for an opening play.
    """
    excess = len(hand) - HAND_LIMIT
    if phase is Phase.DISCARD:
        if not isinstance(action, Discard):
            raise IllegalActionError(
                DISCARD_FIRST, f"Discard {excess} first: {in_words(HAND_LIMIT)} cards stay."
            )
        if len(action.cards) != excess:
            raise IllegalActionError(
                WRONG_DISCARD_COUNT,
                f"Discard {excess}, not {len(action.cards)}: {in_words(HAND_LIMIT)} cards stay.",
            )
        _check_in_hand(action.cards, hand)
    elif isinstance(action, Discard):
        raise IllegalActionError(NOTHING_TO_DISCARD, "Play or pass: nothing is to be discarded.")
    elif isinstance(action, Play):
        if not action.cards:
            raise IllegalActionError(
                NO_CARDS, f"Choose one to {in_words(PLAY_LIMIT)} cards to play."
            )
        if len(action.cards) > PLAY_LIMIT:
            raise IllegalActionError(TOO_MANY_CARDS, too_many_cards(len(action.cards)))
        _check_in_hand(action.cards, hand)
        if target is not None and played is not None and played <= target:
            raise IllegalActionError(DOES_NOT_BEAT, does_not_beat(played, target))


def too_many_cards(count: int) -> str:
    """Return why `count` cards, more than a play may have, are refused.

    >>> too_many_cards(6)
    '6 cards are too many. A play has at most five.'
    """
    return f"{count} cards are too many. A play has at most {in_words(PLAY_LIMIT)}."


def does_not_beat(score: int, target: int) -> str:
    """Return why a reply of `score`, which is not above `target`, is refused.

    >>> does_not_beat(9, 9)
    '9 ties 9. You need 10 or more.'
    """
    verb = "ties" if score == target else "does not beat"
    return f"{score} {verb} {target}. You need {target + 1} or more."


def in_words(number: int) -> str:
    """Return a number as sentences write the small ones: in words up to nine, then in digits.

    >>> in_words(0), in_words(7), in_words(12)
    ('no', 'seven', '12')
    """
    return _IN_WORDS[number] if number < len(_IN_WORDS) else str(number)


def _check_in_hand(cards: tuple[Card, ...], hand: tuple[Card, ...]) -> None:
    if len(set(cards)) == len(cards) and set(hand).issuperset(cards):
        return  # the usual case, at a tenth of the price: different cards, all of them held
    missing = Counter(cards) - Counter(hand)
    if missing:
        card = min(missing)
        held = hand.count(card)
        only = "only " if held else ""
        raise IllegalActionError(NOT_IN_HAND, f"You hold {only}{in_words(held)} {card.name}.")
