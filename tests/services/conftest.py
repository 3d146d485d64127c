from collections.abc import Iterator

import pytest
from flask import Flask


@pytest.fixture
def app_context(app: Flask) -> Iterator[None]:
    """Let the test itself use the database."""
    with app.app_context():
        yield
