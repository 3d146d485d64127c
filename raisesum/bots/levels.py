"""The bots that a table can seat."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Final

from raisesum.bots import easy, steady
from raisesum.engine import Action, View

Bot = Callable[[View, Random], Action]


@dataclass(frozen=True)
class Level:
    """One kind of bot.

    Attributes:
        name: how forms, stored seats and commands write it.
        title: how it is called at the table.
        policy: what it does, in one line for players.
        choose: the bot itself.
    """

    name: str
    title: str
    policy: str
    choose: Bot


#: Every level by name, the easiest first.
LEVELS: Final = {
    level.name: level
    for level in (
        Level(
            "easy",
            "Easy",
            "Plays anything that is allowed, and sometimes just passes.",
            easy.choose,
        ),
        Level(
            "steady",
            "Steady",
            "Makes the lowest play that beats the target, and never passes before it must.",
            steady.choose,
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
