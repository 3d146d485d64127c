"""The style sheets of a page do not get in each other's way."""

import re
from collections import defaultdict
from pathlib import Path

import pytest

CSS = Path(__file__).parents[2] / "static" / "css"

#: Sheets that are never on a page together: paper is chosen by one or the other.
APART = {"paper-a4.css", "paper-letter.css", "print.css"}


def blocks(css: str) -> set[str]:
    """Return the classes that have a rule of their own, outside of any condition."""
    found = set()
    depth = 0
    for text, brace in re.findall(r"([^{}]*)([{}])", re.sub(r"/\*.*?\*/", "", css, flags=re.S)):
        if brace == "{":
            if depth == 0:
                found |= set(re.findall(r"(?:^|,)\s*\.([\w-]+)\s*(?=,|$)", text.strip()))
            depth += 1
        else:
            depth -= 1
    return found


def test_a_class_is_drawn_in_one_style_sheet() -> None:
    drawn_in = defaultdict(set)
    for sheet in CSS.glob("*.css"):
        if sheet.name not in APART:
            for name in blocks(sheet.read_text(encoding="utf-8")):
                drawn_in[name].add(sheet.name)
    assert len(drawn_in) > 100
    assert {name: sheets for name, sheets in drawn_in.items() if len(sheets) > 1} == {}


@pytest.mark.parametrize(
    ("css", "names"),
    [
        (".a { x: y }", {"a"}),
        (".a, .b { x: y }", {"a", "b"}),
        (".page .a { x: y } .a:hover { x: y }", set()),
        ("@media print { .a { x: y } }", set()),
    ],
)
def test_only_rules_of_a_class_alone_count(css: str, names: set[str]) -> None:
    assert blocks(css) == names
