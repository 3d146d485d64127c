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
from typing import Any, ParamSpec, TypeVar, cast

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

#: What the cookie was called in the first releases; today's names begin with it.
_FIRST_NAME = "raisesum"


class OneCookie(SessionInterface):
    """Flask's session in one signed cookie, `cookie_name`.

    A browser may still have it by another of our names: by the one of the first releases, which
    was the same for every instance on a host, or by the one of plain HTTP, though the site has
    moved to HTTPS since. Then that is read, and the next POST puts it under the name of today.
    """

    session_class = SecureCookieSession

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession:
        """The session in the request's cookie; an empty one if there is none of ours."""
        names = (cookie_name(app, request.is_secure), *_former_names(app, request))
        kept = next(filter(None, (_kept(app, request, name) for name in names)), {})
        long_names = {short: name for name, short in _KEPT.items()}
        values = {long_names[short]: item for short, item in kept.items() if short in long_names}
        if MESSAGES in values:
            values[MESSAGES] = [tuple(message) for message in values[MESSAGES]]
        return self.session_class(values)

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        """Send the cookie, or take it back when nothing is left in it.

        Only after a change, or when a POST finds the cookie by a former name. Cookies that are not
        signed with this instance's key belong to another one, and are left alone.
        """
        former = [
            name
            for name in _former_names(app, request)
            if request.method == "POST" and _kept(app, request, name)
        ]
        if not session.modified and not former:
            return
        kept = {short: session[name] for name, short in _KEPT.items() if session.get(name)}
        if "m" in kept:
            kept["m"] = kept["m"][-_MOST_MESSAGES:]
        name = cookie_name(app, request.is_secure)
        _set_cookie(response, name, _serializer(app, name).dumps(kept) if kept else "")
        for old_name in former:
            _set_cookie(response, old_name, "")


def cookie_name(app: Flask, is_secure: bool) -> str:
    """The name of the cookie: another one for each instance, since ports share their cookies.

    `__Host-` makes browsers refuse the cookie from anyone but this very host by HTTPS.
    """
    key = cast(str, app.secret_key).encode()
    instance = hmac.new(key, b"name of the cookie", hashlib.sha256).hexdigest()[:8]
    return f"{'__Host-' if is_secure else ''}{_FIRST_NAME}-{instance}"


def _former_names(app: Flask, request: Request) -> tuple[str, ...]:
    """The other names under which this browser may have the cookie, the best first.

    Anyone on the way can set a cookie for a site by plain HTTP. What counts is that a value is
    bound to its name: so nobody can put one there that the server gave them over HTTPS.
    """
    if request.is_secure:
        return f"__Host-{_FIRST_NAME}", cookie_name(app, is_secure=False), _FIRST_NAME
    return (_FIRST_NAME,)


def _kept(app: Flask, request: Request, name: str) -> dict[str, Any]:
    """What the cookie `name` holds, if this instance has signed it under this name."""
    try:
        return cast(dict[str, Any], _serializer(app, name).loads(request.cookies.get(name, "")))
    except BadSignature:
        return {}


def _set_cookie(response: Response, name: str, value: str) -> None:
    response.set_cookie(
        name,
        value,
        max_age=COOKIE_SECONDS if value else 0,
        path="/",
        secure=request.is_secure,
        httponly=True,
        samesite="Lax",
    )


def _serializer(app: Flask, name: str) -> URLSafeSerializer:
    # The first releases signed under one salt whatever the name.
    is_first = name.removeprefix("__Host-") == _FIRST_NAME
    return URLSafeSerializer(
        cast(str, app.secret_key),
        salt="raisesum.session" if is_first else f"raisesum.session {name}",
        signer_kwargs={"key_derivation": "hmac", "digest_method": hashlib.sha256},
    )


def sign_in_token() -> str | None:
    """The token of this browser's sign-in, whether or not it is still worth anything."""
    token = session.get(SIGN_IN)
    return token if isinstance(token, str) else None


def has_ended_sign_in() -> bool:
    """Whether this browser was signed in, and its cookie is worth nothing any more."""
    return sign_in_token() is not None and not current_user.is_authenticated


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
    counts, since each home has all that begin with it. A browser is told from others there by its
    cookie.
    """
    key = cast(str, current_app.secret_key).encode()
    mark = hmac.new(key, b"visitor " + _network(request.remote_addr).encode(), hashlib.sha256)
    # What only a browser has that keeps our cookie; one that throws it away gains nothing by that.
    own = sign_in_token() or session.get(FORM_TOKEN)
    return Visitor(
        mark.hexdigest(),
        current_app.config["GUESTS_PER_HOUR"],
        f"browser {own}" if own else "",
    )


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
    if has_ended_sign_in():
        return lead_to_sign_in()
    raise error
