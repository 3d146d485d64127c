"""The clock is set, 32 bits of it end, the zone changes, the power fails: nobody loses by it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from raisesum.services import clock, inspection, server_time
from raisesum.services.lobby import my_tables
from raisesum.services.table import table_for
from tests.torture.report import Report, hold
from tests.torture.world import HERON, OTTER, SHARED, World, world

SECOND, HOUR = 1000, 3600 * 1000
#: Behind 2^31 and 2^32 seconds, where clocks of 32 bits end.
IN_2038, IN_2106 = 2_147_483_700_000, 4_294_967_400_000


def run(folder: Path, scale: float, report: Report) -> None:
    """Set the clock in every way, and ask and move each time."""
    steps = {
        "a second back": -SECOND,
        "an hour back": -HOUR,
        "an hour on": HOUR,
        "to 2038": IN_2038 - clock.now_ms(),
        "to 2106": IN_2106 - clock.now_ms(),
    }
    with world(folder) as there:
        for what, by in steps.items():
            with _clock(by):
                _people_are_signed_in_and_play(there, what)
        changes = _changes_of_summer_time()
        with _zone("Europe/Berlin"):
            for change in changes:
                for seconds in (-1, 1, 3601):
                    with _clock(change + seconds * SECOND - clock.now_ms()):
                        _people_are_signed_in_and_play(there, f"to {seconds} s from {change}")
        for zone in ("America/New_York", "Pacific/Kiritimati", "Asia/Kathmandu"):
            with _zone(zone):
                _people_are_signed_in_and_play(there, zone)
        report.figure("steps of the clock and zones", len(steps) + 3)
        report.figure("moments about the changes of summer time", 3 * len(changes))
        report.figure("turn clock while the server is down for two hours", _two_hours_down(there))
        with there.app.app_context():
            hold(not any(inspection.untrue_matches()), "a match is untrue")


def _people_are_signed_in_and_play(there: World, what: str) -> None:
    for name in (OTTER, HERON):
        browser = there.browsers[name]
        if what.startswith("to ") and not browser.is_signed_in():
            # So many years without a visit end a sign-in, and that is promised too.
            hold(browser.sign_in(name).status_code == 303, f"{what}: {name} cannot sign in")
        hold(browser.is_signed_in(), f"{what}: {name} is signed out")
        path = f"/games/{there.keys[SHARED]}"
        page = browser.get(path)
        hold(page.status_code == 200, f"{what}: the table answered {page.status_code}")
        if 'name="action" value="pass"' in browser.page:
            version = browser.fields()["version"]
            answer = browser.send(f"{path}/actions", action="pass", confirmed="1", version=version)
            hold(answer.status_code == 303, f"{what}: a pass answered {answer.status_code}")
            browser.get(path)
        if 'value="discard"' in browser.page:
            with there.app.app_context():
                user_id = _user(there, name)
                view = table_for(user_id, there.keys[SHARED]).view
                cards = [card.name for card in view.hand[: view.to_discard]]
            fields = {"action": "discard", "version": browser.fields()["version"], "card": cards}
            answer = browser.send(f"{path}/actions", **fields)
            hold(answer.status_code == 303, f"{what}: a discard answered {answer.status_code}")


def _changes_of_summer_time() -> list[int]:
    """When clocks in Berlin change next year: at 1 UTC on the last Sundays of March and October."""
    year = datetime.now(UTC).year + 1
    ends = (datetime(year, month, 31, 1, tzinfo=UTC) for month in (3, 10))
    sundays = (end - timedelta(days=(end.weekday() + 1) % 7) for end in ends)
    return [round(sunday.timestamp() * SECOND) for sunday in sundays]


def _two_hours_down(there: World) -> str:
    """Server time, by which turns run out, goes on where it was when the server stopped."""
    with there.app.app_context():
        server_time.beat()
        before = server_time.now_ms()
        server_time.forget()
        with _clock(2 * HOUR):
            server_time.beat()
            passed = server_time.now_ms() - before
            server_time.forget()
    hold(0 <= passed < 30 * SECOND, f"two hours down were {passed} ms on the turn's clock")
    return f"{passed} ms passed on it"


def _user(there: World, name: str) -> int:
    from sqlalchemy import select

    from raisesum.extensions import db
    from raisesum.models import User

    found: int = db.session.scalars(select(User.id).where(User.handle_key == name)).one()
    hold(my_tables(found, ["playing"], 1), "there are no tables")
    return found


@contextmanager
def _clock(by_ms: int) -> Iterator[None]:
    """Let the time of day differ; every module asks `clock` or has its function."""
    import sys

    true = clock.now_ms

    def shifted() -> int:
        return true() + by_ms

    holders = [
        module
        for name, module in list(sys.modules.items())
        if name.startswith("raisesum.") and getattr(module, "now_ms", None) is true
    ]
    for module in holders:
        module.now_ms = shifted  # type: ignore[attr-defined]
    try:
        yield
    finally:
        for module in holders:
            module.now_ms = true  # type: ignore[attr-defined]


@contextmanager
def _zone(name: str) -> Iterator[None]:
    import os

    before = os.environ.get("TZ")
    os.environ["TZ"] = name
    time.tzset()
    try:
        yield
    finally:
        if before is None:
            del os.environ["TZ"]
        else:
            os.environ["TZ"] = before
        time.tzset()
