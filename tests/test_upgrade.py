"""A database of each release, with matches in it, is brought up to date."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from flask import Flask
from flask_migrate import upgrade
from sqlalchemy import func, select, text

from raisesum import create_app
from raisesum.extensions import db
from raisesum.models import Game, Removal, Seat, User
from raisesum.services import accounts, inspection, waiting
from raisesum.services.lobby import my_tables
from tests.conftest import DATABASE, close, settings
from tests.rows import schema
from tests.servers import ROOT
from tests.services.friends import play_to_the_end
from tests.services.tables import replayed, stored_state
from tests.web.browser import PASSWORD, Browser

# What has another name by now.
NEW_NAMES = {"mutes": "muted_people"}


@dataclass(frozen=True)
class Release:
    """A database that a release left: its file and the number of its last migration."""

    name: str
    migration: str

    @property
    def file(self) -> Path:
        return ROOT / "tests" / "data" / f"{self.name}.db"


RELEASES = (Release("first-release", "0001"), Release("second-release", "0006"))


@pytest.fixture(params=RELEASES, ids=lambda release: release.name)
def release(request: pytest.FixtureRequest) -> Release:
    found: Release = request.param
    return found


@pytest.fixture
def upgraded(release: Release, tmp_path: Path) -> Iterator[Flask]:
    shutil.copy(release.file, tmp_path / DATABASE)
    app = create_app(settings(tmp_path))
    with app.app_context():
        version = db.session.scalar(text("SELECT version_num FROM alembic_version"))
        assert version == release.migration
        db.session.remove()
        upgrade()
    yield app
    close(app)


def rows(file: Path) -> dict[str, int]:
    """How many rows each table of the database in `file` has."""
    connection = sqlite3.connect(file)
    names = connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
    ).fetchall()
    counts = {
        name: connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0]  # noqa: S608 - its own
        for (name,) in names
    }
    connection.close()
    return counts


def test_the_tables_are_those_of_a_new_database(upgraded: Flask, app: Flask) -> None:
    def words(of: Flask) -> list[list[str]]:
        # Columns that were added later come last, and the rest may be laid out otherwise.
        return [sorted(statement.replace(",", " ").split()) for statement in schema(of)]

    assert words(upgraded) == words(app)


def test_no_row_is_lost_and_every_match_is_true(upgraded: Flask, release: Release) -> None:
    before = rows(release.file)
    with upgraded.app_context():
        for table, count in before.items():
            name = NEW_NAMES.get(table, table)
            now = db.session.scalar(text(f"SELECT count(*) FROM {name}"))  # noqa: S608 - its own
            assert now == count, table
        begun = select(func.count()).where(Game.status != "waiting")
        assert list(inspection.untrue_matches()) == [None] * (db.session.scalar(begun) or 0)
        assert list(inspection.damage()) == []


def test_the_matches_are_played_on_to_their_ends(upgraded: Flask) -> None:
    with upgraded.app_context():
        games = db.session.scalars(select(Game).where(Game.status == "playing")).all()
        sitting = {
            game.key: [seat.user_id for seat in game.seats if seat.user_id] for game in games
        }
        assert len(sitting) >= 3
        for key, people in sitting.items():
            play_to_the_end(key, people, guess=0)
            assert replayed(key) == stored_state(key)
            assert stored_state(key).winner is not None
        assert set(inspection.untrue_matches()) == {None}


def test_tables_that_wait_are_started_by_their_hosts(upgraded: Flask) -> None:
    with upgraded.app_context():
        games = db.session.scalars(select(Game).where(Game.status == "waiting")).all()
        for host, key in [(game.host_id, game.key) for game in games]:
            assert host is not None
            waiting.start(host, key, 0)
            assert stored_state(key).winner is None


@pytest.mark.parametrize("release", RELEASES[1:], indirect=True, ids=["second-release"])
def test_links_to_tables_that_wait_go_on_inviting_where_nobody_was_removed(upgraded: Flask) -> None:
    with upgraded.app_context():
        games = db.session.scalars(select(Game).where(Game.status == "waiting")).all()
        removed_from = set(db.session.scalars(select(Removal.game_id)))
        tables = [(game.key, game.invitation, game.id in removed_from) for game in games]
    assert {was_removed for _key, _token, was_removed in tables} == {True, False}
    assert len({token for _key, token, _removed in tables} - {None}) == len(tables)
    for key, token, was_removed in tables:
        visitor = Browser(upgraded)
        assert visitor.get(f"/games/{key}").status_code == (404 if was_removed else 200)
        assert visitor.get(f"/invitation/{token}").status_code == 200


def test_every_page_of_every_table_opens_for_its_people(upgraded: Flask) -> None:
    with upgraded.app_context():
        otter = db.session.scalars(select(User.id).where(User.handle == "Otter")).one()
        query = select(Game.key, Game.status).join(Seat).where(Seat.user_id == otter)
        tables = [(row.key, row.status) for row in db.session.execute(query)]
    browser = Browser(upgraded)
    assert browser.sign_in("otter").status_code == 303
    for key, status in tables:
        for part in ("", "/replay", "/review", "/why") if status == "finished" else ("",):
            assert browser.get(f"/games/{key}{part}").status_code == 200, (status, part)
    assert len(tables) >= 3


def test_who_had_an_account_signs_in_and_finds_every_table(upgraded: Flask) -> None:
    browser = Browser(upgraded)
    assert browser.sign_in("otter").status_code == 303
    home = browser.get("/").text
    with upgraded.app_context():
        entrance = accounts.sign_in("otter", PASSWORD)
        tables = my_tables(entrance.user_id, ["playing", "finished"], 10)
    assert len(tables) >= 3
    for table in tables:
        assert f"/games/{table.key}" in home


@pytest.mark.parametrize("release", RELEASES[:1], indirect=True, ids=["first-release"])
def test_a_match_that_was_over_before_bots_kept_their_reasons_says_so(upgraded: Flask) -> None:
    with upgraded.app_context():
        key = db.session.scalars(select(Game.key).where(Game.status == "finished")).one()
    browser = Browser(upgraded)
    assert browser.sign_in("otter").status_code == 303
    assert browser.get(f"/games/{key}/why").status_code == 200
    assert "There are no reasons to tell" in browser.text
    browser.get(f"/games/{key}/replay?at=1")
    assert "Ask the bots why" not in browser.text
