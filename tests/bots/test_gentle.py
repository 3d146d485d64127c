from random import Random

from hypothesis import given
from hypothesis import strategies as st

from raisesum.bots import gentle
from raisesum.engine import Incoming, Pass, Play, view_for
from raisesum.engine.cards import ALL_CARDS
from tests.engine.positions import follow, position

hands = st.lists(st.sampled_from(ALL_CARDS), min_size=1, max_size=10)


def choices(state, seeds=range(30)):
    return {gentle.choose(view_for(state, state.turn), Random(seed)).text for seed in seeds}


@given(hand=hands, seed=st.integers(0, 1000))
def test_gentle_never_sets_a_hard_challenge(hand, seed):
    state = position(" ".join(card.name for card in hand), "", standing="+3")
    action = gentle.choose(view_for(state, 1), Random(seed))
    if isinstance(action, Play):
        sent = Incoming.of(action.cards)
        assert sent.less <= 5
        assert not sent.divisions


@given(hand=hands, seed=st.integers(0, 1000))
def test_gentle_never_passes_a_reply_that_it_could_make(hand, seed):
    # The own challenge is no part of the score, so a play without it is legal, too.
    view = view_for(position(" ".join(card.name for card in hand), "", standing="+3"), 1)
    assert isinstance(gentle.choose(view, Random(seed)), Pass) is not view.can_beat


def test_gentle_spends_a_little_more_than_it_must_now_and_then():
    assert choices(position("+5 +6 +7 +9", "", standing="+4")) == {"play +5", "play +6", "play +7"}


def test_gentle_passes_rather_than_open_with_a_hard_challenge():
    assert choices(position("/2 /3", "")) == {"pass"}


def test_gentle_discards_what_is_of_least_use():
    state = follow(position("x3 +9 +1 0 +8 /3 +7 +2 x2", "", ""), "pass").state
    assert choices(state) == {"discard +1 +2"}
