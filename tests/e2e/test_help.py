"""A match at each level of help, in a real browser."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from raisesum.engine import Incoming, parse_card, score
from tests.e2e.conftest import Complaints
from tests.e2e.tables import (
    arrive,
    card_named,
    choose,
    choose_move,
    hand,
    tick,
    version_of,
    wait_for_next,
)
from tests.e2e.test_every_page import AxeProblems, faults

pytestmark = pytest.mark.usefixtures("complaints")


def start(page: Page, level: str, goal: str = "1") -> None:
    """Set a table against one bot with this level of help, by its form."""
    page.goto("/tables/new")
    for name, value in {
        "bots": "1",
        "level_1": "easy",
        "goal": goal,
        "first": "1",
        "help": level,
    }.items():
        choose(page, name, value)
    page.get_by_role("button", name="Sit down").click()
    arrive(page, "#table")


def ticked_score(page: Page) -> int:
    """Return what the ticked cards score against the challenge on the page."""
    names = page.locator('#hand input[name="card"]:checked').evaluate_all(
        "(boxes) => boxes.map((box) => box.value)"
    )
    labels = page.locator(".felt .against__cards .token").all_inner_texts()
    incoming = Incoming.of(parse_card(card_named(label)) for label in labels)
    return score([parse_card(name) for name in names], incoming).score


def play_out(page: Page, level: str) -> int:
    """Play the match out, typing true scores where the table wants them; count the plays."""
    plays = 0
    for _ in range(300):
        button = choose_move(page)
        if not button:
            break
        version = version_of(page)
        if button == "play":
            plays += 1
            if level == "head":
                page.locator("#guess").fill(str(ticked_score(page)))
            else:
                expect(page.locator("#hand .verdict")).to_be_visible()
                steps = page.locator("#hand .hand__sum .chip")
                expect(steps).to_have_count(0) if level == "result" else expect(
                    steps.first
                ).to_be_visible()
        page.locator(f"#{button}").click()
        if button == "pass" and version_of(page) == version:
            page.wait_for_selector("#pass-anyway, #ending, #discard")
            if page.locator("#pass-anyway").count():
                page.locator("#pass-anyway").click()
        wait_for_next(page, version)
    expect(page.locator("#ending")).to_have_text(re.compile("won the match"))
    return plays


@pytest.mark.parametrize("level", ["full", "result", "head"])
def test_a_match_can_be_played_at_each_level(
    page: Page, level: str, axe_problems: AxeProblems
) -> None:
    start(page, level)
    tick(page, hand(page)[:2])
    assert faults(page, axe_problems) == []
    ticked = page.locator('#hand input[name="card"]:checked')
    while ticked.count():
        ticked.first.uncheck(force=True)
    plays = play_out(page, level)
    if level == "head" and plays:
        expect(page.locator("#guess-note")).to_contain_text(f"{plays} of {plays} right")


def test_in_ones_head_a_wrong_guess_is_told_and_the_play_counts(
    page: Page, complaints: Complaints
) -> None:
    complaints.expect("422")
    start(page, "head", goal="9")
    tick(page, hand(page)[:1])
    true = ticked_score(page)
    page.locator("#play").click()
    expect(page.locator("#refusal")).to_contain_text("Type what your cards score")
    version = version_of(page)
    page.locator("#guess").fill(str(true + 1))
    page.locator("#play").click()
    wait_for_next(page, version)
    expect(page.locator("#guess-note")).to_contain_text(
        f"You said {true + 1}. It scored {true}. In your head: 0 of 1 right."
    )


def test_hints_come_one_after_the_other_and_keep_the_ticks(page: Page) -> None:
    start(page, "full", goal="9")
    tick(page, hand(page)[:2])
    for told in (r"You can open\.", r"You can open with \d cards?\.", r"makes [1-9]"):
        page.locator("#ask-hint").click()
        expect(page.locator("#told-hint")).to_contain_text(re.compile(told))
    assert page.locator('#hand input[name="card"]:checked').count() == 2
