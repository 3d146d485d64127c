"""Settings: what the program may be told, its defaults, and the private files it keeps.

A setting comes from, in this order: the mapping given to `create_app`, the environment as
`RAISESUM_<NAME>`, the environment as `<NAME>`, the default.

====================  ==========================================================================
INSTANCE_PATH         folder of the database and the secret key (default: `instance/`)
DATABASE_URL          SQLAlchemy's form (default: `raisesum.db` in the instance folder)
SECRET_KEY            signs cookies and form tokens (default: made once, kept in the instance
                      folder; set it when several machines serve one database)
GUESTS_PER_HOUR       how many new people may come from one network address in an hour
                      (default: 300)
REGISTRATION          `closed` lets nobody make an account; guests play all the same (default:
                      `open`)
PUBLIC_TABLES         0 for a home or a school: no table is listed for strangers (default: 1)
KEEP_DAYS             how long people are told that an unfinished match is kept, and how old one
                      must be for `prune` (default: 30)
BOT_DELAY_MS          how long a bot seems to think, in milliseconds (default: 1000)
ACCESS_LOG            1 writes a line for each request to standard error (default: 0)
METRICS               1 answers at /metrics, for whoever asks (default: 0)
TRUSTED_PROXIES       how many proxies in front may say who asks and how (default: 0)
ALLOWED_HOSTS         names this server answers to, separated by commas; `.example.org` stands
                      for all below it (default: `localhost`, HOST, and with HOST=0.0.0.0 what
                      other devices on the network call this machine)
HOST                  the address listened on; here only so that it is allowed as a host
====================  ==========================================================================
"""

from __future__ import annotations

import contextlib
import os
import secrets
import socket
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from click import ClickException
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

ROOT = Path(__file__).resolve().parent.parent
LOCAL_HOSTS = ("localhost", "127.0.0.1", "[::1]")
WILDCARD_ADDRESSES = ("0.0.0.0", "::")  # noqa: S104 - compared with, not bound to

_NAMES = (
    "INSTANCE_PATH",
    "DATABASE_URL",
    "SECRET_KEY",
    "REGISTRATION",
    "PUBLIC_TABLES",
    "KEEP_DAYS",
    "BOT_DELAY_MS",
    "GUESTS_PER_HOUR",
    "ACCESS_LOG",
    "METRICS",
    "TRUSTED_PROXIES",
    "ALLOWED_HOSTS",
    "HOST",
)
_SHORTEST_KEY = 32

# The largest body read at all. A move is a few hundred bytes and a form of ours less than that.
MAX_BODY_BYTES = 64 * 1024


class ConfigurationError(ClickException):
    """A setting that cannot be used; the message names it and says what would do."""


def load(overrides: Mapping[str, Any] | None, environ: Mapping[str, str]) -> dict[str, Any]:
    """The complete configuration, ready for `app.config`; makes the private files it names.

    Anything in `overrides` that is no setting of ours (`TESTING`, say) is passed on as it is.
    Raises `ConfigurationError` with a sentence for the operator.
    """
    given = dict(overrides or {})
    told = {name: _told(name, given, environ) for name in _NAMES}

    instance = Path(told["INSTANCE_PATH"] or ROOT / "instance").resolve()
    url = _database_url(told["DATABASE_URL"], instance)
    with _said_of("INSTANCE_PATH", instance):
        make_private_folder(instance)
    if url.get_backend_name() == "sqlite":
        database = Path(str(url.database))
        with _said_of("DATABASE_URL", database):
            make_private_file(database)

    return {
        # The form token lives as long as the session it belongs to; see `web/csrf.py`.
        "WTF_CSRF_TIME_LIMIT": None,
        "WTF_CSRF_CHECK_DEFAULT": False,
        "MAX_CONTENT_LENGTH": MAX_BODY_BYTES,
        "MAX_FORM_MEMORY_SIZE": MAX_BODY_BYTES,
        "MAX_FORM_PARTS": 100,
        **given,
        "INSTANCE_PATH": str(instance),
        "DATABASE_URL": url.render_as_string(hide_password=False),
        "SQLALCHEMY_DATABASE_URI": url,
        "SECRET_KEY": _secret_key(told["SECRET_KEY"], instance),
        "REGISTRATION": _choice("REGISTRATION", told["REGISTRATION"], ("open", "closed")),
        "PUBLIC_TABLES": _whole_number("PUBLIC_TABLES", told["PUBLIC_TABLES"], 1, 1),
        "KEEP_DAYS": _whole_number("KEEP_DAYS", told["KEEP_DAYS"], 30, 36_500),
        "NETWORK_ADDRESS": _address_on_the_network(told["HOST"], told["ALLOWED_HOSTS"]),
        "BOT_DELAY_MS": _whole_number("BOT_DELAY_MS", told["BOT_DELAY_MS"], 1000, 60_000),
        "GUESTS_PER_HOUR": _whole_number("GUESTS_PER_HOUR", told["GUESTS_PER_HOUR"], 300, 10**6),
        "ACCESS_LOG": _whole_number("ACCESS_LOG", told["ACCESS_LOG"], 0, 1),
        "METRICS": _whole_number("METRICS", told["METRICS"], 0, 1),
        "TRUSTED_PROXIES": _whole_number("TRUSTED_PROXIES", told["TRUSTED_PROXIES"], 0, 10),
        "ALLOWED_HOSTS": _hosts(told["ALLOWED_HOSTS"], told["HOST"]),
    }


