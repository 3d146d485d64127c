from hypothesis import given
from hypothesis import strategies as st

from raisesum.bots.reach import reach_of
from raisesum.engine import Incoming
from raisesum.engine.cards import ALL_CARDS
from raisesum.engine.legality import best_score

cards = st.sampled_from(ALL_CARDS)


@given(hand=st.lists(cards, max_size=10), challenge=st.lists(cards, max_size=5))
def test_the_best_score_is_the_one_that_the_rules_give(hand, challenge):
    incoming = Incoming.of(challenge)
    assert reach_of(hand).best(incoming.less, incoming.divisor) == best_score(hand, incoming)
