"""Whoever begins a body and does not end it keeps nobody from playing."""

from __future__ import annotations

import socket
import threading
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from http.client import HTTPConnection
from io import BytesIO
from pathlib import Path
from select import select
from typing import Any

import pytest

from raisesum.bodies import BUSY, READING, READING_BY_ONE, BodiesFirst
from tests.servers import HOST, Server, serving

OTHER_ADDRESS = "127.0.0.2"
LARGEST = 100


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with serving(tmp_path) as running:
        yield running


def begun(server: Server) -> socket.socket:
    """A connection on which half a body was sent."""
    connection = socket.create_connection((HOST, server.port), timeout=60)
    head = f"POST /play-now HTTP/1.1\r\nHost: {HOST}\r\nContent-Length: 1000\r\n\r\nhalf of it"
    connection.sendall(head.encode())
    return connection


def refused(connections: list[socket.socket], at_least: int) -> int:
    """Wait until so many are told that the server is busy; how many are by then."""
    heard: dict[socket.socket, bytes] = defaultdict(bytes)
    silent = list(connections)
    while True:
        told = sum(BUSY in text for text in heard.values())
        ready, _, _ = select(silent, [], [], 0.05 if told >= at_least else 60)
        if not ready:
            return told
        for connection in ready:
            text = connection.recv(4096)
            heard[connection] += text
            if not text or BUSY in heard[connection]:
                silent.remove(connection)


def ask(server: Server, method: str, path: str, address: str = HOST) -> int:
    connection = HTTPConnection(HOST, server.port, timeout=60, source_address=(address, 0))
    try:
        connection.request(method, path, body="a=b" if method == "POST" else None)
        return connection.getresponse().status
    finally:
        connection.close()


def test_unfinished_bodies_keep_no_page_and_nobody_else_waiting(server: Server) -> None:
    with ExitStack() as stack:
        stuck = [stack.enter_context(begun(server)) for _ in range(2 * READING)]
        # Those beyond the part of one address are told so, by whichever worker they reached.
        expected = len(stuck) - 2 * READING_BY_ONE
        assert expected <= refused(stuck, at_least=expected) < len(stuck)
        assert [ask(server, "GET", "/") for _ in range(20)] == [200] * 20
        assert [ask(server, "POST", "/play-now", OTHER_ADDRESS) for _ in range(20)] == [400] * 20
    statuses = {ask(server, "POST", "/play-now") for _ in range(20)}
    assert statuses <= {400, 503}
    assert ask(server, "POST", "/play-now") == 400


def test_a_class_behind_one_address_may_press_at_once(server: Server) -> None:
    with ThreadPoolExecutor(30) as threads:
        for _ in range(5):
            answers = threads.map(lambda _: ask(server, "POST", "/play-now"), range(30))
            assert set(answers) == {400}


class Stuck(BytesIO):
    """A body that is not over before `go_on`."""

    def __init__(self) -> None:
        super().__init__(b"all of it")
        self.begun, self.go_on = threading.Event(), threading.Event()

    def read(self, size: int | None = -1) -> bytes:
        self.begun.set()
        self.go_on.wait()
        return super().read(size)


def said(app: BodiesFirst, **environ: Any) -> tuple[str, bytes]:
    """The status and the body that `app` answers with."""
    statuses: list[str] = []
    given = {"REMOTE_ADDR": HOST, **environ}
    answer = app(given, lambda status, _headers, _error=None: statuses.append(status))  # type: ignore[arg-type,return-value]
    return statuses[0], b"".join(answer)


def echo(environ: Any, start: Any) -> list[bytes]:
    start("200 OK", [])
    return [environ.get("CONTENT_LENGTH", "none").encode(), b" ", environ["wsgi.input"].read()]


@pytest.mark.parametrize(
    ("environ", "answer"),
    [
        ({"CONTENT_LENGTH": "3"}, b"3 abc"),
        ({"CONTENT_LENGTH": "0"}, b"0 abcdef"),
        ({"CONTENT_LENGTH": "²"}, "² abcdef".encode()),
        ({"CONTENT_LENGTH": "101"}, b"101 abcdef"),
        ({"HTTP_TRANSFER_ENCODING": "chunked"}, b"6 abcdef"),
        ({}, b"none abcdef"),
    ],
)
def test_a_body_is_read_first_unless_it_is_too_large(
    environ: dict[str, str], answer: bytes
) -> None:
    app = BodiesFirst(echo, LARGEST, share=False)
    given = {**environ, "wsgi.input": BytesIO(b"abcdef")}
    assert said(app, **given) == ("200 OK", answer)


def test_a_body_in_pieces_that_is_too_large_is_read_so_far_that_it_shows() -> None:
    app = BodiesFirst(echo, LARGEST, share=False)
    body = BytesIO(b"x" * 5000)
    _, answer = said(app, **{"HTTP_TRANSFER_ENCODING": "chunked", "wsgi.input": body})
    assert answer.startswith(b"101 ")


@pytest.mark.parametrize(("share", "most"), [(False, READING_BY_ONE), (True, READING)])
def test_one_address_has_its_part_and_gets_it_back(share: bool, most: int) -> None:
    app = BodiesFirst(echo, LARGEST, share=share)
    bodies = [Stuck() for _ in range(most)]
    for body in bodies:
        given = {"CONTENT_LENGTH": "9", "wsgi.input": body}
        threading.Thread(target=said, args=(app,), kwargs=given).start()
        assert body.begun.wait(60)
    more = {"CONTENT_LENGTH": "3", "wsgi.input": BytesIO(b"abc")}
    assert said(app, **more) == ("503 Service Unavailable", BUSY)
    other = said(app, **{**more, "REMOTE_ADDR": OTHER_ADDRESS})
    assert other[0] == ("503 Service Unavailable" if share else "200 OK")
    threads = [each for each in threading.enumerate() if each is not threading.main_thread()]
    for body in bodies:
        body.go_on.set()
    for thread in threads:
        if thread.name.startswith("Thread-"):
            thread.join(60)
    assert said(app, **{**more, "wsgi.input": BytesIO(b"abc")})[0] == "200 OK"
