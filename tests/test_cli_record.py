"""The commands about records, most of them as the real program in a process of its own."""

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from sqlalchemy import update

from raisesum.models import Game
from raisesum.services import history, lobby, play
from raisesum.services.transactions import write_transaction
from tests.engine.records import DRY, RIGHT, SHORT, WRONG, with_line
from tests.servers import clean_environment
from tests.services.tables import guest, move, stored

ROOT = Path(__file__).parent.parent
MEGABYTE = 1 << 20


@dataclass(frozen=True)
class Run:
    status: int
    lines: list[str]
    errors: str
    memory: int  # the most it held, in bytes


# Runs the program and adds a line to its errors: the most memory it held, in kB. What the system
# counts for a process from outside includes what the tests held when they started it.
MEASURED = """
import atexit, sys
from pathlib import Path
from flask.cli import main

def held():
    lines = Path("/proc/self/status").read_text().splitlines()
    print(*[line.split()[1] for line in lines if line.startswith("VmHWM")], file=sys.stderr)

atexit.register(held)
main()
"""


@pytest.fixture
def program(tmp_path):
    """Return what runs `record ...` and says what came of it."""
    environment = clean_environment(INSTANCE_PATH=str(tmp_path / "instance"), PYTHONUTF8="1")

    def run(*args, **more):
        with (tmp_path / "out").open("wb") as out, (tmp_path / "errors").open("wb") as errors:
            status = subprocess.call(
                [sys.executable, "-c", MEASURED, "--app", "app", "record", *args],
                cwd=ROOT,
                env=environment | more,
                stdout=out,
                stderr=errors,
            )
        printed = (tmp_path / "out").read_bytes().decode()
        *told, memory = (tmp_path / "errors").read_bytes().decode().splitlines()
        return Run(status, printed.splitlines(), "\n".join(told), int(memory) * 1024)

    return run


@pytest.fixture
def check(runner):
    """Return what checks files without a process of its own: status and lines."""

    def run(*files):
        result = runner.invoke(args=["record", "check", *map(str, files)])
        assert not result.stderr
        return result.exit_code, result.stdout.splitlines()

    return run


