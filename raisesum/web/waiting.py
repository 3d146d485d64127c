"""What people do at a table that waits: sit down, leave, and, as its host, decide."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from flask import Blueprint, Response, redirect, request, url_for
from flask.typing import ResponseReturnValue
from flask_wtf.csrf import CSRFError

from raisesum.services import seating, waiting
from raisesum.services.errors import (
    BegunError,
    NoSuchTableError,
    SentAwayError,
    ServiceError,
)
from raisesum.services.refusals import RefusedError
from raisesum.services.table import WAITING, Pulse, pulse
from raisesum.web import rooms, table_form, unknown_tables
from raisesum.web.addresses import is_htmx
from raisesum.web.csrf import STALE_FORM, on_stale_token
from raisesum.web.forms import HIGHEST_VERSION, whole_number
from raisesum.web.games import bot_delay_ms, go_to
from raisesum.web.sessions import ensure_person
from raisesum.web.shown import shown_by_page

blueprint = Blueprint("waiting", __name__, url_prefix="/games")


@blueprint.errorhandler(BegunError)
def begun(_error: BegunError) -> ResponseReturnValue:
    """Lead on to the match: what was asked has been overtaken by its start."""
    key = (request.view_args or {})["key"]
    return go_to(url_for("games.show", key=key))


def _room_again(key: str, **_more: str) -> ResponseReturnValue:
    """Show the room as it is, to somebody whose form was too old to be believed."""
    if pulse(rooms.viewer_id(), key).status != WAITING:
        raise CSRFError
    return rooms.room_page(key, {"": STALE_FORM}), 400


@blueprint.get("/<key>/waiting")
def part(key: str) -> ResponseReturnValue:
    """Answer a poll: the room's part, or 204 when the page shows it as it is.

    Once the match has begun, or when the viewer has become host, say, or lost their seat, the
    answer leads to the page that there is now.
    """
    found = pulse(rooms.viewer_id(), key)
    if found.status != WAITING:
        return go_to(url_for("games.show", key=key))
    if not is_htmx():
        # Opened from the address bar, where a part would stand bare.
        return rooms.room_page(key)
    rooms.record_visit(found, key)
    if shows_it_as_it_is(found):
        return Response(status=204)
    return rooms.room_part(key, shown_by_page("role")) or go_to(url_for("games.show", key=key))


def shows_it_as_it_is(found: Pulse) -> bool:
    """Return whether the page that polls shows what there is to see."""
    if shown_by_page("presence") not in (None, found.presence_mark):
        return False
    return found.revision == whole_number(request.args.get("v"), 0, HIGHEST_VERSION)


@blueprint.post("/<key>/join")
@on_stale_token(_room_again)
def join(key: str) -> ResponseReturnValue:
    """Sit down, by the name that was typed or by one from our list."""
    return sit_down(key)


def sit_down(key: str, token: str | None = None) -> ResponseReturnValue:
    """Carry out a form of somebody who would sit down; `token` is that of their invitation."""
    try:
        # First, so that a wrong link makes nobody a guest.
        seating.check_waits(key)
        pulse(rooms.viewer_id(), key, token)
    except BegunError:
        return _begun_without(key)
    user = ensure_person()
    user_id = user.id
    try:
        rooms.take_typed_name(user)
        seating.join(user_id, key, token)
    except RefusedError as refusal:
        errors = {refusal.field or "": refusal.sentence}
        return rooms.room_page(key, errors, token=token), 422
    except BegunError:
        return _begun_without(key)
    except (NoSuchTableError, SentAwayError):
        raise
    except ServiceError as error:
        return rooms.room_page(key, {"": str(error)}, token=token), 409
    return redirect(url_for("games.show", key=key), code=303)


def _begun_without(key: str) -> ResponseReturnValue:
    """Answer somebody who would sit down at a table whose match has begun."""
    try:
        is_seated = pulse(rooms.viewer_id(), key).is_seated
    except NoSuchTableError:
        is_seated = False
    return begun(BegunError()) if is_seated else unknown_tables.too_late(key, 409)


@blueprint.post("/<key>/get-up")
@on_stale_token(_room_again)
def leave(key: str) -> ResponseReturnValue:
    """Give one's seat free before the match."""
    user_id = rooms.viewer_id()
    if user_id is None:
        raise NoSuchTableError
    seating.leave(user_id, key)
    return go_to(url_for("home.index"))


def _order(view: Callable[[int, str], None]) -> Callable[[str], ResponseReturnValue]:
    """Make a route of what the host orders: it answers with the room, or why it was not done."""

    @wraps(view)
    def carried_out(key: str) -> ResponseReturnValue:
        user_id = rooms.viewer_id()
        if user_id is None or not pulse(user_id, key).is_seated:
            raise NoSuchTableError
        try:
            view(user_id, key)
        except (NoSuchTableError, BegunError):
            raise
        except RefusedError as refusal:
            errors = {refusal.field or "": refusal.sentence}
            return rooms.room_page(key, errors, request.form), 422
        except ServiceError as error:
            return rooms.room_page(key, {"": str(error)}), 409
        return go_to(url_for("games.show", key=key))

    return carried_out


@blueprint.post("/<key>/start")
@on_stale_token(_room_again)
@_order
def start(user_id: int, key: str) -> None:
    """Begin the match; bots take the free seats."""
    waiting.start(user_id, key, bot_delay_ms())


@blueprint.post("/<key>/settings")
@on_stale_token(_room_again)
def change(key: str) -> ResponseReturnValue:
    """Set the table anew."""
    # First, so that a stranger does not learn from what is wrong with a form that there is a table.
    if not pulse(rooms.viewer_id(), key).is_seated:
        raise NoSuchTableError
    sent = table_form.read(request.form)
    if sent.errors:
        form = {**table_form.FIRST_CHOICE, "spectators": "", **request.form.to_dict()}
        return rooms.room_page(key, sent.errors, form), 422
    return _order(lambda user_id, key: waiting.change(user_id, key, sent.settings))(key)


@blueprint.post("/<key>/bots")
@on_stale_token(_room_again)
@_order
def seat_bot(user_id: int, key: str) -> None:
    """Give a free seat to a bot, or take it from one."""
    waiting.seat_bot(user_id, key, _seat_sent(), request.form.get("level") or None)


@blueprint.post("/<key>/remove")
@on_stale_token(_room_again)
@_order
def remove(user_id: int, key: str) -> None:
    """Send somebody away from the table."""
    seating.remove(user_id, key, _seat_sent(), _revision_sent())


@blueprint.post("/<key>/host")
@on_stale_token(_room_again)
@_order
def hand_over_host(user_id: int, key: str) -> None:
    """Make somebody else the host."""
    seating.hand_over_host(user_id, key, _seat_sent(), _revision_sent())


def _seat_sent() -> int:
    seat = whole_number(request.form.get("seat"), 1, 4)
    if seat is None:
        raise ServiceError("The form did not say which seat was meant.")
    return seat


def _revision_sent() -> int:
    revision = whole_number(request.form.get("revision"), 0, HIGHEST_VERSION)
    return -1 if revision is None else revision
