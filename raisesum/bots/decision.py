"""What a bot decided, and why: as data that can be kept and told later.

A reason is made by the bot while it decides, out of what it really computed; nothing is made up
afterwards.  It is kept as text (`Reason.text`) beside the action, and put into words only when
someone asks.  It may tell what the bot knew of its hand, so nobody gets to read it before the
match is over.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from raisesum.engine import Action, Pass, View

Fact = int | float | bool | str


@dataclass(frozen=True)
class Reason:
    """Why a bot took an action.

    Attributes:
        topic: which kind of consideration decided, such as `cheapest`.
        facts: the numbers it rested on, by name.
    """

    topic: str
    facts: Mapping[str, Fact] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The reason as compact JSON; `parse_reason` reads it back.

        >>> Reason("strike", {"chance": 0.75}).text
        '{"why":"strike","chance":0.75}'
        """
        return json.dumps({"why": self.topic, **self.facts}, separators=(",", ":"))


def parse_reason(text: str) -> Reason:
    """Return the reason that `Reason.text` wrote.

    Raises:
        ValueError: the text is no reason.

    >>> parse_reason('{"why":"strike","chance":0.75}')
    Reason(topic='strike', facts={'chance': 0.75})
    """
    data = json.loads(text)
    if not isinstance(data, dict) or not isinstance(data.get("why"), str):
        raise ValueError("a reason is an object that says why")
    if not all(isinstance(fact, int | float | str) for fact in data.values()):
        raise ValueError("the facts of a reason are numbers and words")
    return Reason(data.pop("why"), data)


class Decision(NamedTuple):
    """An action, and the reason for it, if the bot gives one."""

    action: Action
    reason: Reason | None = None


def forced_pass(view: View) -> Decision:
    """Return the pass of a bot that has no play to make, and why."""
    facts = {} if view.target is None else {"target": view.target}
    return Decision(Pass(), Reason("forced", facts))
