"""Facts in words: the signs players know, mixed numbers, and who did what to whom."""

from fractions import Fraction

import pytest

from raisesum import wording
from raisesum.engine import (
    Discarded,
    IllegalActionError,
    Incoming,
    MatchWon,
    Passed,
    Phase,
    Play,
    Played,
    PointWon,
    RoundStarted,
    parse_cards,
    score,
)
from raisesum.engine.events import Reshuffled
from raisesum.engine.legality import check_action
from raisesum.engine.view import CardsTaken

NAMES = {1: "Quick Otter", 2: "Steady"}
NONE = Incoming()


def steps(cards: str, incoming: Incoming = NONE) -> list[str]:
    return [str(chip) for chip in wording.chips(score(parse_cards(cards), incoming))]


def told(event: wording.EventView, viewer: int | None = 1) -> str:
    return str(wording.sentence(event, NAMES, viewer))


def test_cards_are_written_with_the_signs_of_arithmetic() -> None:
    assert wording.card_labels(parse_cards("+4 x3 -2 /2 0")) == "+4, ×3, −2, ÷2, 0"


def test_cards_have_a_plain_word_for_what_they_do() -> None:
    words = [wording.card_word(card) for card in parse_cards("+4 x3 -2 /2 0")]
    assert words == ["add", "multiply", "challenge", "challenge", "counter"]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(21, 2), "10½"),
        (Fraction(22, 3), "7⅓"),
        (Fraction(29, 12), "2 5/12"),
        (Fraction(7, 18), "7/18"),
        (Fraction(-5, 2), "−2½"),
        (Fraction(-1, 2), "−½"),
        (Fraction(-29, 12), "−2 5/12"),
        (Fraction(0), "0"),
        (Fraction(10**30), str(10**30)),
    ],
)
def test_numbers_are_mixed_fractions_and_never_decimals(value: Fraction, text: str) -> None:
    assert wording.number(value) == text


def test_a_receipt_has_a_step_a_chip_in_the_order_of_the_rules() -> None:
    expected = ["4 + 5 = 9", "−2 = 7", "×3 = 21", "÷2 = 10½", "down to 10"]
    assert steps("+4 +5 x3", Incoming((2,), (2,))) == expected


def test_a_receipt_shows_that_zero_counters() -> None:
    assert steps("+5 +4 x3 0", Incoming((2,), (2,))) == [
        "5 + 4 = 9",
        "0 counters −2, ÷2",
        "×3 = 27",
    ]


def test_a_receipt_shows_that_a_sum_below_zero_counts_as_zero() -> None:
    expected = ["start at 0", "−2 = −2", "×3 = −6", "below zero counts as 0"]
    assert steps("x3", Incoming((2,))) == expected


def test_a_receipt_names_every_card_of_a_step() -> None:
    expected = ["+2", "−1 −3 = −2", "×2 ×3 = −12", "÷2 ÷3 = −2", "below zero counts as 0"]
    assert steps("+2 x2 x3", Incoming((1, 3), (2, 3))) == expected


@pytest.mark.parametrize(
    ("cards", "target", "text", "legal"),
    [
        ("+4 +6", 6, "10 beats 6", True),
        ("+4 +5", 9, "9 ties 9. You need 10 or more.", False),
        ("+4 +5", 12, "9 does not beat 12. You need 13 or more.", False),
        ("-2 /2", None, "0 opens the round", True),
        ("+9 +9 +9 +9 +9 +9", 6, "6 cards are too many. A play has at most five.", False),
    ],
)
def test_a_verdict_says_what_a_score_comes_to(
    cards: str, target: int | None, text: str, legal: bool
) -> None:
    verdict = wording.verdict(score(parse_cards(cards)), target)
    assert (str(verdict), verdict.is_legal) == (text, legal)


def test_a_challenge_is_told_in_the_order_in_which_it_works() -> None:
    words = wording.challenge(Incoming((2, 3), (2, 3)))
    assert words == "take away 5, then divide by 6 at the end"
    assert wording.challenge(Incoming((), (3,))) == "divide by 3 at the end"


