"""Positions put together by hand, to be shown or to be played from: states of the engine.

Every card of the deck is in its place, and the score of the play on the table is the scorer's.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from raisesum.engine import (
    NO_INCOMING,
    OFFICIAL_DECKS,
    Incoming,
    Phase,
    Setup,
    StandingPlay,
    State,
    parse_cards,
    score,
)


def standing_play(seat: int, cards: str, answered: str = "") -> StandingPlay:
    """Return a play of `cards` by `seat` against the challenge of `answered`, as it lies there.

    >>> standing_play(2, "+4 +2 -1").score
    6
    """
    laid = parse_cards(cards)
    incoming = Incoming.of(parse_cards(answered)) if answered else NO_INCOMING
    return StandingPlay(seat, laid, score(laid, incoming).score, incoming)


def position(
    deck: str,
    hands: Sequence[str],
    *,
    standing: StandingPlay | None = None,
    turn: int = 1,
    drawn: str = "",
    next_draws: str = "",
    discards: str = "",
    is_in: Iterable[bool] | None = None,
    points: Iterable[int] | None = None,
    goal: int = 3,
    number: int = 1,
) -> State:
    """Return a match in which `turn` is to play or pass.

    Args:
        deck: the name of an official deck.
        hands: the cards of each seat, seat 1 first, oldest first.
        standing: what lies on the table.
        drawn: the cards of the mover's hand that are new.
        next_draws: what the draw pile gives next, the first card first.
        discards: the discard pile, the latest last.
        turn: the seat to move.
        is_in: for each seat, whether it is still in the round; all are if not told.
        points: of each seat; none if not told.
        goal: the points that win.
        number: of the round.

    Raises:
        ValueError: the deck does not have so many of some card.
    """
    cards = OFFICIAL_DECKS[deck]
    held = tuple(map(parse_cards, hands))
    coming, discarded = parse_cards(next_draws), parse_cards(discards)
    left = sorted(cards.cards)
    laid = () if standing is None else standing.cards
    for card in (*(card for hand in held for card in hand), *laid, *coming, *discarded):
        left.remove(card)
    players = len(held)
    return State(
        setup=Setup(players=players, deck=cards, goal=goal, first=1),
        seed=0,
        shuffles=1,
        phase=Phase.MOVE,
        round=number,
        turn=turn,
        hands=held,
        is_in=(True,) * players if is_in is None else tuple(is_in),
        points=(0,) * players if points is None else tuple(points),
        draw_pile=(*left, *reversed(coming)),
        discard_pile=discarded,
        standing=standing,
        drawn=parse_cards(drawn),
    )
