"""The turn rules, one test or more for each sentence of them, in their order."""

from collections import Counter
from contextlib import suppress
from dataclasses import replace

import pytest

from raisesum.engine import (
    OFFICIAL_DECKS,
    Dealt,
    Discarded,
    Drew,
    IllegalActionError,
    Incoming,
    MatchWon,
    Pass,
    Passed,
    Phase,
    Played,
    PointWon,
    Reshuffled,
    RoundStarted,
    Setup,
    apply,
    card_names,
    is_legal,
    new_match,
    parse_action,
    parse_cards,
)
from raisesum.engine.shuffle import shuffled
from tests.engine.positions import all_cards, follow, held, play, position


def only(kind, events):
    """Return the one event of that kind."""
    (event,) = (event for event in events if isinstance(event, kind))
    return event


def kinds(events):
    return [type(event) for event in events]


# --- the set-up ---------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_two_to_four_can_play(players):
    assert len(new_match(Setup(players, OFFICIAL_DECKS["full"]), seed=1).state.hands) == players


@pytest.mark.parametrize("players", [-1, 0, 1, 5])
def test_fewer_than_two_or_more_than_four_cannot_play(players):
    with pytest.raises(ValueError, match="two to four players"):
        Setup(players, OFFICIAL_DECKS["full"])


@pytest.mark.parametrize("goal", [-1, 0, 10])
def test_a_goal_outside_one_to_nine_is_refused(goal):
    with pytest.raises(ValueError, match="1 to 9 points"):
        Setup(2, OFFICIAL_DECKS["full"], goal=goal)


def test_the_goal_is_three_unless_agreed():
    assert Setup(2, OFFICIAL_DECKS["full"]).goal == 3


@pytest.mark.parametrize("first", [-1, 0, 3])
def test_a_first_player_who_is_not_there_is_refused(first):
    with pytest.raises(ValueError, match="no seat"):
        Setup(2, OFFICIAL_DECKS["full"], first=first)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_five_cards_each_are_dealt_one_at_a_time_clockwise_from_the_first_player(players):
    setup = Setup(players, OFFICIAL_DECKS["full"], first=2)
    state, events = new_match(setup, seed=3)
    dealt = [event for event in events if isinstance(event, Dealt)]
    assert [event.seat for event in dealt] == [*range(2, players + 1), 1]
    drawn = only(Drew, events)
    pile = [*reversed(state.draw_pile)]
    order = [card for turn in zip(*(d.cards for d in dealt), strict=True) for card in turn]
    assert [len(event.cards) for event in dealt] == [5] * players
    # The deck from its top: the deal, one card for each in turn, then the first draw, the rest.
    top = shuffled(setup.deck.cards, 3, 0)[::-1]
    assert [*order, *drawn.cards, *pile] == list(top)


def test_all_other_cards_are_the_draw_pile():
    state = new_match(Setup(4, OFFICIAL_DECKS["full"], first=1), seed=1).state
    assert len(state.draw_pile) == 98 - 4 * 5 - 3
    assert state.discard_pile == ()
    assert all_cards(state) == list(OFFICIAL_DECKS["full"].cards)


def test_the_table_can_choose_the_first_player():
    for first in (1, 2, 3):
        state = new_match(Setup(3, OFFICIAL_DECKS["full"], first=first), seed=1).state
        assert state.turn == first


def test_the_first_player_is_drawn_at_random_otherwise():
    setup = Setup(3, OFFICIAL_DECKS["full"])
    opened = Counter(new_match(setup, seed=seed).state.turn for seed in range(300))
    assert sorted(opened) == [1, 2, 3]
    assert min(opened.values()) > 60


def test_a_match_begins_with_round_one_everyone_in_and_nothing_on_the_table():
    state, events = new_match(Setup(3, OFFICIAL_DECKS["full"], first=2), seed=1)
    assert only(RoundStarted, events) == RoundStarted(1, 2)
    assert (state.round, state.points, state.is_in) == (1, (0, 0, 0), (True, True, True))
    assert (state.standing, state.target, state.incoming) == (None, None, Incoming())


