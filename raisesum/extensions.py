"""The Flask extensions, and what every connection to SQLite is told.

Left to itself the driver loses updates and fails with "database is locked". So the driver's
own transactions are switched off, and each one begins with the statement this module emits:
`BEGIN` to read, `BEGIN IMMEDIATE` to write (asked for by the execution option `WRITES`, which
only `services.transactions` and the migrations set).
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from flask_login import LoginManager
from flask_migrate import Migrate
from flask_sqlalchemy import SQLAlchemy
from flask_wtf import CSRFProtect
from sqlalchemy import Connection, Engine, MetaData, event
from sqlalchemy.orm import DeclarativeBase

try:
    # Newer than the SQLite most Pythons come with, some of which can corrupt a database in
    # WAL mode. Never both in one process.
    from pysqlite3 import dbapi2 as sqlite_driver
except ImportError:
    from sqlite3 import dbapi2 as sqlite_driver

WRITES = "raisesum_writes"

BUSY_TIMEOUT_MS = 10_000

SQLITE_PRAGMAS = {
    "busy_timeout": BUSY_TIMEOUT_MS,
    "journal_mode": "wal",
    # FULL: an acknowledged move is on the disk. It costs one fsync a commit.
    "synchronous": 2,
    "foreign_keys": 1,
    # In KiB. At SQLite's own 2 MiB each of ten connections went on growing for a thousand matches;
    # the system keeps the file in memory anyway, once for all of them.
    "cache_size": -512,
}
"""What each SQLite connection is set to, as SQLite reports it back."""


class Base(DeclarativeBase):
    """The base of every model. Constraints are named, so that migrations can change them."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


db = SQLAlchemy(model_class=Base)
login_manager = LoginManager()
csrf = CSRFProtect()
migrate = Migrate(directory=str(Path(__file__).with_name("migrations")))


def engine_options(backend: str) -> dict[str, Any]:
    """What `create_engine` is told besides the address."""
    # What is stored, hands and hashes included, stays out of messages and so out of the log.
    options: dict[str, Any] = {"hide_parameters": True}
    if backend == "sqlite":
        options["module"] = sqlite_driver
    return options


def prepare_engine(engine: Engine) -> None:
    """Attach the connection events; once per engine, before its first connection."""
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _set_pragmas)
        event.listen(engine, "begin", _begin)


def sqlite_version() -> str:
    """The version of the one SQLite library this process uses, such as "3.53.4"."""
    return str(sqlite_driver.sqlite_version)


def _set_pragmas(connection: Any, _record: object) -> None:
    connection.isolation_level = None
    cursor = connection.cursor()
    try:
        for name, value in SQLITE_PRAGMAS.items():
            if name == "journal_mode":
                _enter_wal(cursor)
            else:
                cursor.execute(f"PRAGMA {name} = {value}")
    finally:
        cursor.close()


def _enter_wal(cursor: Any) -> None:
    """Put the database file into WAL mode, which it then keeps.

    Changing the mode needs the file alone, and SQLite does not always wait for that by its
    busy timeout; several workers that start at once on a new file would trip over each other.
    """
    deadline = time.monotonic() + BUSY_TIMEOUT_MS / 1000
    while True:
        try:
            cursor.execute("PRAGMA journal_mode = wal")
            if cursor.fetchone()[0] == "wal":
                return
        except sqlite_driver.OperationalError:
            if time.monotonic() > deadline:
                raise
        if time.monotonic() > deadline:
            raise sqlite_driver.OperationalError("the database cannot be put into WAL mode")
        time.sleep(0.02)


def _begin(connection: Connection) -> None:
    writes = connection.get_execution_options().get(WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
