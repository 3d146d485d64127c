"""A PostgreSQL of one's own for tests: in a temporary folder, without a port, gone afterwards.

It is made with whatever server is installed on the machine. PostgreSQL refuses to run as root, so
root runs it as somebody else.
"""

from __future__ import annotations

import ctypes
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import psycopg

OWNER = "raisesum"

_PR_SET_PDEATHSIG = 1
_SETTINGS = {
    "listen_addresses": "",
    "shared_buffers": "32MB",
    "max_connections": "100",
    # What a crash of the machine would lose is nothing that tests keep.
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "autovacuum": "off",
}


@cache
def programs() -> Path | None:
    """The folder of `initdb` and `postgres`, of the newest version there is; None without any."""
    found = shutil.which("initdb")
    folders = [Path(found).resolve().parent] if found else []
    versions = Path("/usr/lib/postgresql").glob("*/bin")
    folders += sorted(versions, key=lambda each: float(each.parent.name), reverse=True)
    for folder in folders:
        if all((folder / name).exists() for name in ("initdb", "postgres")):
            return folder
    return None


MISSING = "PostgreSQL's server is not installed here (initdb is looked for)"


@dataclass(frozen=True)
class Cluster:
    """A server that listens in the folder `socket`."""

    socket: Path

    def url(self, database: str) -> str:
        """The address of `database`, as DATABASE_URL has it."""
        return f"postgresql+psycopg://{OWNER}@/{database}?host={self.socket}"

    def run(self, statement: str, database: str = "postgres") -> None:
        """Run one statement outside of any transaction."""
        with psycopg.connect(
            host=str(self.socket), user=OWNER, dbname=database, autocommit=True
        ) as connection:
            connection.execute(statement.encode())

    def create(self, database: str) -> str:
        """Make an empty database and return its address."""
        self.run(f'CREATE DATABASE "{database}"')
        return self.url(database)


@contextmanager
def cluster(**settings: str) -> Iterator[Cluster]:
    """A new server; `settings` are PostgreSQL's and go before the ones for tests."""
    folder = programs()
    if folder is None:
        raise RuntimeError(MISSING)
    # In a short path: the name of a socket has at most 107 characters.
    home = Path(tempfile.mkdtemp(prefix="raisesum-pg-"))
    user = _somebody()
    try:
        if user is not None:
            os.chown(home, user.pw_uid, user.pw_gid)
        who = (
            {} if user is None else {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
        )
        subprocess.run(
            [
                *(folder / "initdb", "--pgdata", home / "data", "--username", OWNER),
                *("--auth", "trust", "--encoding", "UTF8", "--locale", "C", "--no-sync"),
            ],
            cwd=home,
            check=True,
            capture_output=True,
            **who,
        )
        options = {**_SETTINGS, **settings, "unix_socket_directories": str(home)}
        with (home / "log").open("wb") as log:
            server = subprocess.Popen(
                [
                    *(folder / "postgres", "-D", home / "data"),
                    *(part for name in options for part in ("-c", f"{name}={options[name]}")),
                ],
                cwd=home,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                # Its own group: what tests do to theirs does not reach it.
                start_new_session=True,
                preexec_fn=_end_with_parent,
                **who,
            )
        try:
            found = Cluster(home)
            _wait_for(found, server, home / "log")
            yield found
        finally:
            server.send_signal(signal.SIGINT)
            server.wait(timeout=60)
    finally:
        shutil.rmtree(home, ignore_errors=True)


def _somebody() -> pwd.struct_passwd | None:
    """Who runs the server: oneself, or for root somebody who is not."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise RuntimeError("PostgreSQL does not run as root, and there is nobody else here")


def _end_with_parent() -> None:
    """Have the server stop when the tests are killed."""
    prctl = getattr(ctypes.CDLL(None), "prctl", None)
    if prctl is not None:
        prctl(_PR_SET_PDEATHSIG, signal.SIGQUIT)


def _wait_for(found: Cluster, server: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + 60
    while True:
        try:
            found.run("SELECT 1")
        except psycopg.OperationalError:
            if server.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"PostgreSQL does not start: {log.read_text()}") from None
            time.sleep(0.05)
        else:
            return
