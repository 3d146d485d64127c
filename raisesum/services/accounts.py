"""People: guests, accounts, and how one becomes the other.

Everything that begins a sign-in returns its token, and takes as `replaces_token` the token this
browser had so far, which ends in the same transaction.

Passwords are hashed and verified before the transaction, since that takes long and everyone else
would wait. What was verified is compared again within it: a password that was changed meanwhile
signs nobody in.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar

from sqlalchemy import delete, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session, aliased, selectinload

from raisesum.extensions import db
from raisesum.models import (
    Game,
    OfferAgreement,
    Removal,
    Seat,
    SeatChange,
    SeatOffer,
    SignIn,
    User,
)
from raisesum.services import (
    absence,
    attempts,
    limits,
    names,
    passwords,
    reactions,
    recovery,
    seats,
    signins,
)
from raisesum.services.clock import now_ms
from raisesum.services.learning import hand_over
from raisesum.services.refusals import RefusedError, RefusedTogetherError
from raisesum.services.table import PLAYING, WAITING
from raisesum.services.transactions import write_transaction

Answer = TypeVar("Answer")

TAKEN = "Somebody has this name already. Choose another."
NO_SHOWN_NAME = (
    "The table uses this name itself. Choose another, or fill in a name that others see."
)
WRONG_PASSWORD = "This is not your password."  # noqa: S105 - a sentence
NO_SUCH_PAIR = "Wrong name or password."
DISABLED = "Whoever runs this server has closed this account. Only they can open it again."
NO_SUCH_CODE = (
    "Wrong name or code. A code works once; if you have used it, the one shown then has taken "
    "its place."
)


FORGOTTEN_AT_ONCE = 20
"""How many guests nobody uses any more are deleted by one request."""


class Entrance(NamedTuple):
    """A sign-in just begun, and the recovery code to show now, if one was made."""

    user_id: int
    token: str
    recovery_code: str = ""


def create_guest(
    replaces_token: str | None = None, visitor: attempts.Visitor | None = None
) -> Entrance:
    """Make a guest with a friendly name and sign them in.

    Raises `attempts.TooManyError` when too many have come from where `visitor` does.
    """
    with write_transaction() as session:
        attempts.count_within(session, limits.newcomer(visitor))
        user = User(shown_name=names.guest_name(), created_at=now_ms())
        session.add(user)
        session.flush()
        return Entrance(user.id, signins.add(session, user.id, replaces_token))


def register(
    handle: str,
    shown_name: str,
    password: str,
    guest_id: int | None = None,
    replaces_token: str | None = None,
    visitor: attempts.Visitor | None = None,
    form_id: str = "",
) -> Entrance:
    """Make an account and sign it in; the guest `guest_id` becomes it and keeps everything.

    An empty `shown_name` leaves a guest's name as it is, and shows the handle for somebody new.
    The same form (told by its `form_id`) sent twice gets the success that it was. Raises
    `RefusedTogetherError` with fields `handle`, `shown_name` and `password`, or
    `attempts.TooManyError`.
    """
    attempts.count(limits.names_tried(visitor))
    try:
        return _register(handle, shown_name, password, guest_id, replaces_token, visitor, form_id)
    except (RefusedError, RefusedTogetherError) as refusal:
        return _repeated(handle, password, refusal, replaces_token, form_id)


def _register(
    handle: str,
    shown_name: str,
    password: str,
    guest_id: int | None,
    replaces_token: str | None,
    visitor: attempts.Visitor | None,
    form_id: str,
) -> Entrance:
    stands_in = not shown_name.strip() and guest_id is None
    if stands_in:
        shown_name = handle
    typed, key = _check_registration(handle, shown_name, password, stands_in)
    password_hash = passwords.hash_password(password)
    code = recovery.code_of(form_id)
    try:
        with write_transaction() as session:
            guest = _locked(session, guest_id) if guest_id is not None else None
            if guest is not None and not guest.is_guest:
                raise RefusedError("You have an account already.")
            if guest is None:
                attempts.count_within(session, limits.newcomer(visitor))
            user = guest or User(shown_name=typed, created_at=now_ms())
            user.handle, user.handle_key = typed, key
            user.password_hash = password_hash
            user.recovery_hash = recovery.code_hash(code)
            session.add(user)
            session.flush()
            if shown_name.strip():
                _rename(session, user, names.shown_name(shown_name))
            signins.end_others(session, user.id, kept=None)
            return Entrance(user.id, signins.add(session, user.id, replaces_token), code)
    except IntegrityError:
        raise RefusedTogetherError([RefusedError(TAKEN, "handle")]) from None


def sign_in(
    handle: str,
    password: str,
    guest_id: int | None = None,
    replaces_token: str | None = None,
    visitor: attempts.Visitor | None = None,
) -> Entrance:
    """Sign in by handle and password; the seats of the guest `guest_id` move to the account.

    Raises `RefusedError`, the same and after the same time whether the handle or the password is
    wrong, and `attempts.TooManyError` after too many such tries, be this one right or wrong.
    """
    with attempts.tried(limits.sign_in(names.handle_key(handle), visitor)):
        return _sign_in(handle, password, guest_id, replaces_token)


def _sign_in(
    handle: str, password: str, guest_id: int | None, replaces_token: str | None
) -> Entrance:
    user = _with_handle(handle)
    verified = user.password_hash if user else None
    if not passwords.verify(verified, password) or user is None or verified is None:
        raise RefusedError(NO_SUCH_PAIR)
    user_id = user.id
    renewed = passwords.hash_password(password) if passwords.is_outdated(verified) else verified
    with write_transaction() as session:
        account = _locked(session, user_id)
        if account is None or account.password_hash != verified:
            raise RefusedError(NO_SUCH_PAIR)
        if account.disabled_at is not None:
            raise RefusedError(DISABLED)
        account.password_hash = renewed
        if guest_id is not None and guest_id != user_id:
            _take_over_guest(session, guest_id, account)
        return Entrance(user_id, signins.add(session, user_id, replaces_token))


def recover(
    handle: str,
    code: str,
    new_password: str,
    replaces_token: str | None = None,
    visitor: attempts.Visitor | None = None,
    form_id: str = "",
) -> Entrance:
    """Set a new password by the recovery code, end all sign-ins and begin a new one.

    The code is used up; the one in the answer takes its place. Raises `RefusedError`, the same
    whether the handle or the code is wrong, or with field `new_password`; `attempts.TooManyError`
    as `sign_in`. The same form (told by its `form_id`) sent twice gets the success that it was.
    """
    passwords.check(new_password, handle.strip(), "new_password")
    with attempts.tried(limits.recovery(names.handle_key(handle), visitor)):
        try:
            return _recover(handle, code, new_password, replaces_token, form_id)
        except RefusedError as refusal:
            return _repeated(handle, new_password, refusal, replaces_token, form_id)


def _recover(
    handle: str, code: str, new_password: str, replaces_token: str | None, form_id: str
) -> Entrance:
    user = _with_handle(handle)
    if user is None or not recovery.matches(user.recovery_hash, code):
        raise RefusedError(NO_SUCH_CODE)
    user_id = user.id
    password_hash = passwords.hash_password(new_password)
    next_code = recovery.code_of(form_id)
    with write_transaction() as session:
        account = _locked(session, user_id)
        if account is None or not recovery.matches(account.recovery_hash, code):
            raise RefusedError(NO_SUCH_CODE)
        if account.disabled_at is not None:
            raise RefusedError(DISABLED)
        account.password_hash = password_hash
        account.recovery_hash = recovery.code_hash(next_code)
        signins.end_others(session, user_id, kept=None)
        return Entrance(user_id, signins.add(session, user_id, replaces_token), next_code)


def change_password(
    user_id: int, password: str, new_password: str, replaces_token: str
) -> Entrance:
    """Set a new password, and end every sign-in; the browser asking gets a new one.

    Raises `RefusedError` with field `password` or `new_password`.
    """
    account = db.session.get_one(User, user_id)
    passwords.check(new_password, account.handle or "", "new_password")
    password_hash = passwords.hash_password(new_password)

    def change(session: Session, user: User) -> Entrance:
        user.password_hash = password_hash
        signins.end_others(session, user.id, kept=None)
        return Entrance(user.id, signins.add(session, user.id, replaces_token))

    return _with_password(user_id, password, change)


def new_recovery_code(user_id: int, password: str) -> str:
    """A new recovery code in place of the old one. Raises `RefusedError` (field `password`)."""
    code = recovery.new_code()

    def change(_session: Session, user: User) -> str:
        user.recovery_hash = recovery.code_hash(code)
        return code

    return _with_password(user_id, password, change)


def set_shown_name(user_id: int, text: str) -> None:
    """Change the name others see, at tables in play too. Raises `RefusedError`."""
    name = names.shown_name(text)
    with write_transaction() as session:
        user = _locked(session, user_id)
        if user is not None:
            _rename(session, user, name)


def delete_account(user_id: int, password: str) -> None:
    """Delete a person: their handle is free again, and every sign-in ends.

    Their unfinished matches against bots go with them; where others play, a bot takes their seat.
    At finished ones a neutral name stays in it. A guest has no password, and gives any. Raises
    `RefusedError` (field `password`).
    """
    _with_password(user_id, password, delete_within)


def sign_out_everywhere(user_id: int, replaces_token: str | None) -> Entrance:
    """End every sign-in of the person but begin one for the browser that asks."""
    with write_transaction() as session:
        signins.end_others(session, user_id, kept=None)
        return Entrance(user_id, signins.add(session, user_id, replaces_token))


def forget_unreachable() -> None:
    """Delete some of the guests to whom no sign-in has led for as long as one can live."""
    longest_ago = now_ms() - signins.LIFETIME_MS
    led_to = select(SignIn.id).where(SignIn.user_id == User.id, SignIn.seen_at >= longest_ago)
    with write_transaction() as session:
        guests = session.scalars(
            select(User)
            .where(User.handle.is_(None), User.created_at < longest_ago, ~led_to.exists())
            .order_by(User.id)
            .limit(FORGOTTEN_AT_ONCE)
            .with_for_update(skip_locked=True)
        ).all()
        for guest in guests:
            delete_within(session, guest)


def has_tables(user_id: int) -> bool:
    """Whether the person sits at any table, finished ones included."""
    seat = select(Seat.number).where(Seat.user_id == user_id).limit(1)
    return db.session.scalar(seat) is not None


def _with_password(
    user_id: int, password: str, change: Callable[[Session, User], Answer]
) -> Answer:
    """What `change` answers, in a transaction, for somebody who knows their password.

    Raises `RefusedError` (field `password`), or `attempts.TooManyError` after too many wrong ones.
    """
    verified = db.session.get_one(User, user_id).password_hash
    if verified is not None:
        with attempts.tried(limits.own_password(user_id)):
            if not passwords.verify(verified, password):
                raise RefusedError(WRONG_PASSWORD, "password")
    with write_transaction() as session:
        user = session.get_one(User, user_id, with_for_update=True)
        if user.password_hash != verified:
            raise RefusedError(WRONG_PASSWORD, "password")
        return change(session, user)


def _repeated(
    handle: str,
    password: str,
    refusal: RefusedError | RefusedTogetherError,
    replaces_token: str | None,
    form_id: str,
) -> Entrance:
    """The entrance for somebody whose form has been carried out already; for others `refusal`.

    Which of two equal forms came first does not matter: both make the same code, so the one that
    is shown works.
    """
    user = _with_handle(handle)
    code = recovery.code_of(form_id)
    # Looked at first: who tries a name that somebody has must not use up that person's tries.
    if user is None or not recovery.matches(user.recovery_hash, code):
        raise refusal

    def change(session: Session, user: User) -> Entrance:
        return Entrance(user.id, signins.add(session, user.id, replaces_token), code)

    try:
        return _with_password(user.id, password, change)
    except (RefusedError, attempts.TooManyError):
        raise refusal from None


def _with_handle(handle: str) -> User | None:
    key = names.handle_key(handle)
    if key is None:
        return None
    return db.session.scalars(select(User).where(User.handle_key == key)).one_or_none()


def _locked(session: Session, user_id: int) -> User | None:
    return session.get(User, user_id, with_for_update=True)


def _check_registration(
    handle: str, shown_name: str, password: str, stands_in: bool
) -> tuple[str, str]:
    refusals = []
    typed = key = ""
    try:
        typed, key = names.handle(handle)
        if _with_handle(typed) is not None:
            raise RefusedError(TAKEN, "handle")
    except RefusedError as refusal:
        refusals.append(refusal)
    try:
        # A handle that is none has been told already, and may stand in for the name here.
        if shown_name.strip() and not (refusals and shown_name == handle):
            names.shown_name(shown_name)
    except RefusedError as refusal:
        refusals.append(RefusedError(NO_SHOWN_NAME, "handle") if stands_in else refusal)
    try:
        passwords.check(password, handle.strip())
    except RefusedError as refusal:
        refusals.append(refusal)
    if refusals:
        raise RefusedTogetherError(refusals)
    return typed, key


def _rename(session: Session, user: User, name: str) -> None:
    user.shown_name = name
    is_open = Game.status.in_((WAITING, PLAYING))
    in_play = (
        select(Game)
        .join(Seat)
        .where(Seat.user_id == user.id, is_open)
        .options(selectinload(Game.seats))
    )
    if user.is_guest and not names.is_from_list(name):
        # Where strangers meet, guests keep a name of our list.
        in_play = in_play.where(Game.is_public.is_(False))
    # Locked in one order by everyone, so that two who share tables never wait for each other.
    for game in session.scalars(in_play.order_by(Game.id).with_for_update(of=Game)).all():
        seat = seats.own_seat(game, user.id)
        if seat is not None:
            seats.name_person(game, seat, user)
            # The others' pages show the name, so they must notice.
            game.revision += 1


def _take_over_guest(session: Session, guest_id: int, account: User) -> None:
    """Move the guest's seats to `account`, and let the guest go."""
    guest = _locked(session, guest_id)
    if guest is None or not guest.is_guest:
        return
    tables_of_account = select(Seat.game_id).where(Seat.user_id == account.id)
    # Links to seats that are on their way lead on to them, and consents to such links count on.
    session.execute(
        update(OfferAgreement)
        .where(OfferAgreement.user_id == guest_id, OfferAgreement.game_id.not_in(tables_of_account))
        .values(user_id=account.id)
    )
    session.execute(
        update(SeatOffer).where(SeatOffer.user_id == guest_id).values(user_id=account.id)
    )
    session.execute(
        update(Seat)
        .where(Seat.user_id == guest_id, Seat.game_id.not_in(tables_of_account))
        .values(user_id=account.id)
    )
    session.execute(update(Game).where(Game.host_id == guest_id).values(host_id=account.id))
    _take_over_removals(session, guest_id, account.id)
    reactions.hand_over_mutes(session, guest_id, account.id)
    hand_over(session, guest_id, account.id)
    session.execute(
        update(SeatChange).where(SeatChange.former_id == guest_id).values(former_id=account.id)
    )
    _rename(session, account, account.shown_name)
    delete_within(session, guest)


