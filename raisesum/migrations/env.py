"""Runs migrations, as one transaction that nobody else can write beside.

Several workers may start on one database: whoever comes second waits, then finds the work
done. SQLite changes a table by building it anew and dropping the old one, and with foreign
keys enforced the drop would delete every row that points to it. So they are off meanwhile, and
checked before the end.
"""

from __future__ import annotations

from typing import Any

from alembic import context
from flask import current_app
from sqlalchemy import Connection

from raisesum.extensions import WRITES, db


def _leave_out_empty_revisions(_context: Any, _revision: Any, directives: list[Any]) -> None:
    if (
        getattr(context.config.cmd_opts, "autogenerate", False)
        and directives[0].upgrade_ops.is_empty()
    ):
        directives.clear()


def _set_foreign_keys(connection: Connection, enforced: bool) -> None:
    # On the driver's own connection: inside a transaction SQLite ignores this.
    driver_connection: Any = connection.connection.driver_connection
    driver_connection.execute(f"PRAGMA foreign_keys = {int(enforced)}")


def _run() -> None:
    with db.engine.connect() as connection:
        on_sqlite = connection.dialect.name == "sqlite"
        if on_sqlite:
            _set_foreign_keys(connection, enforced=False)
        try:
            _migrate(connection.execution_options(**{WRITES: True}), on_sqlite)
        finally:
            if on_sqlite:
                _set_foreign_keys(connection, enforced=True)


def _migrate(connection: Connection, on_sqlite: bool) -> None:
    options = dict(current_app.extensions["migrate"].configure_args)
    context.configure(
        connection=connection,
        target_metadata=db.metadata,
        transactional_ddl=True,
        process_revision_directives=_leave_out_empty_revisions,
        **options,
    )
    with context.begin_transaction():
        context.run_migrations()
        if on_sqlite:
            broken = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
            if broken is not None:
                raise RuntimeError(f"the migration left a row of {broken[0]} pointing nowhere")


if context.is_offline_mode():
    raise SystemExit("Migrations run against the database itself, not as a script.")
_run()
