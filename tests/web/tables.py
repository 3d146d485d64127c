"""A player's browser at a table, and hands in the stored state behind it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from html import unescape

from flask import Flask
from sqlalchemy import select, update
from werkzeug.test import TestResponse

from raisesum.engine import State, dump_state, load_state
from raisesum.extensions import db
from raisesum.models import Game
from raisesum.services.transactions import write_transaction
from tests.web.browser import HTMX, Browser


class Player(Browser):
    """A browser that has started a match: `path` is the address of its table."""

    path = ""

    def start(self, **choices: str) -> None:
        """Set a table: by default one bot, the full deck, a goal of nine, and this person opens."""
        self.get("/tables/new")
        fields = {
            "bots": "1",
            "level_1": "steady",
            "deck": "full",
            "goal": "9",
            "first": "1",
            **choices,
        }
        response = self.send("/tables/new", **fields)
        assert response.status_code == 303, self.text
        self.path = response.headers["Location"]
        self.look()

    def look(self) -> TestResponse:
        """Open the table's page."""
        return self.get(self.path)

    def poll(self, query: str = "") -> TestResponse:
        """Ask for the table's part, as htmx does."""
        return self.client.get(f"{self.path}/table{query}", headers=HTMX)

    def send(
        self, path: str, headers: dict[str, str] | None = None, **fields: str | list[str]
    ) -> TestResponse:
        """Send a form; what comes back, be it only a part, is what is looked at from then on."""
        response = super().send(path, headers, **fields)
        if response.mimetype == "text/html" and response.status_code != 303:
            self.page = response.text
        return response

    def act(
        self, action: str, *cards: str, htmx: bool = True, **fields: str | list[str]
    ) -> TestResponse:
        """Send the hand's form as the last page shows it."""
        fields.setdefault("version", self.fields().get("version", "0"))
        headers = HTMX if htmx else None
        path = f"{self.path}/actions"
        return self.send(path, headers=headers, action=action, card=list(cards), **fields)

    @property
    def cards(self) -> list[str]:
        """The names of the cards that the last page lets one tick."""
        return [unescape(value) for value in re.findall(r'name="card" value="([^"]*)"', self.page)]


def stored_game(app: Flask, path: str) -> Game:
    """Return the row of the table at `path`, detached."""
    with app.app_context():
        return db.session.scalars(select(Game).where(Game.key == path.split("/")[-1])).one()


def stored_state(app: Flask, path: str) -> State:
    """Return the state of the table at `path`, secrets included."""
    return load_state(stored_game(app, path).state)


def change_state(app: Flask, path: str, change: Callable[[State], State]) -> None:
    """Put `change` of the stored state in its place."""
    state = change(stored_state(app, path))
    with app.app_context(), write_transaction() as session:
        session.execute(
            update(Game).where(Game.key == path.split("/")[-1]).values(state=dump_state(state))
        )


def put(app: Flask, path: str, **parts: object) -> None:
    """Replace parts of the stored state, such as `hands`."""
    change_state(app, path, lambda state: replace(state, **parts))
