from fractions import Fraction

import pytest

from raisesum.engine import (
    NO_INCOMING,
    Incoming,
    StepKind,
    card_names,
    is_legal,
    parse_cards,
    score,
)
from tests.engine.positions import follow, play, position


def scored(cards, challenge=""):
    return score(parse_cards(cards), Incoming.of(parse_cards(challenge))).score


#: Every row of the rules' worked examples: play, incoming, target, score, whether it is legal.
WORKED_EXAMPLES = [
    ("+3 +4", "", 6, 7, True),
    ("+5 +4 x3", "-2 /2", 6, 10, True),
    ("+5 +4 x3 0", "-2 /2", 6, 27, True),
    ("+6", "", 6, 6, False),
    ("0", "", None, 0, True),
    ("-2 /2", "", None, 0, True),
    ("x3", "-2", 0, 0, False),
    ("x3", "-2", 7, 0, False),
    ("+1", "/2", 0, 0, False),
    ("+2 x2 x2 x3", "-1 /2 /3", 1, 2, True),
]
#: Cards that score a target by themselves, to stand on the table.
SCORING = {0: "0", 1: "+1", 6: "+6", 7: "+7"}


@pytest.mark.parametrize(("cards", "challenge", "target", "points", "legal"), WORKED_EXAMPLES)
def test_worked_example(cards, challenge, target, points, legal):
    assert scored(cards, challenge) == points
    standing = "" if target is None else f"{SCORING[target]} {challenge}".strip()
    state = position(cards, "", standing=standing)
    assert state.target == target
    assert is_legal(state, 1, play(cards)) is legal


def test_worked_example_of_an_opening_with_a_challenge_leaves_that_challenge():
    state = follow(position("-2 /2", ""), "play -2 /2").state
    assert (state.target, state.incoming) == (0, Incoming((2,), (2,)))


@pytest.mark.parametrize(
    ("cards", "challenge", "values"),
    [
        ("+5 +4 x3", "-2 /2", ["9", "7", "21", "21/2", "10"]),
        ("+2 x2 x2 x3", "-1 /2 /3", ["2", "1", "12", "2"]),
        ("x3", "-2", ["0", "-2", "-6", "0"]),
        ("+1", "/2", ["1", "1/2", "0"]),
        ("+3 +4", "", ["7"]),
        ("0", "", ["0"]),
        ("+5 +4 x3 0", "-2 /2", ["9", "9", "27"]),
    ],
)
def test_the_steps_have_the_values_of_the_worked_examples(cards, challenge, values):
    receipt = score(parse_cards(cards), Incoming.of(parse_cards(challenge)))
    assert [str(step.value) for step in receipt.steps] == values
    assert receipt.steps[-1].value == receipt.score


def test_additions_are_summed():
    assert scored("+3 +4 +20") == 27


def test_with_no_addition_the_sum_starts_at_zero():
    assert scored("x3 x2") == 0
    assert scored("-4 /2") == 0


def test_multiplications_multiply_the_sum_whatever_their_place():
    assert scored("+5 +4 x3") == scored("x3 +5 +4") == scored("+5 x3 +4") == 27
    assert scored("+2 x2 x3") == 12


def test_incoming_subtraction_comes_before_multiplication():
    assert scored("+9 x3", "-2") == 21


def test_incoming_division_comes_after_multiplication():
    assert scored("+5 x3", "/2") == 7


def test_rounding_happens_once_and_last():
    assert scored("+5 x3 x2", "/2 /2") == 7  # 30 / 4 = 7.5
    assert scored("+1 x3", "/2 /2") == 0  # 3 / 4
    assert scored("+9 x3", "/2") == 13  # 13.5, and not 4 × 3 = 12
    assert scored("+7 x2", "/3") == 4  # 4.66…, and not 2 × 2


def test_rounding_is_downward():
    assert scored("+19", "/2") == 9
    assert scored("+11", "/3") == 3
    assert scored("+1", "/9") == 0


