"""Replays: of finished matches at their own addresses, and of records that somebody brings along.

A replay is one page at one step of its match.  What it shows is all in the address: `at` is the
step, `plays=1` lists the plays there were, and `pace` goes on by itself.  So every button is a
plain link; htmx follows the same links and swaps the part `replays/_replay.html`.

A record that is brought along is never stored.  It travels in the page's form, packed, and its
buttons send that form to the same addresses.  So every step is held to the rules anew, and what
comes back packed is worth no more trust than what was pasted.
"""

from __future__ import annotations

import base64
import binascii
import re
import unicodedata
import zlib
from collections.abc import Callable
from typing import Final

from flask import (
    Blueprint,
    Response,
    abort,
    make_response,
    render_template,
    request,
    url_for,
)
from flask.typing import ResponseReturnValue
from markupsafe import escape
from werkzeug.exceptions import RequestEntityTooLarge

from raisesum.engine.record import RecordError
from raisesum.services import history, reasons
from raisesum.services.errors import MatchGoesOnError, NoWinnerError
from raisesum.services.history import Replay
from raisesum.services.reasons import NO_REASONS, Reasons
from raisesum.web.addresses import is_htmx
from raisesum.web.csrf import STALE_FORM, on_stale_token
from raisesum.web.forms import whole_number
from raisesum.web.presenters.records import Fault, present_fault
from raisesum.web.presenters.replay import PACES, ReplayPage, pace_named, present_replay
from raisesum.web.presenters.why import present_why
from raisesum.web.rooms import viewer_id

blueprint = Blueprint("replays", __name__)

HIGHEST_STEP: Final = 2**31 - 1
#: The most bytes of a record that these pages take: what fits into a body with its form.
MOST_BYTES: Final = 64 * 1024
#: What the form needs beside the packed record.
_ROOM: Final = 2048

TOO_LARGE: Final = (
    "This is more than these pages take: a record here may have up to 64 KiB, which is a match of "
    "some 2,000 turns."
)
NOTHING_SENT: Final = "Paste a record, or choose a file that holds one."


@blueprint.errorhandler(MatchGoesOnError)
def no_replay_yet(_error: MatchGoesOnError) -> ResponseReturnValue:
    """Say to somebody at the table that its replay is still to come."""
    return render_template("replays/none.html", key=_key(), goes_on=True), 404


@blueprint.errorhandler(NoWinnerError)
def no_record(_error: NoWinnerError) -> ResponseReturnValue:
    """Say to somebody who sat at the table that a match without a winner has no record."""
    return render_template("replays/none.html", key=_key(), goes_on=False), 404


@blueprint.errorhandler(RequestEntityTooLarge)
def too_large(_error: RequestEntityTooLarge) -> ResponseReturnValue:
    """Show the form again to somebody who sent more than is read at all."""
    return _form({"": TOO_LARGE}), 413


# -- A finished match ----------------------------------------------------------------------


@blueprint.get("/games/<key>/replay")
def show(key: str) -> ResponseReturnValue:
    """Show a match that is over at one of its steps, to those who may see it."""
    replay = history.replay_for(viewer_id(), key)
    return _answer(
        replay,
        address=lambda **query: url_for("replays.show", key=key, **query),
        key=key,
        link=url_for("replays.show", key=key, _external=True),
        given=reasons.reasons_for(viewer_id(), key) if replay.is_won else NO_REASONS,
    )


@blueprint.get("/games/<key>/why")
def why(key: str) -> ResponseReturnValue:
    """Tell why the bots of a finished match did what they did, to anyone who has its link."""
    given = reasons.reasons_for(viewer_id(), key)
    page = present_why(history.replay_for(viewer_id(), key), given)
    return render_template("replays/why.html", page=page, key=key)


@blueprint.get("/games/<key>/record")
def download(key: str) -> ResponseReturnValue:
    """Send the record of a finished match as a file."""
    text = history.record_for(viewer_id(), key)
    response = Response(text, mimetype="text/plain")
    name = file_name(history.replay_of(text.encode()).names)
    response.headers.set("Content-Disposition", "attachment", filename=name)
    return response


