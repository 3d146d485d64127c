"""What happened, in the order in which it happened.

An action's events tell everything that it changed.  They hold secrets (the cards drawn);
`view.view_event` makes what one viewer may see of one.
"""

from dataclasses import dataclass

from raisesum.engine.cards import Card
from raisesum.engine.scoring import Incoming, Receipt


@dataclass(frozen=True, slots=True)
class Dealt:
    """A seat was dealt its first cards."""

    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class RoundStarted:
    """A round began; `seat` opens it."""

    round: int
    seat: int


@dataclass(frozen=True, slots=True)
class Drew:
    """A seat drew these cards as its turn began, in this order; possibly none."""

    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Reshuffled:
    """The draw pile was empty, so `count` discards were shuffled into a new one."""

    count: int


@dataclass(frozen=True, slots=True)
class Played:
    """A seat made a play that succeeded.

    `incoming` is what it had to answer and `target` what it had to beat (None: it opened).
    """

    seat: int
    cards: tuple[Card, ...]
    score: int
    incoming: Incoming
    target: int | None

    @property
    def receipt(self) -> Receipt:
        """How the score came about."""
        return Receipt(self.cards, self.incoming, self.score)


@dataclass(frozen=True, slots=True)
class Passed:
    """A seat passed and is out until the round ends."""

    seat: int


@dataclass(frozen=True, slots=True)
class Discarded:
    """A seat discarded these cards, down to seven in hand."""

    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class PointWon:
    """A seat was the last one in and won the round; `points` is what it has now."""

    seat: int
    round: int
    points: int


@dataclass(frozen=True, slots=True)
class MatchWon:
    """A seat reached the goal."""

    seat: int


Event = Dealt | RoundStarted | Drew | Reshuffled | Played | Passed | Discarded | PointWon | MatchWon
