"""Copies are made and brought back, by the commands, while people play."""

from __future__ import annotations

import http.client
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

from raisesum import create_app
from tests.conftest import close, settings
from tests.servers import ROOT, clean_environment, serving
from tests.torture.players import Browser, Player
from tests.torture.report import Report, hold, times
from tests.torture.truth import check_all, reading

TIMES = 50
CLIENTS = 4


def run(folder: Path, scale: float, report: Report) -> None:
    """Copy, look into the copy, bring it back, and look again, with four people moving."""
    rounds = times(TIMES, scale)
    refused: list[str] = []
    stop = Event()
    with serving(folder) as server, ThreadPoolExecutor(CLIENTS) as threads:
        working = [threads.submit(play, server.port, stop, refused) for _ in range(CLIENTS)]
        try:
            for _ in range(rounds):
                command(server.instance, "backup", str(folder / "copies"))
                copy = max((folder / "copies").glob("raisesum-*.db"), key=os.path.getmtime)
                look_into(copy, folder / "look")
                command(server.instance, "restore", str(copy), "--yes")
                with reading(server.instance):
                    matches = check_all()
                for kept in server.instance.glob("before-restore-*.db"):
                    look_into(kept, folder / "look")
                    kept.unlink()
                copy.unlink()
        finally:
            stop.set()
        made = sum(each.result() for each in working)
        hold("Traceback" not in server.printed(), server.printed())
        hold(not refused, f"while copies were made: {refused[:3]}")
    report.figure("copies made and brought back while playing", rounds)
    report.figure("moves meanwhile", made)
    report.figure("matches at the end", matches)


def play(port: int, stop: Event, refused: list[str]) -> int:
    """Move; a table that the copy did not have yet is left for another."""
    made = 0
    while not stop.is_set():
        player = Player(Browser(port))
        try:
            while not stop.is_set():
                player.step()
        except ValueError as error:
            # After a restore that person or table may never have been: 303 to sign in, 404, 401.
            if " 5" in str(error)[:40]:
                refused.append(str(error)[:300])
        except (OSError, http.client.HTTPException) as error:
            refused.append(repr(error))
        made += len(player.made)
    return made


def command(instance: Path, *words: str) -> str:
    """Run one of the program's commands as an operator does."""
    done = subprocess.run(
        [sys.executable, "-m", "flask", "--app", "app", *words],
        cwd=ROOT,
        env=clean_environment(RAISESUM_INSTANCE_PATH=str(instance)),
        capture_output=True,
        text=True,
        check=False,
    )
    hold(done.returncode == 0, f"{words[0]}: {done.stdout}{done.stderr}")
    return done.stdout


def look_into(copy: Path, folder: Path) -> None:
    """Hold that a copy, looked at alone, is whole and its matches true."""
    app = create_app({**settings(folder), "DATABASE_URL": f"sqlite:///{copy}"})
    with app.app_context():
        check_all()
    close(app)
