import pytest

from raisesum.engine import (
    IllegalActionError,
    Incoming,
    LegalPlay,
    Phase,
    apply,
    can_beat,
    card_names,
    is_legal,
    legal_plays,
    parse_action,
    parse_cards,
)
from raisesum.engine import legality as reasons
from raisesum.engine.legality import best_score
from tests.engine.positions import follow, play, position


def listed(hand, challenge="", target=None):
    plays = legal_plays(parse_cards(hand), Incoming.of(parse_cards(challenge)), target)
    return {card_names(play.cards): play.score for play in plays}


def refusal(state, text, seat=None):
    with pytest.raises(IllegalActionError) as refused:
        apply(state, seat or state.turn, parse_action(text))
    return refused.value


def test_only_plays_that_beat_the_target_are_listed():
    assert listed("+3 +4 +2", target=6) == {"+3 +4": 7, "+2 +3 +4": 9}


def test_a_tie_is_not_listed():
    assert listed("+6", target=6) == {}
    assert listed("+6 +1", target=6) == {"+1 +6": 7}


def test_every_play_is_listed_for_an_opening():
    assert listed("+1 -2 0") == {
        "+1": 1, "-2": 0, "0": 0, "+1 -2": 1, "+1 0": 1, "-2 0": 0, "+1 -2 0": 1,
    }  # fmt: skip


def test_plays_that_look_the_same_are_one():
    assert listed("+4 +4 +4", target=4) == {"+4 +4": 8, "+4 +4 +4": 12}


def test_no_play_of_more_than_five_cards_is_listed():
    assert max(len(names.split()) for names in listed("+1 +1 +1 +1 +1 +1 +1 +1")) == 5
    assert listed("+1 +1 +1 +1 +1 +1 +1 +1", target=5) == {}


def test_a_play_may_be_longer_than_it_must():
    assert "+9 -1 0" in listed("+9 0 -1", target=3)


def test_the_challenge_counts_for_what_is_listed():
    # (5 + 4 - 2) × 3 / 2 is 10, so that only plays with the zero beat ten.
    assert listed("+5 +4 x3 0", "-2 /2", 10) == {"+4 x3 0": 12, "+5 x3 0": 15, "+4 +5 x3 0": 27}
    assert listed("+5 +4 x3 0", "-2 /2", 9)["+4 +5 x3"] == 10


def test_the_cards_of_a_listed_play_are_sorted_and_short_plays_come_first():
    plays = legal_plays(parse_cards("0 x2 +4 +3 +4"), Incoming(), 3)
    assert all(list(listed_play.cards) == sorted(listed_play.cards) for listed_play in plays)
    assert [len(p.cards) for p in plays] == sorted(len(p.cards) for p in plays)


def test_the_order_of_the_hand_does_not_change_the_list():
    hand = parse_cards("+1 0 x2 +4 -1 +4 /2")
    assert legal_plays(hand, Incoming((1,)), 3) == legal_plays(hand[::-1], Incoming((1,)), 3)


def test_an_empty_hand_has_no_play_even_to_open():
    assert listed("") == {}
    assert not can_beat((), Incoming(), None)
    assert best_score((), Incoming()) == 0


def test_a_listed_play_is_a_value():
    (one,) = legal_plays(parse_cards("+4"), Incoming(), None)
    assert isinstance(one, LegalPlay)
    assert one == LegalPlay(parse_cards("+4"), 4)


@pytest.mark.parametrize("hand", ["", "+3", "-2 /2", "+1 +1 x9", "0 +2 x3 +9 +9 +9 -1", "x3 x2 x2"])
def test_can_beat_says_whether_any_play_is_listed(hand):
    cards = parse_cards(hand)
    for challenge in ("", "-2", "/3", "-20", "-1 -2 /2 /9"):
        incoming = Incoming.of(parse_cards(challenge))
        for target in (None, 0, 1, 6, 20, 81):
            plays = legal_plays(cards, incoming, target)
            assert can_beat(cards, incoming, target) == bool(plays), (challenge, target)
        openings = legal_plays(cards, incoming, None)
        assert best_score(cards, incoming) == max((p.score for p in openings), default=0)


