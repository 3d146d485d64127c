import re

from raisesum.services import recovery


def test_a_code_is_known_again_however_it_is_typed() -> None:
    code = recovery.new_code()
    kept = recovery.code_hash(code)
    assert re.fullmatch(r"(?:[2-9A-Z]{5}-){4}[2-9A-Z]{5}", code), code
    assert not set(code) & set("01OILUV")
    for typed in (code, code.lower(), code.replace("-", ""), f" {code.replace('-', ' ')} "):
        assert recovery.matches(kept, typed)


def test_only_a_hash_is_kept_and_nothing_matches_none() -> None:
    code = recovery.new_code()
    assert code.replace("-", "") not in recovery.code_hash(code).upper()
    assert not recovery.matches(None, code)
    assert not recovery.matches(recovery.code_hash(code), "")
    assert not recovery.matches(recovery.code_hash(code), recovery.new_code())


def test_codes_are_never_the_same() -> None:
    assert len({recovery.new_code() for _ in range(1000)}) == 1000
