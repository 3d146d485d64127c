"""Recovery codes: what stands in for the mail server we do not have.

A code is shown once, when it is made, and kept as a hash. It sets a new password one time and is
replaced by a new code then. It holds 100 random bits, so it cannot be guessed and a quick hash is
enough.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets

SHORTEST_FORM_ID = 22
"""Characters: 128 bits and more, in the alphabet of URLs."""

# Without look-alikes: no 0 and O, 1 and I and L, U and V.
_ALPHABET = "23456789ABCDEFGHJKMNPQRSTWXYZ"
_GROUPS, _GROUP_LENGTH = 5, 5


def new_code() -> str:
    """A code to show, in groups for copying by hand: `7KQ2M-XXXXX-XXXXX-XXXXX-XXXXX`."""
    return "-".join(
        "".join(secrets.choice(_ALPHABET) for _ in range(_GROUP_LENGTH)) for _ in range(_GROUPS)
    )


def new_form_id() -> str:
    """A name for a form that will make a code, to be sent back with it.

    Nobody else sees it: it stands in the page that is answered with the code itself.
    """
    return secrets.token_urlsafe(16)


def code_of(form_id: str) -> str:
    """The code that the form named `form_id` makes, however often it is sent.

    A form that names itself by nothing, or by something too short to be one of ours, makes a new
    code each time.

    >>> code_of("x" * 22) == code_of("x" * 22)
    True
    >>> code_of("") == code_of("")
    False
    """
    if len(form_id) < SHORTEST_FORM_ID:
        return new_code()
    length = _GROUPS * _GROUP_LENGTH
    digest = hashlib.shake_256(f"raisesum recovery form {form_id}".encode()).digest(2 * length)
    # Far more bits than are taken out, so that no letter comes up noticeably more often.
    number = int.from_bytes(digest)
    letters = ""
    for _ in range(length):
        number, place = divmod(number, len(_ALPHABET))
        letters += _ALPHABET[place]
    return "-".join(letters[at : at + _GROUP_LENGTH] for at in range(0, length, _GROUP_LENGTH))


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
