"""The pages about decks, and tables that are set with a deck of one's own."""

from __future__ import annotations

import re
from html import unescape

from flask import Flask

from tests.web.browser import HTMX, Browser
from tests.web.tables import Player, stored_game, stored_state

OWN = "custom +1*10 +12*10 x2*3"


def test_a_deck_that_is_made_gets_an_address_that_shows_it(browser: Browser) -> None:
    browser.get("/decks/build")
    made = browser.send("/decks/build", **{"name": "Class 4b", "+1": "10", "+12": "10", "x2": "3"})
    browser.follow(made)
    assert "Class 4b" in browser.text
    assert "23 cards for two players: 20 add, 3 multiply" in browser.text
    link = unescape(re.search(r'id="link" value="([^"]*)"', browser.page)[1])
    assert link == f"http://localhost{made.headers['Location']}"
    other = Browser(browser.client.application)
    other.get(made.headers["Location"])
    assert "Class 4b" in other.text
    assert not other.is_signed_in()


def test_a_deck_that_breaks_a_limit_is_shown_again_with_the_reason(browser: Browser) -> None:
    browser.get("/decks/build")
    answer = browser.send("/decks/build", **{"name": "Few", "+1": "9", "x2": "30"})
    assert answer.status_code == 422
    assert "at least 10 addition cards" in browser.text
    assert (browser.fields()["+1"], browser.fields()["name"]) == ("9", "Few")


def test_what_is_no_count_is_refused_and_kept(browser: Browser) -> None:
    browser.get("/decks/build")
    for typed in ("-1", "1.5", "301", "9" * 5000, "ten"):
        assert browser.send("/decks/build", **{"+1": typed}).status_code == 422
        assert "whole number from 0 to 300" in browser.text
    assert browser.fields()["+1"] == "ten"


def test_the_total_is_told_while_one_counts(browser: Browser) -> None:
    browser.get("/decks/build")
    answer = browser.send("/decks/build", headers=HTMX, **{"+1": "30", "0": "2"})
    assert answer.text == "32 cards of at most 300: 30 add, 2 counter."


def test_an_old_token_keeps_what_was_typed(browser: Browser) -> None:
    browser.get("/decks/build")
    answer = browser.send("/decks/build", csrf_token="old", **{"+7": "77"})
    assert answer.status_code == 400
    assert browser.fields()["+7"] == "77"


def test_an_address_with_no_deck_in_it_is_refused_with_the_form(browser: Browser) -> None:
    assert browser.client.get("/decks/custom").status_code == 303
    for address in ("/decks/custom?deck=custom", "/decks/build?deck=custom+%2B1*5"):
        assert browser.get(address).status_code == 400
        assert "Make a deck" in browser.text


def test_a_table_can_be_set_with_a_deck_of_ones_own(app: Flask) -> None:
    player = Player(app)
    player.get("/tables/new?deck=custom+%2B1*10+%2B12*10+x2*3&deck_name=Class+4b")
    assert "Class 4b" in player.text
    assert player.fields()["deck"] == OWN
    fields = {"bots": "1", "level_1": "steady", "goal": "3", "first": "1"}
    answer = player.send("/tables/new", deck=OWN, deck_name="Class 4b", **fields)
    assert stored_state(app, answer.headers["Location"]).setup.deck.text == OWN


def test_a_deck_too_small_for_the_table_is_refused_and_stays_chosen(browser: Browser) -> None:
    browser.get("/tables/new")
    fields = {"bots": "3", "goal": "3", "first": "1"}
    fields |= {f"level_{n}": "steady" for n in (1, 2, 3)}
    answer = browser.send("/tables/new", deck=OWN, deck_name="Class 4b", **fields)
    assert answer.status_code == 422
    assert "4 players need a deck of at least 32 cards" in browser.text
    assert browser.fields()["deck"] == OWN


def test_a_table_is_not_set_with_what_is_no_deck(browser: Browser) -> None:
    browser.get("/tables/new")
    answer = browser.send("/tables/new", deck="custom +1*5", bots="1", level_1="easy", goal="3")
    assert answer.status_code == 422


def test_a_table_for_people_can_be_set_with_a_deck_of_ones_own_and_less_help(
    app: Flask, browser: Browser
) -> None:
    browser.get("/decks/custom?deck=custom+%2B1*10+%2B12*10+x2*3&name=Class+4b")
    found = re.search(r'href="(/tables/friends\?[^"]*)"', browser.page)
    assert found is not None
    browser.get(unescape(found[1]))
    assert "Class 4b" in browser.text
    fields = {**browser.fields(), "seats": "2", "bots": "0", "help": "head", "goal": "3"}
    fields |= {"first": "random", "bot_level": "steady"}
    answer = browser.send("/tables/friends", **fields)
    assert answer.status_code == 303, browser.text
    game = stored_game(app, answer.headers["Location"])
    assert (game.help, game.deck_name) == ("head", "Class 4b")
    browser.follow(answer)
    assert "Class 4b" in browser.text
    assert "in your head" in browser.text
