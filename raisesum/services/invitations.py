"""Invitations: for each table that waits a link with a token of its own, and a code of six letters.

Both change when somebody is removed, so that nobody comes back by what they know. Codes are short
enough to be called across a room, so they could be guessed by trying. How often that may be tried
is in `services.limits`.
"""

from __future__ import annotations

import re
import secrets
import unicodedata

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from raisesum.extensions import db
from raisesum.models import Game, Seat
from raisesum.services import attempts, limits
from raisesum.services.errors import NoSuchTableError
from raisesum.services.refusals import RefusedError

TOKEN_BYTES = 16

#: No vowels, so that no words come out, and nothing that looks like a digit.
LETTERS = "BCDFGHJKLMNPQRSTVWXZ"
CODE_LENGTH = 6

#: What is longer is no message that somebody would paste for its code.
_LONGEST_MESSAGE = 2000


def new_code(session: Session) -> str:
    """Return a code that leads to no table now."""
    while True:
        code = "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))
        taken = session.scalars(select(Game.id).where(Game.code == code)).one_or_none()
        if taken is None:
            return code


def renew(session: Session, game: Game) -> None:
    """Within an open transaction, invite people to `game` by a new link and a new code."""
    game.invitation = secrets.token_urlsafe(TOKEN_BYTES)
    game.code = new_code(session)


def key_behind(token: str) -> str:
    """Return the key of the table to which the link with `token` invites.

    Raises:
        NoSuchTableError: it invites to none, or does not any more.
    """
    key = db.session.scalars(select(Game.key).where(Game.invitation == token)).one_or_none()
    if key is None:
        raise NoSuchTableError
    return key


def code_in(text: str) -> str | None:
    """Return the code in what somebody typed or pasted, or None when it has none, or several.

    A code may stand in words of its own, between signs and other words: those have vowels, which
    codes have not.

    >>> code_in(" bcd-fgh "), code_in("Code: “bcd fgh”."), code_in("BCDFGA")
    ('BCDFGH', 'BCDFGH', None)
    """
    words = re.findall(r"[^\W_]+", unicodedata.normalize("NFKC", text[:_LONGEST_MESSAGE]))
    found: dict[str, bool] = {}
    for first in range(len(words)):
        joined = ""
        for word in words[first:]:
            joined += word
            if len(joined) >= CODE_LENGTH:
                break
        code = joined.upper()
        if len(code) == CODE_LENGTH and set(code) <= set(LETTERS):
            found[code] = found.get(code, False) or joined == code
    # "BCD FGH thx" has two, and one in the letters that we show codes in.
    as_shown = [code for code, is_as_shown in found.items() if is_as_shown]
    for codes in (list(found), as_shown):
        if len(codes) == 1:
            return codes[0]
    return None


def token_for(text: str, visitor: attempts.Visitor, user_id: int | None = None) -> str:
    """Return the token of the invitation that the code in `text`, as it was typed, stands for.

    Once the match has begun, that is so only for `user_id` who sits there. Wrong codes are counted,
    for the browser and for where it is; text without a code is not, nor is a code that was right
    before its match began.

    Raises:
        RefusedError: it leads nowhere (field `code`).
        TooManyError: too many wrong codes have come from there, be this one right or wrong.
    """
    code = code_in(text)
    if code is None:
        raise RefusedError(
            "There is no code in this. A code has six letters, such as BCD FGH, and no vowels or "
            "digits. Or paste the link that you were sent.",
            "code",
        )
    open_tables = db.session.scalar(select(func.count()).where(Game.code.is_not(None))) or 0
    with attempts.tried(limits.wrong_code(visitor, open_tables)):
        waiting = select(Game.invitation).where(Game.code == code)
        token = db.session.scalars(waiting).one_or_none()
        if token is not None:
            return token
        begun = db.session.execute(
            select(Game.id, Game.invitation).where(Game.begun_code == code).order_by(Game.id.desc())
        ).first()
        if begun is None:
            raise RefusedError(
                "No table has this code. Check the letters, or ask for the link instead.", "code"
            )
        own_seat = select(Seat.number).where(Seat.game_id == begun.id, Seat.user_id == user_id)
        if user_id is not None and db.session.scalar(own_seat) is not None:
            return str(begun.invitation)
    raise RefusedError(
        "That table has already begun its match, and its seats are taken. Ask your friends for the "
        "code of their next one.",
        "code",
    )
