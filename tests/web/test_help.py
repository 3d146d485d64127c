"""Help at the table is the routes' business, not only the page's."""

from __future__ import annotations

import re

import pytest
from flask import Flask

from raisesum.engine import NO_INCOMING, StandingPlay, parse_cards, score, scoring
from tests.web.browser import HTMX
from tests.web.tables import Player, put, stored_game


def at_a_table(app: Flask, level: str, hints: str = "on") -> Player:
    """Return a player who must beat 6, and holds +3 +4 +1."""
    player = Player(app)
    player.start(help=level, hints=hints)
    standing = StandingPlay(2, parse_cards("+6"), 6, NO_INCOMING)
    hands = (parse_cards("+3 +4 +1"), parse_cards("+1 +1 +1"))
    put(app, player.path, standing=standing, hands=hands, drawn=())
    player.look()
    return player


def ask_sum(player: Player, *cards: str, htmx: bool = True) -> str:
    version = player.fields()["version"]
    headers = HTMX if htmx else None
    return player.send(
        f"{player.path}/sum", headers=headers, card=list(cards), version=version
    ).text


def test_full_help_shows_the_steps_and_what_would_do(app: Flask) -> None:
    player = at_a_table(app, "full")
    assert "chip--add" in ask_sum(player, "+3", "+4")
    player.look()
    assert player.act("play", "+3").status_code == 422
    assert "3 does not beat 6. You need 7 or more." in player.text
    assert "would do" in player.text


def test_result_only_shows_the_score_and_no_steps(app: Flask) -> None:
    player = at_a_table(app, "result")
    told = ask_sum(player, "+3", "+4")
    assert "7 beats 6" in told
    assert "chip" not in told
    player.look()
    assert player.act("play", "+3").status_code == 422
    assert "3 does not beat 6. You need 7 or more." in player.text
    assert "would do" not in player.text


@pytest.mark.parametrize("htmx", [True, False])
def test_in_your_head_no_route_tells_a_score_before_the_play(app: Flask, htmx: bool) -> None:
    player = at_a_table(app, "head")
    for cards in (["+3"], ["+3", "+4"], ["+1"], []):
        told = ask_sum(player, *cards, htmx=htmx)
        part = told.split('<section class="log"')[0].split("card-of-rules")[0]
        assert "beats 6" not in part
        assert "does not beat" not in part
        player.look()


def test_in_your_head_a_play_needs_a_guess_and_is_told_right_or_wrong(app: Flask) -> None:
    player = at_a_table(app, "head")
    for typed in ("", "seven", "-7", "9" * 5000):
        assert player.act("play", "+3", "+4", guess=typed).status_code == 422
        assert "Type what your cards score" in player.text
        player.look()
    player.act("play", "+3", guess="4", htmx=False)
    assert player.fields()["guess"] == "4"
    player.look()
    assert player.act("play", "+3", "+4", guess="8").status_code == 200
    player.look()
    assert "You said 8. It scored 7. In your head: 0 of 1 right." in player.text


def test_in_your_head_the_question_before_a_pass_does_not_tell_that_one_could_play(
    app: Flask,
) -> None:
    asked = []
    for hand in ("+3 +4 +1", "+1 +1 +1"):
        player = at_a_table(app, "head")
        put(app, player.path, hands=(parse_cards(hand), parse_cards("+1 +1 +1")))
        player.look()
        player.act("pass")
        question = re.search(r'id="ask-title"[^>]*>([^<]*)<', player.page)
        assert question is not None
        asked.append(question[1])
    assert asked[0] == asked[1]
    assert "beats" not in asked[0]


def test_hints_come_one_after_the_other(app: Flask) -> None:
    player = at_a_table(app, "full")
    told = []
    for step in ("1", "2", "3"):
        player.send(f"{player.path}/hint", headers=HTMX, step=step)
        found = re.search(r'id="told-hint"[^>]*>([^<]*)<', player.page)
        assert found is not None
        told.append(found[1])
        player.look()
    assert told[:2] == ["You can beat 6.", "You can beat 6 with 2 cards."]
    assert "makes 7" in told[2]
    assert player.send(f"{player.path}/hint", step="2").status_code == 200
    assert "with 2 cards" in player.text


@pytest.mark.parametrize("step", ["", "0", "4", "x"])
def test_there_is_no_other_hint(app: Flask, step: str) -> None:
    player = at_a_table(app, "full")
    assert player.send(f"{player.path}/hint", headers=HTMX, step=step).status_code == 422


def test_there_is_no_hint_where_the_host_wants_none(app: Flask) -> None:
    player = at_a_table(app, "full", hints="off")
    assert "ask-hint" not in player.page
    assert player.send(f"{player.path}/hint", headers=HTMX, step="3").status_code == 422
    assert "makes 7" not in player.page.split('class="log"')[0]


def test_a_level_that_is_none_sets_no_table(app: Flask) -> None:
    player = Player(app)
    player.get("/tables/new")
    fields = {"bots": "1", "level_1": "easy", "deck": "full", "goal": "3", "first": "1"}
    assert player.send("/tables/new", help="none", **fields).status_code == 422
    assert "Choose how much help there is." in player.text


def test_the_level_is_the_tables_and_the_page_says_the_decks_name(app: Flask) -> None:
    player = Player(app)
    player.start(help="result", deck="custom +1*20 +2*20", deck_name="Class 4b")
    game = stored_game(app, player.path)
    assert (game.help, game.hints, game.deck_name) == ("result", True, "Class 4b")
    assert "Class 4b" in player.text


def test_the_scorer_is_asked_for_every_sum(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    player = at_a_table(app, "result")
    assert score(parse_cards("+3 +4")).score == 7
    right = scoring.score_of
    monkeypatch.setattr(scoring, "score_of", lambda *sums: right(*sums) + 100)
    assert "107 beats 6" in ask_sum(player, "+3", "+4")
