from __future__ import annotations

import itertools
from base64 import urlsafe_b64decode
from collections.abc import Iterator

import pytest
from flask import Flask
from sqlalchemy import func, select, update

from raisesum.extensions import db
from raisesum.models import Throttle
from raisesum.services import attempts, invitations, limits, seats, server_time, waiting
from raisesum.services.attempts import TooManyError, Visitor
from raisesum.services.refusals import RefusedError
from raisesum.services.transactions import write_transaction
from tests.rows import count
from tests.services.concurrency import at_once
from tests.services.friends import waiting_table
from tests.services.tables import guest, stored

pytestmark = pytest.mark.usefixtures("app_context")

HERE, THERE = Visitor("one"), Visitor("another")


def key_for(text: str, visitor: Visitor, user_id: int | None = None) -> str:
    """Return the key of the table that a code leads to."""
    return invitations.key_behind(invitations.token_for(text, visitor, user_id))


def test_a_code_leads_to_its_table_however_it_is_typed():
    key, _people = waiting_table(2)
    code = stored(key).code
    for typed in (code, code.lower(), f" {code[:3]} {code[3:]} ", f"{code[:3]}-{code[3:]}"):
        assert key_for(typed, HERE) == key


def test_an_invitation_has_a_token_of_its_own_with_128_bits():
    games = [stored(waiting_table(1, seats=2).key) for _ in range(2)]
    tokens = {game.invitation for game in games}
    assert len(tokens | {game.key for game in games}) == 4
    assert all(len(urlsafe_b64decode(f"{token}==")) == 16 for token in tokens)


def test_codes_are_six_of_twenty_consonants():
    assert len(set(invitations.LETTERS)) == 20
    assert not set(invitations.LETTERS) & set("AEIOUY0123456789")
    code = stored(waiting_table(1, seats=2).key).code
    assert len(code) == 6
    assert set(code) <= set(invitations.LETTERS)


@pytest.mark.parametrize(
    "wrong",
    ["", "BCDFG", "BCDFGHJ", "ABCDEF", "x" * 10_000, "B C D F G H J", "BCD 123", "Code:", "BCD\n"],
)
def test_text_without_a_code_is_told_so_and_is_no_try(app: Flask, wrong):
    before = count(app, "throttles")
    with pytest.raises(RefusedError, match="no code in this") as refusal:
        key_for(wrong, HERE)
    assert refusal.value.field == "code"
    assert count(app, "throttles") == before


MESSAGES = [
    "{0}{1}\r\n",
    "\n {0}\u00a0{1} ",
    "{0}\u2009\u200b{1}\ufeff",
    "\u201c{0} {1}\u201d",
    "'{0}{1}'.",
    "({0}-{1})",
    "{0}\u2011{1}",
    "{0}\t{1}",
    "Code: {0} {1}",
    "CODE={0}{1}",
    "The code is {0} {1}, see you there!",
    "{0} {1} thx",
    "Mr X sent: {0} {1}",
    "code:{2}",
    "{2}!",
    "{3}",
    "{4}",
    "**{0} {1}**",
]


def test_a_code_is_found_in_what_people_paste():
    key, _people = waiting_table(2)
    code = stored(key).code
    spaced = " ".join(code)
    wide = "".join(chr(ord(letter) + 0xFEE0) for letter in code)
    for message in MESSAGES:
        text = message.format(code[:3], code[3:], code.lower(), spaced, wide)
        assert key_for(text, HERE) == key, message


def test_a_code_ends_with_the_waiting_which_is_no_wrong_try(app: Flask):
    key, (host, other) = waiting_table(2)
    code = stored(key).code
    waiting.start(host, key, 0)
    before = count(app, "throttles")
    for _ in range(3):
        with pytest.raises(RefusedError, match="already begun"):
            key_for(code, HERE, guest())
    with pytest.raises(RefusedError, match="already begun"):
        key_for(code, HERE)
    # Who sits there is led to the match.
    assert key_for(code, HERE, other) == key
    assert tries_counted() == 0
    assert count(app, "throttles") == before + 2


def test_a_code_that_another_table_has_by_now_leads_to_that_one():
    first, (host, _other) = waiting_table(2)
    code = stored(first).code
    waiting.start(host, first, 0)
    second = waiting_table(2).key
    with write_transaction() as session:
        seats.locked(session, second).code = code
    assert key_for(code, HERE) == second


def tries_counted() -> int:
    return int(db.session.scalar(select(func.sum(Throttle.tries))) or 0)


def wrong_tries(visitor: Visitor, times: int) -> None:
    for _ in range(times):
        with pytest.raises(RefusedError, match="No table has this code"):
            key_for("BBBBBB", visitor)


def browsers(address: str) -> Iterator[Visitor]:
    return (Visitor(address, browser=f"{address} {number}") for number in itertools.count())


def test_after_thirty_wrong_tries_a_browser_waits_an_hour_and_the_one_beside_it_does_not(
    monkeypatch,
):
    code = stored(waiting_table(2).key).code
    now = server_time.now_ms()
    monkeypatch.setattr(server_time, "now_ms", lambda: now)
    mine, beside = itertools.islice(browsers("school"), 2)
    wrong_tries(mine, 30)
    with pytest.raises(TooManyError, match=r"Too many wrong codes\. Wait 60 minutes, or ask for"):
        key_for(code, mine)
    assert key_for(code, beside)
    monkeypatch.setattr(server_time, "now_ms", lambda: now + attempts.HOUR_MS)
    assert key_for(code, mine)


def test_a_browser_that_keeps_no_cookie_counts_as_one_with_all_others_there():
    wrong_tries(HERE, 30)
    with pytest.raises(TooManyError):
        key_for("BBBBBB", HERE)
    wrong_tries(next(browsers(HERE.mark)), 1)


def test_a_new_cookie_for_each_try_does_not_get_round_the_limit_of_the_address():
    code = stored(waiting_table(2).key).code
    for_an_hour = browsers("thief")
    with write_transaction() as session:
        # What 990 browsers have tried before.
        limits_of_address = limits.wrong_code(next(for_an_hour), 1)[1:]
        attempts.count_within(session, limits_of_address)
        session.execute(update(Throttle).values(tries=990))
    for visitor in itertools.islice(for_an_hour, 10):
        wrong_tries(visitor, 1)
    with pytest.raises(TooManyError, match="have come from your network"):
        key_for(code, next(for_an_hour))
    assert key_for(code, THERE)


@pytest.mark.parametrize(
    ("open_tables", "most"),
    [(0, 1000), (1, 1000), (100, 1000), (101, 990), (200, 500), (1000, 100), (10**6, 1)],
)
def test_guessing_takes_a_month_however_many_tables_are_open(open_tables, most):
    _browser, (limit, _address) = limits.wrong_code(HERE, open_tables)
    assert (limit.most, limit.within_ms) == (most, attempts.HOUR_MS)
    if 1 < open_tables < 10**5:
        hours = 20**6 / open_tables / limit.most
        assert hours > 26 * 24


def test_right_codes_use_no_tries_up():
    code = stored(waiting_table(2).key).code
    wrong_tries(HERE, 29)
    for _ in range(32):
        assert key_for(code, HERE)


def test_sixteen_wrong_ones_at_once_are_no_way_round_it(app: Flask):
    wrong_tries(HERE, 20)

    def attempt() -> type[Exception]:
        try:
            key_for("BBBBBB", HERE)
        except (RefusedError, TooManyError) as error:
            return type(error)
        raise AssertionError("there is no such table")

    outcomes = at_once(app, 16, attempt)
    assert outcomes.count(RefusedError) == 10
