"""How often something may be tried: counted in the database, so by all processes together.

A `Limit` says how many tries there are in a while; who tries is any text, an account's key or a
mark of a network address, and only its hash is kept, until the while is over. Tries are counted
before what they are for is done, so that sixteen at once are sixteen, and taken back when they
have turned out well. A try that is refused is not counted: who waits as told gets in.

    with attempts.tried(limits.wrong_code(visitor, open_tables)):
        find_by(code)  # its refusal leaves the try counted
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from sqlalchemy import case, delete, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from raisesum.models import Throttle
from raisesum.services import server_time
from raisesum.services.errors import ServiceError
from raisesum.services.transactions import write_transaction

MINUTE_MS = 60_000
HOUR_MS = 60 * MINUTE_MS

#: How many forgotten rows a count takes away with it.
_SWEPT = 50


@dataclass(frozen=True)
class Limit:
    """At most `most` tries in `within_ms` milliseconds from the first of them."""

    what: str
    """Names the limit in the database; at most 20 characters."""
    most: int
    within_ms: int
    refusal: str = "Too many tries. Wait {wait}, then try again."
    """What is said to people beyond it: what was too much, and what they can do."""


class Visitor(NamedTuple):
    """Where a request comes from, as far as limits need to know."""

    mark: str
    """Stands for a network address, and cannot be turned back into it."""
    newcomers: int = 300
    """How many new people may come from there in an hour."""
    browser: str = ""
    """Stands for the browser among others of that address; empty for one that keeps no cookie."""


Tries: TypeAlias = Sequence[tuple[Limit, str]]


class TooManyError(ServiceError):
    """There were too many tries; `seconds` from now it can be tried again."""

    def __init__(self, limit: Limit, seconds: int) -> None:
        self.seconds = seconds
        minutes = -(-seconds // 60)
        wait = "a minute" if minutes == 1 else f"{minutes} minutes"
        super().__init__(limit.refusal.format(wait=wait))


@contextmanager
def tried(tries: Tries) -> Iterator[None]:
    """Count one try for each limit; take them back if no exception comes out of the block.

    Raises:
        TooManyError: one of the limits is spent. Then nothing is counted.
    """
    count(tries)
    yield
    take_back(tries)


def count(tries: Tries) -> None:
    """Count one try for each limit.

    Raises:
        TooManyError: one of them is spent. Then nothing is counted.
    """
    if tries:
        with write_transaction() as session:
            count_within(session, tries)


def count_within(session: Session, tries: Tries) -> None:
    """Do as `count` within an open transaction, which must end when it raises."""
    now = server_time.now_ms()
    for limit, who in sorted(tries, key=_order):
        made, until = session.execute(_one_more(session, limit, who, now)).one()
        if made > limit.most:
            raise TooManyError(limit, max(1, -(-(until - now) // 1000)))
    if tries:
        _sweep(session, now)


def take_back(tries: Tries) -> None:
    """Uncount one try for each limit."""
    if not tries:
        return
    with write_transaction() as session:
        for limit, who in sorted(tries, key=_order):
            session.execute(
                update(Throttle)
                .where(Throttle.what == limit.what, Throttle.who == _hash(who), Throttle.tries > 0)
                .values(tries=Throttle.tries - 1)
            )


def _one_more(session: Session, limit: Limit, who: str, now: int) -> Any:
    """The statement that counts a try and tells how many there are, and until when."""
    insert = postgresql.insert if session.get_bind().dialect.name == "postgresql" else sqlite.insert
    begun_anew = Throttle.until <= now
    until: Any = case((begun_anew, now + limit.within_ms), else_=Throttle.until)
    return (
        insert(Throttle)
        .values(what=limit.what, who=_hash(who), tries=1, until=now + limit.within_ms)
        .on_conflict_do_update(
            index_elements=[Throttle.what, Throttle.who],
            set_={"tries": case((begun_anew, 1), else_=Throttle.tries + 1), "until": until},
        )
        .returning(Throttle.tries, Throttle.until)
    )


def _sweep(session: Session, now: int) -> None:
    """Take away what is over. Rows that somebody else holds are left to the next time."""
    over = session.execute(
        select(Throttle.what, Throttle.who)
        .where(Throttle.until <= now)
        .limit(_SWEPT)
        .with_for_update(skip_locked=True)
    ).all()
    for what, who in over:
        session.execute(delete(Throttle).where(Throttle.what == what, Throttle.who == who))


def _hash(who: str) -> str:
    return hashlib.sha256(who.encode("utf-8", "surrogatepass")).hexdigest()


def _order(each: tuple[Limit, str]) -> tuple[str, str]:
    # The same for everyone, so that two who count at once never wait for each other.
    return each[0].what, _hash(each[1])
