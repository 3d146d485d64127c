"""How a person likes to see the game."""

from __future__ import annotations

from collections.abc import Mapping

from raisesum.models import User
from raisesum.services.refusals import RefusedError
from raisesum.services.transactions import write_transaction

THEMES = ("system", "light", "dark")
TEXT_SIZES = ("normal", "large")
HAND_ORDERS = ("drawn", "kind", "value")
CONFIRM_PASS = ("on", "off")
KEYS = ("on", "off")

_ALLOWED = {
    "theme": THEMES,
    "text_size": TEXT_SIZES,
    "hand_order": HAND_ORDERS,
    "confirm_pass": CONFIRM_PASS,
    "keys": KEYS,
}


def check(wishes: Mapping[str, str]) -> dict[str, str]:
    """The preferences among `wishes`. Raises `RefusedError` for a value there is none of."""
    wanted = {name: wishes[name] for name in _ALLOWED if name in wishes}
    for name, value in wanted.items():
        if value not in _ALLOWED[name]:
            raise RefusedError("There is no such choice.", name)
    return wanted


def change(user_id: int, wishes: Mapping[str, str]) -> None:
    """Change the preferences that `wishes` names.

    They are `theme`, `text_size`, `hand_order`, `confirm_pass` and `keys`. Others stay, and names
    that are no preference are passed over. Raises `RefusedError` as `check` does, and then changes
    nothing.
    """
    wanted = check(wishes)
    asks, keys = wanted.get("confirm_pass"), wanted.get("keys")
    with write_transaction() as session:
        user = session.get_one(User, user_id, with_for_update=True)
        user.theme = wanted.get("theme", user.theme)
        user.text_size = wanted.get("text_size", user.text_size)
        user.hand_order = wanted.get("hand_order", user.hand_order)
        if asks is not None:
            user.confirm_pass = asks == "on"
        if keys is not None:
            user.keys = keys == "on"
