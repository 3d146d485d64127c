"""The rules card follows the deck: it tells nothing that cannot happen."""

import pytest

from raisesum.engine import OFFICIAL_DECKS, Card, custom_deck, parse_card
from raisesum.web.presenters.rules import Reference, present_reference


def reference(deck: str) -> Reference:
    return present_reference(OFFICIAL_DECKS[deck].cards)


@pytest.mark.parametrize(
    ("deck", "kinds", "example"),
    [
        ("addition", ["add"], "7 beats 6"),
        ("subtraction", ["add", "subtract", "zero"], "7 beats 6"),
        ("full", ["add", "multiply", "subtract", "divide", "zero"], "10 beats 6"),
    ],
)
def test_only_the_kinds_of_the_deck_are_told(deck: str, kinds: list[str], example: str) -> None:
    card = reference(deck)
    assert [line.face.kind for line in card.kinds] == kinds
    assert str(card.example.sum.verdict) == example
    shown = {face.kind for face in (*card.example.cards, *card.example.against)}
    assert shown <= set(kinds)


def test_a_challenge_is_an_example_where_there_are_challenges() -> None:
    assert reference("addition").example.against == ()
    assert [face.label for face in reference("subtraction").example.against] == ["−2"]


def test_a_deck_of_ones_own_has_its_own_card() -> None:
    counts: dict[Card, int] = {parse_card("+1"): 30, parse_card("x2"): 10}
    card = present_reference(custom_deck(counts).cards)
    assert card.steps == ("Add your blue cards.", "Multiply by your green cards.")
    assert str(card.example.sum.verdict) == "15 beats 12"


def test_without_a_deck_the_card_has_all_kinds() -> None:
    assert present_reference() == reference("full")
