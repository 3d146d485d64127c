"""Decks and setups of all kinds, for Hypothesis."""

from hypothesis import strategies as st

from raisesum.engine import OFFICIAL_DECKS, Kind, Setup, custom_deck
from raisesum.engine.cards import ALL_CARDS
from raisesum.engine.decks import FEWEST_ADDITIONS, FEWEST_PER_PLAYER, MOST_CARDS

ADDITIONS = [card for card in ALL_CARDS if card.kind is Kind.ADD]
OTHERS = [card for card in ALL_CARDS if card.kind is not Kind.ADD]


@st.composite
def custom_decks(draw, players):
    """Any deck that `players` can play with; small ones often, where piles run out."""
    counts = draw(st.dictionaries(st.sampled_from(ADDITIONS), st.integers(1, 12), min_size=1))
    counts |= draw(st.dictionaries(st.sampled_from(OTHERS), st.integers(1, 6), max_size=12))
    filler = draw(st.sampled_from(ADDITIONS))
    additions = sum(count for card, count in counts.items() if card.kind is Kind.ADD)
    missing = max(FEWEST_ADDITIONS - additions, FEWEST_PER_PLAYER * players - sum(counts.values()))
    if missing > 0:
        counts[filler] = counts.get(filler, 0) + missing
    while sum(counts.values()) > MOST_CARDS:
        del counts[max(counts, key=counts.get)]
    return custom_deck({card: counts[card] for card in draw(st.permutations(list(counts)))})


@st.composite
def setups(draw):
    """Any setup, short matches more often than long ones."""
    players = draw(st.integers(2, 4))
    deck = draw(st.sampled_from([*OFFICIAL_DECKS.values(), None, None, None]))
    return Setup(
        players,
        deck or draw(custom_decks(players)),
        goal=draw(st.integers(1, 9)),
        first=draw(st.none() | st.integers(1, players)),
    )


seeds = st.integers(0, 2**128 - 1)
