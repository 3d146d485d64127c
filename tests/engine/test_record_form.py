"""What a record looks like: each test holds one sentence about the form of records."""

import pytest

from tests.engine.records import (
    DRY,
    LEAN,
    SHORT,
    SPLIT,
    number_of,
    read,
    with_line,
    without_line,
    wrong_line,
)

LINES = SHORT.splitlines()
EVERY_LINE = range(1, len(LINES) + 1)


@pytest.mark.parametrize("text", [SHORT, LEAN, SPLIT, DRY])
def test_the_records_of_these_tests_are_right_and_come_back_to_the_byte(text):
    assert read(text).text == text


# -- Bytes and lines -----------------------------------------------------------------------


@pytest.mark.parametrize("number", EVERY_LINE)
def test_a_line_without_its_line_feed_is_wrong(number):
    cut = "\n".join(LINES[:number])
    # Of line 6, which is empty, nothing is left without its end: the record stops before it.
    assert wrong_line(cut) == number


@pytest.mark.parametrize("number", EVERY_LINE)
def test_a_line_ends_in_one_line_feed_not_two(number):
    doubled = "\n".join([*LINES[:number], "", *LINES[number:]]) + "\n"
    # Two empty lines are wrong from the second on.
    assert wrong_line(doubled) == number + (2 if number == 5 else 1)


@pytest.mark.parametrize("number", EVERY_LINE)
def test_there_is_no_carriage_return_at_the_end_of_a_line(number):
    assert wrong_line(with_line(SHORT, number, LINES[number - 1] + "\r")) == number


def test_a_record_with_the_line_ends_of_windows_is_wrong_from_its_first_line():
    assert wrong_line(SHORT.replace("\n", "\r\n")) == 1


def test_a_carriage_return_alone_ends_no_line():
    assert wrong_line(SHORT.replace("\n", "\r")) == 1
    assert wrong_line(SHORT.replace("North", "No\rth")) == 2


@pytest.mark.parametrize("end", ["\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029"])
def test_what_elsewhere_ends_a_line_does_not_end_one_here(end):
    assert wrong_line(SHORT.replace("\nround 1\n", f"{end}round 1\n")) == 8


@pytest.mark.parametrize("number", EVERY_LINE)
def test_there_is_no_byte_order_mark(number):
    assert wrong_line(with_line(SHORT, number, "\ufeff" + LINES[number - 1])) == number


def test_other_encodings_of_unicode_are_wrong_from_the_first_line():
    for encoding in ("utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"):
        assert wrong_line(SHORT.encode(encoding)) == 1


BAD_BYTES = {
    "a byte of another encoding": b"\xe9",
    "a lone continuation": b"\x80",
    "cut short": b"\xe2\x82",
    "longer than needed": b"\xc0\xaf",
    "a surrogate": b"\xed\xa0\x80",
    "past the end of Unicode": b"\xf4\x90\x80\x80",
    "never a byte of UTF-8": b"\xff",
}


@pytest.mark.parametrize("bad", BAD_BYTES.values(), ids=BAD_BYTES.keys())
@pytest.mark.parametrize("number", [1, 2, 6, 11, 16])
def test_a_line_with_bytes_that_are_not_utf8_is_wrong(number, bad):
    lines = SHORT.encode().split(b"\n")
    lines[number - 1] += bad
    assert wrong_line(b"\n".join(lines)) == number


def test_bytes_that_are_not_utf8_are_wrong_in_a_name_too():
    assert wrong_line(SHORT.encode().replace(b"North", b"N\xf6rth")) == 2


@pytest.mark.parametrize("number", [n for n in EVERY_LINE if " " in LINES[n - 1]])
def test_there_are_single_spaces_only(number):
    assert wrong_line(with_line(SHORT, number, LINES[number - 1].replace(" ", "  ", 1))) == number


@pytest.mark.parametrize("number", EVERY_LINE)
@pytest.mark.parametrize("space", [" ", "\t", "\u00a0"], ids=["space", "tab", "no-break space"])
def test_nothing_stands_before_or_after_an_entry(number, space):
    line = LINES[number - 1]
    assert wrong_line(with_line(SHORT, number, space + line)) == number
    if number != 2 or space != "\u00a0":  # which a name may end in
        assert wrong_line(with_line(SHORT, number, line + space)) == number


