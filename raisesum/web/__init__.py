"""The web part: thin views over the services, and what every request and answer has in common."""

from __future__ import annotations

from flask import Flask

from raisesum.web import (
    accounts,
    company,
    csrf,
    decks,
    errors,
    forms,
    friends,
    games,
    handovers,
    home,
    invitations,
    isolation,
    lesson,
    operations,
    practice,
    printing,
    privacy,
    replays,
    review,
    seat_offers,
    security,
    sessions,
    settings,
    static_files,
    unknown_tables,
    waiting,
)

BLUEPRINTS = (
    home.blueprint,
    games.blueprint,
    company.blueprint,
    waiting.blueprint,
    invitations.blueprint,
    seat_offers.blueprint,
    friends.blueprint,
    handovers.blueprint,
    replays.blueprint,
    accounts.blueprint,
    settings.blueprint,
    privacy.blueprint,
    operations.blueprint,
    lesson.blueprint,
    decks.blueprint,
    printing.blueprint,
    practice.blueprint,
    review.blueprint,
)


def init_app(app: Flask) -> None:
    """Give `app` its routes, headers, error pages and the one cookie."""
    # First, so that whatever is refused is counted too.
    operations.init_app(app)
    # In this order a request is looked at: its host, its size and text, its form token.
    security.init_app(app)
    forms.init_app(app)
    csrf.init_app(app)
    sessions.init_app(app)
    static_files.init_app(app)
    isolation.init_app(app)
    errors.init_app(app)
    unknown_tables.init_app(app)
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)
