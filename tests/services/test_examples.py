"""What is shown is real: sums by the scorer, a table by the engine."""

import pytest

from raisesum.engine import Incoming, score
from raisesum.services.examples import examples, showcase


@pytest.mark.parametrize("example", examples(), ids=lambda example: example.name)
def test_an_example_is_the_scorers_own_sum(example) -> None:
    receipt = score(example.receipt.cards, Incoming.of(example.challenge))
    assert receipt == example.receipt


def test_the_examples_come_to_what_the_rules_page_tells() -> None:
    scores = {example.name: example.receipt.score for example in examples()}
    assert scores == {
        "add": 7,
        "tie": 6,
        "multiply": 15,
        "subtract": 7,
        "order": 10,
        "counter": 27,
        "below zero": 0,
        "opening": 0,
    }


def test_the_shown_play_is_one_that_the_table_allows() -> None:
    shown = showcase()
    names = sorted(card.name for card in shown.ticked)
    plays = [sorted(card.name for card in play.cards) for play in shown.table.view.legal_plays]
    assert names in plays


def test_the_shown_table_has_every_card_of_its_deck_once() -> None:
    view = showcase().table.view
    assert view.standing is not None
    seen = (
        sum(seat.hand_size for seat in view.seats)
        + view.draw_size
        + len(view.discard_pile)
        + len(view.standing.cards)
    )
    assert seen == view.setup.deck.size
