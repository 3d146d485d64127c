"""Figures of a part, printed as they are found, and what stops one."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager


class SkippedError(Exception):
    """The machine has not what the part needs; the message says what."""


class BrokenPromiseError(AssertionError):
    """Something that is promised did not hold."""


class Report:
    """The figures of one part."""

    def __init__(self, part: str) -> None:
        self.part = part
        self.figures: dict[str, object] = {}

    def figure(self, name: str, value: object) -> None:
        """Print a figure and keep it."""
        self.figures[name] = value
        print(f"{self.part}: {name}: {value}", flush=True)


def hold(is_so: object, what: str) -> None:
    """Stop the part when a promise is broken; `what` says how."""
    if not is_so:
        raise BrokenPromiseError(what)


def times(many: int, scale: float, least: int = 1) -> int:
    """`many` of something at full scale, and never fewer than `least`."""
    return max(least, round(many * scale))


def percentile(values: list[float], share: float) -> float:
    """The smallest value that at least `share` (0 to 1) of the values do not exceed.

    >>> percentile([1.0, 2.0, 3.0, 4.0], 0.5), percentile([1.0, 2.0, 3.0, 4.0], 0.99)
    (2.0, 4.0)
    """
    ordered = sorted(values)
    return ordered[max(0, -(-len(ordered) * share // 1).__int__() - 1)]


@contextmanager
def quiet() -> Iterator[None]:
    """Log nothing meanwhile: what is provoked on purpose would fill the screen."""
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(logging.NOTSET)
