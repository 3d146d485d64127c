"""Whether the database answers, and whether it would take a move."""

from __future__ import annotations

import os
from enum import StrEnum
from pathlib import Path
from typing import Any

from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from raisesum.extensions import BUSY_TIMEOUT_MS, WRITES, db

#: How long somebody else may be writing before it is told.
PATIENCE_MS = 500

#: A move is a few kilobytes; the log that writes go to first may grow by some megabytes.
LEAST_FREE_BYTES = 16 * 1024 * 1024


class DatabaseState(StrEnum):
    """What can be done with the database now; the values are what is told."""

    WRITABLE = "writable"
    BUSY = "busy"
    READ_ONLY = "read-only"
    FULL = "disk full"
    UNREACHABLE = "unreachable"

    @property
    def is_readable(self) -> bool:
        """Whether pages can be shown."""
        return self is not DatabaseState.UNREACHABLE


def database_state() -> DatabaseState:
    """Try what a move would need, and change nothing."""
    try:
        with db.engine.connect() as connection:
            connection.execute(text("SELECT version_num FROM alembic_version"))
    except SQLAlchemyError:
        return DatabaseState.UNREACHABLE
    return _on_sqlite() if db.engine.dialect.name == "sqlite" else _on_postgresql()


def _on_sqlite() -> DatabaseState:
    path = Path(str(db.engine.url.database))
    if not os.access(path, os.W_OK):
        return DatabaseState.READ_ONLY
    disk = os.statvfs(path.parent)
    if disk.f_bavail * disk.f_frsize < LEAST_FREE_BYTES:
        return DatabaseState.FULL
    with db.engine.connect() as connection:
        # On the driver's own connection: this one would begin a transaction before it.
        driver: Any = connection.connection.driver_connection
        driver.execute(f"PRAGMA busy_timeout = {PATIENCE_MS}")
        try:
            with connection.execution_options(**{WRITES: True}).begin():
                return DatabaseState.WRITABLE
        except SQLAlchemyError as error:
            is_read_only = "readonly" in str(error)
            return DatabaseState.READ_ONLY if is_read_only else DatabaseState.BUSY
        finally:
            driver.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")


def _on_postgresql() -> DatabaseState:
    try:
        with db.engine.connect() as connection:
            read_only = connection.execute(text("SHOW transaction_read_only")).scalar_one()
    except SQLAlchemyError:
        return DatabaseState.UNREACHABLE
    return DatabaseState.READ_ONLY if read_only == "on" else DatabaseState.WRITABLE
