"""Settings and surroundings that work and yet are a risk, told in a sentence each."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from flask import Flask

from raisesum.config import LOCAL_HOSTS
from raisesum.extensions import sqlite_version
from raisesum.services.sqlite_versions import can_corrupt

_READABLE_BY_OTHERS = 0o077


def sqlite_word(app: Flask) -> str | None:
    """What to say at start about the SQLite in use, when it can corrupt the database."""
    version = sqlite_version()
    if app.config["SQLALCHEMY_DATABASE_URI"].get_backend_name() != "sqlite":
        return None
    if not can_corrupt(version):
        return None
    return (
        f"SQLite {version} is in use, which in rare cases can corrupt the database. 3.51.3 or "
        "newer cannot: on most systems `make run` installs one. Keep backups."
    )


def risks(app: Flask) -> Iterator[str]:
    """Yield what should be changed before strangers come."""
    word = sqlite_word(app)
    if word is not None:
        yield word
    instance = Path(app.config["INSTANCE_PATH"])
    for path in (instance, *sorted(instance.iterdir())):
        if path.stat().st_mode & _READABLE_BY_OTHERS:
            yield f"{path} can be read by others on this machine: chmod go= {path}"
    key = app.config["SECRET_KEY"]
    if len(set(key)) < 10:
        yield "SECRET_KEY is easy to guess. Leave it out, and a good one is made and kept."
    hosts = set(app.config["ALLOWED_HOSTS"])
    is_public = not hosts <= set(LOCAL_HOSTS)
    if any(host.startswith(".") and "." not in host.strip(".") for host in hosts):
        yield "ALLOWED_HOSTS lets in every name of a whole top-level domain."
    if is_public and not app.config["TRUSTED_PROXIES"]:
        yield (
            "Others can reach this server, and TRUSTED_PROXIES is 0: either there is no HTTPS, "
            "or all visitors count as one for the limits on guessing and on new guests."
        )
    if is_public and app.config["METRICS"]:
        yield "METRICS is on: see that the web server in front lets nobody else at /metrics."
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        yield "This runs as root. Give it a user of its own."
    if app.debug or app.testing:
        yield "Debugging is on, which shows the program's inside to everyone."
