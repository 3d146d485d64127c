"""What whoever runs the server may do with people: list, let in again, shut out, delete.

People are named by their handle, or by `#` and the number of their row, which guests have too.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from raisesum.extensions import db
from raisesum.models import Seat, SignIn, User
from raisesum.services import accounts, names, passwords, recovery, signins
from raisesum.services.clock import now_ms
from raisesum.services.errors import ServiceError
from raisesum.services.transactions import write_transaction

#: Without look-alikes; 12 of them are 57 random bits, for a password that is changed at once.
_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"


class NoSuchPersonError(ServiceError):
    """Nobody has this name."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"Nobody is called {name}. Give a name to sign in with, or # and a number of the list."
        )


@dataclass(frozen=True)
class Person:
    """A line of the list; times in ms since 1970."""

    number: int
    handle: str | None
    shown_name: str
    created_at: int
    seen_at: int | None
    """When a sign-in that has not ended was last noted as used."""
    tables: int
    disabled: bool


def people(*, guests: bool) -> Iterator[Person]:
    """Yield everybody with an account, and with `guests` all guests too, in the order they came."""
    seen = select(func.max(SignIn.seen_at)).where(SignIn.user_id == User.id).scalar_subquery()
    tables = select(func.count()).where(Seat.user_id == User.id).scalar_subquery()
    query = select(User, seen, tables).order_by(User.id)
    if not guests:
        query = query.where(User.handle.is_not(None))
    for user, seen_at, many in db.session.execute(query):
        yield Person(
            number=user.id,
            handle=user.handle,
            shown_name=user.shown_name,
            created_at=user.created_at,
            seen_at=seen_at,
            tables=many or 0,
            disabled=user.disabled_at is not None,
        )


def reset_password(name: str) -> tuple[str, str]:
    """Give an account a new password and recovery code, and end all its sign-ins; return both.

    Raises:
        NoSuchPersonError: there is no such person.
        ServiceError: it is a guest, who has no password.
    """
    password = "-".join("".join(secrets.choice(_LETTERS) for _ in range(4)) for _ in range(3))
    hashed = passwords.hash_password(password)
    code = recovery.new_code()
    with write_transaction() as session:
        user = _found(session, name)
        if user.is_guest:
            raise ServiceError("A guest has no password.")
        user.password_hash = hashed
        user.recovery_hash = recovery.code_hash(code)
        signins.end_others(session, user.id, kept=None)
    return password, code


def set_disabled(name: str, disabled: bool) -> None:
    """Shut a person out at once, on every device, or let them in again. Their seats stay theirs.

    Raises:
        NoSuchPersonError: there is no such person.
    """
    with write_transaction() as session:
        user = _found(session, name)
        user.disabled_at = now_ms() if disabled else None
        if disabled:
            signins.end_others(session, user.id, kept=None)


def delete(name: str) -> None:
    """Delete a person as they could themselves.

    Raises:
        NoSuchPersonError: there is no such person.
    """
    with write_transaction() as session:
        accounts.delete_within(session, _found(session, name))


def _found(session: Session, name: str) -> User:
    query = select(User).with_for_update()
    if name.startswith("#"):
        number = name[1:]
        if not (number.isascii() and number.isdigit() and len(number) < 10):
            raise NoSuchPersonError(name)
        query = query.where(User.id == int(number))
    else:
        query = query.where(User.handle_key == (names.handle_key(name) or ""))
    user = session.scalars(query).one_or_none()
    if user is None:
        raise NoSuchPersonError(name)
    return user
