"""Scripted people over real HTTP, quick enough to make a hundred thousand moves."""

from __future__ import annotations

import http.client
import re
import time
from dataclasses import dataclass, field
from html import unescape
from urllib.parse import urlencode

HOST = "127.0.0.1"
IDLE_S = 10
FORM = {"Content-Type": "application/x-www-form-urlencoded"}

TOKEN = re.compile(r'name="csrf_token" value="([^"]+)"')
VERSION = re.compile(r'name="version" value="(\d+)"')
CARD = re.compile(r'name="card" value="([^"]+)"')
_POLL = re.compile(r"/table\?[^\"]*?v=(\d+)")

Fields = list[tuple[str, str]]


@dataclass(frozen=True)
class Move:
    """A move that was answered with success."""

    key: str
    version: int
    action: str
    seat: int = 1


@dataclass
class Answer:
    """What came back."""

    status: int
    text: str
    location: str


class Browser:
    """One person's cookie, and one connection that is kept open."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.cookie = ""
        self.token = ""
        self._used = time.monotonic()
        self._connection = http.client.HTTPConnection(HOST, port, timeout=30)

    def __del__(self) -> None:
        # Hundreds come and go, in threads that are ended by a killed server.
        self._connection.close()

    def get(self, path: str, *, htmx: bool = False) -> Answer:
        """Ask for a page or a part."""
        return self._send("GET", path, None, htmx)

    def post(self, path: str, fields: Fields, *, htmx: bool = True) -> Answer:
        """Send a form with this browser's token."""
        body = urlencode([("csrf_token", self.token), *fields])
        return self._send("POST", path, body, htmx)

    def enter(self) -> None:
        """Open the home page, for the cookie and the token."""
        found = TOKEN.search(self.get("/").text)
        if found is None:
            raise ValueError("the home page has no form")
        self.token = unescape(found[1])

    def reconnect(self, port: int | None = None) -> None:
        """Leave the connection there was: the server is another one now."""
        self._connection.close()
        self.port = port or self.port
        self._connection = http.client.HTTPConnection(HOST, self.port, timeout=30)

    def _send(self, method: str, path: str, body: str | None, htmx: bool) -> Answer:
        headers = {"Cookie": self.cookie} if self.cookie else {}
        if htmx:
            headers["HX-Request"] = "true"
        if body is not None:
            headers |= FORM
        # The server ends connections that have been idle for half a minute.
        if time.monotonic() - self._used > IDLE_S:
            self._connection.close()
        try:
            self._connection.request(method, path, body, headers)
            response = self._connection.getresponse()
            text = response.read().decode()
        except (OSError, http.client.HTTPException):
            self._connection.close()
            raise
        self._used = time.monotonic()
        for name, value in response.getheaders():
            if name.lower() == "set-cookie":
                self.cookie = value.partition(";")[0]
        return Answer(response.status, text, response.getheader("Location") or "")


@dataclass
class Player:
    """Somebody who plays match after match against bots, and remembers what was acknowledged."""

    browser: Browser
    choices: Fields = field(default_factory=list)
    path: str = ""
    page: str = ""
    made: list[Move] = field(default_factory=list)
    finished: int = 0

    @property
    def key(self) -> str:
        """The name of the table."""
        return self.path.rpartition("/")[2]

    @property
    def version(self) -> str:
        """The version that the page shows, while it shows forms."""
        found = VERSION.search(self.page)
        return found[1] if found else ""

    def sit_down(self) -> None:
        """Start a match."""
        if not self.browser.token:
            self.browser.enter()
        where = "/tables/new" if self.choices else "/play-now"
        answer = self.browser.post(where, self.choices, htmx=False)
        if answer.status != 303:
            raise ValueError(f"no table: {answer.status} {answer.text[:1000]}")
        self.path = answer.location
        self.look()

    def look(self) -> None:
        """Open the table's page."""
        answer = self.browser.get(self.path)
        if answer.status != 200:
            raise ValueError(f"no table: {answer.status} {answer.text[:1000]}")
        self.page = answer.text

    def poll(self) -> int:
        """Ask whether something is new; return the status."""
        shown = _POLL.search(self.page)
        query = f"?v={shown[1]}" if shown else ""
        answer = self.browser.get(f"{self.path}/table{query}", htmx=True)
        if answer.status == 200:
            self.page = answer.text
        return answer.status

    def step(self) -> bool:
        """Make a move if one can be made; whether it was acknowledged.

        Whoever waits for others polls; whoever has finished starts the next match.
        """
        if not self.path:
            self.sit_down()
        if 'value="discard"' in self.page:
            cards = CARD.findall(self.page)
            return self._send("discard", [unescape(card) for card in cards[: len(cards) - 7]])
        if 'value="play"' not in self.page:
            if "/rematch" in self.page or "/rematch" in self._whole_page():
                self.finished += 1
                self.sit_down()
            return False
        cards = [unescape(card) for card in CARD.findall(self.page)]
        additions = sorted((c for c in cards if c[0] == "+"), key=lambda c: -int(c[1:]))
        multiplications = [c for c in cards if c[0] == "x"][:2]
        return (
            self._send("play", additions[:1])
            or self._send("play", [*additions[: 5 - len(multiplications)], *multiplications])
            or self._send("pass", [])
        )

    def _whole_page(self) -> str:
        self.look()
        return self.page

    def _send(self, word: str, cards: list[str]) -> bool:
        version = self.version
        if not version or (word == "play" and not cards):
            return False
        fields = [("action", word), ("version", version), ("confirmed", "1")]
        fields += [("card", card) for card in cards]
        answer = self.browser.post(f"{self.path}/actions", fields)
        if answer.status == 200:
            self.made.append(Move(self.key, int(version), " ".join([word, *cards])))
        elif answer.status == 409:
            self.page = answer.text
        elif answer.status != 422:
            raise ValueError(f"{word} was answered {answer.status}: {answer.text[:500]}")
        if answer.status == 200:
            self.page = answer.text
        return answer.status == 200
