"""Where an invitation leads: the waiting room, for people who do not sit there yet.

Their pages know the table by the invitation alone. Whoever sits down goes on at the table's own
address, and so does everybody once the match has begun.
"""

from __future__ import annotations

from flask import Blueprint, Response, render_template, request, url_for
from flask.typing import ResponseReturnValue

from raisesum.services import invitations
from raisesum.services.errors import BegunError, NoSuchTableError, SentAwayError
from raisesum.services.table import WAITING, pulse
from raisesum.web import rooms
from raisesum.web.addresses import is_htmx
from raisesum.web.csrf import STALE_FORM, on_stale_token
from raisesum.web.games import go_to
from raisesum.web.shown import shown_by_page
from raisesum.web.waiting import shows_it_as_it_is, sit_down

blueprint = Blueprint("invitations", __name__, url_prefix="/invitation")


@blueprint.app_errorhandler(SentAwayError)
def sent_away(error: SentAwayError) -> ResponseReturnValue:
    """Say to somebody that the host has removed them, and show nothing of the table."""
    if is_htmx():
        names = request.view_args or {}
        page = "invitations.look" if "token" in names else "games.show"
        return go_to(url_for(page, **names))
    return render_template("waiting/removed.html", sentence=str(error)), 403


@blueprint.get("/<token>")
def look(token: str) -> ResponseReturnValue:
    """Show the table that somebody is invited to; a look changes nothing."""
    return _look(token)


def _look_again(token: str) -> ResponseReturnValue:
    answer = _look(token, STALE_FORM)
    return (answer, 400) if isinstance(answer, str) else answer


@blueprint.post("/<token>")
@on_stale_token(_look_again)
def join(token: str) -> ResponseReturnValue:
    """Sit down, by the name that was typed or by one from our list."""
    return sit_down(invitations.key_behind(token), token)


@blueprint.get("/<token>/waiting")
def part(token: str) -> ResponseReturnValue:
    """Answer a poll of a page that `look` has made; as `waiting.part` does for a seat's."""
    key = invitations.key_behind(token)
    page = url_for("invitations.look", token=token)
    try:
        found = pulse(rooms.viewer_id(), key, token)
    except NoSuchTableError:
        # The match has begun without them.
        return go_to(page)
    if found.is_seated or found.status != WAITING or not is_htmx():
        return go_to(page)
    if shows_it_as_it_is(found):
        return Response(status=204)
    return rooms.room_part(key, shown_by_page("role"), token) or go_to(page)


def _look(token: str, refusal: str = "") -> ResponseReturnValue:
    key = invitations.key_behind(token)
    table = go_to(url_for("games.show", key=key))
    try:
        room = rooms.room_page(key, {"": refusal} if refusal else None, token=token)
        return table if pulse(rooms.viewer_id(), key, token).is_seated else room
    except BegunError:
        return table
