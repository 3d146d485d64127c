from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from flask import Flask
from sqlalchemy import event, text

from raisesum.extensions import BUSY_TIMEOUT_MS, SQLITE_PRAGMAS, db, sqlite_version
from raisesum.services.transactions import write_transaction


def test_every_connection_has_the_pragmas_that_keep_moves(app: Flask) -> None:
    together = Barrier(5)

    def read_back() -> dict[str, object]:
        with app.app_context(), db.engine.connect() as connection:
            together.wait()
            return {
                name: connection.execute(text(f"PRAGMA {name}")).scalar_one()
                for name in SQLITE_PRAGMAS
            }

    with ThreadPoolExecutor(5) as threads:
        answers = [future.result() for future in [threads.submit(read_back) for _ in range(5)]]
    assert (
        answers
        == [
            {
                "busy_timeout": BUSY_TIMEOUT_MS,
                "journal_mode": "wal",
                "synchronous": 2,
                "foreign_keys": 1,
                "cache_size": -512,
            }
        ]
        * 5
    )


def test_reads_begin_plainly_and_writes_begin_immediately(app: Flask) -> None:
    begun: list[str] = []
    with app.app_context():
        event.listen(
            db.engine,
            "before_cursor_execute",
            lambda _connection, _cursor, statement, *_: begun.append(statement),
        )
        db.session.execute(text("SELECT 1"))
        db.session.rollback()
        with write_transaction() as session:
            session.execute(text("SELECT 1"))
    assert begun == ["BEGIN", "SELECT 1", "BEGIN IMMEDIATE", "SELECT 1"]


def test_one_sqlite_library_serves_the_process(app: Flask) -> None:
    with app.app_context(), db.engine.connect() as connection:
        assert connection.execute(text("SELECT sqlite_version()")).scalar_one() == sqlite_version()


def test_messages_of_the_database_hold_no_values(app: Flask) -> None:
    with app.app_context():
        assert db.engine.hide_parameters
