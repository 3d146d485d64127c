"""The answers for people who ask for a table at which they have no seat, the same at every address.

Who gets which, in this order:

1. whose address has signs in it that no key can have: the address without them;
2. whose cookie no longer signs them in: the sign-in page, since they may well sit there;
3. who had a seat there that another person has by now: what became of it;
4. who has the key of a table for people whose match has begun: "Too late for this table", with the
   way to watch it or to its replay where everybody may;
5. who asks for a page about a table that still waits, and is invited to it: that table;
6. everybody else: "No table here", the same for a table against bots as for none at all.
"""

from __future__ import annotations

from flask import Flask, current_app, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

from raisesum.services import seating
from raisesum.services.begun import begun_table
from raisesum.services.errors import BegunError, NoSuchTableError, NotBegunError, SentAwayError
from raisesum.services.seat_offers import lost_seat
from raisesum.services.table import pulse
from raisesum.web import addresses, sessions, stray_signs
from raisesum.web.games import go_to
from raisesum.web.rooms import viewer_id


def init_app(app: Flask) -> None:
    """Give `app` its answers about tables that somebody has no part in."""
    app.register_error_handler(NoSuchTableError, _no_such_table)
    app.register_error_handler(NotBegunError, _not_begun)


def too_late(key: str, status: int) -> ResponseReturnValue:
    """Say to somebody without a seat that the match has begun, and what they can do now."""
    return render_template("waiting/too_late.html", table=begun_table(key), key=key), status


def no_table() -> ResponseReturnValue:
    """Say that an address leads to no table. The page tells nothing of what was asked for."""
    # The person may be what is gone, and the page greets them by name.
    sessions.look_again_who_asks()
    return render_template("errors/no_table.html"), 404


def _no_such_table(_error: NoSuchTableError) -> ResponseReturnValue:
    # A table and a person go together when a copy of the database is brought back.
    sessions.look_again_who_asks()
    meant = stray_signs.page_asked_for()
    if meant is not None:
        return redirect(meant, code=303)
    if sessions.has_ended_sign_in():
        return sessions.lead_to_sign_in()
    if addresses.is_htmx():
        # The script opens the page that the part belongs to anew, and that says more.
        return current_app.handle_http_exception(NotFound())
    lost = lost_seat(viewer_id(), _key())
    if lost is not None:
        return render_template("seats/lost.html", lost=lost, key=_key()), 404
    try:
        seating.check_waits(_key())
        pulse(viewer_id(), _key())
    except BegunError:
        return too_late(_key(), 404)
    except (NoSuchTableError, SentAwayError):
        return no_table()
    if request.method == "POST":
        return current_app.handle_http_exception(NotFound())
    return redirect(url_for("games.show", key=_key()), code=303)


def _not_begun(_error: NotBegunError) -> ResponseReturnValue:
    """Lead back to the page of a table that still waits for people."""
    return go_to(url_for("games.show", key=_key()))


def _key() -> str:
    return str((request.view_args or {}).get("key", ""))
