"""A deck of one's own, from its form to a recorded match; and cards on paper."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from pypdf import PdfReader

from raisesum.engine import parse_deck
from tests.e2e.conftest import Complaints
from tests.e2e.tables import arrive, choose, hand, play_to_the_end
from tests.e2e.test_every_page import AxeProblems, faults

pytestmark = pytest.mark.usefixtures("complaints")

OWN = parse_deck("custom +1*12 +2*12 +12*6 x2*6 -1*4 0*2")


def make_deck(page: Page) -> str:
    """Make a deck by the form, and return the link that its page shows."""
    page.goto("/decks")
    page.get_by_role("link", name="Make a deck").click()
    arrive(page, ".counts__more")
    page.get_by_label("Name of the deck").fill("Class 4b")
    for more in page.locator(".counts__more summary").all():
        more.click()
    wanted = {card.name: str(copies) for card, copies in OWN.counts}
    for field in page.locator(".count input").all():
        name = field.get_attribute("name") or ""
        value = wanted.get(name, "0")
        if field.input_value() not in (value, "" if value == "0" else value):
            field.fill(value)
    page.get_by_role("button", name="Make this deck").click()
    return page.locator("#link").input_value()


def test_a_deck_is_made_shared_by_its_link_and_played_and_recorded(
    page: Page, new_context: Callable[..., BrowserContext], axe_problems: AxeProblems
) -> None:
    link = make_deck(page)
    assert faults(page, axe_problems) == []
    other = new_context().new_page()
    other.goto(link)
    expect(other.locator("h1")).to_have_text("Class 4b")
    other.get_by_role("link", name="Play with it").click()
    choose(other, "bots", "1")
    choose(other, "goal", "1")
    choose(other, "first", "1")
    other.get_by_role("button", name="Sit down").click()
    arrive(other, "#table")
    assert set(hand(other)) <= {card.name for card, _ in OWN.counts}
    play_to_the_end(other)
    key = other.url.rsplit("/", 1)[-1]
    record = other.request.get(f"/games/{key}/record")
    assert f"deck: {OWN.text}\n" in record.text()


def test_a_deck_is_made_without_javascript(
    new_context: Callable[..., BrowserContext], complaints: Complaints
) -> None:
    complaints.expect("422")
    page = new_context(java_script_enabled=False).new_page()
    page.goto("/decks/build?deck=full")
    page.locator('input[name="+1"]').fill("400")
    page.get_by_role("button", name="Make this deck").click()
    expect(page.locator(".error-summary")).to_contain_text("whole number from 0 to 300")
    page.locator('input[name="+1"]').fill("7")
    page.get_by_role("button", name="Make this deck").click()
    expect(page.locator(".lead")).to_contain_text("99 cards")


@pytest.mark.parametrize(
    ("query", "size", "sheets", "millimetres"),
    [
        ("", 98, 12, (210, 297)),
        ("paper=letter&ink=outline", 98, 12, (216, 279)),
        (f"deck={OWN.text.replace('+', '%2B').replace(' ', '+')}", OWN.size, 6, (210, 297)),
    ],
)
def test_the_print_page_is_a_pdf_with_every_card_nine_to_a_sheet(
    page: Page, tmp_path: Path, query: str, size: int, sheets: int, millimetres: tuple[int, int]
) -> None:
    page.goto(f"/print?{query}")
    page.pdf(path=tmp_path / "cards.pdf", prefer_css_page_size=True, print_background=True)
    pages = PdfReader(tmp_path / "cards.pdf").pages
    assert len(pages) == sheets
    printed = Counter[str]()
    for number, sheet in enumerate(pages, 1):
        box = sheet.mediabox
        assert tuple(round(float(side) / 72 * 25.4) for side in box[2:]) == millimetres
        lines = [line.strip() for line in sheet.extract_text().splitlines()]
        words = Counter(
            line for line in lines if line in ("add", "multiply", "challenge", "counter", "point")
        )
        rules = lines.count("Raise the Sum")
        assert number == sheets or words.total() + rules == 9
        printed += words + Counter({"rules": rules})
    assert printed.total() == size + 9 + 1
    assert (printed["point"], printed["rules"]) == (9, 1)
    if size == 98:
        assert (printed["add"], printed["multiply"]) == (51, 11)
        assert (printed["challenge"], printed["counter"]) == (28, 8)


def test_the_rules_card_fits_its_paper_in_letters_that_can_be_read(page: Page) -> None:
    page.emulate_media(media="print")
    for paper in ("a4", "letter"):
        page.goto(f"/print?paper={paper}")
        held, shown = page.locator(".sheet__rules").evaluate(
            "(card) => [card.scrollHeight, card.clientHeight]"
        )
        assert held <= shown
        # In points, of 72 to an inch of 96 pixels.
        points = page.locator(".sheet__rules p").first.evaluate(
            "(text) => parseFloat(getComputedStyle(text).fontSize) * 72 / 96"
        )
        assert points > 7.9
