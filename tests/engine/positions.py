"""Positions and deals written down as text, for tests.

A position here need not be one that a match can come to: the cards in it are no whole deck, so
that a test shows only what it is about.
"""

from collections.abc import Iterable
from dataclasses import replace
from random import Random

from raisesum.engine import (
    OFFICIAL_DECKS,
    Card,
    Incoming,
    Phase,
    Play,
    Setup,
    StandingPlay,
    State,
    Step,
    apply,
    card_names,
    parse_action,
    parse_cards,
    score,
)

#: Cards to draw where a test does not care which.
PLENTY = "+9 " * 29 + "+9"


def position(
    *hands: str,
    turn: int = 1,
    standing: str = "",
    standing_seat: int | None = None,
    answered: str = "",
    draw: str = PLENTY,
    discards: str = "",
    out: Iterable[int] = (),
    points: tuple[int, ...] | None = None,
    goal: int = 3,
    round: int = 1,  # noqa: A002 - the word of the rules
    phase: Phase = Phase.MOVE,
) -> State:
    """Return the position in which the seats hold `hands` and seat `turn` is to move.

    `standing` are the cards of the standing play, which answered the cards `answered`; `draw`
    are the cards of the draw pile, the next to be drawn first; `out` are the seats that passed.
    """
    players = len(hands)
    play = None
    if standing:
        cards, met = parse_cards(standing), Incoming.of(parse_cards(answered))
        seat = standing_seat or (turn - 2) % players + 1
        play = StandingPlay(seat, cards, score(cards, met).score, met)
    return State(
        setup=Setup(players, OFFICIAL_DECKS["full"], goal, first=1),
        seed=20240229,
        shuffles=1,
        phase=phase,
        round=round,
        turn=turn,
        hands=tuple(parse_cards(hand) for hand in hands),
        is_in=tuple(seat not in set(out) for seat in range(1, players + 1)),
        points=points or (0,) * players,
        draw_pile=parse_cards(draw)[::-1],
        discard_pile=parse_cards(discards),
        standing=play,
        drawn=(),
    )


def follow(state: State, *moves: str) -> Step:
    """Return what comes of `moves`, each by the seat whose turn it then is, with all events."""
    events = ()
    for move in moves:
        state, new = apply(state, state.turn, parse_action(move))
        events += new
    return Step(state, events)


def play(names: str) -> Play:
    return Play(parse_cards(names))


def held(state: State, seat: int) -> str:
    return card_names(state.hand(seat))


def twin(state: State, viewer: int | None, chance: Random) -> State:
    """Return a state that differs from `state` in nothing but what `viewer` may not know.

    The cards of all other hands and of the draw pile change places, and the seed is another.
    """
    hidden = [*state.draw_pile]
    for seat, hand in enumerate(state.hands, 1):
        hidden += () if seat == viewer else hand
    chance.shuffle(hidden)
    hands = []
    for seat, hand in enumerate(state.hands, 1):
        size = 0 if seat == viewer else len(hand)
        hands.append(hand if seat == viewer else tuple(hidden[:size]))
        del hidden[:size]
    drawn = state.drawn
    if state.turn != viewer:
        drawn = hands[state.turn - 1][: len(drawn)]
    return replace(
        state,
        seed=chance.getrandbits(128),
        hands=tuple(hands),
        draw_pile=tuple(hidden),
        drawn=drawn,
    )


def all_cards(state: State) -> list[Card]:
    """Return every card there is in `state`, sorted."""
    standing = () if state.standing is None else state.standing.cards
    cards = [*state.draw_pile, *state.discard_pile, *standing]
    for hand in state.hands:
        cards += hand
    return sorted(cards)
