"""The page that says what is stored, for how long, and what the one cookie is."""

from __future__ import annotations

from flask import Blueprint, current_app, render_template, request

from raisesum.services import names, signins
from raisesum.web.sessions import cookie_name

blueprint = Blueprint("privacy", __name__)

_DAY_MS = 24 * 3600 * 1000


@blueprint.get("/privacy")
def show() -> str:
    """Show what is kept about people."""
    return render_template(
        "privacy/index.html",
        cookie=cookie_name(current_app, request.is_secure),
        sign_in_days=signins.LIFETIME_MS // _DAY_MS,
        former_player=names.FORMER_PLAYER,
    )
