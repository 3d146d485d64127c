from collections.abc import Callable
from itertools import cycle, product

import pytest
from flask import Flask

from raisesum.services import names
from tests.web.browser import Browser

# Of the lists that guests' names are drawn from, and in nothing that a page says otherwise.
NAMES = [
    " ".join(words) for words in product(("Jovial", "Vivid", "Zesty"), ("Ibex", "Tapir", "Yak"))
]


@pytest.fixture(autouse=True)
def _known_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """Name guests in turn: "Plucky", drawn by chance, holds a word that a test wants not to see."""
    taken = cycle(NAMES)
    monkeypatch.setattr(names, "guest_name", lambda: next(taken))


@pytest.fixture
def browser(app: Flask) -> Browser:
    return Browser(app)


@pytest.fixture
def new_browser(app: Flask) -> Callable[..., Browser]:
    """More browsers, each with cookies of its own."""

    def make(base_url: str = "http://localhost") -> Browser:
        return Browser(app, base_url)

    return make
