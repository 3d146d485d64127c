"""What one does about the people at a table in mid-match: leaving, coming back, saying something.

Like every route of a table these answer with the table as it then is.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from flask import Blueprint, request, url_for
from flask.typing import ResponseReturnValue

from raisesum.services import absence, play, reactions
from raisesum.services.errors import NoSuchTableError, NotBegunError, ServiceError
from raisesum.services.transactions import if_possible
from raisesum.web.csrf import on_stale_token
from raisesum.web.forms import whole_number
from raisesum.web.games import answer, bot_delay_ms, go_to, moved_on, seat_required, table_again
from raisesum.web.sessions import person

blueprint = Blueprint("company", __name__, url_prefix="/games")


def _at_the_table(view: Callable[[int, str], None]) -> Callable[[str], ResponseReturnValue]:
    """Make a route of what somebody at the table does: it answers with the table."""

    @wraps(view)
    def done(key: str) -> ResponseReturnValue:
        try:
            view(person().id, key)
        except (NoSuchTableError, NotBegunError):
            raise
        except ServiceError as error:
            return answer(key, refusal=str(error)), 409
        return moved_on(key)

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
@on_stale_token(table_again)
@seat_required
@_at_the_table
def say(user_id: int, key: str) -> None:
    """Say one of the phrases."""
    reactions.say(user_id, key, request.form.get("phrase", ""))


@blueprint.post("/<key>/mute")
@on_stale_token(table_again)
@seat_required
@_at_the_table
def mute(user_id: int, key: str) -> None:
    """Hide what is said from a seat, or show it again."""
    reactions.set_muted(user_id, key, _seat_sent(), request.form.get("muted") == "1")


def _seat_sent() -> int:
    return whole_number(request.form.get("seat"), 1, 4) or 0