@pytest.mark.parametrize(
    ("event", "mine", "theirs"),
    [
        (
            Played(1, parse_cards("+6 -2 /2"), 6, NONE, 1),
            "You played +6, −2, ÷2 for 6",
            "Quick Otter played +6, −2, ÷2 for 6",
        ),
        (
            Played(1, parse_cards("+1"), 1, NONE, None),
            "You opened with +1 for 1",
            "Quick Otter opened with +1 for 1",
        ),
        (Passed(1), "You passed", "Quick Otter passed"),
        (
            Discarded(1, parse_cards("+1 x2")),
            "You discarded +1, ×2",
            "Quick Otter discarded +1, ×2",
        ),
        (PointWon(1, 2, 1), "You won round 2", "Quick Otter won round 2"),
        (MatchWon(1), "You won the match", "Quick Otter won the match"),
        (
            RoundStarted(2, 1),
            "Round 2 begins: you open",
            "Round 2 begins: Quick Otter opens",
        ),
        (
            Reshuffled(1),
            "1 discard was shuffled into a new draw pile",
            "1 discard was shuffled into a new draw pile",
        ),
    ],
)
def test_each_event_is_one_sentence_for_its_reader(
    event: wording.EventView, mine: str, theirs: str
) -> None:
    assert told(event, 1) == mine
    assert told(event, 2) == theirs
    assert told(event, None) == theirs


def test_cards_taken_are_named_to_their_owner_and_counted_for_others() -> None:
    cards = parse_cards("+5 x3 0")
    assert told(CardsTaken(1, 3, cards, dealt=False)) == "You drew +5, ×3, 0"
    assert told(CardsTaken(2, 3, (), dealt=False)) == "Steady drew 3 cards"
    assert told(CardsTaken(2, 1, (), dealt=False)) == "Steady drew 1 card"
    assert told(CardsTaken(2, 0, (), dealt=False)) == "Steady found no card left to draw"
    assert told(CardsTaken(1, 3, cards, dealt=True)) == "You were dealt +5, ×3, 0"
    assert told(CardsTaken(2, 5, (), dealt=True)) == "Steady was dealt 5 cards"


def test_a_won_round_is_told_with_the_score_that_stood() -> None:
    events = (
        RoundStarted(2, 1),
        Played(1, parse_cards("+9 x3"), 27, NONE, None),
        Passed(2),
        PointWon(1, 2, 1),
        RoundStarted(3, 1),
        Passed(1),
        PointWon(2, 3, 1),
    )
    told = [str(sentence) for sentence in wording.sentences(events, NAMES, 1)]
    assert told[3] == "You won round 2 with 27"
    assert told[-1] == "Steady won round 3"


def test_a_refusal_names_cards_as_players_see_them() -> None:
    for name, label in (("x3", "×3"), ("-2", "−2"), ("/2", "÷2"), ("+5", "+5"), ("0", "0")):
        error = IllegalActionError("not in hand", f"You hold no {name}.")
        assert wording.refusal(error) == f"You hold no {label}."


@pytest.mark.parametrize(
    ("cards", "target"), [("+4 +5", 9), ("+4 +5", 12), ("+1 +1 +1 +1 +1 +1", None)]
)
def test_a_refusal_says_what_the_verdict_on_the_ticked_cards_said(
    cards: str, target: int | None
) -> None:
    hand = parse_cards(cards)
    receipt = score(hand)
    with pytest.raises(IllegalActionError) as refused:
        check_action(Play(hand), Phase.MOVE, hand, receipt.score, target)
    assert wording.refusal(refused.value) == wording.verdict(receipt, target).text


def test_names_make_a_list() -> None:
    assert wording.listed(["A", "B"]) == "A and B"
    assert wording.listed(["A", "B", "C"]) == "A, B and C"


@pytest.mark.parametrize(
    ("names", "listed"),
    [
        ((), ""),
        (("Ann",), "Ann"),
        (("Ann", "Ben"), "Ann and Ben"),
        (("Ann", "Ben", "Cy"), "Ann, Ben and Cy"),
    ],
)
def test_a_list_reads_well_however_many_it_names(names: tuple[str, ...], listed: str) -> None:
    assert wording.listed(names) == listed


def test_a_sentence_has_one_end_whatever_it_ends_in() -> None:
    said = ["Ann says: Hello!", "You hold no +5.", "Let me think…", "Pass anyway?", "", "Beat 6"]
    assert wording.spoken(said) == (
        "Ann says: Hello! You hold no +5. Let me think… Pass anyway? Beat 6."
    )
