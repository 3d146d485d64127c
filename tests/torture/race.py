"""Sixteen at once, through a real server with two workers: one wins, the others are told."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

from sqlalchemy import func, select

from raisesum.extensions import db
from raisesum.models import Action, Game, Seat, User
from tests.servers import ROOT, clean_environment, serving
from tests.torture.players import Answer, Browser, Fields, Move, Player
from tests.torture.report import Report, hold, times
from tests.torture.truth import check_all, check_moves, reading

TIMES = 1_000
AT_ONCE = 16
STARTS = 25
PROCESSES_A_START = 4

START = """
from flask_migrate import upgrade
from raisesum import create_app
app = create_app()
with app.app_context():
    upgrade()
print(app.secret_key)
"""

ROOM = [
    *(("seats", "4"), ("deck", "full"), ("goal", "3"), ("first", "random")),
    *(("pace", "none"), ("access", "private"), ("bot_level", "easy")),
]


def run(folder: Path, scale: float, report: Report) -> None:
    """Race for one move, for the seats of a table, for one name, and for the first start."""
    rounds = times(TIMES, scale, 2)
    with serving(folder) as server, ThreadPoolExecutor(AT_ONCE) as threads:
        together = Together(threads)
        people = [Browser(server.port) for _ in range(AT_ONCE)]
        for each in people:
            each.enter()
            each.post("/settings", [("theme", "system")])
        with reading(server.instance):
            race_moves(server.port, rounds, together)
            report.figure("equal moves, rounds of 16 at once, each made once", rounds)
            race_joins(people, rounds, together)
            report.figure("joins of a table's last 3 seats, rounds of 16 at once", rounds)
            race_offers(people, rounds, together)
            report.figure("one seat offered in a match, rounds of 16 at once", rounds)
            race_names(server.port, rounds, together)
            report.figure("one name registered, rounds of 16 at once", rounds)
            report.figure("matches, each what its log leads to", check_all())
        hold("locked" not in server.printed(), server.printed())
    report.figure("first starts, of 4 processes at once", race_starts(folder, times(STARTS, scale)))


class Together:
    """Calls that begin at one moment."""

    def __init__(self, threads: ThreadPoolExecutor) -> None:
        self._threads = threads
        self._barrier = Barrier(AT_ONCE)

    def send(self, calls: list[Callable[[], Answer]]) -> list[Answer]:
        """Make all calls at once and return their answers."""

        def one(call: Callable[[], Answer]) -> Answer:
            self._barrier.wait()
            return call()

        answers = list(self._threads.map(one, calls))
        wrong = [answer for answer in answers if answer.status >= 500]
        hold(not wrong, f"answered {[answer.status for answer in wrong]}")
        return answers


def race_moves(port: int, rounds: int, together: Together) -> None:
    """One person sends one move from sixteen windows: it is made once."""
    player = Player(Browser(port))
    player.sit_down()
    windows = []
    for _ in range(AT_ONCE):
        window = Browser(port)
        window.cookie, window.token = player.browser.cookie, player.browser.token
        windows.append(window)
    raced: list[Move] = []
    while len(raced) < rounds:
        if 'value="play"' not in player.page:
            player.step()
            continue
        version = player.version
        fields = [("action", "pass"), ("version", version), ("confirmed", "1")]
        answers = together.send([_post(each, f"{player.path}/actions", fields) for each in windows])
        statuses = {answer.status for answer in answers}
        hold(statuses == {303}, f"sixteen equal moves were answered {statuses}")
        raced.append(Move(player.key, int(version), "pass"))
        player.look()
    made = [*player.made, *raced]
    check_moves(made)
    keys = {move.key for move in made}
    rows = (
        select(func.count())
        .select_from(Action)
        .join(Game)
        .where(Game.key.in_(keys), Action.seat == 1)
    )
    found = db.session.scalar(rows)
    hold(found == len(made), f"{len(made)} moves were sent, and {found} made")
    db.session.rollback()


def race_joins(people: list[Browser], rounds: int, together: Together) -> None:
    """Sixteen, the host among them, want the three free seats of a table: each is filled once."""
    host = people[0]
    for _ in range(rounds):
        answer = host.post("/tables/friends", ROOM, htmx=False)
        hold(answer.status == 303, f"no table to join: {answer.status} {answer.text[:300]}")
        path = answer.location
        answers = together.send([_post(each, f"{path}/join", []) for each in people])
        seated = [each for each, told in zip(people, answers, strict=True) if told.status == 303]
        told = sum(answer.status == 409 for answer in answers)
        hold(told == AT_ONCE - 4, f"{told} and not 12 were told that there is no seat")
        hold(host in seated, "the host was told that there is no seat")
        seats = db.session.scalars(
            select(Seat.user_id).join(Game).where(Game.key == path.rpartition("/")[2])
        ).all()
        db.session.rollback()
        hold(len(set(seats) - {None}) == 4, f"in the four seats are {seats}")
        for each in seated:
            hold(each.post(f"{path}/get-up", [], htmx=False).status == 303, "one stays seated")


def race_offers(people: list[Browser], rounds: int, together: Together) -> None:
    """Sixteen, two of whom sit there, use one link to a seat: one has it, the others are told."""
    host, second = people[:2]
    for _ in range(rounds):
        path = host.post("/tables/friends", ROOM, htmx=False).location
        hold(second.post(f"{path}/join", [], htmx=False).status == 303, "no seat for the second")
        hold(host.post(f"{path}/start", [], htmx=False).status == 303, "no match begins")
        page = host.post(f"{path}/seats", [("seat", "4")], htmx=False).text
        found = re.search(r"/seat/[\w-]+", page)
        link = found[0] if found else ""
        hold(bool(link), f"no link to a seat: {page[:300]}")
        answers = together.send([_post(each, link, []) for each in people])
        won = [each for each, told in zip(people, answers, strict=True) if told.status == 303]
        hold(len(won) == 1 and won[0] not in (host, second), f"{len(won)} have the seat")
        hold({told.status for told in answers} <= {303, 409, 410}, "some were not told")
        seats = db.session.scalars(
            select(Seat.user_id).join(Game).where(Game.key == path.rpartition("/")[2])
        ).all()
        db.session.rollback()
        hold(len(set(seats) - {None}) == 3, f"in the four seats are {seats}")
        for each in (host, second, *won):
            hold(each.post(f"{path}/leave", [], htmx=False).status == 303, "one cannot leave")


def race_names(port: int, rounds: int, together: Together) -> None:
    """Sixteen want one name, with passwords of their own: one gets it, fifteen are told."""
    people = [Browser(port) for _ in range(AT_ONCE)]
    for each in people:
        each.enter()
    for number in range(rounds):
        handle = [("handle", f"racer{number}"), ("shown_name", "")]
        answers = together.send(
            [
                _post(each, "/register", [*handle, ("password", f"own words of number {place}")])
                for place, each in enumerate(people)
            ]
        )
        statuses = sorted(answer.status for answer in answers)
        hold(statuses == [200] + [422] * (AT_ONCE - 1), f"registering was answered {statuses}")
        winner = next(place for place, told in enumerate(answers) if told.status == 200)
        people[winner] = Browser(port)
        people[winner].enter()
    named = db.session.scalar(select(func.count()).where(User.handle.is_not(None)))
    hold(named == rounds, f"{rounds} names were given away, and {named} are there")
    db.session.rollback()


def race_starts(folder: Path, rounds: int) -> int:
    """Processes that start at once on nothing agree on one key and one database."""
    for number in range(rounds):
        environment = clean_environment(RAISESUM_INSTANCE_PATH=str(folder / f"start-{number}"))
        processes = [
            subprocess.Popen(
                [sys.executable, "-c", START],
                cwd=ROOT,
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
            for _ in range(PROCESSES_A_START)
        ]
        answers = [process.communicate(timeout=300) for process in processes]
        hold(all(process.returncode == 0 for process in processes), str(answers))
        hold(len({out for out, _ in answers}) == 1, "there are two keys")
        hold(not list((folder / f"start-{number}").glob(".*")), "a key is left")
    return rounds


def _post(browser: Browser, path: str, fields: Fields) -> Callable[[], Answer]:
    return lambda: browser.post(path, fields, htmx=False)
