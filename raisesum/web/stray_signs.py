"""Addresses with signs in them that a sentence, a messenger or a slip has put there.

"(see http://localhost:8000/games/KEY/)." is often opened as it stands, up to the full stop. No
address of ours needs more than letters, digits, `-` and `_` in its path, so all else can go.
"""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, urlencode

from flask import request

from raisesum.web import addresses

_PLAIN = re.compile("[A-Za-z0-9_-]+")
_SIGNS_AFTER_A_VALUE = re.compile("(?<=[A-Za-z0-9])[^A-Za-z0-9]+$")

#: How long the key of a table is, and the token of an invitation to one.
_KEY_LENGTH = 22
#: In a query only these can be told from what somebody has typed: they end with a letter or digit.
_PLAIN_IN_A_QUERY = ("at", "deck", "pace", "plays")

#: A name may end with any sign, but hardly with one that closes what it has not opened.
_OPENED_BY = {")": "(", "]": "[", ">": "<", '"': '"', "”": "“", "»": "«"}
_AFTER_A_NAME = "".join(_OPENED_BY) + ".,;:"

#: Nothing of ours asks for more, and strangers send what they like.
_LONGEST_QUERY = 2000


def page_asked_for() -> str | None:
    """The page that a look at an address was meant for, if stray signs are all that is wrong."""
    if request.method not in ("GET", "HEAD") or addresses.is_htmx():
        return None
    return page_meant(request.path, request.query_string.decode("utf-8", "replace"))


def page_meant(path: str, query: str = "") -> str | None:
    """Return the page of ours that `path` and `query` lead to without their stray signs.

    None if there are no such signs, or no such page. What follows a stray sign counts if it makes
    a page, and else is stray too.
    """
    query_meant = _query_without(query) if len(query) <= _LONGEST_QUERY else query
    for meant in _paths_without(path):
        if (meant, query_meant) != (path, query) and addresses.is_page(meant):
            return meant + (f"?{query_meant}" if query_meant else "")
    return None


def _paths_without(path: str) -> list[str]:
    kept: list[str] = []
    up_to_the_first = None
    for part in path.split("/"):
        runs = _PLAIN.findall(part)
        if runs:
            # Keys and hand-over tokens are second, and longer than a word such as `&quot;`.
            kept.append(max(runs, key=len) if len(kept) == 1 else runs[0])
        if up_to_the_first is None and part and kept and part != kept[-1]:
            up_to_the_first = len(kept)
    if len(kept) > 1 and kept[0] in ("games", "invitation"):
        key = kept[1]
        if len(key) > _KEY_LENGTH and not key[_KEY_LENGTH:].strip("_-"):
            kept[1] = key[:_KEY_LENGTH]
        elif up_to_the_first is not None and len(key) != _KEY_LENGTH:
            return []
    return ["/" + "/".join(part) for part in (kept, kept[:up_to_the_first])]


def _query_without(query: str) -> str:
    pairs = parse_qsl(query, keep_blank_values=True)
    meant = [(name, _value_without(name, value)) for name, value in pairs]
    return query if meant == pairs else urlencode(meant)


def _value_without(name: str, value: str) -> str:
    if name in _PLAIN_IN_A_QUERY:
        return _SIGNS_AFTER_A_VALUE.sub("", value)
    return _without_closing_signs(value) if name == "name" else value


def _without_closing_signs(value: str) -> str:
    """Return `value` up to the closing signs at its end, if it has not opened the first of them."""
    end = len(value)
    while end and (value[end - 1] in _AFTER_A_NAME or value[end - 1].isspace()):
        end -= 1
    closing = next((at for at in range(end, len(value)) if value[at] in _OPENED_BY), None)
    if closing is None or _OPENED_BY[value[closing]] in value[:closing]:
        return value
    return value[:closing].rstrip()
