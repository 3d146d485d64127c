"""The limits there are: for guessing, for finding out names, and for newcomers.

Each is for an account, a browser, an address, or for an account and an address together. The last
is the strict one: who guesses somebody's password from one place has to wait there, and the owner
elsewhere does not notice. The limit of an account alone is for guessing from many places.
"""

from __future__ import annotations

from raisesum.services.attempts import HOUR_MS, MINUTE_MS, Limit, Tries, Visitor

_SIGN_IN = (
    Limit("sign-in pair", 20, 15 * MINUTE_MS),
    Limit("sign-in account", 50, HOUR_MS),
    Limit("sign-in address", 60, 15 * MINUTE_MS),
)
_RECOVERY = (
    Limit("recover pair", 20, 15 * MINUTE_MS),
    Limit("recover account", 50, HOUR_MS),
    Limit("recover address", 60, 15 * MINUTE_MS),
)
#: Of one's own password, by somebody who has got hold of a browser that is signed in.
_OWN_PASSWORD = Limit("own password", 20, 15 * MINUTE_MS)
#: Codes, of which there are 64 million. From one address 1,000 wrong ones an hour take a month to
#: find one of a hundred tables; where more are open, fewer are let through, so that it stays one.
_CODES_OF_A_BROWSER = Limit(
    "code browser",
    30,
    HOUR_MS,
    "Too many wrong codes. Wait {wait}, or ask for the link to the table, which works at once.",
)
_CODES_OF_AN_ADDRESS = 1000
_OPEN_TABLES_MEANT = 100
_TOO_MANY_CODES = (
    "Too many wrong codes have come from your network. Wait {wait}, or ask for the link to the "
    "table, which works at once."
)
#: A form to register tells whether a name is taken, so the forms are counted, whatever they say:
#: so many in an hour for each newcomer that may come.
_FORMS_A_NEWCOMER = 2
_NAMES_TRIED = "names tried"
_NEWCOMERS = "newcomers"
_TOO_MANY_NEWCOMERS = (
    "So many new people have come from your network that no more can for now. Wait {wait}, sign in "
    "if you have an account, or ask the person who runs this server to let more in."
)


def sign_in(handle_key: str | None, visitor: Visitor | None) -> Tries:
    """What a try to sign in counts for; without a key the handle cannot be anyone's."""
    return _guess(_SIGN_IN, handle_key, visitor)


def recovery(handle_key: str | None, visitor: Visitor | None) -> Tries:
    """What a try to recover an account counts for."""
    return _guess(_RECOVERY, handle_key, visitor)


def own_password(user_id: int) -> Tries:
    """What giving one's own password once more counts for."""
    return [(_OWN_PASSWORD, str(user_id))]


def names_tried(visitor: Visitor | None) -> Tries:
    """What a form to register counts for."""
    if visitor is None:
        return []
    most = _FORMS_A_NEWCOMER * visitor.newcomers
    return [(Limit(_NAMES_TRIED, most, HOUR_MS), visitor.mark)]


def newcomer(visitor: Visitor | None) -> Tries:
    """What one more person counts for, guest or account."""
    if visitor is None:
        return []
    limit = Limit(_NEWCOMERS, visitor.newcomers, HOUR_MS, _TOO_MANY_NEWCOMERS)
    return [(limit, visitor.mark)]


def wrong_code(visitor: Visitor, open_tables: int) -> Tries:
    """What a code counts for while so many tables could be found by one."""
    most = _CODES_OF_AN_ADDRESS * _OPEN_TABLES_MEANT // max(open_tables, _OPEN_TABLES_MEANT)
    of_address = Limit("code address", max(most, 1), HOUR_MS, _TOO_MANY_CODES)
    # Browsers that keep no cookie cannot be told apart: they count as one.
    return [(_CODES_OF_A_BROWSER, visitor.browser or visitor.mark), (of_address, visitor.mark)]


def _guess(
    limits: tuple[Limit, Limit, Limit], handle_key: str | None, visitor: Visitor | None
) -> Tries:
    pair, account, address = limits
    tries = [] if handle_key is None else [(account, handle_key)]
    if visitor is not None:
        tries.append((pair, f"{handle_key or ''} {visitor.mark}"))
        tries.append((address, visitor.mark))
    return tries
