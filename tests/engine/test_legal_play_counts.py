"""How many different plays there are: pinned numbers, and every play behind them.

What perft is for chess programs.  The numbers were worked out by `brute_force` below, which
knows nothing of the engine but how cards are written, and works with exact fractions.
"""

from fractions import Fraction
from itertools import combinations
from math import floor

import pytest

from raisesum.engine import Incoming, card_names, is_legal, legal_plays, parse_cards
from tests.engine.positions import play, position

#: hand | incoming | target (- for an opening) | different legal plays
COUNTS = """
                              |           |   - |   0
                              |           |   6 |   0
+1                            |           |   - |   1
0                             |           |   - |   1
0                             |           |   0 |   0
-2 /2                         |           |   - |   3
+3 +4                         |           |   6 |   1
+6                            |           |   6 |   0
+6 +1                         |           |   6 |   1
+4 +4 +4                      |           |   4 |   2
+4 +4 +4 +4 +4 +4             |           |  19 |   1
+1 +1 +1 +1 +1 +1 +1 +1       |           |   - |   5
+1 +1 +1 +1 +1 +1 +1 +1       |           |   4 |   1
+1 +1 +1 +1 +1 +1 +1 +1       |           |   5 |   0
+5 +4 x3                      | -2 /2     |   6 |   1
+5 +4 x3 0                    | -2 /2     |   6 |   5
+5 +4 x3 0                    | -2 /2     |  10 |   3
+5 +4 x3 0                    | -2 /2     |  26 |   1
+5 +4 x3 0                    | -2 /2     |  27 |   0
x3                            | -2        |   0 |   0
+1                            | /2        |   0 |   0
+2 x2 x2 x3                   | -1 /2 /3  |   1 |   1
+2 x2 x2 x3                   | -1 /2 /3  |   2 |   0
+1 +2 +3 +4 +5 +6 +7 +8       |           |   - | 218
+1 +2 +3 +4 +5 +6 +7 +8       |           |  10 | 179
+1 +2 +3 +4 +5 +6 +7 +8       |           |  29 |   1
+1 +2 +3 +4 +5 +6 +7 +8       |           |  30 |   0
+1 +2 +3 +4 +5 +6 +7 +8 +9 x2 |           |   - | 637
+1 +2 +3 +4 +5 +6 +7 +8 +9 x2 |           |  40 |  64
+1 +2 +3 +4 +5 +6 +7 +8 +9 x2 | -3 /2     |  12 | 176
+1 +3 +4 +4 +6 x2 x3 -2 0 /2  |           |   - | 474
+1 +3 +4 +4 +6 x2 x3 -2 0 /2  |           |   6 | 364
+1 +3 +4 +4 +6 x2 x3 -2 0 /2  | -2 /2     |   6 | 245
+1 +3 +4 +4 +6 x2 x3 -2 0 /2  | -5 -5 /3  |  14 |  63
+1 +3 +4 +4 +6 x2 x3 -2 0 /2  | -5 -5 /3  |  40 |   6
+1 +1 +2 +2 +3 +3 x2 x2 0 -1  |           |   9 |  63
+1 +1 +2 +2 +3 +3 x2 x2 0 -1  | -4        |   9 |  23
+1 +1 +2 +2 +3 +3 x2 x2 0 -1  | /2        |   9 |  29
+1 +1 +2 +2 +3 +3 x2 x2 0 -1  | /2 /3     |   2 |  79
0 0 0 +1 -1 -1 /2 /2          |           |   - |  57
0 0 0 +1 -1 -1 /2 /2          | -5 /3     |   0 |  17
-1 -2 -3 -4 -5 /2 /3 x2       |           |   - | 218
-1 -2 -3 -4 -5 /2 /3 x2       |           |   0 |   0
x2 x2 x3 x3 +1 +1 0 0         | -1 -1 /2  |   3 |  15
x2 x2 x3 x3 +1 +1 0 0         | -1        |   0 |  31
+9 +9 +8 +8 x3 x3 x2 x2       | /3 /3     |  20 |  10
+9 +9 +8 +8 x3 x3 x2 x2       | -5 -5 /2  |  40 |   9
+20 +20 x9 x9 x9 0 -20 /9     | -20 /9 /9 |  99 |  13
+7 +5 +3 -4 /3 0 x2           | /2        |   7 |  48
+7 +5 +3 -4 /3 0 x2           | /3        |   4 |  64
+2 +2 +2 0 0 x2 x2 -1         | -6        |   3 |  19
"""


def read_rows():
    for line in COUNTS.strip().splitlines():
        hand, challenge, target, count = (part.strip() for part in line.split("|"))
        yield pytest.param(
            hand,
            challenge,
            None if target == "-" else int(target),
            int(count),
            id=f"{hand or 'nothing'} against {challenge or 'nothing'} over {target}",
        )


ROWS = list(read_rows())


def different_plays(hand):
    """Return each choice of one to five of the cards, those that look the same only once."""
    names = sorted(hand.split())
    return {chosen for size in range(1, 6) for chosen in combinations(names, size)}


def exact_score(names, challenge):
    """Return the score of a play, by the formula of the rules, in exact fractions."""

    def numbers(cards, sign):
        return [int(name[1:]) for name in cards if name[0] == sign]

    met = [] if "0" in names else challenge.split()
    value = Fraction(sum(numbers(names, "+")))
    for less in numbers(met, "-"):
        value -= less
    for factor in numbers(names, "x"):
        value *= factor
    for divisor in numbers(met, "/"):
        value /= divisor
    return max(0, floor(value))


def brute_force(hand, challenge, target):
    """Return all different legal plays, as sorted names."""
    return {
        names
        for names in different_plays(hand)
        if target is None or exact_score(names, challenge) > target
    }


def at_the_table(hand, challenge, target):
    """Return a position in which seat 1 holds the hand and meets target and challenge."""
    if target is None:
        return position(hand, "")
    ones = ["+20"] * (target // 20) + ([f"+{target % 20}"] if target % 20 else [])
    return position(hand, "", standing=" ".join([*ones, *challenge.split()]) or "0")


def test_at_least_forty_counts_are_pinned():
    assert len(ROWS) >= 40


@pytest.mark.parametrize(("hand", "challenge", "target", "count"), ROWS)
def test_the_number_of_legal_plays(hand, challenge, target, count):
    expected = brute_force(hand, challenge, target)
    assert len(expected) == count
    listed = legal_plays(parse_cards(hand), Incoming.of(parse_cards(challenge)), target)
    assert len(listed) == count
    assert {tuple(sorted(card_names(p.cards).split())): p.score for p in listed} == {
        names: exact_score(names, challenge) for names in expected
    }


@pytest.mark.parametrize(("hand", "challenge", "target", "count"), ROWS)
def test_the_legal_plays_are_taken_and_all_others_refused(hand, challenge, target, count):
    state = at_the_table(hand, challenge, target)
    assert state.target == target
    assert state.incoming == Incoming.of(parse_cards(challenge))
    taken = {names for names in different_plays(hand) if is_legal(state, 1, play(" ".join(names)))}
    assert taken == brute_force(hand, challenge, target)
    assert len(taken) == count
    assert not is_legal(state, 1, play(""))
    assert not any(is_legal(state, 1, play(names)) for names in beyond(hand))


def beyond(hand):
    """Return plays that the hand does not have the cards for."""
    names = hand.split()
    yield "+17"
    yield " ".join([*names[:4], "+17"])
    for name in set(names):
        if names.count(name) < 5:
            yield " ".join([name] * (names.count(name) + 1))
    if len(names) > 5:
        yield " ".join(names[:6])
