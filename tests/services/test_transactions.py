from concurrent.futures import ThreadPoolExecutor

import pytest
from flask import Flask
from sqlalchemy import select, text, update
from sqlalchemy.exc import OperationalError

from raisesum import extensions
from raisesum.extensions import db
from raisesum.models import User
from raisesum.services.transactions import write_transaction

THREADS, TIMES = 8, 40


def make_user(name: str = "Brave Otter") -> int:
    with write_transaction() as session:
        user = User(shown_name=name, created_at=0)
        session.add(user)
        session.flush()
        return user.id


def test_no_update_is_lost_among_eight_threads(app: Flask) -> None:
    with app.app_context():
        user_id = make_user()

    def count_up() -> None:
        with app.app_context():
            for _ in range(TIMES):
                # As a request does it: somebody has read before the change begins.
                db.session.get_one(User, user_id)
                with write_transaction() as session:
                    user = session.get_one(User, user_id, with_for_update=True)
                    user.created_at += 1

    with ThreadPoolExecutor(THREADS) as threads:
        for future in [threads.submit(count_up) for _ in range(THREADS)]:
            future.result()
    with app.app_context():
        assert db.session.get_one(User, user_id).created_at == THREADS * TIMES


@pytest.mark.usefixtures("app_context")
def test_what_was_read_before_is_read_again(app: Flask) -> None:
    user_id = make_user()
    user = db.session.get_one(User, user_id)
    assert user.shown_name == "Brave Otter"
    with ThreadPoolExecutor(1) as threads:
        threads.submit(rename_elsewhere, app, user_id).result()
    assert user.shown_name == "Brave Otter"
    with write_transaction():
        assert user.shown_name == "Elsewhere"


def rename_elsewhere(app: Flask, user_id: int) -> None:
    with app.app_context(), write_transaction() as session:
        session.get_one(User, user_id).shown_name = "Elsewhere"


@pytest.mark.usefixtures("app_context")
def test_an_exception_undoes_everything() -> None:
    user_id = make_user()

    def change_and_stop() -> None:
        with write_transaction() as session:
            session.get_one(User, user_id).shown_name = "Changed"
            session.flush()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        change_and_stop()
    assert db.session.get_one(User, user_id).shown_name == "Brave Otter"


@pytest.mark.usefixtures("app_context")
def test_it_does_not_nest() -> None:
    with (
        write_transaction(),
        pytest.raises(RuntimeError, match="already open"),
        write_transaction(),
    ):
        pass


@pytest.mark.usefixtures("app_context")
def test_a_change_outside_of_it_is_refused() -> None:
    user_id = make_user()
    db.session.get_one(User, user_id).shown_name = "Changed"
    with pytest.raises(RuntimeError, match="outside write_transaction"):
        db.session.commit()
    db.session.rollback()
    with pytest.raises(RuntimeError, match="outside write_transaction"):
        db.session.execute(update(User).values(shown_name="Changed"))
    db.session.rollback()
    assert db.session.scalars(select(User.shown_name)).all() == ["Brave Otter"]


@pytest.mark.sqlite
def test_a_database_that_stays_locked_is_an_error_and_passes(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(extensions.SQLITE_PRAGMAS, "busy_timeout", 20)
    with app.app_context():
        db.engine.dispose()
        with db.engine.connect() as other:
            other.execution_options(**{extensions.WRITES: True}).execute(text("SELECT 1"))
            with pytest.raises(OperationalError, match="locked"):
                make_user()
        make_user("Patient Heron")
        assert db.session.scalars(select(User.shown_name)).all() == ["Patient Heron"]
