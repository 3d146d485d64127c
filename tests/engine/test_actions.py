import copy
import pickle

import pytest

from raisesum.engine import (
    Discard,
    IllegalActionError,
    InvalidActionError,
    Pass,
    Play,
    parse_action,
    parse_cards,
)


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("play +5", Play(parse_cards("+5"))),
        ("play x3 +5 0 +5", Play(parse_cards("x3 +5 0 +5"))),
        ("play", Play(())),
        ("pass", Pass()),
        ("discard -1", Discard(parse_cards("-1"))),
        ("discard +1 +1 /2", Discard(parse_cards("+1 +1 /2"))),
        ("discard", Discard(())),
    ],
)
def test_an_action_and_its_text_are_a_pair(text, action):
    assert parse_action(text) == action
    assert action.text == text


def test_the_order_of_the_cards_is_kept():
    assert parse_action("play +5 x3") != parse_action("play x3 +5")


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "fold", "Play +5", "PASS", "pass ", " pass", "pass +5", "play ", "discard ",
        "play  +5", "play +5 ", " play +5", "play\t+5", "play +5\n", "play +21", "play five",
        "play +5,+4", "draw", "discard +1 1", "play \uff0b5", "pass\0", "play -0",
        "play -" + "1" * 5000,
    ],
)  # fmt: skip
def test_what_says_no_action_is_invalid_and_the_message_is_short(text):
    with pytest.raises(InvalidActionError) as refused:
        parse_action(text)
    assert 10 < len(str(refused.value)) < 80


def test_the_message_quotes_what_could_not_be_read():
    with pytest.raises(InvalidActionError, match="'fold' is no action: play, pass or discard"):
        parse_action("fold")
    with pytest.raises(InvalidActionError, match="no card is written '\\+21'"):
        parse_action("play +5 +21")


def test_invalid_and_illegal_are_two_kinds_of_value_error():
    assert issubclass(InvalidActionError, ValueError)
    assert issubclass(IllegalActionError, ValueError)
    assert not issubclass(IllegalActionError, InvalidActionError)
    assert not issubclass(InvalidActionError, IllegalActionError)


@pytest.mark.parametrize(
    "duplicate",
    [copy.copy, lambda error: pickle.loads(pickle.dumps(error))],  # noqa: S301
    ids=["copied", "pickled"],
)
def test_an_illegal_action_error_survives_being(duplicate):
    error = duplicate(IllegalActionError("not in hand", "You hold no +5."))
    assert (error.reason, str(error)) == ("not in hand", "You hold no +5.")
