"""For every route that takes a form the Nth call of the database fails: nothing is half done."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, event, func, select
from sqlalchemy.exc import OperationalError

from raisesum.engine import load_setup
from raisesum.extensions import db
from raisesum.models import Game, Seat
from raisesum.services import inspection
from tests.rows import Rows, all_rows
from tests.torture.report import Report, hold, quiet
from tests.torture.world import Form, World, world

#: No request makes as many; one that never passes is not tried for ever.
MOST_CALLS = 200


class Fault:
    """Lets `passed` calls of the database through, and fails the next one, or all that follow."""

    def __init__(self, engine: Engine) -> None:
        self._left = -1
        self._goes_on = False
        self.failed = 0
        for name in ("before_cursor_execute", "commit"):
            event.listen(engine, name, self._call)

    def arm(self, passed: int, *, goes_on: bool) -> None:
        """Fail after so many calls, from now on."""
        self._left, self._goes_on, self.failed = passed, goes_on, 0

    def disarm(self) -> None:
        """Let every call through."""
        self._left = -1

    def _call(self, *_: Any) -> None:
        if self._left < 0:
            return
        if self._left > 0:
            self._left -= 1
            return
        if not self._goes_on:
            self._left = -1
        self.failed += 1
        raise OperationalError("a call of the database", {}, OSError("disk I/O error"))


def run(folder: Path, scale: float, report: Report) -> None:
    """Walk all forms; a scale below 1 takes every second, third ... call only."""
    step = max(1, round(1 / scale)) if scale < 1 else 1
    with quiet(), world(folder / "world") as there:
        _walk(there, folder / "kept", step, report)


def _walk(there: World, kept: Path, step: int, report: Report) -> None:
    database = Path(there.app.config["INSTANCE_PATH"]) / "raisesum.db"
    with there.app.app_context():
        engine = db.engine
        fault = Fault(engine)
        db.session.remove()
        _empty_the_log(engine)
    shutil.copy(database, kept)
    cookies = {name: browser.cookie() for name, browser in there.browsers.items()}
    routes = faults = 0
    for rule, form in sorted(there.posts(), key=lambda each: each[0].rule):
        routes += 1
        for goes_on in (False, True):
            passed = 0
            while passed < MOST_CALLS:
                _put_back(there, engine, kept, database, cookies)
                token = there.handover_token() if "token" in rule.arguments else ""
                before = all_rows(there.app)
                fields = there.fields(form)
                path = there.address(rule, form.table, token=token)
                fault.arm(passed, goes_on=goes_on)
                status = there.browsers[form.who].send(path, **fields).status_code
                fault.disarm()
                what = f"{rule.rule}, call {passed + 1}{' and all after' if goes_on else ''}"
                if not fault.failed:
                    hold(status < 500, f"{what}: {status} without a fault")
                    break
                faults += 1
                _check(there, what, before)
                again = _again(there, form, path)
                hold(again < 500, f"{what}: the next request was answered {again}")
                _check(there, f"{what}, then again", None)
                passed += step
            else:
                hold(False, f"{rule.rule} makes over {MOST_CALLS} calls")
    report.figure("routes that take a form", routes)
    report.figure("calls of the database that failed", faults)
    report.figure("half-done things found", 0)


def _again(there: World, form: Form, path: str) -> int:
    """Send the form from a page that is opened now."""
    browser = there.browsers[form.who]
    browser.get("/")
    return browser.send(path, **there.fields(form)).status_code


def _check(there: World, what: str, before: Rows | None) -> None:
    """Hold that each transaction was made whole or not at all."""
    with there.app.app_context():
        wrong = [*inspection.damage(), *filter(None, inspection.untrue_matches())]
        hold(not wrong, f"{what}: {wrong}")
        rows = db.session.execute(
            select(Game, func.count(Seat.number)).join(Seat, isouter=True).group_by(Game.id)
        )
        for game, seats in rows:
            hold(
                seats == load_setup(game.setup).players,
                f"{what}: match {game.id} has {seats} seats",
            )
        db.session.rollback()
    if before is not None:
        after = all_rows(there.app)
        names = {row[1] for row in before["users"] if row[1]}
        hold(names, what)
        lost = [table for table in ("users", "games") if not after[table] and before[table]]
        hold(not lost, f"{what}: {lost} are empty")


def _put_back(
    there: World, engine: Engine, kept: Path, database: Path, cookies: dict[str, str | None]
) -> None:
    engine.dispose()
    for suffix in ("-wal", "-shm"):
        database.with_name(database.name + suffix).unlink(missing_ok=True)
    shutil.copy(kept, database)
    for name, browser in there.browsers.items():
        value = cookies[name]
        if value is None:
            browser.client.delete_cookie("raisesum", domain="localhost")
        elif browser.cookie() != value:
            browser.set_cookie(value)
            browser.get("/")


def _empty_the_log(engine: Engine) -> None:
    connection = engine.raw_connection()
    try:
        connection.driver_connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # type: ignore[union-attr]
    finally:
        connection.close()
    engine.dispose()