def test_the_same_setup_and_seed_give_the_same_match():
    setup = Setup(3, OFFICIAL_DECKS["full"])
    assert new_match(setup, seed=77) == new_match(setup, seed=77)
    assert new_match(setup, seed=77) != new_match(setup, seed=78)


# --- 1. draw ------------------------------------------------------------------------------------


def test_the_match_begins_with_the_first_player_drawing_three():
    state, events = new_match(Setup(2, OFFICIAL_DECKS["full"], first=2), seed=1)
    assert [len(hand) for hand in state.hands] == [5, 8]
    assert len(only(Drew, events).cards) == 3
    assert state.drawn == only(Drew, events).cards == state.hand(2)[5:]


def test_a_turn_begins_by_drawing_three():
    state, events = follow(position("+5", "+1", draw="+2 +3 +4 +5"), "play +5")
    assert held(state, 2) == "+1 +2 +3 +4"
    assert only(Drew, events) == Drew(2, parse_cards("+2 +3 +4"))
    assert card_names(state.drawn) == "+2 +3 +4"
    assert card_names(state.draw_pile) == "+5"


def test_three_are_drawn_before_a_pass_too():
    state = follow(position("+5", "+1", "", draw="+2 +3 +4"), "play +5", "pass").state
    assert held(state, 2) == "+1 +2 +3 +4"


def test_three_are_drawn_on_a_turn_after_somebody_passed():
    state, events = follow(position("+5", "+1", "", draw="+2 +3 +4"), "pass")
    assert (state.turn, held(state, 2)) == (2, "+1 +2 +3 +4")
    assert kinds(events) == [Passed, Drew]


def test_the_draw_is_no_choice_and_no_action():
    with pytest.raises(ValueError, match="no action"):
        parse_action("draw")


def test_three_are_drawn_with_any_number_of_cards_in_hand():
    for hand, after in (("", 3), ("+1 " * 6 + "+1", 10)):
        state = follow(position("+5", hand), "play +5").state
        assert len(state.hand(2)) == after


def test_when_the_draw_pile_is_empty_the_discards_are_shuffled_into_a_new_one():
    start = position("+5", "", draw="", discards="+1 +2 +3 +4 +6")
    state, events = follow(start, "play +5")
    assert kinds(events) == [Played, Reshuffled, Drew]
    assert only(Reshuffled, events) == Reshuffled(5)
    assert sorted(state.hand(2) + state.draw_pile) == list(parse_cards("+1 +2 +3 +4 +6"))
    assert len(state.hand(2)) == 3
    assert state.discard_pile == ()


def test_the_draw_goes_on_after_the_reshuffle():
    start = position("+5", "", draw="+7", discards="+1 +1 +1 +1")
    state, events = follow(start, "play +5")
    assert held(state, 2) == "+7 +1 +1"
    assert card_names(state.draw_pile) == "+1 +1"
    assert only(Drew, events).cards == parse_cards("+7 +1 +1")


def test_taking_the_last_card_as_the_third_shuffles_nothing():
    start = position("+5", "", draw="+7 +8 +9", discards="+1 +2")
    state, events = follow(start, "play +5")
    assert held(state, 2) == "+7 +8 +9"
    assert Reshuffled not in kinds(events)
    assert (state.draw_pile, card_names(state.discard_pile)) == ((), "+1 +2")


def test_the_standing_play_is_not_shuffled_into_the_draw_pile():
    start = position("+9 -2", "", draw="", discards="+1 +1 +1 +1")
    state = follow(start, "play +9 -2").state
    assert card_names(state.standing.cards) == "+9 -2"
    assert sorted(state.hand(2) + state.draw_pile) == list(parse_cards("+1 +1 +1 +1"))
    assert state.incoming == Incoming((2,), ())


def test_a_reply_discards_the_old_standing_play_in_time_for_the_reshuffle():
    start = position("+9", "", standing="+8", draw="", discards="")
    state, events = follow(start, "play +9")
    assert only(Reshuffled, events) == Reshuffled(1)
    assert held(state, 2) == "+8"
    assert card_names(state.standing.cards) == "+9"


