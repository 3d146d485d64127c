import pytest

from raisesum.bots.judgement import JUDGEMENT
from raisesum.bots.stakes import Stakes
from raisesum.engine import OFFICIAL_DECKS, Setup, new_match, parse_cards, view_for
from tests.engine.positions import position


def stakes(points=(0, 0), goal=3):
    state = position("+9 +8 x2", "+1 +2", standing="+4", points=points, goal=goal)
    return Stakes(view_for(state, 1))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_there_are_weights_for_every_number_of_players(players):
    state, _ = new_match(Setup(players, OFFICIAL_DECKS["full"]), 1)
    at_stake = Stakes(view_for(state, state.turn))
    assert at_stake.weights == JUDGEMENT.weights[players]
    cards = parse_cards("+9 +5 x3 0 /2")
    assert at_stake.of_hand(cards) > at_stake.of_hand(cards[1:])


def test_no_more_cards_are_counted_than_can_be_kept():
    cards = parse_cards("+9 +9 +9 +9 +9 +9 +9")
    assert stakes().of_hand(cards + parse_cards("+1 +1")) == stakes().of_hand(cards)


def test_of_a_hand_the_best_cards_are_kept():
    kept = stakes().keep(parse_cards("+1 x3 +9 +2 x2"), 3)
    assert {card.name for card in kept} == {"x3", "+9", "x2"}


def test_it_is_the_last_stand_when_an_opponent_needs_one_point():
    assert stakes((2, 2)).is_last_stand
    assert not stakes((2, 1)).is_last_stand
    assert stakes((0, 0), goal=1).is_last_stand


def test_the_better_the_hand_the_more_a_pass_is_worth():
    assert stakes().of_pass(parse_cards("+9 +8 x2")) > stakes().of_pass(parse_cards("+9 +8"))


def test_cards_count_less_where_the_next_point_may_be_the_last():
    cards = parse_cards("+9 +8 x2")
    assert stakes((2, 0)).of_hand(cards) < stakes((0, 0)).of_hand(cards)
