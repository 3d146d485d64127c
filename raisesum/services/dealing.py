"""The start of a match: the deal, and the first row of its log."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from sqlalchemy.orm import Session

from raisesum.engine import Setup, dump_events, dump_setup, dump_state, new_match
from raisesum.models import Action, Game, Seat
from raisesum.services import clock, pace, server_time
from raisesum.services.table import PLAYING, WAITING

SEED_BITS = 128
KEY_BYTES = 16


def new_table(session: Session, setup: Setup, seats: Sequence[Seat]) -> Game:
    """Add a table that waits, with these seats, and return it."""
    now = clock.now_ms()
    game = Game(
        key=secrets.token_urlsafe(KEY_BYTES),
        created_at=now,
        updated_at=now,
        status=WAITING,
        version=0,
        revision=0,
        setup=dump_setup(setup),
        state="",
        seats=list(seats),
    )
    session.add(game)
    session.flush()
    return game


def new_seed() -> int:
    """Return the seed of a deal: so many random bits that no player can guess it."""
    return secrets.randbits(SEED_BITS)


def deal(session: Session, game: Game, setup: Setup, bot_delay_ms: int) -> None:
    """Begin the match at `game`, every seat of which must be taken."""
    step = new_match(setup, new_seed())
    game.status = PLAYING
    game.code, game.begun_code = None, game.code
    game.setup = dump_setup(setup)
    game.state = dump_state(step.state)
    game.updated_at = clock.now_ms()
    game.due_at = pace.due_after(game, step.state, server_time.now_ms(), bot_delay_ms)
    session.add(
        Action(
            game_id=game.id,
            number=0,
            seat=None,
            action="",
            events=dump_events(step.events),
            at=game.updated_at,
        )
    )
