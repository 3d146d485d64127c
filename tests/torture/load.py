"""Many who look and some who move, at half of what the server could do at most."""

from __future__ import annotations

import random
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from tests.servers import Server, serving
from tests.torture.players import Browser, Move, Player
from tests.torture.report import Report, hold, percentile
from tests.torture.truth import check_all, check_moves, reading

SECONDS = 60
CEILING_SECONDS = 10
PEOPLE = 24
MOVES_IN_TWENTY = 1


@dataclass
class Seen:
    """What the people of a run have seen."""

    seconds: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    polls: int = 0
    moves: int = 0


def run(folder: Path, scale: float, report: Report) -> None:
    """Measure the ceiling, then hold the server to half of it."""
    with serving(folder) as server:
        people = [Player(Browser(server.port)) for _ in range(PEOPLE)]
        for each in people:
            each.sit_down()
        at_most = _work(people, max(2, CEILING_SECONDS * min(1, scale)), None)
        ceiling = len(at_most.seconds) / max(2, CEILING_SECONDS * min(1, scale))
        report.figure("ceiling", f"{ceiling:.0f} requests a second")
        seconds = max(3, SECONDS * scale)
        began = time.monotonic()
        seen = _work(people, seconds, ceiling / 2)
        took = time.monotonic() - began
        made: list[Move] = [move for each in people for move in each.made]
        _hold_calm(server, [*at_most.faults, *seen.faults])
    with reading(server.instance):
        check_moves(made)
        report.figure("matches, each what its log leads to", check_all())
    milliseconds = [1000 * each for each in seen.seconds]
    report.figure("at half of it", f"{len(milliseconds) / took:.0f} a second, {took:.0f} s")
    report.figure("polls and moves", f"{seen.polls} and {seen.moves}")
    report.figure("p50", f"{percentile(milliseconds, 0.5):.1f} ms")
    report.figure("p99", f"{percentile(milliseconds, 0.99):.1f} ms")
    report.figure("maximum", f"{max(milliseconds):.1f} ms")
    report.figure("answers of 5xx, locks", 0)
    report.figure("acknowledged moves lost or doubled", 0)


def _work(people: list[Player], seconds: float, rate: float | None) -> Seen:
    """Let everybody ask for so long, together at `rate` a second, or as fast as it goes."""
    seen = Seen()
    lock = threading.Lock()
    end = time.monotonic() + seconds
    pause = len(people) / rate if rate else 0.0

    def one(player: Player, chance: random.Random) -> None:
        turn = chance.randrange(20)
        due = time.monotonic() + chance.uniform(0, pause)
        while due < end and time.monotonic() < end:
            # Kept to a timetable: a slow answer must not slow down what is asked.
            time.sleep(max(0.0, due - time.monotonic()))
            began = due if rate else time.monotonic()
            moves = turn % 20 < MOVES_IN_TWENTY
            try:
                if moves:
                    player.step()
                else:
                    status = player.poll()
                    hold(status in (200, 204), f"a poll was answered {status}")
            except (ValueError, OSError, AssertionError) as error:
                with lock:
                    seen.faults.append(str(error)[:200])
                return
            with lock:
                seen.seconds.append(time.monotonic() - began)
                seen.moves += moves
                seen.polls += not moves
            turn += 1
            due = due + pause if rate else time.monotonic()

    threads = [
        threading.Thread(target=one, args=(player, random.Random(number)))
        for number, player in enumerate(people)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return seen


def _hold_calm(server: Server, faults: list[str]) -> None:
    hold(not faults, f"{len(faults)} faults, the first: {faults[:1]}")
    printed = server.printed()
    hold("locked" not in printed, printed)
    hold("Traceback" not in printed, printed)
