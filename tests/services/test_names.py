import unicodedata

import pytest

from raisesum.bots import LEVELS
from raisesum.services import names
from raisesum.services.refusals import RefusedError


@pytest.mark.parametrize("text", ["abc", "A-b_9", "x" * 20, "007", " otter "])
def test_a_handle_is_ascii_letters_digits_underscore_and_hyphen(text: str) -> None:
    typed, key = names.handle(text)
    assert typed == text.strip()
    assert key == typed.lower()


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "ab",
        "x" * 21,
        "a b c",
        "o.tter",
        "ötter",
        "otter\n",
        "a\0bc",
        "\uff4ftter",
        "\u043etter",
        "___",
    ],
)
def test_anything_else_is_no_handle(text: str) -> None:
    with pytest.raises(RefusedError) as refused:
        names.handle(text)
    assert refused.value.field == "handle"
    assert names.handle_key(text) is None


@pytest.mark.parametrize("text", ["admin", "Moderator", "SUPPORT", "raise-the-sum"])
def test_names_that_speak_for_the_site_are_kept_back(text: str) -> None:
    with pytest.raises(RefusedError, match="kept back"):
        names.handle(text)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Zoe\u0308", "Zo\u00eb"),
        ("  Brave Otter ", "Brave Otter"),
        ("🦦", "🦦"),
        ("👩‍👩‍👧", "👩‍👩‍👧"),
        ("日本", "日本"),
        ("עברית", "עברית"),
        ("<b>&amp;", "<b>&amp;"),
        ("0", "0"),
        ("Steadyish", "Steadyish"),
    ],
)
def test_a_shown_name_may_be_anything_that_can_be_seen(text: str, name: str) -> None:
    assert names.shown_name(text) == name
    assert unicodedata.is_normalized("NFC", names.shown_name(text))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "can be seen"),
        ("   ", "can be seen"),
        ("\u200b\u200d", "can be seen"),
        ("\u3164", "can be seen"),
        ("\u2800\u2800", "can be seen"),
        ("\u0301", "can be seen"),
        ("\u00ad", "can be seen"),
        ("a\nb", "control"),
        ("a\0b", "control"),
        ("a\x85b", "control"),
        ("a\u2028b", "control"),
        ("a\ud800b", "control"),
        ("a\u202eb", "turn the writing"),
        ("a\u2066b", "turn the writing"),
        ("a\u200fb", "turn the writing"),
        ("a|b", r"\|"),
        ("x" * 25, "at most 24"),
        ("e\u0301" * 25, "at most 24"),
        ("x" * 1_000_000, "at most 24"),
        ("Steady", "table uses"),
        ("  steady 2", "table uses"),
        ("\uff33teady", "table uses"),
        ("St\u200beady", "table uses"),
        ("you", "table uses"),
        ("Former player", "table uses"),
    ],
)
def test_a_shown_name_that_misleads_or_breaks_is_refused(text: str, why: str) -> None:
    with pytest.raises(RefusedError, match=why) as refused:
        names.shown_name(text)
    assert refused.value.field == "shown_name"


@pytest.mark.parametrize("level", LEVELS.values(), ids=lambda level: level.name)
def test_no_person_is_called_like_a_bot(level: object) -> None:
    for name in (level.name, level.title, level.title.upper()):  # type: ignore[attr-defined]
        with pytest.raises(RefusedError):
            names.shown_name(name)


def test_every_guest_name_is_a_shown_name() -> None:
    assert len(set(names.ADJECTIVES)) == len(names.ADJECTIVES)
    assert len(set(names.ANIMALS)) == len(names.ANIMALS)
    assert not set(names.ADJECTIVES) & set(names.ANIMALS)
    for adjective in names.ADJECTIVES:
        for animal in names.ANIMALS:
            assert names.shown_name(f"{adjective} {animal}") == f"{adjective} {animal}"


def test_guests_get_many_names() -> None:
    assert len({names.guest_name() for _ in range(100)}) > 80
