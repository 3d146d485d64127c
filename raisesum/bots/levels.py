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
        policy: how it plays, in one line that stands after the names of one bot or of several.
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
            "Any play that is allowed, and sometimes just a pass.",
            easy.decide,
        ),
        Level(
            "gentle",
            "Gentle",
            "Whatever is easy to see, a little too costly, and never a hard challenge.",
            gentle.decide,
        ),
        Level(
            "steady",
            "Steady",
            "The lowest play that beats the target, and a pass only when there is none.",
            steady.decide,
        ),
        Level(
            "sharp",
            "Sharp",
            "Each play weighed by who could still answer it, and by what its cards will be worth.",
            sharp.decide,
        ),
        Level(
            "master",
            "Master",
            "What has won in the end, learned from very many matches.",
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
