"""What a player can do on a turn, and how it is written."""

from dataclasses import dataclass
from typing import ClassVar

from raisesum.engine.cards import Card, card_names, parse_cards
from raisesum.engine.errors import InvalidActionError


@dataclass(frozen=True, slots=True)
class Play:
    """Lay down these cards, in this order."""

    word: ClassVar[str] = "play"
    cards: tuple[Card, ...]

    @property
    def text(self) -> str:
        """The action in writing, such as `play +5 x3`."""
        return f"{self.word} {card_names(self.cards)}".rstrip()


@dataclass(frozen=True, slots=True)
class Pass:
    """Keep the hand and sit out until the round ends."""

    word: ClassVar[str] = "pass"

    @property
    def text(self) -> str:
        """The action in writing: `pass`."""
        return self.word


@dataclass(frozen=True, slots=True)
class Discard:
    """Put these cards on the discard pile, down to seven in hand."""

    word: ClassVar[str] = "discard"
    cards: tuple[Card, ...]

    @property
    def text(self) -> str:
        """The action in writing, such as `discard +1 +1`."""
        return f"{self.word} {card_names(self.cards)}".rstrip()


Action = Play | Pass | Discard


def parse_action(text: str) -> Action:
    """Return the action that `text` writes: the reverse of its `text` property.

    Each action has one way of being written.  `play` without cards can be read, too: that it is
    not allowed is for the rules to say.

    Raises:
        InvalidActionError: it is no action, or names something that is no card.

    >>> parse_action("play +5 x3").text
    'play +5 x3'
    >>> parse_action("fold")
    Traceback (most recent call last):
        ...
    raisesum.engine.errors.InvalidActionError: 'fold' is no action: play, pass or discard
    """
    if text == Pass.word:
        return Pass()
    word, space, names = text.partition(" ")
    if word in (Play.word, Discard.word) and bool(space) == bool(names):
        try:
            cards = parse_cards(names)
        except ValueError as error:
            raise InvalidActionError(str(error)) from None
        return Play(cards) if word == Play.word else Discard(cards)
    shown = text if len(text) <= 20 else text[:20] + "…"
    raise InvalidActionError(f"{shown!r} is no action: play, pass or discard")
