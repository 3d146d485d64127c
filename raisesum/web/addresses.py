"""Where a request comes from and where it may be sent: our own pages, and nothing else."""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import current_app, request, url_for
from werkzeug.exceptions import HTTPException


def is_htmx() -> bool:
    """Whether htmx asks, so that the answer goes into a page that stays open."""
    return request.headers.get("HX-Request") == "true"


def own_path(text: str | None) -> str | None:
    r"""`text` if it is the path of a page here (with its query, perhaps), else None.

    Browsers read `//host` and `/\host` as another site, and drop tabs and line ends before
    they look; anything that is not plain printable ASCII is refused.

    >>> own_path("/games/abc?x=1")
    '/games/abc?x=1'
    >>> own_path("//evil.example") is own_path("/\\evil.example") is own_path("a") is None
    True
    """
    if not text or len(text) > 2000 or not text.startswith("/") or text.startswith("//"):
        return None
    if "\\" in text or not all("!" <= character <= "~" for character in text):
        return None
    return text


def own_address(address: str | None) -> str | None:
    """The page in a full address (a `Referer`, a `HX-Current-URL`) if it is on this host.

    A page that answers to a form has the form's address, which cannot be opened; what lies above
    it can: `/games/k/actions` gives `/games/k`.
    """
    if not address:
        return None
    try:
        parts = urlsplit(address)
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or parts.netloc != request.host:
        return None
    if not is_page(parts.path):
        above = parts.path.rpartition("/")[0] or "/"
        return own_path(above) if is_page(above) else None
    return own_path(parts.path + (f"?{parts.query}" if parts.query else ""))


def page_of_request() -> str | None:
    """The page the person looks at: what is asked for, or what the form or part lies in."""
    if is_htmx():
        return own_address(request.headers.get("HX-Current-URL"))
    if request.method in ("GET", "HEAD"):
        path = request.full_path if request.query_string else request.path
        return own_path(path)
    return own_address(request.referrer)


def is_page(path: str) -> bool:
    """Whether some page of ours has the path `path`."""
    routes = current_app.url_map.bind("")
    try:
        endpoint, _arguments = routes.match(path, "GET")
    except HTTPException:
        return False
    return str(endpoint) != "static"


def sign_in_page(then: str | None) -> str:
    """The sign-in page's address, leading on to `then`."""
    return url_for("accounts.sign_in", next=then)
