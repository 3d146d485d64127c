"""Going on with another device: making the link, and using it there."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from flask_login import current_user

from raisesum.services import handover
from raisesum.services.errors import ServiceError
from raisesum.services.handover import HandoverEndedError
from raisesum.web import sessions, stray_signs
from raisesum.web.csrf import STALE_FORM, on_stale_token
from raisesum.web.invitation import full_address, only_here, qr_picture
from raisesum.web.sessions import person, sign_in_required

blueprint = Blueprint("handovers", __name__, url_prefix="/continue")


@blueprint.get("")
@sign_in_required
def ask() -> str:
    """Show what the link is for, and the button that makes one."""
    return _page()


def _ask_again() -> ResponseReturnValue:
    if not current_user.is_authenticated:
        return sessions.lead_to_sign_in()
    return _page(refusal=STALE_FORM), 400


@blueprint.post("")
@on_stale_token(_ask_again)
@sign_in_required
def begin() -> ResponseReturnValue:
    """Make a link and show it, this once."""
    try:
        token = handover.begin(person().id)
    except ServiceError as error:
        return _page(refusal=str(error)), 409
    return _page(full_address(url_for("handovers.look", token=token)))


@blueprint.get("/<token>")
def look(token: str) -> ResponseReturnValue:
    """Show whom the link signs in, and the button that does; a look uses nothing up."""
    return _look(token)


def _look_again(token: str) -> ResponseReturnValue:
    return _look(token, STALE_FORM)


@blueprint.post("/<token>")
@on_stale_token(_look_again)
def use(token: str) -> ResponseReturnValue:
    """Sign this browser in as the person the link is for."""
    try:
        entrance = handover.use(token, sessions.sign_in_token())
    except HandoverEndedError as error:
        return _ended(error)
    sessions.enter(entrance)
    return redirect(url_for("home.index"), code=303)


def _page(link: str = "", refusal: str = "") -> str:
    return render_template(
        "waiting/handover.html",
        link=link,
        qr=qr_picture(link) if link else "",
        only_here=only_here(),
        refusal=refusal,
    )


def _look(token: str, refusal: str = "") -> ResponseReturnValue:
    try:
        name = handover.name_behind(token)
    except HandoverEndedError as error:
        meant = stray_signs.page_asked_for()
        if meant is not None:
            return redirect(meant, code=303)
        return _ended(error, 400 if refusal else 410)
    page = render_template("waiting/handover_use.html", token=token, name=name, refusal=refusal)
    return page, 400 if refusal else 200


def _ended(error: HandoverEndedError, status: int = 410) -> ResponseReturnValue:
    return render_template("waiting/link_ended.html", sentence=str(error)), status