@pytest.mark.parametrize(
    ("draw", "discards", "drawn"),
    [("+1", "+2", 2), ("+1", "", 1), ("", "+2", 1), ("", "", 0), ("+1 +2", "", 2)],
)
def test_with_too_few_cards_all_there_are_are_drawn(draw, discards, drawn):
    start = position("+5", "+9", draw=draw, discards=discards)
    state, events = follow(start, "play +5")
    assert len(only(Drew, events).cards) == drawn
    assert len(state.hand(2)) == 1 + drawn
    assert (state.draw_pile, state.discard_pile) == ((), ())


def test_an_empty_hand_that_draws_nothing_can_still_pass():
    state = follow(position("+5", "", draw=""), "play +5").state
    assert (state.turn, state.hand(2), state.drawn) == (2, (), ())
    assert follow(state, "pass").state.points == (1, 0)


def test_each_shuffle_of_a_match_is_another_one():
    discards = " ".join(f"+{n}" for n in range(1, 21))
    start = position("+5 +6", "", draw="", discards=discards)
    once = follow(start, "play +5").state
    assert once.shuffles == start.shuffles + 1
    again = follow(replace(start, shuffles=once.shuffles), "play +5").state
    assert again.draw_pile != once.draw_pile


def test_nobody_refills_after_a_play():
    state = follow(position("+5 +1", "+1"), "play +5").state
    assert held(state, 1) == "+1"


def test_nobody_refills_after_a_pass():
    state = follow(position("+5 +1", "+1", "+1"), "pass").state
    assert held(state, 1) == "+5 +1"


def test_nobody_refills_after_a_discard():
    state = follow(position("+5 " * 8 + "+1", "+1"), "play +5 +5 +5 +5 +5").state
    assert len(state.hand(1)) == 4
    state = follow(position("+5 " * 8 + "+1", "+1", "+1"), "pass", "discard +5 +5").state
    assert len(state.hand(1)) == 7


def test_others_do_not_draw_on_ones_turn():
    state = follow(position("+5", "+1", "+2"), "play +5").state
    assert held(state, 3) == "+2"


# --- 2. play or pass ----------------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5])
def test_one_to_five_cards_can_be_played(count):
    state, events = follow(position("+1 " * 5 + "+1", "+1"), "play" + " +1" * count)
    assert only(Played, events).score == state.target == count
    assert len(state.hand(1)) == 6 - count


@pytest.mark.parametrize("count", [0, 6])
def test_no_card_and_six_cards_cannot_be_played(count):
    with pytest.raises(IllegalActionError):
        follow(position("+1 " * 6 + "+1", "+1"), "play" + " +1" * count)


def test_only_cards_of_the_own_hand_can_be_played():
    for cards in ("+2", "+1 +2", "+1 +1"):
        assert not is_legal(position("+1", "+2"), 1, play(cards))


def test_the_cards_lie_in_the_order_in_which_they_were_laid_down():
    state = follow(position("+1 x2 +3", ""), "play +3 x2 +1").state
    assert card_names(state.standing.cards) == "+3 x2 +1"


@pytest.mark.parametrize("cards", ["+1", "0", "-2 /2", "x3", "x2 x2", "-5", "/3", "0 0", "+9 x3"])
def test_an_opening_may_have_any_score_and_any_cards(cards):
    state = position(cards, "")
    assert is_legal(state, 1, play(cards))


def test_an_opening_of_zero_sets_a_target_of_zero():
    state = follow(position("0", "+1"), "play 0").state
    assert state.target == 0
    assert not is_legal(state, 2, play("x2"))
    assert is_legal(state, 2, play("+1"))


def test_a_reply_with_a_lower_score_is_refused():
    assert not is_legal(position("+5", "", standing="+6"), 1, play("+5"))


def test_a_tie_is_refused():
    assert not is_legal(position("+6", "", standing="+6"), 1, play("+6"))
    assert not is_legal(position("+4 x2", "", standing="+8"), 1, play("+4 x2"))


def test_a_tie_that_comes_of_rounding_down_is_refused():
    # 13 / 2 is more than six, but its score is six.
    assert not is_legal(position("+9 +4", "", standing="+6 /2"), 1, play("+9 +4"))
    assert is_legal(position("+9 +5", "", standing="+6 /2"), 1, play("+9 +5"))