@pytest.mark.parametrize("space", ["\t", "\u00a0", ""], ids=["tab", "no-break space", "none"])
def test_only_a_space_parts_what_a_space_should_part(space):
    for number in (1, 2, 3, 4, 5, 7, 9, 10, 11, 13, 14, 15, 16):
        assert wrong_line(with_line(SHORT, number, LINES[number - 1].replace(" ", space, 1))) == (
            number
        )


def test_no_letter_is_another_case():
    for number in (1, 3, 4, 5, 7, 9, 10, 11, 13, 14, 15, 16):
        line = LINES[number - 1]
        for other in {line.upper(), line.capitalize(), line.lower()} - {line}:
            assert wrong_line(with_line(SHORT, number, other)) == number
    assert wrong_line(with_line(SHORT, 2, LINES[1].replace("p", "P"))) == 2


def test_line_6_is_empty():
    assert wrong_line(without_line(SHORT, 6)) == 6
    assert wrong_line(with_line(SHORT, 6, "-")) == 6


@pytest.mark.parametrize("number", EVERY_LINE)
def test_a_nul_is_part_of_no_line(number):
    line = LINES[number - 1]
    assert wrong_line(with_line(SHORT, number, line + "\0")) == number
    assert wrong_line(with_line(SHORT, number, line[:9] + "\0" + line[9:])) == number


@pytest.mark.parametrize(
    "header",
    ["Raise the Sum record 2", "Raise the Sum record 01", "Raise the Sum record", "", "[Event]"],
)
def test_the_first_line_is_always_the_same(header):
    assert wrong_line(with_line(SHORT, 1, header)) == 1


# -- Players -------------------------------------------------------------------------------


def players(*names: str) -> str:
    return with_line(SHORT, 2, "players: " + " | ".join(names))


@pytest.mark.parametrize("names", [(), ("A",), ("A", "B", "C", "D", "E")], ids=len)
def test_there_are_two_to_four_names(names):
    assert wrong_line(players(*names)) == 2


def test_seat_1_is_named_first():
    assert read(SHORT).names == ("North", "East")


def test_each_name_is_a_seat():
    # A third player is dealt cards after the second, before the first.
    assert wrong_line(players("North", "East", "South")) == 8
    assert wrong_line(DRY.replace(" | South", "")) == 9


def test_names_are_parted_by_space_bar_space():
    for line in ("North|East", "North |East", "North| East", "North, East", "North || East"):
        assert wrong_line(with_line(SHORT, 2, f"players: {line}")) == 2


def test_a_name_has_at_least_one_character():
    for line in ("North | ", " | East", " | ", "|", "North |  | East"):
        assert wrong_line(with_line(SHORT, 2, f"players: {line}")) == 2
    assert wrong_line(players("N", "E")) is None


def test_a_name_has_no_space_at_either_end():
    for name in (" North", "North ", " "):
        assert wrong_line(players(name, "East")) == 2
        assert wrong_line(players("East", name)) == 2
    assert wrong_line(players("North of Here", "East")) is None


def test_a_name_has_no_bar():
    for name in ("No|rth", "|North", "North|", "|"):
        assert wrong_line(players(name, "East")) == 2


def test_a_name_has_no_control_character():
    for code in (*range(0x20), *range(0x7F, 0xA0)):
        # The line feed ends the line, which then names one player.
        assert wrong_line(players(f"No{chr(code)}rth", "East")) == 2


def test_two_names_may_be_equal():
    assert read(players("North", "North")).names == ("North", "North")


@pytest.mark.parametrize("name", ["Zoë", "李雷", "\U0001f0cf", "ملك", "=", "-2", "pass", "1 match"])
def test_a_name_may_be_anything_else(name):
    text = players(name, "East")
    assert read(text).names[0] == name
    assert read(text).text == text


def test_a_name_may_be_long():
    text = players("N" * 100_000, "East")
    assert read(text).text == text


# -- Deck, goal and first player ------------------------------------------------------------

