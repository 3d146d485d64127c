"""For every route that writes, the Nth call of the database fails: nothing is half done.

These are all that take a form, and those that, looked at, do what is due: bots' moves, turns out of
time, notes of who is there, a host who is gone. Which they are is found by looking.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, event, func, select, update
from sqlalchemy.exc import OperationalError
from werkzeug.routing import Rule

from raisesum.engine import load_setup
from raisesum.extensions import db
from raisesum.models import Game, Presence, Seat, User
from raisesum.services import inspection, lobby, seating, server_time, waiting
from raisesum.services.table_settings import TableSettings
from raisesum.services.transactions import write_transaction
from tests.rows import Rows, all_rows
from tests.torture.report import Report, hold, quiet
from tests.torture.world import (
    HERON,
    NEWT,
    OTTER,
    OWN,
    STRANGER,
    TABLES,
    Form,
    World,
    world,
)

#: No request makes as many; one that never passes is not tried for ever.
MOST_CALLS = 200

#: Tables at which something is due: a bot's move, a turn out of time, a new host.
BOT_DUE, LATE, HOSTLESS = "bot due", "late", "hostless"


@dataclass(frozen=True)
class Ask:
    """A request that writes: a form, or a look that does what is due."""

    rule: Rule
    form: Form
    looks: bool = False

    @property
    def words(self) -> str:
        """Which request it is."""
        at = f" at the table {self.form.table}" if "key" in self.rule.arguments else ""
        return f"{'GET' if self.looks else 'POST'} {self.rule.rule}{at} by {self.form.who}"

    def ready(self, there: World, path: str) -> Callable[[], int]:
        """Fill it in as things are now; what is returned sends it and gives the status."""
        browser = there.browsers[self.form.who]
        if self.looks:
            return lambda: browser.client.get(path, buffered=True).status_code
        fields = there.fields(self.form)
        return lambda: browser.send(path, **fields).status_code


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
    """Walk all that write; a scale below 1 takes every second, third ... call only."""
    step = max(1, round(1 / scale)) if scale < 1 else 1
    with quiet(), world(folder / "world") as there:
        _let_things_be_due(there)
        _walk(there, folder / "kept", step, report)


def _let_things_be_due(there: World) -> None:
    with there.app.app_context():
        ids = {
            name: db.session.scalars(select(User.id).where(User.handle_key == name)).one()
            for name in (OTTER, HERON)
        }
        there.keys[BOT_DUE] = lobby.start_practice(ids[OTTER], ("easy",), first=2, bot_delay_ms=0)
        for name, settings in (
            (LATE, TableSettings(seats=2, first=2, pace_s=30)),
            (HOSTLESS, TableSettings(seats=3)),
        ):
            there.keys[name] = waiting.create(ids[OTTER], settings)
            seating.join(ids[HERON], there.keys[name])
        waiting.start(ids[OTTER], there.keys[LATE], 0)
        now = server_time.now_ms()
        with write_transaction() as session:
            late = session.scalars(select(Game).where(Game.key == there.keys[LATE])).one()
            late.due_at = now - 1
            seen = session.scalars(select(Presence).where(Presence.game_id == late.id)).all()
            for user_id in ids.values():
                if user_id not in {row.user_id for row in seen}:
                    session.add(Presence(game_id=late.id, user_id=user_id, seen_at=now))
            session.execute(update(Presence).where(Presence.game_id == late.id).values(seen_at=now))
            gone = select(Game.id).where(Game.key == there.keys[HOSTLESS]).scalar_subquery()
            session.execute(update(Presence).where(Presence.game_id == gone).values(seen_at=0))


class Stage:
    """The world as it was, to begin each request with."""

    def __init__(self, there: World, kept: Path) -> None:
        self._there = there
        self._kept = kept
        self._database = Path(there.app.config["INSTANCE_PATH"]) / "raisesum.db"
        self._cookies = {name: browser.cookie() for name, browser in there.browsers.items()}
        with there.app.app_context():
            self._engine = db.engine
            self.fault = Fault(self._engine)
            db.session.remove()
            _empty_the_log(self._engine)
        shutil.copy(self._database, kept)

    def put_back(self) -> None:
        """Make everything as it was."""
        self._engine.dispose()
        for suffix in ("-wal", "-shm"):
            self._database.with_name(self._database.name + suffix).unlink(missing_ok=True)
        shutil.copy(self._kept, self._database)
        for name, browser in self._there.browsers.items():
            value = self._cookies[name]
            if value is None:
                browser.delete_cookie()
            elif browser.cookie() != value:
                browser.set_cookie(value)
                browser.get("/")


def _walk(there: World, kept: Path, step: int, report: Report) -> None:
    stage = Stage(there, kept)
    asks = [Ask(rule, form) for rule, form in sorted(there.posts(), key=lambda each: each[0].rule)]
    looks = list(_looks_that_write(there, stage))
    faults = 0
    for ask in [*asks, *looks]:
        for goes_on in (False, True):
            faults += _fail_each_call(there, stage, ask, step, goes_on=goes_on)
    report.figure("routes that take a form", len(asks))
    report.figure("looks that do what is due", len(looks))
    report.figure("calls of the database that failed", faults)
    report.figure("half-done things found", 0)


def _looks_that_write(there: World, stage: Stage) -> Iterator[Ask]:
    """Look at everything there is, and yield the looks that changed a row."""
    tables = (*TABLES, BOT_DUE, LATE, HOSTLESS)
    for rule in sorted(there.gets(), key=lambda each: each.rule):
        with_key = "key" in rule.arguments
        for table in tables if with_key else (OWN,):
            for who in (OTTER, HERON) if with_key else (STRANGER, NEWT, OTTER):
                ask = Ask(rule, Form(who, table), looks=True)
                stage.put_back()
                path = there.address(rule, table)
                before = all_rows(there.app)
                status = ask.ready(there, path)()
                hold(status < 500, f"{ask.words}: {status}")
                if all_rows(there.app) != before:
                    yield ask


def _fail_each_call(there: World, stage: Stage, ask: Ask, step: int, *, goes_on: bool) -> int:
    """Fail the first call, then the second ..., until the request passes; return how many."""
    faults = 0
    for passed in range(0, MOST_CALLS, step):
        stage.put_back()
        path = there.address(ask.rule, ask.form.table)
        send = ask.ready(there, path)
        before = all_rows(there.app)
        stage.fault.arm(passed, goes_on=goes_on)
        status = send()
        stage.fault.disarm()
        what = f"{ask.words}, call {passed + 1}{' and all after' if goes_on else ''}"
        if not stage.fault.failed:
            hold(status < 500, f"{what}: {status} without a fault")
            return faults
        faults += 1
        _check(there, what, before)
        there.browsers[ask.form.who].get("/")
        again = ask.ready(there, path)()
        hold(again < 500, f"{what}: the next request was answered {again}")
        _check(there, f"{what}, then again", None)
    hold(False, f"{ask.words} makes over {MOST_CALLS} calls")
    return faults


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


def _empty_the_log(engine: Engine) -> None:
    connection = engine.raw_connection()
    try:
        connection.driver_connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # type: ignore[union-attr]
    finally:
        connection.close()
    engine.dispose()
