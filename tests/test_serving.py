"""`make run` from its start to its end: what it says, what it leaves, what it survives."""

from __future__ import annotations

import ctypes
import http.client
import os
import re
import signal
import socket
import stat
import subprocess
import sys
import time
import urllib.parse
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from tests.servers import HOST, ROOT, Server, clean_environment, free_port, is_free, serving


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with serving(tmp_path) as running:
        yield running


def serve(folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """`serve` where it is expected to give up."""
    return subprocess.run(
        [sys.executable, "-m", "flask", "--app", "app", "serve"],
        cwd=ROOT,
        env=clean_environment(
            **{"RAISESUM_INSTANCE_PATH": str(folder / "instance"), **environment}
        ),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def status(url: str) -> int:
    try:
        with urlopen(url, timeout=60) as answer:
            return int(answer.status)
    except HTTPError as answer:
        with answer:
            return answer.code


def processes_of(server: Server) -> list[int]:
    """The processes of the server's session that are there, its main one first."""
    found = []
    for folder in Path("/proc").iterdir():
        try:
            # After the name, which is in brackets: state, parent, group, session.
            state, _, group, _ = (folder / "stat").read_text().rpartition(")")[2].split()[:4]
        except (OSError, ValueError):
            continue
        if int(group) == server.process.pid and state != "Z":
            found.append(int(folder.name))
    return sorted(found, key=lambda pid: (pid != server.process.pid, pid))


def memory_mb(server: Server) -> float:
    """What the server's processes take, a page they share counted once (PSS)."""
    sizes = []
    for pid in processes_of(server):
        rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
        sizes.append(int(re.findall(r"^Pss:\s+(\d+) kB", rollup, re.MULTILINE)[0]))
    return sum(sizes) / 1024


def send_form(server: Server, path: str, **fields: str) -> int:
    """Fill in the form at `path` as a new visitor would; the status it is answered with."""
    connection = http.client.HTTPConnection(HOST, server.port, timeout=60)
    connection.request("GET", path)
    page = connection.getresponse()
    [token, *_] = re.findall(r'name="csrf_token" value="([^"]+)"', page.read().decode())
    cookie = (page.getheader("Set-Cookie") or "").partition(";")[0]
    body = urllib.parse.urlencode({"csrf_token": token} | fields)
    kind = "application/x-www-form-urlencoded"
    connection.request("POST", path, body, {"Cookie": cookie, "Content-Type": kind})
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status


def wait_until(happened: object, seconds: float = 60) -> bool:
    assert callable(happened)
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if happened():
            return True
        time.sleep(0.05)
    return False


def test_the_address_is_printed_and_nothing_else(server: Server) -> None:
    assert server.printed() == (
        f"Raise the Sum is at http://127.0.0.1:{server.port} (2 workers). Ctrl-C stops it.\n"
    )


def test_what_the_server_keeps_is_for_its_owner_alone(server: Server) -> None:
    assert status(server.url) < 500
    modes = {
        path.name: stat.S_IMODE(path.stat().st_mode)
        for path in (server.instance, *server.instance.iterdir())
    }
    assert modes.pop("instance") == 0o700
    assert {"raisesum.db", "secret_key"} <= modes.keys()
    assert set(modes.values()) == {0o600}


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_stop_is_clean_leaves_no_process_and_frees_the_port(
    server: Server, how: signal.Signals
) -> None:
    # A connection that is kept open must not hold the stop up.
    with socket.create_connection((HOST, server.port)) as idle:
        idle.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        idle.recv(100)
        assert server.stop(how) == 0
    assert processes_of(server) == []
    assert is_free(server.port)
    assert len(server.printed().splitlines()) == 1


def test_a_stop_while_it_is_starting_is_clean_too(tmp_path: Path) -> None:
    port = free_port()
    environment = clean_environment(
        PORT=str(port), RAISESUM_INSTANCE_PATH=str(tmp_path / "instance")
    )
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "flask", "--app", "app", "serve"],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    assert process.stdout is not None
    first = process.stdout.readline()
    os.killpg(process.pid, signal.SIGINT)
    rest, _ = process.communicate(timeout=120)
    assert first.startswith(b"Raise the Sum is at")
    assert b"Traceback" not in rest
    assert is_free(port)


def test_a_hangup_is_ignored_under_nohup(tmp_path: Path) -> None:
    previous = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with serving(tmp_path) as server:
            os.killpg(server.process.pid, signal.SIGHUP)
            time.sleep(0.5)
            assert status(server.url) < 500
            assert wait_until(lambda: len(processes_of(server)) == 3)
    finally:
        signal.signal(signal.SIGHUP, previous)


def test_a_worker_that_dies_is_replaced(server: Server) -> None:
    assert wait_until(lambda: len(processes_of(server)) == 3)
    main, *workers = processes_of(server)
    os.kill(workers[0], signal.SIGKILL)

    def replaced() -> bool:
        now = processes_of(server)
        return len(now) == 3 and workers[0] not in now

    assert wait_until(replaced)
    assert main in processes_of(server)
    assert status(server.url) < 500


def test_workers_do_not_outlive_the_main_process(server: Server) -> None:
    os.kill(server.process.pid, signal.SIGKILL)
    server.process.wait(timeout=60)

    assert wait_until(lambda: processes_of(server) == [])
    assert is_free(server.port)


def test_a_second_start_keeps_the_key_and_the_database(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        key = (server.instance / "secret_key").read_bytes()
    with serving(tmp_path) as server:
        assert (server.instance / "secret_key").read_bytes() == key
        assert status(server.url) < 500


def test_a_port_that_is_taken_is_said_in_one_line(tmp_path: Path) -> None:
    with socket.socket() as other:
        # As granian does, which lets two of its kind share a port.
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        other.bind((HOST, 0))
        other.listen()
        port = other.getsockname()[1]

        answer = serve(tmp_path, PORT=str(port))

    assert answer.returncode != 0
    assert answer.stdout == ""
    assert answer.stderr == (
        f"Error: Port {port} on 127.0.0.1 is taken: "
        f"stop what uses it, or take another with PORT={port + 1}\n"
    )


@pytest.mark.parametrize(
    ("setting", "value", "said"),
    [
        ("HOST", "192.0.2.1", "HOST=192.0.2.1 is not an address of this machine"),
        ("HOST", "no such host", "HOST=no such host is not known here"),
        ("PORT", "eight", "'eight' is not a valid integer range"),
        ("PORT", "0", "0 is not in the range 1<=x<=65535"),
        ("WORKERS", "0", "0 is not in the range 1<=x<=64"),
        ("RAISESUM_BOT_DELAY_MS", "soon", "BOT_DELAY_MS must be a whole number"),
        ("RAISESUM_INSTANCE_PATH", __file__, "INSTANCE_PATH: "),
        ("RAISESUM_DATABASE_URL", f"sqlite:///{__file__}", "The database cannot be used: file is"),
        ("RAISESUM_DATABASE_URL", "sqlite:////", "DATABASE_URL: / cannot be used"),
        (
            "RAISESUM_DATABASE_URL",
            "postgresql+psycopg://u:secret@127.0.0.1:1/none",
            "The database cannot be used: connection failed",
        ),
    ],
)
def test_a_setting_that_cannot_be_used_is_named_without_a_traceback(
    tmp_path: Path, setting: str, value: str, said: str
) -> None:
    answer = serve(tmp_path, **{setting: value})

    assert answer.returncode != 0
    assert said in answer.stderr
    assert "Traceback" not in answer.stderr
    assert "secret" not in answer.stderr


@pytest.mark.skipif(not Path("/proc/self/smaps_rollup").exists(), reason="memory is read in /proc")
def test_two_workers_take_less_than_256_mb_after_200_sign_ins(server: Server) -> None:
    who = {"handle": "tester", "password": "seven plain grey herons"}
    assert send_form(server, "/register", shown_name="Tester", **who) == 200

    with ThreadPoolExecutor(8) as visitors:
        statuses = list(visitors.map(lambda _: send_form(server, "/sign-in", **who), range(200)))

    assert set(statuses) == {303}
    assert len(processes_of(server)) == 3
    assert memory_mb(server) < 256


ARENAS = """
import ctypes, threading
from raisesum.serving import spare_memory
spare_memory()
together = threading.Barrier(9)
def hold_some():
    held = bytearray(200_000)
    together.wait()
    together.wait()
for _ in range(8):
    threading.Thread(target=hold_some).start()
together.wait()
libc = ctypes.CDLL(None)
libc.fopen.restype = ctypes.c_void_p
out = ctypes.c_void_p(libc.fopen(b"/dev/stdout", b"w"))
libc.malloc_info(0, out)
libc.fclose(out)
together.wait()
"""


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_info"), reason="another C library")
def test_threads_share_two_arenas_so_that_memory_does_not_grow_for_each() -> None:
    done = subprocess.run(
        [sys.executable, "-c", ARENAS], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert 1 <= done.stdout.count("<heap nr=") <= 2
