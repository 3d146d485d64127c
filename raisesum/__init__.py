"""Raise the Sum: a card game in which each play must score more than the one before."""

from __future__ import annotations

import os
from collections.abc import Mapping
from types import TracebackType
from typing import Any, TypeAlias

from flask import Flask, has_request_context, request

from raisesum import cli, web
from raisesum import config as settings
from raisesum.extensions import db, engine_options, login_manager, migrate, prepare_engine

ExcInfo: TypeAlias = tuple[type, BaseException, TracebackType | None] | tuple[None, None, None]


class QuietFlask(Flask):
    """Flask, whose log of faults names the route and not the address: that may hold a secret."""

    def log_exception(self, exc_info: ExcInfo) -> None:
        """Write down a fault: where it happened, and how it came about."""
        method, route = ("", "no route")
        if has_request_context():
            method, route = request.method, str(request.url_rule or "no route")
        self.logger.error("fault in %s %s", method, route, exc_info=exc_info)


def create_app(config: Mapping[str, Any] | None = None) -> Flask:
    """The application, complete; see `raisesum.config` for what `config` may hold.

    Makes the instance folder, the secret key and an empty database file where they are
    missing, whoever else does so at the same time; the tables are made by the migrations.
    Raises `raisesum.config.ConfigurationError` for settings that cannot be used.
    """
    values = settings.load(config, os.environ)
    app = QuietFlask(
        __name__,
        instance_path=values["INSTANCE_PATH"],
        template_folder="../templates",
        static_folder="../static",
    )
    app.config.update(values)
    url = values["SQLALCHEMY_DATABASE_URI"]
    app.config.setdefault("SQLALCHEMY_ENGINE_OPTIONS", engine_options(url.get_backend_name()))

    db.init_app(app)
    with app.app_context():
        prepare_engine(db.engine)
    migrate.init_app(app, db)
    login_manager.init_app(app)

    web.init_app(app)
    cli.init_app(app)
    return app
