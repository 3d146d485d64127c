"""A database that the first release has made, with matches in it, is brought up to date."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask_migrate import upgrade
from sqlalchemy import select, text

from raisesum import create_app
from raisesum.extensions import db
from raisesum.models import Game, Seat, SignIn, User
from raisesum.services import accounts, inspection
from raisesum.services.lobby import my_tables
from tests.conftest import DATABASE, close, settings
from tests.rows import schema
from tests.servers import ROOT
from tests.services.tables import move, replayed, stored_state
from tests.web.browser import PASSWORD, Browser

FIRST_RELEASE = ROOT / "tests" / "data" / "first-release.db"


@pytest.fixture
def upgraded(tmp_path: Path) -> Iterator[Flask]:
    shutil.copy(FIRST_RELEASE, tmp_path / DATABASE)
    app = create_app(settings(tmp_path))
    with app.app_context():
        version = db.session.scalar(text("SELECT version_num FROM alembic_version"))
        assert version == "0001"
        db.session.remove()
        upgrade()
    yield app
    close(app)


def test_the_tables_are_those_of_a_new_database(upgraded: Flask, app: Flask) -> None:
    def words(of: Flask) -> list[list[str]]:
        # Columns that were added later come last, and the rest may be laid out otherwise.
        return [sorted(statement.replace(",", " ").split()) for statement in schema(of)]

    assert words(upgraded) == words(app)


def test_nothing_is_lost_and_every_match_is_true(upgraded: Flask) -> None:
    with upgraded.app_context():
        statuses = db.session.scalars(select(Game.status).order_by(Game.id)).all()
        assert statuses == ["playing", "playing", "finished", "playing", "given_up"]
        assert list(inspection.untrue_matches()) == [None] * 5
        assert list(inspection.damage()) == []
        assert len(db.session.scalars(select(Seat)).all()) == 13
        assert len(db.session.scalars(select(SignIn)).all()) == 2
        otter, guest = db.session.scalars(select(User).order_by(User.id))
        assert (otter.handle, otter.shown_name, guest.is_guest) == ("Otter", "Zoë", True)


def test_the_matches_are_played_on_to_their_ends(upgraded: Flask) -> None:
    with upgraded.app_context():
        user_ids = db.session.scalars(select(User.id)).all()
        for user_id in user_ids:
            for table in my_tables(user_id, ["playing"], 10):
                while move(user_id, table.key):
                    pass
                assert replayed(table.key) == stored_state(table.key)
                assert stored_state(table.key).winner is not None
        assert list(inspection.untrue_matches()) == [None] * 5


def test_who_had_an_account_signs_in_and_finds_every_table(upgraded: Flask) -> None:
    browser = Browser(upgraded)
    assert browser.sign_in("otter").status_code == 303
    home = browser.get("/").text
    with upgraded.app_context():
        entrance = accounts.sign_in("otter", PASSWORD)
        tables = my_tables(entrance.user_id, ["playing", "finished"], 10)
    assert len(tables) == 3
    for table in tables:
        assert f"/games/{table.key}" in home
        assert browser.get(f"/games/{table.key}").status_code == 200


def test_a_match_that_was_over_before_bots_kept_their_reasons_says_so(upgraded: Flask) -> None:
    with upgraded.app_context():
        key = db.session.scalars(select(Game.key).where(Game.status == "finished")).one()
    browser = Browser(upgraded)
    assert browser.get(f"/games/{key}/why").status_code == 200
    assert "There are no reasons to tell" in browser.text
    browser.get(f"/games/{key}/replay?at=1")
    assert "Ask the bots why" not in browser.text
