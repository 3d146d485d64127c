"""Fixtures for all tests: an application on a fresh, migrated database file, and its clients.

A file and never `:memory:`, which has one connection and so hides every fault of two.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient, FlaskCliRunner
from flask_migrate import upgrade
from hypothesis import settings as hypothesis_settings

from raisesum import create_app
from raisesum.extensions import db

DATABASE = "raisesum.db"

# By default a run finds what the last one found, and no slow machine makes it fail; with
# `--hypothesis-profile torture` it looks for new cases, and much longer.
hypothesis_settings.register_profile(
    "check", derandomize=True, deadline=None, database=None, max_examples=100
)
hypothesis_settings.register_profile("torture", deadline=None, max_examples=5000)
hypothesis_settings.load_profile("check")


def settings(instance: Path) -> dict[str, object]:
    """A configuration that takes nothing from the environment, and whose bots answer at once."""
    return {
        "TESTING": True,
        "INSTANCE_PATH": str(instance),
        "DATABASE_URL": f"sqlite:///{DATABASE}",
        "SECRET_KEY": "a key for tests, of no use anywhere else",
        "BOT_DELAY_MS": 0,
        "TRUSTED_PROXIES": 0,
        "ALLOWED_HOSTS": "localhost,127.0.0.1",
    }


def close(app: Flask) -> None:
    with app.app_context():
        db.session.remove()
        db.engine.dispose()


@pytest.fixture(scope="session")
def migrated_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty database with all migrations applied, to be copied: migrating takes a while."""
    instance = tmp_path_factory.mktemp("migrated")
    app = create_app(settings(instance))
    with app.app_context():
        upgrade()
    close(app)
    return instance / DATABASE


@pytest.fixture
def app(tmp_path: Path, migrated_database: Path) -> Iterator[Flask]:
    instance = tmp_path / "instance"
    instance.mkdir(mode=0o700)
    shutil.copy(migrated_database, instance / DATABASE)
    app = create_app(settings(instance))
    yield app
    close(app)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def runner(app: Flask) -> FlaskCliRunner:
    return app.test_cli_runner()
