"""Taking everything from one database to another, of whatever kind each is."""

from __future__ import annotations

from sqlalchemy import Connection, Engine, Table, func, insert, select

from raisesum.extensions import WRITES, Base, db
from raisesum.models import Heartbeat
from raisesum.services.errors import ServiceError

_ROWS_AT_ONCE = 500


class NotEmptyError(ServiceError):
    """The database to be filled has rows already."""

    def __init__(self, table: str) -> None:
        super().__init__(f"It is not empty: there are rows in its table {table}.")


def copy_rows_to(target: Engine) -> list[tuple[str, int]]:
    """Fill `target`, whose tables are made and empty; return each table's name and rows.

    All of it or nothing is there afterwards.

    Raises:
        NotEmptyError: something is in it already.
    """
    tables = Base.metadata.sorted_tables
    with target.connect() as plain:
        connection = plain.execution_options(**{WRITES: True})
        with connection.begin():
            for table in tables:
                _see_that_it_is_empty(connection, table)
            return [(table.name, _copy(connection, table)) for table in tables]


def _see_that_it_is_empty(connection: Connection, table: Table) -> None:
    if table.name == Heartbeat.__tablename__:
        # The sign of life of a server that has run there says nothing of people or matches.
        connection.execute(table.delete())
    elif connection.execute(select(func.count()).select_from(table)).scalar_one():
        raise NotEmptyError(table.name)


def _copy(connection: Connection, table: Table) -> int:
    copied = 0
    # The latest first: a row points to later ones of its own table only, as to a rematch.
    order = [column.desc() for column in table.primary_key]
    rows = db.session.execute(select(table).order_by(*order)).mappings()
    while some := rows.fetchmany(_ROWS_AT_ONCE):
        connection.execute(insert(table), [dict(row) for row in some])
        copied += len(some)
    if copied and connection.dialect.name == "postgresql" and "id" in table.c:
        sequence = func.pg_get_serial_sequence(table.name, "id")
        highest = select(func.max(table.c.id)).scalar_subquery()
        connection.execute(select(func.setval(sequence, highest))).all()
    return copied
