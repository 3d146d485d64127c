"""Serving the app for real: the port is looked at, the database brought up to date, granian run.

granian's main process starts `workers` processes that answer requests and replaces one that
dies. What is added to it here is how they stop: once, whether a signal reaches one of them or
all; also when the terminal goes away; and no worker outlives the main process.
"""

from __future__ import annotations

import ctypes
import errno
import logging
import multiprocessing
import multiprocessing.connection
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from flask import Flask
from flask_migrate import upgrade
from granian.constants import HTTPModes, Interfaces
from granian.log import LogLevels
from granian.server import Server
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from raisesum import bodies
from raisesum.config import MAX_BODY_BYTES, WILDCARD_ADDRESSES
from raisesum.extensions import db
from raisesum.services import server_time

logger = logging.getLogger(__name__)

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 8000
DEFAULT_WORKERS = 2

# A thread in which a bot thinks lets the others of its process go on so often. A poll stops for the
# database several times, and at Python's own 5 ms would wait as long each time.
SWITCH_INTERVAL_S = 0.0005

M_MMAP_THRESHOLD, M_ARENA_MAX = -3, -8  # from glibc's malloc.h

# Ctrl-C reaches every process of the terminal, and a service manager may signal all of them as
# well. Only the main process listens to these, and stops its workers: told twice at once, a
# worker of granian's can fail to stop, and one that stops by itself is taken for a crash.
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

# How long a worker that is told to stop lets the main process go first.
HEAD_START_S = 0.2

# How long a stop waits for requests that are being answered.
STOP_TIMEOUT_S = 5


class CannotServeError(Exception):
    """The program cannot listen where it was told to; the message says what to do."""


@dataclass(frozen=True)
class Address:
    """Where to listen: a host as it was given, the number it stands for, and the port."""

    host: str
    number: str
    port: int

    @property
    def url(self) -> str:
        """What to type into a browser of this machine.

        >>> Address("::1", "::1", 8000).url, Address("0.0.0.0", "0.0.0.0", 8000).url
        ('http://[::1]:8000', 'http://localhost:8000')
        """
        host = "localhost" if self.host in WILDCARD_ADDRESSES else self.host
        host = f"[{host}]" if ":" in host else host
        return f"http://{host}:{self.port}"


def free_address(host: str, port: int) -> Address:
    """The address to listen on, which nobody listens on now.

    Raises `CannotServeError` when somebody does, or when it is no address of this machine.

    granian binds in a way that lets a second server share the port unnoticed, and each would
    get some of the requests. So the plain way is tried first.
    """
    try:
        family, kind, _, _, found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except (OSError, UnicodeError):
        raise CannotServeError(f"HOST={host} is not known here: try HOST=127.0.0.1") from None
    with socket.socket(family, kind) as probe:
        # A port that was in use a moment ago is free, unless someone listens on it.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(found)
        except OSError as error:
            raise CannotServeError(_why_not(error, host, port)) from None
    return Address(host, str(found[0]), port)


