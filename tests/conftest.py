"""Fixtures for all tests: an application on a fresh, migrated database, and its clients.

On SQLite that is a file and never `:memory:`, which has one connection and so hides every fault of
two. What tests services, pages and commands runs on PostgreSQL as well, where that is installed.
"""

from __future__ import annotations

import shutil
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random

import pytest
from flask import Flask
from flask.testing import FlaskClient, FlaskCliRunner
from flask_migrate import upgrade
from hypothesis import settings as hypothesis_settings
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket

from raisesum import create_app
from raisesum.extensions import Base, db
from raisesum.services import dealing, play
from tests import postgresql

DATABASE = "raisesum.db"

# By default a run finds what the last one found, and no slow machine makes it fail; with
# `--hypothesis-profile torture` it looks for new cases, and much longer.
hypothesis_settings.register_profile(
    "check", derandomize=True, deadline=None, database=None, max_examples=100
)
hypothesis_settings.register_profile("torture", deadline=None, max_examples=5000)
hypothesis_settings.load_profile("check")

# Who starts the tests with nohup or in the background ignores these, and every server that a test
# starts would inherit that, and not stop.
for _stop in (signal.SIGHUP, signal.SIGINT):
    if signal.getsignal(_stop) is signal.SIG_IGN:
        signal.signal(_stop, signal.SIG_DFL)

# Where these begin the name of a test's file below `tests/`, it is run on both databases.
ON_BOTH = ("services/", "web/", "test_cli_operator.py")
# Of these, what pages say of one and the same state, which takes long and asks no database.
ON_ONE = ("web/test_noninterference.py", "web/test_contrast.py")
SQLITE, POSTGRESQL = "sqlite", "postgresql"


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


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "backend" not in metafunc.fixturenames:
        return
    path = metafunc.definition.path.relative_to(Path(__file__).parent).as_posix()
    only_sqlite = metafunc.definition.get_closest_marker("sqlite") is not None
    if path.startswith(ON_BOTH) and path not in ON_ONE and not only_sqlite:
        metafunc.parametrize("backend", (SQLITE, POSTGRESQL), indirect=True)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if postgresql.programs() is None:
        terminalreporter.write_line(
            f"Not run on PostgreSQL: {postgresql.MISSING}. On Debian: apt install postgresql",
            yellow=True,
        )


@pytest.fixture(autouse=True)
def chance_of_its_own(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give each test the deals and bots that follow from its name: the same in every run."""
    chance = Random(request.node.nodeid)
    monkeypatch.setattr(dealing, "new_seed", lambda: chance.getrandbits(dealing.SEED_BITS))
    monkeypatch.setattr(play, "chance_for", lambda view: chance)


@pytest.fixture
def backend(request: pytest.FixtureRequest) -> str:
    """Which database the test runs on."""
    chosen: str = getattr(request, "param", SQLITE)
    if chosen == POSTGRESQL and postgresql.programs() is None:
        pytest.skip(postgresql.MISSING)
    return chosen


@pytest.fixture(scope="session")
def migrated_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty database with all migrations applied, to be copied: migrating takes a while."""
    instance = tmp_path_factory.mktemp("migrated")
    app = create_app(settings(instance))
    with app.app_context():
        upgrade()
    close(app)
    return instance / DATABASE


class SharedDatabase:
    """One migrated database on a PostgreSQL server, made when first asked for, then emptied."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._stack = ExitStack()
        self._server: postgresql.Cluster | None = None

    def emptied(self) -> str:
        """The address of the database, with nothing in it, and numbers beginning with 1."""
        if self._server is None:
            self._server = self._stack.enter_context(postgresql.cluster())
            url = self._server.create("tests")
            app = create_app({**settings(self._folder), "DATABASE_URL": url})
            with app.app_context():
                upgrade()
            close(app)
        else:
            # For a few rows this is several times as fast as TRUNCATE, which makes new files.
            emptying = [str(table.delete()) for table in reversed(Base.metadata.sorted_tables)]
            restarting = "SELECT setval(oid::regclass, 1, false) FROM pg_class WHERE relkind = 'S'"
            self._server.run("; ".join([*emptying, restarting]), "tests")
        return self._server.url("tests")

    def stop(self) -> None:
        """Stop the server, if there is one."""
        self._stack.close()


@pytest.fixture(scope="session")
def shared_database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SharedDatabase]:
    shared = SharedDatabase(tmp_path_factory.mktemp("postgresql"))
    yield shared
    shared.stop()


class CompiledTemplates(BytecodeCache):
    """Templates compiled once for all the applications of a run, which is most of their cost."""

    def __init__(self) -> None:
        self._kept: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if bucket.key in self._kept:
            bucket.bytecode_from_string(self._kept[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._kept[bucket.key] = bucket.bytecode_to_string()


COMPILED = CompiledTemplates()


@pytest.fixture
def app(
    tmp_path: Path, migrated_database: Path, backend: str, shared_database: SharedDatabase
) -> Iterator[Flask]:
    instance = tmp_path / "instance"
    instance.mkdir(mode=0o700)
    config = settings(instance)
    if backend == POSTGRESQL:
        config["DATABASE_URL"] = shared_database.emptied()
    else:
        shutil.copy(migrated_database, instance / DATABASE)
    app = create_app(config)
    app.jinja_env.bytecode_cache = COMPILED
    yield app
    close(app)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def runner(app: Flask) -> FlaskCliRunner:
    return app.test_cli_runner()
