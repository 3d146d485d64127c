"""Help at the table is the routes' business, not only the page's."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

import pytest
from flask import Flask

from raisesum.engine import NO_INCOMING, StandingPlay, parse_cards, score, scoring
from tests.web.browser import HTMX
from tests.web.friends import match_of_two
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


#: Where cards lie or are written that everybody sees, or that are the player's own: no advice.
PLACES_OF_CARDS = (
    r'<ul class="cards".*?</ul>',
    r'<section class="felt".*?</section>',
    r'<section class="piles".*?</section>',
    r'<span class="log__said">.*?</span>\s*(?=<svg|<p|</li|</summary)',
    r'<ol class="since__list".*?</ol>',
    r'<aside class="drawer".*?</aside>',
    r'<details class="log__play".*?</details>',
    r'<hx-partial hx-target="#announce".*?</hx-partial>',
    r'<section class="bots".*?</section>',
)


def advised(answer: str) -> set[str]:
    """Return the cards that an answer names where none lies."""
    for place in PLACES_OF_CARDS:
        answer = re.sub(place, " ", answer, flags=re.DOTALL)
    text = unescape(re.sub(r"<[^>]*>", "", answer))
    return set(re.findall(r"[+×÷−]\d+", text))


def at_a_friends_table(app: Flask, level: str) -> Player:
    """Return a player as `at_a_table` does, with a friend in the second seat."""
    player, _ = match_of_two(app, help=level)
    standing = StandingPlay(2, parse_cards("+6"), 6, NO_INCOMING)
    hands = (parse_cards("+3 +4 +1"), parse_cards("+1 +1 +1"))
    put(app, player.path, standing=standing, hands=hands, drawn=())
    player.look()
    return player


def every_answer(player: Player) -> Iterator[tuple[str, str, set[str]]]:
    """Ask a table for all that it may say of a turn; yield what was asked, the answer, the ticks.

    First while the player must beat something, and last after a pass and in the next round.
    """
    path = player.path
    for headers in (None, HTMX):
        how = "htmx" if headers else "page"
        yield f"{how}: look", player.client.get(path, headers=headers, buffered=True).text, set()
        for cards in ([], ["+3"], ["+4", "+1"]):
            player.look()
            version = player.fields()["version"]
            ticked = set(cards)
            sent = {"card": cards, "version": version}
            yield f"{how}: sum", player.send(f"{path}/sum", headers=headers, **sent).text, ticked
            if cards:
                player.look()
                refused = player.act("play", *cards, htmx=bool(headers), guess="7")
                assert refused.status_code == 422
                yield f"{how}: refusal", refused.text, ticked
        for step in ("1", "2", "3"):
            player.look()
            answer = player.send(f"{path}/hint", headers=headers, step=step)
            yield f"{how}: hint {step}", answer.text, set()
        player.look()
        yield f"{how}: pass?", player.act("pass", htmx=bool(headers)).text, set()
    player.look()
    player.act("pass", confirmed="1")
    for _ in range(2):
        player.look()
        yield "after the round", player.page, set()
        yield "part after the round", player.poll().text, set()
        player.get(f"{path}/review")
        yield "looking back", player.page, set()


@pytest.mark.parametrize("level", ["full", "result", "head"])
@pytest.mark.parametrize("company", ["alone", "friends"])
def test_without_hints_no_answer_names_a_card_to_play(app: Flask, level: str, company: str) -> None:
    alone = company == "alone"
    player = at_a_table(app, level, "off") if alone else at_a_friends_table(app, level)
    for what, answer, ticked in every_answer(player):
        assert advised(answer) <= ticked, what
        assert "would do" not in answer, what
        assert 'id="ask-hint"' not in answer, what
    # The walk sees advice where there is some.
    hinted = at_a_table(app, "full", "on")
    found = {what for what, answer, ticked in every_answer(hinted) if advised(answer) - ticked}
    assert {"htmx: refusal", "page: refusal", "htmx: hint 3", "page: hint 3"} <= found
    assert "looking back" in found


@pytest.mark.parametrize("level", ["full", "result", "head"])
@pytest.mark.parametrize("company", ["alone", "friends"])
def test_where_the_table_does_not_help_nothing_tells_whether_there_is_a_play(
    app: Flask, level: str, company: str
) -> None:
    alone = company == "alone"
    player = at_a_table(app, level, "off") if alone else at_a_friends_table(app, level)
    told = []
    for hand in ("+3 +4 +1", "+1 +3 +1"):
        put(app, player.path, hands=(parse_cards(hand), parse_cards("+1 +1 +1")))
        player.look()
        answers = [player.page, player.poll().text, player.act("pass").text]
        player.look()
        answers.append(player.act("play", "+1", guess="1").text)
        told.append(
            [re.sub(r'<ul class="cards".*?</ul>', "", each, flags=re.S) for each in answers]
        )
    tokens = r'csrf_token" value="[^"]*"|data-token="[^"]*"'
    same = [
        re.sub(tokens, "", one) == re.sub(tokens, "", other)
        for one, other in zip(*told, strict=True)
    ]
    assert same == [level != "full"] * 4


def test_pass_is_the_main_button_where_no_play_exists_and_its_words_tell_of_the_discard(
    app: Flask,
) -> None:
    player = at_a_table(app, "full")
    for hand, main, advice in (
        ("+3 +4 +1", "play", "Tick cards that come to 7 or more."),
        ("+1 +2 +1", "pass", "Nothing you hold reaches 7. Pass and keep your cards."),
        ("+1 -1 -2 /2 /2 -3 -1 -2 0", "pass", "Pass and discard 2: you keep seven cards."),
    ):
        put(app, player.path, hands=(parse_cards(hand), parse_cards("+1 +1 +1")))
        player.look()
        assert main_button(player) == main
        assert advice in player.text


def main_button(player: Player) -> str:
    """Return which of Pass and Play the page shows as the main button."""
    found = re.findall(r'<button class="([^"]*)" name="action" value="(pass|play)"', player.page)
    (main,) = [word for classes, word in found if "button--primary" in classes.split()]
    return main