def test_a_reply_with_a_greater_score_succeeds():
    state, events = follow(position("+7", "", standing="+6"), "play +7")
    assert only(Played, events) == Played(1, parse_cards("+7"), 7, Incoming(), 6)
    assert state.target == 7


def test_the_incoming_challenge_counts_against_a_reply():
    challenged = position("+8", "", standing="+6 -2")
    assert not is_legal(challenged, 1, play("+8"))
    assert is_legal(position("+9", "", standing="+6 -2"), 1, play("+9"))


def test_a_zero_counters_the_challenge_but_the_target_must_still_be_beaten():
    assert is_legal(position("+7 0", "", standing="+6 -9 /9"), 1, play("+7 0"))
    assert not is_legal(position("+6 0", "", standing="+6 -9 /9"), 1, play("+6 0"))


def test_a_zero_takes_one_of_the_five_places():
    state = position("+1 +1 +1 +1 +1 0", "", standing="+1 -2")
    assert not is_legal(state, 1, play("+1 +1 +1 +1 +1 0"))
    assert is_legal(state, 1, play("+1 +1 +1 +1 0"))


def test_a_zero_is_legal_without_a_challenge():
    assert is_legal(position("+7 0", "", standing="+6"), 1, play("+7 0"))


@pytest.mark.parametrize("standing", ["", "+1"])
def test_a_successful_play_becomes_the_standing_play_and_sets_the_target(standing):
    state = follow(position("+3 x2 -1", "", standing=standing), "play +3 x2").state
    assert state.standing.seat == 1
    assert card_names(state.standing.cards) == "+3 x2"
    assert state.target == state.standing.score == 6
    assert held(state, 1) == "-1"


def test_the_old_standing_play_is_discarded():
    start = position("+9", "", standing="+2 -3 x2", discards="+1")
    state = follow(start, "play +9").state
    assert card_names(state.discard_pile) == "+1 +2 -3 x2"


def test_the_standing_play_itself_is_not_on_the_discard_pile():
    assert follow(position("+9", ""), "play +9").state.discard_pile == ()


def test_the_challenge_is_the_new_plays_own_red_and_yellow_cards():
    state = follow(position("+9 -2 /3 0 x2", ""), "play +9 -2 /3 0 x2").state
    assert card_names(state.standing.challenge) == "-2 /3"
    assert state.incoming == Incoming((2,), (3,))


def test_a_reply_replaces_the_old_challenge():
    start = position("+9 +9 -1", "", standing="+1 -2 /2")
    assert follow(start, "play +9 +9 -1").state.incoming == Incoming((1,), ())


def test_a_reply_without_red_and_yellow_leaves_no_challenge():
    start = position("+9 +9", "", standing="+1 -2 /2")
    assert follow(start, "play +9 +9").state.incoming == Incoming()


def test_own_red_and_yellow_cards_do_not_lower_the_own_score():
    assert follow(position("+9 -5 /3", ""), "play +9 -5 /3").state.target == 9
    assert is_legal(position("+7 -5", "", standing="+6"), 1, play("+7 -5"))


def test_the_standing_play_remembers_what_it_answered():
    state = follow(position("+9 x2", "", standing="+1 -2 /2"), "play +9 x2").state
    assert state.standing.receipt.incoming == Incoming((2,), (2,))
    assert state.target == 7
    assert [str(step.value) for step in state.standing.receipt.steps] == ["9", "7", "14", "7"]


def test_a_pass_keeps_the_hand():
    assert held(follow(position("+5 -2", "+1", "+1"), "pass").state, 1) == "+5 -2"


def test_a_pass_puts_the_player_out_until_the_round_ends():
    state = follow(position("+5", "+1", "+1"), "pass", "play +1").state
    assert state.is_in == (False, True, True)
    assert state.turn == 3
    state = follow(state, "play +9").state
    assert (state.is_in, state.turn) == ((False, True, True), 2)
    state = follow(state, "pass").state
    assert state.round == 2
    assert state.is_in == (True, True, True)