def _told(name: str, given: Mapping[str, Any], environ: Mapping[str, str]) -> Any:
    for source, key in ((given, name), (environ, f"RAISESUM_{name}"), (environ, name)):
        value = source.get(key)
        if value not in (None, ""):
            return value
    return None


def _whole_number(name: str, value: Any, default: int, highest: int) -> int:
    if value is None:
        return default
    text = str(value)
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) <= highest):
        raise ConfigurationError(f"{name} must be a whole number from 0 to {highest}.")
    return int(text)


def _choice(name: str, value: Any, choices: tuple[str, ...]) -> str:
    """One of `choices`, the first of which is the default."""
    if value is None:
        return choices[0]
    if value not in choices:
        raise ConfigurationError(f"{name} must be one of: {', '.join(choices)}.")
    return str(value)


def _hosts(allowed: Any, address: str | None) -> tuple[str, ...]:
    if allowed is not None:
        return _listed(allowed)
    if address is None:
        return LOCAL_HOSTS
    if address in WILDCARD_ADDRESSES:
        return (*LOCAL_HOSTS, *_names_on_the_network())
    return (*LOCAL_HOSTS, f"[{address}]" if ":" in address else address.lower())


def _listed(allowed: Any) -> tuple[str, ...]:
    names = allowed.split(",") if isinstance(allowed, str) else list(allowed)
    return tuple(name.strip().lower() for name in names if name.strip())


def _names_on_the_network() -> tuple[str, ...]:
    """What other devices may call this machine: its name, and its address on the network."""
    name = socket.gethostname().lower()
    names = [name, f"{name}.local"] if name else []
    address = own_address()
    return (*names, address) if address else tuple(names)


def _address_on_the_network(address: str | None, allowed: Any) -> str | None:
    """By what name other devices reach a server that listens at `address`; None if they cannot.

    Where `allowed` says by which names it may be asked for, it has no other.
    """
    if address in WILDCARD_ADDRESSES:
        found = own_address()
    elif address is None or address.lower() in (*LOCAL_HOSTS, "::1"):
        found = None
    else:
        found = f"[{address}]" if ":" in address else address.lower()
    return found if allowed is None or found in _listed(allowed) else None


def own_address() -> str | None:
    """Where on its network this machine is; None when it is in no network."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        # Nothing is sent: this only asks by which address one would leave for the network.
        probe.connect(("192.0.2.1", 9))
        found = str(probe.getsockname()[0])
        return None if found.startswith("127.") else found
    return None


def _database_url(text: Any, instance: Path) -> URL:
    """The database's address; a SQLite file is named absolutely, relative to `instance`."""
    try:
        url = make_url(text or "sqlite:///raisesum.db")
    except ArgumentError:
        # The text may hold a password, so it is not repeated.
        raise ConfigurationError("DATABASE_URL is not an address of a database.") from None
    if url.drivername in ("postgresql", "postgresql+psycopg"):
        return url
    if url.drivername not in ("sqlite", "sqlite+pysqlite"):
        raise ConfigurationError("DATABASE_URL must be SQLite's or PostgreSQL's.")
    if not url.database or url.database == ":memory:" or url.database.startswith("file:"):
        raise ConfigurationError("DATABASE_URL must name a file when it is SQLite's.")
    return url.set(database=str(instance / url.database))


@contextlib.contextmanager
def _said_of(name: str, path: Path) -> Iterator[None]:
    """Name the setting whose path the system refuses."""
    try:
        yield
    except OSError as error:
        raise ConfigurationError(f"{name}: {path} cannot be used ({error.strerror}).") from None


def make_private_folder(folder: Path) -> None:
    """Make `folder` (and what is above it), readable by its owner alone."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    _tighten(folder, 0o700)


def make_private_file(path: Path) -> None:
    """Make an empty file at `path` if there is none, readable by its owner alone.

    SQLite gives its `-wal` and `-shm` files the permissions of the database, so a database
    that is born private stays so whatever the umask.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    _tighten(path, 0o600)


def _tighten(path: Path, mode: int) -> None:
    """Take from `path` every permission beyond `mode`, and see that its owner has those."""
    if path.stat().st_mode & 0o777 != mode:
        path.chmod(mode)


def _secret_key(told: Any, instance: Path) -> str:
    key = str(told) if told is not None else _kept_key(instance / "secret_key")
    if len(key) < _SHORTEST_KEY:
        source = "SECRET_KEY" if told is not None else str(instance / "secret_key")
        raise ConfigurationError(f"{source} must have at least {_SHORTEST_KEY} characters.")
    return key


def _kept_key(path: Path) -> str:
    """The key in the file at `path`, made first if there is none.

    Several workers may start at once: the key is written whole under another name and then
    linked, which fails for all but one of them; nobody can read half a key.
    """
    if not path.exists():
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".secret_key-")
        try:
            with os.fdopen(descriptor, "w", encoding="ascii") as file:
                file.write(secrets.token_urlsafe(48))
                file.flush()
                os.fsync(file.fileno())
            with contextlib.suppress(FileExistsError):
                path.hardlink_to(name)
        finally:
            Path(name).unlink()
    _tighten(path, 0o600)
    return path.read_text(encoding="ascii").strip()
