from __future__ import annotations

import pytest
from flask import Flask
from sqlalchemy import update

from raisesum.models import Game
from raisesum.services import clock, lobby, pruning
from raisesum.services.errors import NoSuchTableError
from raisesum.services.table import table_for
from raisesum.services.transactions import write_transaction
from tests.rows import count
from tests.services.friends import match_of, play_to_the_end, waiting_table
from tests.services.tables import guest, stored

pytestmark = pytest.mark.usefixtures("app_context")

DAY = 24 * 3600 * 1000


def age(key: str, days: int) -> None:
    with write_transaction() as session:
        session.execute(
            update(Game).where(Game.key == key).values(updated_at=clock.now_ms() - days * DAY)
        )


def test_unfinished_matches_that_nobody_has_touched_go_and_no_others(app: Flask):
    me = guest()
    old, young = lobby.play_now(me, 60_000), lobby.play_now(me, 60_000)
    shared, people = match_of(2)
    ended, players = match_of(2, goal=1)
    play_to_the_end(ended, players)
    room, _people = waiting_table(2)
    for key in (old, shared, ended, room):
        age(key, 31)
    age(young, 29)
    assert pruning.prune(30 * DAY) == 3
    assert pruning.prune(30 * DAY) == 0
    assert table_for(me, young).is_playing
    assert stored(ended).status == "finished"
    for person, key in ((me, old), (people[0], shared)):
        with pytest.raises(NoSuchTableError):
            table_for(person, key)
    assert count(app, "games") == 2


def test_a_lot_of_them_go_too(app: Flask, monkeypatch):
    monkeypatch.setattr(pruning, "_AT_ONCE", 3)
    for _ in range(7):
        age(waiting_table(1, seats=2).key, 31)
    assert pruning.prune(30 * DAY) == 7
    for table in ("games", "seats", "presences"):
        assert count(app, table) == 0