@pytest.fixture
def written(tmp_path):
    def write(text, name="match.txt"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


# -- check ---------------------------------------------------------------------------------


def test_right_records_are_one_line_each_and_status_0(check):
    status, lines = check(*RIGHT)
    assert status == 0
    assert len(lines) == len(RIGHT)
    for path, line in zip(RIGHT, lines, strict=True):
        assert line.startswith(f"{path}: ok: ")


def test_the_summary_says_what_kind_of_match_it_was_and_how_it_ended(check, written):
    path = written(DRY)
    match, end = "3 players, custom deck, to 1 point", "seat 1 (North) in 1 round and 9 turns"
    assert check(path) == (0, [f"{path}: ok: {match}; won by {end}"])


def test_wrong_records_are_named_with_their_line_and_status_1(check):
    status, lines = check(*WRONG)
    assert status == 1
    for path, line in zip(WRONG, lines, strict=True):
        number = re.search(r"-line(\d+)$", path.stem)
        assert line.startswith(f"{path}:{number[1]}: ")
        assert len(line) > len(f"{path}:{number[1]}: ")


def test_files_that_cannot_be_read_are_named_with_the_reason_and_status_2(check, tmp_path):
    missing = tmp_path / "missing.txt"
    status, lines = check(missing, tmp_path, "", "x" * 300, "/proc/self/mem")
    assert status == 2
    assert lines[:2] == [
        f"{missing}: cannot be read: No such file or directory",
        f"{tmp_path}: cannot be read: Is a directory",
    ]
    assert len(lines) == 5
    assert all(": cannot be read: " in line for line in lines)


def test_every_file_has_its_line_whatever_the_others_are(check, tmp_path):
    missing = tmp_path / "missing"
    files = [missing, RIGHT[0], WRONG[0], tmp_path, RIGHT[1], WRONG[1], missing]
    status, lines = check(*files)
    assert status == 2
    assert [line.startswith(f"{file}:") for file, line in zip(files, lines, strict=True)]
    kinds = ["cannot" if "cannot" in x else "ok" if ": ok" in x else "wrong" for x in lines]
    assert kinds == ["cannot", "ok", "wrong", "cannot", "ok", "wrong", "cannot"]
    assert check(RIGHT[0], WRONG[0], RIGHT[1])[0] == 1


def test_it_takes_thousands_of_files_in_one_call(program):
    short = sorted(RIGHT, key=lambda path: path.stat().st_size)[:8]
    files = [str(path.relative_to(ROOT)) for path in short] * 320
    run = program("check", *files)
    assert run.status == 0
    assert [line.split(":")[0] for line in run.lines] == files


def test_an_unfinished_and_an_empty_file_are_wrong_after_their_last_line(check, written):
    unfinished = written(SHORT.removesuffix("2 match\n"), "unfinished")
    empty = written("", "empty")
    status, (first, second) = check(unfinished, empty)
    assert status == 1
    assert first.startswith(f"{unfinished}:16: ")
    assert second.startswith(f"{empty}:1: ")


NAMES = {
    b"two words": "two words",
    "Zoë–李".encode(): "Zoë–李",
    b"line\nfeed": "line\\nfeed",
    b"\x1b[31mred": "\\x1b[31mred",
    b"not utf-8 \xff": "not utf-8 \\xff",
    "turned \u202eround".encode(): "turned \\u202eround",
    b"--help": "--help",
}


def test_file_names_are_printed_each_in_one_harmless_line(program, tmp_path):
    paths = [os.fsencode(tmp_path) + b"/" + name for name in NAMES]
    for path in paths:
        Path(os.fsdecode(path)).write_text(SHORT, "utf-8")
    run = program("check", "--", *paths)
    assert run.status == 0
    for line, printed in zip(run.lines, NAMES.values(), strict=True):
        assert line.startswith(f"{tmp_path}/{printed}: ok: ")


def test_names_and_faults_are_printed_where_only_ascii_can_be(program, written):
    match = written(SHORT.replace("North | East", "李 | Zoë"))
    wrong = written(with_line(SHORT, 9, "round 李"), "wrong")
    run = program("check", str(match), str(wrong), PYTHONUTF8="0", PYTHONIOENCODING="ascii")
    assert run.status == 1
    assert "won by seat 2 (Zo\\xeb)" in run.lines[0]
    assert "'round \\u674e'" in run.lines[1]


def test_a_name_does_not_turn_or_flood_the_line(check, written):
    for name in ("\u202eEast", "E" * 100_000, "\u2028"):
        status, (line,) = check(written(SHORT.replace("North | East", f"North | {name}")))
        assert status == 0
        assert len(line) < 300
        assert line.isprintable()


def test_without_a_file_it_says_how_it_is_used(runner):
    result = runner.invoke(args=["record", "check"])
    assert result.exit_code == 2
    assert "FILE..." in result.stderr


def test_hostile_files_are_refused_in_little_memory(program, tmp_path):
    plain = program("check", str(RIGHT[0])).memory
    hole = tmp_path / "hole"
    with hole.open("wb") as file:
        file.truncate(1 << 30)
    spaces = tmp_path / "one line"
    spaces.write_bytes(SHORT.encode().removesuffix(b"2 match\n") + b"2 match " * 4 * MEGABYTE)
    lines = tmp_path / "lines"
    lines.write_bytes(SHORT.encode() + b"\n" * 10_000_000)
    head = tmp_path / "head"
    head.write_bytes(b"Raise the Sum record 1\n" * 1_000_000)
    bytes_ = tmp_path / "bytes"
    bytes_.write_bytes(os.urandom(MEGABYTE))
    files = {hole: 1, spaces: 16, lines: 17, head: 2, bytes_: 1, "/dev/urandom": 1, "/dev/zero": 1}
    run = program("check", *map(str, files))
    assert run.status == 1
    for line, (file, number) in zip(run.lines, files.items(), strict=True):
        assert line.startswith(f"{file}:{number}: ")
    assert run.memory < plain + 20 * MEGABYTE


# -- show ----------------------------------------------------------------------------------


def test_a_match_is_told_in_words_with_the_steps_of_each_score(runner, written):
    path = written(
        with_line(SHORT, 11, "2 play: +1 +3 -3 /2 = 4").replace(
            "1 pass\n1 discard: +1\n2 point\n2 match\n",
            "1 play: +9 x2 = 6\n2 draw: +4 +4 +4\n2 pass\n1 point\n1 match\n",
        )
    )
    result = runner.invoke(args=["record", "show", str(path)])
    assert result.stderr == ""
    assert result.stdout.splitlines() == [
        "Players: North, East",
        "Deck: all operations",
        "To win: 1 point",
        "",
        "East was dealt +5, ×2, −3, +1, +4.",
        "North was dealt 0, +3, +9, ÷2, +1.",
        "Round 1 begins: East opens.",
        "East drew +3, 0, ÷2.",
        "East opened with +1, +3, −3, ÷2 for 4.",
        "    1 + 3 = 4",
        "North drew +2, −1, ×2.",
        "North played +9, ×2 for 6.",
        "    +9 → −3 = 6 → ×2 = 12 → ÷2 = 6",
        "East drew +4, +4, +4.",
        "East passed.",
        "North won round 1 with 6.",
        "North won the match.",
    ]
    assert result.exit_code == 0


def test_rounds_are_set_apart(runner):
    result = runner.invoke(args=["record", "show", str(RIGHT[10])])
    lines = result.stdout.splitlines()
    opens = [number for number, line in enumerate(lines) if re.match(r"Round \d+ begins", line)]
    assert len(opens) > 1
    for number in opens[1:]:
        assert lines[number - 1] == ""


def test_a_custom_deck_is_told_by_its_cards(runner, written):
    result = runner.invoke(args=["record", "show", str(written(DRY))])
    assert "Deck: 12 of +1, 11 of +2, 1 of +3" in result.stdout.splitlines()
    assert "South found no card left to draw." in result.stdout.splitlines()


def test_a_wrong_record_is_told_up_to_its_fault(runner, written):
    path = written(with_line(SHORT, 11, "2 play: +1 +3 = 5"))
    result = runner.invoke(args=["record", "show", str(path)])
    assert result.exit_code == 1
    assert result.stdout.splitlines()[-1] == "East drew +3, 0, ÷2."
    assert result.stderr == f"{path}:11: the play scores 4, not '5'\n"


def test_a_file_that_cannot_be_read_is_not_told(runner, tmp_path):
    result = runner.invoke(args=["record", "show", str(tmp_path)])
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"{tmp_path}: cannot be read: Is a directory\n"


# -- export --------------------------------------------------------------------------------


@pytest.fixture
def table(app):
    """Return the key of a table where a match is going on, and what plays it to its end."""
    with app.app_context():
        me = guest()
        made = lobby.start_practice(me, ["steady"], goal=1, bot_delay_ms=0)
        # Keys are drawn by chance; this one looks like an option.
        key = f"-{made[1:]}"
        with write_transaction() as session:
            session.execute(update(Game).where(Game.key == made).values(key=key))

        def finish():
            while move(me, key):
                pass

        yield key, finish, lambda: play.give_up(me, key)


def test_a_finished_match_is_exported_as_a_record_that_is_right(runner, check, written, table):
    key, finish, _ = table
    finish()
    result = runner.invoke(args=["record", "export", key])
    assert result.exit_code == 0
    assert result.stdout_bytes == history.record_of(key).encode()
    assert check(written(result.stdout_bytes))[0] == 0


def test_a_match_is_exported_by_the_number_of_its_row(runner, table):
    key, finish, _ = table
    finish()
    by_number = runner.invoke(args=["record", "export", str(stored(key).id)])
    assert by_number.stdout_bytes == history.record_of(key).encode()


def test_a_match_that_goes_on_is_not_exported(runner, table):
    key, _, _ = table
    result = runner.invoke(args=["record", "export", key])
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "Error: This match still goes on.\n"


def test_a_match_that_was_given_up_is_not_exported(runner, table):
    key, _, give_up = table
    give_up()
    result = runner.invoke(args=["record", "export", key])
    assert (result.exit_code, result.stdout) == (1, "")
    assert "given up" in result.stderr


@pytest.mark.parametrize("table_id", ["nothing", "0", "999", "9" * 30, "-1", "²", "\udcff"])
def test_a_match_that_is_not_there_is_not_exported(runner, table_id):
    result = runner.invoke(args=["record", "export", "--", table_id])
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "Error: There is no such table.\n"


def test_a_database_without_tables_is_told_plainly(program):
    run = program("export", "nothing")
    assert (run.status, run.lines) == (1, [])
    assert run.errors.startswith("Error: The database cannot be read: ")
    assert "Traceback" not in run.errors
