"""What happens in a record: each test holds one sentence about the entries of a match."""

import itertools
import random

import pytest

from raisesum.engine import Dealt, Drew, Phase, Reshuffled, RoundStarted
from raisesum.engine.record import RecordError
from tests.engine.records import (
    DRY,
    LEAN,
    RIGHT,
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


def rewritten(text, *changes):
    """Return `text` with (number, line) changed; later lines may go wrong by it."""
    for number, line in changes:
        text = with_line(text, number, line)
    return text


def reason(text):
    with pytest.raises(RecordError) as refused:
        read(text)
    return str(refused.value)


# -- The deal ------------------------------------------------------------------------------


def test_each_seat_is_dealt_exactly_five_cards():
    for number in (7, 8):
        line = LINES[number - 1]
        for other in (line[:7], line.rsplit(" ", 1)[0], line + " +1", line + " +1 +1"):
            assert wrong_line(with_line(SHORT, number, other)) == number


def test_the_deal_goes_clockwise_from_the_first_player():
    swapped = (8, "3 deal: +3 +2 +2 +2 +1"), (9, "2 deal: +1 +1 +2 +2 +1")
    assert wrong_line(rewritten(DRY, *swapped)) == 8
    from_third = with_line(DRY, 5, "first: 3")
    assert wrong_line(from_third) == 7
    in_order = (
        (7, "3 deal: +3 +2 +2 +2 +1"),
        (8, "1 deal: +1 +1 +1 +2 +1"),
        (9, "2 deal: +1 +1 +2 +2 +1"),
    )
    # With this the deal is right, and seat 3 should draw where seat 1 does.
    assert wrong_line(rewritten(from_third, *in_order)) == 11


def test_no_seat_is_left_out_of_the_deal_or_dealt_to_twice():
    assert wrong_line(without_line(SHORT, 7)) == 7
    assert wrong_line(without_line(SHORT, 8)) == 8
    assert wrong_line(with_line(SHORT, 8, LINES[6])) == 8


def test_cards_are_dealt_from_the_deck_and_no_more_of_each_than_it_has():
    # The full deck has two +9 and no +10.
    assert wrong_line(with_line(SHORT, 7, "2 deal: +9 +9 +9 +1 +1")) == 7
    assert wrong_line(with_line(SHORT, 7, "2 deal: +9 +9 -3 +1 +4")) == 8
    assert wrong_line(with_line(SHORT, 7, "2 deal: +10 x2 -3 +1 +4")) == 7
    assert wrong_line(with_line(SHORT, 3, "deck: addition")) == 7
    assert wrong_line(with_line(SHORT, 3, "deck: subtraction")) == 7


# -- Rounds --------------------------------------------------------------------------------


def test_the_rounds_are_numbered_from_1():
    assert wrong_line(with_line(SHORT, 9, "round 2")) == 9
    assert wrong_line(without_line(SHORT, 9)) == 9


def test_a_round_begins_after_a_point_that_does_not_win_and_after_no_other():
    two_points = with_line(SHORT, 4, "goal: 2").replace("2 match\n", "")
    assert wrong_line(two_points) == 16
    assert wrong_line(two_points + "round 2\n") == 17
    assert wrong_line(two_points + "round 3\n") == 16
    assert wrong_line(two_points + "2 draw: +3 +3 +3\n") == 16
    assert wrong_line(two_points + "2 match\n") == 16
    assert wrong_line(with_line(SHORT, 16, "round 2")) == 16


def test_the_winner_of_a_round_opens_the_next_with_a_draw():
    start = with_line(SHORT, 4, "goal: 2").replace("2 match\n", "round 2\n")
    assert wrong_line(start + "2 draw: +6 +6 +6\n") == 18
    assert wrong_line(start + "1 draw: +6 +6 +6\n") == 17
    assert wrong_line(start + "2 play: +5 = 5\n") == 17


def test_nobody_is_dealt_cards_for_a_new_round():
    start = with_line(SHORT, 4, "goal: 2").replace("2 match\n", "round 2\n")
    assert wrong_line(start + "2 deal: +6 +6 +6 +6 +6\n") == 17


# -- Draws ---------------------------------------------------------------------------------


def test_a_turn_begins_with_its_draw():
    for number in (10, 12):
        assert wrong_line(without_line(SHORT, number)) == number


def test_exactly_three_cards_are_drawn_while_there_are_three():
    for number in (10, 12):
        line = LINES[number - 1]
        short = line.rsplit(" ", 1)[0]
        for other in (short, short.rsplit(" ", 1)[0], line[:7], line + " +2"):
            assert wrong_line(with_line(SHORT, number, other)) == number


def test_cards_are_drawn_in_any_order_of_the_draw_pile():
    for cards in itertools.permutations(("+3", "0", "/2")):
        text = SHORT.replace(LINES[9], f"2 draw: {' '.join(cards)}")
        assert read(text).text == text


def test_a_card_drawn_is_one_that_nobody_holds():
    # One of the two +9 of the deck was dealt, and seat 2 draws the other.
    assert wrong_line(with_line(SHORT, 10, "2 draw: +3 +9 /2")) is None
    assert wrong_line(with_line(SHORT, 10, "2 draw: +9 +9 /2")) == 10
    both = with_line(SHORT, 10, "2 draw: +3 +9 /2")
    assert wrong_line(with_line(both, 12, "1 draw: +9 -1 x2")) == 12


def test_the_standing_play_is_not_drawn():
    # Six of the deck's six +1: dealt, drawn or laid down.
    text = rewritten(SHORT, (8, "1 deal: 0 +1 +1 /2 +1"), (10, "2 draw: +3 +1 +1"))
    assert wrong_line(text) is None
    assert wrong_line(with_line(text, 12, "1 draw: +2 -1 +1")) == 12
    assert wrong_line(with_line(LEAN, 14, "1 draw: +2")) == 14


def test_discards_are_not_drawn_while_the_draw_pile_lasts():
    assert wrong_line(with_line(LEAN, 12, "2 draw: +2 +2 +1")) == 12
    # Here the +1 laid down first was discarded, but a card is left of the draw pile.
    assert wrong_line(with_line(SPLIT, 14, "1 draw: +1 +1 +1")) == 14


def test_taking_the_last_card_of_the_pile_as_the_third_shuffles_nothing():
    events = read(LEAN).events
    last = events.index(Drew(2, read(LEAN).steps[1].state.drawn))
    assert not any(isinstance(event, Reshuffled) for event in events[: last + 1])
    shuffles = [event.count for event in events if isinstance(event, Reshuffled)]
    assert shuffles == [1, 1, 3]


def test_with_fewer_than_three_cards_in_both_piles_all_are_drawn():
    for number, line in ((14, "1 draw: +1"), (16, "2 draw: +2")):
        assert LEAN.splitlines()[number - 1] == line
        for other in (line[:7], f"{line} +1", f"{line} +2", f"{line} {line[-2:]}"):
            assert wrong_line(with_line(LEAN, number, other)) == number
    for other in ("2 draw: +2", "2 draw:", "2 draw: +2 +2 +2", "2 draw: +2 +2 +1"):
        assert wrong_line(with_line(SPLIT, 16, other)) == 16


def test_with_exactly_three_discards_and_no_draw_pile_three_are_drawn():
    for other in ("1 draw: +1 +1", "1 draw: +1 +1 +1 +1", "1 draw:", "1 draw: +1 +1 +2"):
        assert wrong_line(with_line(LEAN, 18, other)) == 18


def test_cards_before_the_shuffle_are_all_that_was_left_and_those_after_are_discards():
    assert SPLIT.splitlines()[13] == "1 draw: +3 +1 +1"
    for cards in ("+1 +3 +1", "+1 +1 +3", "+3 +1 +2", "+3 +2 +1", "+3 +3 +1", "+2 +1 +1"):
        assert wrong_line(with_line(SPLIT, 14, f"1 draw: {cards}")) == 14
    for cards in ("+3 +1", "+3", "+3 +1 +1 +1"):
        assert wrong_line(with_line(SPLIT, 14, f"1 draw: {cards}")) == 14


def test_with_nothing_left_the_draw_is_an_entry_without_cards():
    number = number_of(DRY, "3 draw:")
    assert wrong_line(without_line(DRY, number)) == number
    for cards in ("+1", "+2", "+3", "+2 +2 +1"):
        assert wrong_line(with_line(DRY, number, f"3 draw: {cards}")) == number
    assert Drew(3, ()) in read(DRY).events


def test_the_shuffle_is_no_entry_but_an_event():
    record = read(SPLIT)
    assert "shuffle" not in record.text
    place = record.events.index(Reshuffled(2))
    assert isinstance(record.events[place + 1], Drew)


@pytest.mark.parametrize("path", random.Random(3).sample(RIGHT, 12), ids=lambda path: path.stem)
def test_no_draw_can_be_shorter_or_longer_in_any_case(path):
    lines = path.read_text("utf-8").splitlines()
    draws = [number for number, line in enumerate(lines, 1) if " draw: " in line]
    for number in random.Random(4).sample(draws, min(12, len(draws))):
        start = "\n".join(lines[: number - 1])
        line = lines[number - 1]
        for other in (line.rsplit(" ", 1)[0], f"{line} {line.split()[-1]}", f"{line} +1"):
            assert wrong_line(f"{start}\n{other}\n") == number


# -- Plays, passes and discards ------------------------------------------------------------


def test_a_play_is_one_to_five_cards():
    assert wrong_line(with_line(SHORT, 11, "2 play: = 0")) == 11
    assert wrong_line(with_line(SHORT, 11, "2 play: +1 +3 +5 +4 x2 = 26")) is None
    assert wrong_line(with_line(SHORT, 11, "2 play: +1 +3 +5 +4 x2 0 = 26")) == 11


def test_a_play_comes_from_the_hand():
    assert wrong_line(with_line(SHORT, 11, "2 play: +1 +2 = 3")) == 11
    assert wrong_line(with_line(SHORT, 11, "2 play: +1 +1 = 2")) == 11
    assert "You hold no +2" in reason(with_line(SHORT, 11, "2 play: +1 +2 = 3"))


def test_the_cards_of_a_play_keep_the_order_in_which_they_were_laid_down():
    for cards in itertools.permutations(("+1", "+3", "x2")):
        text = with_line(SHORT, 11, f"2 play: {' '.join(cards)} = 8")
        assert read(text).text == text
        assert f"play: {' '.join(cards)} = 8" in read(text).text


def test_a_play_has_the_score_that_the_rules_give_it():
    for score in (0, 1, 3, 5, 44):
        assert wrong_line(with_line(SHORT, 11, f"2 play: +1 +3 = {score}")) == 11
    assert "scores 4, not '5'" in reason(with_line(SHORT, 11, "2 play: +1 +3 = 5"))


def test_a_reply_meets_the_challenge():
    challenge = with_line(SHORT, 11, "2 play: +1 -3 /2 = 1")
    start = without_line(challenge, 14)
    assert wrong_line(with_line(start, 13, "1 play: +9 +3 x2 = 9")) == 14  # a turn of 2 follows
    assert wrong_line(with_line(start, 13, "1 play: +9 +3 x2 = 24")) == 13
    assert wrong_line(with_line(start, 13, "1 play: +9 +3 x2 0 = 24")) == 14
    assert wrong_line(with_line(start, 13, "1 play: +9 +3 x2 0 = 9")) == 13


def test_a_reply_has_to_beat_the_target():
    start = without_line(SHORT, 14)
    assert wrong_line(with_line(start, 13, "1 play: +3 +1 = 4")) == 13
    assert wrong_line(with_line(start, 13, "1 play: +3 = 3")) == 13
    assert wrong_line(with_line(start, 13, "1 play: +3 +2 = 5")) == 14


def test_an_opening_may_score_nothing():
    for cards in ("0", "-3 /2", "x2"):
        assert wrong_line(with_line(SHORT, 11, f"2 play: {cards} = 0")) is None


def test_the_opening_turn_may_be_passed():
    text = "\n".join([*LINES[:10], "2 pass", "2 discard: +1", "1 point", "1 match"]) + "\n"
    assert wrong_line(text) is None
    assert read(text).final.winner == 1


def test_only_the_player_whose_turn_it_is_does_anything():
    for number in (10, 11, 12, 13, 14):
        other = "12"[LINES[number - 1][0] == "1"]
        assert wrong_line(with_line(SHORT, number, other + LINES[number - 1][1:])) == number


def test_a_seat_that_is_out_has_no_turn_in_the_round():
    number = number_of(DRY, "3 draw:")
    more = [*DRY.splitlines()[:number], "3 pass", "2 draw:"]
    assert wrong_line("\n".join(more) + "\n") == len(more)


def test_a_turn_has_one_play_or_one_pass():
    for extra in ("1 pass", "1 play: +2 = 2", "1 draw: +2 +2 +2"):
        lines = [*LINES[:13], extra, *LINES[13:]]
        assert wrong_line("\n".join(lines) + "\n") == 14
    assert wrong_line(without_line(SHORT, 11)) == 11
    assert wrong_line(without_line(SHORT, 13)) == 13


def test_there_is_a_discard_exactly_when_more_than_seven_cards_are_held():
    # After the play of line 11 seat 2 holds six, after the pass of line 13 seat 1 holds eight.
    assert wrong_line(without_line(SHORT, 14)) == 14
    for extra in ("2 discard: +5", "2 discard:", "2 discard: "):
        lines = [*LINES[:11], extra, *LINES[11:]]
        assert wrong_line("\n".join(lines) + "\n") == 12
    lines = [*LINES[:14], "1 discard: 0", *LINES[14:]]
    assert wrong_line("\n".join(lines) + "\n") == 15


def test_the_discard_comes_before_the_point():
    lines = [*LINES[:13], LINES[14], LINES[13], LINES[15]]
    assert wrong_line("\n".join(lines) + "\n") == 14


def test_a_discard_is_exactly_the_hand_minus_seven():
    for cards in ("", " ", " +1 0", " +1 +3"):
        assert wrong_line(with_line(SHORT, 14, f"1 discard:{cards}")) == 14
    for card in ("0", "+3", "+9", "/2", "+2", "-1", "x2"):
        assert wrong_line(with_line(SHORT, 14, f"1 discard: {card}")) is None
    for card in ("+4", "-3", "+8"):
        assert wrong_line(with_line(SHORT, 14, f"1 discard: {card}")) == 14


def test_discards_are_written_in_any_order():
    path = next(p for p in RIGHT if any(_discards_three(line) for line in _lines(p)))
    lines = _lines(path)
    number = next(n for n, line in enumerate(lines, 1) if _discards_three(line))
    seat, _, *cards = lines[number - 1].split()
    for order in set(itertools.permutations(cards)):
        lines[number - 1] = f"{seat} discard: {' '.join(order)}"
        text = "\n".join(lines) + "\n"
        assert read(text).text == text


def _lines(path):
    return path.read_text("utf-8").splitlines()


def _discards_three(line):
    return " discard: " in line and len(set(line.split()[2:])) == 3


# -- Points and the end --------------------------------------------------------------------


def test_the_last_seat_still_in_takes_the_point_at_once():
    assert wrong_line(with_line(SHORT, 15, "1 point")) == 15
    assert wrong_line(without_line(SHORT, 15)) == 15
    lines = [*LINES[:14], "2 draw: +2 +2 +2", "2 pass", *LINES[14:]]
    assert wrong_line("\n".join(lines) + "\n") == 15


def test_the_match_ends_when_the_goal_is_reached_and_not_before():
    assert wrong_line(with_line(SHORT, 16, "1 match")) == 16
    assert wrong_line(with_line(SHORT, 4, "goal: 2")) == 16


@pytest.mark.parametrize("more", ["\n", " ", "#", "2 match\n", "round 2\n", "\0", "Raise the Sum"])
def test_the_match_is_the_last_line(more):
    assert wrong_line(SHORT + more) == 17


@pytest.mark.parametrize("text", [SHORT, LEAN, SPLIT, DRY])
def test_an_unfinished_record_is_wrong_at_the_line_after_its_last(text):
    lines = text.splitlines(keepends=True)
    for count in range(len(lines)):
        assert wrong_line("".join(lines[:count])) == count + 1


def test_an_empty_file_is_wrong_at_line_1():
    assert wrong_line("") == 1


def test_two_records_in_one_file_are_wrong_where_the_second_begins():
    assert wrong_line(SHORT + SHORT) == 17


def test_of_several_faults_the_first_line_is_named():
    faults = [(3, "deck: none"), (5, "first: 9"), (11, "2 play: +1 = 4"), (16, "1 match")]
    for count in range(1, len(faults) + 1):
        assert wrong_line(rewritten(SHORT, *faults[-count:])) == faults[-count][0]


@pytest.mark.parametrize("number", EVERY_LINE)
def test_a_missing_entry_is_named_at_the_line_that_stands_in_its_place(number):
    assert wrong_line(without_line(SHORT, number)) == number


@pytest.mark.parametrize("number", EVERY_LINE)
def test_an_entry_too_many_is_named_where_it_stands(number):
    lines = [*LINES[:number], LINES[number - 1], *LINES[number:]]
    # A second empty line stands where the deal should.
    assert wrong_line("\n".join(lines) + "\n") == number + 1


# -- What a reader gives back --------------------------------------------------------------


def test_the_first_step_is_the_deal_and_each_other_begins_with_an_action():
    record = read(DRY)
    kinds = [type(event).__name__ for event in record.steps[0].events]
    assert kinds == ["Dealt", "Dealt", "Dealt", "RoundStarted", "Drew"]
    for step in record.steps[1:]:
        assert type(step.events[0]).__name__ in ("Played", "Passed", "Discarded")
    assert isinstance(record.events[0], Dealt)
    assert RoundStarted(1, 1) in record.events


def test_no_position_of_a_record_has_a_seed_or_an_order_of_the_draw_pile():
    for path in RIGHT[:5]:
        for step in read(path.read_bytes()).steps:
            assert step.state.seed is None
            assert list(step.state.draw_pile) == sorted(step.state.draw_pile)
            assert step.state.phase is not Phase.DRAW


def test_a_fault_says_its_line_and_what_was_wrong():
    assert reason(with_line(SHORT, 15, "1 point")) == (
        "line 15: expected \"2 point\", found '1 point'"
    )
    assert reason(with_line(SHORT, 4, "goal: 10")) == (
        "line 4: expected \"goal: \" and a number from 1 to 9, found 'goal: 10'"
    )
    assert reason(SHORT[:-8]) == 'line 16: the record ends where "2 match" should follow'


def test_a_fault_shows_little_and_only_printable_text_of_what_it_found():
    for junk in ("\x1b[2J\x07", "\u202e", "x" * 1000, "\u2028"):
        message = reason(with_line(SHORT, 9, f"round {junk}"))
        assert message.isprintable()
        assert len(message) < 150