def test_a_pass_leaves_the_standing_play_target_and_challenge_as_they_are():
    start = position("+5", "+1", "+1", standing="+9 -2 /2")
    state = follow(start, "pass").state
    assert state.standing == start.standing
    assert (state.target, state.incoming) == (9, Incoming((2,), (2,)))
    assert state.discard_pile == ()


def test_the_challenge_counts_against_the_next_player_after_a_pass():
    state = follow(position("+5", "+9 +1", "+1", standing="+8 -2", draw=""), "pass").state
    assert not is_legal(state, 2, play("+9 +1"))


def test_a_pass_is_allowed_on_the_opening_turn():
    state, events = follow(position("+5", "+1", "+1"), "pass")
    assert only(Passed, events) == Passed(1)
    assert (state.target, state.turn) == (None, 2)


def test_a_pass_is_allowed_with_a_hand_that_could_beat_the_target():
    assert is_legal(position("+9", "", standing="+1"), 1, Pass())


def test_after_passes_on_the_opening_turn_the_next_player_opens():
    state = follow(position("+5", "0", "+1", draw=""), "pass").state
    assert is_legal(state, 2, play("0"))


# --- 3. discard ---------------------------------------------------------------------------------

NINE = "+1 +2 +3 +4 +5 +6 +7 +8 +9"


def test_with_more_than_seven_after_a_pass_one_must_discard():
    state, events = follow(position(NINE, "", ""), "pass")
    assert (state.phase, state.turn) == (Phase.DISCARD, 1)
    assert kinds(events) == [Passed]


def test_with_more_than_seven_after_a_play_one_must_discard():
    state, events = follow(position(NINE, "", ""), "play +1")
    assert (state.phase, state.turn) == (Phase.DISCARD, 1)
    assert kinds(events) == [Played]


def test_one_chooses_which_cards_to_discard():
    state = follow(position(NINE, "", ""), "pass", "discard +9 +3").state
    assert held(state, 1) == "+1 +2 +4 +5 +6 +7 +8"
    assert card_names(state.discard_pile) == "+9 +3"


def test_one_discards_down_to_exactly_seven():
    due = follow(position(NINE, "", ""), "pass").state
    for cards in ("", " +1", " +1 +2 +3", " +1 +2 +3 +4"):
        with pytest.raises(IllegalActionError):
            follow(due, f"discard{cards}")
    assert len(follow(due, "discard +1 +2").state.hand(1)) == 7


def test_with_seven_or_fewer_nothing_is_discarded():
    for move in ("pass", "play +1"):
        state = follow(position("+1 " * 6 + "+1", "", ""), move).state
        assert (state.phase, state.turn) == (Phase.MOVE, 2)


def test_eight_cards_are_one_too_many():
    assert follow(position("+1 " * 7 + "+1", "", ""), "pass").state.phase is Phase.DISCARD
    assert follow(position("+1 " * 7 + "+1", "", ""), "play +1").state.phase is Phase.MOVE


def test_nobody_draws_before_the_discard():
    state = follow(position(NINE, "", ""), "pass").state
    assert [len(hand) for hand in state.hands] == [9, 0, 0]


def test_the_next_turn_begins_after_the_discard():
    state, events = follow(position(NINE, "", ""), "pass", "discard +1 +2")
    assert kinds(events) == [Passed, Discarded, Drew]
    assert (state.phase, state.turn) == (Phase.MOVE, 2)


def test_nobody_else_acts_before_the_discard():
    state = follow(position(NINE, "+1", ""), "pass").state
    assert not is_legal(state, 2, Pass())
    assert not is_legal(state, 1, Pass())


def test_the_discard_comes_before_the_end_of_the_round():
    state, events = follow(position(NINE, "+1", standing="+9"), "pass")
    assert kinds(events) == [Passed]
    assert (state.points, state.round, state.phase) == ((0, 0), 1, Phase.DISCARD)
    state, events = follow(state, "discard +1 +2")
    assert kinds(events) == [Discarded, PointWon, RoundStarted, Drew]
    assert (state.points, state.round) == ((0, 1), 2)


