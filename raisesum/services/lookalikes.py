"""What a name looks like, by Unicode's table of characters that look alike (UTS #39).

Two names look alike when they have a look in common. Case, width, accents and spaces make no
difference, nor do 1, l and I, or 0 and O.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from pathlib import Path

_CONFUSABLES = Path(__file__).resolve().parent.parent / "data" / "confusables.txt"

#: Blank to the eye although Unicode calls them letters: Hangul fillers and a Braille cell of no
#: dots.
BLANK_LETTERS = frozenset("\u115f\u1160\u3164\uffa0\u2800")
#: Marks that are never drawn: they choose between forms of the character before them.
_BLANK_MARKS = re.compile(
    "[\u034f\u17b4\u17b5\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]"
)
#: Unicode's table leaves out letters drawn as small capitals, in circles or on flags. Their names
#: tell which letter they are.
_LATIN = re.compile(
    r".*(?:LATIN (?:CAPITAL|SMALL) LETTER|LATIN LETTER SMALL CAPITAL|SYMBOL LETTER)"
    r" ([A-Z])(?: WITH .*)?"
)
#: Combining classes of accents, overlays and the points of Hebrew and Arabic. Vowel signs of other
#: scripts are marks as well, but have other classes; two names that differ in them look different.
_ACCENTS = (range(1, 2), range(10, 37), range(200, 241))

#: Some characters stand for whole phrases, and become as long; what comes later is not compared.
_LONGEST = 64


def looks(name: str) -> frozenset[str]:
    r"""Return what `name` looks like, in each of the ways in which letters can be alike.

    >>> looks("Y\u043eu") & looks("YOU") == looks("you")
    True
    >>> looks("Ann") & looks("Anna")
    frozenset()
    """
    plain = unicodedata.normalize("NFKC", name)[:_LONGEST]
    forms = {unicodedata.normalize("NFD", form) for form in (name, plain, plain.casefold())}
    return frozenset(
        "".join(map(shape, form)) for form in forms for shape in (_shape, _latin_shape)
    )


@lru_cache(maxsize=2048)
def _shape(character: str) -> str:
    """Return what one character looks like, in characters that stand for all of that look."""
    return _caseless(character)


@lru_cache(maxsize=2048)
def _latin_shape(character: str) -> str:
    """Return the same for small letters that are drawn like their capitals, if those look Latin."""
    shape = _shape(character)
    if shape.isascii():
        return shape
    of_capital = _caseless(character.upper())
    return of_capital if of_capital.isascii() else shape


def _caseless(text: str) -> str:
    shape = _prototypes(_prototypes(text).casefold())
    # The table takes the capital I for an l. So the small one, which is the same letter, has to
    # be one as well.
    return shape.replace("i", "l")


def _prototypes(text: str) -> str:
    shape = unicodedata.normalize("NFD", text).translate(_table())
    return "".join(
        _plain_latin(each) for each in unicodedata.normalize("NFD", shape) if _is_drawn(each)
    )


def _is_drawn(character: str) -> bool:
    category = unicodedata.category(character)
    if category[0] != "M":
        return category[0] in "LNPS" and character not in BLANK_LETTERS
    if category == "Me" or _BLANK_MARKS.match(character):
        return False
    accent = unicodedata.combining(character)
    return not any(accent in classes for classes in _ACCENTS)


def _plain_latin(character: str) -> str:
    if character.isascii():
        return character
    found = _LATIN.fullmatch(unicodedata.name(character, ""))
    return found[1].lower() if found else character


@cache
def _table() -> dict[int, str]:
    """Return the prototype of each character that has another one than itself."""
    table = {}
    with _CONFUSABLES.open(encoding="utf-8-sig") as lines:
        for line in lines:
            character, _, rest = line.partition(";")
            if rest and not character.startswith("#"):
                prototype = rest.partition(";")[0].split()
                table[int(character, 16)] = "".join(chr(int(code, 16)) for code in prototype)
    return table
