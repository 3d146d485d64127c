"""The operator's commands, as they are typed."""

from __future__ import annotations

import re
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from flask import Flask
from sqlalchemy import select, text, update

from raisesum import create_app, safety
from raisesum.extensions import WRITES, db
from raisesum.models import Action, Game, User
from raisesum.services import accounts, inspection, lobby, rematch, signins
from raisesum.services.refusals import RefusedError
from raisesum.services.transactions import write_transaction
from tests import postgresql
from tests.conftest import SharedDatabase, close, settings
from tests.rows import all_rows, count
from tests.services.tables import guest, move

PASSWORD = "seven quiet otters"

Run = Callable[..., Result]


@pytest.fixture
def run(app: Flask) -> Run:
    """Run a command of the application's; `status` is what it must end with."""

    def call(*words: str, status: int = 0) -> Result:
        result = app.test_cli_runner().invoke(args=list(words))
        assert result.exit_code == status, result.output
        return result

    return call


def play(app: Flask, moves: int = 2) -> str:
    """Make so many moves of a match to three points, of which each round takes one at least."""
    with app.app_context():
        user_id = guest()
        key = lobby.play_now(user_id, 0)
        for _ in range(moves):
            move(user_id, key)
    return key


# Copies


def test_a_copy_is_whole_private_and_leads_back(app: Flask, run: Run, tmp_path: Path) -> None:
    play(app)
    before = all_rows(app)
    folder = tmp_path / "copies"
    run("backup", str(folder))
    [copy] = folder.iterdir()
    assert re.fullmatch(r"raisesum-\d{8}T\d{12}Z\.(db|dump)", copy.name)
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    play(app)
    assert all_rows(app) != before
    later = all_rows(app)
    said = run("restore", str(copy), "--yes").output
    assert all_rows(app) == before
    kept = said.rpartition("before is ")[2].strip().rstrip(".")
    run("restore", kept, "--yes")
    assert all_rows(app) == later


