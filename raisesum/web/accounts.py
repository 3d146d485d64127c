"""Pages about oneself: register, sign in and out, recover, and the account.

Plain forms all of them. One that will not do is shown again with what was typed (passwords and
codes excepted), a sentence beside each field it is about, and status 422. A recovery code is in
the answer to the form that made it and nowhere else: neither the cookie nor an address has it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from flask import (
    Blueprint,
    Response,
    current_app,
    flash,
    redirect,
    render_template,
    request,
    url_for,
)
from flask.typing import ResponseReturnValue
from flask_login import current_user

from raisesum.services import accounts, signins
from raisesum.services.attempts import TooManyError
from raisesum.services.personal_data import personal_data
from raisesum.services.recovery import new_form_id
from raisesum.services.refusals import RefusedError, RefusedTogetherError
from raisesum.web import addresses, sessions
from raisesum.web.csrf import STALE_FORM, on_stale_token
from raisesum.web.presenters.accounts import present_places
from raisesum.web.sessions import person, sign_in_required

blueprint = Blueprint("accounts", __name__)

Errors = Mapping[str, str]
Refused = (RefusedError, RefusedTogetherError, TooManyError)

STALE: Errors = {"": STALE_FORM}


@blueprint.get("/register")
def register() -> ResponseReturnValue:
    """Show the form that makes an account."""
    if _has_account():
        return _go_on()
    if _registration_is_closed():
        return _closed()
    return _register({})


def _register_again() -> ResponseReturnValue:
    return _register(STALE), 400


@blueprint.post("/register")
@on_stale_token(_register_again)
def send_register() -> ResponseReturnValue:
    """Make an account, or turn the guest into one, and show its recovery code."""
    if _has_account():
        return _go_on()
    if _registration_is_closed():
        return _closed()
    try:
        entrance = accounts.register(
            _typed("handle"),
            _typed("shown_name"),
            _typed("password"),
            guest_id=_guest_id(),
            replaces_token=sessions.sign_in_token(),
            visitor=sessions.visitor(),
            form_id=_typed("form_id"),
        )
    except Refused as refusal:
        return _refused(_register, refusal)
    sessions.enter(entrance)
    return _recovery_code(entrance.recovery_code, "You have an account now")


def _registration_is_closed() -> bool:
    closed: bool = current_app.config["REGISTRATION"] == "closed"
    return closed


def _closed() -> ResponseReturnValue:
    return render_template("accounts/registration_closed.html"), 403


@blueprint.get("/sign-in")
def sign_in() -> ResponseReturnValue:
    """Show the sign-in form; who has an account and is signed in goes on at once."""
    if _has_account():
        return _go_on()
    return _sign_in({})


def _sign_in_again() -> ResponseReturnValue:
    return _sign_in(STALE), 400


@blueprint.post("/sign-in")
@on_stale_token(_sign_in_again)
def send_sign_in() -> ResponseReturnValue:
    """Sign in by handle and password; a guest's tables come along unless they are left behind."""
    guest_id = _guest_id()
    try:
        entrance = accounts.sign_in(
            _typed("handle"),
            _typed("password"),
            guest_id=guest_id if guest_id and _typed("tables") != "leave" else None,
            replaces_token=sessions.sign_in_token(),
            visitor=sessions.visitor(),
        )
    except Refused as refusal:
        return _refused(_sign_in, refusal)
    sessions.enter(entrance)
    return _go_on()


@blueprint.post("/sign-out")
def sign_out() -> ResponseReturnValue:
    """Sign out, everywhere this cookie may have got to.

    A guest has no way back in, so they are asked first.
    """
    if current_user.is_authenticated and current_user.is_guest and _typed("sure") != "yes":
        return _page("accounts/sign_out.html", "accounts.account")
    sessions.sign_out()
    flash("You are signed out.")
    return redirect(url_for("home.index"), 303)


@blueprint.get("/recover")
def recover() -> ResponseReturnValue:
    """Show the form that sets a new password by a recovery code."""
    return _recover({})


def _recover_again() -> ResponseReturnValue:
    return _recover(STALE), 400


@blueprint.post("/recover")
@on_stale_token(_recover_again)
def send_recover() -> ResponseReturnValue:
    """Set a new password by a recovery code, sign in, and show the next code."""
    try:
        entrance = accounts.recover(
            _typed("handle"),
            _typed("code"),
            _typed("new_password"),
            replaces_token=sessions.sign_in_token(),
            visitor=sessions.visitor(),
            form_id=_typed("form_id"),
        )
    except Refused as refusal:
        return _refused(_recover, refusal)
    sessions.enter(entrance)
    return _recovery_code(entrance.recovery_code, "Your new password is set")


@blueprint.get("/account")
@sign_in_required
def account() -> ResponseReturnValue:
    """Show the account: name, password, how the game is shown, what is kept, how to leave."""
    return _account({})


@sign_in_required
def _account_again() -> ResponseReturnValue:
    return _account(STALE), 400


@blueprint.post("/account/name")
@on_stale_token(_account_again)
@sign_in_required
def rename() -> ResponseReturnValue:
    """Change the name that others see."""
    try:
        accounts.set_shown_name(person().id, _typed("shown_name"))
    except Refused as refusal:
        return _refused(_account, refusal)
    flash("Your name is changed.")
    return redirect(url_for("accounts.account"), 303)


