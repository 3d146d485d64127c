"""What one does about the people at a table: leaving, coming back, saying something.

Like every route of a table these answer with the table as it then is; what can be done before the
match as well, with its waiting room.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from flask import Blueprint, request, url_for
from flask.typing import ResponseReturnValue

from raisesum.services import absence, play, reactions
from raisesum.services.errors import NoSuchTableError, NotBegunError, ServiceError
from raisesum.services.table import WAITING, pulse
from raisesum.services.transactions import if_possible
from raisesum.web import rooms
from raisesum.web.addresses import is_htmx
from raisesum.web.csrf import STALE_FORM, on_stale_token
from raisesum.web.forms import whole_number
from raisesum.web.games import answer, bot_delay_ms, go_to, moved_on, seat_required, table_again
from raisesum.web.sessions import person
from raisesum.web.shown import shown_by_page

blueprint = Blueprint("company", __name__, url_prefix="/games")


def _shown(key: str, refusal: str = "", status: int = 200) -> ResponseReturnValue:
    """Answer with the table, or with its waiting room, after a request or its refusal."""
    if pulse(rooms.viewer_id(), key).status == WAITING:
        if is_htmx():
            part = rooms.room_part(key, shown_by_page("role"), refusal=refusal)
            return _lead_to(key) if part is None else (part, status)
        return (rooms.room_page(key, {"": refusal}), status) if refusal else _lead_to(key)
    if is_htmx() and shown_by_page("role") is not None:
        # It was sent from the waiting room, and the match has begun since.
        return _lead_to(key)
    return (answer(key, refusal=refusal), status) if refusal else moved_on(key)


def _lead_to(key: str) -> ResponseReturnValue:
    return go_to(url_for("games.show", key=key))


def _shown_again(key: str) -> ResponseReturnValue:
    """Show table or room as it is, to somebody whose form was too old to be believed."""
    if pulse(rooms.viewer_id(), key).status == WAITING:
        return _shown(key, STALE_FORM, 400)
    return table_again(key)


def _at_the_table(view: Callable[[int, str], None]) -> Callable[[str], ResponseReturnValue]:
    """Make a route of what somebody at the table does: it answers with the table."""

    @wraps(view)
    def done(key: str) -> ResponseReturnValue:
        try:
            view(person().id, key)
        except (NoSuchTableError, NotBegunError):
            raise
        except ServiceError as error:
            return _shown(key, str(error), 409)
        return _shown(key)

    return done


@blueprint.post("/<key>/leave")
@on_stale_token(table_again)
@seat_required
def leave(key: str) -> ResponseReturnValue:
    """Leave the match: a stand-in plays on."""
    try:
        absence.leave(person().id, key, bot_delay_ms())
    except (NoSuchTableError, NotBegunError):
        raise
    except ServiceError as error:
        return answer(key, refusal=str(error)), 409
    return go_to(url_for("home.index"))


@blueprint.post("/<key>/come-back")
@on_stale_token(table_again)
@seat_required
@_at_the_table
def come_back(user_id: int, key: str) -> None:
    """Take one's seat back from the stand-in, once the move is made that it was to make by now."""
    with if_possible():
        play.run_due(key, bot_delay_ms())
    absence.come_back(user_id, key, bot_delay_ms())


@blueprint.post("/<key>/agree")
@on_stale_token(table_again)
@seat_required
@_at_the_table
def agree(user_id: int, key: str) -> None:
    """Agree that a stand-in plays for somebody who is away."""
    absence.agree(user_id, key, _seat_sent(), bot_delay_ms())


@blueprint.post("/<key>/say")
@on_stale_token(_shown_again)
@seat_required
@_at_the_table
def say(user_id: int, key: str) -> None:
    """Say one of the phrases."""
    reactions.say(user_id, key, request.form.get("phrase", ""))


@blueprint.post("/<key>/mute")
@on_stale_token(_shown_again)
@seat_required
@_at_the_table
def mute(user_id: int, key: str) -> None:
    """Hide what the person in a seat says, or show it again."""
    reactions.set_muted(user_id, key, _seat_sent(), request.form.get("muted") == "1")


def _seat_sent() -> int:
    return whole_number(request.form.get("seat"), 1, 4) or 0
