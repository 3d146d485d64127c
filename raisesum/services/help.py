"""How much a table works out for those who sit at it: the host's choice, for all seats.

- *full*: the sum of the ticked cards, step by step, and a refusal says what would do;
- *result only*: what the ticked cards score, and no more;
- *in your head*: nothing.  Whoever plays says first what the play will score; right or wrong is
  told to them alone, and the play counts either way by its true score.

Besides, whoever plays against bots alone may have hints.

What all this comes to for one player is decided here alone, by `Help.tells`: refusals, sums,
hints, the question before a pass, the buttons and the look back in mid-match all ask for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from raisesum import wording
from raisesum.bots.advice import advised_play
from raisesum.engine import HAND_LIMIT, IllegalActionError, View
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
class Tells:
    """What may be told to a player before a play.

    Attributes:
        score: what cards would score.
        steps: how that comes about.
        whether: whether the hand has a play at all.
        plays: which cards would do.
    """

    score: bool
    steps: bool
    whether: bool
    plays: bool

    @property
    def past_passes(self) -> bool:
        """Whether passes that were not forced may be told when their round is over.

        The cards of such a play may still be in the hand.
        """
        return self.whether or self.plays


#: What may be told of a match that is over.
TELLS_ALL: Final = Tells(score=True, steps=True, whether=True, plays=True)


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

    def tells(self, *, alone: bool) -> Tells:
        """Return what may be told to somebody who plays `alone` against bots, or with others.

        Cards are named only to somebody who plays alone and wants hints.  Whether there is a play
        at all belongs to full help.
        """
        return Tells(
            score=self.level != HEAD,
            steps=self.level == FULL,
            whether=self.level == FULL,
            plays=alone and self.hints,
        )


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


def guesses_of(session: Session, game_id: int, seat: int, since: int = 0) -> Guesses:
    """Return what `seat` has said at a table after the move `since`."""
    made = session.scalars(
        select(Guess)
        .where(Guess.game_id == game_id, Guess.seat == seat, Guess.number > since)
        .order_by(Guess.number)
    ).all()
    if not made:
        return NO_GUESSES
    right = sum(guess.said == guess.score for guess in made)
    return Guesses(right, len(made), made[-1].said, made[-1].score)


def refusal(error: IllegalActionError, view: View, tells: Tells) -> str:
    """Return why a move was refused, and what would do instead as far as that may be told."""
    said = wording.refusal(error)
    if not tells.whether or error.reason != DOES_NOT_BEAT:
        return said
    if not view.can_beat:
        return f"{said} Nothing in your hand does. {pass_advice(view)}"
    play = advised_play(view) if tells.plays else None
    return said if play is None else f"{said} {wording.card_labels(play.cards)} would do."


def nothing_beats(view: View, tells: Tells) -> str:
    """Return in a sentence that the hand has no play and what to do then, where that may be told.

    Empty where there is a play, or where the player is not to know.
    """
    if not tells.whether or view.target is None or not view.can_move or view.can_beat:
        return ""
    return f"Nothing you hold reaches {view.target + 1}. {pass_advice(view)}"


def pass_advice(view: View) -> str:
    """Return what passing means for this hand, in a sentence.

    >>> from raisesum.engine import OFFICIAL_DECKS, Setup, new_match, view_for
    >>> state, _ = new_match(Setup(2, OFFICIAL_DECKS["full"], first=1), seed=7)
    >>> pass_advice(view_for(state, 1))
    'Pass and discard 1: you keep seven cards.'
    """
    over = len(view.hand) - HAND_LIMIT
    if over <= 0:
        return "Pass and keep your cards."
    return f"Pass and discard {over}: you keep seven cards."


def pass_question(view: View, tells: Tells) -> str:
    """Return the question to ask before a pass by somebody who wants to be asked, or nothing.

    Where the player is not to know whether there is a play, every pass is asked about, and alike.
    """
    if not view.can_move:
        return ""
    if not tells.whether:
        return "You are out until the round ends. Pass?"
    if view.target is None:
        return "You could open with any card. Pass anyway?"
    return f"You hold a play that beats {view.target}. Pass anyway?" if view.can_beat else ""


def hint(view: View, tells: Tells, step: int) -> str:
    """Return the hint number `step`, 1 to 3: that one can play, with how many cards, which ones.

    Each says what the ones before it did, too; they are all about the same play.

    Raises:
        NoHintError: there are no hints for this player, there is none with this number, or it is
            not this player's turn to play.
    """
    if not tells.plays or not view.can_move or not 1 <= step <= HINTS:
        raise NoHintError
    play = advised_play(view)
    if play is None:
        return f"Nothing in your hand beats {view.target}. {pass_advice(view)}"
    can = "You can open" if view.target is None else f"You can beat {view.target}"
    if step == 1:
        return f"{can}."
    if step == 2:
        return f"{can} with {wording.count(len(play.cards), 'card')}."
    cards = wording.card_labels(play.cards)
    return f"{can}: {cards} makes {play.score}." if tells.score else f"{can} with {cards}."
