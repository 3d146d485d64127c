"""The bots that a table can seat."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Final

from raisesum.bots import easy, gentle, master, sharp, steady
from raisesum.bots.decision import Decision
from raisesum.engine import Action, View


@dataclass(frozen=True)
class Level:
    """One kind of bot.

    Attributes:
        name: how forms, stored seats and commands write it.
        title: how it is called at the table.
        policy: what it does, in one line for players.
        decide: the bot itself, giving its reasons.
    """

    name: str
    title: str
    policy: str
    decide: Callable[[View, Random], Decision]

    def choose(self, view: View, rng: Random) -> Action:
        """Return what the bot does, without the reason."""
        return self.decide(view, rng).action


#: Every level by name, the easiest first.
LEVELS: Final = {
    level.name: level
    for level in (
        Level(
            "easy",
            "Easy",
            "Plays anything that is allowed, and sometimes just passes.",
            easy.decide,
        ),
        Level(
            "gentle",
            "Gentle",
            "Plays what it sees, spends a little too much, and sets no hard challenge.",
            gentle.decide,
        ),
        Level(
            "steady",
            "Steady",
            "Makes the lowest play that beats the target, and never passes before it must.",
            steady.decide,
        ),
        Level(
            "sharp",
            "Sharp",
            "Judges who could still answer, and what each card will be worth later.",
            sharp.decide,
        ),
        Level(
            "master",
            "Master",
            "Has learned from very many matches which plays win in the end.",
            master.decide,
        ),
    )
}


def level_named(name: str) -> Level:
    """Return the level called `name`.

    Raises:
        ValueError: there is none.
    """
    try:
        return LEVELS[name]
    except KeyError:
        raise ValueError(f"There is no bot level {name[:20]!r}.") from None
