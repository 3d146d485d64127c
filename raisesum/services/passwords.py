"""Passwords: which will do, and how they are kept.

Argon2id with the parameters OWASP recommends. A hash takes 19 MiB and some tens of milliseconds,
so a process computes one at a time: several at once would take hundreds of megabytes from a small
server.
"""

from __future__ import annotations

import threading
import unicodedata
from functools import cache
from pathlib import Path

from argon2 import PasswordHasher, Type
from argon2.exceptions import Argon2Error, InvalidHashError

from raisesum.services.refusals import RefusedError

SHORTEST, LONGEST = 8, 256
MEMORY_KIB, ITERATIONS, LANES = 19_456, 2, 1

_COMMON = Path(__file__).resolve().parent.parent / "data" / "common_passwords.txt"
_OUR_WORDS = ("raisethesum", "raise the sum", "raisesum")

_hasher = PasswordHasher(
    time_cost=ITERATIONS, memory_cost=MEMORY_KIB, parallelism=LANES, type=Type.ID
)
_one_at_a_time = threading.Lock()


def check(password: str, handle: str = "", field: str = "password") -> None:
    """Raise `RefusedError`, saying why, when `password` will not do for `handle`.

    Any characters will do, in any mixture; it must be long enough and not among the first that
    somebody would try.
    """
    length = len(_normal(password)) if len(password) <= 4 * LONGEST else len(password)
    if length < SHORTEST:
        raise RefusedError(f"Use at least {SHORTEST} characters; this has {length}.", field)
    if length > LONGEST:
        raise RefusedError(f"Use at most {LONGEST} characters.", field)
    plain = _normal(password).casefold()
    if plain in _common_passwords():
        raise RefusedError(
            "This is one of the passwords people choose most, so it would be guessed at once. "
            "Three or four words that have nothing to do with each other make a good one.",
            field,
        )
    if handle and plain in (handle.casefold(), handle.casefold() * 2):
        raise RefusedError("Do not use your own name as the password.", field)
    if plain in _OUR_WORDS:
        raise RefusedError("The name of this game is the first thing anyone would try.", field)


def hash_password(password: str) -> str:
    """What is kept of a password that has passed `check`."""
    with _one_at_a_time:
        return _hasher.hash(_normal(password))


def verify(kept: str | None, password: str) -> bool:
    """Whether `kept` was made from `password`.

    With nothing kept, for a name that nobody has, it takes as long and says no: the time told
    otherwise who has an account.
    """
    if len(password) > 4 * LONGEST:
        # No password is that long; what it would cost to normalise it is not spent.
        password = ""
    hashed = kept or _NOBODYS_HASH
    with _one_at_a_time:
        try:
            _hasher.verify(hashed, _normal(password))
        except (Argon2Error, InvalidHashError):
            return False
    return kept is not None


def is_outdated(kept: str) -> bool:
    """Whether `kept` was made with other parameters than today's."""
    return _hasher.check_needs_rehash(kept)


def _normal(password: str) -> str:
    """One form for what looks and is typed the same: keyboards differ in how they write an é."""
    return unicodedata.normalize("NFC", password)


@cache
def _common_passwords() -> frozenset[str]:
    return frozenset(_COMMON.read_text(encoding="utf-8").splitlines())


# A hash that no password has, whose parameters are those of the others: verifying against it
# takes what any verifying takes.
_NOBODYS_HASH = f"$argon2id$v=19$m={MEMORY_KIB},t={ITERATIONS},p={LANES}${'A' * 22}${'A' * 43}"
