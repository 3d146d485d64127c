"""Error pages that look like the rest and offer the way back.

htmx puts the body of an error into the page unless told otherwise. A sentence belongs into the
page's region for such sentences (`#alert`), where it is also spoken, and never into the table. A
fault of the server's is left to the page itself, which says that it tries again.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from pathlib import Path

from flask import (
    Flask,
    Response,
    current_app,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from flask_wtf.csrf import CSRFError
from markupsafe import escape
from sqlalchemy.exc import SQLAlchemyError
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from raisesum.extensions import db
from raisesum.services.attempts import TooManyError
from raisesum.web import addresses, sessions, stray_signs, unknown_tables
from raisesum.web.csrf import STALE_FORM
from raisesum.web.security import UnknownHostError

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class ErrorPage:
    """What an error page says: in large what it is, in a sentence what to do."""

    title: str
    sentence: str


PAGES = {
    400: ErrorPage(
        "That could not be read",
        "Something in what your browser sent makes no sense here. Nothing has been changed.",
    ),
    403: ErrorPage("You can’t see this page", "This page belongs to somebody else."),
    404: ErrorPage(
        "Nothing is here",
        "The address may be mistyped, or what was here has gone, or it is somebody else’s.",
    ),
    405: ErrorPage(
        "This link can’t be opened",
        "This address is for sending a form, and cannot be opened like a page.",
    ),
    413: ErrorPage("Too much at once", "What was sent is larger than anything we ask for."),
}
STALE = ErrorPage("That page was too old", STALE_FORM)
UNKNOWN_HOST = ErrorPage(
    "Not this server’s name",
    "This server does not answer to the name in the address. Whoever runs it can add the name "
    "to ALLOWED_HOSTS.",
)


def init_app(app: Flask) -> None:
    """Give `app` its error pages."""
    app.register_error_handler(CSRFError, _answer_stale_form)
    app.register_error_handler(UnknownHostError, _answer_unknown_host)
    app.register_error_handler(TooManyError, _answer_too_many)
    app.register_error_handler(HTTPException, _answer)


def _answer_stale_form(error: CSRFError) -> Response:
    return _page(400, STALE)


def _answer_unknown_host(error: UnknownHostError) -> Response:
    return _page(400, UNKNOWN_HOST)


def _answer_too_many(error: TooManyError) -> Response:
    response = _page(429, ErrorPage("Too many tries", str(error)))
    response.headers["Retry-After"] = str(error.seconds)
    return response


def _answer(error: HTTPException) -> Response:
    if error.response is not None or error.code is None or error.code < 400:
        return make_response(error.get_response())
    if error.code >= 500:
        return _answer_fault(error.code)
    meant = _page_instead(error.code)
    if meant is not None:
        return make_response(redirect(meant, code=303))
    if (
        error.code == 404
        and request.path.startswith(("/games", "/invitation"))
        and not addresses.is_htmx()
    ):
        return make_response(unknown_tables.no_table())
    # A code that has no page of its own is shown as the most general one.
    response = _page(error.code, PAGES.get(error.code, PAGES[400]))
    if isinstance(error, MethodNotAllowed):
        response.headers["Allow"] = ", ".join(error.valid_methods or ())
    return response


def _page_instead(status: int) -> str | None:
    """The page to lead to from an address that was meant for a look, and can have none."""
    if status in (400, 404):
        return stray_signs.page_asked_for()
    if status == 405 and request.method == "GET" and request.path.startswith("/games/"):
        # An address that a form was sent to, opened once more from the address bar.
        return addresses.own_address(request.url)
    return None


def _answer_fault(status: int) -> Response:
    """The answer when the program has failed; Flask has logged why.

    Whatever was half done in the database is undone first. The page is a plain file: anything
    that makes the others may be what failed.
    """
    try:
        db.session.rollback()
    except SQLAlchemyError:
        # A connection may be beyond even that; it is thrown away with the request.
        logger.exception("the rollback after a fault failed too")
    if addresses.is_htmx():
        return Response(status=status, headers={"HX-Reswap": "none"})
    page = Path(current_app.root_path, str(current_app.template_folder), "errors/500.html")
    return Response(page.read_text(encoding="utf-8"), status=status)


def _page(status: int, page: ErrorPage) -> Response:
    if addresses.is_htmx():
        return Response(
            escape(page.sentence),
            status=status,
            headers={"HX-Retarget": "#alert", "HX-Reswap": "innerHTML"},
        )
    # The person may be what is gone, and the page greets them by name.
    sessions.look_again_who_asks()
    back = addresses.own_address(request.referrer)
    # Where the page's other forms lead back to: not to an address that is for sending only.
    here = None if request.method == "GET" else back or url_for("home.index")
    html = render_template("errors/error.html", page=page, status=status, back=back, here=here)
    return make_response(html, status)
