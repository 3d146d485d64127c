"""Looking back on a match: one's own passes while it goes on, everybody's afterwards."""

from __future__ import annotations

from flask import Blueprint, render_template
from flask_login import current_user

from raisesum.services import review
from raisesum.web.presenters.review import present_review

blueprint = Blueprint("review", __name__)


@blueprint.get("/games/<key>/review")
def show(key: str) -> str:
    """Show which passes were not forced, as far as whoever asks may know."""
    user_id = current_user.id if current_user.is_authenticated else None
    found = present_review(review.review_for(user_id, key))
    return render_template("review/review.html", review=found, key=key)
