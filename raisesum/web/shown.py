"""What the page that sends a request already shows, so that the answer brings only what is new."""

from __future__ import annotations

from typing import Final

from flask import request

_FORMER_NAMES: Final = {"log": "n", "said": "r", "presence": "p", "role": "as"}
"""The names in pages that an older program made. A page that is open while the server is upgraded
sends them until its first news."""


def shown_by_page(name: str) -> str | None:
    """Return what the page says it shows, or None if it does not say.

    `name` is "log" (the number of the last line), "said" (of the last phrase), "presence" (the
    presence mark), "rematch" (the rematch mark, where the match is over) or "role" (whose page a
    waiting room's is).
    """
    former = _FORMER_NAMES.get(name)
    return request.values.get(name, None if former is None else request.values.get(former))
