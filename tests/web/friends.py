"""Browsers of people who share a table."""

from __future__ import annotations

import re

from flask import Flask

from tests.web.tables import Player, stored_game

CHOICES = {
    "seats": "3",
    "bots": "0",
    "bot_level": "steady",
    "deck": "full",
    "goal": "9",
    "first": "1",
    "pace": "none",
    "seconds": "60",
    "access": "private",
}


def host(app: Flask, **choices: str) -> Player:
    """Set a table as its form does, and sit in its waiting room."""
    player = Player(app)
    player.get("/tables/friends")
    response = player.send("/tables/friends", **{**CHOICES, **choices})
    assert response.status_code == 303, player.text
    player.path = response.headers["Location"]
    player.look()
    return player


def invitation_to(app: Flask, table: Player) -> str:
    """Return the address by which people are invited to a table now."""
    return f"/invitation/{stored_game(app, table.path).invitation}"


def code_on(page: str) -> str:
    """Return the six letters that a waiting room shows, in two groups."""
    found = re.search(r'invite__letters"[^>]*>([A-Z]{3} [A-Z]{3})<', page)
    assert found, page
    return found[1]


def joins(app: Flask, table: Player, name: str = "") -> Player:
    """Open the invitation to a table and sit down."""
    player = Player(app)
    invitation = invitation_to(app, table)
    player.get(invitation)
    response = player.send(invitation, shown_name=name)
    assert (response.status_code, response.headers["Location"]) == (303, table.path), player.text
    player.path = table.path
    player.look()
    return player


def match_of_two(app: Flask, **choices: str) -> tuple[Player, Player]:
    """Begin a match of two people, and look at it as each of them; the host opens."""
    first = host(app, **{"seats": "2", **choices})
    second = joins(app, first)
    first.look()
    assert first.send(f"{first.path}/start").status_code == 303
    first.look()
    second.look()
    return first, second
