from collections.abc import Callable

import pytest
from argon2 import PasswordHasher
from flask import Flask
from sqlalchemy import select, update

from raisesum.extensions import db
from raisesum.models import Game, Seat, SignIn, User
from raisesum.services import accounts, lobby, names, passwords, play, signins
from raisesum.services.refusals import RefusedError, RefusedTogetherError
from raisesum.services.transactions import write_transaction
from tests.services.concurrency import at_once

PASSWORD = "seven quiet otters"
OTHER_PASSWORD = "eight loud herons"
FORM = "the-id-of-a-form-as-pages-have-it"


@pytest.fixture(autouse=True)
def _context(app_context: None) -> None: ...


def register(
    handle: str = "Otter", guest_id: int | None = None, form_id: str = ""
) -> accounts.Entrance:
    return accounts.register(handle, "", PASSWORD, guest_id=guest_id, form_id=form_id)


def user(user_id: int) -> User:
    db.session.rollback()
    return db.session.get_one(User, user_id)


def seats_of(user_id: int) -> list[str]:
    return list(db.session.scalars(select(Seat.name).where(Seat.user_id == user_id)))


def is_signed_in(token: str) -> bool:
    db.session.rollback()
    return signins.find(token) is not None


def refused(call: Callable[[], object]) -> RefusedError:
    with pytest.raises(RefusedError) as refusal:
        call()
    return refusal.value


# Registering


def test_registering_signs_in_and_gives_a_code() -> None:
    entrance = register()
    assert is_signed_in(entrance.token)
    assert not user(entrance.user_id).is_guest
    assert user(entrance.user_id).shown_name == "Otter"
    assert len(entrance.recovery_code) == 29


def test_neither_password_nor_code_is_in_the_row() -> None:
    entrance = register()
    row = repr([getattr(user(entrance.user_id), column.key) for column in User.__table__.columns])
    assert PASSWORD not in row
    assert entrance.recovery_code.split("-")[0] not in row


def test_a_guest_who_registers_keeps_row_name_seats_and_settings() -> None:
    guest = accounts.create_guest()
    lobby.play_now(guest.user_id, 0)
    name = user(guest.user_id).shown_name
    entrance = accounts.register(
        "Otter", "", PASSWORD, guest_id=guest.user_id, replaces_token=guest.token
    )
    assert entrance.user_id == guest.user_id
    assert user(guest.user_id).shown_name == name
    assert seats_of(guest.user_id) == [name]
    assert not is_signed_in(guest.token)


def test_registering_with_a_new_shown_name_renames_the_guest_at_the_table() -> None:
    guest = accounts.create_guest()
    lobby.play_now(guest.user_id, 0)
    accounts.register("Otter", "Zoë", PASSWORD, guest_id=guest.user_id)
    assert seats_of(guest.user_id) == ["Zoë"]


@pytest.mark.parametrize("handle", ["otter", "OTTER", "Otter", " otter "])
def test_a_handle_is_one_person_s_whatever_its_case(handle: str) -> None:
    register("Otter")
    with pytest.raises(RefusedTogetherError) as refusal:
        accounts.register(handle, "", OTHER_PASSWORD)
    assert [(each.field, each.sentence) for each in refusal.value.refusals] == [
        ("handle", accounts.TAKEN)
    ]


def test_all_that_is_wrong_with_a_registration_is_said_at_once() -> None:
    with pytest.raises(RefusedTogetherError) as refusal:
        accounts.register("a b", "x|y", "short")
    assert [each.field for each in refusal.value.refusals] == ["handle", "shown_name", "password"]
    assert db.session.scalars(select(User)).all() == []


def test_of_sixteen_who_register_one_handle_at_once_one_gets_it(app: Flask) -> None:
    passwords_left = [f"password of number {number}" for number in range(16)]

    def attempt() -> str:
        try:
            accounts.register("Otter", "", passwords_left.pop())
        except RefusedTogetherError as refusal:
            return refusal.refusals[0].sentence
        return "made"

    db.session.rollback()
    assert sorted(at_once(app, 16, attempt)) == [accounts.TAKEN] * 15 + ["made"]
    assert db.session.scalars(select(User.handle)).all() == ["Otter"]


