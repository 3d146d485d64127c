from raisesum.bots.worth import least_useful, total_worth, worth
from raisesum.engine import card_names, parse_card, parse_cards, view_for
from raisesum.engine.cards import ALL_CARDS, Kind
from tests.engine.positions import follow, position


def test_of_a_kind_the_larger_number_is_worth_more():
    for kind in Kind:
        values = [worth(card) for card in ALL_CARDS if card.kind is kind]
        assert values == sorted(set(values))


def test_an_addition_is_worth_its_number():
    assert [worth(parse_card(name)) for name in ("+1", "+9", "+20")] == [1, 9, 20]


def test_the_worth_of_several_is_their_sum():
    assert total_worth(parse_cards("+1 +9")) == 10
    assert total_worth(()) == 0


def test_the_least_useful_cards_are_as_many_as_must_be_discarded():
    state = follow(position("x3 +9 +1 0 +8 /3 +7 +2 x2", "", ""), "pass").state
    assert card_names(least_useful(view_for(state, 1))) == "+1 +2"
    assert least_useful(view_for(state, 2)) == ()
