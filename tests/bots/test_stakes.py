import pytest

from raisesum.bots.judgement import JUDGEMENT
from raisesum.bots.stakes import LEFT_OVER, OF_OTHERS, Stakes
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


def test_a_pass_that_would_lose_the_match_is_out_of_the_question():
    hand = parse_cards("+9 +8 x2")
    assert stakes((2, 2)).of_pass(hand) is None
    assert stakes((2, 1)).of_pass(hand) is not None
    assert stakes((0, 0), goal=1).of_pass(hand) is None


def test_a_round_won_counts_one_and_the_cards_left_over_a_part():
    at_stake = stakes()
    mine, theirs = parse_cards("+9 x2"), parse_cards("+5")
    lost = at_stake.of_ending(False, mine, [theirs])
    assert at_stake.of_ending(True, mine, [theirs]) == pytest.approx(lost + 1)
    assert lost == pytest.approx(
        LEFT_OVER * (at_stake.of_hand(mine) - OF_OTHERS * at_stake.of_hand(theirs))
    )


def test_cards_count_less_where_the_next_point_may_be_the_last():
    cards = parse_cards("+9 +8 x2")
    assert stakes((2, 0)).of_hand(cards) < stakes((0, 0)).of_hand(cards)
