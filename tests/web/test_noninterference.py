"""What a viewer may not know changes no byte of what they get: hands, draw pile, seed, log."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from flask import Flask
from itsdangerous import TimestampSigner
from sqlalchemy import delete, update

from raisesum.bots import Reason
from raisesum.bots.easy import choose
from raisesum.engine import (
    Dealt,
    Drew,
    Event,
    Phase,
    Setup,
    State,
    apply,
    dump_events,
    dump_state,
    new_match,
    view_for,
)
from raisesum.models import Action, Game
from raisesum.services import clock
from raisesum.services.transactions import write_transaction
from tests.engine.positions import twin
from tests.web.browser import HTMX
from tests.web.tables import Player, stored_game, stored_state

ME = 1

Log = list[tuple[str, tuple[Event, ...]]]


def played(setup: Setup, moves: int, chance: Random) -> tuple[State, Log]:
    """Return the state after so many moves of a match (or its end), and its log."""
    state, events = new_match(setup, chance.getrandbits(128))
    log: Log = [("", events)]
    while len(log) <= moves and state.phase is not Phase.OVER:
        action = choose(view_for(state, state.turn), chance)
        state, events = apply(state, state.turn, action)
        log.append((action.text, events))
    return state, log


def with_other_draws(log: Log, chance: Random) -> Log:
    """Return the log with other cards in what the others were dealt and drew."""

    def other(event: Event) -> Event:
        if isinstance(event, Dealt | Drew) and event.seat != ME:
            return replace(event, cards=tuple(chance.choices(deck, k=len(event.cards))))
        return event

    deck = [card for _, events in log for e in events if isinstance(e, Dealt) for card in e.cards]
    return [(action, tuple(map(other, events))) for action, events in log]


def put(app: Flask, path: str, state: State, log: Log, why: str = "cheapest") -> None:
    """Make this the match at the table `path`, with nothing due.

    `why` is what every second action has as its reason.
    """
    game = stored_game(app, path)
    over = state.phase is Phase.OVER
    values = {
        "state": dump_state(state),
        "version": len(log) - 1,
        "revision": len(log) - 1,
        "due_at": None,
        "status": "finished" if over else "playing",
        "winner": state.winner,
    }
    with app.app_context(), write_transaction() as session:
        session.execute(update(Game).where(Game.id == game.id).values(**values))
        session.execute(delete(Action).where(Action.game_id == game.id))
        for number, (action, events) in enumerate(log):
            row = Action(game_id=game.id, number=number, action=action, at=1)
            row.events = dump_events(events)
            row.reason = Reason(why, {"chance": 0.5, "target": 7}).text if number % 2 else None
            session.add(row)


def answers(player: Player, version: int) -> list[tuple[int, list[tuple[str, str]], str]]:
    """Return status, headers and text of all that can be asked without a change.

    The moves asked for are such as no state of a match allows, or come from a version that is
    never the present one.
    """
    asked = []
    for headers in (None, HTMX):
        for path in (player.path, f"{player.path}/table", f"{player.path}/table?v={version}", "/"):
            asked.append(player.client.get(path, headers=headers))
        player.look()
        if 'id="ending"' not in player.page:
            # After the end nothing is secret any more.
            for path in ("review", "why", "replay", "record"):
                asked.append(player.client.get(f"{player.path}/{path}", headers=headers))
            asked.append(player.client.get("/account/data", headers=headers))
        card = player.cards[:1]
        at = str(version)
        for address, fields in (
            ("sum", {"card": card, "version": at}),
            ("sum", {"card": ["+20"], "version": at}),
            ("actions", {"action": "play", "card": ["+20"], "version": at}),
            ("actions", {"action": "play", "card": ["x9"] * 6, "version": at}),
            ("actions", {"action": "discard", "card": ["+20"], "version": at}),
            ("actions", {"action": "pass", "version": str(version + 7)}),
            ("actions", {"action": "nonsense", "version": at}),
        ):
            asked.append(player.send(f"{player.path}/{address}", headers=headers, **fields))
            player.look()
    return [(answer.status_code, sorted(answer.headers), answer.text) for answer in asked]


@pytest.mark.parametrize("seed", range(12))
def test_what_a_viewer_may_not_know_changes_no_byte_of_any_answer(
    app: Flask, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    # Form tokens carry the second in which they were made: the clock is held.
    monkeypatch.setattr(TimestampSigner, "get_timestamp", lambda _self: 1_800_000_000)
    now = clock.now_ms()
    monkeypatch.setattr(clock, "now_ms", lambda: now)
    app.config["BOT_DELAY_MS"] = 60_000
    chance = Random(seed)
    bots = chance.choice((1, 2, 3))
    levels = {f"level_{number}": "easy" for number in range(1, bots + 1)}
    player = Player(app)
    player.start(bots=str(bots), goal="2", deck=chance.choice(("full", "addition")), **levels)
    setup = stored_state(app, player.path).setup
    state, log = played(setup, chance.randrange(40), chance)
    put(app, player.path, state, log)
    first = answers(player, len(log) - 1)
    other = twin(state, ME, chance)
    assert other != state
    put(app, player.path, other, with_other_draws(log, chance), why="save")
    assert answers(player, len(log) - 1) == first
    assert {status for status, _, _ in first} <= {200, 204, 303, 400, 404, 409, 422}


def test_a_difference_that_may_be_seen_is_seen(app: Flask) -> None:
    """The test above would notice: another card in one's own hand changes the answers."""
    player = Player(app)
    player.start()
    state = stored_state(app, player.path)
    log: Log = [("", new_match(state.setup, state.seed or 0).events)]
    put(app, player.path, state, log)
    first = answers(player, 0)
    put(app, player.path, replace(state, hands=state.hands[::-1]), log)
    assert answers(player, 0) != first