def test_a_registration_sent_twice_is_the_success_it_was_and_shows_the_same_code() -> None:
    first = register(form_id=FORM)
    again = register(form_id=FORM)
    assert again.user_id == first.user_id
    assert again.recovery_code == first.recovery_code
    assert is_signed_in(again.token)
    accounts.recover("Otter", again.recovery_code, OTHER_PASSWORD)


def test_a_double_click_that_registers_a_guest_twice_at_once_succeeds_twice(app: Flask) -> None:
    guest = accounts.create_guest()
    db.session.rollback()
    entrances = at_once(app, 4, lambda: register(guest_id=guest.user_id, form_id=FORM))
    assert {entrance.user_id for entrance in entrances} == {guest.user_id}
    assert db.session.scalars(select(User.id)).all() == [guest.user_id]
    # Whichever answer the browser keeps, the code that it shows is the one that works.
    (code,) = {entrance.recovery_code for entrance in entrances}
    accounts.recover("Otter", code, OTHER_PASSWORD)


def test_registering_in_another_form_is_no_way_to_sign_in() -> None:
    """Neither at once with the right password, nor by a form that does not say which it is."""
    code = register(form_id=FORM).recovery_code
    for form_id in (FORM[::-1] + "x", ""):
        with pytest.raises(RefusedTogetherError):
            register(form_id=form_id)
    accounts.recover("Otter", code, OTHER_PASSWORD)


def test_the_same_form_with_another_password_is_refused() -> None:
    register(form_id=FORM)
    with pytest.raises(RefusedTogetherError):
        accounts.register("Otter", "", OTHER_PASSWORD, form_id=FORM)


def test_a_handle_that_is_a_bot_s_name_needs_another_shown_name() -> None:
    with pytest.raises(RefusedTogetherError) as refusal:
        register("Steady")
    assert [each.field for each in refusal.value.refusals] == ["handle"]
    assert "fill in a name that others see" in str(refusal.value)
    accounts.register("Steady", "Stefan", PASSWORD)


def test_an_account_does_not_register_again() -> None:
    entrance = register("Otter")
    assert refused(lambda: register("Heron", guest_id=entrance.user_id)).field is None
    assert user(entrance.user_id).handle == "Otter"


# Signing in


@pytest.mark.parametrize("handle", ["Otter", "otter", " OTTER "])
def test_signing_in_finds_the_handle_without_case(handle: str) -> None:
    entrance = register("Otter")
    assert accounts.sign_in(handle, PASSWORD).user_id == entrance.user_id


