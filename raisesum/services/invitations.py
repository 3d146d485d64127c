"""Codes: six letters that lead to a table while it waits.

They are short enough to be called across a room, so they could be guessed by trying: whoever
tries ten that lead nowhere has to wait.
"""

from __future__ import annotations

import secrets

from sqlalchemy import select
from sqlalchemy.orm import Session

from raisesum.extensions import db
from raisesum.models import Game
from raisesum.services import attempts
from raisesum.services.refusals import RefusedError

#: No vowels, so that no words come out, and nothing that looks like a digit.
LETTERS = "BCDFGHJKLMNPQRSTVWXZ"
CODE_LENGTH = 6

WRONG_CODES = attempts.Limit(
    "join code", 10, within_ms=10 * attempts.MINUTE_MS, pause_ms=10 * attempts.MINUTE_MS
)


def new_code(session: Session) -> str:
    """Return a code that leads to no table now."""
    while True:
        code = "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))
        taken = session.scalars(select(Game.id).where(Game.code == code)).one_or_none()
        if taken is None:
            return code


def tidy(text: str) -> str | None:
    """Return the code that somebody typed, or None when it cannot be one.

    >>> tidy(" bcd-fgh "), tidy("BCDFGA")
    ('BCDFGH', None)
    """
    code = "".join(letter for letter in text[:40].upper() if letter not in " -.")
    return code if len(code) == CODE_LENGTH and set(code) <= set(LETTERS) else None


def key_for(text: str, visitor: attempts.Visitor) -> str:
    """Return the key of the table that the code `text`, as it was typed, leads to.

    Wrong codes are counted for where `visitor` comes from.

    Raises:
        RefusedError: it leads nowhere (field `code`).
        TooManyError: too many wrong codes have come from there, be this one right or wrong.
    """
    with attempts.tried([(WRONG_CODES, visitor.mark)]):
        code = tidy(text)
        key = None
        if code is not None:
            key = db.session.scalars(select(Game.key).where(Game.code == code)).one_or_none()
        if key is None:
            raise RefusedError(
                "No table has this code. Ask for it again: a code stops working when the match "
                "starts.",
                "code",
            )
        return key
