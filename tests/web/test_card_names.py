"""Every drawn card is read aloud once, by one name, on every page."""

from __future__ import annotations

import re

import pytest
from flask import Flask

from raisesum.engine import parse_cards
from tests.web.browser import Browser
from tests.web.tables import Player, put
from tests.web.test_games import give


@pytest.fixture
def player(app: Flask) -> Player:
    player = Player(app)
    player.start()
    return player


CARD = re.compile(r'<span class="card card--[^"]*"([^>]*)>')
NAMED = re.compile(r' role="img" aria-label="(?:plus|times|minus|divided by|0)\b[^"]+"')
HIDDEN = ' aria-hidden="true"'


def cards_on(page: str) -> list[str]:
    return CARD.findall(page)


def badly_named(page: str) -> list[str]:
    return [card for card in cards_on(page) if card != HIDDEN and not NAMED.fullmatch(card)]


@pytest.mark.parametrize("path", ["/", "/rules", "/decks", "/lesson/beat", "/print"])
def test_a_card_has_one_name_on_pages_that_draw_it(app: Flask, path: str) -> None:
    browser = Browser(app)
    browser.get(path)
    assert len(cards_on(browser.page)) > 4
    found = [card for card in badly_named(browser.page) if "1 point" not in card]
    assert found == []


def test_a_tick_box_has_the_whole_name_of_its_card_and_its_drawing_none(
    app: Flask, player: Player
) -> None:
    put(app, player.path, drawn=parse_cards("/2"))
    give(app, player, "+5 +4 x3 -2 /2 0 /2", table="+6 -2 /2", score=6)
    names = re.findall(r'<input class="pick__box"[^>]* aria-label="([^"]*)"', player.page)
    assert names == [
        "plus 5, add",
        "plus 4, add",
        "times 3, multiply",
        "minus 2, challenge",
        "divided by 2, challenge",
        "0, counter",
        "divided by 2, challenge, new",
    ]
    hand = player.page.split('class="cards"')[1].split("</ul>")[0]
    assert cards_on(hand) == [HIDDEN] * 7
    # What is read as cards elsewhere on the table: the play to beat, and its challenge.
    assert badly_named(player.page) == []
    tokens = re.findall(r'<span class="token [^>]* aria-label="([^"]*)"', player.page)
    assert tokens == ["minus 2, challenge", "divided by 2, challenge"]


def test_sums_figures_and_names_are_not_for_translation(app: Flask, player: Player) -> None:
    give(app, player, "+5 +4 x3", table="+6 -2 /2", score=6)
    player.act("play", "+5", "+4", "x3")
    for drawn in ("card__label", "slip slip--", "target__number", "chip chip--add"):
        found = re.findall(rf'<[^>]*class="{drawn}[^>]*>', player.page)
        assert found, drawn
        assert all('translate="no"' in tag for tag in found), drawn
    names = re.findall(r'<bdi class="name"[^>]*>', player.page)
    assert any('translate="no"' in tag for tag in names)
