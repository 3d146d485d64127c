"""A short form of each part of the torture, so that none is broken when it is needed."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.servers import ROOT
from tests.torture import parts
from tests.torture.parts import PARTS
from tests.torture.report import Report, SkippedError, hold
from tests.torture.world import FORMS, world

#: What each part does here of what `make torture` does.
SCALES = {
    "authz": 0.1,
    "clock": 0.01,
    "disk": 0.01,
    "anomaly": 0.02,
    "inputs": 0.01,
    "backup": 0.01,
    "race": 0.002,
    "load": 0.05,
    "soak": 0.005,
    "kill9": 0.0005,
}


@pytest.mark.parametrize("part", PARTS)
def test_the_promises_hold_under_a_little_force(part: str, tmp_path: Path) -> None:
    report = Report(part)
    try:
        importlib.import_module(f"tests.torture.{part}").run(tmp_path, SCALES[part], report)
    except SkippedError as why:
        pytest.skip(str(why))
    assert report.figures


def test_the_command_runs_the_parts_that_are_named() -> None:
    words = [sys.executable, "-m", "tests.torture", "clock", "input", "--scale", "0.001"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "clock: held" in done.stdout
    assert "inputs: held" in done.stdout
    assert done.stdout.endswith("2 of 2 parts held\n")


def test_a_broken_promise_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tests.torture.clock.run", lambda *_: hold(False, "an hour was lost"))
    assert parts.run("clock", 1) is False
    told = capsys.readouterr()
    assert "clock: BROKEN" in told.out
    assert "an hour was lost" in told.err


def test_every_part_there_is_is_run() -> None:
    folder = Path(__file__).parent
    names = {path.stem for path in folder.glob("*.py") if "\ndef run(folder" in path.read_text()}
    assert names == set(PARTS) == set(SCALES)


def test_every_form_that_is_told_is_that_of_a_route(tmp_path: Path) -> None:
    with world(tmp_path) as there:
        endpoints = {rule.endpoint for rule, _ in there.posts()}
    assert set(FORMS) <= endpoints
    assert endpoints <= set(FORMS), "tell in tests/torture/world.py what these forms hold"


def test_the_list_of_naughty_strings_came_with_its_licence() -> None:
    data = Path(__file__).parent / "data"
    assert sorted(os.listdir(data)) == ["LICENSE-blns", "blns.json"]  # noqa: PTH208
    assert "MIT License" in (data / "LICENSE-blns").read_text()
