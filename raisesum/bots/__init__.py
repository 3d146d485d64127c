"""Players that are programs.

A bot is a function `choose(view, rng) -> Action`.  It sees exactly what a person in its seat
sees, draws its chances from `rng`, and returns an action that is legal for the view.  Code here
imports the engine and the standard library, nothing else.
"""

from raisesum.bots.levels import LEVELS, Bot, Level, level_named

__all__ = ["LEVELS", "Bot", "Level", "level_named"]
