"""The real server is killed with real clients moving: nothing acknowledged is ever missing."""

from __future__ import annotations

import http.client
import os
import random
import signal
import time
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from threading import Event

from tests.conftest import close
from tests.servers import Server, free_port, serving
from tests.torture.pairs import Pair
from tests.torture.players import Browser, Move, Player
from tests.torture.report import Report, hold, percentile, times
from tests.torture.truth import check_all, check_moves, reading

KILLS = 500
MOVES = 100_000
PAIRS, ALONE = 4, 1
#: The pages of one who plays with a bot are long, and would leave little time for the pairs.
THINKS_S = 0.15
BACK_WITHIN_S = 2.0

CHOICES = [
    ("bots", "1"),
    ("level_1", "easy"),
    ("deck", "full"),
    ("goal", "9"),
    ("first", "random"),
]


def run(folder: Path, scale: float, report: Report) -> None:
    """Kill, start again and look, until there were enough kills and moves."""
    chance = random.Random(9)
    port = free_port()
    people: list[Alone | Pair] = [Pair(port) for _ in range(PAIRS)]
    people += [Alone(port) for _ in range(ALONE)]
    kills, moves = times(KILLS, scale, 2), times(MOVES, scale, 50)
    acknowledged = cut_off = killed = 0
    back: list[float] = []
    made: list[Move] = []
    with ThreadPoolExecutor(len(people)) as threads, reading(folder / "instance") as app:
        while killed < kills or acknowledged < moves:
            # What is left, shared among the kills that are left; the last moment is any moment.
            share = (moves - acknowledged) / max(1, kills - killed)
            goal = max(1, share * chance.uniform(0.5, 1.5))
            began = time.monotonic()
            with serving(folder, port=port) as server:
                back.append(time.monotonic() - began)
                stop = Event()
                working = [threads.submit(play, each, stop) for each in people]
                # What the former server acknowledged, while this one is already played at.
                check_moves(made)
                # The file must be nobody's when the server dies, as it would be.
                close(app)
                _wait(people, goal, working)
                time.sleep(chance.uniform(0, 0.05))
                _kill(server)
                stop.set()
                cut_off += sum(each.result() for each in working)
            killed += 1
            made = [move for each in people for move in each.made]
            acknowledged += len(made)
            for each in people:
                each.made.clear()
        check_moves(made)
        matches = check_all()
    report.figure("kills", killed)
    report.figure("acknowledged moves", acknowledged)
    report.figure("acknowledged moves missing or doubled", 0)
    report.figure("requests cut off", cut_off)
    report.figure("matches, each what its log leads to", matches)
    report.figure("back after a start, median", f"{percentile(back, 0.5):.2f} s")
    report.figure("back after a start, 99 of 100", f"{percentile(back, 0.99):.2f} s")
    report.figure("back after a start, at most", f"{max(back):.2f} s")
    if scale >= 1:
        hold(percentile(back, 0.99) <= BACK_WITHIN_S, "a start took too long")


def _wait(people: list[Alone | Pair], moves: float, working: list[Future[int]]) -> None:
    while sum(len(each.made) for each in people) < moves:
        if any(each.done() for each in working):
            return
        time.sleep(0.01)


def _kill(server: Server) -> None:
    os.killpg(server.process.pid, signal.SIGKILL)
    server.process.wait()


class Alone(Player):
    """Somebody who plays with a bot."""

    def __init__(self, port: int) -> None:
        super().__init__(Browser(port), CHOICES)

    def reconnect(self) -> None:
        """Look where things stand at a server that was started anew."""
        self.browser.reconnect()
        if self.path:
            self.look()

    def step(self) -> bool:
        """Think, and make a move."""
        time.sleep(THINKS_S)
        return super().step()


def play(people: Alone | Pair, stop: Event) -> int:
    """Move until the server is gone; how many requests had no answer."""
    try:
        people.reconnect()
        while not stop.is_set():
            people.step()
    except (OSError, http.client.HTTPException):
        return 1
    return 0
