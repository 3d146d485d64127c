"""`python -m tests.without_chance` is Flask’s command with matches that leave nothing to chance.

Whoever makes the same moves in the same setup meets the same cards and the same bots, so that a
test in a browser takes one course. All else is the program as it is.
"""

from __future__ import annotations

from random import Random

from flask.cli import main

from raisesum.engine import View
from raisesum.services import dealing, play

SEED = 2


def _seed() -> int:
    return SEED


def _chance_for(view: View) -> Random:
    return Random(repr(view))


# Workers that are not forked import the main module under the second name.
if __name__ in ("__main__", "__mp_main__"):
    dealing.new_seed = _seed
    play.chance_for = _chance_for

if __name__ == "__main__":
    main()
