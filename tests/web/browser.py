"""A person's browser without JavaScript, over the test client: forms are sent as pages show them.

Form tokens are checked in tests as they are in earnest, so a form is taken from a page first:

    browser.get("/register")
    browser.send("/register", handle="otter", password="four of my own words")
"""

from __future__ import annotations

import re
from html.parser import HTMLParser
from urllib.parse import urlsplit

from flask import Flask
from werkzeug.test import TestResponse

from raisesum import wording
from raisesum.web.sessions import cookie_name

PASSWORD = "seven quiet otters"

HTMX = {"HX-Request": "true"}


class Browser:
    """Keeps cookies, the last page and its form token."""

    def __init__(self, app: Flask, base_url: str = "http://localhost") -> None:
        self.client = app.test_client()
        self.base_url = base_url
        self.page = ""
        self.address = "/"

    def get(self, path: str, headers: dict[str, str] | None = None) -> TestResponse:
        """Open a page; with headers of htmx, say, only ask, and stay on the page there is."""
        response = self.client.get(path, headers=headers, base_url=self.base_url, buffered=True)
        return response if headers else self._show(path, response)

    def send(
        self, path: str, headers: dict[str, str] | None = None, **fields: str | list[str]
    ) -> TestResponse:
        """Send a form of the last page, with its token unless `csrf_token` is given.

        The answer is the next page, unless `headers` are given as in `get`.
        """
        fields.setdefault("csrf_token", self.token)
        sent = {"Referer": f"{self.base_url}{self.address}", **(headers or {})}
        response = self.client.post(
            path, data=fields, headers=sent, base_url=self.base_url, buffered=True
        )
        return response if headers else self._show(path, response)

    def follow(self, response: TestResponse) -> TestResponse:
        """Open the page that a redirect leads to."""
        assert response.status_code == 303, response.status_code
        return self.get(response.headers["Location"])

    def register(self, handle: str, password: str = PASSWORD, shown_name: str = "") -> str:
        """Make an account and return its recovery code."""
        self.get("/register")
        response = self.send("/register", handle=handle, password=password, shown_name=shown_name)
        assert response.status_code == 200, self.text
        found = re.search(r"(?:[A-Z0-9]{5}-){4}[A-Z0-9]{5}", self.text)
        assert found, self.text
        return found.group()

    def sign_in(self, handle: str, password: str = PASSWORD) -> TestResponse:
        """Sign in from the sign-in page."""
        self.get("/sign-in")
        return self.send("/sign-in", handle=handle, password=password)

    def become_guest(self) -> None:
        """Do the least that makes a guest: choose a theme."""
        self.get("/sign-in")
        assert self.send("/settings", theme="system").status_code == 303

    @property
    def token(self) -> str:
        """The form token of the last page."""
        return self.fields().get("csrf_token", "")

    @property
    def text(self) -> str:
        """What the last page says, without its tags and without what keeps names apart."""
        parser = _Text()
        parser.feed(self.page)
        return wording.bare(" ".join("".join(parser.pieces).split()))

    def fields(self) -> dict[str, str]:
        """What the input fields of the last page hold, by name."""
        parser = _Fields()
        parser.feed(self.page)
        return parser.found

    def cookie(self) -> str | None:
        """The value of the one cookie."""
        cookie = self.client.get_cookie(self.cookie_name, domain=self._domain)
        return cookie.value if cookie else None

    def set_cookie(self, value: str) -> None:
        """Put a cookie in, as somebody would who has got hold of it."""
        self.client.set_cookie(self.cookie_name, value, domain=self._domain)

    def delete_cookie(self) -> None:
        """Clear the cookie, as people do."""
        self.client.delete_cookie(self.cookie_name, domain=self._domain)

    @property
    def cookie_name(self) -> str:
        """What this server calls its cookie."""
        return cookie_name(self.client.application, self.base_url.startswith("https:"))

    @property
    def _domain(self) -> str:
        return urlsplit(self.base_url).hostname or ""

    def is_signed_in(self) -> bool:
        """Whether the account page opens."""
        return self.client.get("/account", base_url=self.base_url).status_code == 200

    def _show(self, path: str, response: TestResponse) -> TestResponse:
        if response.mimetype == "text/html" and response.status_code != 303:
            self.page = response.text
            self.address = path
        return response


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        # A name stands in its sentence as any word does; what else has a tag stands apart.
        self.pieces.append("" if tag == "bdi" else " ")

    def handle_endtag(self, tag: str) -> None:
        self.pieces.append("" if tag == "bdi" else " ")

    def handle_data(self, data: str) -> None:
        self.pieces.append(data)


class _Fields(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, str] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        name = values.get("name")
        unticked = values.get("type") in ("radio", "checkbox") and "checked" not in values
        if tag == "input" and name and not unticked:
            self.found[name] = values.get("value") or ""
