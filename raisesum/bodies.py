"""Reading what a request brings before a thread may work on it.

A connection that begins a body and never ends it keeps the thread that reads it. So reading is
done by threads of its own, so many that a page can always be answered; one address gets only some
of them; and few threads at a time do what costs processor time.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from io import BytesIO
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

#: Requests of one process that are worked on at a time. One password hash runs at a time in a
#: process, so a few people who sign in at once must not take every thread from those who play.
AT_WORK: Final = 4
#: Bodies of one process that are being read at a time, and how many of them from one address: a
#: whole class behind one address may press at the same moment.
READING: Final = 96
READING_BY_ONE: Final = 32
#: Threads that a process needs: while all bodies are stuck, as many as work at a time are free.
THREADS: Final = READING + 2 * AT_WORK

BUSY: Final = b"Too many requests of yours are unfinished. Please try again in a moment.\n"


class BodiesFirst:
    """A WSGI application that is only asked once a request is complete.

    Args:
        app: the application.
        largest: a body of more bytes is left to the application, which refuses it unread.
        share: whether all requests may seem to come from one address, as behind a proxy, so
            that no address can be held to its part.
    """

    def __init__(self, app: WSGIApplication, largest: int, *, share: bool) -> None:
        self._app = app
        self._largest = largest
        self._by_one = READING if share else READING_BY_ONE
        self._at_work = threading.BoundedSemaphore(AT_WORK)
        self._lock = threading.Lock()
        self._reading: Counter[str] = Counter()

    def __call__(self, environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        """Answer one request; with 503 when too many bodies are being read."""
        most = self._to_read(environ)
        if most:
            with self._place(environ.get("REMOTE_ADDR", "")) as is_free:
                if not is_free:
                    return _busy(start)
                body = environ["wsgi.input"].read(most)
            environ["wsgi.input"] = BytesIO(body)
            environ["CONTENT_LENGTH"] = str(len(body))
        with self._at_work:
            return self._app(environ, start)

    def _to_read(self, environ: WSGIEnvironment) -> int:
        """How many bytes of the body to read, at most."""
        if "HTTP_TRANSFER_ENCODING" in environ:
            # It comes in pieces and does not say how long it is.
            return self._largest + 1
        told = environ.get("CONTENT_LENGTH") or ""
        length = int(told) if told.isdecimal() and len(told) < 10 else 0
        return length if length <= self._largest else 0

    @contextmanager
    def _place(self, address: str) -> Iterator[bool]:
        with self._lock:
            is_free = self._reading.total() < READING and self._reading[address] < self._by_one
            if is_free:
                self._reading[address] += 1
        try:
            yield is_free
        finally:
            if is_free:
                with self._lock:
                    self._reading[address] -= 1
                    # Addresses are forgotten as soon as nothing is read from them.
                    self._reading += Counter()


def _busy(start: StartResponse) -> Iterable[bytes]:
    status = HTTPStatus.SERVICE_UNAVAILABLE
    headers = [
        ("Content-Type", "text/plain; charset=utf-8"),
        ("Content-Length", str(len(BUSY))),
        ("Retry-After", "5"),
        ("Cache-Control", "no-store"),
        ("Connection", "close"),
    ]
    start(f"{status.value} {status.phrase}", headers)
    return [BUSY]
