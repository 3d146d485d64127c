# ruff: noqa: RUF001 - letters that look like others are what this is about
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
    with pytest.raises(RefusedError, match="reserved"):
        names.handle(text)


@pytest.mark.parametrize("text", ["adm1n", "rnoderator", "Y0U", "a-d_m-i-n", "HE1P"])
def test_no_letter_that_looks_like_another_makes_such_a_handle_free(text: str) -> None:
    with pytest.raises(RefusedError, match="reserved"):
        names.handle(text)
    # Somebody may have had it before, and still signs in.
    assert names.handle_key(text) == text.lower()


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


OWN_NAMES = (
    *("You", "Host", "the host", "Bot", "Admin", "Administrator", "Moderator", "Team", "Staff"),
    *("Support", "Raise the Sum", "The Raise the Sum Team", "Stand-in", "Free seat", "Guest"),
    *("Former player", "Former player 2", "Sharp", "Easy 1", "Master", "Gentle", "Table host"),
)


def letters_of(small: int, capital: int) -> dict[int, int]:
    """Return a table to write ASCII letters in another of Unicode's alphabets for them."""
    return {ord("a") + n: small + n for n in range(26)} | {
        ord("A") + n: capital + n for n in range(26)
    }


DISGUISES = {
    "as it is": {},
    "wide": letters_of(0xFF41, 0xFF21),
    "bold": letters_of(0x1D41A, 0x1D400),
    "double-struck sans": letters_of(0x1D5BA, 0x1D5A0),
    "in circles": letters_of(0x24D0, 0x24B6),
    "in black circles": letters_of(0x1F150, 0x1F150),
    "on flags": letters_of(0x1F1E6, 0x1F1E6),
    "Cyrillic": str.maketrans("acehijopsxyABCEHIJKMOPSTXY", "асеһіјорѕхуАВСЕНІЈКМОРЅТХУ"),
    "Greek": str.maketrans("opuvABEHIKMNOPTXYZ", "ορυνΑΒΕΗΙΚΜΝΟΡΤΧΥΖ"),
    "digits": str.maketrans("lIoO", "1100"),
}


@pytest.mark.parametrize("disguise", DISGUISES.values(), ids=DISGUISES)
@pytest.mark.parametrize("name", OWN_NAMES)
def test_no_person_is_called_like_the_program_in_any_disguise(
    name: str, disguise: dict[int, int]
) -> None:
    for text in (name, name.upper(), name.lower()):
        with pytest.raises(RefusedError):
            names.shown_name(text.translate(disguise))
        assert names.poses_as_program(text.translate(disguise))


@pytest.mark.parametrize(
    "text",
    [
        *(
            "Y o u",
            "Y.o.u",
            "-You-",
            "*You*",
            "You!",
            "(you)",
            "Y\u200bou",
            "Yo\u034fu",
            "Yo\ufe0fu",
        ),
        *(
            "Y\u0336o\u0336u\u0336",
            "Y\u20ddou",
            "Y\u00f6u",
            "Yo\u00fa",
            "\u028f\u1d0f\u1d1c",
            "Y\u043eu 2",
        ),
        *("Easy l", "Easy I", "Easy \u2461", "Easy\u2171", "Easy \u0662", "2 Easy", "rnaster"),
        *(
            "Admin Ann",
            "[Moderator] Ann",
            "\u2605Admin\u2605",
            "Ann (adm1n)",
            "Sharp bot",
            "Ad\u043cin",
        ),
        *(
            "\u041d\u043est",
            "\u043d\u043e\u0455\u0442",
            "\u0412\u043e\u0442",
            "Raise the Surn forever",
        ),
    ],
)
def test_nor_with_what_is_hardly_seen_around_or_within_it(text: str) -> None:
    with pytest.raises(RefusedError, match="table uses"):
        names.shown_name(text)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "Hostess",
            "Gentle Otter",
            "Steady Eddie",
            "Steadyish",
            "Masterson",
            "Robotnik",
            "Badminton",
        ),
        *(
            "Lil",
            "Ali",
            "Cleo",
            "Olli",
            "007",
            "I",
            "O",
            "0",
            "Youssef",
            "Modesty",
            "Botond",
            "Lo 2",
        ),
        *(
            "Zo\u00eb",
            "Jos\u00e9",
            "\u00d8ystein",
            "\u0141ukasz",
            "\u0110or\u0111e",
            "\u00deorsteinn",
        ),
        *("Иван", "Мария", "Ольга", "Юрий", "Том", "Нота", "Йордан", "Ганна", "Ђорђе", "Ахмед"),
        *("Νίκος", "ΜΑΡΙΑ", "Ελένη", "Γιώργος", "Նարեկ", "გიორგი", "ሰላም", "ᏣᎳᎩ"),
        *("محمد", "فاطمة", "عمر", "דנה", "משה", "李小龙", "王芳", "田中", "さくら"),
        *("김철수", "이영희", "राम", "मीना", "প্রিয়া", "தமிழ்", "สมชาย", "🦦", ":)", "\u00a8"),
    ],
)
def test_ordinary_names_of_all_scripts_are_fine(text: str) -> None:
    assert names.shown_name(text) == unicodedata.normalize("NFC", text)


def test_every_guest_name_is_a_shown_name() -> None:
    assert len(set(names.ADJECTIVES)) == len(names.ADJECTIVES)
    assert len(set(names.ANIMALS)) == len(names.ANIMALS)
    assert not set(names.ADJECTIVES) & set(names.ANIMALS)
    for adjective in names.ADJECTIVES:
        for animal in names.ANIMALS:
            assert names.shown_name(f"{adjective} {animal}") == f"{adjective} {animal}"


def test_guests_get_many_names() -> None:
    assert len({names.guest_name() for _ in range(100)}) > 80
