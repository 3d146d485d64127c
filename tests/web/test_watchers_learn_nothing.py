"""Spectators and strangers get the same bytes whatever cards are hidden, on every route."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from flask import Flask
from itsdangerous import TimestampSigner
from sqlalchemy import update
from werkzeug.test import TestResponse

from raisesum.engine import Card, Dealt, Drew, Event
from raisesum.models import Game
from raisesum.services import clock, seat_offers, server_time
from raisesum.services.transactions import write_transaction
from tests.engine.positions import twin
from tests.web.browser import HTMX, Browser
from tests.web.friends import match_of_two
from tests.web.tables import stored_game, stored_state
from tests.web.test_noninterference import Log, played, put

#: What stands for the parts of an address that are not the table's key.
PARTS = {"<step>": "order", "<number>": "1", "<token>": "no-such-token"}

Answers = dict[str, tuple[int, list[tuple[str, str]], str]]


def with_other_cards(log: Log, deck: tuple[Card, ...], chance: Random) -> Log:
    """Return the log with other cards in what everybody was dealt and drew."""

    def other(event: Event) -> Event:
        if isinstance(event, Dealt | Drew):
            return replace(event, cards=tuple(chance.choices(deck, k=len(event.cards))))
        return event

    return [(action, tuple(map(other, events))) for action, events in log]


def answers(app: Flask, visitor: Browser, path: str, offer: str) -> Answers:
    """Return all that a visitor can be told about the table, by the route it comes from.

    `offer` is the token of a link to a seat there.
    """
    key = path.rsplit("/", 1)[-1]
    found: Answers = {}
    for rule in app.url_map.iter_rules():
        if rule.endpoint == "static":
            continue
        address = rule.rule.replace("<key>", key)
        if rule.endpoint.startswith("seat_offers."):
            address = address.replace("<token>", offer)
        for part, value in PARTS.items():
            address = address.replace(part, value)
        assert "<" not in address, f"say here what {rule.rule} needs"
        for headers in ({}, HTMX):
            if "GET" in (rule.methods or set()):
                answer = visitor.client.get(address, headers=headers, buffered=True)
                found[f"GET {address} {headers}"] = told(answer)
            if "POST" in (rule.methods or set()) and "<key>" in rule.rule:
                # Whatever is ordered about a table by somebody who does not sit there.
                visitor.get("/sign-in")
                fields = {"action": "pass", "version": "3", "seat": "1", "phrase": "wow"}
                answer = visitor.send(address, headers={**headers, "X-Asked": "1"}, **fields)
                found[f"POST {address} {headers}"] = told(answer)
    return found


def told(answer: TestResponse) -> tuple[int, list[tuple[str, str]], str]:
    return answer.status_code, sorted(answer.headers), answer.text


@pytest.mark.parametrize("who", ["nobody", "guest"])
@pytest.mark.parametrize("spectators", [True, False], ids=["may watch", "may not watch"])
def test_hidden_cards_change_no_byte_of_what_watchers_and_strangers_get(
    app: Flask, monkeypatch: pytest.MonkeyPatch, who: str, spectators: bool
) -> None:
    now = clock.now_ms()
    monkeypatch.setattr(TimestampSigner, "get_timestamp", lambda _self: 1_800_000_000)
    monkeypatch.setattr(clock, "now_ms", lambda: now)
    monkeypatch.setattr(server_time, "now_ms", lambda: now)
    monkeypatch.setattr("raisesum.web.accounts.new_form_id", lambda: "f" * 43)
    app.config["BOT_DELAY_MS"] = 60_000
    app.config["METRICS"] = 0
    first, _second = match_of_two(app, **({"spectators": "1"} if spectators else {}))
    path = first.path
    with app.app_context():
        host_id = stored_game(app, path).host_id
        offer = seat_offers.offer(host_id or 0, path.rsplit("/", 1)[-1], 1, 60_000)
    assert offer
    visitor = Browser(app)
    # Whoever they are, they have a session already, and keep it.
    visitor.get("/sign-in")
    if who == "guest":
        visitor.become_guest()
    chance = Random(7)
    for moves in (0, 9):
        state, log = played(stored_state(app, path).setup, moves, chance)
        put(app, path, state, log)
        before = answers(app, visitor, path, offer)
        changed = twin(state, None, chance)
        assert changed.hands != state.hands
        put(app, path, changed, with_other_cards(log, state.setup.deck.cards, chance), why="save")
        after = answers(app, visitor, path, offer)
        assert [name for name in before if before[name] != after[name]] == []
        assert before[f"GET /seat/{offer} {{}}"][0] == 200
        page = before[f"GET {path} {{}}"]
        assert page[0] == (200 if spectators else 404)
        # Nothing was done by asking.
        game = stored_game(app, path)
        assert (game.version, game.status) == (len(log) - 1, "playing")


def test_a_difference_on_the_table_would_be_noticed(app: Flask) -> None:
    first, _second = match_of_two(app, spectators="1")
    visitor = Browser(app)
    state, log = played(stored_state(app, first.path).setup, 5, Random(1))
    put(app, first.path, state, log)
    before = visitor.client.get(first.path).text
    with app.app_context(), write_transaction() as session:
        session.execute(update(Game).values(version=Game.version + 1))
    put(app, first.path, replace(state, points=(4, 4)), log)
    assert visitor.client.get(first.path).text != before
