"""The only way to change the database.

SQLite lets one connection write at a time, and a transaction that began by reading cannot be
turned into a writing one once somebody else has written. So a change says at its beginning
that it is one, waits for its turn, and reads what it builds on only then:

    with write_transaction() as session:
        game = session.scalars(select(Game).filter_by(key=key).with_for_update()).one()
        game.version += 1

`with_for_update()` does nothing on SQLite, where the whole database is held; on PostgreSQL it
is what makes a second writer wait for the row.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import ORMExecuteState, Session

from raisesum.extensions import WRITES, db

_WRITING = "raisesum_writing"
_LOG = logging.getLogger(__name__)


@contextmanager
def write_transaction() -> Iterator[Session]:
    """A transaction that writes: committed at the end, rolled back on any exception.

    Whatever was read before is forgotten: an open read ends here, and objects read in it are
    read again when next used. Does not nest (`RuntimeError`): two services that must succeed
    together share one transaction by taking the session as an argument.
    """
    session = db.session()
    if session.info.get(_WRITING):
        raise RuntimeError("a write transaction is already open")
    session.rollback()
    session.info[_WRITING] = True
    try:
        session.connection(execution_options={WRITES: True})
        yield session
        session.commit()
    except BaseException:
        session.rollback()
        raise
    finally:
        del session.info[_WRITING]


@contextmanager
def if_possible() -> Iterator[None]:
    """For what is written beside what was asked for: without it when the database takes nothing.

    So a table can be looked at, and a move that was stored is answered, while the disk is full.
    """
    try:
        yield
    except DBAPIError as error:
        db.session.rollback()
        _LOG.warning("Left undone: %s", error.orig)


def _refuse_flush(session: Session, *_: Any) -> None:
    if not session.info.get(_WRITING):
        raise RuntimeError("a change to the database outside write_transaction()")


def _refuse_statement(state: ORMExecuteState) -> None:
    if state.is_insert or state.is_update or state.is_delete:
        _refuse_flush(state.session)


# A write that forgets the transaction would mostly work, and lose somebody's move one day.
event.listen(db.session, "before_flush", _refuse_flush)
event.listen(db.session, "do_orm_execute", _refuse_statement)
