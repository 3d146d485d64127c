"""How a match goes on: the deal, turns, rounds and the end.

`new_match` and `apply` are the only makers of states.  Both draw for the player whose turn
begins, since a turn's draw is no choice.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from raisesum.engine.actions import Action, Pass, Play
from raisesum.engine.cards import Card
from raisesum.engine.errors import IllegalActionError
from raisesum.engine.events import (
    Dealt,
    Discarded,
    Drew,
    Event,
    MatchWon,
    Passed,
    Played,
    PointWon,
    Reshuffled,
    RoundStarted,
)
from raisesum.engine.legality import check_action, check_turn
from raisesum.engine.scoring import score
from raisesum.engine.shuffle import drawn_lot, shuffled
from raisesum.engine.state import DEAL, DRAW, HAND_LIMIT, Phase, Setup, StandingPlay, State


class Step(NamedTuple):
    """A state, and the events that led to it from the one before."""

    state: State
    events: tuple[Event, ...]


def new_match(setup: Setup, seed: int) -> Step:
    """Deal a match and draw for the player who opens it.

    The same setup and seed give the same match.  A seed that players cannot guess needs 128 bits
    or more from the operating system; the engine itself draws none.
    """
    first = setup.first or drawn_lot(seed, setup.players)
    pile = list(shuffled(setup.deck.cards, seed, 0))
    hands: list[list[Card]] = [[] for _ in range(setup.players)]
    clockwise = [(first - 1 + step) % setup.players for step in range(setup.players)]
    for _ in range(DEAL):
        for index in clockwise:
            hands[index].append(pile.pop())
    state = State(
        setup=setup,
        seed=seed,
        shuffles=1,
        phase=Phase.MOVE,
        round=1,
        turn=first,
        hands=tuple(tuple(hand) for hand in hands),
        is_in=(True,) * setup.players,
        points=(0,) * setup.players,
        draw_pile=tuple(pile),
        discard_pile=(),
        standing=None,
        drawn=(),
    )
    dealt = [Dealt(index + 1, state.hands[index]) for index in clockwise]
    state, events = _begin_turn(state, first)
    return Step(state, (*dealt, RoundStarted(1, first), *events))


def apply(state: State, seat: int, action: Action) -> Step:
    """Return what follows when `seat` takes `action` in `state`.

    Raises:
        IllegalActionError: the rules forbid it; `state` stays as it is in any case.

    >>> from raisesum.engine.decks import OFFICIAL_DECKS
    >>> state, _ = new_match(Setup(2, OFFICIAL_DECKS["addition"], first=1), seed=1)
    >>> apply(state, 2, Pass())
    Traceback (most recent call last):
        ...
    raisesum.engine.errors.IllegalActionError: It is not your turn.
    """
    check_turn(state.phase, state.turn, seat)
    hand = state.hand(seat)
    receipt = score(action.cards, state.incoming) if isinstance(action, Play) else None
    check_action(action, state.phase, hand, receipt and receipt.score, state.target)
    event: Event
    if isinstance(action, Play):
        assert receipt is not None
        event = Played(seat, action.cards, receipt.score, state.incoming, state.target)
        state = replace(
            state,
            hands=_with_hand(state, seat, _without(hand, action.cards)),
            discard_pile=state.discard_pile + _standing_cards(state),
            standing=StandingPlay(seat, action.cards, receipt.score, state.incoming),
        )
    elif isinstance(action, Pass):
        event = Passed(seat)
        is_in = tuple(still and number != seat for number, still in enumerate(state.is_in, 1))
        state = replace(state, is_in=is_in)
    else:
        event = Discarded(seat, action.cards)
        state = replace(
            state,
            hands=_with_hand(state, seat, _without(hand, action.cards)),
            discard_pile=state.discard_pile + action.cards,
        )
    # Discarding comes before anything else, the end of the round included.
    if len(state.hand(seat)) > HAND_LIMIT:
        return Step(replace(state, phase=Phase.DISCARD), (event,))
    state, events = _end_turn(state)
    return Step(state, (event, *events))


def is_legal(state: State, seat: int, action: Action) -> bool:
    """Return whether `apply` would take `action` from `seat`."""
    try:
        apply(state, seat, action)
    except IllegalActionError:
        return False
    return True


def _end_turn(state: State) -> Step:
    still_in = [seat for seat, is_in in enumerate(state.is_in, 1) if is_in]
    if len(still_in) == 1:
        return _end_round(state, still_in[0])
    following = min((seat for seat in still_in if seat > state.turn), default=still_in[0])
    return _begin_turn(state, following)


def _end_round(state: State, winner: int) -> Step:
    points = state.points[winner - 1] + 1
    won = PointWon(winner, state.round, points)
    state = replace(
        state,
        points=tuple(points if s == winner else old for s, old in enumerate(state.points, 1)),
    )
    if points == state.setup.goal:
        over = replace(state, phase=Phase.OVER, turn=winner, drawn=())
        return Step(over, (won, MatchWon(winner)))
    state = replace(
        state,
        round=state.round + 1,
        is_in=(True,) * state.setup.players,
        discard_pile=state.discard_pile + _standing_cards(state),
        standing=None,
    )
    started = RoundStarted(state.round, winner)
    state, events = _begin_turn(state, winner)
    return Step(state, (won, started, *events))


def _begin_turn(state: State, seat: int) -> Step:
    """Draw for `seat`: three cards, or as many as the two piles hold together."""
    pile, discards = list(state.draw_pile), state.discard_pile
    shuffles = state.shuffles
    drawn: list[Card] = []
    events: list[Event] = []
    while len(drawn) < DRAW:
        if not pile:
            if not discards:
                break
            pile = list(shuffled(discards, state.seed, shuffles))
            events.append(Reshuffled(len(discards)))
            discards = ()
            shuffles += 1
        drawn.append(pile.pop())
    new = tuple(drawn)
    state = replace(
        state,
        shuffles=shuffles,
        phase=Phase.MOVE,
        turn=seat,
        hands=_with_hand(state, seat, state.hand(seat) + new),
        draw_pile=tuple(pile),
        discard_pile=discards,
        drawn=new,
    )
    return Step(state, (*events, Drew(seat, new)))


def _standing_cards(state: State) -> tuple[Card, ...]:
    return () if state.standing is None else state.standing.cards


def _with_hand(state: State, seat: int, hand: tuple[Card, ...]) -> tuple[tuple[Card, ...], ...]:
    return (*state.hands[: seat - 1], hand, *state.hands[seat:])


def _without(hand: tuple[Card, ...], cards: Iterable[Card]) -> tuple[Card, ...]:
    rest = list(hand)
    for card in cards:
        rest.remove(card)
    return tuple(rest)
