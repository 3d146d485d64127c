"""The account page: where one is signed in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from raisesum.services.signins import Place


@dataclass(frozen=True, slots=True)
class PlaceRow:
    """A browser in a list; `since` and `used` are days, as in "3 May 2026" (UTC)."""

    name: str
    since: str
    used: str


def present_places(places: Iterable[Place]) -> tuple[PlaceRow, ...]:
    """Return the browsers as rows of a list."""
    return tuple(
        PlaceRow(
            "This browser" if place.is_this else "Another browser",
            day(place.created_at),
            day(place.seen_at),
        )
        for place in places
    )


def day(at_ms: int) -> str:
    """The day of a moment (UTC).

    >>> day(1_780_000_000_000)
    '28 May 2026'
    """
    moment = datetime.fromtimestamp(at_ms / 1000, UTC)
    return f"{moment.day} {moment:%B %Y}"
