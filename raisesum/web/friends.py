"""The ways to a table with other people: setting one, and coming to one by its code."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Blueprint, current_app, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_login import current_user

from raisesum.services import invitations, lobby, waiting
from raisesum.services.attempts import TooManyError
from raisesum.services.errors import ServiceError
from raisesum.services.help import LEVELS
from raisesum.services.refusals import RefusedError
from raisesum.web import pasted, table_form
from raisesum.web.csrf import STALE_FORM, on_stale_token
from raisesum.web.rooms import shown_name, take_typed_name, viewer_id
from raisesum.web.sessions import ensure_person, visitor

blueprint = Blueprint("friends", __name__)


@blueprint.get("/tables/friends")
def new_table() -> str:
    """Show the form that sets a table for people."""
    chosen = {name: request.args[name] for name in ("deck", "deck_name") if name in request.args}
    return _new_table({**table_form.FIRST_CHOICE, **chosen}, {})


def _new_table_again() -> ResponseReturnValue:
    return _new_table(_sent(), {"": STALE_FORM}), 400


@blueprint.post("/tables/friends")
@on_stale_token(_new_table_again)
def set_table() -> ResponseReturnValue:
    """Set the table that the form describes, and lead to its waiting room."""
    sent = table_form.read(request.form)
    if sent.errors:
        return _new_table(_sent(), sent.errors), 422
    try:
        bots = [sent.settings.bot_level] * sent.bots
        user = ensure_person()
        user_id = user.id
        if not sent.settings.is_public:
            take_typed_name(user)
        key = waiting.create(user_id, sent.settings, bots)
    except TooManyError as error:
        again = _new_table(_sent(), {"": str(error)})
        return again, 429, {"Retry-After": str(error.seconds)}
    except RefusedError as refusal:
        return _new_table(_sent(), {refusal.field or "": refusal.sentence}), 422
    except ServiceError as error:
        return _new_table(_sent(), {"": str(error)}), 409
    return redirect(url_for("games.show", key=key), code=303)


@blueprint.get("/join")
def join() -> str:
    """Show the form for a code."""
    return _join("", {})


def _join_again() -> ResponseReturnValue:
    return _join(request.form.get("code", ""), {"": STALE_FORM}), 400


@blueprint.post("/join")
@on_stale_token(_join_again)
def find_by_code() -> ResponseReturnValue:
    """Lead to the table that waits under a code, or where the link leads that was pasted."""
    typed = request.form.get("code", "")
    page = pasted.page_in(typed)
    if page is not None:
        return redirect(page, code=303)
    try:
        token = invitations.token_for(typed, visitor(), viewer_id())
    except TooManyError as error:
        again = _join(typed, {"code": str(error)})
        return again, 429, {"Retry-After": str(error.seconds)}
    except RefusedError as refusal:
        return _join(typed, {"code": refusal.sentence}), 422
    return redirect(url_for("invitations.look", token=token), code=303)


def _join(code: str, errors: Mapping[str, str]) -> str:
    return render_template("waiting/join.html", code=code[:200], errors=errors)


def _new_table(form: Mapping[str, str], errors: Mapping[str, str]) -> str:
    return render_template(
        "waiting/new_table.html",
        form=form,
        errors=errors,
        levels=[(level.name, level.title, level.policy) for level in lobby.BOT_LEVELS],
        help_levels=LEVELS,
        public_tables=current_app.config["PUBLIC_TABLES"],
        needs_name=viewer_id() is None or current_user.is_guest,
        shown_name=form.get("shown_name", shown_name()),
    )


def _sent() -> dict[str, str]:
    """Return what was typed, so that nothing of it is lost when the form is shown again."""
    return {**table_form.FIRST_CHOICE, **request.form.to_dict()}