def _key() -> str:
    return str((request.view_args or {})["key"])


def file_name(names: tuple[str, ...]) -> str:
    """Return what the record of a match of these players is called as a file.

    >>> file_name(("Quick Otter", "Zoë", "日本"))
    'raise-the-sum-quick-otter-zoe-3.txt'
    """
    parts = []
    for seat, name in enumerate(names, 1):
        plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
        parts.append("-".join(re.findall("[a-z0-9]+", plain)) or str(seat))
    return f"raise-the-sum-{'-'.join(parts)}.txt"


# -- A record that somebody brings along ---------------------------------------------------


@blueprint.get("/records/open")
def open_form() -> str:
    """Show the form that takes a record."""
    return _form({})


def _form_again() -> ResponseReturnValue:
    if is_htmx():
        headers = {"HX-Retarget": "#alert", "HX-Reswap": "innerHTML"}
        return Response(escape(STALE_FORM), status=400, headers=headers)
    packed = request.form.get("packed")
    pasted = _unpacked(packed).decode("utf-8", "replace") if packed else _pasted()
    return _form({"": STALE_FORM}, pasted), 400


@blueprint.post("/records/open")
@on_stale_token(_form_again)
def open_record() -> ResponseReturnValue:
    """Show the match that a record tells, or the line in which it is wrong; store nothing."""
    record = _record_sent()
    if not record:
        return _form({"record": NOTHING_SENT}), 422
    try:
        replay = history.replay_of(record)
    except RecordError as error:
        return _form({}, _pasted(), present_fault(record, error)), 422
    packed = base64.b64encode(zlib.compress(record)).decode()
    if len(packed) > MOST_BYTES - _ROOM:
        return _form({"": TOO_LARGE}), 413
    return _answer(
        replay,
        address=lambda **query: url_for("replays.open_record", **query),
        packed=packed,
    )


def _record_sent() -> bytes:
    """Return the record that the form brings: packed, as a file, or pasted.

    A file is taken as it is, to the byte.  A browser sends what was pasted with line ends of its
    own, and whoever selects text easily misses its last line end or takes empty lines along:
    those are no faults of the record's.
    """
    packed = request.form.get("packed")
    if packed:
        return _unpacked(packed)
    file = request.files.get("file")
    if file is not None and file.filename:
        return file.stream.read()
    pasted = _pasted().replace("\r\n", "\n").rstrip("\n")
    return f"{pasted}\n".encode() if pasted else b""


def _pasted() -> str:
    return request.form.get("record", "")


def _unpacked(packed: str) -> bytes:
    try:
        unpacker = zlib.decompressobj()
        record = unpacker.decompress(base64.b64decode(packed, validate=True), MOST_BYTES)
    except (binascii.Error, ValueError, zlib.error):
        abort(400)
    if not unpacker.eof:
        abort(400)
    return record


def _form(errors: dict[str, str], pasted: str = "", fault: Fault | None = None) -> str:
    return render_template("replays/open.html", errors=errors, pasted=pasted, fault=fault)


# -- Both ----------------------------------------------------------------------------------


def _answer(
    replay: Replay,
    address: Callable[..., str],
    *,
    key: str | None = None,
    link: str = "",
    packed: str = "",
    given: Reasons = NO_REASONS,
) -> ResponseReturnValue:
    """Return the step that the request asks for, as a part or a page."""
    page = _page_asked_for(replay, given)
    open_list = {"plays": 1} if page.plays is not None else {}

    def to(at: int, **query: str | int) -> str:
        return address(at=at, **{**open_list, **query})

    template = "replays/_part.html" if is_htmx() else "replays/replay.html"
    return make_response(
        render_template(template, page=page, paces=PACES, to=to, key=key, link=link, packed=packed)
    )


def _page_asked_for(replay: Replay, given: Reasons) -> ReplayPage:
    at = whole_number(request.args.get("at", "0"), 0, HIGHEST_STEP)
    if at is None:
        abort(400)
    if at > replay.last:
        abort(404)
    return present_replay(
        replay,
        at,
        pace=pace_named(request.args.get("pace", "")),
        shows_plays=request.args.get("plays") == "1",
        reasons=given,
    )
