from __future__ import annotations

import pytest
from flask import Flask
from flask.testing import FlaskCliRunner
from sqlalchemy import update

from raisesum.models import Game
from raisesum.services import clock, lobby
from raisesum.services.transactions import write_transaction
from tests.rows import count
from tests.services.tables import guest

DAY = 24 * 3600 * 1000


def match_untouched_for(app: Flask, days: int) -> None:
    with app.app_context():
        key = lobby.play_now(guest(), 60_000)
        with write_transaction() as session:
            session.execute(
                update(Game).where(Game.key == key).values(updated_at=clock.now_ms() - days * DAY)
            )


def test_prune_deletes_what_is_older_and_says_how_many(app: Flask, runner: FlaskCliRunner) -> None:
    for days in (40, 31, 29):
        match_untouched_for(app, days)
    result = runner.invoke(args=["prune", "--older-than", "30d"])
    assert (result.exit_code, result.output) == (0, "2 unfinished matches deleted.\n")
    assert count(app, "games") == 1


def test_without_an_age_the_one_that_people_are_told_counts(
    app: Flask, runner: FlaskCliRunner
) -> None:
    app.config["KEEP_DAYS"] = 35
    for days in (40, 31):
        match_untouched_for(app, days)
    assert runner.invoke(args=["prune"]).output == "1 unfinished match deleted.\n"


@pytest.mark.parametrize("age", ["", "30", "d", "-1d", "1.5d", "30 days", "9999999d"])
def test_what_is_no_age_is_refused_and_nothing_goes(
    app: Flask, runner: FlaskCliRunner, age: str
) -> None:
    match_untouched_for(app, 400)
    result = runner.invoke(args=["prune", f"--older-than={age}"])
    assert (result.exit_code, count(app, "games")) == ((0, 0) if age == "" else (2, 1))
