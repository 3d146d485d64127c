"""What holds for every bot there is."""

from copy import deepcopy
from inspect import signature
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from raisesum.bots import LEVELS, ask, level_named, master, sharp
from raisesum.engine import Phase, apply, new_match, view_for
from tests.engine.decks import seeds, setups
from tests.engine.positions import follow, position, twin

#: Far more than any match takes; a match that does not end is a fault.
MOST_ACTIONS = 20_000


def test_the_levels_are_listed_from_the_easiest():
    assert list(LEVELS) == ["easy", "gentle", "steady", "sharp", "master"]


def test_a_level_is_found_by_its_name():
    for name, level in LEVELS.items():
        assert level_named(name) is level
        assert level.name == name
        assert level.title
        assert level.policy.endswith(".")


def test_how_a_level_plays_can_be_said_of_one_bot_and_of_several():
    # "Easy 1 and Easy 2" stand before it as well as "Easy": no verb may ask which.
    for level in LEVELS.values():
        first = level.policy.split()[0]
        assert first in ("Any", "Each", "The", "What", "Whatever"), level.policy


@pytest.mark.parametrize("name", ["", "Easy", "hard", "easy ", "x" * 10_000])
def test_a_level_that_is_not_there_is_a_short_value_error(name):
    with pytest.raises(ValueError, match="no bot level") as refused:
        level_named(name)
    assert len(str(refused.value)) < 60


@pytest.mark.parametrize("level", LEVELS.values(), ids=LEVELS)
def test_a_bot_is_given_a_view_and_chance_and_nothing_else(level):
    assert list(signature(level.choose).parameters) == ["view", "rng"]


def play(setup, seed, levels):
    """Play a match in which seat s is played by the s-th level; yield each view and choice."""
    state, _ = new_match(setup, seed)
    rng = Random(seed)
    for _ in range(MOST_ACTIONS):
        if state.phase is Phase.OVER:
            return
        view = view_for(state, state.turn)
        before = rng.getstate()
        decision, fell_back = ask(levels[state.turn - 1].decide, view, rng)
        assert not fell_back
        action = decision.action
        yield state, before, action
        state, _ = apply(state, state.turn, action)
    pytest.fail("the match did not end")


seated = st.lists(st.sampled_from(sorted(LEVELS)).map(LEVELS.get), min_size=4, max_size=4)


@pytest.fixture(autouse=True, scope="module")
def _hasty():
    """Let the bots that think do so over fewer guesses: whatever they do, they do it sooner."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sharp, "GUESSES", 4)
        patch.setattr(sharp, "JUDGED", 8)
        patch.setattr(master, "CANDIDATES", 4)
        patch.setattr(master, "GUESSES", 4)
        yield


@given(setups(), seeds, seated)
@settings(max_examples=settings.default.max_examples // 2)
def test_bots_play_every_match_to_its_end_by_the_rules(setup, seed, levels):
    for _ in play(setup, seed, levels):
        pass


@given(setups(), seeds, seated)
@settings(max_examples=settings.default.max_examples // 5)
def test_what_a_bot_may_not_know_does_not_change_its_choice(setup, seed, levels):
    chance = Random(seed)
    for state, before, action in play(setup, seed, levels):
        rng = Random()
        rng.setstate(before)
        other = view_for(twin(state, state.turn, chance), state.turn)
        assert levels[state.turn - 1].choose(other, rng) == action


@pytest.mark.parametrize("level", LEVELS.values(), ids=LEVELS)
def test_a_bot_leaves_the_view_as_it_was(level):
    state = position("+1 +2 x2 0 -1", "", standing="+1")
    view = view_for(state, 1)
    same = deepcopy(view)
    level.choose(view, Random(1))
    assert view == same


@pytest.mark.parametrize("level", LEVELS.values(), ids=LEVELS)
def test_a_bot_discards_exactly_what_it_must(level):
    state = follow(position("+1 " * 5 + "x2 0 -1 /2 +3", "", ""), "pass").state
    action = level.choose(view_for(state, 1), Random(1))
    assert len(action.cards) == 3
    assert len(apply(state, 1, action).state.hand(1)) == 7
