"""Looking back on a match: one's own passes while it goes on, everybody's afterwards."""

from __future__ import annotations

from flask import Blueprint, current_app, render_template
from flask.typing import ResponseReturnValue
from flask_login import current_user
from werkzeug.exceptions import NotFound

from raisesum.services import review
from raisesum.services.errors import NoSuchTableError
from raisesum.web.presenters.review import present_review

blueprint = Blueprint("review", __name__)


@blueprint.errorhandler(NoSuchTableError)
def no_such_table(_error: NoSuchTableError) -> ResponseReturnValue:
    """Answer 404, the same for a table that is not there and for one of other people."""
    return current_app.handle_http_exception(NotFound())


@blueprint.get("/games/<key>/review")
def show(key: str) -> str:
    """Show which passes were not forced, as far as whoever asks may know."""
    user_id = current_user.id if current_user.is_authenticated else None
    found = present_review(review.review_for(user_id, key))
    return render_template("review/review.html", review=found, key=key)
