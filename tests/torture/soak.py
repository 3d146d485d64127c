"""Two thousand matches by scripted people and bots, with two hundred who look on: nothing grows."""

from __future__ import annotations

import io
import re
import threading
from pathlib import Path

from sqlalchemy import select

from raisesum.engine.record import read_record
from raisesum.extensions import db
from raisesum.models import Game
from raisesum.services.history import record_of
from tests.servers import Server, serving
from tests.torture.players import Browser, Player
from tests.torture.report import Report, SkippedError, hold, times
from tests.torture.truth import check_all, reading

MATCHES = 2_000
SETTLED_AFTER = 100
PLAYERS = 8
POLLERS = 200
POLLING_THREADS = 4
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
        first = memory_mb(server)
        longest_log = 0.0
        while not hall.wait_for(matches, seconds=1):
            longest_log = max(longest_log, log_mb(server))
        last = memory_mb(server)
        hall.close()
        hold(not hall.faults, f"{len(hall.faults)} faults, the first: {hall.faults[:1]}")
        hold("Traceback" not in server.printed(), server.printed())
    with reading(server.instance):
        records = check_records()
        check_all()
    report.figure("matches played to their ends", hall.finished)
    report.figure("people looking on", pollers)
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
        self._port = port
        self._matches = matches
        self._pollers = pollers
        self._stop = threading.Event()
        self._news = threading.Condition()
        self._threads: list[threading.Thread] = []
        self.finished = self.polls = 0
        self.faults: list[str] = []

    def open(self) -> None:
        """Let them all begin."""
        for work, many in ((self._play, PLAYERS), (self._look_on, POLLING_THREADS)):
            for _ in range(many):
                thread = threading.Thread(target=self._guarded, args=(work,), daemon=True)
                self._threads.append(thread)
                thread.start()

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

    def _guarded(self, work: object) -> None:
        try:
            work()  # type: ignore[operator]
        except (ValueError, OSError, AssertionError) as error:
            with self._news:
                self.faults.append(str(error)[:300])
                self._news.notify_all()

    def _play(self) -> None:
        player = Player(Browser(self._port), CHOICES)
        told = 0
        while not self._stop.is_set() and self.finished < self._matches:
            player.step()
            player.made.clear()
            if player.finished > told:
                told = player.finished
                with self._news:
                    self.finished += 1
                    self._news.notify_all()

    def _look_on(self) -> None:
        players = [
            Player(Browser(self._port), CHOICES) for _ in range(self._pollers // POLLING_THREADS)
        ]
        for player in players:
            player.sit_down()
        while not self._stop.is_set():
            for player in players:
                status = player.poll()
                hold(status in (200, 204), f"a poll was answered {status}")
                self.polls += 1
                if self._stop.wait(0.02):
                    return


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
