"""The files for a server of one's own do what they are for, as far as the machine can tell."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from raisesum.config import _NAMES
from tests.servers import ROOT

HOSTING = ROOT / "docs" / "hosting"
GUIDE = ROOT / "docs" / "hosting.md"
UNITS = sorted(path for path in HOSTING.iterdir() if path.suffix in (".service", ".timer"))

needs_systemd = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="systemd is not installed here"
)
needs_caddy = pytest.mark.skipif(
    shutil.which("caddy") is None, reason="caddy is not installed here"
)


def run(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, capture_output=True, text=True, check=False)


@needs_systemd
@pytest.mark.parametrize("unit", UNITS, ids=[unit.name for unit in UNITS])
def test_systemd_finds_nothing_wrong_with_a_unit(unit: Path) -> None:
    done = run("systemd-analyze", "verify", unit)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@needs_systemd
def test_the_server_is_left_little_that_it_could_do_harm_with() -> None:
    done = run("systemd-analyze", "security", "--offline=true", HOSTING / "raisesum.service")
    [level] = re.findall(r"Overall exposure level for raisesum\.service: ([\d.]+)", done.stdout)
    assert float(level) <= 2.5
    assert f"rates what is left to it at {level}" in GUIDE.read_text().replace("\n", " ")


@needs_systemd
def test_the_copies_are_made_by_something_as_harmless() -> None:
    unit = HOSTING / "raisesum-backup.service"
    done = run("systemd-analyze", "security", "--offline=true", unit)
    [level] = re.findall(r"Overall exposure level for \S+: ([\d.]+)", done.stdout)
    assert float(level) <= 2.5


@needs_caddy
def test_caddy_finds_nothing_wrong_with_its_file() -> None:
    done = run("caddy", "validate", "--config", HOSTING / "Caddyfile", "--adapter", "caddyfile")
    assert "Valid configuration" in done.stdout + done.stderr
    assert done.returncode == 0
    assert run("caddy", "fmt", "--diff", HOSTING / "Caddyfile").returncode == 0


def test_the_settings_named_are_settings() -> None:
    serving = {"WORKERS", "PORT", "HOST"}
    table = re.findall(r"^\| `([A-Z_]+)", GUIDE.read_text(), re.MULTILINE)
    example = re.findall(r"^([A-Z_]+)=", (HOSTING / "raisesum.env").read_text(), re.MULTILINE)
    assert table
    assert example
    assert set(table + example) <= set(_NAMES) | serving


def test_the_files_named_are_there() -> None:
    named = set(re.findall(r"docs/hosting/([\w.*-]+)", GUIDE.read_text()))
    assert named
    for name in named:
        assert list(HOSTING.glob(name)), name


def test_the_commands_named_are_commands() -> None:
    from raisesum.cli_operator import COMMANDS, users

    named = set(re.findall(r"flask --app app ([a-z-]+)", GUIDE.read_text()))
    assert named <= {command.name for command in COMMANDS} | {"serve", "prune"}
    under_users = set(re.findall(r"flask --app app users ([a-z-]+)", GUIDE.read_text()))
    assert under_users <= set(users.commands)
