"""How much a table works out for those who sit at it: the host's choice, for all seats.

- *full*: the sum of the ticked cards, step by step, and a refusal says what would do;
- *result only*: what the ticked cards score, and no more;
- *in your head*: nothing.  Whoever plays says first what the play will score; right or wrong is
  told to them alone, and the play counts either way by its true score.

Besides, whoever plays against bots alone may have hints.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from raisesum import wording
from raisesum.bots.cheapest import cheapest_play
from raisesum.engine import Card, IllegalActionError, View, score
from raisesum.engine.legality import DOES_NOT_BEAT
from raisesum.models import Game, Guess
from raisesum.services.errors import ServiceError
from raisesum.services.refusals import RefusedError

FULL: Final = "full"
RESULT: Final = "result"
HEAD: Final = "head"


@dataclass(frozen=True)
class HelpLevel:
    """A level of help; `name` is how forms and rows write it."""

    name: str
    title: str
    text: str


LEVELS: Final = (
    HelpLevel(FULL, "Full", "The sum is shown step by step while one ticks cards."),
    HelpLevel(RESULT, "Result only", "Only what the ticked cards score is shown."),
    HelpLevel(HEAD, "In your head", "Each player types what a play scores before it is shown."),
)

#: How many hints there are on a turn, each saying more than the one before.
HINTS: Final = 3


class GuessNeededError(ServiceError):
    """At this table a play comes with what its player thinks that it scores."""

    def __init__(self) -> None:
        super().__init__("Type what your cards score, then play them.")


class NoHintError(ServiceError):
    """There is no hint here and now."""

    def __init__(self) -> None:
        super().__init__("There are no hints here.")


@dataclass(frozen=True)
class Help:
    """What a table has been set to.

    Attributes:
        level: one of `LEVELS`, by name.
        hints: whether somebody who plays alone against bots may ask for hints.
    """

    level: str = FULL
    hints: bool = False

    def check(self) -> None:
        """Raise RefusedError (field `help`) unless there is such a level."""
        if self.level not in {level.name for level in LEVELS}:
            raise RefusedError("Choose how much help there is.", "help")

    @property
    def wants_guess(self) -> bool:
        """Whether a play comes with what its player thinks that it scores."""
        return self.level == HEAD

    @property
    def shows_steps(self) -> bool:
        """Whether the steps of a sum are shown before the play."""
        return self.level == FULL


#: What a table that nobody has set otherwise gives.
USUAL_HELP: Final = Help()


@dataclass(frozen=True)
class Guesses:
    """What somebody said their plays in a match would score.

    Attributes:
        right: how many of them were right.
        made: how many there were.
        said: the last one; None before the first.
        score: what the play of the last one did score.
    """

    right: int = 0
    made: int = 0
    said: int | None = None
    score: int | None = None

    @property
    def is_last_right(self) -> bool:
        """Whether the last one was right."""
        return self.said is not None and self.said == self.score


NO_GUESSES: Final = Guesses()


def read(game: Game) -> Help:
    """Return what a table has been set to."""
    return Help(game.help, game.hints)


def store(game: Game, help_: Help) -> None:
    """Set a table to `help_`, which has been checked."""
    game.help, game.hints = help_.level, help_.hints


def guesses_of(session: Session, game_id: int, seat: int) -> Guesses:
    """Return what `seat` has said so far at a table."""
    made = session.scalars(
        select(Guess).where(Guess.game_id == game_id, Guess.seat == seat).order_by(Guess.number)
    ).all()
    if not made:
        return NO_GUESSES
    right = sum(guess.said == guess.score for guess in made)
    return Guesses(right, len(made), made[-1].said, made[-1].score)


def refusal(error: IllegalActionError, view: View, help_: Help) -> str:
    """Return why a move was refused; with full help also what would do instead."""
    said = wording.refusal(error)
    if help_.level != FULL or error.reason != DOES_NOT_BEAT:
        return said
    play = _cheapest(view)
    if play is None:
        return f"{said} Nothing in your hand does: pass."
    return f"{said} {wording.card_labels(play)} would do."


def hint(view: View, help_: Help, step: int) -> str:
    """Return the hint number `step`, 1 to 3: that one can play, with how many cards, which ones.

    Each says what the ones before it did, too.

    Raises:
        NoHintError: the table gives no hints, there is none with this number, or it is not this
            player's turn to play.
    """
    if not help_.hints or not view.can_move or not 1 <= step <= HINTS:
        raise NoHintError
    play = _cheapest(view)
    if play is None:
        return f"Nothing in your hand beats {view.target}. Pass."
    can = "You can open" if view.target is None else f"You can beat {view.target}"
    if step == 1:
        return f"{can}."
    if step == 2:
        return f"{can} with {wording.count(len(play), 'card')}."
    made = score(play, view.incoming).score
    return f"{can}: {wording.card_labels(play)} makes {made}."


def _cheapest(view: View) -> tuple[Card, ...] | None:
    incoming = view.incoming
    play = cheapest_play(view.hand, incoming.less, incoming.divisor, view.target)
    return None if play is None else play.cards
