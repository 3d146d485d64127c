"""Whether the database is what its users were told: read beside the server that writes it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from flask import Flask
from sqlalchemy import select
from sqlalchemy.orm import selectinload

from raisesum import create_app
from raisesum.extensions import db
from raisesum.models import Action, Game
from raisesum.services import inspection
from tests.conftest import close, settings
from tests.torture.players import Move
from tests.torture.report import hold


@contextmanager
def reading(instance: Path, **more: object) -> Iterator[Flask]:
    """An application on the server's database."""
    app = create_app({**settings(instance), **more})
    with app.app_context():
        yield app
    close(app)


def check_moves(made: Iterable[Move]) -> int:
    """Hold that each move is in its match's log once, and each such match is true.

    Returns how many matches were looked at.
    """
    by_key: dict[str, list[Move]] = {}
    for move in made:
        by_key.setdefault(move.key, []).append(move)
    for key, moves in by_key.items():
        game = db.session.scalars(
            select(Game).where(Game.key == key).options(selectinload(Game.seats))
        ).one_or_none()
        hold(game is not None, f"the match with {len(moves)} acknowledged moves is not there")
        assert game is not None
        wrong = inspection.wrong_with(game)
        hold(not wrong, f"match {game.id}: {wrong}")
        log = {
            row.number: (row.seat, row.action)
            for row in db.session.scalars(select(Action).where(Action.game_id == game.id))
        }
        for move in moves:
            found = log.get(move.version + 1)
            hold(found == (move.seat, move.action), f"acknowledged: {move}, found: {found}")
        hold(
            len({move.version for move in moves}) == len(moves),
            f"two moves from one version of match {game.id} were acknowledged",
        )
        db.session.rollback()
        db.session.expunge_all()
    return len(by_key)


def check_all() -> int:
    """Hold that the database is whole and every match in it true; return how many there are."""
    matches = 0
    for problem in inspection.damage():
        hold(False, problem)
    for untrue in inspection.untrue_matches():
        matches += 1
        hold(untrue is None, str(untrue))
    return matches
