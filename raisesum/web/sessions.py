"""The one cookie, and who the request comes from.

The cookie carries a form token, a sign-in token and at most a few messages to show next, signed
but without a time: a clock that is set back or forward logs nobody out. What the sign-in token is
worth is decided by its row in the database alone, so a copied cookie ends with the row.

For views:

- `current_user` (Flask-Login's) is the `models.User`, or an anonymous one;
- `ensure_person()` in a POST gives the person, made a guest first if need be;
- `@sign_in_required` for pages that make no sense to nobody;
- `enter(entrance)` and `sign_out()` begin and end a sign-in of this browser.

The cookie is sent when it changes and once a day with a POST, never with a poll.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import logging
import secrets
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar, cast

from flask import Flask, Request, Response, current_app, g, redirect, request, session
from flask.sessions import SecureCookieSession, SessionInterface, SessionMixin
from flask.typing import ResponseReturnValue
from flask_login import current_user
from itsdangerous import BadSignature, URLSafeSerializer
from sqlalchemy.exc import NoResultFound, SQLAlchemyError
from sqlalchemy.orm.exc import ObjectDeletedError, StaleDataError

from raisesum.extensions import db, login_manager
from raisesum.models import User
from raisesum.services import accounts, signins
from raisesum.services.attempts import Visitor
from raisesum.services.errors import PersonGoneError
from raisesum.web import addresses

P = ParamSpec("P")
R = TypeVar("R")

logger = logging.getLogger(__name__)

COOKIE_SECONDS = signins.LIFETIME_MS // 1000
"""As long as the sign-in in it; and the longest that browsers keep a cookie."""

SIGN_IN = "_user_id"  # Flask-Login's name for it
FORM_TOKEN = "csrf_token"  # noqa: S105 - Flask-WTF's name for it
MESSAGES = "_flashes"  # Flask's

# Only these leave in the cookie, under short names; whatever else an extension notes in the
# session lasts for the request.
_KEPT = {FORM_TOKEN: "c", SIGN_IN: "s", MESSAGES: "m"}
_MOST_MESSAGES = 3


class OneCookie(SessionInterface):
    """Flask's session in one signed cookie: `__Host-raisesum` over HTTPS, else `raisesum`."""

    session_class = SecureCookieSession

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession:
        """The session in the request's cookie; an empty one if there is none of ours."""
        value = request.cookies.get(cookie_name(request))
        if not value:
            return self.session_class()
        try:
            kept = _serializer(app).loads(value)
        except BadSignature:
            return self.session_class()
        long_names = {short: name for name, short in _KEPT.items()}
        values = {long_names[short]: item for short, item in kept.items() if short in long_names}
        if MESSAGES in values:
            values[MESSAGES] = [tuple(message) for message in values[MESSAGES]]
        return self.session_class(values)

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        """Send the cookie, or take it back when nothing is left in it; only after a change."""
        if not session.modified:
            return
        kept = {short: session[name] for name, short in _KEPT.items() if session.get(name)}
        if "m" in kept:
            kept["m"] = kept["m"][-_MOST_MESSAGES:]
        response.set_cookie(
            cookie_name(request),
            _serializer(app).dumps(kept) if kept else "",
            max_age=COOKIE_SECONDS if kept else 0,
            path="/",
            secure=request.is_secure,
            httponly=True,
            samesite="Lax",
        )


def cookie_name(request: Request) -> str:
    """`__Host-` makes browsers refuse the cookie from anyone but this very host by HTTPS."""
    return "__Host-raisesum" if request.is_secure else "raisesum"


def _serializer(app: Flask) -> URLSafeSerializer:
    return URLSafeSerializer(
        cast(str, app.secret_key),
        salt="raisesum.session",
        signer_kwargs={"key_derivation": "hmac", "digest_method": hashlib.sha256},
    )


def sign_in_token() -> str | None:
    """The token of this browser's sign-in, whether or not it is still worth anything."""
    token = session.get(SIGN_IN)
    return token if isinstance(token, str) else None


def enter(entrance: accounts.Entrance) -> None:
    """Make this browser the person's whose sign-in a service has just begun.

    The form token is renewed too: who knew the old one must not act as the new person.
    """
    _adopt(entrance)
    renew_form_token()


def sign_out() -> None:
    """End this browser's sign-in, and every copy of its cookie with it."""
    token = sign_in_token()
    if token is not None:
        signins.end(token)
    session.pop(SIGN_IN, None)
    renew_form_token()
    _forget_loaded_person()


