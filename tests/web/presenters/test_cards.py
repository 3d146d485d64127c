"""A hand on the page: ids that stay, new cards marked, the chosen order."""

from raisesum.engine import parse_cards
from raisesum.web.presenters.cards import hand_cards, heaps


def labels(order: str) -> list[str]:
    hand = parse_cards("x2 +5 0 -3 +1 /2 +5")
    return [card.face.label for card in hand_cards(hand, (), order)]


def test_cards_keep_their_places_unless_sorted() -> None:
    assert labels("drawn") == ["×2", "+5", "0", "−3", "+1", "÷2", "+5"]


def test_a_hand_may_be_sorted_by_kind_or_by_number() -> None:
    assert labels("kind") == ["+1", "+5", "+5", "×2", "−3", "÷2", "0"]
    assert labels("value") == ["0", "+1", "×2", "÷2", "−3", "+5", "+5"]


def test_the_same_card_twice_has_two_ids() -> None:
    ids = [card.id for card in hand_cards(parse_cards("+5 +5 0"), (), "drawn")]
    assert ids == ["add5-1", "add5-2", "zero0-1"]


def test_sorting_changes_no_id() -> None:
    hand = parse_cards("x2 +5 0 -3 +1 /2 +5")
    drawn = {card.id for card in hand_cards(hand, (), "drawn")}
    assert {card.id for card in hand_cards(hand, (), "value")} == drawn


def test_only_the_copy_that_was_drawn_now_is_new() -> None:
    shown = hand_cards(parse_cards("+5 +1 +5"), parse_cards("+5"), "drawn")
    assert [card.is_new for card in shown] == [False, False, True]


def test_as_many_copies_are_ticked_as_were_named() -> None:
    shown = hand_cards(parse_cards("+5 +1 +5 +5"), (), "drawn", ["+5", "+5", "x9"])
    assert [card.is_ticked for card in shown] == [True, False, True, False]


def test_a_pile_is_counted_by_face() -> None:
    piled = heaps(parse_cards("+5 0 +1 +5"))
    assert [(heap.face.label, heap.copies) for heap in piled] == [("+1", 1), ("+5", 2), ("0", 1)]