def test_the_discard_comes_before_the_end_of_the_match():
    state = follow(position(NINE, "+1", standing="+9", points=(0, 2)), "pass").state
    assert (state.phase, state.winner) == (Phase.DISCARD, None)
    assert follow(state, "discard +1 +2").state.winner == 2


def test_a_play_counts_before_its_player_discards():
    state = follow(position(NINE, "", ""), "play +9").state
    assert state.target == 9


def test_the_discards_can_be_drawn_by_the_next_player_after_a_reshuffle():
    state = follow(position(NINE, "", "", draw=""), "pass", "discard +1 +2").state
    assert sorted(state.hand(2)) == list(parse_cards("+1 +2"))


# --- turns --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("turn", "out", "following"),
    [
        (1, (), 2), (2, (), 3), (3, (), 4), (4, (), 1),
        (1, (2,), 3), (1, (2, 3), 4), (4, (1, 2), 3), (3, (4, 1), 2), (2, (3,), 4),
    ],
)  # fmt: skip
def test_turns_go_clockwise_over_the_players_still_in(turn, out, following):
    start = position("+9", "+9", "+9", "+9", turn=turn, out=out, standing="+1")
    assert follow(start, "play +9").state.turn == following


def test_a_player_who_is_out_may_not_act():
    state = position("+9", "+9", "+9", turn=1, out=(2,), standing="+1")
    assert not is_legal(state, 2, play("+9"))
    assert not is_legal(state, 2, Pass())


def test_a_player_who_is_out_does_not_draw():
    state = follow(position("+9", "+1", "", turn=1, out=(2,), standing="+1"), "play +9").state
    assert held(state, 2) == "+1"


def test_a_player_may_have_many_turns_in_a_round():
    state = follow(position("+1 +3", "+2 +4"), "play +1", "play +2", "play +3", "play +4").state
    assert (state.turn, state.round, state.target) == (1, 1, 4)


# --- the end of a round -------------------------------------------------------------------------


def test_the_last_player_in_takes_one_point_at_once_without_another_turn():
    start = position("+1", "+1", "+1", turn=3, out=(1,), standing="+9", standing_seat=2)
    state, events = follow(start, "pass")
    assert kinds(events)[:2] == [Passed, PointWon]
    assert only(PointWon, events) == PointWon(2, 1, 1)
    assert state.points == (0, 1, 0)


def test_the_round_goes_on_while_two_are_in():
    start = position("+1", "+1", "+1", turn=3, standing="+9", standing_seat=2)
    state, events = follow(start, "pass")
    assert PointWon not in kinds(events)
    assert (state.round, state.points) == (1, (0, 0, 0))


def test_the_last_player_in_wins_even_without_having_played_a_card():
    start = position("+1", "+1", "+1", out=(), turn=1)
    state, events = follow(start, "pass", "pass")
    assert only(PointWon, events) == PointWon(3, 1, 1)
    assert state.points == (0, 0, 1)


def test_the_point_goes_to_the_last_one_in_whoever_made_the_standing_play():
    # Seat 1 made the standing play in an earlier turn and has passed since: seat 2 is in.
    start = position("+1", "+1", "+1", turn=3, out=(1,), standing="+9", standing_seat=1)
    assert follow(start, "pass").state.points == (0, 1, 0)


def test_a_round_gives_one_point_whatever_was_scored():
    start = position("+9 x9", "", turn=1)
    assert follow(start, "play +9 x9", "pass").state.points == (1, 0)


def test_points_are_kept_over_rounds():
    start = position("+1", "+1", points=(1, 1))
    assert follow(start, "pass").state.points == (1, 2)


# --- the end of the match -----------------------------------------------------------------------


@pytest.mark.parametrize("goal", range(1, 10))
def test_who_reaches_the_goal_wins_the_match_at_that_moment(goal):
    start = position("+1", "+1", points=(goal - 1, goal - 1), goal=goal, draw="+5 +5 +5")
    state, events = follow(start, "pass")
    assert kinds(events) == [Passed, PointWon, MatchWon]
    assert only(MatchWon, events) == MatchWon(2)
    assert (state.phase, state.winner) == (Phase.OVER, 2)
    assert state.points == (goal - 1, goal)


