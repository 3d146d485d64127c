"""The real server for tests: its own processes, port, instance folder and database."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

ROOT = Path(__file__).parent.parent
HOST = "127.0.0.1"
PROGRAM, WITHOUT_CHANCE = "flask", "tests.without_chance"


@dataclass(frozen=True)
class Server:
    """A server that answers at `url`; what it prints goes to the file `output`."""

    process: subprocess.Popen[bytes]
    port: int
    instance: Path
    output: Path

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self.port}"

    def printed(self) -> str:
        return self.output.read_text(encoding="utf-8")

    def stop(self, how: signal.Signals = signal.SIGINT) -> int:
        """Send `how` to all its processes, as a terminal does, and wait for the exit status."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, how)
        return self.process.wait(timeout=60)


def clean_environment(**more: str) -> dict[str, str]:
    """PATH and HOME and nothing else of this process's environment, but what is given."""
    return {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ} | more


def free_port() -> int:
    """A port nobody listens on now."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def is_free(port: int) -> bool:
    """Whether a server could listen on the port now."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True


@contextmanager
def serving(
    folder: Path,
    *,
    workers: int = 2,
    bot_delay_ms: int = 0,
    port: int | None = None,
    chance: bool = True,
    **more: str,
) -> Iterator[Server]:
    """The server as `make run` starts it, with what it keeps in `folder`.

    Without `chance`, deals and bots follow from the setup alone; see `tests.without_chance`.
    `more` is environment. All clients of tests come from one address, so there may be many.
    """
    port = port or free_port()
    instance = folder / "instance"
    output = folder / "output.txt"
    environment = clean_environment(
        PORT=str(port),
        WORKERS=str(workers),
        RAISESUM_INSTANCE_PATH=str(instance),
        RAISESUM_BOT_DELAY_MS=str(bot_delay_ms),
        **{"HOST": HOST, "RAISESUM_GUESTS_PER_HOUR": "100000", **more},
    )
    with output.open("wb") as file:
        process = subprocess.Popen(
            [sys.executable, "-m", PROGRAM if chance else WITHOUT_CHANCE, "--app", "app", "serve"],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    server = Server(process, port, instance, output)
    try:
        wait_until_it_answers(server)
        yield server
    finally:
        try:
            server.stop()
        except subprocess.TimeoutExpired:
            server.stop(signal.SIGKILL)
            raise


def wait_until_it_answers(server: Server, seconds: float = 120) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if server.process.poll() is not None:
            break
        try:
            urlopen(server.url, timeout=30).close()
        except HTTPError as answer:
            answer.close()
        except (URLError, OSError):
            time.sleep(0.05)
            continue
        return
    raise AssertionError(f"the server does not answer; it printed:\n{server.printed()}")
