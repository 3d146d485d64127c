"""Two thousand matches by scripted people and bots, with two hundred who look on: nothing grows."""

from __future__ import annotations

import io
import re
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPException
from pathlib import Path
from typing import Any

from sqlalchemy import select

from raisesum.engine.record import read_record
from raisesum.extensions import db
from raisesum.models import Game
from raisesum.services.history import record_of
from tests.servers import Server, serving
from tests.torture.pairs import Pair
from tests.torture.players import Browser, Player
from tests.torture.report import Report, SkippedError, hold, times
from tests.torture.truth import check_all, reading

MATCHES = 2_000
SETTLED_AFTER = 100
ALONE, PAIRS = 4, 4
POLLERS = 200
#: Of these every fifth watches other people's matches; the rest have a table open at their turn.
WATCHERS_AMONG = 5
POLLING_THREADS = 4
POLL_EVERY_S = 4.0
MEMORY_MB, LOG_MB = 10, 16

CHOICES = [
    *(("bots", "1"), ("level_1", "easy"), ("deck", "full")),
    *(("goal", "1"), ("first", "random")),
]


def run(folder: Path, scale: float, report: Report) -> None:
    """Play, watch the memory and the log, then read every record."""
    if not Path("/proc/self/smaps_rollup").exists():
        raise SkippedError("memory is read in /proc")
    matches, pollers = times(MATCHES, scale, 10), times(POLLERS, min(1, scale * 10), 8)
    settled = times(SETTLED_AFTER, min(1, scale * 2), 4)
    with serving(folder) as server:
        hall = Hall(server.port, matches, pollers)
        hall.open()
        hall.wait_for(settled)
        first, polls_before = memory_mb(server), hall.polls
        longest_log, next_look = 0.0, 2 * settled
        while not hall.wait_for(matches, seconds=1):
            longest_log = max(longest_log, log_mb(server))
            if hall.finished >= next_look:
                print(f"soak: {memory_mb(server):.1f} MB after {hall.finished}", flush=True)
                next_look *= 2
        last = memory_mb(server)
        hall.close()
        hold(not hall.faults, f"{len(hall.faults)} faults, the first: {hall.faults[:1]}")
        hold(hall.polls > polls_before, "nobody has looked on")
        printed = server.printed()
        hold("Traceback" not in printed and "locked" not in printed, printed)
    with reading(server.instance):
        records = check_records()
        check_all()
    report.figure("matches played to their ends", hall.finished)
    report.figure("people looking on, of whom a fifth watches others play", pollers)
    report.figure("polls", hall.polls)
    report.figure(f"memory after {settled} matches", f"{first:.1f} MB")
    report.figure("memory at the end", f"{last:.1f} MB")
    report.figure("write-ahead log, at most", f"{longest_log:.1f} MB")
    report.figure("records read and right", records)
    hold(last - first <= MEMORY_MB or scale < 1, f"memory has grown by {last - first:.1f} MB")
    hold(longest_log <= LOG_MB, f"the log was {longest_log:.1f} MB")


class Hall:
    """Everybody who plays and looks on."""

    def __init__(self, port: int, matches: int, pollers: int) -> None:
        self._matches = matches
        self._stop = threading.Event()
        self._news = threading.Condition()
        self._threads: list[threading.Thread] = []
        self._alone = [Player(Browser(port), CHOICES) for _ in range(ALONE)]
        self._pairs = [Pair(port, goal=1) for _ in range(PAIRS)]
        self._pollers = [Player(Browser(port), CHOICES) for _ in range(pollers)]
        self.finished = self.polls = 0
        self.faults: list[str] = []

    def open(self) -> None:
        """Let those who look on come in, and then all begin."""
        shares = [self._pollers[number::POLLING_THREADS] for number in range(POLLING_THREADS)]
        with ThreadPoolExecutor(POLLING_THREADS) as threads:
            list(threads.map(self._come_in, shares))
        for share in shares:
            self._start(self._look_on, share)
        for each in [*self._alone, *self._pairs]:
            self._start(self._play, each)

    def wait_for(self, matches: int, seconds: float | None = None) -> bool:
        """Wait until so many matches are over; False when it took longer than `seconds`."""
        with self._news:
            return self._news.wait_for(
                lambda: self.finished >= matches or bool(self.faults), seconds
            )

    def close(self) -> None:
        """Let everybody go home."""
        self._stop.set()
        for thread in self._threads:
            thread.join(timeout=60)

    def _start(self, work: Callable[[Any], None], what: object) -> None:
        def guarded() -> None:
            try:
                work(what)
            except (ValueError, OSError, HTTPException, AssertionError) as error:
                with self._news:
                    self.faults.append(repr(error)[:300])
                    self._news.notify_all()

        thread = threading.Thread(target=guarded, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _play(self, people: Player | Pair) -> None:
        told = 0
        while not self._stop.is_set() and self.finished < self._matches:
            people.step()
            people.made.clear()
            if people.finished > told:
                told = people.finished
                with self._news:
                    self.finished += 1
                    self._news.notify_all()

    def _come_in(self, share: list[Player]) -> None:
        for number, player in enumerate(share):
            if number % WATCHERS_AMONG:
                player.sit_down()

    def _look_on(self, share: list[Player]) -> None:
        pause = POLL_EVERY_S / len(share)
        while True:
            for number, player in enumerate(share):
                if number % WATCHERS_AMONG == 0:
                    self._follow(player, self._pairs[number // WATCHERS_AMONG % PAIRS].path)
                if player.path:
                    status = player.poll()
                    hold(status in (200, 204), f"a poll was answered {status}")
                    with self._news:
                        self.polls += 1
                if self._stop.wait(pause):
                    return

    def _follow(self, watcher: Player, path: str) -> None:
        if path and path != watcher.path:
            watcher.path = path
            watcher.look()


def memory_mb(server: Server) -> float:
    """What the server's processes take, a page they share counted once."""
    total = 0
    for folder in Path("/proc").iterdir():
        try:
            _, _, group, *_ = (folder / "stat").read_text().rpartition(")")[2].split()
            if int(group) != server.process.pid:
                continue
            rollup = (folder / "smaps_rollup").read_text()
        except (OSError, ValueError):
            continue
        total += int(re.findall(r"^Pss:\s+(\d+) kB", rollup, re.MULTILINE)[0])
    return total / 1024


def log_mb(server: Server) -> float:
    """The size of the write-ahead log."""
    log = server.instance / "raisesum.db-wal"
    return log.stat().st_size / 1024 / 1024 if log.exists() else 0.0


def check_records() -> int:
    """Read the record of every match that is over."""
    keys = db.session.scalars(select(Game.key).where(Game.status == "finished")).all()
    for key in keys:
        read_record(io.BytesIO(record_of(key).encode()))
    return len(keys)
