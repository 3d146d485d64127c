"""Asking the bots why: the page, the steps of the replay, and who is told nothing."""

from __future__ import annotations

import re
from html import unescape

import pytest
from flask import Flask
from sqlalchemy import select, update

from raisesum.bots import LEVELS
from raisesum.extensions import db
from raisesum.models import Action, Game
from raisesum.services import absence
from raisesum.services.reasons import told
from raisesum.services.transactions import write_transaction
from raisesum.wording import bare
from tests.services.friends import play_to_the_end
from tests.services.tables import stored
from tests.web.browser import HTMX, Browser
from tests.web.friends import match_of_two
from tests.web.tables import Player, stored_game
from tests.web.test_replays import give_up, play_out

ASK = "Ask the bots why"
NOTHING = "There are no reasons to tell"


@pytest.fixture
def player(app: Flask) -> Player:
    """Somebody at a fresh table against two bots, the first of which opens."""
    player = Player(app)
    player.start(bots="2", level_1="easy", level_2="sharp", goal="1", first="2")
    return player


@pytest.fixture
def finisher(app: Flask, player: Player) -> Player:
    """Somebody whose match is over."""
    play_out(app, player)
    return player


def stored_reasons(app: Flask, path: str) -> dict[int, str]:
    """Return the sentence of each reason that is stored, by the number of its action."""
    with app.app_context():
        rows = db.session.execute(
            select(Action.number, Action.reason)
            .join(Game, Game.id == Action.game_id)
            .where(Game.key == path.split("/")[-1], Action.reason.is_not(None))
            .order_by(Action.number)
        )
        return {number: told(reason) or "" for number, reason in rows}


def write_instead(app: Flask, path: str, text: str | None) -> None:
    """Put another text in the place of every reason of the match."""
    game = stored_game(app, path)
    with app.app_context(), write_transaction() as session:
        session.execute(
            update(Action)
            .where(Action.game_id == game.id, Action.reason.is_not(None))
            .values(reason=text)
        )


def texts(page: str, name: str) -> list[str]:
    """Return the text of each paragraph, link or term of a class."""
    found = re.findall(rf'<(\w+) class="{name}"[^>]*>(.*?)</\1>', page, re.DOTALL)
    return [" ".join(bare(unescape(re.sub("<[^>]*>", "", text))).split()) for _, text in found]


def test_a_player_is_told_that_the_reasons_come_with_the_end(app: Flask, player: Player) -> None:
    assert player.look().status_code == 200
    kept = stored_reasons(app, player.path)
    assert kept
    for path in (player.path, f"{player.path}/table", f"{player.path}/review"):
        assert player.get(path).status_code == 200
        assert ASK not in player.text
        assert not any(reason in player.text for reason in kept.values())
    assert player.get(f"{player.path}/why").status_code == 404
    assert "This match is not over yet" in player.text
    assert "Its replay shows all hands and why the bots played that way" in player.text
    give_up(app, player)
    assert ASK not in player.look().text
    assert player.get(f"{player.path}/why").status_code == 404
    assert "This match was given up" in player.text


def test_every_move_of_a_bot_is_listed_with_its_reason_and_leads_to_its_step(
    app: Flask, finisher: Player, browser: Browser
) -> None:
    kept = stored_reasons(app, finisher.path)
    finisher.look()
    assert f'href="{finisher.path}/why"' in finisher.page
    # Open to whoever has the link, as the replay is.
    browser.get(f"{finisher.path}/why")
    assert texts(browser.page, "whys__why") == list(kept.values())
    did = texts(browser.page, "whys__did")
    steps = re.findall(r'class="whys__did" href="([^"]*)"', browser.page)
    assert steps == [f"{finisher.path}/replay?at={number}" for number in kept]
    assert texts(browser.page, "policies__bot") == [
        f"Easy {LEVELS['easy'].policy}",
        f"Sharp {LEVELS['sharp'].policy}",
    ]
    for address, said, why in zip(steps, did, kept.values(), strict=True):
        assert said.startswith(("Easy ", "Sharp "))
        browser.get(address)
        assert texts(browser.page, "told__line")[0] == said
        assert texts(browser.page, "told__why") == [f"Why? {why}"]
    # The parts that htmx gets have them too, and say them aloud.
    part = browser.client.get(steps[0], headers=HTMX).text
    announced = re.search(r'hx-target="#announce"[^>]*>([^<]*)<', part)
    assert announced
    assert next(iter(kept.values())) in unescape(announced[1])


def test_a_persons_own_moves_have_no_reason(app: Flask, finisher: Player) -> None:
    kept = stored_reasons(app, finisher.path)
    last = stored_game(app, finisher.path).version
    for number in set(range(last + 1)) - set(kept):
        finisher.get(f"{finisher.path}/replay?at={number}")
        assert "told__why" not in finisher.page
        assert ASK in finisher.text


@pytest.mark.parametrize("text", [None, "no reason", '{"why":"<b>zugzwang</b>"}'])
def test_a_match_without_reasons_says_so_calmly(
    app: Flask, finisher: Player, text: str | None
) -> None:
    write_instead(app, finisher.path, text)
    assert finisher.get(f"{finisher.path}/why").status_code == 200
    assert NOTHING in finisher.text
    assert "zugzwang" not in finisher.page
    assert finisher.get(f"{finisher.path}/replay?at=1").status_code == 200
    assert ASK not in finisher.text
    assert "told__why" not in finisher.page
    if text is None:
        assert ASK not in finisher.look().text


def test_of_people_alone_nobody_is_asked(app: Flask) -> None:
    first, second = match_of_two(app, goal="1")
    key = first.path.split("/")[-1]
    with app.app_context():
        people = [seat.user_id for seat in stored(key).seats]
        play_to_the_end(key, people)
    assert ASK not in first.look().text
    second.get(f"{first.path}/why")
    assert NOTHING in second.text


def test_a_stand_in_is_named_as_one(app: Flask) -> None:
    first, second = match_of_two(app, goal="1")
    key = first.path.split("/")[-1]
    with app.app_context():
        left, stays = stored(key).seats
        name, gone, other = left.name, left.user_id, stays.user_id
        absence.leave(gone, key, 0)
        play_to_the_end(key, [other])
    second.get(f"{first.path}/why")
    assert f"Stand-in for {name} plays like Steady {LEVELS['steady'].policy}" in " ".join(
        texts(second.page, "policies__bot")
    )
    assert texts(second.page, "whys__did")[0].startswith(f"Stand-in for {name} ")
    number = next(iter(stored_reasons(app, first.path)))
    second.get(f"{first.path}/replay?at={number}")
    assert texts(second.page, "told__why")[0].startswith("Why? A stand-in moved here. ")


def test_a_table_tells_how_its_bots_play(app: Flask) -> None:
    player = Player(app)
    player.start(bots="3", level_1="gentle", level_2="steady", level_3="gentle")
    expected = [
        f"Gentle 1 and Gentle 2 {LEVELS['gentle'].policy}",
        f"Steady {LEVELS['steady'].policy}",
    ]
    assert texts(player.page, "policies__bot") == expected
    assert texts(player.poll().text, "policies__bot") == expected


def test_a_table_of_people_tells_of_no_bots(app: Flask) -> None:
    first, _second = match_of_two(app)
    assert "How the bots play" not in first.text
