import pytest
from sqlalchemy import select

from raisesum.extensions import db
from raisesum.models import SignIn
from raisesum.services import accounts, clock, signins
from raisesum.services.transactions import write_transaction

pytestmark = pytest.mark.usefixtures("app_context")

DAY_MS = 24 * 3600 * 1000


def tokens() -> list[str]:
    return list(db.session.scalars(select(SignIn.token_hash)))


def test_the_database_holds_no_token() -> None:
    token = accounts.create_guest().token
    assert tokens() == [signins.token_hash(token)]
    assert token not in signins.token_hash(token)


def test_a_token_finds_its_person_until_it_ends() -> None:
    guest = accounts.create_guest()
    found = signins.find(guest.token)
    assert found is not None
    assert found.user.id == guest.user_id
    signins.end(guest.token)
    assert signins.find(guest.token) is None
    signins.end(guest.token)


def test_nothing_that_is_no_token_finds_anyone() -> None:
    token = accounts.create_guest().token
    for other in ("", token[:-1], token.swapcase(), signins.token_hash(token)):
        assert signins.find(other) is None


def test_a_browser_holds_one_sign_in() -> None:
    first = accounts.create_guest()
    second = accounts.create_guest(replaces_token=first.token)
    assert tokens() == [signins.token_hash(second.token)]


def test_ending_the_others_spares_one() -> None:
    guest = accounts.create_guest()
    with write_transaction() as session:
        kept = signins.add(session, guest.user_id)
        somebody_else = accounts.User(shown_name="Keen Puffin", created_at=0)
        session.add(somebody_else)
        session.flush()
        theirs = signins.add(session, somebody_else.id)
    with write_transaction() as session:
        signins.end_others(session, guest.user_id, kept)
    assert set(tokens()) == {signins.token_hash(kept), signins.token_hash(theirs)}


def test_use_is_noted_once_a_day(monkeypatch: pytest.MonkeyPatch) -> None:
    token = accounts.create_guest().token
    assert not signins.note_seen(token)
    later = clock.now_ms() + DAY_MS + 1
    monkeypatch.setattr(signins, "now_ms", lambda: later)
    assert signins.note_seen(token)
    found = signins.find(token)
    assert found is not None
    assert found.seen_at == later
    assert not signins.note_seen(token)
    assert not signins.note_seen("no token")


def test_a_sign_in_that_nobody_uses_ends_with_its_cookie(monkeypatch: pytest.MonkeyPatch) -> None:
    guest = accounts.create_guest()
    kept_until = clock.now_ms() + 399 * DAY_MS
    monkeypatch.setattr(signins, "now_ms", lambda: kept_until)
    assert signins.find(guest.token) is not None
    monkeypatch.setattr(signins, "now_ms", lambda: kept_until + 2 * DAY_MS)
    assert signins.find(guest.token) is None
    with write_transaction() as session:
        new = signins.add(session, guest.user_id)
    assert tokens() == [signins.token_hash(new)]
