"""The page that looks back, and what the table says after a round."""

from __future__ import annotations

import pytest
from flask import Flask

from tests.web.browser import HTMX, Browser
from tests.web.tables import Player


@pytest.fixture
def player(app: Flask) -> Player:
    made = Player(app)
    made.start()
    return made


def pass_the_round(player: Player) -> None:
    """Pass on the opening turn, and discard down to seven."""
    player.act("pass", confirmed="1")
    player.look()
    player.act("discard", *player.cards[: len(player.cards) - 7])
    player.look()


def test_the_table_says_after_the_round_that_one_could_have_stayed_in(player: Player) -> None:
    assert "could have stayed in" not in player.text
    pass_the_round(player)
    assert "You passed with nothing to beat and could have stayed in" in player.text
    assert "could have stayed in" in player.poll().text
    player.get(f"{player.path}/review")
    assert "Round 1" in player.text
    assert "You passed with nothing to beat" in player.text
    assert "When the match is over you see everybody" in player.text


def test_before_the_round_is_over_there_is_nothing_to_see(player: Player) -> None:
    player.act("pass", confirmed="1")
    player.get(f"{player.path}/review")
    assert "So far you have not passed without need." in player.text


def test_a_stranger_is_told_that_there_is_no_such_page(player: Player, app: Flask) -> None:
    stranger = Browser(app)
    assert stranger.get(f"{player.path}/review").status_code == 404
    stranger.become_guest()
    assert stranger.get(f"{player.path}/review").status_code == 404
    assert stranger.client.get(f"{player.path}/review", headers=HTMX).status_code == 404
