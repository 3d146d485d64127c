"""The move that a form asks for: all that is believed of it.

What is wrong with a form is told to whoever sent it, in a sentence that repeats nothing of it.
"""

from __future__ import annotations

from flask import request

from raisesum.engine.actions import Action, Discard, Pass, Play
from raisesum.engine.cards import Card, parse_card
from raisesum.engine.errors import InvalidActionError

#: Longer than any hand: what a form may name before it is not read any further.
MOST_CARDS = 300
UNKNOWN_CARD = (
    "A card that was sent could not be read, so nothing was changed. "
    "Choose from your hand and try again."
)


def only_asks() -> bool:
    """Return whether the form asks what the ticked cards score, instead of making a move.

    Its button is named like those for moves, because text browsers know no other address for one
    button of a form.
    """
    return request.form.get("action") == "check"


def action_sent() -> Action:
    """Return the action that the form asks for.

    Raises:
        InvalidActionError: it asks for none, or names something that is no card.
    """
    word = request.form.get("action", "")
    if word == Pass.word:
        return Pass()
    if word == Play.word:
        return Play(cards_sent())
    if word == Discard.word:
        return Discard(cards_sent())
    raise InvalidActionError(
        "What to do could not be read, so nothing was changed. "
        "Choose to play, to pass or to discard."
    )


def cards_sent() -> tuple[Card, ...]:
    """Return the cards that the form has ticked.

    Raises:
        InvalidActionError: something is no card.
    """
    try:
        return tuple(parse_card(name) for name in request.form.getlist("card")[:MOST_CARDS])
    except ValueError:
        raise InvalidActionError(UNKNOWN_CARD) from None
