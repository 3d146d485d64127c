"""What a screen reader finds: each card of a hand is one stop with one name."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.tables import hand, start

pytestmark = pytest.mark.usefixtures("complaints")

NAME = re.compile(
    r"((plus|times|minus|divided by) \d+, (add|multiply|challenge)|0, counter)(, new)?"
)


def stops(page: Page, selector: str) -> list[tuple[str, str]]:
    """Return role and name of everything that is read within the element, in its order.

    Lists and their items only lead to what is in them.
    """
    devtools = page.context.new_cdp_session(page)
    nodes = devtools.send("Accessibility.getFullAXTree")["nodes"]
    by_id = {node["nodeId"]: node for node in nodes}
    document = devtools.send("DOM.getDocument", {"depth": 0})["root"]["nodeId"]
    element = devtools.send("DOM.querySelector", {"nodeId": document, "selector": selector})
    described = devtools.send("DOM.describeNode", {"nodeId": element["nodeId"]})["node"]
    root = next(n for n in nodes if n.get("backendDOMNodeId") == described["backendNodeId"])
    found: list[tuple[str, str]] = []

    def read(node: dict[str, Any]) -> None:
        role = node["role"]["value"]
        if not node["ignored"] and role not in ("list", "listitem", "LabelText", "generic"):
            found.append((role, node.get("name", {}).get("value", "")))
        # The letters of a text are the text once more.
        if role != "StaticText":
            for child in node["childIds"]:
                read(by_id[child])

    read(root)
    return found


def test_a_hand_of_eight_cards_is_eight_stops_with_one_name_each(page: Page) -> None:
    start(page)
    expect(page.locator("#hand .pick__box")).to_have_count(8)
    read = stops(page, "#hand .cards")
    assert [role for role, _ in read] == ["checkbox"] * 8
    assert all(NAME.fullmatch(name) for _, name in read), read
    assert len([name for _, name in read if name.endswith(", new")]) == 3
    # Red and yellow differ by name, as all kinds do.
    numbers = [re.sub(r"\D", "", name) for _, name in read]
    assert numbers == [re.sub(r"\D", "", card) for card in hand(page)]


def test_cards_that_are_only_shown_are_one_stop_each(page: Page) -> None:
    page.goto("/rules")
    read = stops(page, ".kinds")
    names = [name for role, name in read if role == "image"]
    assert all(NAME.fullmatch(name) for name in names), names
    assert len(names) == len(set(names)) == page.locator(".kinds .card").count() == 5
