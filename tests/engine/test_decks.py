import pytest

from raisesum.engine import (
    OFFICIAL_DECKS,
    Kind,
    Setup,
    card_names,
    custom_deck,
    parse_card,
    parse_deck,
)

BLUE = "+1*6 +2*7 +3*8 +4*8 +5*7 +6*6 +7*4 +8*3 +9*2"
RED = "-1*3 -2*5 -3*4 -4*3 -5*2"
BLACK = "0*8"
GREEN = "x2*7 x3*4"
YELLOW = "/2*7 /3*4"


def counts(deck):
    return {f"{card.name}*{count}" for card, count in deck.counts}


@pytest.mark.parametrize(
    ("name", "size", "faces"),
    [
        ("addition", 51, f"{BLUE}"),
        ("subtraction", 76, f"{BLUE} {RED} {BLACK}"),
        ("full", 98, f"{BLUE} {RED} {BLACK} {GREEN} {YELLOW}"),
    ],
)
def test_the_named_decks_have_the_counts_of_the_rules(name, size, faces):
    deck = OFFICIAL_DECKS[name]
    assert counts(deck) == set(faces.split())
    assert deck.size == len(deck.cards) == size
    assert deck.text == name
    assert parse_deck(name) is deck


def test_there_are_no_other_named_decks():
    assert list(OFFICIAL_DECKS) == ["addition", "subtraction", "full"]


@pytest.mark.parametrize("name", OFFICIAL_DECKS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_named_deck_is_enough_for_every_number_of_players(name, players):
    Setup(players, OFFICIAL_DECKS[name])


def test_a_custom_deck_keeps_the_order_in_which_it_was_written():
    text = "custom 0*2 +2*10 -3*4 +1*10"
    assert parse_deck(text).text == text
    assert custom_deck({parse_card("0"): 2, parse_card("+1"): 10}).text == "custom 0*2 +1*10"


def test_the_order_of_writing_does_not_change_the_cards():
    one, other = parse_deck("custom 0*2 +2*10"), parse_deck("custom +2*10 0*2")
    assert one.cards == other.cards
    assert card_names(one.cards) == "+2 " * 10 + "0 0"


@pytest.mark.parametrize(
    "text",
    [
        "custom +1*10 +20*1 -20*1 x9*1 /9*1 0*1",
        "custom +1*300",
        "custom +1*10 0*290",
        "custom +1*5 +2*5 -1*6",
    ],
)
def test_a_custom_deck_may_go_up_to_the_limits(text):
    deck = parse_deck(text)
    assert deck.text == text
    assert deck.name == "custom"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("custom +1*9 0*20", "at least 10 addition cards, this one has 9"),
        ("custom 0*200", "at least 10 addition cards, this one has 0"),
        ("custom +1*300 0*1", "at most 300 cards, this one has 301"),
        ("custom +1*10 +1*10", "names \\+1 twice"),
        ("custom +1*0", "from 1 to 300"),
        ("custom +1*010", "without leading zeros"),
        ("custom +1*301", "from 1 to 300"),
        ("custom +1*", "from 1 to 300"),
        ("custom +1*-5", "from 1 to 300"),
        ("custom +1*1e2", "from 1 to 300"),
        ("custom +1*\uff11\uff10", "from 1 to 300"),
        ("custom +1*" + "9" * 5000, "from 1 to 300"),
        ("custom +1", "does not say how many \\+1"),
        ("custom +1*10*2", "from 1 to 300"),
        ("custom +21*10", "no card"),
        ("custom +1*10 x1*2", "no card"),
        ("custom  +1*10", "no card"),
        ("custom +1*10 ", "no card"),
        ("custom", "addition, subtraction, full"),
        ("custom ", "no card"),
        ("Full", "addition, subtraction, full"),
        ("full +1*10", "addition, subtraction, full"),
        ("", "addition, subtraction, full"),
    ],
)
def test_what_is_no_deck_is_refused_with_the_reason(text, why):
    with pytest.raises(ValueError, match=why) as refused:
        parse_deck(text)
    assert len(str(refused.value)) < 120


def test_a_count_below_one_is_refused():
    with pytest.raises(ValueError, match="at least one copy"):
        custom_deck({parse_card("+1"): 20, parse_card("0"): 0})


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_deck_needs_eight_cards_for_each_player(players):
    enough = custom_deck({parse_card("+1"): 10, parse_card("0"): 8 * players - 10})
    Setup(players, enough)
    short = custom_deck({parse_card("+1"): 10, parse_card("0"): 8 * players - 11})
    with pytest.raises(ValueError, match=f"at least {8 * players} cards"):
        Setup(players, short)


def test_addition_cards_of_every_number_count_as_addition_cards():
    deck = parse_deck("custom +20*4 +7*6 -1*6")
    assert sum(card.kind is Kind.ADD for card in deck.cards) == 10
