"""What one viewer may know of a match.

Views are built by naming what may be known (an allow-list): another player's cards, the order
of the draw pile and the seed have no field to be in.
"""

from dataclasses import dataclass
from functools import cached_property

from raisesum.engine.cards import Card
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
from raisesum.engine.legality import LegalPlay, can_beat, legal_plays
from raisesum.engine.scoring import Incoming
from raisesum.engine.state import HAND_LIMIT, Phase, Setup, StandingPlay, State


@dataclass(frozen=True, slots=True)
class SeatView:
    """What everybody sees of a seat."""

    number: int
    hand_size: int
    points: int
    is_in: bool


@dataclass(frozen=True)
class View:
    """A match as one seat, or a spectator, sees it.

    Attributes:
        viewer: the seat that looks; None for a spectator.
        setup: what was agreed.
        phase, round, turn, target, standing, incoming, discard_pile, winner: as in `State`.
        seats: all seats, in their order.
        draw_size: how many cards the draw pile has.
        hand: the viewer's own cards, oldest first; none for a spectator.
        drawn: on the viewer's own turn, the cards drawn as it began, also when some of them
            have been played since; else none.
        to_discard: how many cards the viewer must discard now; else 0.
    """

    viewer: int | None
    setup: Setup
    phase: Phase
    round: int
    turn: int
    seats: tuple[SeatView, ...]
    target: int | None
    standing: StandingPlay | None
    incoming: Incoming
    draw_size: int
    discard_pile: tuple[Card, ...]
    hand: tuple[Card, ...]
    drawn: tuple[Card, ...]
    to_discard: int
    winner: int | None

    @property
    def is_my_turn(self) -> bool:
        """Whether the match waits for the viewer."""
        return self.phase is not Phase.OVER and self.turn == self.viewer

    @property
    def can_move(self) -> bool:
        """Whether the viewer may play or pass now."""
        return self.is_my_turn and self.phase is Phase.MOVE

    @cached_property
    def legal_plays(self) -> tuple[LegalPlay, ...]:
        """The plays the viewer may make now; none when it is not time."""
        return legal_plays(self.hand, self.incoming, self.target) if self.can_move else ()

    @property
    def can_beat(self) -> bool:
        """Whether the viewer may make any play now, without listing them."""
        return self.can_move and can_beat(self.hand, self.incoming, self.target)


def view_for(state: State, seat: int | None) -> View:
    """Return `state` as `seat` sees it, or a spectator for None.

    Raises:
        ValueError: there is no such seat.
    """
    if seat is not None and not 1 <= seat <= state.setup.players:
        raise ValueError(f"there is no seat {seat}")
    on_turn = seat == state.turn and state.phase is not Phase.OVER
    hand = () if seat is None else state.hand(seat)
    return View(
        viewer=seat,
        setup=state.setup,
        phase=state.phase,
        round=state.round,
        turn=state.turn,
        seats=tuple(
            SeatView(number, len(held), points, is_in)
            for number, (held, points, is_in) in enumerate(
                zip(state.hands, state.points, state.is_in, strict=True), 1
            )
        ),
        target=state.target,
        standing=state.standing,
        incoming=state.incoming,
        draw_size=len(state.draw_pile),
        discard_pile=state.discard_pile,
        hand=hand,
        drawn=state.drawn if on_turn else (),
        to_discard=len(hand) - HAND_LIMIT if on_turn and state.phase is Phase.DISCARD else 0,
        winner=state.winner,
    )


@dataclass(frozen=True, slots=True)
class CardsTaken:
    """A seat was dealt or drew cards, as one viewer sees it.

    `cards` are there only for the seat's own owner; everyone knows the `count`.
    """

    seat: int
    count: int
    cards: tuple[Card, ...]
    dealt: bool


EventView = (
    CardsTaken | RoundStarted | Reshuffled | Played | Passed | Discarded | PointWon | MatchWon
)


def view_event(event: Event, seat: int | None) -> EventView:
    """Return `event` as `seat` sees it, or a spectator for None.

    >>> from raisesum.engine.cards import parse_cards
    >>> view_event(Drew(2, parse_cards("+1 +2 0")), 1)
    CardsTaken(seat=2, count=3, cards=(), dealt=False)
    """
    match event:
        case Dealt() | Drew():
            return CardsTaken(
                seat=event.seat,
                count=len(event.cards),
                cards=event.cards if event.seat == seat else (),
                dealt=isinstance(event, Dealt),
            )
        case (
            RoundStarted()
            | Reshuffled()
            | Played()
            | Passed()
            | Discarded()
            | PointWon()
            | MatchWon()
        ):
            # Nothing in these is secret: listed one by one, so that a new kind is not passed on.
            return event


def open_event(event: Event) -> EventView:
    """Return `event` with its cards open, as it may be told once the match is over.

    >>> from raisesum.engine.cards import parse_cards
    >>> open_event(Drew(2, parse_cards("+1 +2 0"))).cards
    (<Card +1>, <Card +2>, <Card 0>)
    """
    # Whoever an event is about may always see all of it.
    return view_event(event, None if isinstance(event, Reshuffled) else event.seat)
