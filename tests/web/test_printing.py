"""The sheets to print: every card once, nine to a sheet."""

from __future__ import annotations

import re

import pytest

from raisesum.services.decks import PRESETS, read_deck
from raisesum.web.presenters.printing import INKS, PAPERS, present_sheets
from tests.web.browser import Browser


@pytest.mark.parametrize("paper", PAPERS)
def test_the_official_deck_is_twelve_sheets_of_nine(paper: str) -> None:
    sheets = present_sheets(read_deck("full"), paper, "colour")
    assert [len(sheet) for sheet in sheets.sheets] == [9] * 12
    names = [face.name for sheet in sheets.sheets for face in sheet if face]
    assert len(names) == 98 + 9
    assert names.count("point") == 9
    assert names.count("+3") == 8


def test_any_deck_has_all_its_cards_and_a_last_sheet_that_may_be_short() -> None:
    for preset in PRESETS:
        sheets = present_sheets(preset, "a4", "outline")
        assert sum(map(len, sheets.sheets)) == sheets.cards == preset.deck.size + 10
        assert all(len(sheet) == 9 for sheet in sheets.sheets[:-1])


@pytest.mark.parametrize("paper", PAPERS.values(), ids=PAPERS)
def test_marks_stay_on_the_paper_and_off_the_cards(paper) -> None:
    marks = present_sheets(read_deck("full"), paper.name, "colour").marks
    assert len(marks) == 16
    right, bottom = paper.width - paper.left, paper.height - paper.top
    for mark in marks:
        for x, y in ((mark.x1, mark.y1), (mark.x2, mark.y2)):
            assert 0 <= x <= paper.width
            assert 0 <= y <= paper.height
            assert not (paper.left < x < right and paper.top < y < bottom)


def test_the_page_has_each_paper_and_ink(browser: Browser) -> None:
    for paper in PAPERS:
        for ink in INKS:
            assert browser.get(f"/print?paper={paper}&ink={ink}").status_code == 200
            assert f"css/paper-{paper}.css" in browser.page
            assert f"sheets--{ink}" in browser.page
    assert len(re.findall(r'class="card card--point"', browser.page)) == 9


@pytest.mark.parametrize("query", ["deck=none", "paper=a5", "ink=red", "deck=custom+%2B1*5"])
def test_what_cannot_be_printed_is_refused(browser: Browser, query: str) -> None:
    assert browser.get(f"/print?{query}").status_code == 400
