"""How somebody likes to see the game: one address for all of it, used from every page."""

from __future__ import annotations

from flask import Blueprint, Response, abort, redirect, request, url_for
from flask.typing import ResponseReturnValue

from raisesum.services import preferences
from raisesum.services.refusals import RefusedError
from raisesum.web import addresses
from raisesum.web.sessions import ensure_person

blueprint = Blueprint("settings", __name__)


@blueprint.post("/settings")
def save() -> ResponseReturnValue:
    """Change what the form names, and go back to `next`: see `preferences.change`.

    They are kept with the person, so that they follow to every device; somebody unknown becomes a
    guest by it.
    """
    try:
        wishes = preferences.check(request.form)
    except RefusedError:
        abort(400)
    preferences.change(ensure_person().id, wishes)
    if addresses.is_htmx():
        return Response(status=204)
    return redirect(addresses.own_path(request.form.get("next")) or url_for("home.index"), 303)