def test_another_seat_may_not_act():
    error = refusal(position("+1", "+2"), "play +2", seat=2)
    assert (error.reason, str(error)) == (reasons.NOT_YOUR_TURN, "It is not your turn.")


@pytest.mark.parametrize("seat", [0, -1, 3, 99])
def test_a_seat_that_is_not_there_may_not_act(seat):
    assert refusal(position("+1", "+2"), "pass", seat or -2).reason == reasons.NOT_YOUR_TURN


@pytest.mark.parametrize("text", ["play +1", "pass", "discard +1"])
@pytest.mark.parametrize("seat", [1, 2])
def test_nobody_may_act_after_the_end(text, seat):
    over = position("+1", "+1", points=(3, 0), phase=Phase.OVER)
    assert refusal(over, text, seat).reason == reasons.MATCH_OVER


def test_a_play_needs_a_card():
    error = refusal(position("+1", ""), "play")
    assert (error.reason, str(error)) == (reasons.NO_CARDS, "Choose one to five cards to play.")


def test_six_cards_are_too_many():
    error = refusal(position("+1 " * 7 + "+1", ""), "play +1 +1 +1 +1 +1 +1")
    assert error.reason == reasons.TOO_MANY_CARDS
    assert str(error) == "6 cards are too many. A play has at most five."


def test_a_card_not_in_hand_cannot_be_played():
    error = refusal(position("+1 +2", "+3"), "play +1 +3")
    assert (error.reason, str(error)) == (reasons.NOT_IN_HAND, "You hold no +3.")


def test_no_more_copies_can_be_played_than_are_held():
    error = refusal(position("+2 +2 +1", "+2"), "play +2 +2 +2")
    assert (error.reason, str(error)) == (reasons.NOT_IN_HAND, "You hold only two +2.")


def test_the_refusal_of_a_lower_score_says_what_is_needed():
    error = refusal(position("+4 +5", "", standing="+9 +3"), "play +4 +5")
    assert error.reason == reasons.DOES_NOT_BEAT
    assert str(error) == "9 does not beat 12. You need 13 or more."


def test_the_refusal_of_a_tie_says_that_it_is_one():
    error = refusal(position("+6", "", standing="+6"), "play +6")
    assert error.reason == reasons.DOES_NOT_BEAT
    assert str(error) == "6 ties 6. You need 7 or more."


def test_nothing_can_be_discarded_before_the_play_or_pass():
    for hand in ("+1", "+1 " * 8 + "+1"):
        assert refusal(position(hand, ""), "discard +1").reason == reasons.NOTHING_TO_DISCARD


def test_only_a_discard_is_taken_when_one_is_due():
    state = follow(position("+1 " * 8 + "+1", ""), "pass").state
    for text in ("play +1", "pass"):
        error = refusal(state, text)
        assert error.reason == reasons.DISCARD_FIRST
        assert str(error) == "Discard 2 first: seven cards stay."


@pytest.mark.parametrize("count", [0, 1, 3, 9])
def test_a_discard_has_exactly_the_number_of_cards_that_is_due(count):
    state = follow(position("+1 " * 8 + "+1", ""), "pass").state
    error = refusal(state, " ".join(["discard"] + ["+1"] * count))
    assert error.reason == reasons.WRONG_DISCARD_COUNT
    assert str(error) == f"Discard 2, not {count}: seven cards stay."


def test_only_cards_in_hand_can_be_discarded():
    state = follow(position("+1 " * 7 + "+2 +3", "+4"), "pass").state
    assert str(refusal(state, "discard +2 +4")) == "You hold no +4."
    assert str(refusal(state, "discard +2 +2")) == "You hold only one +2."
    assert refusal(state, "discard +2 +4").reason == reasons.NOT_IN_HAND


def test_is_legal_asks_without_raising():
    state = position("+7 +6", "", standing="+6")
    assert is_legal(state, 1, play("+7"))
    assert not is_legal(state, 1, play("+6"))
    assert not is_legal(state, 2, play("+7"))
