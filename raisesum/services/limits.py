"""The limits there are: for guessing, for finding out names, and for newcomers.

Each is for an account, for an address, or for the two together. The last is the strict one: who
guesses somebody's password from one place has to wait there, and the owner elsewhere does not
notice. The limit of an account alone is for guessing from many places.
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
#: A form to register tells whether a name is taken, so the forms are counted, whatever they say:
#: so many in an hour for each newcomer that may come.
_FORMS_A_NEWCOMER = 2
_NAMES_TRIED = "names tried"
_NEWCOMERS = "newcomers"


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
    return [(Limit(_NEWCOMERS, visitor.newcomers, HOUR_MS), visitor.mark)]


def _guess(
    limits: tuple[Limit, Limit, Limit], handle_key: str | None, visitor: Visitor | None
) -> Tries:
    pair, account, address = limits
    tries = [] if handle_key is None else [(account, handle_key)]
    if visitor is not None:
        tries.append((pair, f"{handle_key or ''} {visitor.mark}"))
        tries.append((address, visitor.mark))
    return tries
