"""The web part: thin views over the services, and what every request and answer has in common."""

from __future__ import annotations

from flask import Flask

from raisesum.web import sessions


def init_app(app: Flask) -> None:
    """Give `app` its routes, headers, error pages and the one cookie."""
    sessions.init_app(app)