# In all of these the cards dealt and drawn are those of SHORT.
ENOUGH = "+5*2 x2*2 -3*2 +1*6 +4*2 0*2 +3*3 +9*2 /2*2 +2*2 -1*2"


@pytest.mark.parametrize(
    "deck", ["", "Full", "fulll", "all", "98", "custom", "custom ", "full +1*1"]
)
def test_a_deck_has_one_of_four_names(deck):
    assert wrong_line(with_line(SHORT, 3, f"deck: {deck}")) == 3


def test_an_official_deck_is_not_written_with_counts():
    assert wrong_line(with_line(SHORT, 3, f"deck: full {ENOUGH}")) == 3


def test_a_custom_deck_may_be_written_in_any_order_and_keeps_it():
    for counts in (ENOUGH, " ".join(reversed(ENOUGH.split())), " ".join(sorted(ENOUGH.split()))):
        text = with_line(SHORT, 3, f"deck: custom {counts}")
        assert read(text).text == text


def test_a_custom_deck_names_no_card_twice():
    assert wrong_line(with_line(SHORT, 3, f"deck: custom {ENOUGH} +7*1 +7*1")) == 3
    assert wrong_line(with_line(SHORT, 3, f"deck: custom {ENOUGH} +5*1")) == 3


@pytest.mark.parametrize(
    "count",
    ["0", "00", "01", "010", "301", "1000", "-1", "+1", "1.0", "1e2", "", "x", "٣", "²", "\uff11"],
)
def test_a_count_is_from_1_to_300_without_leading_zeros(count):
    assert wrong_line(with_line(SHORT, 3, f"deck: custom {ENOUGH} +7*{count}")) == 3


@pytest.mark.parametrize("entry", ["+7", "*3", "+7*", "+7x3", "+7**3", "+7*3*1", "+7 *3", "7*3"])
def test_a_count_stands_after_its_card_and_an_asterisk(entry):
    assert wrong_line(with_line(SHORT, 3, f"deck: custom {ENOUGH} {entry}")) == 3


@pytest.mark.parametrize(
    "card", ["+0", "+21", "-0", "-21", "x1", "x10", "/1", "/10", "00", "*2", "×2", "−2", "÷2", "X2"]
)
def test_a_deck_holds_only_cards_that_there_are(card):
    assert wrong_line(with_line(SHORT, 3, f"deck: custom {ENOUGH} {card}*1")) == 3


@pytest.mark.parametrize("card", ["+20", "-20", "x9", "/9"])
def test_a_deck_may_hold_the_largest_of_each_kind(card):
    assert wrong_line(with_line(SHORT, 3, f"deck: custom {ENOUGH} {card}*1")) is None


def test_a_deck_with_fewer_than_10_additions_is_wrong_at_line_3():
    nine = "custom +1*6 +3*1 +4*1 +5*1"
    rest = "x2*5 -3*5 0*2"
    assert wrong_line(with_line(SHORT, 3, f"deck: {nine} {rest}")) == 3
    # With ten it is the deal that goes wrong, for want of a +9.
    assert wrong_line(with_line(SHORT, 3, f"deck: {nine} +2*1 {rest}")) == 8


def test_a_deck_with_fewer_than_8_cards_a_player_is_wrong_at_line_3():
    assert wrong_line(with_line(LEAN, 3, "deck: custom +1*8 +2*7")) == 3
    assert wrong_line(LEAN) is None
    assert wrong_line(with_line(DRY, 3, "deck: custom +1*12 +2*11")) == 3
    four = LEAN.replace("North | East", "North | East | South | West")
    assert wrong_line(with_line(four, 3, "deck: custom +1*31")) == 3
    assert wrong_line(with_line(four, 3, "deck: custom +1*32")) == 8


def test_a_deck_with_more_than_300_cards_is_wrong_at_line_3():
    assert wrong_line(with_line(SHORT, 3, f"deck: custom {ENOUGH} +7*273")) is None
    assert wrong_line(with_line(SHORT, 3, f"deck: custom {ENOUGH} +7*274")) == 3
    assert wrong_line(with_line(SHORT, 3, f"deck: custom {ENOUGH} +7*300")) == 3
    assert wrong_line(with_line(SHORT, 3, f"deck: custom {ENOUGH} +7*200 +6*200")) == 3


