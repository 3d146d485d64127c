"""Going on with another device: a link that signs its person in there, once."""

from __future__ import annotations

import secrets

from sqlalchemy import delete, select

from raisesum.extensions import db
from raisesum.models import Handover, User
from raisesum.services import server_time, signins
from raisesum.services.accounts import Entrance
from raisesum.services.errors import ServiceError
from raisesum.services.transactions import write_transaction

LASTS_MS = 10 * 60_000


class HandoverEndedError(ServiceError):
    """The link was used already, or is too old, or never was one."""

    def __init__(self) -> None:
        super().__init__(
            "This link has been used already, or it is older than ten minutes. Make a new one "
            "on the device you come from."
        )


def begin(user_id: int) -> str:
    """Return the token of a new link for this person; one that they had before ends.

    Raises:
        ServiceError: the person has an account, and can sign in anywhere.
    """
    token = secrets.token_urlsafe(32)
    with write_transaction() as session:
        user = session.get(User, user_id, with_for_update=True)
        if user is None or not user.is_guest:
            raise ServiceError("You have an account: sign in with it on the other device.")
        now = server_time.now_ms()
        session.execute(
            delete(Handover).where((Handover.user_id == user_id) | (Handover.ends_at <= now))
        )
        session.add(
            Handover(token_hash=signins.token_hash(token), user_id=user_id, ends_at=now + LASTS_MS)
        )
    return token


def name_behind(token: str) -> str:
    """Return the name of the person whom the link signs in; looking uses nothing up.

    Raises:
        HandoverEndedError: it signs nobody in.
    """
    name = db.session.scalars(
        select(User.shown_name)
        .join(Handover, Handover.user_id == User.id)
        .where(
            Handover.token_hash == signins.token_hash(token),
            Handover.ends_at > server_time.now_ms(),
        )
    ).one_or_none()
    if name is None:
        raise HandoverEndedError
    return name


def use(token: str, replaces_token: str | None = None) -> Entrance:
    """Sign the link's person in and use it up.

    Raises:
        HandoverEndedError: it signs nobody in.
    """
    with write_transaction() as session:
        row = session.get(Handover, signins.token_hash(token), with_for_update=True)
        if row is None or row.ends_at <= server_time.now_ms():
            raise HandoverEndedError
        user_id = row.user_id
        session.delete(row)
        session.flush()
        return Entrance(user_id, signins.add(session, user_id, replaces_token))
