"""Raise the Sum: a card game in which each play must score more than the one before."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from flask import Flask

from raisesum import config as settings
from raisesum import cli, web
from raisesum.extensions import csrf, db, engine_options, login_manager, migrate, prepare_engine


def create_app(config: Mapping[str, Any] | None = None) -> Flask:
    """The application, complete; see `raisesum.config` for what `config` may hold.

    Makes the instance folder, the secret key and an empty database file where they are
    missing, whoever else does so at the same time; the tables are made by the migrations.
    Raises `raisesum.config.ConfigurationError` for settings that cannot be used.
    """
    values = settings.load(config, os.environ)
    app = Flask(
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
    csrf.init_app(app)

    web.init_app(app)
    cli.init_app(app)
    return app
