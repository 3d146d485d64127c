"""The page of a table that waits for people, and its part; `games.show` leads here."""

from __future__ import annotations

from collections.abc import Mapping

from flask import current_app, render_template, request, url_for
from flask_login import current_user

from raisesum.models import User
from raisesum.services import accounts, lobby, names, presence, waiting
from raisesum.services.help import LEVELS
from raisesum.services.presence import AWAY
from raisesum.services.table import Pulse, pulse
from raisesum.services.transactions import if_possible
from raisesum.web import table_form
from raisesum.web.forms import HIGHEST_VERSION, whole_number
from raisesum.web.invitation import full_address, invitation
from raisesum.web.presenters.waiting import RoomPage, present_room
from raisesum.web.shown import shown_by_page


def viewer_id() -> int | None:
    """Return who looks, or None for somebody who is not signed in."""
    return current_user.id if current_user.is_authenticated else None


def shown_name() -> str:
    """Return what the viewer is called; nothing for somebody who is not signed in."""
    return str(current_user.shown_name) if current_user.is_authenticated else ""


def check_typed_name() -> None:
    """See that a name typed in the form that is sent can be one. Raises: as `take_typed_name`."""
    typed = request.form.get("shown_name", "").strip()
    if typed:
        names.shown_name(typed)


def take_typed_name(user: User) -> None:
    """Call a guest what they have typed in the form that is sent, if they have.

    Raises:
        RefusedError: the name will not do (field `shown_name`).
    """
    typed = request.form.get("shown_name", "").strip()
    if typed and typed != user.shown_name and user.is_guest:
        accounts.set_shown_name(user.id, typed)


def room_page(
    key: str,
    errors: Mapping[str, str] | None = None,
    form: Mapping[str, str] | None = None,
    token: str | None = None,
) -> str:
    """Return the whole page of the waiting table `key`.

    `token` is that of the invitation by which the viewer came, if they did.

    Raises:
        NoSuchTableError: there is none to which the viewer is invited.
        SentAwayError: the host has removed the viewer from it.
        BegunError: it does not wait any more.
    """
    room = waiting.room_for(viewer_id(), key, token)
    return render_template(
        "waiting/room.html",
        room=_present(room, token),
        invitation=invitation(room.invitation, room.code),
        card_picture=full_address(url_for("static", filename="icons/invitation.png", h="none")),
        form=table_form.values(room.settings) if form is None else form,
        errors=errors or {},
        levels=[(level.name, level.title, level.policy) for level in lobby.BOT_LEVELS],
        help_levels=LEVELS,
        public_tables=current_app.config["PUBLIC_TABLES"],
        needs_name=viewer_id() is None or (current_user.is_guest and not room.settings.is_public),
        shown_name=shown_name(),
    )


def room_part(
    key: str, role: str | None, token: str | None = None, refusal: str = ""
) -> str | None:
    """Return the part of the page that polls bring. Arguments and errors: as `room_page`.

    None where the whole page would be another one by now: it was made for another `role`.
    `refusal` says why a request was not carried out.
    """
    room = _present(
        waiting.room_for(viewer_id(), key, token),
        token,
        seen=whole_number(request.values.get("v"), 0, HIGHEST_VERSION),
        there=shown_by_page("presence"),
        heard=whole_number(shown_by_page("said"), 0, HIGHEST_VERSION),
        refusal=refusal,
    )
    if role not in (None, room.role):
        return None
    return render_template("waiting/_poll.html", room=room, levels=lobby.BOT_LEVELS)


def record_visit(found: Pulse, key: str) -> None:
    """Note that somebody who sits in a waiting room is there, and see that it has a host."""
    user_id = viewer_id()
    if user_id is None or not found.is_seated:
        return
    if presence.is_worth_noting(found.seen_at):
        with if_possible():
            presence.note(found.game_id, user_id)
    room = waiting.room_for(user_id, key)
    if room.host is None or room.host.presence == AWAY:
        with if_possible():
            waiting.take_over_from_absent_host(user_id, key)


def _present(
    room: waiting.Room,
    token: str | None,
    seen: int | None = None,
    there: str | None = None,
    heard: int | None = None,
    refusal: str = "",
) -> RoomPage:
    own_name = current_user.shown_name if current_user.is_authenticated else ""
    if room.settings.is_public and own_name and current_user.is_guest:
        # Where strangers meet, guests carry another name than their own.
        own_name = ""
    mark = pulse(viewer_id(), room.key, token).presence_mark
    # Those who sit there use the table's own address.
    came_by = "" if token is None or room.is_seated else token
    return present_room(
        room,
        mark,
        own_name=own_name,
        came_by=came_by,
        seen=seen,
        there=there,
        heard=heard,
        refusal=refusal,
    )
