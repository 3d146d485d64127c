"""Form tokens: no POST is acted on without the token of this browser's own pages.

Flask-WTF makes and checks the token; every form holds

    <input type="hidden" name="csrf_token" value="{{ csrf_token() }}">

It lives as long as the cookie it belongs to, so it does not die overnight. It does die when
somebody signs in or out in another tab, or clears the cookies. What was typed must survive that:

    @blueprint.post("/register")
    @on_stale_token(form_again)
    def register(): ...

With a bad token the view does not run. `form_again` is called in its place, with the same
arguments from the address; it changes nothing, and answers 400 with the page as it was sent, a
new token in it, and `STALE_FORM` as the reason. A view without it answers with the 400 page.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from flask import Flask, current_app, request
from flask.typing import ResponseReturnValue
from flask_wtf.csrf import CSRFError

from raisesum.extensions import csrf

View = TypeVar("View", bound=Callable[..., Any])

STALE_FORM = (
    "This page was too old to be sent, so nothing has happened yet. Please press the button "
    "once more. If it goes on like this, your browser may be refusing this site’s cookie."
)

_AGAIN = "raisesum_on_stale_token"


def on_stale_token(handler: Callable[..., ResponseReturnValue]) -> Callable[[View], View]:
    """Answer a POST that has no good token with `handler` instead of the view.

    Stands right below the route, above any other decorator.
    """

    def mark(view: View) -> View:
        setattr(view, _AGAIN, handler)
        return view

    return mark


def init_app(app: Flask) -> None:
    """Check the token of every POST to `app`, whatever its route."""
    csrf.init_app(app)
    app.before_request(_check)


def _check() -> ResponseReturnValue | None:
    if not current_app.config["WTF_CSRF_ENABLED"]:
        return None
    try:
        csrf.protect(apply_exemptions=True)
    except CSRFError:
        view = current_app.view_functions[str(request.endpoint)]
        handler: Callable[..., ResponseReturnValue] | None = getattr(view, _AGAIN, None)
        if handler is None:
            raise
        return handler(**(request.view_args or {}))
    return None
