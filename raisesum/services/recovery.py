"""Recovery codes: what stands in for the mail server we do not have.

A code is shown once, when it is made, and kept as a hash. It sets a new password one time and is
replaced by a new code then. It holds 100 random bits, so it cannot be guessed and a quick hash is
enough.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets

# Without look-alikes: no 0 and O, 1 and I and L, U and V.
_ALPHABET = "23456789ABCDEFGHJKMNPQRSTWXYZ"
_GROUPS, _GROUP_LENGTH = 5, 5


def new_code() -> str:
    """A code to show, in groups for copying by hand: `7KQ2M-XXXXX-XXXXX-XXXXX-XXXXX`."""
    return "-".join(
        "".join(secrets.choice(_ALPHABET) for _ in range(_GROUP_LENGTH)) for _ in range(_GROUPS)
    )


def code_hash(code: str) -> str:
    """What is kept of a code.

    >>> code_hash("7KQ2M-AAAAA") == code_hash(" 7kq2m aaaaa ")
    True
    """
    plain = "".join(character for character in code[:200].upper() if character.isalnum())
    return hashlib.sha256(f"raisesum recovery {plain}".encode()).hexdigest()


def matches(kept: str | None, code: str) -> bool:
    """Whether `code`, however it was typed, is the one that `kept` was made from."""
    return kept is not None and hmac.compare_digest(kept, code_hash(code))
