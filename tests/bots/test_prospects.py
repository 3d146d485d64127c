import pytest

from raisesum.bots.prospects import Prospects, even_chance
from raisesum.engine import view_for
from tests.engine.positions import position


@pytest.mark.parametrize("needs", [(1, 1), (2, 2, 2), (3, 1, 2, 2), (9, 9, 9, 9)])
def test_somebody_wins(needs):
    turned = [needs[seat:] + needs[:seat] for seat in range(len(needs))]
    assert sum(map(even_chance, turned)) == pytest.approx(1)


def test_who_needs_no_more_has_won():
    assert even_chance((0, 2)) == 1
    assert even_chance((2, 0)) == 0


def prospects(*points, goal=3, out=()):
    hands = ["+1 +2"] * len(points)
    return Prospects(view_for(position(*hands, points=points, goal=goal, out=out), 1))


def test_winning_the_last_round_wins_the_match():
    assert prospects(2, 1).if_won(0.0) == 1
    assert prospects(1, 2).if_lost(0.0) == 0


def test_a_round_won_is_better_than_one_lost():
    for points in [(0, 0), (2, 2), (0, 2), (1, 0, 2), (0, 1, 1, 2)]:
        table = prospects(*points)
        assert table.if_won(0.5) > table.if_lost(0.5)


def test_a_better_hand_is_better_unless_the_match_is_over():
    assert prospects(0, 0).if_lost(2.0) > prospects(0, 0).if_lost(1.0)
    assert prospects(2, 0).if_won(2.0) == prospects(2, 0).if_won(1.0)


def test_only_those_who_are_in_can_win_the_round():
    assert prospects(0, 2, 0, out=(2,)).if_lost(0.0) > 0
    assert prospects(0, 2, 0, out=(3,)).if_lost(0.0) == 0
