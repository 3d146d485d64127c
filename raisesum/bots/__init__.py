"""Players that are programs.

A bot is a function `choose(view, rng) -> Action`.  It sees exactly what a person in its seat
sees, draws its chances from `rng`, and returns an action that is legal for the view; or a
`Decision`, the action with the reason for it.  Code here imports the engine and the standard
library, nothing else.
"""

from raisesum.bots.answer import Answer, Bot, ask
from raisesum.bots.decision import Decision, Reason, parse_reason
from raisesum.bots.levels import LEVELS, Level, level_named

__all__ = [
    "LEVELS",
    "Answer",
    "Bot",
    "Decision",
    "Level",
    "Reason",
    "ask",
    "level_named",
    "parse_reason",
]