def test_a_wrong_password_and_an_unknown_name_are_told_alike_after_one_hash(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    register("Otter")
    hashes: list[str] = []
    real = PasswordHasher.verify

    def counted(self: PasswordHasher, hashed: str, password: str) -> bool:
        hashes.append(hashed)
        return bool(real(self, hashed, password))

    monkeypatch.setattr(PasswordHasher, "verify", counted)
    answers = set()
    for handle in ("Otter", "Heron", "not a handle", "", "x" * 10_000):
        hashes.clear()
        refusal = refused(lambda handle=handle: accounts.sign_in(handle, OTHER_PASSWORD))  # type: ignore[misc]
        answers.add((refusal.sentence, refusal.field, len(hashes)))
    assert answers == {(accounts.NO_SUCH_PAIR, None, 1)}


def test_a_guest_cannot_be_signed_in_to() -> None:
    accounts.create_guest()
    for handle in ("", "None"):
        refused(lambda handle=handle: accounts.sign_in(handle, ""))  # type: ignore[misc]


def test_signing_in_renews_a_hash_made_with_weaker_parameters() -> None:
    entrance = register()
    weak = PasswordHasher(time_cost=1, memory_cost=8192).hash(PASSWORD)
    with write_transaction() as session:
        session.get_one(User, entrance.user_id).password_hash = weak
    accounts.sign_in("Otter", PASSWORD)
    renewed = user(entrance.user_id).password_hash or ""
    assert renewed.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    accounts.sign_in("Otter", PASSWORD)
    assert user(entrance.user_id).password_hash == renewed


def test_a_password_changed_while_it_was_checked_signs_nobody_in(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    entrance = register()
    real = passwords.verify

    def slow(kept: str | None, password: str) -> bool:
        known = real(kept, password)
        monkeypatch.setattr(passwords, "verify", real)
        with app.app_context():
            accounts.change_password(entrance.user_id, PASSWORD, OTHER_PASSWORD, entrance.token)
        return known

    monkeypatch.setattr(passwords, "verify", slow)
    assert refused(lambda: accounts.sign_in("Otter", PASSWORD)).sentence == accounts.NO_SUCH_PAIR
    db.session.rollback()
    assert len(db.session.scalars(select(SignIn)).all()) == 1


def test_a_guest_s_tables_move_to_the_account_signed_in_to() -> None:
    account = register()
    guest = accounts.create_guest()
    key = lobby.play_now(guest.user_id, 0)
    accounts.sign_in("Otter", PASSWORD, guest_id=guest.user_id, replaces_token=guest.token)
    assert seats_of(account.user_id) == ["Otter"]
    assert [table.key for table in lobby.my_tables(account.user_id, ["playing"], 9)] == [key]
    assert db.session.get(User, guest.user_id) is None


def test_a_guest_s_tables_stay_the_guest_s_when_left_behind() -> None:
    account = register()
    guest = accounts.create_guest()
    lobby.play_now(guest.user_id, 0)
    accounts.sign_in("Otter", PASSWORD, replaces_token=guest.token)
    assert seats_of(account.user_id) == []
    assert len(seats_of(guest.user_id)) == 1
    assert not is_signed_in(guest.token)


def test_only_a_guest_is_taken_over() -> None:
    register("Otter")
    heron = register("Heron")
    lobby.play_now(heron.user_id, 0)
    accounts.sign_in("Otter", PASSWORD, guest_id=heron.user_id)
    assert seats_of(heron.user_id) == ["Heron"]


# Passwords and recovery


def test_a_password_change_ends_every_sign_in_and_begins_one() -> None:
    first = register()
    second = accounts.sign_in("Otter", PASSWORD)
    third = accounts.change_password(first.user_id, PASSWORD, OTHER_PASSWORD, first.token)
    assert [is_signed_in(each.token) for each in (first, second, third)] == [False, False, True]
    refused(lambda: accounts.sign_in("Otter", PASSWORD))
    accounts.sign_in("Otter", OTHER_PASSWORD)


def test_a_password_is_changed_only_by_who_knows_it() -> None:
    entrance = register()
    change = accounts.change_password
    wrong = refused(lambda: change(entrance.user_id, "wrong", OTHER_PASSWORD, entrance.token))
    assert wrong.field == "password"
    weak = refused(lambda: change(entrance.user_id, PASSWORD, "password", entrance.token))
    assert weak.field == "new_password"
    assert is_signed_in(entrance.token)
    accounts.sign_in("Otter", PASSWORD)


def test_a_recovery_code_works_once_and_is_replaced() -> None:
    entrance = register()
    code = entrance.recovery_code
    recovered = accounts.recover("otter", code.lower(), OTHER_PASSWORD)
    assert recovered.user_id == entrance.user_id
    assert not is_signed_in(entrance.token)
    assert is_signed_in(recovered.token)
    again = refused(lambda: accounts.recover("otter", code, "nine sly foxes"))
    assert again.sentence == accounts.NO_SUCH_CODE
    accounts.sign_in("Otter", OTHER_PASSWORD)
    accounts.recover("otter", recovered.recovery_code, PASSWORD)
    accounts.sign_in("Otter", PASSWORD)


def test_an_unknown_name_and_a_wrong_code_are_told_alike() -> None:
    entrance = register()
    answers = set()
    for handle, code in (
        ("Heron", entrance.recovery_code),
        ("Otter", "AAAAA-AAAAA"),
        ("Otter", ""),
        ("", ""),
    ):
        call = lambda handle=handle, code=code: accounts.recover(handle, code, OTHER_PASSWORD)  # noqa: E731
        answers.add((refused(call).sentence, refused(call).field))
    assert answers == {(accounts.NO_SUCH_CODE, None)}


def test_a_code_used_by_several_at_once_works_for_one(app: Flask) -> None:
    code = register().recovery_code
    passwords_left = [f"password of number {number}" for number in range(8)]

    def attempt() -> bool:
        try:
            accounts.recover("Otter", code, passwords_left.pop())
        except RefusedError:
            return False
        return True

    db.session.rollback()
    assert sorted(at_once(app, 8, attempt)) == [False] * 7 + [True]


def test_a_recovery_sent_twice_is_the_success_it_was() -> None:
    code = register().recovery_code
    first = accounts.recover("Otter", code, OTHER_PASSWORD, form_id=FORM)
    again = accounts.recover("Otter", code, OTHER_PASSWORD, form_id=FORM)
    assert again.recovery_code == first.recovery_code
    accounts.recover("Otter", again.recovery_code, PASSWORD)


def test_a_new_recovery_code_is_for_who_knows_the_password() -> None:
    entrance = register()
    refused(lambda: accounts.new_recovery_code(entrance.user_id, OTHER_PASSWORD))
    code = accounts.new_recovery_code(entrance.user_id, PASSWORD)
    refused(lambda: accounts.recover("Otter", entrance.recovery_code, OTHER_PASSWORD))
    accounts.recover("Otter", code, OTHER_PASSWORD)


# Names and leaving


def test_a_new_name_is_seen_at_tables_in_play_and_not_at_finished_ones() -> None:
    guest = accounts.create_guest()
    old = user(guest.user_id).shown_name
    finished = lobby.play_now(guest.user_id, 0)
    play.give_up(guest.user_id, finished)
    playing = lobby.play_now(guest.user_id, 0)
    before = db.session.scalars(select(Game.revision).where(Game.key == playing)).one()
    accounts.set_shown_name(guest.user_id, "Zoe\u0308")
    query = select(Game.key, Seat.name).join(Seat).where(Seat.user_id == guest.user_id)
    names_by_key = dict(db.session.execute(query).all())
    assert names_by_key == {finished: old, playing: "Zoë"}
    after = db.session.scalars(select(Game.revision).where(Game.key == playing)).one()
    assert after == before + 1


def test_a_deleted_account_frees_its_handle_and_ends_its_sign_ins() -> None:
    entrance = register()
    refused(lambda: accounts.delete_account(entrance.user_id, OTHER_PASSWORD))
    assert is_signed_in(entrance.token)
    accounts.delete_account(entrance.user_id, PASSWORD)
    assert not is_signed_in(entrance.token)
    refused(lambda: accounts.sign_in("Otter", PASSWORD))
    assert register("otter").user_id != entrance.user_id


def test_a_deleted_person_leaves_finished_matches_whole_and_takes_unfinished_ones_along() -> None:
    guest = accounts.create_guest()
    name = user(guest.user_id).shown_name
    finished = lobby.play_now(guest.user_id, 0)
    play.give_up(guest.user_id, finished)
    lobby.play_now(guest.user_id, 0)
    accounts.delete_account(guest.user_id, "")
    assert db.session.scalars(select(Game.key)).all() == [finished]
    seats = db.session.scalars(select(Seat).order_by(Seat.number)).all()
    assert len(seats) == 3
    assert (seats[0].user_id, seats[0].name) == (None, names.FORMER_PLAYER)
    assert name not in {seat.name for seat in seats}


def test_a_match_that_another_person_plays_survives_a_deletion() -> None:
    guest, other = accounts.create_guest(), accounts.create_guest()
    lobby.play_now(guest.user_id, 0)
    with write_transaction() as session:
        seat = session.scalars(select(Seat).where(Seat.number == 2)).one()
        seat.user_id, seat.bot = other.user_id, None
    accounts.delete_account(guest.user_id, "")
    assert len(db.session.scalars(select(Game)).all()) == 1
    assert len(seats_of(other.user_id)) == 1


def test_an_account_cannot_be_deleted_without_its_password_by_calling_itself_a_guest() -> None:
    entrance = register()
    refused(lambda: accounts.delete_account(entrance.user_id, ""))
    assert not user(entrance.user_id).is_guest


# Guests nobody uses


def test_guests_whom_no_sign_in_leads_to_are_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    unused, used = accounts.create_guest(), accounts.create_guest()
    kept = register()
    lobby.play_now(unused.user_id, 0)
    later = signins.now_ms() + signins.LIFETIME_MS + 1
    for module in (accounts, signins):
        monkeypatch.setattr(module, "now_ms", lambda: later)
    with write_transaction() as session:
        session.execute(update(SignIn).where(SignIn.user_id == used.user_id).values(seen_at=later))
    accounts.forget_unreachable()
    db.session.rollback()
    assert set(db.session.scalars(select(User.id))) == {used.user_id, kept.user_id}
    assert db.session.scalars(select(Game)).all() == []
