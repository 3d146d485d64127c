"""Templates print what they are given: services and presenters decide what comes of numbers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import jinja2
from flask import Flask
from jinja2 import nodes

TEMPLATES = Path(__file__).parents[2] / "templates"

#: Numbers that a template may compare: one or more of a thing, how much room there is, and how
#: many keys have a figure.
ALLOWED = {
    ("games/_parts.html", "hand_size eq 1"),
    ("games/_parts.html", "goal eq 1"),
    ("games/_parts.html", "index lteq 10"),
    ("games/_parts.html", "goal gt 3"),
    ("games/_parts.html", "goal gt 5"),
    ("games/_parts.html", "target gt 99"),
    ("games/_table.html", "copies gt 1"),
    ("games/_table.html", "poll_seconds eq 1"),
    ("home/open_tables.html", "page gt 1"),
    ("replays/_replay.html", "at eq 0"),
    ("replays/why.html", "length eq 1"),
}


def compared(environment: jinja2.Environment, path: Path) -> Iterator[str]:
    """Yield each comparison with a number, or by size, in a template: the name, how, the number."""
    tree = environment.parse(path.read_text(encoding="utf-8"))
    for compare in tree.find_all(nodes.Compare):
        for operand in compare.ops:
            other = operand.expr
            number = other.value if isinstance(other, nodes.Const) else None
            counts = isinstance(number, int) and not isinstance(number, bool)
            if counts or operand.op in ("lt", "lteq", "gt", "gteq"):
                left = compare.expr
                name = getattr(left, "attr", None) or getattr(left, "name", "?")
                yield f"{name} {operand.op} {number}"


def test_no_template_draws_a_conclusion_from_numbers(app: Flask) -> None:
    found = {
        (path.relative_to(TEMPLATES).as_posix(), each)
        for path in TEMPLATES.rglob("*.html")
        for each in compared(app.jinja_env, path)
    }
    assert found <= ALLOWED


def test_the_walk_sees_a_conclusion(app: Flask, tmp_path: Path) -> None:
    template = tmp_path / "guess.html"
    template.write_text("{% if set.right >= 7 %}Most{% elif a.b == 10 %}All{% endif %}")
    assert list(compared(app.jinja_env, template)) == ["right gteq 7", "b eq 10"]
