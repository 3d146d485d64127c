"""Who may import whom, as docs/architecture.md has it. The imports are read, not run."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.servers import ROOT


@dataclass(frozen=True)
class Layer:
    """What the modules of one part may import, beside each other."""

    ours: tuple[str, ...] = ()
    """Modules of this project, each with what is below it; or one name out of a module."""
    others: bool = True
    """Whether packages from outside may be imported at all."""
    never: tuple[str, ...] = ()
    """Modules from outside, the standard library's included, that may not."""


# The engine knows no clock, no chance of its own, no file, network or process.
OUTSIDE_WORLD = (
    *("datetime", "time", "random", "secrets", "uuid"),
    *("io", "os", "pathlib", "shutil", "socket", "sqlite3", "subprocess", "tempfile", "urllib"),
    *("asyncio", "logging", "multiprocessing", "threading"),
)
WEB_FRAMEWORK = ("flask", "flask_login", "flask_migrate", "flask_wtf", "werkzeug", "wtforms")

LAYERS = {
    "raisesum.engine": Layer(others=False, never=OUTSIDE_WORLD),
    "raisesum.bots": Layer(("raisesum.engine",), others=False),
    "raisesum.wording": Layer(("raisesum.engine",), others=False),
    "raisesum.config": Layer(),
    "raisesum.bodies": Layer(never=WEB_FRAMEWORK),
    "raisesum.extensions": Layer(),
    "raisesum.models": Layer(("raisesum.extensions",), never=WEB_FRAMEWORK),
    "raisesum.services": Layer(
        (
            "raisesum.engine",
            "raisesum.bots",
            "raisesum.models",
            "raisesum.extensions",
            "raisesum.wording",
        ),
        never=WEB_FRAMEWORK,
    ),
    "raisesum.web": Layer(
        (
            "raisesum.services",
            "raisesum.wording",
            "raisesum.extensions",
            # Who is signed in.
            "raisesum.models.User",
            # What a view and its events are made of, and how a form's words become an action.
            # Neither the state nor anything that changes it.
            "raisesum.engine.actions",
            "raisesum.engine.cards",
            "raisesum.engine.errors",
            "raisesum.engine.events",
            # A word that a refusal carries.
            "raisesum.engine.legality.NOT_IN_HAND",
            # What a record is refused with.
            "raisesum.engine.record.RecordError",
            "raisesum.engine.scoring",
            "raisesum.engine.state.Phase",
            "raisesum.engine.view",
        ),
    ),
}

# These put the parts together and may import all of them.
TOP = ("raisesum", "raisesum.cli", "raisesum.safety", "raisesum.serving")
COMMANDS = "raisesum.cli_"

WORKED_OUT = "a name worked out as the program runs"
# The arena plays bots that are not in this tree, by the name it is given.
MAY_WORK_OUT_NAMES = ("raisesum.bots.arena",)


def is_in(name: str, parts: tuple[str, ...]) -> bool:
    return any(name == part or name.startswith(part + ".") for part in parts)


def imports(source: str) -> Iterator[tuple[int, str]]:
    """Each name that is imported, wherever in the file, in full and with its line.

    >>> list(imports("import os.path\\nfrom raisesum.engine import view as v"))
    [(1, 'os.path'), (2, 'raisesum.engine.view')]
    """
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names=names):
                yield from ((node.lineno, name.name) for name in names)
            case ast.ImportFrom(module=module, names=names):
                prefix = "." * node.level + (module or "")
                yield from ((node.lineno, f"{prefix}.{name.name}") for name in names)
            case (
                ast.Call(func=ast.Name(id="__import__"))
                | ast.Call(func=ast.Attribute(attr="import_module"))
            ):
                yield node.lineno, WORKED_OUT


def breaches(module: str, source: str) -> list[str]:
    """What `module` imports and may not, a line each."""
    part = next((name for name in LAYERS if is_in(module, (name,))), None)
    if part is None:
        if module in TOP or module.startswith(COMMANDS):
            return []
        return [f"{module} belongs to no layer: say which in this test"]
    layer = LAYERS[part]
    found = []
    for line, name in imports(source):
        top = name.partition(".")[0]
        if name == WORKED_OUT:
            allowed = module in MAY_WORK_OUT_NAMES
        elif top == "raisesum":
            allowed = is_in(name, (part, *layer.ours))
        elif is_in(name, layer.never):
            allowed = False
        else:
            allowed = top in sys.stdlib_module_names or (layer.others and top.isidentifier())
        if not allowed:
            found.append(f"{module}:{line} imports {name}")
    return found


def modules() -> list[tuple[str, Path]]:
    found = []
    for path in sorted((ROOT / "raisesum").rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        if "migrations" not in parts:
            found.append((".".join(parts).removesuffix(".__init__"), path))
    return found


MODULES = modules()


@pytest.mark.parametrize(("module", "path"), MODULES, ids=[name for name, _ in MODULES])
def test_a_module_imports_only_what_its_layer_may(module: str, path: Path) -> None:
    assert breaches(module, path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("part", LAYERS)
def test_every_layer_has_modules(part: str) -> None:
    assert any(is_in(module, (part,)) for module, _ in MODULES)


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("raisesum.engine.rules", "import flask"),
        ("raisesum.engine.rules", "import time"),
        ("raisesum.engine.rules", "from raisesum import bots"),
        ("raisesum.engine.rules", "from raisesum.services.clock import now_ms"),
        ("raisesum.engine.rules", "def f():\n    import random"),
        ("raisesum.bots.easy", "from raisesum.services import play"),
        ("raisesum.bots.easy", "import sqlalchemy"),
        ("raisesum.wording", "from raisesum.web import games"),
        ("raisesum.models", "from raisesum.engine import State"),
        ("raisesum.services.play", "from flask import current_app"),
        ("raisesum.services.play", "import flask_login"),
        ("raisesum.services.play", "from raisesum.web.sessions import person"),
        ("raisesum.services.play", "import importlib\nimportlib.import_module('flask')"),
        ("raisesum.services.play", "__import__('flask')"),
        ("raisesum.services.play", "from . import lobby"),
        ("raisesum.web.games", "from raisesum.engine import apply"),
        ("raisesum.web.games", "from raisesum.engine.state import State"),
        ("raisesum.web.games", "from raisesum.engine import rules"),
        ("raisesum.web.games", "import raisesum.engine"),
        ("raisesum.web.games", "from raisesum.bots import easy"),
        ("raisesum.web.games", "from raisesum.models import Game"),
        ("raisesum.web.games", "from raisesum import *"),
        ("raisesum.new_part", "import os"),
    ],
)
def test_the_check_finds_an_import_that_is_not_allowed(module: str, source: str) -> None:
    assert len(breaches(module, source)) == 1


def test_the_check_passes_over_what_is_allowed() -> None:
    source = """
from fractions import Fraction
from raisesum.engine.view import View
from raisesum.engine.state import Phase
from raisesum.models import User
from raisesum.services import play
from raisesum.web.forms import whole_number
import flask
"""
    assert breaches("raisesum.web.games", source) == []
    assert breaches("raisesum.cli", "from raisesum.engine.state import State") == []
