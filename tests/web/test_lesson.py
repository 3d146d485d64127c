"""The pages of the lesson, without JavaScript as with it."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import quote_plus

import pytest

from raisesum.services.lesson import STEPS
from tests.web.browser import HTMX, Browser


def hand(browser: Browser) -> list[str]:
    return [unescape(value) for value in re.findall(r'name="card" value="([^"]*)"', browser.page)]


def test_a_play_that_beats_the_number_does_the_step(browser: Browser) -> None:
    browser.get("/lesson/beat")
    answer = browser.send("/lesson/beat", action="play", card=["+5", "+4"])
    browser.follow(answer)
    assert "Your score is 9" in browser.text
    assert "9 beats 6" in browser.text
    assert "opens the round" not in browser.text
    assert "Next: A tie is not enough" in browser.text
    browser.get("/lesson")
    assert "Beat the target (done)" in browser.text
    assert "Go on with step 2" in browser.text


def test_a_play_that_does_not_is_refused_in_the_engines_words_and_stays_ticked(
    browser: Browser,
) -> None:
    browser.get("/lesson/tie")
    answer = browser.send("/lesson/tie", action="play", card=["+7"])
    assert answer.status_code == 422
    assert "7 ties 7. You need 8 or more." in browser.text
    assert re.search(r'value="\+7" checked', browser.page)
    assert len(hand(browser)) == 4


@pytest.mark.parametrize("headers", [None, HTMX])
def test_cards_that_are_not_held_are_no_sum(
    browser: Browser, headers: dict[str, str] | None
) -> None:
    browser.get("/lesson/beat")
    answer = browser.send("/lesson/beat/sum", headers=headers, card=["+9"])
    assert answer.status_code == 422
    assert "beats 6" not in answer.text
    browser.get("/lesson/beat")
    assert browser.send("/lesson/beat", action="play", card=["+9"]).status_code == 422
    assert "beats 6" not in browser.text


def test_the_set_step_wants_blue_cards_and_a_challenge(browser: Browser) -> None:
    browser.get("/lesson/set")
    for cards, missing in ((["-5"], "Add blue cards too"), (["+6"], "Add a red or a yellow card")):
        assert browser.send("/lesson/set", action="play", card=cards).status_code == 422
        assert missing in browser.text
    browser.follow(browser.send("/lesson/set", action="play", card=["+6", "-5"]))
    assert "6 opens the round" in browser.text
    assert "You win a point" in browser.text


def test_pass_is_the_main_button_where_the_step_leaves_nothing_else(browser: Browser) -> None:
    browser.get("/lesson/pass")
    assert re.search(r'<button class="button button--primary"[^>]* value="pass"', browser.page)
    assert "Pass and discard 1: you keep seven cards." in browser.text
    browser.get("/lesson/beat")
    assert re.search(r'<button class="button button--primary"[^>]* value="play"', browser.page)


def test_a_look_makes_nobody_and_does_no_step(browser: Browser) -> None:
    browser.get("/lesson/beat?move=" + quote_plus("play +5 +4"))
    assert "Done" in browser.text
    browser.get("/lesson")
    assert "(done)" not in browser.text
    assert not browser.is_signed_in()


def test_moves_travel_with_the_form(browser: Browser) -> None:
    browser.get("/lesson/pass")
    browser.follow(browser.send("/lesson/pass", action="pass"))
    assert browser.fields()["move"] == "pass"
    card = hand(browser)[0]
    answer = browser.send("/lesson/pass", action="discard", card=card, move="pass")
    browser.follow(answer)
    assert "you saved seven cards" in browser.text


@pytest.mark.parametrize("moves", ["fold", "play +99", "play", "discard +1", "\U0001f600" * 500])
def test_moves_that_do_not_fit_begin_the_step_anew(browser: Browser, moves: str) -> None:
    answer = browser.get("/lesson/beat?move=" + quote_plus(moves))
    assert answer.status_code == 400
    assert "begins anew" in browser.text
    assert len(hand(browser)) == 5


def test_a_step_that_is_none_is_not_found(browser: Browser) -> None:
    assert browser.get("/lesson/nothing").status_code == 404
    browser.get("/lesson/beat")
    assert browser.send("/lesson/nothing", action="pass").status_code == 404
    assert browser.send("/lesson/nothing/sum").status_code == 404


def test_words_that_make_no_move_are_refused(browser: Browser) -> None:
    browser.get("/lesson/beat")
    assert browser.send("/lesson/beat", action="fold").status_code == 400
    assert browser.send("/lesson/beat", action="play", card="+99").status_code == 400
    assert browser.send("/lesson/beat", action="play").status_code == 422


def test_the_sum_is_told_before_one_plays(browser: Browser) -> None:
    browser.get("/lesson/challenge")
    asked = browser.send("/lesson/challenge/sum", headers=HTMX, card=["+4", "+3"])
    assert "4 does not beat 5" in asked.text
    assert "<html" not in asked.text
    browser.send("/lesson/challenge/sum", card=["+4", "+3"])
    assert "4 does not beat 5" in browser.text
    assert len(re.findall(r'value="\+[34]" checked', browser.page)) == 2


def test_an_old_token_gets_the_step_again(browser: Browser) -> None:
    browser.get("/lesson/beat")
    answer = browser.send("/lesson/beat", action="play", card="+5", csrf_token="old")
    assert answer.status_code == 400
    assert "too old" in browser.text
    assert re.search(r'value="\+5" checked', browser.page)


def test_a_guest_who_signs_in_keeps_what_was_done(browser: Browser) -> None:
    browser.register("otter")
    browser.get("/account")
    browser.send("/sign-out")
    browser.get("/lesson/beat")
    browser.send("/lesson/beat", action="play", card=["+5", "+4"])
    browser.sign_in("otter")
    browser.get("/lesson")
    assert "Beat the target (done)" in browser.text


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.slug)
def test_every_step_has_a_page(browser: Browser, step: object) -> None:
    assert browser.get(f"/lesson/{step.slug}").status_code == 200
    assert step.title in browser.text


def test_the_score_is_checked_by_a_name_alone_as_text_browsers_need(browser: Browser) -> None:
    browser.get("/lesson/beat")
    assert "formaction" not in browser.page
    answer = browser.send("/lesson/beat", action="check", card=["+5", "+4"])
    assert answer.status_code == 200
    assert "9 beats 6" in browser.text
