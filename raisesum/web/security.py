"""What every answer says about itself, and which requests are heard at all."""

from __future__ import annotations

from flask import Flask, Response, current_app, request
from werkzeug.exceptions import BadRequest
from werkzeug.middleware.proxy_fix import ProxyFix

from raisesum.web import static_files

CONTENT_SECURITY_POLICY = "; ".join(
    f"{directive} {sources}"
    for directive, sources in {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "img-src": "'self' data:",
        "font-src": "'self'",
        "connect-src": "'self'",
        "manifest-src": "'self'",
        "form-action": "'self'",
        "base-uri": "'none'",
        "frame-ancestors": "'none'",
    }.items()
)

HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    # What frame-ancestors says, for old browsers.
    "X-Frame-Options": "DENY",
    # Not `no-referrer`: over HTTPS the form token's check needs to see where a form came from.
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}

# Pages show hands. They are for one person and for now: for no cache, and for no other one who
# presses Back on the same computer.
PERSONAL_HEADERS = {"Cache-Control": "no-store", "Vary": "Cookie, HX-Request"}


class UnknownHostError(BadRequest):
    """The request asks for a host that this server does not answer to."""


def init_app(app: Flask) -> None:
    """Give every answer of `app` its headers, and turn away requests for other hosts."""
    proxies = app.config["TRUSTED_PROXIES"]
    if proxies:
        # Believed only when configured: anyone can send these headers.
        app.wsgi_app = ProxyFix(  # type: ignore[method-assign]
            app.wsgi_app, x_for=proxies, x_proto=proxies, x_host=proxies
        )
    app.before_request(_check_host)
    app.after_request(_add_headers)


def host_is_allowed(host: str, allowed: tuple[str, ...]) -> bool:
    """Whether `host`, a `Host` header with or without a port, is one of `allowed`.

    >>> host_is_allowed("localhost:8000", ("localhost",)), host_is_allowed("", ("localhost",))
    (True, False)
    >>> host_is_allowed("a.example.org", (".example.org",)), host_is_allowed("[::1]", ("[::1]",))
    (True, True)
    """
    name = host.lower()
    bracket = name.rfind("]")
    colon = name.rfind(":")
    if colon > bracket:
        name = name[:colon]
    if not name:
        return False
    return any(
        name == entry or (entry.startswith(".") and (name.endswith(entry) or name == entry[1:]))
        for entry in allowed
    )


def _check_host() -> None:
    # Werkzeug's own check knows no IPv6 addresses; it has looked at the form of the name.
    if not host_is_allowed(request.host, current_app.config["ALLOWED_HOSTS"]):
        raise UnknownHostError


def _add_headers(response: Response) -> Response:
    response.headers.update(HEADERS)
    if static_files.is_one(response):
        response.headers["Cache-Control"] = static_files.cache_control()
    else:
        response.headers.update(PERSONAL_HEADERS)
    return response
