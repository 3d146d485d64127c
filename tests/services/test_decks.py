"""Decks of one's own: read from an address or from counts, within the limits of the rules."""

from __future__ import annotations

import pytest

from raisesum.engine import OFFICIAL_DECKS, Setup, parse_card
from raisesum.services.decks import LADDER, PRESETS, UNNAMED, make_deck, read_deck
from raisesum.services.refusals import RefusedError


def test_the_ladder_has_the_official_decks_each_with_what_it_adds() -> None:
    assert [rung.deck for rung in LADDER] == list(OFFICIAL_DECKS.values())
    known: set[object] = set()
    for rung in LADDER:
        kinds = {card.kind for card, _ in rung.deck.counts}
        assert kinds - known == set(rung.new_kinds)
        assert [card.kind for card in rung.new_cards] == list(rung.new_kinds)
        known = kinds


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_a_preset_is_a_deck_for_four_that_reads_back(preset) -> None:
    assert read_deck(preset.deck.text, preset.name) == preset
    assert Setup(players=4, deck=preset.deck)


def test_a_deck_is_made_of_counts_and_zero_leaves_a_card_out() -> None:
    made = make_deck({parse_card("+1"): 20, parse_card("x2"): 0}, "  Class 4b ")
    assert (made.name, made.deck.text) == ("Class 4b", "custom +1*20")
    assert made.most_players == 2
    assert make_deck({parse_card("+1"): 24}).most_players == 3


@pytest.mark.parametrize(
    ("counts", "reason"),
    [
        ({"+1": 9, "x2": 20}, "at least 10 addition cards"),
        ({"+1": 301}, "at most 300 cards"),
        ({"+1": 15}, "at least 16"),
        ({}, "at least 10 addition cards"),
    ],
)
def test_a_deck_outside_of_the_limits_is_refused(counts: dict[str, int], reason: str) -> None:
    with pytest.raises(RefusedError, match=reason) as refused:
        make_deck({parse_card(name): copies for name, copies in counts.items()})
    assert refused.value.field == "deck"
    assert str(refused.value).endswith(".")


@pytest.mark.parametrize(
    "text", ["", "custom", "custom +1*10", "custom +99*10", "custom +1*10 +1*10", "x" * 10**6]
)
def test_what_is_no_deck_is_refused(text: str) -> None:
    with pytest.raises(RefusedError):
        read_deck(text)


def test_an_official_deck_keeps_its_title_and_one_without_a_name_is_called_so() -> None:
    assert read_deck("full", "Mine").name == "All operations"
    assert read_deck("custom +1*20").name == UNNAMED


def test_a_name_that_people_may_not_have_is_none_for_a_deck() -> None:
    with pytest.raises(RefusedError) as refused:
        read_deck("custom +1*20", "a\u202eb")
    assert refused.value.field == "name"