def ensure_person() -> User:
    """The person the request comes from, made a guest and signed in if they are nobody yet.

    Only in a POST: a look at a page makes nobody. Raises `attempts.TooManyError` when too many
    guests have come from this address.
    """
    if not current_user.is_authenticated:
        # The form token stays: the same browser may have another page of ours open.
        _adopt(accounts.create_guest(sign_in_token(), visitor()))
    return person()


def visitor() -> Visitor:
    """Where the request comes from, for limits: a mark that only this server can make.

    There are too few addresses for a plain hash to hide one. Of an IPv6 address the first half
    counts, since each home has all that begin with it.
    """
    key = cast(str, current_app.secret_key).encode()
    mark = hmac.new(key, b"visitor " + _network(request.remote_addr).encode(), hashlib.sha256)
    return Visitor(mark.hexdigest(), current_app.config["GUESTS_PER_HOUR"])


def _network(address: str | None) -> str:
    """The part of an address that tells one home or office from another.

    >>> _network("192.0.2.7"), _network("2001:db8:1:2:3:4:5:6"), _network("::ffff:192.0.2.7")
    ('192.0.2.7', '2001:db8:1:2::/64', '192.0.2.7')
    """
    try:
        found = ipaddress.ip_address((address or "").partition("%")[0])
    except ValueError:
        return ""
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return str(ipaddress.ip_network((found, 64), strict=False))
    return str(found)


def person() -> User:
    """The signed-in person; for views behind `sign_in_required` or after `ensure_person`."""
    return cast(User, current_user._get_current_object())


def sign_in_required(view: Callable[P, R]) -> Callable[P, R | ResponseReturnValue]:
    """Let only somebody signed in (a guest is) into `view`; lead others to the sign-in page.

    A plain request is redirected; a htmx request is told to leave the page (401 with
    `HX-Redirect`), since a redirect would put the sign-in page inside the table.
    """

    @wraps(view)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> R | ResponseReturnValue:
        if not current_user.is_authenticated:
            return lead_to_sign_in()
        return view(*args, **kwargs)

    return guarded


def lead_to_sign_in() -> ResponseReturnValue:
    """The answer for somebody who must sign in first; afterwards they come back here."""
    where = addresses.sign_in_page(addresses.page_of_request())
    if addresses.is_htmx():
        return Response(status=401, headers={"HX-Redirect": where})
    return redirect(where, code=303)


def renew_form_token() -> None:
    """A form token for the new state of things; forms shown before are shown again."""
    session[FORM_TOKEN] = secrets.token_hex(20)
    g.pop(FORM_TOKEN, None)


def note_use(response: Response) -> Response:
    """Once a day, with a POST: note the sign-in as used, and let the cookie live on."""
    token = sign_in_token() if request.method == "POST" else None
    if token is None or response.status_code >= 500:
        return response
    try:
        if signins.note_seen(token):
            session.modified = True
            accounts.forget_unreachable()
    except SQLAlchemyError:
        # What was asked for has been done; this can wait for the next time.
        logger.warning("could not note that a sign-in is in use")
    return response


def _adopt(entrance: accounts.Entrance) -> None:
    session[SIGN_IN] = entrance.token
    _forget_loaded_person()


def look_again_who_asks() -> None:
    """Find out anew: whoever was found at the beginning may have been deleted meanwhile."""
    db.session.rollback()
    _forget_loaded_person()


def _forget_loaded_person() -> None:
    # Flask-Login loads the person once a request, here.
    g.pop("_login_user", None)


def _load_person(token: str) -> User | None:
    sign_in = signins.find(token)
    return sign_in.user if sign_in else None


def init_app(app: Flask) -> None:
    """Give `app` the one cookie and Flask-Login the way from it to a person."""
    app.session_interface = OneCookie()
    # No fingerprint of address and browser: telephones change networks in mid-match.
    login_manager.session_protection = None
    login_manager.user_loader(_load_person)
    login_manager.unauthorized_handler(lead_to_sign_in)
    app.after_request(note_use)
    for error in (ObjectDeletedError, StaleDataError, NoResultFound, PersonGoneError):
        app.register_error_handler(error, _answer_person_gone)


def _answer_person_gone(error: Exception) -> ResponseReturnValue:
    """Lead away somebody who was deleted, on another device, while this request was at work."""
    look_again_who_asks()
    if sign_in_token() is not None and not current_user.is_authenticated:
        return lead_to_sign_in()
    raise error
