import re
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import update
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from raisesum.engine import Incoming, Phase, StandingPlay, parse_cards
from raisesum.models import Game
from raisesum.services import clock
from raisesum.services.transactions import write_transaction
from tests.web.browser import HTMX, Browser
from tests.web.tables import Player, put, stored_game, stored_state


@pytest.fixture
def player(app: Flask) -> Player:
    """Somebody at a fresh table, to open it, against one bot."""
    player = Player(app)
    player.start()
    return player


OLD_TOKEN = "from a page of yesterday"


def standing(names: str, score: int) -> StandingPlay:
    return StandingPlay(2, parse_cards(names), score, Incoming())


def give(app: Flask, player: Player, hand: str, table: str = "", score: int = 0) -> None:
    """Put `hand` into the player's hand, and the play `table` on the table."""
    _, other = stored_state(app, player.path).hands
    play = standing(table, score) if table else None
    put(app, player.path, hands=(parse_cards(hand), other), standing=play)
    player.look()


# -- While the database takes nothing ------------------------------------------------------


def refuse(_session: Session) -> None:
    raise OperationalError("COMMIT", {}, Exception("database or disk is full"))


def test_what_is_due_waits_and_the_table_is_shown(
    app: Flask, player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = Session.commit
    app.config["BOT_DELAY_MS"] = 60_000
    player.start(first="2")
    with app.app_context(), write_transaction() as session:
        session.execute(update(Game).where(Game.due_at.is_not(None)).values(due_at=1))
    monkeypatch.setattr(Session, "commit", refuse)
    assert player.look().status_code == 200
    assert player.poll().status_code == 200
    assert player.get("/").status_code == 200
    assert stored_game(app, player.path).version == 0
    monkeypatch.setattr(Session, "commit", commit)
    player.look()
    assert stored_game(app, player.path).version > 0


def test_a_stored_move_is_answered_though_the_bots_cannot_go_on(
    app: Flask, player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit, stored = Session.commit, iter([True])

    def once(session: Session) -> None:
        if next(stored, False):
            commit(session)
        else:
            refuse(session)

    monkeypatch.setattr(Session, "commit", once)
    response = player.act("pass", htmx=False, confirmed="1")
    assert response.status_code == 303
    assert stored_game(app, player.path).version == 1


# -- Starting ------------------------------------------------------------------------------


def test_play_now_asks_for_nothing_and_leads_to_a_table(browser: Browser) -> None:
    browser.get("/")
    response = browser.send("/play-now")
    assert browser.follow(response).status_code == 200
    assert "Your hand" in browser.text
    browser.get("/")
    assert "Play" in browser.text


def test_a_look_at_home_makes_no_guest_and_sets_no_cookie_but_the_forms(browser: Browser) -> None:
    browser.get("/")
    assert not browser.is_signed_in()


def test_a_chosen_table_is_the_one_that_was_chosen(app: Flask) -> None:
    player = Player(app)
    player.start(
        bots="3", level_1="easy", level_2="steady", level_3="easy", deck="addition", goal="2"
    )
    state = stored_state(app, player.path)
    assert (state.setup.players, state.setup.deck.name, state.setup.goal) == (4, "addition", 2)
    assert "Easy 1" in player.text


@pytest.mark.parametrize(
    "wrong",
    [
        {"bots": "0"},
        {"bots": "4"},
        {"bots": "x"},
        {"goal": "10"},
        {"goal": "9" * 5000},
        {"deck": "tarot"},
        {"level_1": "cheat"},
        {"first": "3"},
        {"first": "-1"},
    ],
)
def test_a_table_that_cannot_be_is_refused_with_what_was_chosen_kept(
    browser: Browser, wrong: dict[str, str]
) -> None:
    browser.get("/tables/new")
    fields = {
        "bots": "1", "level_1": "easy", "deck": "addition", "goal": "4", "first": "random", **wrong,
    }  # fmt: skip
    response = browser.send("/tables/new", **fields)
    assert response.status_code == 422
    assert not browser.is_signed_in()
    if "deck" not in wrong:
        assert browser.fields()["deck"] == "addition"


# -- Moves ---------------------------------------------------------------------------------


def test_a_move_with_htmx_answers_the_table_as_it_is_then(player: Player) -> None:
    response = player.act("play", player.cards[0])
    assert response.status_code == 200
    assert 'id="table"' in response.text
    assert "<html" not in response.text


def test_a_move_without_htmx_leads_back_to_the_page_and_the_bots_have_answered(
    app: Flask, player: Player
) -> None:
    response = player.act("play", player.cards[0], htmx=False)
    assert response.status_code == 303
    assert response.headers["Location"] == player.path
    state = stored_state(app, player.path)
    assert state.turn == 1 or state.phase is Phase.OVER


def test_cards_are_played_in_the_order_in_which_they_were_sent(app: Flask, player: Player) -> None:
    give(app, player, "+1 +2 +3 -2 +1 +1 +1 +1")
    player.act("play", "+3", "-2", "+1")
    assert "+3, −2, +1" in re.sub(r"\s+", " ", player.text).replace(" ,", ",")


BAD_MOVES: list[tuple[str, dict[str, Any], int, str]] = [
    ("an unknown card", {"action": "play", "card": ["+99"]}, 400, "could not be read"),
    ("a card that is no card", {"action": "play", "card": ["<b>"]}, 400, "could not be read"),
    ("a card not in hand", {"action": "play", "card": ["+20"]}, 422, "You hold no +20"),
    ("six cards", {"action": "play", "card": ["+1"] * 6}, 422, "at most five"),
    ("no card", {"action": "play"}, 422, "one to five cards"),
    ("a discard out of place", {"action": "discard", "card": ["+1"]}, 422, "Play or pass"),
    ("no action", {}, 400, "could not be read"),
    ("an unknown action", {"action": "fold"}, 400, "could not be read"),
    ("no version", {"action": "pass", "version": ""}, 400, "which table"),
    ("a version that is no number", {"action": "pass", "version": "x"}, 400, "which table"),
    ("a version of 5,000 digits", {"action": "pass", "version": "9" * 5000}, 400, "which table"),
    ("a version below zero", {"action": "pass", "version": "-1"}, 400, "which table"),
    ("a version of 2^63", {"action": "pass", "version": str(2**63)}, 400, "which table"),
    ("a version from the future", {"action": "pass", "version": "7"}, 409, "moved on"),
]


@pytest.mark.parametrize("htmx", [True, False], ids=["htmx", "plain"])
@pytest.mark.parametrize(
    ("fields", "status", "says"), [b[1:] for b in BAD_MOVES], ids=[b[0] for b in BAD_MOVES]
)
def test_bad_input_gets_the_table_and_a_sentence_and_changes_nothing(
    app: Flask, player: Player, htmx: bool, fields: dict[str, Any], status: int, says: str
) -> None:
    give(app, player, "+1 +1 +1 +1 +1 +1 +1")
    before = stored_game(app, player.path)
    sent = {"version": "0", **fields}
    response = player.send(f"{player.path}/actions", headers=HTMX if htmx else None, **sent)
    assert response.status_code == status
    assert says in player.text
    assert 'id="table"' in response.text
    assert ("<html" in response.text) is not htmx
    after = stored_game(app, player.path)
    assert (after.state, after.version, after.revision) == (before.state, 0, before.revision)


def test_a_move_out_of_turn_is_refused(app: Flask, player: Player) -> None:
    put(app, player.path, turn=2)
    response = player.act("pass", "?", confirmed="1", version="0")
    assert response.status_code == 422
    assert "not your turn" in player.text


def test_a_refusal_says_what_would_do(app: Flask, player: Player) -> None:
    give(app, player, "+4 +5", table="+9", score=9)
    assert player.act("play", "+4").status_code == 422
    assert "4 does not beat 9. You need 10 or more." in player.text
    assert player.act("play", "+4", "+5").status_code == 422
    assert "9 ties 9" in player.text


def test_a_refused_play_is_shown_with_how_its_score_came_about(app: Flask, player: Player) -> None:
    give(app, player, "+4 +5", table="+9", score=9)
    player.act("play", "+4", "+5")
    assert "4 + 5 = 9" in player.text
    assert player.page.count('class="verdict') == 1
    assert 'id="refusal"' not in player.page


def test_a_stale_move_gets_the_current_table_and_why(app: Flask, player: Player) -> None:
    page, card = player.page, player.cards[0]
    player.act("play", card)
    player.page = page
    response = player.act("pass", confirmed="1", version="0")
    assert response.status_code == 409
    version = stored_game(app, player.path).version
    assert f'name="version" value="{version}"' in response.text


def test_a_move_sent_twice_is_made_once(app: Flask, player: Player) -> None:
    card = player.cards[0]
    first = player.act("play", card, version="0")
    made = stored_game(app, player.path).version
    second = player.act("play", card, version="0")
    assert (first.status_code, second.status_code) == (200, 200)
    assert stored_game(app, player.path).version == made


def test_discards_are_counted_and_taken(app: Flask, player: Player) -> None:
    give(app, player, "+1 +1 +1 +1 +1 +1 +1 +1 +2")
    player.act("play", "+2")
    assert "discard" in player.text.lower()
    assert player.act("discard", "+1", "+1", version="1").status_code == 422
    assert player.act("discard", "+1", version="1").status_code == 200


# -- Passing -------------------------------------------------------------------------------


def test_a_pass_is_asked_about_only_when_some_play_would_beat_the_target(
    app: Flask, player: Player
) -> None:
    give(app, player, "+9", table="+5", score=5)
    assert player.act("pass").status_code == 200
    assert "Pass anyway" in player.text
    assert stored_game(app, player.path).version == 0
    assert player.act("pass", confirmed="1").status_code == 200
    assert stored_game(app, player.path).version >= 1


def test_a_pass_is_not_asked_about_when_nothing_beats_the_target(
    app: Flask, player: Player
) -> None:
    give(app, player, "+1", table="+5", score=5)
    player.act("pass")
    assert stored_game(app, player.path).version >= 1


@pytest.mark.parametrize("htmx", [True, False])
def test_the_question_can_be_switched_off_and_on_again(
    app: Flask, player: Player, htmx: bool
) -> None:
    give(app, player, "+9", table="+5", score=5)
    player.act("pass", htmx=htmx, confirmed="1", dont_ask="1")
    player.look()
    version = stored_game(app, player.path).version
    give(app, player, "+9 +9 +9", table="+5", score=5)
    player.act("pass", htmx=htmx, version=str(version))
    assert stored_game(app, player.path).version > version
    player.look()
    wanted = re.search(r'name="confirm_pass" value="([^"]*)"', player.page)
    assert wanted is not None
    assert player.send("/settings", confirm_pass=wanted[1], next=player.path).status_code == 303
    version = stored_game(app, player.path).version
    give(app, player, "+9 +9", table="+5", score=5)
    player.act("pass", htmx=htmx, version=str(version))
    assert stored_game(app, player.path).version == version


# -- The sum -------------------------------------------------------------------------------


def test_the_sum_of_ticked_cards_is_told_without_playing_them(app: Flask, player: Player) -> None:
    give(app, player, "+5 +4 x3", table="+6 -2 /2", score=6)
    sent = {"version": "0", "card": ["+5", "+4", "x3"]}
    response = player.send(f"{player.path}/sum", headers=HTMX, **sent)
    assert response.status_code == 200
    assert "10½" in player.text
    assert "10 beats 6" in player.text
    assert "<html" not in response.text
    assert stored_game(app, player.path).version == 0


def test_without_javascript_the_sum_comes_in_the_page_with_the_ticks_kept(
    app: Flask, player: Player
) -> None:
    give(app, player, "+5 +4 +4 x3", table="+9", score=9)
    player.send(f"{player.path}/sum", version="0", card=["+5", "+4"])
    assert "9 ties 9" in player.text
    ticked = re.findall(r'value="([^"]*)" checked', player.page)
    assert ticked == ["+5", "+4"]


@pytest.mark.parametrize(("cards", "status"), [([], 200), (["+20"], 422), (["?"], 400)])
def test_the_sum_of_nothing_is_a_hint_and_of_foreign_cards_a_refusal(
    player: Player, cards: list[str], status: int
) -> None:
    sent = {"version": "0", "card": cards}
    assert player.send(f"{player.path}/sum", headers=HTMX, **sent).status_code == status


def test_without_ticks_the_hint_is_the_one_that_the_page_began_with(
    app: Flask, player: Player
) -> None:
    give(app, player, "+1 +2", table="+9", score=9)
    sent = {"version": "0", "card": []}
    for hint in (
        "Nothing you hold reaches 10. Pass and keep your cards.",
        "Tick cards that come to",
    ):
        player.look()
        assert hint in player.text
        player.send(f"{player.path}/sum", headers=HTMX, **sent)
        assert hint in player.text
        give(app, player, "+9 +2", table="+9", score=9)


def test_the_rules_card_tells_only_what_the_deck_has(player: Player) -> None:
    player.look()
    assert "Yellow is a challenge" in player.text
    player.start(deck="addition")
    assert "Blue adds" in player.text
    assert "Yellow" not in player.text
    assert "challenge" not in player.text.lower()


def test_a_sum_asked_for_just_before_the_table_moved_on_changes_nothing_on_the_page(
    player: Player,
) -> None:
    card = player.cards[0]
    player.act("play", card, version="0")
    sent = {"version": "0", "card": [card]}
    assert player.send(f"{player.path}/sum", headers=HTMX, **sent).status_code == 204
    player.look()
    assert player.send(f"{player.path}/sum", **sent).status_code == 200


# -- Polls ---------------------------------------------------------------------------------


def test_a_poll_is_204_while_nothing_changes_and_the_part_when_something_did(
    player: Player,
) -> None:
    assert player.poll("?v=0").status_code == 204
    player.act("play", player.cards[0])
    response = player.poll("?v=0")
    assert response.status_code == 200
    assert 'id="table"' in response.text


@pytest.mark.parametrize("query", ["", "?v=", "?v=x", "?v=" + "9" * 5000, "?v=-1", "?log=x"])
def test_a_poll_that_names_no_revision_gets_the_part(player: Player, query: str) -> None:
    assert player.poll(query).status_code == 200


def test_a_poll_sends_no_cookie(player: Player) -> None:
    assert "Set-Cookie" not in player.poll("?v=0").headers
    assert "Set-Cookie" not in player.poll().headers


def test_a_finished_match_is_not_polled(app: Flask, player: Player) -> None:
    assert "hx-trigger" in player.page
    player.send(f"{player.path}/give-up")
    player.look()
    table = player.page[player.page.index('id="table"') :]
    assert "every" not in table[: table.index(">")]


def test_a_poll_makes_what_is_due(app: Flask, player: Player, monkeypatch: Any) -> None:
    app.config["BOT_DELAY_MS"] = 60_000
    player.act("play", player.cards[0])
    while stored_state(app, player.path).phase is Phase.DISCARD:
        player.look()
        player.act("discard", *player.cards[: len(player.cards) - 7])
    game = stored_game(app, player.path)
    assert player.poll(f"?v={game.revision}").status_code == 204
    later = clock.now_ms() + 61_000
    monkeypatch.setattr("raisesum.services.server_time.now_ms", lambda: later)
    assert player.poll(f"?v={game.revision}").status_code == 200
    assert stored_game(app, player.path).version > game.version


def test_a_look_changes_nothing_that_time_has_not_made_due(app: Flask, player: Player) -> None:
    before = stored_game(app, player.path)
    for _ in range(3):
        player.look()
        player.poll()
    after = stored_game(app, player.path)
    assert (after.state, after.updated_at, after.revision) == (
        before.state,
        before.updated_at,
        before.revision,
    )


# -- The end -------------------------------------------------------------------------------


def test_giving_up_ends_the_match_and_offers_another(app: Flask, player: Player) -> None:
    response = player.send(f"{player.path}/give-up")
    player.follow(response)
    assert "Match given up" in player.text
    assert player.act("pass", version="0").status_code == 409
    player.look()
    again = player.send(f"{player.path}/rematch")
    assert again.status_code == 303
    assert again.headers["Location"] != player.path
    player.look()
    assert again.headers["Location"] in player.page


def test_there_is_no_rematch_before_the_end(player: Player) -> None:
    assert player.send(f"{player.path}/rematch").status_code == 409


def test_a_match_can_be_played_to_its_end_by_plain_forms(app: Flask) -> None:
    player = Player(app)
    player.start(goal="1", level_1="easy")
    rng = Random(5)
    for _ in range(400):
        player.look()
        if not player.cards:
            break
        if 'value="discard"' in player.page:
            player.act("discard", *player.cards[: len(player.cards) - 7], htmx=False)
        else:
            player.act("play", rng.choice(player.cards), htmx=False)
            player.look()
            if player.cards:
                player.act("pass", htmx=False, confirmed="1")
    assert stored_game(app, player.path).status == "finished"
    assert "won" in player.text


# -- Who may see what ----------------------------------------------------------------------


def routes_of_a_table(app: Flask, path: str) -> list[tuple[str, str]]:
    """Return method and address of every route under a table's address."""
    key = path.split("/")[-1]
    return [
        (method, rule.rule.replace("<key>", key))
        for rule in app.url_map.iter_rules()
        if "<key>" in rule.rule
        for method in sorted((rule.methods or set()) & {"GET", "POST"})
    ]


def test_a_table_is_404_to_strangers_by_every_route(
    app: Flask, player: Player, new_browser: Callable[..., Browser]
) -> None:
    stranger = new_browser()
    stranger.become_guest()
    stranger.get("/")
    routes = routes_of_a_table(app, player.path)
    assert len(routes) >= 7
    for method, path in routes:
        for headers in (None, HTMX):
            if method == "GET":
                response = stranger.client.get(path, headers=headers)
            else:
                response = stranger.send(path, headers=headers, action="pass", version="0")
            unknown = path.replace(player.path.split("/")[-1], "A" * 22)
            assert response.status_code == 404, (method, path)
            if method == "GET":
                other = stranger.client.get(unknown, headers=headers)
                assert _without_tokens(other.text) == _without_tokens(response.text).replace(
                    path, unknown
                )


def test_nobody_is_answered_like_a_stranger_and_a_part_leaves_the_page(
    player: Player, new_browser: Callable[..., Browser]
) -> None:
    nobody = new_browser()
    assert nobody.get(player.path).status_code == 404
    assert "No table here" in nobody.text
    response = nobody.get(f"{player.path}/table", headers=HTMX)
    assert response.status_code == 404
    assert response.headers["HX-Retarget"] == "#alert"


def test_a_part_that_is_opened_plainly_is_the_whole_page(player: Player) -> None:
    player.get(f"{player.path}/table?v=0")
    assert player.page.startswith("<!doctype html>")
    assert player.cards


@pytest.mark.parametrize("key", ["x", "A" * 22, "A" * 5000, "%00", "..", "🂡", "1'--"])
def test_an_address_that_is_no_table_is_404_or_400(player: Player, key: str) -> None:
    assert player.get(f"/games/{key}").status_code in (400, 404)


def _without_tokens(html: str) -> str:
    return re.sub(r'name="csrf_token" value="[^"]*"', "", html)


# -- Forms too old to be believed ----------------------------------------------------------


@pytest.mark.parametrize("htmx", [True, False])
def test_a_move_with_an_old_token_gets_the_table_and_changes_nothing(
    app: Flask, player: Player, htmx: bool
) -> None:
    card = player.cards[0]
    response = player.act("play", card, htmx=htmx, csrf_token=OLD_TOKEN)
    assert response.status_code == 400
    assert "press the button once more" in player.text
    assert stored_game(app, player.path).version == 0
    if not htmx:
        assert re.findall(r'value="([^"]*)" checked', player.page) == [card]
    assert player.act("play", card, htmx=htmx).status_code in (200, 303)


# -- Text browsers, which know neither `formaction` nor `form` -------------------------------


def test_every_button_of_the_hand_works_by_its_name_and_the_address_of_its_form(
    app: Flask, player: Player
) -> None:
    give(app, player, "+5 +4 x3", table="+6", score=6)
    form = player.page.split('id="hand"')[1].split("</form>")[0]
    assert "formaction" not in form
    before = stored_state(app, player.path)
    player.act("check", "+5", "+4", htmx=False)
    assert "9 beats 6" in player.text
    assert len(re.findall(r'class="pick__box"[^>]* checked', player.page)) == 2
    # "Sort" and "Hint" name forms of their own, and a text browser sends the hand's.
    response = player.send(f"{player.path}/actions", hand_order="value")
    assert response.headers["Location"] == player.path
    player.look()
    assert 'value="value" aria-pressed="true"' in player.page
    assert stored_state(app, player.path) == before