def test_a_negative_result_becomes_zero():
    assert scored("+1", "-5") == 0
    assert scored("+1 x3", "-5 /2") == 0
    assert scored("+1", "-2 /2") == 0


def test_all_incoming_subtractions_and_divisions_count():
    assert scored("+20", "-2 -3 -2") == 13
    assert scored("+20", "/2 /2 /3") == 1
    assert scored("+20", "-2 /3 -3 /2") == 2


def test_own_red_and_yellow_cards_leave_the_own_score_alone():
    assert scored("+6 -5 /3") == 6
    assert scored("+6 -5 /3", "-1") == 5


def test_a_zero_cancels_all_incoming_subtraction_and_division():
    assert scored("+5 0", "-2 -3 /2 /3") == 5
    assert scored("+5 +4 x3 0", "-2 /2") == 27


def test_a_zero_adds_nothing_and_multiplies_nothing_away():
    assert scored("+5 0") == 5
    assert scored("+5 x3 0") == 15


def test_a_second_zero_changes_nothing():
    assert scored("+5 0 0", "-2 /2") == scored("+5 0", "-2 /2") == 5
    assert scored("0 0") == 0


def test_a_zero_of_the_standing_play_is_no_challenge():
    assert not Incoming.of(parse_cards("+5 0"))
    assert scored("+5", "+3 0") == 5


def test_only_red_and_yellow_cards_of_a_play_challenge():
    incoming = Incoming.of(parse_cards("+5 /3 x2 -2 0 -4"))
    assert incoming == Incoming((2, 4), (3,))
    assert (incoming.less, incoming.divisor) == (6, 3)


def test_no_incoming_is_nothing():
    assert not NO_INCOMING
    assert (NO_INCOMING.less, NO_INCOMING.divisor) == (0, 1)


def test_scores_are_exact_however_large():
    assert scored("+20 x9 x9 x9 x9", "/9 /9 /9 /9 /9") == 2
    assert scored("+20 x9 x9 x9 x9", "/7") == 18745  # 131220 / 7 = 18745.71…
    assert scored("+20 x9 x9 x9 x9", "-20 /7") == 0


def test_the_receipt_keeps_the_play_in_the_order_laid_down():
    receipt = score(parse_cards("x3 +5 0 +4"), Incoming((2,), ()))
    assert card_names(receipt.cards) == "x3 +5 0 +4"
    assert receipt.incoming == Incoming((2,), ())


def test_the_steps_name_what_was_done_with_which_numbers():
    receipt = score(parse_cards("+5 x3 +4 -1 x2"), Incoming((2, 1), (5, 9)))
    assert [(step.kind, step.operands, step.value) for step in receipt.steps] == [
        (StepKind.ADD, (5, 4), 9),
        (StepKind.SUBTRACT, (2, 1), 6),
        (StepKind.MULTIPLY, (3, 2), 36),
        (StepKind.DIVIDE, (5, 9), Fraction(4, 5)),
        (StepKind.ROUND_DOWN, (), 0),
    ]
    assert not receipt.countered


def test_the_steps_say_what_a_zero_cancelled():
    receipt = score(parse_cards("+5 0 0"), Incoming((2, 1), (5,)))
    assert [(step.kind, step.operands, step.value) for step in receipt.steps] == [
        (StepKind.ADD, (5,), 5),
        (StepKind.COUNTER, (2, 1, 5), 5),
    ]
    assert receipt.countered


def test_a_zero_without_a_challenge_counters_nothing():
    receipt = score(parse_cards("+5 0"))
    assert not receipt.countered
    assert [step.kind for step in receipt.steps] == [StepKind.ADD]


def test_the_steps_say_when_a_negative_value_became_zero():
    receipt = score(parse_cards("+1 x3"), Incoming((3,), (4,)))
    assert [(step.kind, step.value) for step in receipt.steps] == [
        (StepKind.ADD, 1),
        (StepKind.SUBTRACT, -2),
        (StepKind.MULTIPLY, -6),
        (StepKind.DIVIDE, Fraction(-3, 2)),
        (StepKind.NOT_BELOW_ZERO, 0),
    ]
