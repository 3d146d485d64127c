"""Checks that style sheets, scripts and templates work in the oldest browsers the README names.

`python -m tools.compatibility` reads what those browsers lack from tools/compatibility.json and
reports each use of it, unless there is a fallback or docs/browsers.md lists what is lost.

`python -m tools.compatibility refresh DATA` writes that file anew from the `data.json` of the npm
package @mdn/browser-compat-data (public domain, CC0): after a change of `FLOOR`, or to know of
what has come into browsers since.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import tinycss2
import tree_sitter_javascript
from tree_sitter import Language, Node, Parser

ROOT: Final = Path(__file__).parent.parent
DATA: Final = ROOT / "tools" / "compatibility.json"
LISTED: Final = ROOT / "docs" / "browsers.md"

#: The oldest browsers, by the names of the compatibility data. The README says the same.
FLOOR: Final = {"chrome": "100", "firefox": "102", "safari": "15.4"}

# What htmx calls parts of its events, which are no names of the browser's.
_OF_HTMX: Final = frozenset({"sourceElement", "config"})

# Units that the data describes in words.
_UNITS: Final = {
    "container_query_length_units": ("cqw", "cqh", "cqi", "cqb", "cqmin", "cqmax"),
    "viewport_percentage_units_dynamic": ("dvw", "dvh", "dvi", "dvb", "dvmin", "dvmax"),
    "viewport_percentage_units_large": ("lvw", "lvh", "lvi", "lvb", "lvmin", "lvmax"),
    "viewport_percentage_units_small": ("svw", "svh", "svi", "svb", "svmin", "svmax"),
}


@dataclass(frozen=True, slots=True)
class Use:
    """A use of what some browser lacks: where it is, and `name`, which the docs may list."""

    file: str
    line: int
    name: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.name}"


# -- What the oldest browsers lack -----------------------------------------------------------


def refresh(path: Path) -> None:
    """Write down what the floor lacks, from the compatibility data at `path`."""
    data = json.loads(path.read_text(encoding="utf-8"))
    css = data["css"]
    lacking = {
        "source": f"@mdn/browser-compat-data {data['__meta']['version']}, CC0-1.0",
        "floor": FLOOR,
        "properties": _names(css["properties"]),
        "values": {
            name: values
            for name, features in css["properties"].items()
            if (values := _names(features)) and not _is_lacking(features)
        },
        "functions": sorted(
            {name for name, feature in _deep(css["types"]) if _is_lacking(feature)} - {"color"}
        ),
        "units": sorted(
            unit
            for name, feature in css["types"]["length"].items()
            if name != "__compat" and _is_lacking(feature)
            for unit in _UNITS.get(name, (name,))
        ),
        "at_rules": _names(css["at-rules"]),
        "media": _names(css["at-rules"]["media"]),
        "selectors": _names(css["selectors"]),
        "attributes": _attributes(data["html"]),
        "elements": _names(data["html"]["elements"]),
        **_script_names(data),
    }
    text = json.dumps(lacking, indent=0, ensure_ascii=False)
    DATA.write_text(text + "\n", encoding="utf-8")


def _attributes(html: dict[str, Any]) -> list[str]:
    # An attribute counts as lacking where no element has it.
    there: dict[str, bool] = {}
    for features in (html["global_attributes"], *html["elements"].values()):
        for name, feature in features.items():
            if name != "__compat" and "_" not in name:
                there[name] = there.get(name, False) or not _is_lacking(feature)
    return sorted(name for name, is_there in there.items() if not is_there)


def _script_names(data: dict[str, Any]) -> dict[str, list[str]]:
    # A method is known by its name alone here, so it counts as lacking where no object has it.
    members: dict[str, bool] = {}
    events: dict[str, bool] = {}
    owners: dict[str, bool] = {}
    for group in (data["api"], data["javascript"]["builtins"]):
        for owner, features in group.items():
            if owner == "__compat" or not isinstance(features, dict):
                continue
            owners[owner] = owners.get(owner, False) or not _is_lacking(features)
            for name, feature in features.items():
                if name == "__compat" or name == owner:
                    continue
                there = not _is_lacking(feature)
                if name.endswith("_event"):
                    short = name.removesuffix("_event")
                    events[short] = events.get(short, False) or there
                elif re.fullmatch(r"[a-zA-Z]+?(_static)?", name):
                    short = name.removesuffix("_static")
                    members[short] = members.get(short, False) or there
    return {
        "members": sorted(name for name, there in members.items() if not there),
        "events": sorted(name for name, there in events.items() if not there),
        "globals": sorted(name for name, there in owners.items() if not there),
    }


def _deep(features: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for name, feature in features.items():
        if name != "__compat" and isinstance(feature, dict):
            yield name, feature
            yield from _deep(feature)


def _names(features: dict[str, Any]) -> list[str]:
    # The data describes some parts in words, with underscores; they are no names.
    return sorted(
        name
        for name, feature in features.items()
        if name != "__compat" and "_" not in name and _is_lacking(feature)
    )


def _is_lacking(feature: dict[str, Any]) -> bool:
    if "__compat" not in feature:
        return False
    support = feature["__compat"]["support"]
    return not all(_has(support.get(browser), least) for browser, least in FLOOR.items())


def _has(support: Any, least: str) -> bool:
    statements = support if isinstance(support, list) else [support]
    return any(
        statement
        and not statement.get("flags")
        and not statement.get("prefix")
        and not statement.get("alternative_name")
        and not _is_by(statement.get("version_removed"), least)
        and _is_by(statement.get("version_added"), least)
        for statement in statements
    )


def _is_by(added: Any, least: str) -> bool:
    if not isinstance(added, str) or added == "preview":
        return False
    return _version(added.removeprefix("≤")) <= _version(least)


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split("."))


# -- Style sheets ------------------------------------------------------------------------------


def in_styles(file: str, text: str, lacking: dict[str, Any]) -> Iterator[Use]:
    """Find what a style sheet uses. What stands under `@supports` for it may fail."""
    yield from _in_rules(file, tinycss2.parse_stylesheet(text, True, True), lacking)


def _in_rules(file: str, rules: Iterable[Any], lacking: dict[str, Any]) -> Iterator[Use]:
    for rule in rules:
        if rule.type == "at-rule":
            yield from _in_at_rule(file, rule, lacking)
        elif rule.type == "qualified-rule":
            for selector in _split(rule.prelude):
                text = _text(selector)
                for part in re.findall(r"::?([a-z-]+)", text):
                    if part in lacking["selectors"]:
                        # What one selector of a list does not know drops the whole rule.
                        yield Use(file, rule.source_line, text)
                        break
            yield from _in_block(file, rule.content, lacking)


def _in_at_rule(file: str, rule: Any, lacking: dict[str, Any]) -> Iterator[Use]:
    name = rule.lower_at_keyword
    condition = _text(rule.prelude)
    if name == "supports" and not condition.startswith("not"):
        return
    if name in lacking["at_rules"]:
        yield Use(file, rule.source_line, f"@{name}")
    if name == "media":
        for feature in re.findall(r"\(\s*([a-z-]+)", condition):
            if feature in lacking["media"]:
                yield Use(file, rule.source_line, f"@media ({feature})")
        if re.search(r"[<>]", condition):
            yield Use(file, rule.source_line, f"@media {condition}")
    if rule.content is None:
        return
    if name in ("font-face", "page", "property"):
        yield from _in_block(file, rule.content, lacking)
    else:
        yield from _in_rules(file, tinycss2.parse_rule_list(rule.content, True, True), lacking)


def _in_block(file: str, content: Any, lacking: dict[str, Any]) -> Iterator[Use]:
    safe: set[str] = set()
    items = tinycss2.parse_blocks_contents(content, True, True)
    prefixed = {item.lower_name for item in items if item.type == "declaration"}
    for item in items:
        if item.type == "declaration" and f"-webkit-{item.lower_name}" in prefixed:
            continue
        if item.type == "declaration":
            found = list(_in_declaration(file, item, lacking))
            if not found:
                safe.add(item.lower_name)
            elif item.lower_name not in safe:
                yield from found
        elif item.type == "qualified-rule":
            yield Use(file, item.source_line, "a rule within a rule")
        elif item.type == "at-rule":
            yield from _in_at_rule(file, item, lacking)


def _in_declaration(file: str, item: Any, lacking: dict[str, Any]) -> Iterator[Use]:
    name = item.lower_name
    if name in lacking["properties"]:
        yield Use(file, item.source_line, name)
        return
    values = lacking["values"].get(name, ())
    for token in _all(item.value):
        if token.type == "ident" and token.lower_value in values:
            yield Use(file, item.source_line, f"{name}: {token.lower_value}")
        elif token.type == "function" and token.lower_name in lacking["functions"]:
            yield Use(file, item.source_line, f"{token.lower_name}()")
        elif token.type == "dimension" and token.lower_unit in lacking["units"]:
            yield Use(file, item.source_line, token.lower_unit)


def _all(tokens: Iterable[Any]) -> Iterator[Any]:
    for token in tokens:
        yield token
        yield from _all(getattr(token, "arguments", None) or getattr(token, "content", None) or ())


def _split(tokens: Iterable[Any]) -> list[list[Any]]:
    parts: list[list[Any]] = [[]]
    for token in tokens:
        if token.type == "literal" and token.value == ",":
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _text(tokens: Iterable[Any]) -> str:
    return re.sub(r"\s+", " ", tinycss2.serialize(tokens)).strip()


# -- Scripts -----------------------------------------------------------------------------------


def in_script(file: str, text: str, lacking: dict[str, Any]) -> Iterator[Use]:
    """Find what a script uses: newer syntax, and names that no object of the floor has."""
    parser = Parser(Language(tree_sitter_javascript.language()))
    nodes = list(_nodes(parser.parse(text.encode()).root_node))
    own = _OF_HTMX | {_written(node) for node in nodes if _is_made_here(node)}
    for node in nodes:
        name = _in_syntax(node) or _in_name(node, own, lacking)
        if name:
            yield Use(file, node.start_point.row + 1, name)


def _nodes(root: Node) -> Iterator[Node]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        waiting += reversed(node.children)
        yield node


def _written(node: Node | None) -> str:
    return (node.text or b"").decode() if node else ""


def _is_made_here(node: Node) -> bool:
    # A part of an object that the script itself makes.
    made = node.type == "property_identifier" and node.parent is not None
    return made and node.parent.type in ("pair", "method_definition", "field_definition")


def _in_syntax(node: Node) -> str:
    text = _written(node)
    match node.type:
        case "ERROR":
            return "syntax that is newer than this check"
        case "class_static_block":
            return "static { }"
        case "regex_pattern" if re.search(r"\(\?<[=!]", text):
            return "(?<=)"
        case "regex_pattern" if re.search(r"\(\?[a-z-]+:", text):
            return "(?i:)"
        case "regex_flags" if "v" in text:
            return "/v"
        case "import_attribute":
            return "import with"
    return ""


def _in_name(node: Node, own: frozenset[str], lacking: dict[str, Any]) -> str:
    text = _written(node)
    match node.type:
        case "property_identifier" if text in lacking["members"] and text not in own:
            owner = node.parent and node.parent.child_by_field_name("object")
            return "" if _written(owner).endswith("dataset") else text
        case "identifier" if text in lacking["globals"]:
            return text
        case "string_fragment":
            if text in lacking["events"] and _is_listened_for(node):
                return f"the event {text}"
            for part in re.findall(r"::?([a-z-]+)", text):
                if part in lacking["selectors"]:
                    return f":{part}"
    return ""


def _is_listened_for(node: Node) -> bool:
    call = node.parent and node.parent.parent and node.parent.parent.parent
    return "addEventListener" in _written(call or None).split("(")[0]


# -- Templates ---------------------------------------------------------------------------------


def in_template(file: str, text: str, lacking: dict[str, Any]) -> Iterator[Use]:
    """Find the attributes and elements that a template uses."""
    for number, line in enumerate(text.splitlines(), 1):
        for tag, attributes in re.findall(r"<([a-z][a-z0-9-]*)((?:[^<>]|\{%.*?%\})*)", line):
            if tag in lacking["elements"]:
                yield Use(file, number, f"<{tag}>")
            for attribute in re.findall(r"\s([a-z-]+)(?==)", attributes):
                if attribute in lacking["attributes"]:
                    yield Use(file, number, attribute)


# -- The check ---------------------------------------------------------------------------------


def uses(root: Path, lacking: dict[str, Any]) -> Iterator[Use]:
    """Find every use of what the floor lacks in the program at `root`."""
    readers = (("static/css/*.css", in_styles), ("static/*.js", in_script))
    for pattern, reader in (*readers, ("templates/**/*.html", in_template)):
        for path in sorted(root.glob(pattern)):
            file = str(path.relative_to(root))
            yield from reader(file, path.read_text(encoding="utf-8"), lacking)


def listed(document: str) -> set[str]:
    """Return the names in the tables of docs/browsers.md, the first column of each row."""
    rows = re.findall(r"^\| (`.+?) \|", document, re.MULTILINE)
    return {name for row in rows for name in re.findall(r"`([^`]+)`", row)}


def check(root: Path) -> list[str]:
    """Return what is wrong, a sentence each."""
    lacking = json.loads(DATA.read_text(encoding="utf-8"))
    if lacking["floor"] != FLOOR:
        return ["tools/compatibility.json is for other browsers: refresh it."]
    known = listed((root / LISTED.relative_to(ROOT)).read_text(encoding="utf-8"))
    found = list(uses(root, lacking))
    wrong = [f"{use} is missing in the oldest browsers" for use in found if use.name not in known]
    left = known - {use.name for use in found}
    return wrong + [f"docs/browsers.md lists `{name}`, which nothing uses" for name in sorted(left)]


def main(arguments: list[str]) -> int:
    """Check, or refresh the data; return the exit status."""
    if arguments[:1] == ["refresh"] and len(arguments) == 2:
        refresh(Path(arguments[1]))
        return 0
    wrong = check(ROOT)
    print("\n".join(wrong) or "Styles, scripts and templates: nothing the oldest browsers lack.")
    if wrong:
        print("Give it a fallback that comes first or stands outside of @supports, or, if only")
        print("decoration is lost, list it in docs/browsers.md.")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
