"""A small world with everybody in it who may ask for something, and every form there is to send.

The parts that walk the URL map look up here what a form holds and who sends it. A route that is not
in the table is walked as well, with a form that is empty, from a player at a table in play.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from flask import Flask
from flask_migrate import upgrade
from sqlalchemy import select
from werkzeug.routing import Rule

from raisesum import create_app
from raisesum.extensions import db
from raisesum.models import Game, User
from raisesum.services import handover, lobby, practice, seat_offers, seating, waiting
from raisesum.services.errors import ServiceError
from raisesum.services.lesson import STEPS
from raisesum.services.table_settings import TableSettings
from tests.conftest import close, settings
from tests.services.tables import move
from tests.web.browser import PASSWORD, Browser

#: Those who are there: at the tables `otter` sits in seat 1 and is the host, `heron` in seat 2.
STRANGER, GUEST, NEWT, HERON, OTTER = "stranger", "guest", "newt", "heron", "otter"
PEOPLE = (STRANGER, GUEST, NEWT, HERON, OTTER)

#: The tables: `own` is otter's against a bot, `shared` is in play, `open` may be watched, `room`
#: waits, `ended` is over.
OWN, SHARED, OPEN, ROOM, ENDED = "own", "shared", "open", "room", "ended"
TABLES = (OWN, SHARED, OPEN, ROOM, ENDED)

_TABLE_SETTINGS = {
    "seats": "4",
    "deck": "full",
    "goal": "3",
    "first": "random",
    "pace": "none",
    "access": "private",
    "bot_level": "easy",
    "revision": "{revision}",
}


@dataclass(frozen=True)
class Form:
    """A form as a page would send it: by whom, about which table, with which fields."""

    who: str = OTTER
    table: str = OWN
    fields: dict[str, str] = field(default_factory=dict)


FORMS: dict[str, Form] = {
    "home.play_now": Form(),
    "home.set_table": Form(
        fields={"bots": "1", "level_1": "easy", "deck": "full", "goal": "3", "first": "random"}
    ),
    "home.put_away": Form(),
    "games.act": Form(fields={"action": "pass", "confirmed": "1", "version": "{version}"}),
    "games.sum": Form(fields={"version": "{version}", "card": "+1"}),
    "games.hint": Form(fields={"version": "{version}"}),
    "games.skip": Form(),
    "games.give_up": Form(),
    "games.rematch": Form(table=ENDED),
    "accounts.send_register": Form(
        GUEST, fields={"handle": "stoat", "shown_name": "Stoat", "password": PASSWORD}
    ),
    "accounts.send_sign_in": Form(GUEST, fields={"handle": NEWT, "password": PASSWORD}),
    "accounts.send_recover": Form(
        STRANGER, fields={"handle": NEWT, "code": "{code}", "new_password": "eight loud herons"}
    ),
    "accounts.sign_out": Form(fields={"sure": "yes"}),
    "accounts.sign_out_everywhere": Form(),
    "accounts.rename": Form(fields={"shown_name": "Another name"}),
    "accounts.change_password": Form(
        fields={"current_password": PASSWORD, "new_password": "eight loud herons"}
    ),
    "accounts.new_recovery_code": Form(fields={"code_password": PASSWORD}),
    "accounts.send_delete": Form(fields={"password": PASSWORD}),
    "settings.save": Form(
        fields={"theme": "dark", "confirm_pass": "off", "hand_order": "kind", "keys": "off"}
    ),
    "waiting.join": Form(NEWT, ROOM),
    "invitations.join": Form(NEWT, ROOM),
    "waiting.leave": Form(HERON, ROOM),
    "waiting.start": Form(table=ROOM),
    "waiting.change": Form(table=ROOM, fields=_TABLE_SETTINGS),
    "waiting.seat_bot": Form(table=ROOM, fields={"seat": "3", "level": "easy"}),
    "waiting.remove": Form(table=ROOM, fields={"seat": "2", "revision": "{revision}"}),
    "waiting.hand_over_host": Form(table=ROOM, fields={"seat": "2", "revision": "{revision}"}),
    "company.agree": Form(table=SHARED, fields={"seat": "2"}),
    "company.come_back": Form(table=SHARED),
    "company.leave": Form(table=SHARED),
    "company.mute": Form(table=SHARED, fields={"seat": "2", "muted": "1"}),
    "company.say": Form(table=SHARED, fields={"phrase": "well-played"}),
    "seat_offers.offer": Form(table=SHARED, fields={"seat": "1"}),
    "seat_offers.withdraw": Form(table=SHARED, fields={"seat": "1"}),
    "seat_offers.take": Form(NEWT),
    "friends.find_by_code": Form(NEWT, fields={"code": "{join}"}),
    "friends.set_table": Form(fields=_TABLE_SETTINGS),
    "handovers.begin": Form(GUEST),
    "handovers.use": Form(STRANGER),
    "lesson.act": Form(fields={"action": "pass", "confirmed": "1"}),
    "lesson.sum": Form(fields={"card": "+1"}),
    "practice.begin": Form(fields={"deck": "full"}),
    "practice.begin_again": Form(),
    "practice.answer": Form(fields={"question": "1", "answer": "7"}),
    "decks.make": Form(fields={"name": "Mine", "+1": "40"}),
    "replays.open_record": Form(STRANGER, fields={"record": "Raise the Sum record 1\n"}),
}

#: What may be asked for by `?name=`, beside what forms hold.
QUERIES = (
    *("v", "log", "said", "presence", "role", "h", "next", "deck", "name", "paper", "ink"),
    *("at", "pace", "plays", "move", "shown"),
)


@dataclass
class World:
    """The people's browsers and what one needs to know to send their forms."""

    app: Flask
    browsers: dict[str, Browser]
    keys: dict[str, str]
    code: str
    number: int

    def address(self, rule: Rule, table: str, **instead: str) -> str:
        """The address of a route, at the table named."""
        values = {
            "key": self.keys[table],
            "step": STEPS[0].slug,
            "number": str(self.number),
            "filename": "app.js",
        }
        if "token" in rule.arguments:
            blueprint = rule.endpoint.partition(".")[0]
            new = {"invitations": self.invitation, "seat_offers": self.offer_token}.get(
                blueprint, self.handover_token
            )
            values["token"] = instead.get("token") or new()
        path = rule.rule
        for name in rule.arguments:
            value = instead.get(name, values.get(name, "1"))
            path = path.replace(f"<path:{name}>", value).replace(f"<{name}>", value)
        return path

    def invitation(self) -> str:
        """The token of the invitation to the table that waits."""
        with self.app.app_context():
            query = select(Game.invitation).where(Game.key == self.keys[ROOM])
            return db.session.scalars(query).one_or_none() or "x"

    def offer_token(self) -> str:
        """The token of a link to otter's seat at the table in play, just made."""
        with self.app.app_context():
            otter = db.session.scalars(select(User.id).where(User.handle_key == OTTER)).one()
            try:
                return seat_offers.offer(otter, self.keys[SHARED], 1, 0) or "x"
            except ServiceError:
                return "x"

    def handover_token(self) -> str:
        """A link of the guest's for one more device, just made."""
        with self.app.app_context():
            guests = select(User.id).where(User.handle.is_(None)).order_by(User.id)
            return handover.begin(db.session.scalars(guests).first() or 0)

    def fields(self, form: Form) -> dict[str, str]:
        """The fields of a form, with the numbers that the page would have in it now."""
        with self.app.app_context():
            game = db.session.scalars(
                select(Game).where(Game.key == self.keys[form.table])
            ).one_or_none()
            room = db.session.scalars(select(Game).where(Game.key == self.keys[ROOM])).one_or_none()
            known = {
                "{version}": str(game.version) if game else "0",
                "{revision}": str(game.revision) if game else "0",
                "{join}": (room.code if room else None) or "",
                "{code}": self.code,
            }
        return {name: known.get(value, value) for name, value in form.fields.items()}

    def posts(self) -> Iterator[tuple[Rule, Form]]:
        """Every route that takes a form, with the form."""
        for rule in self.app.url_map.iter_rules():
            if "POST" in (rule.methods or ()):
                yield rule, FORMS.get(rule.endpoint, Form())

    def gets(self) -> Iterator[Rule]:
        """Every route that can be looked at."""
        for rule in self.app.url_map.iter_rules():
            if "GET" in (rule.methods or ()):
                yield rule


