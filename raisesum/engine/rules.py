"""How a match goes on: the deal, turns, rounds and the end.

`new_match` and `apply` are what a match is played with.  Both draw for the player whose turn
begins, since a turn's draw is no choice.  They are made of `open_match`, `act` and `draw`, which
leave the order of the cards to their caller: a match that was written down has its cards from
the record, and all else from the same rules.
"""

from collections.abc import Callable, Iterable
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


#: Makes a draw pile of the discards: the same cards in another order, the next to draw last.
Shuffle = Callable[[tuple[Card, ...]], tuple[Card, ...]]


def new_match(setup: Setup, seed: int) -> Step:
    """Deal a match and draw for the player who opens it.

    The same setup and seed give the same match.  A seed that players cannot guess needs 128 bits
    or more from the operating system; the engine itself draws none.
    """
    first = setup.first or drawn_lot(seed, setup.players)
    pile = list(shuffled(setup.deck.cards, seed, 0))
    hands: list[list[Card]] = [[] for _ in range(setup.players)]
    for _ in range(DEAL):
        for seat in clockwise(setup.players, first):
            hands[seat - 1].append(pile.pop())
    state, dealt = open_match(setup, seed, first, tuple(map(tuple, hands)), tuple(pile))
    state, events = draw(state)
    return Step(state, dealt + events)


def clockwise(players: int, first: int) -> tuple[int, ...]:
    """Return all seats of a table of `players`, beginning with `first`.

    >>> clockwise(4, 3)
    (3, 4, 1, 2)
    """
    return (*range(first, players + 1), *range(1, first))


def open_match(
    setup: Setup,
    seed: int | None,
    first: int,
    hands: tuple[tuple[Card, ...], ...],
    pile: tuple[Card, ...],
) -> Step:
    """Return a match that has been dealt; `first` is to draw.

    `hands` and `pile` together are the deck; `seed` is None when the record of a match, and no
    seed, says what is drawn.
    """
    state = State(
        setup=setup,
        seed=seed,
        shuffles=1,
        phase=Phase.DRAW,
        round=1,
        turn=first,
        hands=hands,
        is_in=(True,) * setup.players,
        points=(0,) * setup.players,
        draw_pile=pile,
        discard_pile=(),
        standing=None,
        drawn=(),
    )
    dealt = [Dealt(seat, state.hand(seat)) for seat in clockwise(setup.players, first)]
    return Step(state, (*dealt, RoundStarted(1, first)))


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
    state, events = act(state, seat, action)
    if state.phase is Phase.DRAW:
        state, drawn = draw(state)
        events += drawn
    return Step(state, events)


def act(state: State, seat: int, action: Action) -> Step:
    """Return what follows when `seat` takes `action`, up to the draw that a new turn begins with.

    Raises:
        IllegalActionError: the rules forbid it.
    """
    check_turn(state.phase, state.turn, seat)
    hand = state.hand(seat)
    event: Event
    if isinstance(action, Play):
        incoming = state.incoming
        played = score(action.cards, incoming).score
        check_action(action, state.phase, hand, played, state.target)
        event = Played(seat, action.cards, played, incoming, state.target)
        state = replace(
            state,
            hands=_with_hand(state, seat, _without(hand, action.cards)),
            discard_pile=state.discard_pile + _standing_cards(state),
            standing=StandingPlay(seat, action.cards, played, incoming),
        )
    elif isinstance(action, Pass):
        check_action(action, state.phase, hand, None, state.target)
        event = Passed(seat)
        is_in = tuple(still and number != seat for number, still in enumerate(state.is_in, 1))
        state = replace(state, is_in=is_in)
    else:
        check_action(action, state.phase, hand, None, state.target)
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


def draw(state: State, shuffle: Shuffle | None = None) -> Step:
    """Draw for the seat whose turn begins: three cards, or as many as the two piles hold together.

    Args:
        state: one in which a draw is due.
        shuffle: what makes the discards a draw pile when there is none; without it the seed does.

    Raises:
        ValueError: no draw is due, or nothing says in which order the cards are.
    """
    if state.phase is not Phase.DRAW:
        raise ValueError("no draw is due")
    shuffle = shuffle or _shuffle_by_seed(state)
    pile, discards = list(state.draw_pile), state.discard_pile
    shuffles = state.shuffles
    drawn: list[Card] = []
    events: list[Event] = []
    while len(drawn) < DRAW:
        if not pile:
            if not discards:
                break
            pile = list(shuffle(discards))
            events.append(Reshuffled(len(discards)))
            discards = ()
            shuffles += 1
        drawn.append(pile.pop())
    new = tuple(drawn)
    state = replace(
        state,
        shuffles=shuffles,
        phase=Phase.MOVE,
        hands=_with_hand(state, state.turn, state.hand(state.turn) + new),
        draw_pile=tuple(pile),
        discard_pile=discards,
        drawn=new,
    )
    return Step(state, (*events, Drew(state.turn, new)))


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
    return Step(_with_turn(state, following), ())


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
    return Step(_with_turn(state, winner), (won, RoundStarted(state.round, winner)))


def _with_turn(state: State, seat: int) -> State:
    return replace(state, phase=Phase.DRAW, turn=seat, drawn=())


def _shuffle_by_seed(state: State) -> Shuffle:
    seed, number = state.seed, state.shuffles
    if seed is None:
        raise ValueError("the state has no seed: what is drawn must be given")
    return lambda discards: shuffled(discards, seed, number)


def _standing_cards(state: State) -> tuple[Card, ...]:
    return () if state.standing is None else state.standing.cards


def _with_hand(state: State, seat: int, hand: tuple[Card, ...]) -> tuple[tuple[Card, ...], ...]:
    return (*state.hands[: seat - 1], hand, *state.hands[seat:])


def _without(hand: tuple[Card, ...], cards: Iterable[Card]) -> tuple[Card, ...]:
    rest = list(hand)
    for card in cards:
        rest.remove(card)
    return tuple(rest)
