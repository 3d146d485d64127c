"""A browser without a screen: pages, forms and one cookie, over real HTTP."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import unescape
from http.cookiejar import CookieJar
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, OpenerDirector, Request, build_opener

Fields = list[tuple[str, str]]


@dataclass(frozen=True)
class Answer:
    """What came back: the status, where it was found at last, and its text."""

    status: int
    url: str
    text: str

    def value_of(self, name: str) -> str:
        """Return the value of the first hidden field called `name`."""
        found = re.search(rf'name="{name}" value="([^"]*)"', self.text)
        assert found is not None, f"no field {name!r} in {self.text[:2000]}"
        return unescape(found[1])

    @property
    def cards(self) -> list[str]:
        """The names of the cards that can be ticked, in their order."""
        return [unescape(value) for value in re.findall(r'name="card" value="([^"]*)"', self.text)]

    def has_button(self, action: str) -> bool:
        """Return whether the page offers this action."""
        return f'name="action" value="{action}"' in self.text


@dataclass
class Client:
    """One person's browser at the server `url`; several can share one cookie jar."""

    url: str
    jar: CookieJar = field(default_factory=CookieJar)

    def __post_init__(self) -> None:
        self._opener: OpenerDirector = build_opener(HTTPCookieProcessor(self.jar))

    def get(self, path: str, *, htmx: bool = False) -> Answer:
        """Look at a page, or poll a part."""
        return self._open(Request(self._address(path), headers=_headers(htmx)))

    def post(self, path: str, fields: Fields, *, htmx: bool = False) -> Answer:
        """Send a form; the answer is the page it leads to."""
        body = urlencode(fields).encode()
        return self._open(Request(self._address(path), data=body, headers=_headers(htmx)))

    def play_now(self) -> Answer:
        """Press the button on the home page; the answer is the table."""
        home = self.get("/")
        return self.post("/play-now", [("csrf_token", home.value_of("csrf_token"))])

    def _address(self, path: str) -> str:
        return path if path.startswith("http") else self.url + path

    def _open(self, request: Request) -> Answer:
        try:
            with self._opener.open(request, timeout=60) as answer:
                return Answer(answer.status, answer.url, answer.read().decode())
        except HTTPError as error:
            with error:
                return Answer(error.code, error.url or "", error.read().decode())


def _headers(htmx: bool) -> dict[str, str]:
    return {"HX-Request": "true"} if htmx else {}