@contextmanager
def world(folder: Path, **more: object) -> Iterator[World]:
    """A world on a database of its own, in which anybody may try as often as they like."""
    app = create_app({**settings(folder), "GUESTS_PER_HOUR": 10**6, "METRICS": 1, **more})
    with app.app_context():
        upgrade()
    app.config["PROPAGATE_EXCEPTIONS"] = False
    browsers = {name: Browser(app) for name in PEOPLE}
    codes = {name: browsers[name].register(name) for name in (OTTER, HERON, NEWT)}
    browsers[GUEST].become_guest()
    browsers[STRANGER].get("/")
    for browser in browsers.values():
        browser.get("/")
    with app.app_context():
        ids = {
            name: db.session.scalars(select(User.id).where(User.handle_key == name)).one()
            for name in (OTTER, HERON, NEWT)
        }
        keys = {OWN: lobby.start_practice(ids[OTTER], ("easy",), first=1, bot_delay_ms=0)}
        keys[ROOM] = waiting.create(ids[OTTER], TableSettings(seats=4))
        seating.join(ids[HERON], keys[ROOM])
        for name, spectators in ((SHARED, False), (OPEN, True)):
            keys[name] = waiting.create(
                ids[OTTER], TableSettings(seats=2, first=1, spectators=spectators)
            )
            seating.join(ids[HERON], keys[name])
            waiting.start(ids[OTTER], keys[name], 0)
        keys[ENDED] = lobby.start_practice(ids[OTTER], ("easy",), goal=1, bot_delay_ms=0)
        while move(ids[OTTER], keys[ENDED]):
            pass
        number = practice.begin(ids[OTTER], "full")
    yield World(app, browsers, keys, codes[NEWT], number)
    close(app)
