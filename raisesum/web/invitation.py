"""The link, the code and the picture by which others find a table."""

from __future__ import annotations

from dataclasses import dataclass

import segno
from flask import current_app, request, url_for

from raisesum.web.security import host_is_allowed

#: What only this very machine calls itself.
_LOCAL = ("localhost", "127.0.0.1", "[::1]")


@dataclass(frozen=True, slots=True)
class Invitation:
    """What there is to pass on.

    Attributes:
        link: the full address that leads to the table.
        qr: the link as a picture, an address of the kind `data:`.
        code: the six letters, in two groups.
        join_address: where the letters can be typed, as one would say it.
        only_here: whether no other device can open any of these addresses.
    """

    link: str
    qr: str
    code: str
    join_address: str
    only_here: bool


def invitation(token: str, code: str) -> Invitation:
    """Return the invitation of these, with addresses that other devices can open."""
    link = full_address(url_for("invitations.look", token=token))
    join = full_address(url_for("friends.join"))
    return Invitation(
        link=link,
        qr=qr_picture(link),
        code=f"{code[:3]} {code[3:]}",
        join_address=join.partition("//")[2],
        only_here=only_here(),
    )


def only_here() -> bool:
    """Whether nobody but this very machine can open the addresses that are given out."""
    return current_app.config["NETWORK_ADDRESS"] is None and _is_local(request.host)


def full_address(path: str) -> str:
    """Return the address of `path` here, as another device can reach it.

    Whoever opened the page on the very machine that serves it calls that `localhost`, which on a
    telephone means the telephone.
    """
    host = request.host
    outside = current_app.config["NETWORK_ADDRESS"]
    if outside is not None and _is_local(host):
        port = host[host.rfind(":") :] if host.rfind(":") > host.rfind("]") else ""
        host = f"{outside}{port}"
    return f"{request.scheme}://{host}{path}"


def _is_local(host: str) -> bool:
    return host_is_allowed(host, _LOCAL)


def qr_picture(address: str) -> str:
    """Return a picture of `address` that a camera can read, as an address of the kind `data:`."""
    # The quiet zone is part of what cameras look for, so it is part of the picture.
    code = segno.make(address, error="m", micro=False)
    return str(code.svg_data_uri(scale=4, border=4, dark="#000000", light="#ffffff"))