def _why_not(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        other = port + 1 if port < 65535 else port - 1
        return (
            f"Port {port} on {host} is taken: stop what uses it, or take another with PORT={other}"
        )
    if error.errno == errno.EACCES:
        return f"Port {port} needs more rights than you have here: take one from 1024 up"
    return f"HOST={host} is not an address of this machine: try HOST=127.0.0.1"


def migrate_database(app: Flask) -> None:
    """Bring the tables up to date, and close every connection that took.

    Raises `CannotServeError` when the database cannot be opened, or is none.
    """
    with app.app_context():
        try:
            upgrade()
        except DBAPIError as error:
            # The driver's own words: the address may hold a password, and is left out.
            said = str(error.orig).splitlines()[0]
            raise CannotServeError(f"The database cannot be used: {said}") from None
        # A connection to SQLite must not be carried into another process.
        db.session.remove()
        db.engine.dispose()


def serve(address: Address, workers: int) -> None:
    """Answer requests at `address` until told to stop by SIGINT, SIGTERM or SIGHUP."""
    server = Server(
        target="app:app",
        address=address.number,
        port=address.port,
        interface=Interfaces.WSGI,
        http=HTTPModes.http1,
        websockets=False,
        workers=workers,
        blocking_threads=bodies.THREADS,
        respawn_failed_workers=True,
        workers_kill_timeout=STOP_TIMEOUT_S,
        log_level=LogLevels.warning,
    )
    # It warns of the many threads, of which only a few work at a time.
    logging.getLogger("_granian").addFilter(lambda record: "Python threads" not in record.msg)
    spare_memory()
    told_by = set(STOP_SIGNALS)
    if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:  # as under nohup
        told_by.remove(signal.SIGHUP)
    # From here on the processes are not interrupted; a thread in each waits for signals.
    signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
    told = threading.Event()

    def stop() -> None:
        told.set()
        server.signal_handler_interrupt()  # type: ignore[no-untyped-call]

    _in_background(_call_when_signalled, told_by, stop)
    try:
        server.serve(target_loader=load_in_worker, wrap_loader=False)
    except SystemExit:
        # A worker that was signalled as well may have stopped first, which granian counts as a
        # failure; but it was what everybody was told to do.
        if not told.is_set():
            raise


def spare_memory() -> None:
    """Have glibc keep less of what is freed.

    Left alone it keeps blocks for later, of each size it has seen freed and in an arena for each
    thread. The memory of password hashes then stays: after 200 sign-ins two workers took 275 MB,
    and take 127 MB since blocks of a mebibyte and more are given back. And sixteen arenas grow for
    thousands of requests until each has had its worst; threads that mostly wait do with two. Where
    the C library is another one, nothing happens.
    """
    set_option = getattr(ctypes.CDLL(None), "mallopt", None)
    if set_option is not None:
        set_option(M_MMAP_THRESHOLD, 1024 * 1024)
        set_option(M_ARENA_MAX, 2)


def load_in_worker() -> Any:
    """The WSGI application, made in the worker that will serve it."""
    inherited = signal.getsignal(signal.SIGTERM)

    def stop() -> None:
        # Where all processes were signalled, the main one shall be the first to act on it.
        time.sleep(HEAD_START_S)
        # granian's own way to stop a worker, which it may not have set up yet.
        while (handler := signal.getsignal(signal.SIGTERM)) is inherited:
            time.sleep(0.01)
        if callable(handler):
            handler(signal.SIGTERM, None)

    _in_background(_call_when_signalled, {signal.SIGTERM}, stop)
    _in_background(_stop_with_parent)

    from raisesum import create_app

    sys.setswitchinterval(SWITCH_INTERVAL_S)
    app = create_app()
    # Before the first request: what was due while the server was down must not run then.
    beat(app)
    _in_background(_keep_beating, app)
    behind_proxy = app.config["TRUSTED_PROXIES"] > 0
    return bodies.BodiesFirst(app, MAX_BODY_BYTES, share=behind_proxy)


def beat(app: Flask) -> None:
    """Give a sign of life; server time goes on from the last one that any process gave."""
    with app.app_context():
        try:
            server_time.beat()
        except SQLAlchemyError:
            # Without one no time passes, which hurts nobody; the next may succeed.
            logger.warning("no heartbeat could be written")


def _keep_beating(app: Flask) -> None:
    while True:
        time.sleep(server_time.BEAT_EVERY_MS / 1000)
        beat(app)


def _in_background(work: Callable[..., None], *arguments: object) -> None:
    threading.Thread(target=work, args=arguments, daemon=True).start()


def _call_when_signalled(signals: set[signal.Signals], action: Callable[[], object]) -> None:
    signal.sigwait(signals)
    action()


def _stop_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        multiprocessing.connection.wait([parent.sentinel])
        os.kill(os.getpid(), signal.SIGTERM)
