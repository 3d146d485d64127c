"""The state of a match: everything there is to know, secrets included."""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from raisesum.engine.cards import Card, Kind
from raisesum.engine.decks import Deck
from raisesum.engine.scoring import NO_INCOMING, Incoming, Receipt

HAND_LIMIT: Final = 7
PLAY_LIMIT: Final = 5
DEAL: Final = 5
DRAW: Final = 3
PLAYERS: Final = range(2, 5)
GOALS: Final = range(1, 10)


@dataclass(frozen=True)
class Setup:
    """What the table agreed on before the match.

    Attributes:
        players: how many seats, 2 to 4; seats are numbered from 1, clockwise.
        deck: the cards in play.
        goal: the points that win the match, 1 to 9.
        first: the seat that opens the match, or None to let the seed draw it.

    Raises:
        ValueError: a number is out of range, or the deck is too small for the players.
    """

    players: int
    deck: Deck
    goal: int = 3
    first: int | None = None

    def __post_init__(self) -> None:
        if self.players not in PLAYERS:
            raise ValueError(f"a match has two to four players, not {self.players}")
        if self.goal not in GOALS:
            raise ValueError(f"the goal is 1 to 9 points, not {self.goal}")
        if self.first is not None and not 1 <= self.first <= self.players:
            raise ValueError(f"there is no seat {self.first} to open the match")
        self.deck.check_players(self.players)


class Phase(Enum):
    """What the match waits for."""

    DRAW = "draw"  # the cards that a turn begins with: seen only inside `rules` and `records`
    MOVE = "move"  # a play or a pass
    DISCARD = "discard"  # the mover holds more than seven cards after the play or pass
    OVER = "over"  # nothing: somebody has won


@dataclass(frozen=True, slots=True)
class StandingPlay:
    """The last successful play, face up on the table; its score is the target."""

    seat: int
    cards: tuple[Card, ...]
    score: int
    answered: Incoming
    """What worked against this play itself: with it, its receipt can be made again."""

    @property
    def challenge(self) -> tuple[Card, ...]:
        """Its red and yellow cards: they work against the next reply."""
        return tuple(c for c in self.cards if c.kind is Kind.SUBTRACT or c.kind is Kind.DIVIDE)

    @property
    def incoming(self) -> Incoming:
        """What its challenge means for the player to move."""
        return Incoming.of(self.cards)

    @property
    def receipt(self) -> Receipt:
        """How its score came about."""
        return Receipt(self.cards, self.answered, self.score)


@dataclass(frozen=True, slots=True)
class State:
    """A match at one moment.  Immutable; `rules.apply` makes the next one.

    Attributes:
        setup: what was agreed.
        seed: where all chance in this match comes from; secret.  None in a match read from a
            record: there the record says what is drawn.
        shuffles: how many shuffles were taken from the seed so far.
        phase: what the match waits for.
        round: the round being played, from 1.
        turn: the seat to move; after the end, the seat of the winner.
        hands: the cards of each seat, oldest first; secret.  Seat s is at index s - 1.
        is_in: for each seat, whether it is still in the round.
        points: rounds won by each seat.
        draw_pile: the next card to draw is last; secret.  Sorted when there is no seed, since
            its order is then not known.
        discard_pile: the latest discard is last.
        standing: the standing play, or None before a round's first.
        drawn: the cards that the mover drew as this turn began, also when some of them have
            been played since; secret.
    """

    setup: Setup
    seed: int | None
    shuffles: int
    phase: Phase
    round: int
    turn: int
    hands: tuple[tuple[Card, ...], ...]
    is_in: tuple[bool, ...]
    points: tuple[int, ...]
    draw_pile: tuple[Card, ...]
    discard_pile: tuple[Card, ...]
    standing: StandingPlay | None
    drawn: tuple[Card, ...]

    @property
    def target(self) -> int | None:
        """The score to beat; None before a round's first play."""
        return None if self.standing is None else self.standing.score

    @property
    def incoming(self) -> Incoming:
        """What works against the player to move."""
        return NO_INCOMING if self.standing is None else self.standing.incoming

    @property
    def winner(self) -> int | None:
        """The seat that won the match; None while it goes on."""
        return self.turn if self.phase is Phase.OVER else None

    def hand(self, seat: int) -> tuple[Card, ...]:
        """Return the cards that `seat` holds."""
        return self.hands[seat - 1]