@pytest.mark.parametrize(
    "goal", ["0", "10", "01", "-1", "+3", "1.0", "three", "", "٣", "\uff13", "³"]
)
def test_the_goal_is_1_to_9(goal):
    assert wrong_line(with_line(SHORT, 4, f"goal: {goal}")) == 4


@pytest.mark.parametrize("goal", range(2, 10))
def test_any_goal_from_1_to_9_may_be_played_for(goal):
    # The match is then not won with its first point.
    assert wrong_line(with_line(SHORT, 4, f"goal: {goal}")) == 16


@pytest.mark.parametrize("first", ["0", "3", "02", "-1", "+2", "East", "", "٢", "\uff12", "²"])
def test_the_first_player_is_one_of_the_seats(first):
    assert wrong_line(with_line(SHORT, 5, f"first: {first}")) == 5


def test_the_first_player_opens_round_1():
    assert wrong_line(with_line(SHORT, 5, "first: 1")) == 7
    for names, seats in (("A | B | C", 3), ("A | B | C | D", 4)):
        text = with_line(SHORT, 2, f"players: {names}")
        assert wrong_line(with_line(text, 5, f"first: {seats}")) == 7
        assert wrong_line(with_line(text, 5, f"first: {seats + 1}")) == 5


# -- Cards and numbers ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "card",
    [
        *("+0", "+21", "+100", "-0", "-21", "x0", "x1", "x10", "/0", "/1", "/10"),
        *("+01", "+001", "-03", "x02", "/02", "00", "+0x1", "+1_0"),
        *("+٣", "+\uff13", "+³", "x\uff12", "\u0660", "\uff10"),
        *("1", "+", "-", "x", "/", "+-1", "++1", "+1.0", "+ 1", "0+", "+1+1", "+1,"),
        *("×2", "−3", "÷2", "*2", "X2", ":2", "–3"),
    ],
)
def test_a_card_is_written_in_one_way_only(card):
    for number in (7, 10, 11, 14):
        line = LINES[number - 1].replace("+1", card).replace("+3", card)
        assert wrong_line(with_line(SHORT, number, line)) == number


@pytest.mark.parametrize(
    "score",
    ["04", "4.0", "+4", "-4", "٤", "\uff14", "⁴", "", "four", "5", "40", "4 = 4", "9" * 900],
)
def test_a_score_is_written_in_one_way_only(score):
    assert wrong_line(with_line(SHORT, 11, f"2 play: +1 +3 = {score}".rstrip())) == 11
    assert wrong_line(with_line(SHORT, 11, f"2 play: +1 +3 = {score}")) == 11


@pytest.mark.parametrize("seat", ["02", "٢", "\uff12", "²", "East", "", "-2", "0", "3", "4"])
def test_a_seat_is_written_in_one_way_only(seat):
    for number in (7, 10, 11, 15, 16):
        assert wrong_line(with_line(SHORT, number, seat + LINES[number - 1][1:])) == number


@pytest.mark.parametrize("number", ["01", "0", "2", "\u0661", "\uff11", "one", "", "-1"])
def test_the_number_of_a_round_is_written_in_one_way_only(number):
    assert wrong_line(with_line(SHORT, 9, f"round {number}".rstrip())) == 9


def test_an_entry_with_cards_has_a_colon_and_one_without_has_none():
    for number in (7, 10, 11, 14):
        assert wrong_line(with_line(SHORT, number, LINES[number - 1].replace(":", ""))) == number
    for number in (9, 13, 15, 16):
        assert wrong_line(with_line(SHORT, number, LINES[number - 1] + ":")) == number
    assert wrong_line(with_line(SHORT, 13, "1 pass: +1")) == 13


def test_an_equals_sign_with_a_space_on_either_side_parts_cards_and_score():
    for ending in ("", "=4", "= 4", " =4", " 4", " : 4", " =", " = "):
        assert wrong_line(with_line(SHORT, 11, f"2 play: +1 +3{ending}")) == 11


def test_the_empty_draw_has_no_space_after_its_colon():
    assert wrong_line(with_line(DRY, number_of(DRY, "3 draw:"), "3 draw: ")) == 27
