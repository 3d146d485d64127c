"""The disk is full: calm errors, no half move, and it goes on by itself once there is room."""

from __future__ import annotations

import contextlib
import os
import subprocess
from pathlib import Path

from tests.servers import serving
from tests.torture.players import Browser, Player
from tests.torture.report import Report, SkippedError, hold, times
from tests.torture.truth import check_all, check_moves, reading

TIMES = 10
SIZE_MB = 24
MOVES = 25
MOST_TRIES = 40


def run(folder: Path, scale: float, report: Report) -> None:
    """Fill the disk under a server in play, and empty it, several times."""
    if os.geteuid() != 0:
        raise SkippedError("a small disk is mounted by root only")
    disk = folder / "instance"
    disk.mkdir(mode=0o700)
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={SIZE_MB}m,mode=700", "tmpfs", str(disk)],
        capture_output=True,
        check=False,
    )
    if mounted.returncode:
        raise SkippedError(f"no small disk can be mounted: {mounted.stderr.decode().strip()}")
    try:
        _fill_and_empty(folder, disk, times(TIMES, scale, 2), report)
    finally:
        subprocess.run(["umount", str(disk)], check=False)


def _fill_and_empty(folder: Path, disk: Path, rounds: int, report: Report) -> None:
    refused = waited = made = 0
    filler = disk / "filler"
    with serving(folder) as server:
        player = Player(Browser(server.port))
        for _ in range(rounds):
            _move(player, MOVES)
            _fill(filler)
            failed = _until_it_shows(player)
            waited += not failed
            hold(set(failed) <= {500, 503}, f"a full disk was answered {sorted(set(failed))}")
            hold(player.browser.get(player.path).status == 200, "the table cannot be looked at")
            hold("full" in player.browser.get("/healthz").text, "nobody is told that it is full")
            refused += len(failed)
            filler.unlink()
            player.look()
            _move(player, MOVES)
        made = len(player.made)
        hold("locked" not in server.printed(), server.printed())
    with reading(disk):
        check_moves(player.made)
        check_all()
    report.figure("times the disk was full", rounds)
    report.figure("requests refused meanwhile", refused)
    report.figure("times that a table waited for its bot instead", waited)
    report.figure("acknowledged moves, none missing or doubled", made)


def _move(player: Player, moves: int) -> None:
    goal = len(player.made) + moves
    for _ in range(40 * moves):
        if len(player.made) >= goal:
            return
        player.step()
    hold(False, "the match does not go on")


def _until_it_shows(player: Player) -> list[int]:
    """Go on until nothing more can be stored; the statuses of the moves that were refused.

    SQLite writes over the log that it has before it needs room for more. When it is a bot's move
    that finds no room, nothing is refused: the table is shown, and waits for the bot.
    """
    failed: list[int] = []
    for _ in range(MOST_TRIES):
        before = len(player.made)
        failed += [status for status in (_try(player) for _ in range(MOVES)) if status >= 500]
        if failed or len(player.made) == before:
            return failed
    hold(False, "a full disk was never noticed")
    return failed


def _try(player: Player) -> int:
    """Make a move that may fail; the status it failed with, or 200."""
    try:
        player.step()
    except ValueError as error:
        words = str(error).split("answered ")
        found = [word for word in str(error).replace(":", " ").split() if word.isdigit()]
        hold(words and found, str(error))
        return int(found[0])
    return 200


def _fill(filler: Path) -> None:
    # Unbuffered: a buffer would be written once more at the end, and fail there.
    with filler.open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while True:
            file.write(b"\0" * 65536)
    with filler.open("ab", buffering=0) as file, contextlib.suppress(OSError):
        while True:
            file.write(b"\0" * 512)
