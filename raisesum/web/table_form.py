"""The form by which a table for people is set: reading it, and what it shows at first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from flask import current_app

from raisesum import wording
from raisesum.services import lobby, pace
from raisesum.services.decks import read_name
from raisesum.services.help import USUAL_HELP, Help
from raisesum.services.refusals import RefusedError
from raisesum.services.table_settings import TableSettings
from raisesum.web.forms import whole_number

HIGHEST_GOAL = 9

#: What the form shows at first.
FIRST_CHOICE = {
    "seats": "4",
    "bots": "0",
    "bot_level": "steady",
    "deck": "full",
    "goal": "3",
    "first": "random",
    "pace": "none",
    "seconds": "60",
    "access": "private",
    "spectators": "",
    "help": USUAL_HELP.level,
    "deck_name": "",
}


class SettingsSent(NamedTuple):
    """What a form says, and what is wrong with it: a sentence for each field."""

    settings: TableSettings
    bots: int
    errors: dict[str, str]


def read(form: Mapping[str, str]) -> SettingsSent:
    """Return what `form` asks for; where something cannot be, an error stands in for it."""
    errors = {}

    def number(name: str, low: int, high: int, sentence: str) -> int:
        found = whole_number(form.get(name), low, high)
        if found is None:
            errors[name] = sentence
            return low
        return found

    seats = number("seats", 2, 4, "Choose two to four seats.")
    bots = 0
    if "bots" in form:
        bots = number(
            "bots",
            0,
            seats - 1,
            f"Choose at most {wording.count(seats - 1, 'bot')} for {seats} seats.",
        )
    goal = number("goal", 1, HIGHEST_GOAL, f"Choose a goal from 1 to {HIGHEST_GOAL} points.")
    first = None
    if form.get("first") != "random":
        first = number("first", 1, seats, "Choose one of the seats, or chance.")
    pace_s = None
    if form.get("pace") == "own":
        pace_s = number(
            "seconds",
            pace.SHORTEST_S,
            pace.LONGEST_S,
            f"Choose {pace.SHORTEST_S} to {pace.LONGEST_S} seconds for a turn.",
        )
    elif form.get("pace") in pace.PACES:
        pace_s = pace.PACES[form["pace"]]
    else:
        errors["pace"] = "Choose how long a turn may take."
    access = form.get("access")
    if access not in ("private", "public") or (
        access == "public" and not current_app.config["PUBLIC_TABLES"]
    ):
        errors["access"] = "Choose who may join."
    if form.get("bot_level") not in {level.name for level in lobby.BOT_LEVELS}:
        errors["bot_level"] = "Choose a level for the bots."
    deck_name = ""
    try:
        deck_name = read_name(form.get("deck_name", "")) if form.get("deck_name") else ""
    except RefusedError as refusal:
        errors["deck"] = refusal.sentence
    settings = TableSettings(
        seats=seats,
        deck=form.get("deck", ""),
        goal=goal,
        first=first,
        pace_s=pace_s,
        is_public=access == "public",
        spectators="spectators" in form,
        bot_level=form.get("bot_level", ""),
        help=Help(form.get("help", USUAL_HELP.level)),
        deck_name="" if form.get("deck") in lobby.DECKS else deck_name,
    )
    if not errors:
        try:
            settings.checked()
        except RefusedError as refusal:
            errors[refusal.field or "deck"] = refusal.sentence
    return SettingsSent(settings, bots, errors)


def values(settings: TableSettings) -> dict[str, str]:
    """Return the form's values for a table that has been set already.

    >>> values(TableSettings(pace_s=45))["pace"]
    'own'
    """
    named = [name for name, seconds in pace.PACES.items() if seconds == settings.pace_s]
    return {
        **FIRST_CHOICE,
        "seats": str(settings.seats),
        "bot_level": settings.bot_level,
        "deck": settings.deck,
        "goal": str(settings.goal),
        "first": "random" if settings.first is None else str(settings.first),
        "pace": named[0] if named else "own",
        "seconds": str(settings.pace_s or FIRST_CHOICE["seconds"]),
        "access": "public" if settings.is_public else "private",
        "spectators": "1" if settings.spectators else "",
        "help": settings.help.level,
        "deck_name": settings.deck_name,
    }
