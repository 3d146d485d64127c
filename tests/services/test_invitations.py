from __future__ import annotations

import pytest
from flask import Flask

from raisesum.services import attempts, invitations, server_time, waiting
from raisesum.services.attempts import TooManyError, Visitor
from raisesum.services.refusals import RefusedError
from tests.services.concurrency import at_once
from tests.services.friends import waiting_table
from tests.services.tables import stored

pytestmark = pytest.mark.usefixtures("app_context")

HERE, THERE = Visitor("one"), Visitor("another")


def test_a_code_leads_to_its_table_however_it_is_typed():
    key, _people = waiting_table(2)
    code = stored(key).code
    for typed in (code, code.lower(), f" {code[:3]} {code[3:]} ", f"{code[:3]}-{code[3:]}"):
        assert invitations.key_for(typed, HERE) == key


def test_codes_are_six_of_twenty_consonants():
    assert len(set(invitations.LETTERS)) == 20
    assert not set(invitations.LETTERS) & set("AEIOUY0123456789")
    code = stored(waiting_table(1, seats=2).key).code
    assert len(code) == 6
    assert set(code) <= set(invitations.LETTERS)


def test_a_code_ends_with_the_waiting():
    key, (host, _other) = waiting_table(2)
    code = stored(key).code
    waiting.start(host, key, 0)
    with pytest.raises(RefusedError, match="No table waits"):
        invitations.key_for(code, HERE)


@pytest.mark.parametrize(
    "wrong",
    ["", "BCDFG", "BCDFGHJ", "ABCDEF", "x" * 10_000, "\uff22\uff23\uff24\uff26\uff27\uff28"],
)
def test_what_is_no_code_leads_nowhere(wrong):
    with pytest.raises(RefusedError) as refusal:
        invitations.key_for(wrong, HERE)
    assert refusal.value.field == "code"


def wrong_tries(visitor: Visitor, times: int) -> None:
    for _ in range(times):
        with pytest.raises(RefusedError):
            invitations.key_for("BBBBBB", visitor)


def test_after_ten_wrong_tries_an_address_waits_ten_minutes(monkeypatch):
    code = stored(waiting_table(2).key).code
    now = server_time.now_ms()
    monkeypatch.setattr(server_time, "now_ms", lambda: now)
    wrong_tries(HERE, 10)
    with pytest.raises(TooManyError, match="10 minutes"):
        invitations.key_for(code, HERE)
    assert invitations.key_for(code, THERE)
    monkeypatch.setattr(server_time, "now_ms", lambda: now + 10 * attempts.MINUTE_MS - 1_000)
    with pytest.raises(TooManyError, match="a minute"):
        invitations.key_for(code, HERE)
    monkeypatch.setattr(server_time, "now_ms", lambda: now + 10 * attempts.MINUTE_MS + 1_000)
    assert invitations.key_for(code, HERE)


def test_right_codes_use_no_tries_up():
    code = stored(waiting_table(2).key).code
    wrong_tries(HERE, 9)
    for _ in range(12):
        assert invitations.key_for(code, HERE)


def test_sixteen_wrong_ones_at_once_are_no_way_round_it(app: Flask):
    def attempt() -> type[Exception]:
        try:
            invitations.key_for("BBBBBB", HERE)
        except (RefusedError, TooManyError) as error:
            return type(error)
        raise AssertionError("there is no such table")

    outcomes = at_once(app, 16, attempt)
    assert outcomes.count(RefusedError) == 10
