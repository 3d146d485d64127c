from __future__ import annotations

import unicodedata

from raisesum.services import lookalikes
from raisesum.services.lookalikes import looks


def test_every_pair_of_unicodes_table_looks_alike():
    """But for what is not drawn at all, and for marks, which stand on something."""
    missed = [
        (character, prototype)
        for code, prototype in lookalikes._table().items()
        if (character := chr(code)) and unicodedata.category(character)[0] in "LN"
        if looks(f"a{character}").isdisjoint(looks(f"a{prototype}"))
    ]
    assert missed == []


def test_case_makes_no_difference():
    for code in (*range(0x41, 0x250), *range(0x370, 0x530)):
        name = f"{chr(code)}xx"
        for other in (name.upper(), name.lower()):
            assert not looks(name).isdisjoint(looks(other)), (name, other)


def test_latin_letters_and_digits_stay_apart_but_for_those_that_look_alike():
    alike = ["0Oo", "1IiLl"]
    signs = [chr(code) for code in (*range(0x30, 0x3A), *range(0x41, 0x5B), *range(0x61, 0x7B))]
    for sign in signs:
        like_it = {each for each in signs if looks(each) & looks(sign)}
        expected = next((set(group) for group in alike if sign in group), {sign, sign.swapcase()})
        assert like_it == expected