@blueprint.post("/account/password")
@on_stale_token(_account_again)
@sign_in_required
def change_password() -> ResponseReturnValue:
    """Change the password, and sign out every other browser."""
    try:
        entrance = accounts.change_password(
            person().id,
            _typed("current_password"),
            _typed("new_password"),
            replaces_token=sessions.sign_in_token() or "",
        )
    except Refused as refusal:
        return _refused(_account, refusal, "current_")
    sessions.enter(entrance)
    flash("Your password is changed, and every other device is signed out.")
    return redirect(url_for("accounts.account"), 303)


@blueprint.post("/account/recovery-code")
@on_stale_token(_account_again)
@sign_in_required
def new_recovery_code() -> ResponseReturnValue:
    """Make a new recovery code in place of the old one, and show it."""
    try:
        code = accounts.new_recovery_code(person().id, _typed("code_password"))
    except Refused as refusal:
        return _refused(_account, refusal, "code_")
    return _recovery_code(code, "A new recovery code")


@blueprint.post("/account/sign-out-everywhere")
@on_stale_token(_account_again)
@sign_in_required
def sign_out_everywhere() -> ResponseReturnValue:
    """End every other sign-in of this person, and every copy of this browser's cookie."""
    sessions.enter(accounts.sign_out_everywhere(person().id, sessions.sign_in_token()))
    flash("Every other device is signed out.")
    return redirect(url_for("accounts.account"), 303)


@blueprint.get("/account/data")
@sign_in_required
def data() -> ResponseReturnValue:
    """Give the person all that is kept about them, as one JSON file."""
    text = json.dumps(
        personal_data(person().id, sessions.sign_in_token()), ensure_ascii=False, indent=1
    )
    name = person().handle or "guest"
    return Response(
        text + "\n",
        mimetype="application/json",
        headers={"Content-Disposition": f'attachment; filename="raise-the-sum-{name}.json"'},
    )


@blueprint.get("/account/delete")
@sign_in_required
def delete() -> ResponseReturnValue:
    """Ask whether the account shall really be deleted."""
    return _delete({})


@sign_in_required
def _delete_again() -> ResponseReturnValue:
    return _delete(STALE), 400


@blueprint.post("/account/delete")
@on_stale_token(_delete_again)
@sign_in_required
def send_delete() -> ResponseReturnValue:
    """Delete the account."""
    try:
        accounts.delete_account(person().id, _typed("password"))
    except Refused as refusal:
        return _refused(_delete, refusal)
    sessions.sign_out()
    flash("Your account is deleted, along with everything only you had.")
    return redirect(url_for("home.index"), 303)


def _register(errors: Errors) -> str:
    guest_name = current_user.shown_name if current_user.is_authenticated else ""
    values = {
        "handle": _typed("handle"),
        "shown_name": request.form.get("shown_name", guest_name),
    }
    return _page(
        "accounts/register.html", "accounts.register", errors, values, form_id=new_form_id()
    )


def _sign_in(errors: Errors) -> str:
    guest_id = _guest_id()
    return _page(
        "accounts/sign_in.html",
        "accounts.sign_in",
        errors,
        {"handle": _typed("handle"), "tables": _typed("tables") or "bring"},
        has_tables=guest_id is not None and accounts.has_tables(guest_id),
    )


def _recover(errors: Errors) -> str:
    values = {"handle": _typed("handle")}
    return _page("accounts/recover.html", "accounts.recover", errors, values, form_id=new_form_id())


def _account(errors: Errors) -> str:
    values = {"shown_name": request.form.get("shown_name", person().shown_name)}
    places = signins.places_of(person().id, sessions.sign_in_token())
    return _page(
        "accounts/account.html", "accounts.account", errors, values, places=present_places(places)
    )


def _delete(errors: Errors) -> str:
    return _page("accounts/delete.html", "accounts.delete", errors)


def _recovery_code(code: str, title: str) -> str:
    return _page("accounts/recovery_code.html", "accounts.account", code=code, title=title)


def _page(
    template: str,
    endpoint: str,
    errors: Errors | None = None,
    values: Mapping[str, str] | None = None,
    **more: object,
) -> str:
    """A page, as it is or in answer to a form; `endpoint` is where it can be opened again."""
    then = _next()
    return render_template(
        template,
        errors=errors or {},
        values=values or {},
        next=then,
        here=url_for(endpoint, next=then),
        **more,
    )


def _refused(
    page: Callable[[Errors], str],
    refusal: RefusedError | RefusedTogetherError | TooManyError,
    prefix: str = "",
) -> ResponseReturnValue:
    """The page once more with what was typed, and why it will not do, or not yet."""
    if isinstance(refusal, TooManyError):
        return page({"": str(refusal)}), 429, {"Retry-After": str(refusal.seconds)}
    return page(_errors(refusal, prefix)), 422


def _errors(refusal: RefusedError | RefusedTogetherError, prefix: str = "") -> Errors:
    """Sentences by field; `prefix` is what this page's form puts before "password"."""
    refusals = refusal.refusals if isinstance(refusal, RefusedTogetherError) else (refusal,)
    return {
        f"{prefix}password" if each.field == "password" else each.field or "": each.sentence
        for each in refusals
    }


def _typed(name: str) -> str:
    return request.form.get(name, "")


def _next() -> str | None:
    return addresses.own_path(request.values.get("next"))


def _go_on() -> ResponseReturnValue:
    return redirect(_next() or url_for("home.index"), 303)


def _has_account() -> bool:
    return bool(current_user.is_authenticated) and not current_user.is_guest


def _guest_id() -> int | None:
    return current_user.id if current_user.is_authenticated and current_user.is_guest else None
