import copy
import pickle

import pytest

from raisesum.engine import Kind, card_names, parse_card, parse_cards
from raisesum.engine.cards import ALL_CARDS


def test_the_faces_are_those_of_the_rules():
    names = {card.name for card in ALL_CARDS}
    expected = {f"{sign}{n}" for sign in "+-" for n in range(1, 21)}
    expected |= {f"{sign}{n}" for sign in "x/" for n in range(2, 10)}
    assert names == expected | {"0"}
    assert len(ALL_CARDS) == 57


@pytest.mark.parametrize(
    ("name", "kind", "number"),
    [
        ("+4", Kind.ADD, 4),
        ("x3", Kind.MULTIPLY, 3),
        ("-2", Kind.SUBTRACT, 2),
        ("/2", Kind.DIVIDE, 2),
        ("0", Kind.ZERO, 0),
    ],
)
def test_a_name_tells_the_kind_and_the_number(name, kind, number):
    card = parse_card(name)
    assert (card.kind, card.number, card.name) == (kind, number, name)


@pytest.mark.parametrize("card", ALL_CARDS, ids=lambda card: card.name)
def test_parsing_a_name_gives_the_one_card_of_that_face(card):
    assert parse_card(card.name) is card


@pytest.mark.parametrize(
    "name",
    [
        "", " ", "+0", "+21", "-0", "-21", "x1", "x10", "/1", "/10", "x0", "/0", "00", "+", "x",
        "4", "+04", "+4 ", " +4", "++4", "+-4", "×3", "−2", "÷2", "X3", "+\uff14", "+٤", "+1e0",
        "+4\n",
        "+4\0", "0x2", "+1_0", "\ud800",
    ],
)  # fmt: skip
def test_what_is_no_card_is_refused(name):
    with pytest.raises(ValueError, match="no card is written"):
        parse_card(name)


def test_a_refusal_quotes_what_stood_there_but_no_megabyte_of_it():
    with pytest.raises(ValueError, match="no card is written '\\+21'"):
        parse_card("+21")
    with pytest.raises(ValueError, match="no card is written") as refused:
        parse_card("+" + "9" * 1_000_000)
    assert len(str(refused.value)) < 60


def test_several_cards_are_parted_by_single_spaces():
    names = "+5 x3 -2 /2 0 +5"
    assert card_names(parse_cards(names)) == names
    assert parse_cards("") == ()


@pytest.mark.parametrize("names", [" ", "+5  x3", " +5", "+5 ", "+5,x3", "+5\tx3", "+5\nx3"])
def test_cards_parted_in_any_other_way_are_refused(names):
    with pytest.raises(ValueError, match="no card is written"):
        parse_cards(names)


def test_cards_are_ordered_by_kind_and_then_by_number():
    ordered = sorted(parse_cards("0 /3 -1 x9 +10 /2 +9 +2 x2"))
    assert card_names(ordered) == "+2 +9 +10 x2 x9 -1 /2 /3 0"


def test_a_copied_card_is_still_the_one_card_of_its_face():
    card = parse_card("x3")
    assert copy.copy(card) is card
    assert copy.deepcopy(card) is card
    assert pickle.loads(pickle.dumps(card)) is card  # noqa: S301 - pickled just now
