"""The real server is killed with real clients moving: nothing acknowledged is ever missing."""

from __future__ import annotations

import http.client
import os
import random
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

from tests.servers import free_port, serving
from tests.torture.players import Browser, Move, Player
from tests.torture.report import Report, hold, percentile, times
from tests.torture.truth import check_all, check_moves, reading

KILLS = 500
MOVES = 100_000
CLIENTS = 6
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
    players = [Player(Browser(port), CHOICES) for _ in range(CLIENTS)]
    kills, moves = times(KILLS, scale, 2), times(MOVES, scale, 50)
    per_life = moves / kills
    acknowledged = missing_answers = 0
    killed = 0
    back: list[float] = []
    with ThreadPoolExecutor(CLIENTS) as threads:
        while killed < kills or acknowledged < moves:
            began = time.monotonic()
            with serving(folder, port=port) as server:
                back.append(time.monotonic() - began)
                stop = Event()
                working = [threads.submit(play, player, stop) for player in players]
                # Long enough for its share of the moves; the last moment is any moment.
                goal = per_life * chance.uniform(0.3, 1.7)
                while sum(len(player.made) for player in players) < goal:
                    if any(each.done() for each in working):
                        break
                    time.sleep(0.01)
                time.sleep(chance.uniform(0, 0.05))
                os.killpg(server.process.pid, signal.SIGKILL)
                server.process.wait()
                killed += 1
                stop.set()
                missing_answers += sum(each.result() for each in working)
            made: list[Move] = [move for player in players for move in player.made]
            acknowledged += len(made)
            with reading(server.instance):
                check_moves(made)
            for player in players:
                player.made.clear()
    with reading(folder / "instance"):
        matches = check_all()
    report.figure("kills", killed)
    report.figure("acknowledged moves", acknowledged)
    report.figure("acknowledged moves missing or doubled", 0)
    report.figure("requests cut off", missing_answers)
    report.figure("matches, each what its log leads to", matches)
    report.figure("back after a start, median", f"{percentile(back, 0.5):.2f} s")
    report.figure("back after a start, at most", f"{max(back):.2f} s")
    if scale >= 1:
        hold(percentile(back, 0.99) <= BACK_WITHIN_S, "a start took too long")


def play(player: Player, stop: Event) -> int:
    """Move until the server is gone; how many requests had no answer."""
    player.browser.reconnect()
    try:
        if player.path:
            player.look()
        while not stop.is_set():
            player.step()
    except (OSError, http.client.HTTPException):
        return 1
    return 0
