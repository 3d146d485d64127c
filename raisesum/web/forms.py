"""What comes in: how much is read, what text may hold, and numbers that are really numbers."""

from __future__ import annotations

from collections.abc import Iterator

from flask import Flask, abort, request
from werkzeug.exceptions import RequestEntityTooLarge

#: Versions and revisions are stored in 32 bits.
HIGHEST_VERSION = 2**31 - 1

MOST_FIELDS = 200
"""Fields in one form. A custom deck has 37 kinds of card, and nothing has more."""


def whole_number(text: str | None, low: int, high: int) -> int | None:
    """The number that `text` writes in ASCII digits, or None if it writes none from low to high.

    Made for what strangers send: the length is looked at before anything is computed.

    >>> whole_number("18", 0, 99), whole_number("9" * 5000, 0, 99), whole_number("-1", 0, 99)
    (18, None, None)
    """
    if text is None or len(text) > len(str(high)) or not (text.isascii() and text.isdigit()):
        return None
    number = int(text)
    return number if low <= number <= high else None


def init_app(app: Flask) -> None:
    """Refuse, before any view, bodies and text that no form of ours can have sent."""
    app.before_request(_refuse_excess)
    app.before_request(_refuse_unstorable_text)


def _refuse_excess() -> None:
    """413 for a body over the limit or of too many fields.

    Werkzeug limits neither for urlencoded forms of unstated length, so the body is read here,
    through its limit, before anyone takes it apart.
    """
    if request.method in ("GET", "HEAD", "OPTIONS"):
        return
    if request.mimetype != "application/x-www-form-urlencoded":
        return
    body = request.get_data(cache=True)
    if body.count(b"&") >= MOST_FIELDS:
        raise RequestEntityTooLarge


def _refuse_unstorable_text() -> None:
    """400 for NUL, and for bytes that are not UTF-8, lone surrogates among them.

    Databases choke on the one. The others come out of a multipart form as U+FFFD, which would be
    kept as if somebody had meant it; in an address or a plain form they stay as they were sent.
    """
    if any("\0" in text or "\ufffd" in text for text in _all_text()):
        abort(400)


def _all_text() -> Iterator[str]:
    yield request.path
    for values in (request.args, request.form):
        for name, value in values.items(multi=True):
            yield name
            yield value