def _take_over_removals(session: Session, guest_id: int, account_id: int) -> None:
    """Whom a host has sent away stays away, whatever name they sign in by."""
    of_guest, of_account = (
        set(session.scalars(select(Removal.game_id).where(Removal.user_id == user_id)))
        for user_id in (guest_id, account_id)
    )
    session.add_all(
        Removal(game_id=game_id, user_id=account_id) for game_id in sorted(of_guest - of_account)
    )
    session.flush()


def delete_within(session: Session, user: User) -> None:
    """Within an open transaction, delete a person as `delete_account` does."""
    # A match that other people play is theirs too, and goes on.
    others = aliased(Seat)
    own_matches = (
        select(Game.id)
        .join(Seat)
        .where(Seat.user_id == user.id, Game.status == PLAYING)
        .where(
            ~select(others.number)
            .where(others.game_id == Game.id, others.user_id != user.id)
            .exists()
        )
    )
    session.execute(delete(Game).where(Game.id.in_(session.scalars(own_matches).all())))
    absence.leave_for_good(session, user.id)
    session.execute(
        update(Seat).where(Seat.user_id == user.id).values(user_id=None, name=names.FORMER_PLAYER)
    )
    session.execute(
        update(SeatChange)
        .where(SeatChange.former_id == user.id)
        .values(former_name=names.FORMER_PLAYER)
    )
    session.execute(delete(User).where(User.id == user.id))