def test_the_match_goes_on_below_the_goal():
    state = follow(position("+1", "+1", points=(2, 1)), "pass").state
    assert (state.phase, state.winner, state.round) == (Phase.MOVE, None, 2)


def test_at_the_end_nobody_draws_and_no_round_begins():
    start = position("+1", "+1", points=(0, 2), standing="+9", draw="+5 +5 +5", round=4)
    state = follow(start, "pass").state
    assert [len(hand) for hand in state.hands] == [1, 1]
    assert (state.round, state.standing, state.drawn) == (4, start.standing, ())


@pytest.mark.parametrize("move", ["pass", "play +1", "discard +1"])
@pytest.mark.parametrize("seat", [1, 2])
def test_after_the_end_nobody_can_act(move, seat):
    state = follow(position("+1", "+1", points=(0, 2)), "pass").state
    assert not is_legal(state, seat, parse_action(move))


# --- a new round --------------------------------------------------------------------------------


def new_round(*hands, **place):
    """Return the state and events after the only other player still in has passed."""
    return follow(position(*hands, **place), "pass")


def test_in_a_new_round_everyone_is_in_again():
    state = new_round("+1", "+2", "+3", "+4", turn=1, out=(2, 4), standing="+9").state
    assert state.is_in == (True,) * 4
    assert state.round == 2


def test_in_a_new_round_everyone_has_the_cards_they_held():
    state = new_round("+1 x2", "+2", "-3 0", "+4", turn=1, out=(2, 4), draw="+5 +6 +7 +8").state
    assert [held(state, seat) for seat in (1, 2, 3, 4)] == ["+1 x2", "+2", "-3 0 +5 +6 +7", "+4"]


def test_nobody_is_dealt_new_cards_for_a_new_round():
    state, events = new_round("+1", "+2", "", turn=1, out=(2,), draw="+5 +6 +7 +8")
    assert Dealt not in kinds(events)
    assert [len(hand) for hand in state.hands] == [1, 1, 3]
    assert card_names(state.draw_pile) == "+8"


def test_for_a_new_round_the_standing_play_goes_to_the_discard_pile():
    state = new_round("+1", "+2", standing="+9 -2", discards="+3").state
    assert card_names(state.discard_pile) == "+3 +9 -2"
    assert state.standing is None


def test_for_a_new_round_target_and_challenge_are_cleared():
    state = new_round("+1", "0", standing="+9 -2 /2").state
    assert (state.target, state.incoming) == (None, Incoming())
    assert is_legal(state, 2, play("0"))


def test_the_round_winner_opens_the_next_round_drawing_three_first():
    state, events = new_round("+1", "+2", "+3", turn=1, out=(2,), draw="+5 +6 +7")
    assert kinds(events) == [Passed, PointWon, RoundStarted, Drew]
    assert only(RoundStarted, events) == RoundStarted(2, 3)
    assert only(Drew, events) == Drew(3, parse_cards("+5 +6 +7"))
    assert state.turn == 3


def test_the_cards_of_the_last_standing_play_can_be_drawn_by_the_opener():
    state, events = new_round("+1", "", standing="+9 -2", draw="+5")
    assert only(Reshuffled, events) == Reshuffled(2)
    assert sorted(state.hand(2)) == list(parse_cards("+5 +9 -2"))


def test_after_the_opener_the_new_round_goes_clockwise():
    state = new_round("+1", "+2", "+3", turn=1, out=(2,)).state
    assert follow(state, "play +3").state.turn == 1


def test_a_round_without_any_play_gives_nothing_to_discard():
    state = new_round("+1", "+2", discards="+3").state
    assert card_names(state.discard_pile) == "+3"


# --- states -------------------------------------------------------------------------------------


@pytest.mark.parametrize("move", ["play +9", "pass", "play +1", "discard +9", "play +2"])
def test_a_move_legal_or_not_leaves_the_state_it_was_made_in_as_it_was(move):
    start = position("+9 +1", "+2", standing="+3", discards="+4")
    same = position("+9 +1", "+2", standing="+3", discards="+4")
    with suppress(IllegalActionError):
        apply(start, 1, parse_action(move))
    assert start == same
