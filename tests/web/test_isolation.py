"""What pages, titles, messages and announcements say stays in order around a name of any script."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from bidi import get_display
from sqlalchemy import select

from raisesum.extensions import db
from raisesum.models import Game, Seat, SeatChange, User
from raisesum.services import absence, play, reactions, rematch, seat_offers, seating, waiting
from raisesum.services.table import table_for
from raisesum.services.table_settings import TableSettings
from raisesum.services.transactions import write_transaction
from raisesum.web.isolation import bdi
from raisesum.wording import ISOLATED, bare, isolated
from tests.services.tables import next_action
from tests.torture.world import (
    GUEST,
    HERON,
    NEWT,
    OPEN,
    OTTER,
    OWN,
    SHARED,
    STRANGER,
    World,
    world,
)
from tests.web.browser import HTMX

#: Figures and brackets stand at the ends of these, where they would take along what is beside them.
NAMES = {OTTER: "דנה (2)", HERON: "1 عمر", NEWT: "Ann (7)", GUEST: "(3) נטע"}
BOT, DECK = "بوت [4]", "חפיסה 40"
ALL = (*NAMES.values(), BOT, DECK)

#: More tables: after the first `otter` would play again, for which the second waits; at the third
#: `newt` has the seat that was `heron`'s.
OVER, AGAIN, TAKEN = "over", "again", "taken"

# Where an attribute or a field holds a name by itself, there is nothing beside it.
_ALONE = {("input", "value"), ("a", "href"), ("form", "action"), ("button", "value")}
_COUNTED = "cards|points|bots|turns|rounds|seconds|minutes|hours|days|matches|players|plays|seats"
_SLIP = re.compile(rf"(?<!\.)\.\.(?!\.)|[!?…]\.|(?<![\w.+×÷−-])1 (?:{_COUNTED})\b| [.,](?= )")
_INLINE = {"bdi", "b", "strong", "i", "em", "span", "small", "a", "code"}


class _Lines(HTMLParser):
    """The lines of a page, its attributes among them, with each <bdi> as the characters it is."""

    def __init__(self) -> None:
        super().__init__()
        self.lines = [""]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        aside = [value or "" for name, value in attrs if (tag, name) not in _ALONE]
        self.lines[:0] = aside
        if tag == "bdi":
            self.lines[-1] += "\u2068"
        elif tag not in _INLINE:
            self.lines.append("")

    def handle_endtag(self, tag: str) -> None:
        if tag == "bdi":
            self.lines[-1] += "\u2069"
        elif tag not in _INLINE:
            self.lines.append("")

    def handle_data(self, data: str) -> None:
        self.lines[-1] += data


def lines_of(page: str) -> list[str]:
    """Each line and attribute of a page."""
    parser = _Lines()
    parser.feed(page)
    return [" ".join(line.split()) for line in parser.lines]


def lines_with_names(page: str) -> list[str]:
    """Those in which there is a name."""
    return [line for line in lines_of(page) if any(name in bare(line) for name in ALL)]


def as_seen(line: str) -> str:
    """A line in the order in which eyes meet it."""
    return str(get_display(line, base_dir="L"))


def moved(lines: Iterable[str]) -> list[str]:
    """Those of the lines in which something beside a name has another place than with a Latin name,
    or which an English name, too, could come apart in."""
    return [
        line
        for line in lines
        if as_seen(line) != ISOLATED.sub(lambda name: f"\u2068{as_seen_alone(name[1])}\u2069", line)
        or any(name in ISOLATED.sub("", line) for name in ALL)
    ]


def as_seen_alone(name: str) -> str:
    return str(get_display(name))


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    folder: Path = tmp_path_factory.mktemp("names")
    with world(folder, PUBLIC_TABLES=1, KEEP_DAYS=1) as found:
        with found.app.app_context():
            _make_more(found)
            _give_names()
        yield found


def _make_more(found: World) -> None:
    ids = {user.handle_key: user.id for user in db.session.scalars(select(User))}
    otter, heron = ids[OTTER], ids[HERON]
    own_deck = TableSettings(seats=2, first=1, goal=1, deck_name="Mine")
    found.keys[OVER] = waiting.create(otter, own_deck)
    seating.join(heron, found.keys[OVER])
    waiting.start(otter, found.keys[OVER], 0)
    while (table := table_for(otter, found.keys[OVER])).is_playing:
        who = (otter, heron)[table.view.turn - 1]
        play.submit(who, table.key, table.version, next_action(who, table.key), 0)
    found.keys[AGAIN] = rematch.press(otter, found.keys[OVER], 0)
    waiting.create(heron, TableSettings(seats=4, is_public=True))
    reactions.say(heron, found.keys[SHARED], "wow")
    reactions.set_muted(otter, found.keys[SHARED], 2, muted=True)
    absence.leave(heron, found.keys[OPEN], 0)
    found.keys[TAKEN] = waiting.create(otter, TableSettings(seats=3, first=1))
    seating.join(heron, found.keys[TAKEN])
    waiting.start(otter, found.keys[TAKEN], 0)
    absence.leave(heron, found.keys[TAKEN], 0)
    link = seat_offers.offer(otter, found.keys[TAKEN], 2, 0)
    seat_offers.take(ids[NEWT], link or "", 0)


def _give_names() -> None:
    with write_transaction() as session:
        for user in session.scalars(select(User)):
            user.shown_name = NAMES.get(user.handle_key or GUEST, user.shown_name)
        shown = {user.id: user.shown_name for user in session.scalars(select(User))}
        for seat in session.scalars(select(Seat)):
            if seat.name:
                seat.name = BOT if seat.bot else shown.get(seat.user_id or 0, seat.name)
        for change in session.scalars(select(SeatChange)):
            change.former_name = NAMES[HERON]
        for game in session.scalars(select(Game)):
            game.deck_name = DECK


def _gets(found: World) -> Iterator[tuple[str, str, str]]:
    """What is asked for: by whom, under which route, and where."""
    for rule in found.gets():
        if rule.endpoint in ("static", "accounts.data", "replays.download"):
            # A file is data: it holds names as they are.
            continue
        about_a_table = "key" in rule.arguments
        for who in (OTTER, HERON, STRANGER) if about_a_table else (OTTER, GUEST):
            for table in found.keys if about_a_table else (OWN,):
                address = found.address(rule, table)
                yield who, rule.endpoint, address
                for news in _NEWS.get(rule.endpoint, ()):
                    yield who, rule.endpoint, f"{address}?v=0&log=0&said=0&{news}"


_NEWS = {
    "games.part": [f"presence={mark}" for mark in ("aa", "ss", "hl", "aaa", "lsl")],
    "waiting.part": ["presence=----", "presence=--"],
    "replays.show": ["at=5&plays=1", "at=1"],
    "decks.custom": [f"deck=custom+%2B1*40&name={DECK}"],
    "printing.sheets": [f"deck=custom+%2B1*40&name={DECK}"],
    "home.new_table": [f"deck=40x%2B1&deck_name={DECK}"],
    "friends.new_table": [f"deck=40x%2B1&deck_name={DECK}"],
}


@pytest.fixture(scope="module")
def pages(people: World) -> list[tuple[str, str]]:
    """All pages that there are to look at, each with the name of its route."""
    found = []
    for who, endpoint, address in _gets(people):
        for headers in ({}, HTMX):
            answer = people.browsers[who].client.get(address, headers=headers, buffered=True)
            if answer.mimetype == "text/html" and answer.status_code != 303:
                found.append((endpoint, answer.text))
    return found


def test_nothing_beside_a_name_moves_on_any_page(pages: list[tuple[str, str]]) -> None:
    seen_on: dict[str, int] = {}
    wrong = set()
    for endpoint, page in pages:
        lines = lines_with_names(page)
        seen_on[endpoint] = seen_on.get(endpoint, 0) + len(lines)
        wrong |= {(endpoint, line) for line in moved(lines)}
    assert not wrong
    # The header has one's own name on every page; on these there is another one or a deck's.
    for endpoint in (
        *("home.index", "home.new_table", "friends.new_table", "decks.custom", "printing.sheets"),
        *("games.show", "games.part", "waiting.part", "handovers.look"),
        *("seat_offers.ask", "seat_offers.look", "invitations.look"),
        *("replays.show", "replays.why", "review.show"),
    ):
        assert seen_on[endpoint] > 4, endpoint


def test_no_page_counts_one_as_many_or_ends_a_sentence_twice(pages: list[tuple[str, str]]) -> None:
    assert _slips("<p>kept for 1 days..") == ["1 days", ".."]
    # How a record begins.
    wrong = {(where, *_slips(page.replace("record 1&#10;players", ""))) for where, page in pages}
    assert {each for each in wrong if len(each) > 1} == set()


def _slips(page: str) -> list[str]:
    return _SLIP.findall(" ".join(lines_of(page)))


def test_nothing_beside_a_name_moves_in_what_is_answered_to_a_form(people: World) -> None:
    told = []
    # Last what ends one's account or sign-in.
    for rule, form in sorted(people.posts(), key=lambda each: "accounts." in each[0].endpoint):
        browser = people.browsers[form.who]
        for headers in (HTMX, None):
            browser.get("/rules")
            fields = people.fields(form)
            answer = browser.send(people.address(rule, form.table), headers=headers, **fields)
            if answer.status_code == 303:
                answer = browser.client.get(answer.headers["Location"], buffered=True)
            told += lines_with_names(answer.text) if answer.mimetype == "text/html" else []
    assert len(told) > 100
    assert not set(moved(told))
    assert any("has been here within the last five minutes" in line for line in told)


def test_a_name_out_of_a_record_cannot_turn_the_writing_round_it_either() -> None:
    rude = "\u202eAnn\u2069\u2067"
    assert isolated(rude) == isolated("Ann")
    assert bdi(f"{isolated('Ann <3')} won & lost") == (
        '<bdi class="name" translate="no">Ann &lt;3</bdi> won &amp; lost'
    )


def test_the_check_sees_a_name_that_moves_something() -> None:
    assert moved(["Points: דנה (2) (1)", "\u2068דנה (2)\u2069 (1)"]) == ["Points: דנה (2) (1)"]
    assert lines_with_names('<p title="דנה (2) won">a <bdi><b>דנה (2)</b></bdi> won<p>b') == [
        "דנה (2) won",
        "a \u2068דנה (2)\u2069 won",
    ]
