"""Links to our own pages in what somebody has pasted where a code is asked for."""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import SplitResult, quote, unquote, urlsplit

from flask import current_app, request, url_for

from raisesum.web import addresses, stray_signs
from raisesum.web.security import host_is_allowed

_LONGEST_MESSAGE = 2000
_LINK = re.compile(r"https?://\S+", re.IGNORECASE)
_OPENING_SIGN = re.compile("[(\\[<\"'“‘«]")
_PORTS = {"http": 80, "https": 443}


def page_in(text: str) -> str | None:
    """Return the page of ours to which a link in `text` leads; its host may be left out.

    None where there is none, and for the page itself that asks for the code.
    """
    # What is written in one letter can be many in this form, so it is cut once more.
    plain = unicodedata.normalize("NFKC", text[:_LONGEST_MESSAGE])[:_LONGEST_MESSAGE]
    plain = "".join(sign for sign in plain if unicodedata.category(sign) != "Cf")
    for link in _LINK.findall(plain) + _links_without_scheme(_LINK.sub(" ", plain)):
        page = _page_of(link)
        if page is not None:
            return page
    return None


def _links_without_scheme(text: str) -> list[str]:
    found = []
    for word in text.split():
        before, slash, after = word.partition("/")
        if slash and after:
            found.append(_OPENING_SIGN.split(before)[-1] + slash + after)
    return found


def _page_of(link: str) -> str | None:
    try:
        whole = link if "://" in link else f"{request.scheme}://{request.host}{link}"
        if "://" not in link and not link.startswith("/"):
            whole = f"{request.scheme}://{link}"
        parts = urlsplit(whole)
        if not _is_ours(parts):
            return None
    except ValueError:
        return None
    path = unquote(parts.path)
    meant = stray_signs.page_meant(path, parts.query)
    if meant is None and addresses.is_page(path):
        meant = quote(path) + (f"?{parts.query}" if parts.query else "")
    page = addresses.own_path(meant)
    return None if page in (None, url_for("home.index"), url_for("friends.join")) else page


def _is_ours(parts: SplitResult) -> bool:
    """Whether a link leads to this server by one of its names, be it http or https."""
    here = urlsplit(request.host_url)
    if not host_is_allowed(parts.netloc, current_app.config["ALLOWED_HOSTS"]):
        return False
    return _port(parts) == _port(here)


def _port(parts: SplitResult) -> int | None:
    # The usual ports count as one: sites move from http to https.
    return None if parts.port in (None, _PORTS.get(parts.scheme)) else parts.port
