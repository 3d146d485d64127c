from collections import Counter
from random import Random

from raisesum.bots import easy
from raisesum.engine import Discard, Pass, Play, parse_cards, view_for
from tests.engine.positions import follow, position

TIMES = 6000


def choices(state, times=TIMES):
    view, rng = view_for(state, state.turn), Random(20240229)
    return Counter(easy.choose(view, rng) for _ in range(times))


def is_even(counts, expected):
    """Whether counts differ no more from the one expected of each than chance explains.

    The sum of squares has a chi-square law with n - 1 degrees of freedom: mean n - 1, variance
    2 (n - 1).  Five standard deviations above the mean are out of chance's reach.
    """
    freedom = len(counts) - 1
    squares = sum((count - expected) ** 2 / expected for count in counts)
    return squares < freedom + 5 * (2 * freedom) ** 0.5


def test_easy_passes_one_time_in_ten():
    passes = choices(position("+1 +2 x2", ""))[Pass()]
    # 600 expected; five standard deviations are 116.
    assert 484 < passes < 716


def test_easy_passes_as_often_with_a_strong_hand_as_with_a_weak_one():
    for hand in ("+9 +9 +9 x3 x3", "+7"):
        assert 484 < choices(position(hand, "", standing="+6"))[Pass()] < 716


def test_easy_makes_every_legal_play_about_equally_often():
    state = position("+1 +2 +4 x2 -1 0", "", standing="+3 -1")
    view = view_for(state, 1)
    chosen = choices(state, 20_000)
    passes = chosen.pop(Pass())
    assert {action.cards for action in chosen} == {listed.cards for listed in view.legal_plays}
    assert is_even(chosen.values(), (20_000 - passes) / len(view.legal_plays))


def test_easy_counts_plays_that_look_the_same_once():
    # +4 alone can be chosen in three ways, but is one of three different plays.
    chosen = choices(position("+4 +4 +4", ""))
    passes = chosen.pop(Pass())
    assert len(chosen) == 3
    assert is_even(chosen.values(), (TIMES - passes) / 3)


def test_easy_passes_when_nothing_beats_the_target():
    assert choices(position("+1 +2", "", standing="+9"), 100) == {Pass(): 100}


def test_easy_passes_with_an_empty_hand():
    assert choices(position("", "", standing="+9"), 100) == {Pass(): 100}


def test_easy_discards_any_of_its_cards_equally_often():
    state = follow(position("+1 +2 +3 +4 +5 +6 +7 +8 +9", "", ""), "pass").state
    pairs = choices(state)
    assert all(isinstance(action, Discard) for action in pairs)
    discarded = Counter(card for action, n in pairs.items() for card in action.cards * n)
    assert len(discarded) == 9
    assert is_even(discarded.values(), TIMES * 2 / 9)


def test_easy_draws_all_its_chance_from_what_it_is_given():
    view = view_for(position("+1 +2 +4 x2 -1 0", ""), 1)
    one, other = Random(5), Random(5)
    assert [easy.choose(view, one) for _ in range(50)] == [
        easy.choose(view, other) for _ in range(50)
    ]


def test_easy_plays_cards_of_its_hand():
    chosen = choices(position("+1", ""), 50)
    assert set(chosen) <= {Play(parse_cards("+1")), Pass()}
