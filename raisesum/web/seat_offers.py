"""A seat for somebody: offering it by a link at a table, and taking it where the link leads."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_login import current_user

from raisesum.services import seat_offers
from raisesum.services.errors import (
    NoSuchTableError,
    NotBegunError,
    SentAwayError,
    ServiceError,
    TableClosedError,
)
from raisesum.services.refusals import RefusedError
from raisesum.services.seat_offers import OfferEndedError
from raisesum.web import rooms, sessions, stray_signs
from raisesum.web.csrf import STALE_FORM, on_stale_token
from raisesum.web.forms import whole_number
from raisesum.web.games import bot_delay_ms, seat_required
from raisesum.web.invitation import full_address, only_here, qr_picture
from raisesum.web.rooms import viewer_id
from raisesum.web.sessions import person

blueprint = Blueprint("seat_offers", __name__)


@blueprint.get("/games/<key>/seats")
@seat_required
def ask(key: str) -> ResponseReturnValue:
    """Show which seats the viewer may offer, and the buttons that make links."""
    return _page(key)


def _ask_again(key: str) -> ResponseReturnValue:
    if sessions.has_ended_sign_in():
        return sessions.lead_to_sign_in()
    page = seat_required(lambda key: _page(key, refusal=STALE_FORM))(key)
    return (page, 400) if isinstance(page, str) else page


@blueprint.post("/games/<key>/seats")
@on_stale_token(_ask_again)
@seat_required
def offer(key: str) -> ResponseReturnValue:
    """Make a link to a seat and show it, this once."""
    try:
        token = seat_offers.offer(person().id, key, _seat_sent(), bot_delay_ms())
    except (NoSuchTableError, NotBegunError, TableClosedError):
        return _page(key)
    except ServiceError as error:
        return _refused(key, error)
    if token is None:
        return redirect(url_for("seat_offers.ask", key=key), code=303)
    return _page(key, full_address(url_for("seat_offers.look", token=token)))


@blueprint.post("/games/<key>/seats/withdraw")
@on_stale_token(_ask_again)
@seat_required
def withdraw(key: str) -> ResponseReturnValue:
    """End the link to a seat."""
    try:
        seat_offers.withdraw(person().id, key, _seat_sent())
    except (NoSuchTableError, NotBegunError, TableClosedError):
        return _page(key)
    except ServiceError as error:
        return _refused(key, error)
    return redirect(url_for("seat_offers.ask", key=key), code=303)


@blueprint.get("/seat/<token>")
def look(token: str) -> ResponseReturnValue:
    """Show which seat a link offers, and the button that takes it; a look uses nothing up."""
    return _look(token)


def _look_again(token: str) -> ResponseReturnValue:
    return _look(token, {"": STALE_FORM}, 400)


@blueprint.post("/seat/<token>")
@on_stale_token(_look_again)
def take(token: str) -> ResponseReturnValue:
    """Sit down in the seat that a link offers."""
    try:
        # First, so that a link that has ended makes nobody a guest.
        seat_offers.seat_behind(token, viewer_id())
        user_id = sessions.ensure_person().id
        # Whoever is refused the seat keeps the name by which others know them.
        rooms.check_typed_name()
        key = seat_offers.take(user_id, token, bot_delay_ms())
        rooms.take_typed_name(person())
    except OfferEndedError as error:
        return _ended(error)
    except SentAwayError:
        raise
    except RefusedError as refusal:
        return _look(token, {refusal.field or "": refusal.sentence}, 422)
    except ServiceError as error:
        return _look(token, {"": str(error)}, 409)
    return redirect(url_for("games.show", key=key), code=303)


def _seat_sent() -> int:
    return whole_number(request.form.get("seat"), 1, 4) or 0


def _refused(key: str, error: ServiceError) -> ResponseReturnValue:
    page = _page(key, refusal=str(error))
    return (page, 409) if isinstance(page, str) else page


def _page(key: str, link: str = "", refusal: str = "") -> ResponseReturnValue:
    try:
        found = seat_offers.offerable(person().id, key)
    except TableClosedError:
        # The match has ended meanwhile, and says so itself.
        return redirect(url_for("games.show", key=key), code=303)
    return render_template(
        "seats/offer.html",
        key=key,
        seats=found,
        link=link,
        qr=qr_picture(link) if link else "",
        only_here=only_here(),
        refusal=refusal,
    )


def _look(
    token: str, errors: dict[str, str] | None = None, status: int = 200
) -> ResponseReturnValue:
    try:
        seat = seat_offers.seat_behind(token, viewer_id())
    except OfferEndedError as error:
        return _ended(error)
    page = render_template(
        "seats/take.html",
        token=token,
        seat=seat,
        errors=errors or {},
        needs_name=not current_user.is_authenticated
        or (current_user.is_guest and not seat.is_public),
        shown_name=rooms.shown_name(),
    )
    return page, status


def _ended(error: OfferEndedError) -> ResponseReturnValue:
    meant = stray_signs.page_asked_for()
    if meant is not None:
        return redirect(meant, code=303)
    return render_template("waiting/link_ended.html", sentence=str(error)), 410
