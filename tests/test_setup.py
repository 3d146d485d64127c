"""Set-up: `.venv` is made when it is needed and only then, and what is missing is said in a line.

The Python these tests put on PATH is a script that writes down how it was called, makes a
`.venv` that holds itself, and installs nothing; for all else it stands aside for the real one.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from importlib.metadata import requires, version
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.servers import ROOT

TOOLS = ("sh", "make", "cat", "cp", "dirname", "mkdir", "rm", "sed")

PYTHON = """\
#!/bin/sh
echo "$*" >>"{log}"
case "$*" in
    "-m venv .venv") mkdir -p .venv/bin && cp "$0" .venv/bin/python ;;
    "-m pip "*) exit $(cat "{log}.pip") ;;
    *) exec "{real}" "$@" ;;
esac
"""

OLD_PYTHON = """\
#!/bin/sh
case "$2" in
    *"print("*) echo 3.9 ;;
    *) exit 1 ;;
esac
"""

PYTHON_WITHOUT_VENV = """\
#!/bin/sh
case "$2" in
    *ensurepip*) exit 1 ;;
    *"print("*) echo 3.11 ;;
esac
"""

SHIM_FOR_NOTHING = """\
#!/bin/sh
echo "pyenv: $0: command not found" >&2
exit 127
"""


class Clone:
    """A folder with the files that set-up reads, and the only PATH there is."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "clone"
        self.bin = folder / "bin"
        self.log = folder / "calls"
        self.bin.mkdir(parents=True)
        for tool in TOOLS:
            found = shutil.which(tool)
            assert found, tool
            (self.bin / tool).symlink_to(found)
        for name in ("Makefile", "requirements.txt", "tests/requirements.txt", "tools/setup.sh"):
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, self.folder / name)
        (self.folder / "raisesum").mkdir()
        self.pip_exits(0)

    def put(self, name: str, script: str) -> None:
        """Put a command on PATH."""
        path = self.bin / name
        path.write_text(
            script.format(log=self.log, real=sys.executable) if "{" in script else script
        )
        path.chmod(0o755)

    def pip_exits(self, status: int) -> None:
        Path(f"{self.log}.pip").write_text(str(status))

    def make(
        self, target: str = "setup-run", **environment: str
    ) -> subprocess.CompletedProcess[str]:
        self.log.write_text("")
        return subprocess.run(
            [self.bin / "make", target],
            cwd=self.folder,
            env={"PATH": str(self.bin), "HOME": str(self.folder)} | environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    def calls(self, what: str) -> list[str]:
        return [line for line in self.log.read_text().splitlines() if line.startswith(what)]

    @property
    def installed(self) -> int:
        """How often the last `make` called pip."""
        return len(self.calls("-m pip"))


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    return Clone(tmp_path)


@pytest.fixture
def ready(clone: Clone) -> Clone:
    """A clone that has been set up to run."""
    clone.put("python3", PYTHON)
    assert clone.make().returncode == 0
    assert clone.installed == 1
    return clone


def said(answer: subprocess.CompletedProcess[str]) -> str:
    """The one line that was said beside what make itself says of a failure."""
    lines = (answer.stdout + answer.stderr).splitlines()
    ours = [line for line in lines if not line.startswith("make: ")]
    assert len(ours) == 1, lines
    return ours[0]


def test_a_python_that_is_too_old_is_named_in_one_line(clone: Clone) -> None:
    clone.put("python3", OLD_PYTHON)

    answer = clone.make("run")

    assert answer.returncode != 0
    assert "needs Python 3.11 or newer, and python3 here is 3.9: install one" in said(answer)


def test_no_python_at_all_is_said_in_one_line(clone: Clone) -> None:
    answer = clone.make("run")

    assert answer.returncode != 0
    assert "needs Python 3.11 or newer, and none was found: install one" in said(answer)


def test_a_missing_venv_module_is_said_in_one_line_with_the_package_that_has_it(
    clone: Clone,
) -> None:
    clone.put("python3", PYTHON_WITHOUT_VENV)

    answer = clone.make("run")

    assert answer.returncode != 0
    assert "no venv module here: install it (on Debian or Ubuntu: apt install python3.11-venv)" in (
        said(answer)
    )


@pytest.mark.parametrize("first", [OLD_PYTHON, PYTHON_WITHOUT_VENV, SHIM_FOR_NOTHING])
def test_another_python_on_the_path_is_taken_when_the_first_cannot_be_used(
    clone: Clone, first: str
) -> None:
    clone.put("python3", first)
    clone.put("python3.12", PYTHON)

    answer = clone.make()

    assert answer.returncode == 0, answer.stderr
    assert clone.installed == 1


def test_the_python_that_is_asked_for_is_taken(clone: Clone) -> None:
    clone.put("python3", OLD_PYTHON)
    clone.put("my python", PYTHON)

    answer = clone.make(PYTHON=str(clone.bin / "my python"))

    assert answer.returncode == 0, answer.stderr
    assert clone.installed == 1


def test_a_second_start_calls_no_pip_and_says_nothing(ready: Clone) -> None:
    answer = ready.make()

    assert (answer.returncode, answer.stdout, answer.stderr) == (0, "", "")
    assert ready.installed == 0


def test_changed_requirements_are_installed_once_into_the_same_venv(ready: Clone) -> None:
    with (ready.folder / "requirements.txt").open("a") as file:
        file.write("one-more==1.0\n")

    ready.make()
    assert ready.installed == 1
    assert ready.calls("-m venv") == []

    ready.make()
    assert ready.installed == 0


def test_what_the_tests_need_is_installed_for_them_alone(ready: Clone) -> None:
    ready.make("setup-test")
    assert "tests/requirements.txt" in ready.calls("-m pip")[0]

    ready.make("setup-test")
    assert ready.installed == 0
    ready.make("setup-run")
    assert ready.installed == 0


def test_an_installation_that_failed_is_made_again_from_the_start(clone: Clone) -> None:
    clone.put("python3", PYTHON)
    clone.pip_exits(1)
    answer = clone.make()
    assert answer.returncode != 0
    assert "pip could not install the packages" in answer.stderr

    clone.pip_exits(0)
    clone.make()

    assert len(clone.calls("-m venv")) == 1
    assert clone.installed == 1


@pytest.mark.parametrize("left", ["nothing in it", "a Python that does not start"])
def test_a_half_made_venv_is_made_again(clone: Clone, left: str) -> None:
    clone.put("python3", PYTHON)
    (clone.folder / ".venv" / "bin").mkdir(parents=True)
    if left != "nothing in it":
        (clone.folder / ".venv" / "bin" / "python").symlink_to("/nowhere/python3")

    answer = clone.make()

    assert answer.returncode == 0, answer.stderr
    assert clone.installed == 1


def test_a_venv_whose_python_became_another_one_is_made_again(ready: Clone) -> None:
    stamp = ready.folder / ".venv" / "installed"
    stamp.write_text(re.sub(r"^python .*", "python 3.10", stamp.read_text()))

    ready.make()

    assert len(ready.calls("-m venv")) == 1
    assert ready.installed == 1


def test_clean_keeps_the_games(ready: Clone) -> None:
    games = ready.folder / "instance" / "raisesum.db"
    games.parent.mkdir()
    games.write_text("games")

    (ready.bin / "find").symlink_to(shutil.which("find") or "")
    answer = ready.make("clean")

    assert answer.returncode == 0, answer.stderr
    assert games.exists()
    assert not (ready.folder / ".venv").exists()


def pins(name: str) -> list[Requirement]:
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    return [Requirement(line) for line in lines if line and not line.startswith("#")]


RUNTIME = pins("requirements.txt")
ALL = RUNTIME + pins("tests/requirements.txt")


@pytest.mark.parametrize("pin", ALL, ids=str)
def test_every_requirement_is_pinned_to_one_version_which_is_the_one_installed(
    pin: Requirement,
) -> None:
    [specifier] = pin.specifier
    assert specifier.operator == "=="
    assert "*" not in specifier.version
    if pin.marker is None or pin.marker.evaluate():
        assert version(pin.name) == specifier.version


@pytest.mark.parametrize("listed", [RUNTIME, ALL], ids=["to run", "to test"])
def test_what_a_requirement_requires_is_pinned_too(listed: list[Requirement]) -> None:
    pinned = {canonicalize_name(pin.name) for pin in listed}
    for pin in listed:
        if pin.marker is not None and not pin.marker.evaluate():
            continue
        for text in requires(pin.name) or []:
            needed = Requirement(text)
            if needed.marker is None or needed.marker.evaluate({"extra": ""}):
                assert canonicalize_name(needed.name) in pinned, f"{pin.name} needs {needed}"


def test_the_program_is_found_by_git_as_it_runs_here() -> None:
    """A clone has what it needs to start: scripts can be executed, and nothing made is in git."""
    answer = subprocess.run(
        ["git", "ls-files", "--stage"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if answer.returncode != 0:
        pytest.skip("not in a git repository")
    files = {line.split("\t")[1]: line.split()[0] for line in answer.stdout.splitlines()}
    assert files[".ci/run"] == files["tools/setup.sh"] == "100755"
    made = (".venv/", "instance/", "pictures/")
    assert [name for name in files if name.startswith(made) or "__pycache__" in name] == []
    assert os.access(ROOT / "tools" / "setup.sh", os.X_OK)
