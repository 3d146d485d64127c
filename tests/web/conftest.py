from collections.abc import Callable

import pytest
from flask import Flask

from tests.web.browser import Browser


@pytest.fixture
def browser(app: Flask) -> Browser:
    return Browser(app)


@pytest.fixture
def new_browser(app: Flask) -> Callable[..., Browser]:
    """More browsers, each with cookies of its own."""

    def make(base_url: str = "http://localhost") -> Browser:
        return Browser(app, base_url)

    return make
