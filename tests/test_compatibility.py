"""`make lint` refuses what the oldest browsers lack, unless there is a fallback or it is listed."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from tests.servers import ROOT
from tools.compatibility import DATA, FLOOR, check, in_script, in_styles, in_template, listed

LACKING = json.loads(DATA.read_text(encoding="utf-8"))


def names(found: object) -> list[str]:
    return [use.name for use in found]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("css", "found"),
    [
        ("a { color: light-dark(red, blue) }", ["light-dark()"]),
        ("a { color: red; color: light-dark(red, blue) }", []),
        ("a { background: red; color: light-dark(red, blue) }", ["light-dark()"]),
        ("@supports (color: light-dark(red, blue)) { a { color: light-dark(red, blue) } }", []),
        ("@supports not (width: 1cqi) { a { width: 1cqi } }", ["cqi"]),
        ("@media print { a { width: calc(1px + 2cqi) } }", ["cqi"]),
        ("a { --shade: light-dark(red, blue) }", ["light-dark()"]),
        (".a:has(.b) { color: red }", [".a:has(.b)"]),
        (".a, .b:not(:has(.c)) { color: red }", [".b:not(:has(.c))"]),
        ("a { text-wrap: balance }", ["text-wrap"]),
        ("a { overflow: clip }", ["overflow: clip"]),
        ("a { user-select: none }", ["user-select"]),
        ("a { -webkit-user-select: none; user-select: none }", []),
        ("a { height: 100dvh }", ["dvh"]),
        ("a { height: 100vh; height: 100dvh }", []),
        ("@container (width > 3px) { a { color: red } }", ["@container"]),
        ("@media (width >= 3px) { a { color: red } }", ["@media (width >= 3px)"]),
        ("a { b { color: red } }", ["a rule within a rule"]),
        ("a { translate: 1px; rotate: 1deg }", ["translate", "rotate"]),
        ("a { inset: 0; gap: 1px; aspect-ratio: 1 / 2 } a:is(b):focus-visible { top: 0 }", []),
    ],
)
def test_style_sheets_may_not_use_what_is_missing(css: str, found: list[str]) -> None:
    assert names(in_styles("a.css", css, LACKING)) == found


@pytest.mark.parametrize(
    ("script", "found"),
    [
        ("list.toSorted()", ["toSorted"]),
        ("list?.toSorted?.()", ["toSorted"]),
        ("form.requestSubmit()", ["requestSubmit"]),
        ("find('#card:popover-open')", [":popover-open"]),
        ("card.addEventListener('beforetoggle', f)", ["the event beforetoggle"]),
        ("new CloseWatcher()", ["CloseWatcher"]),
        ("class A { static { f() } }", ["static { }"]),
        ("/(?<=a)b/.test(text)", ["(?<=)"]),
        ("const plan = { forget() {} }; plan.forget()", []),
        ("a ??= b?.c; list.at(-1); Object.hasOwn(a, 'b'); structuredClone(a)", []),
        ("class A { #b = 1; has(c) { return #b in c } }", []),
    ],
)
def test_scripts_may_not_use_what_is_missing(script: str, found: list[str]) -> None:
    assert names(in_script("a.js", script, LACKING)) == found


def test_templates_may_not_use_what_is_missing() -> None:
    template = (
        '<search>\n<input type="text" inert="" name="a"><b title="{{ a }}">\n<p popover="auto">'
    )
    assert names(in_template("a.html", template, LACKING)) == ["<search>", "inert", "popover"]


def test_the_program_uses_nothing_that_is_missing() -> None:
    assert check(ROOT) == []


def test_a_new_use_fails_the_check_and_so_does_a_row_that_nothing_uses(tmp_path: Path) -> None:
    for name in ("static/css", "templates", "docs"):
        shutil.copytree(ROOT / name, tmp_path / name)
    for script in (ROOT / "static").glob("*.js"):
        shutil.copy(script, tmp_path / "static")
    assert check(tmp_path) == []
    with (tmp_path / "static/css/base.css").open("a", encoding="utf-8") as sheet:
        sheet.write("\n.page:has(.new) { color: red; }\n")
    with (tmp_path / "static/app.js").open("a", encoding="utf-8") as script_file:
        script_file.write("\n[2, 1].toSorted();\n")
    with (tmp_path / "docs/browsers.md").open("a", encoding="utf-8") as document:
        document.write("\n| `word-break: auto-phrase` | nothing |\n")
    wrong = check(tmp_path)
    assert len(wrong) == 3
    for part in ("base.css", "toSorted", "`word-break: auto-phrase`, which nothing uses"):
        assert any(part in sentence for sentence in wrong), part


def test_the_readme_and_the_data_name_the_same_oldest_browsers() -> None:
    floor = "Chrome {chrome}, Firefox {firefox} and Safari {safari}".format(**FLOOR)
    for name in ("README.md", "docs/browsers.md"):
        text = re.sub(r"\s+", " ", (ROOT / name).read_text(encoding="utf-8"))
        assert floor in text, name
    assert LACKING["floor"] == FLOOR
    assert listed("| `a`, `b` | c |\n|---|---|\n| c `d` | e |") == {"a", "b"}
