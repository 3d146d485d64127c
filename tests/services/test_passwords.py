import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from argon2 import PasswordHasher

from raisesum.services import passwords
from raisesum.services.refusals import RefusedError

GOOD = "seven quiet otters"


def test_hashes_are_argon2id_with_owasps_parameters() -> None:
    assert passwords.hash_password(GOOD).startswith("$argon2id$v=19$m=19456,t=2,p=1$")


def test_a_password_is_known_again_and_another_is_not() -> None:
    kept = passwords.hash_password(GOOD)
    assert passwords.verify(kept, GOOD)
    assert not passwords.verify(kept, GOOD + " ")
    assert not passwords.verify(kept, GOOD.upper())
    assert kept != passwords.hash_password(GOOD)


def test_an_accent_typed_in_one_piece_or_in_two_is_the_same() -> None:
    kept = passwords.hash_password("caf\u00e9 au lait")
    assert passwords.verify(kept, "cafe\u0301 au lait")


def test_nobody_is_never_verified_and_costs_one_hash_as_a_wrong_password_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kept = passwords.hash_password(GOOD)
    verified: list[str] = []
    real = PasswordHasher.verify

    def counted(self: PasswordHasher, hashed: str, password: str) -> bool:
        verified.append(hashed[:31])
        return bool(real(self, hashed, password))

    monkeypatch.setattr(PasswordHasher, "verify", counted)
    assert not passwords.verify(kept, "wrong password")
    assert not passwords.verify(None, "wrong password")
    assert len(verified) == 2
    assert verified[0] == verified[1]


def test_a_process_computes_one_hash_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    at_work: list[int] = []
    most: list[int] = []
    real = PasswordHasher.hash

    def watched(self: PasswordHasher, password: str) -> str:
        at_work.append(1)
        most.append(len(at_work))
        try:
            return real(self, password)
        finally:
            at_work.pop()

    monkeypatch.setattr(PasswordHasher, "hash", watched)
    start = threading.Barrier(6)

    def hash_one() -> None:
        start.wait()
        passwords.hash_password(GOOD)

    with ThreadPoolExecutor(6) as threads:
        for future in [threads.submit(hash_one) for _ in range(6)]:
            future.result()
    assert most == [1] * 6


def test_a_hash_made_with_other_parameters_is_outdated() -> None:
    assert passwords.is_outdated(PasswordHasher(time_cost=1, memory_cost=8192).hash(GOOD))
    assert not passwords.is_outdated(passwords.hash_password(GOOD))


@pytest.mark.parametrize(
    ("password", "why"),
    [
        ("", "at least 8"),
        ("1234567", "at least 8"),
        ("e\u0301" * 7, "at least 8"),
        ("x" * 300, "at most 256"),
        ("x" * 100_000, "at most 256"),
        ("password", "people choose most"),
        ("PassWord1", "people choose most"),
        ("baseball", "people choose most"),
        ("quick_otter", "your own name"),
        ("Raise the Sum", "name of this game"),
    ],
)
def test_a_password_that_would_be_guessed_is_refused_with_the_reason(
    password: str, why: str
) -> None:
    with pytest.raises(RefusedError, match=why) as refused:
        passwords.check(password, "Quick_Otter")
    assert refused.value.field == "password"


@pytest.mark.parametrize(
    "password",
    [
        "correct horse",
        "12 34 56 78 90",
        "ÄÖÜ ß 日本語 🦦",
        " spaces count ",
        "abc" * 85 + "z",
        "MMMMmmm,",
    ],
)
def test_nothing_is_asked_of_the_mixture(password: str) -> None:
    passwords.check(password, "Quick_Otter")
    assert passwords.verify(passwords.hash_password(password), password)


def test_the_3000_commonest_passwords_are_refused() -> None:
    listed = passwords._COMMON.read_text(encoding="utf-8").split()
    assert len(listed) > 3000
    for password in listed[:3000]:
        with pytest.raises(RefusedError):
            passwords.check(password)
