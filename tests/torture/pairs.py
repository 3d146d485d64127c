"""Two people at one table who know their cards, and so need to see the table only now and then.

Nearly all that an answered move costs is the page after it. Who keeps count of the cards does
without, and makes several times as many.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import unescape

from tests.torture.players import CARD, VERSION, Browser, Fields, Move

HAND = 7
DRAWN = 3
CARDS_IN_A_PLAY = 5
BEYOND_REACH = 10**6
TABLE: Fields = [
    *(("seats", "2"), ("deck", "full"), ("first", "random"), ("pace", "none")),
    *(("access", "private"), ("bot_level", "easy"), ("spectators", "1")),
]
_FORM = re.compile(r'name="action" value="(play|discard)"')


def _is_addition(card: str) -> bool:
    return card.startswith("+")


@dataclass
class Sitter:
    """One of the two: the cards they know they hold, and how many others they have drawn since."""

    browser: Browser
    known: list[str] = field(default_factory=list)
    unknown: int = 0

    def __len__(self) -> int:
        return len(self.known) + self.unknown

    def beating(self, target: int) -> list[str]:
        """The fewest of the known additions that come to more than `target`; nothing if none do.

        They are held against additions only: this player lays nothing else.
        """
        additions = sorted(filter(_is_addition, self.known), key=lambda card: int(card[1:]))
        for card in additions:
            if int(card[1:]) > target:
                return [card]
        cards = additions[-CARDS_IN_A_PLAY:]
        return cards if sum(int(card[1:]) for card in cards) > target else []


class Pair:
    """Two people who play match after match with each other, and what was acknowledged to them.

    `path` is that of the table they play at, which may be watched.
    """

    def __init__(self, port: int, goal: int = 9) -> None:
        self.sitters = [Sitter(Browser(port)), Sitter(Browser(port))]
        self.made: list[Move] = []
        self.finished = 0
        self.path = ""
        self._goal = goal
        self._version = 0
        self._mover = 0
        self._discards = False
        #: The score to beat; -1 for whoever opens a round, `BEYOND_REACH` if it is not known.
        self._target = -1
        self._points = [0, 0]

    def reconnect(self) -> None:
        """Look where things stand at a server that was started anew."""
        for each in self.sitters:
            each.browser.reconnect()
            each.known, each.unknown = [], HAND
        if self.path:
            self._look()

    def step(self) -> None:
        """Make one move, or begin the next match."""
        if not self.path:
            self._sit_down()
        sitter = self.sitters[self._mover]
        if self._discards:
            too_many = len(sitter) - HAND
            if too_many > len(sitter.known):
                self._look()
            else:
                # Additions are what one can go on with.
                self._send("discard", sorted(sitter.known, key=_is_addition)[:too_many])
            return
        cards = sitter.beating(self._target)
        if cards:
            self._send("play", cards)
        elif self._target < 0 and sitter.unknown:
            self._look()
        else:
            self._send("pass", [])

    def _send(self, word: str, cards: list[str]) -> None:
        sitter = self.sitters[self._mover]
        fields = [("action", word), ("version", str(self._version)), ("confirmed", "1")]
        fields += [("card", card) for card in cards]
        answer = sitter.browser.post(f"{self.path}/actions", fields, htmx=False)
        if answer.status != 303:
            raise ValueError(f"{word} {cards} was answered {answer.status}: {answer.text[:500]}")
        key = self.path.rpartition("/")[2]
        self.made.append(Move(key, self._version, " ".join([word, *cards]), self._mover + 1))
        self._version += 1
        for card in cards:
            sitter.known.remove(card)
        if word == "play":
            self._target = sum(int(card[1:]) for card in cards)
        elif word == "pass":
            self._target = -1
        self._discards = len(sitter) > HAND
        if not self._discards:
            self._end_turn()

    def _end_turn(self) -> None:
        """Between two a pass ends the round, and the other opens the next."""
        self._mover = 1 - self._mover
        self.sitters[self._mover].unknown += DRAWN
        if self._target in (-1, BEYOND_REACH):
            self._points[self._mover] += 1
            if self._points[self._mover] >= self._goal:
                self._look()

    def _sit_down(self) -> None:
        host, guest = (each.browser for each in self.sitters)
        for each in (host, guest):
            if not each.token:
                each.enter()
        answer = host.post("/tables/friends", [*TABLE, ("goal", str(self._goal))], htmx=False)
        path = answer.location
        for browser, order in ((guest, "join"), (host, "start")):
            if answer.status == 303:
                answer = browser.post(f"{path}/{order}", [], htmx=False)
        if answer.status != 303:
            raise ValueError(f"no table for two: {answer.status} {answer.text[:500]}")
        self.path, self._version, self._target, self._points = path, 0, -1, [0, 0]
        for sitter in self.sitters:
            sitter.known, sitter.unknown = [], HAND
        self._look()

    def _look(self) -> None:
        """Open the table's page, as the one whose turn it is or, if it is not, as the other."""
        for number in (self._mover, 1 - self._mover):
            answer = self.sitters[number].browser.get(self.path)
            if answer.status != 200:
                raise ValueError(f"no table: {answer.status} {answer.text[:500]}")
            form, version = _FORM.search(answer.text), VERSION.search(answer.text)
            if form is None or version is None:
                continue
            if int(version[1]) != self._version:
                # A move was stored whose answer never came: pass, and count the points no more.
                self._target, self._points = BEYOND_REACH, [self._goal, self._goal]
            self._mover, self._version = number, int(version[1])
            self._discards = form[1] == "discard"
            sitter = self.sitters[number]
            sitter.known = [unescape(card) for card in CARD.findall(answer.text)]
            sitter.unknown = 0
            return
        self.finished += 1
        self.path = ""
