"""Who is signed in where: one row per browser, found by the hash of a random token.

The browser keeps the token, the database its hash. A sign-in ends when its row goes, wherever
a copy of the cookie may be.
"""

from __future__ import annotations

import hashlib
import secrets
from typing import NamedTuple

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session, contains_eager

from raisesum.extensions import db
from raisesum.models import Handover, SignIn, User
from raisesum.services.clock import now_ms
from raisesum.services.transactions import write_transaction

SEEN_EVERY_MS = 24 * 3600 * 1000
"""How old `seen_at` may grow before it is written again."""

LIFETIME_MS = 400 * 24 * 3600 * 1000
"""How long a sign-in lives that is not used: as long as a browser keeps its cookie."""


def token_hash(token: str) -> str:
    """What the database keeps of a token. It is random enough to need no slow hash."""
    return hashlib.sha256(token.encode()).hexdigest()


def add(session: Session, user_id: int, replaces_token: str | None = None) -> str:
    """Within an open transaction, sign `user_id` in once more and return the new token.

    `replaces_token` is the token this browser had so far, if any, which ends: one browser holds one
    sign-in.
    """
    token = secrets.token_urlsafe(32)
    now = now_ms()
    session.execute(
        delete(SignIn).where(SignIn.user_id == user_id, SignIn.seen_at < now - LIFETIME_MS)
    )
    if replaces_token is not None:
        session.execute(delete(SignIn).where(SignIn.token_hash == token_hash(replaces_token)))
    session.add(SignIn(token_hash=token_hash(token), user_id=user_id, created_at=now, seen_at=now))
    return token


def find(token: str) -> SignIn | None:
    """The sign-in that `token` stands for, with its `user` loaded, or None if it has ended."""
    return db.session.scalars(
        select(SignIn)
        .join(SignIn.user)
        .where(
            SignIn.token_hash == token_hash(token),
            SignIn.seen_at >= now_ms() - LIFETIME_MS,
            User.disabled_at.is_(None),
        )
        .options(contains_eager(SignIn.user))
    ).one_or_none()


class Place(NamedTuple):
    """One browser in which a person is signed in; times in ms since 1970."""

    created_at: int
    seen_at: int
    is_this: bool
    """Whether it is the browser that asks."""


def places_of(user_id: int, token: str | None) -> list[Place]:
    """Where the person is signed in, the browser with `token` first, then the latest used."""
    this = token_hash(token) if token else None
    rows = db.session.scalars(
        select(SignIn)
        .where(SignIn.user_id == user_id, SignIn.seen_at >= now_ms() - LIFETIME_MS)
        .order_by(SignIn.seen_at.desc(), SignIn.id.desc())
    )
    places = [Place(row.created_at, row.seen_at, row.token_hash == this) for row in rows]
    return sorted(places, key=lambda place: not place.is_this)


def end(token: str) -> None:
    """End one sign-in. Ending it twice is harmless."""
    with write_transaction() as session:
        session.execute(delete(SignIn).where(SignIn.token_hash == token_hash(token)))


def end_others(session: Session, user_id: int, kept: str | None) -> None:
    """Within an open transaction, end all sign-ins of `user_id` except the token `kept`.

    A link that would sign another device in ends with them.
    """
    session.execute(delete(Handover).where(Handover.user_id == user_id))
    ended = delete(SignIn).where(SignIn.user_id == user_id)
    if kept is not None:
        ended = ended.where(SignIn.token_hash != token_hash(kept))
    session.execute(ended)


def note_seen(token: str) -> bool:
    """Write down that the sign-in is in use, at most once a day; True when it was written."""
    sign_in = find(token)
    if sign_in is None or now_ms() - sign_in.seen_at < SEEN_EVERY_MS:
        return False
    with write_transaction() as session:
        session.execute(
            update(SignIn).where(SignIn.token_hash == token_hash(token)).values(seen_at=now_ms())
        )
    return True
