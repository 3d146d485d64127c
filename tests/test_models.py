from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from flask import Flask
from flask_migrate import downgrade, upgrade
from sqlalchemy import inspect, text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from raisesum import create_app
from raisesum.extensions import WRITES, db
from raisesum.models import Game, Seat, User
from raisesum.services.transactions import write_transaction
from tests.conftest import close, settings


def test_migrations_from_nothing_lead_to_the_models(app: Flask) -> None:
    with app.app_context(), db.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, db.metadata) == []


def test_migrations_lead_back_to_nothing_and_forth_again(tmp_path: Path) -> None:
    app = create_app(settings(tmp_path))
    with app.app_context():
        upgrade()
        tables = set(inspect(db.engine).get_table_names())
        downgrade(revision="base")
        assert inspect(db.engine).get_table_names() == ["alembic_version"]
        upgrade()
        assert set(inspect(db.engine).get_table_names()) == tables
        with db.engine.connect() as connection:
            assert connection.execute(text("PRAGMA foreign_keys")).scalar_one() == 1
    close(app)


def test_constraints_have_names_so_that_migrations_can_change_them(app: Flask) -> None:
    with app.app_context():
        found = inspect(db.engine)
        for table in found.get_table_names():
            if table == "alembic_version":
                continue
            names = [each["name"] for each in found.get_unique_constraints(table)]
            names += [each["name"] for each in found.get_foreign_keys(table)]
            names += [each["name"] for each in found.get_check_constraints(table)]
            assert all(names), table


def add_game(session: Session, key: str) -> Game:
    game = Game(
        key=key,
        created_at=1,
        updated_at=1,
        status="playing",
        version=0,
        revision=0,
        setup="",
        state="",
    )
    session.add(game)
    session.flush()
    return game


@pytest.mark.parametrize(
    "seats",
    [
        [(1, True), (2, True)],
        [(1, True), (1, False)],
        [(0, False)],
        [(5, False)],
    ],
)
def test_the_database_itself_keeps_one_seat_a_person_and_one_person_a_seat(
    app: Flask, seats: list[tuple[int, bool]]
) -> None:
    def seat_them() -> None:
        with write_transaction() as session:
            insert_seats(session, seats)

    with app.app_context(), pytest.raises(IntegrityError):
        seat_them()


def insert_seats(session: Session, seats: list[tuple[int, bool]]) -> None:
    user = User(shown_name="Brave Otter", created_at=1)
    session.add(user)
    game = add_game(session, "k")
    for number, is_theirs in seats:
        seat = {"game_id": game.id, "number": number, "name": "x"}
        session.execute(
            Seat.__table__.insert(), {**seat, "user_id": user.id if is_theirs else None}
        )


def test_the_number_of_a_deleted_person_is_not_given_again(app: Flask) -> None:
    with app.app_context():
        numbers = []
        for _ in range(2):
            with write_transaction() as session:
                user = User(shown_name="Brave Otter", created_at=1)
                session.add(user)
                session.flush()
                numbers.append(user.id)
            with write_transaction() as session:
                session.delete(session.get_one(User, numbers[-1]))
        assert numbers[0] != numbers[1]


def test_a_migration_that_rebuilds_a_table_deletes_nothing_that_points_to_it(app: Flask) -> None:
    """What Alembic does to change a table of SQLite, under the conditions the migrations set."""
    with app.app_context():
        with write_transaction() as session:
            user = User(shown_name="Brave Otter", created_at=1)
            session.add(user)
            session.flush()
            game = add_game(session, "k")
            session.add(Seat(game_id=game.id, number=1, user_id=user.id, name="Brave Otter"))
        with db.engine.connect() as connection:
            connection.connection.driver_connection.execute("PRAGMA foreign_keys = 0")
            writing = connection.execution_options(**{WRITES: True})
            with writing.begin():
                writing.execute(text("CREATE TABLE rebuilt AS SELECT * FROM games"))
                writing.execute(text("DROP TABLE games"))
                writing.execute(text("ALTER TABLE rebuilt RENAME TO games"))
            connection.connection.driver_connection.execute("PRAGMA foreign_keys = 1")
            assert connection.execute(text("SELECT count(*) FROM seats")).scalar_one() == 1