def test_two_copies_of_one_moment_both_stay(
    app: Flask, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("raisesum.services.clock.now_ms", lambda: 1_800_000_000_000)
    run("backup", str(tmp_path / "copies"))
    run("backup", str(tmp_path / "copies"))
    assert len(list((tmp_path / "copies").iterdir())) == 2


@pytest.mark.parametrize("content", [b"", b"nonsense", b"SQLite format 3\0" + b"\0" * 5000])
def test_what_is_no_copy_is_refused_and_changes_nothing(
    app: Flask, run: Run, tmp_path: Path, content: bytes
) -> None:
    play(app)
    before = all_rows(app)
    (tmp_path / "broken").write_bytes(content)
    result = run("restore", str(tmp_path / "broken"), "--yes", status=1)
    assert "Traceback" not in result.output
    assert all_rows(app) == before


@pytest.mark.sqlite
def test_a_damaged_copy_is_refused(app: Flask, run: Run, tmp_path: Path) -> None:
    play(app, moves=30)
    run("backup", str(tmp_path / "copies"))
    [copy] = (tmp_path / "copies").iterdir()
    content = bytearray(copy.read_bytes())
    middle = 4096 * (len(content) // 8192)
    content[middle : middle + 4096] = b"\xff" * 4096
    copy.write_bytes(content)
    run("restore", str(copy), "--yes", status=1)


def test_nothing_half_made_is_left_where_there_is_no_room_for_a_copy(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    said = run("backup", str(tmp_path / "copies"), status=1).output
    assert "No space left on device" in said
    assert list((tmp_path / "copies").iterdir()) == []


def test_without_a_yes_nothing_is_brought_back(app: Flask, run: Run, tmp_path: Path) -> None:
    run("backup", str(tmp_path / "copies"))
    [copy] = (tmp_path / "copies").iterdir()
    play(app)
    before = all_rows(app)
    run("restore", str(copy), status=1)
    assert all_rows(app) == before


# Moving


@pytest.mark.skipif(postgresql.programs() is None, reason=postgresql.MISSING)
@pytest.mark.sqlite
def test_everything_moves_to_postgresql_and_back_and_goes_on_there(
    app: Flask, run: Run, tmp_path: Path, shared_database: SharedDatabase
) -> None:
    with app.app_context():
        user_id = guest()
        key = lobby.start_practice(user_id, ("easy",), goal=1, bot_delay_ms=0)
        while move(user_id, key):
            pass
        rematch.press(user_id, key, 0)
    registered(app)
    before = all_rows(app)
    url = shared_database.emptied()
    run("move-to", url)
    there = create_app({**settings(tmp_path / "there"), "DATABASE_URL": url})
    assert all_rows(there) == before
    with there.app_context():
        # Numbers go on after the highest that has come along.
        new = guest()
        assert new == 3
        lobby.play_now(new, 0)
        assert not any(inspection.untrue_matches())
    assert "It is not empty" in run("move-to", url, status=1).output

    back = create_app(settings(tmp_path / "back"))
    result = there.test_cli_runner().invoke(args=["move-to", back.config["DATABASE_URL"]])
    assert result.exit_code == 0, result.output
    assert all_rows(back) == all_rows(there)
    close(there)
    close(back)


# Checks


def test_check_finds_a_true_database_true(app: Flask, run: Run) -> None:
    play(app)
    said = run("check").output
    assert "1 match is what its log leads to" in said
    assert "damage" not in said


def lose_a_row() -> None:
    with write_transaction() as session:
        session.delete(session.scalars(select(Action).where(Action.number == 2)).one())


def change_a_move() -> None:
    with write_transaction() as session:
        session.execute(update(Action).where(Action.number == 1).values(action="play +9 +9"))


def change_an_event() -> None:
    with write_transaction() as session:
        row = session.scalars(select(Action).where(Action.number == 0)).one()
        row.events = session.scalars(select(Action.events).where(Action.number == 1)).one()


def change_the_version() -> None:
    with write_transaction() as session:
        session.execute(update(Game).values(version=Game.version + 1))


def change_the_winner() -> None:
    with write_transaction() as session:
        game = session.scalars(select(Game)).one()
        game.winner = 1 if game.winner == 2 else 2


def spoil_the_state() -> None:
    with write_transaction() as session:
        session.execute(update(Game).values(state="{}"))


@pytest.mark.parametrize(
    "spoil",
    [
        lose_a_row,
        change_a_move,
        change_an_event,
        change_the_version,
        change_the_winner,
        spoil_the_state,
    ],
)
def test_check_finds_what_is_untrue_and_names_no_secret(
    app: Flask, run: Run, spoil: Callable[[], None]
) -> None:
    key = play(app)
    with app.app_context():
        spoil()
    said = run("check", status=1).output
    assert "untrue: match 1: " in said
    assert key not in said


@pytest.mark.sqlite
def test_check_finds_a_row_that_points_nowhere(app: Flask, run: Run) -> None:
    play(app)
    with app.app_context(), db.engine.connect() as connection:
        connection.connection.driver_connection.execute("PRAGMA foreign_keys = 0")
        with connection.execution_options(**{WRITES: True}).begin():
            connection.execute(text("UPDATE seats SET user_id = 99 WHERE number = 1"))
        connection.connection.driver_connection.execute("PRAGMA foreign_keys = 1")
    assert "damage: a row of seats points" in run("check", status=1).output


def test_risks_are_told(app: Flask) -> None:
    app.testing = False
    app.config["ALLOWED_HOSTS"] = ("example.org", ".org")
    app.config["METRICS"] = 1
    instance = Path(app.config["INSTANCE_PATH"])
    (instance / "copy.db").write_text("")
    (instance / "copy.db").chmod(0o644)
    told = " ".join(safety.risks(app))
    for word in ("copy.db can be read", "top-level domain", "TRUSTED_PROXIES is 0", "METRICS"):
        assert word in told


def test_the_sqlite_in_use_is_named_when_it_can_corrupt(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    app.config["SQLALCHEMY_DATABASE_URI"] = app.config["SQLALCHEMY_DATABASE_URI"].set(
        drivername="sqlite"
    )
    monkeypatch.setattr(safety, "sqlite_version", lambda: "3.40.1")
    assert "SQLite 3.40.1 is in use" in (safety.sqlite_word(app) or "")
    monkeypatch.setattr(safety, "sqlite_version", lambda: "3.51.3")
    assert safety.sqlite_word(app) is None


# People


def registered(app: Flask) -> accounts.Entrance:
    with app.app_context():
        return accounts.register("Otter", "Zoë", PASSWORD)


def test_people_are_listed_without_their_secrets(app: Flask, run: Run) -> None:
    registered(app)
    play(app)
    said = run("users", "list").output
    assert re.fullmatch(r"#1\tOtter\tZoë\t[\d-]{10}\t[\d-]{10}\t0\n", said)
    assert run("users", "list", "--guests").output.count("(guest)") == 1


def test_a_new_password_and_code_work_and_the_old_do_not(app: Flask, run: Run) -> None:
    entrance = registered(app)
    said = run("users", "reset-password", "otter").output
    found = re.fullmatch(r"password: (\S+)\nrecovery code: (\S+)\n", said)
    assert found
    with app.app_context():
        assert signins.find(entrance.token) is None
        with pytest.raises(RefusedError):
            accounts.sign_in("otter", PASSWORD)
        with pytest.raises(RefusedError):
            accounts.recover("otter", entrance.recovery_code, "eight loud herons")
        accounts.sign_in("otter", found[1])
        accounts.recover("otter", found[2], "eight loud herons")


def test_who_is_disabled_is_out_at_once_and_back_when_enabled(app: Flask, run: Run) -> None:
    entrance = registered(app)
    run("users", "disable", "OTTER")
    assert "disabled" in run("users", "list").output
    with app.app_context():
        assert signins.find(entrance.token) is None
        with pytest.raises(RefusedError, match="closed this account"):
            accounts.sign_in("otter", PASSWORD)
        with pytest.raises(RefusedError, match="closed this account"):
            accounts.recover("otter", entrance.recovery_code, "eight loud herons")
        with pytest.raises(RefusedError, match="Wrong name or password"):
            accounts.sign_in("otter", "a wrong one")
    run("users", "enable", "otter")
    with app.app_context():
        accounts.sign_in("otter", PASSWORD)


def test_deleting_asks_first(app: Flask, run: Run) -> None:
    registered(app)
    run("users", "delete", "otter", status=1)
    assert count(app, "users") == 1
    run("users", "delete", "#1", "--yes")
    assert count(app, "users") == 0


@pytest.mark.parametrize("name", ["nobody-here", "#99", "#x", "", "#", "a b", "#" + "9" * 5000])
def test_who_is_not_there_is_said_in_a_sentence(run: Run, name: str) -> None:
    assert "Nobody is called" in run("users", "disable", name, status=1).output


def test_a_guest_has_no_password_to_reset(app: Flask, run: Run) -> None:
    play(app)
    assert "A guest has no password" in run("users", "reset-password", "#1", status=1).output


def test_numbers_are_counted(app: Flask, run: Run) -> None:
    registered(app)
    play(app)
    with app.app_context():
        moves = db.session.scalars(select(Game.version)).one()
        assert sorted(db.session.scalars(select(User.id))) == [1, 2]
    said = run("stats").output
    for line in ("accounts +1", "guests +1", "tables, playing +1", f"moves +{moves}"):
        assert re.search(rf"^{line}$", said, re.MULTILINE)
