"""Copies of the whole database, and the way back, while people play.

A copy gets its name only when it is whole and has been checked, so a file with that name can be
relied upon. SQLite makes it itself, as of one moment; for PostgreSQL its own `pg_dump` does.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy.engine import URL

from raisesum.extensions import db
from raisesum.services import clock
from raisesum.services.errors import ServiceError

#: How long one step of the way back waits for those who are writing.
_PATIENCE_S = 30


class BackupError(ServiceError):
    """No copy was made, or nothing was brought back; the message says why."""


def back_up(folder: Path, name: str = "raisesum") -> Path:
    """Copy the database into `folder`, made if need be; return the copy, readable by its owner.

    Raises:
        BackupError: there is no copy.
    """
    moment = datetime.fromtimestamp(clock.now_ms() / 1000, UTC)
    on_sqlite = db.engine.dialect.name == "sqlite"
    ending = "db" if on_sqlite else "dump"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _unfinished(folder) as unfinished:
            if on_sqlite:
                _copy_sqlite(unfinished)
                check_copy(unfinished)
            else:
                _dump_postgresql(unfinished)
            _to_disk(unfinished)
            return _give_name(unfinished, folder, f"{name}-{moment:%Y%m%dT%H%M%S%fZ}", ending)
    except OSError as error:
        raise BackupError(f"No copy could be made in {folder}: {error.strerror}.") from None


def restore(copy: Path, keep_in: Path) -> Path:
    """Put `copy` in the place of all that is in the database, while the server runs or not.

    What was in it before is kept as a copy in the folder `keep_in`, which is returned. The
    tables are then as old as the copy: migrations must follow.

    Raises:
        BackupError: nothing was changed.
    """
    if not copy.is_file():
        raise BackupError(f"There is no file {copy}.")
    if db.engine.dialect.name == "sqlite":
        check_copy(copy)
        kept = back_up(keep_in, "before-restore")
        _write_over_sqlite(copy)
    else:
        _run_postgresql("pg_restore", "--list", str(copy))
        kept = back_up(keep_in, "before-restore")
        # In one transaction: either all of it is there afterwards, or nothing has happened.
        _run_postgresql(
            *("pg_restore", "--clean", "--if-exists", "--no-owner", "--single-transaction"),
            *("--exit-on-error", "--dbname", _dsn(), str(copy)),
        )
    db.engine.dispose()
    return kept


def check_copy(path: Path) -> None:
    """See that the SQLite file at `path` is whole and one of this program's.

    Raises:
        BackupError: it is not.
    """
    try:
        with closing(_driver().connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as copy:
            problems = [row[0] for row in copy.execute("PRAGMA integrity_check(5)")]
            if problems != ["ok"]:
                raise BackupError(f"{path} is damaged: {problems[0]}.")
            if copy.execute("PRAGMA foreign_key_check").fetchone():
                raise BackupError(f"{path} has rows that point nowhere.")
            copy.execute("SELECT count(*) FROM games, alembic_version").fetchone()
    except _driver().Error as error:
        raise BackupError(f"{path} is no copy of this program's database: {error}.") from None


def _driver() -> Any:
    """The one SQLite library of this process."""
    return db.engine.dialect.dbapi


@contextlib.contextmanager
def _unfinished(folder: Path) -> Iterator[Path]:
    """A file without content or readers, gone at the end unless it was renamed."""
    descriptor, name = tempfile.mkstemp(dir=folder, prefix=".unfinished-")
    os.close(descriptor)
    try:
        yield Path(name)
    finally:
        Path(name).unlink(missing_ok=True)


def _copy_sqlite(target: Path) -> None:
    # On the driver's own connection: SQLite does this outside of any transaction only.
    with closing(db.engine.raw_connection()) as connection:
        driver: Any = connection.driver_connection
        try:
            driver.execute("VACUUM INTO ?", (str(target),))
        except _driver().Error as error:
            raise BackupError(f"SQLite could not make the copy: {error}.") from None


def _write_over_sqlite(copy: Path) -> None:
    """Put the content of the file `copy` into the database in one step.

    Not the file itself: processes that have the old one open would go on with that.
    """
    with (
        closing(_driver().connect(f"{copy.resolve().as_uri()}?mode=ro", uri=True)) as source,
        closing(_driver().connect(str(db.engine.url.database), timeout=_PATIENCE_S)) as target,
    ):
        try:
            target.execute("PRAGMA synchronous = FULL")
            # Taken before, with patience: the copying itself does not wait for others.
            source.backup(target, pages=-1, sleep=0.05)
        except _driver().Error as error:
            raise BackupError(f"Nothing was brought back: {error}.") from None


def _dsn() -> str:
    """The address as PostgreSQL's programs read it, without the password."""
    url: URL = db.engine.url
    return url.set(drivername="postgresql", password=None).render_as_string(hide_password=False)


def _dump_postgresql(target: Path) -> None:
    _run_postgresql("pg_dump", "--format=custom", "--no-owner", "--file", str(target), _dsn())
    _run_postgresql("pg_restore", "--list", str(target))


def _run_postgresql(program: str, *arguments: str) -> None:
    environment = dict(os.environ)
    if db.engine.url.password is not None:
        # Not among the arguments, which everyone on the machine can read.
        environment["PGPASSWORD"] = str(db.engine.url.password)
    try:
        subprocess.run(  # noqa: S603 - a program of PostgreSQL's, found by PATH
            [program, *arguments], env=environment, check=True, capture_output=True, text=True
        )
    except FileNotFoundError:
        raise BackupError(f"{program} is not installed: it comes with PostgreSQL.") from None
    except subprocess.CalledProcessError as error:
        last = (error.stderr.strip().splitlines() or ["it did not say why"])[-1]
        raise BackupError(f"{program} failed: {last}") from None


def _to_disk(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def _give_name(unfinished: Path, folder: Path, stem: str, ending: str) -> Path:
    """Link the file under a name that nobody has; two copies of one moment both stay."""
    number = 1
    while True:
        name = folder / (f"{stem}.{ending}" if number == 1 else f"{stem}-{number}.{ending}")
        try:
            name.hardlink_to(unfinished)
        except FileExistsError:
            number += 1
            continue
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        return name
