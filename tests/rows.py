"""What the database holds, read beside the application."""

from __future__ import annotations

from flask import Flask
from sqlalchemy import select, text

from raisesum.extensions import Base, db

Rows = dict[str, list[tuple[object, ...]]]


def all_rows(app: Flask) -> Rows:
    """Every row of every table, for comparing before and after."""
    with app.app_context(), db.engine.connect() as connection:
        return {
            table.name: sorted((tuple(row) for row in connection.execute(select(table))), key=repr)
            for table in Base.metadata.sorted_tables
        }


def count(app: Flask, table: str) -> int:
    """How many rows `table` has."""
    return len(all_rows(app)[table])


def schema(app: Flask) -> list[str]:
    """The statements that made the tables and indexes, as SQLite keeps them."""
    with app.app_context(), db.engine.connect() as connection:
        rows = connection.execute(text("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL"))
        return sorted(row[0] for row in rows)
