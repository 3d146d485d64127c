"""The tests take a browser that is there, and only one that starts."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests import browser

STARTS = "#!/bin/sh\necho Chromium 1.2.3\n"
ONLY_SAYS_HOW_TO_INSTALL_IT = "#!/bin/sh\necho 'snap install chromium' >&2\nexit 1\n"


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder on PATH."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(browser, "MAC_APPS", ())
    return tmp_path


def put(path: Path, name: str, script: str) -> Path:
    command = path / name
    command.write_text(script)
    command.chmod(0o755)
    return command


@pytest.mark.parametrize("name", ["chromium", "google-chrome"])
def test_an_installed_browser_is_taken(path: Path, name: str) -> None:
    command = put(path, name, STARTS)

    assert browser.installed_browser() == command
    assert browser.launch_arguments()["executable_path"] == str(command)


def test_a_browser_that_does_not_start_is_passed_over(path: Path) -> None:
    put(path, "chromium", ONLY_SAYS_HOW_TO_INSTALL_IT)
    chrome = put(path, "google-chrome", STARTS)

    assert browser.installed_browser() == chrome


def test_without_an_installed_browser_playwright_takes_its_own(path: Path) -> None:
    assert browser.installed_browser() is None
    assert "executable_path" not in browser.launch_arguments()


@pytest.mark.parametrize(("user", "allowed"), [(0, False), (1000, True)])
def test_the_sandbox_is_left_out_for_root_alone(
    path: Path, monkeypatch: pytest.MonkeyPatch, user: int, allowed: bool
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: user)

    arguments = browser.launch_arguments()["args"]

    assert isinstance(arguments, list)
    assert ("--no-sandbox" not in arguments) is allowed


def test_the_browser_that_is_used_is_said(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = put(path, "chromium", STARTS)

    assert browser.main() == 0
    assert capsys.readouterr().out == f"Browser for the tests: {command} (Chromium 1.2.3)\n"
