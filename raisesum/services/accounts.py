"""People: guests and accounts."""

from __future__ import annotations

from raisesum.models import User
from raisesum.services import names, signins
from raisesum.services.clock import now_ms
from raisesum.services.transactions import write_transaction


def create_guest(instead_of: str | None = None) -> tuple[int, str]:
    """Make a guest with a friendly name and sign them in: the user's id and the new token.

    `instead_of` as in `signins.start`.
    """
    with write_transaction() as session:
        user = User(shown_name=names.guest_name(), created_at=now_ms())
        session.add(user)
        session.flush()
        return user.id, signins.add(session, user.id, instead_of)
