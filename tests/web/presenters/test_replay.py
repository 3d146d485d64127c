"""What each step of a replay is made of."""

import io

import pytest

from raisesum.services.history import Replay, replay_from
from raisesum.web.presenters.replay import (
    MOST_OF_A_NAME,
    PACES,
    ReplayPage,
    pace_named,
    present_replay,
)
from raisesum.wording import bare
from tests.engine.records import RIGHT, SHORT


@pytest.fixture
def short() -> Replay:
    return replay_from(io.BytesIO(SHORT.encode()))


def told(page: ReplayPage) -> list[str]:
    return ["".join(piece.text for piece in line.pieces) for line in page.told]


def test_each_step_tells_what_happened_in_it(short: Replay) -> None:
    assert [told(present_replay(short, at)) for at in range(short.last + 1)] == [
        ["Round 1 begins: East opens"],
        ["East opened with +1, +3 for 4"],
        ["North passed"],
        ["North discarded +1", "East won round 1 with 4", "East won the match"],
    ]


def test_what_was_drawn_is_marked_in_the_open_hand_of_the_player_on_turn(short: Replay) -> None:
    page = present_replay(short, 0)
    north, east = page.hands
    assert (north.is_on_turn, east.is_on_turn) == (False, True)
    assert [card.face.name for card in east.cards if card.is_new] == ["+3", "0", "/2"]
    assert [card.face.name for card in north.cards] == ["0", "+3", "+9", "/2", "+1"]
    assert not any(card.is_new for card in north.cards)


def test_the_choices_are_counted_in_words(short: Replay) -> None:
    texts = []
    for at in range(short.last + 1):
        choices = present_replay(short, at).choices
        texts.append("" if choices is None else bare(choices.text))
    assert texts[0].startswith("East can open with ")
    assert texts[1].startswith("North has ")
    assert texts[1].endswith(" different plays that beat 4.")
    assert texts[2:] == ["North has to discard 1 card.", ""]


def test_the_plays_are_listed_from_the_highest_score_and_the_one_made_is_marked(
    short: Replay,
) -> None:
    assert present_replay(short, 0).plays is None
    plays = present_replay(short, 0, shows_plays=True).plays
    assert plays is not None
    assert [play.score for play in plays] == sorted((p.score for p in plays), reverse=True)
    made = [[face.name for face in play.cards] for play in plays if play.is_made]
    assert made == [["+1", "+3"]]
    assert len(plays) == len(short.position(0).plays)
    passed = present_replay(short, 1, shows_plays=True).plays
    assert passed
    assert not any(play.is_made for play in passed)
    assert present_replay(short, short.last, shows_plays=True).plays == ()


def test_the_ways_at_either_end_lead_nowhere_else(short: Replay) -> None:
    first, last = present_replay(short, 0), present_replay(short, short.last)
    assert (first.back, first.forward) == (0, 1)
    assert (last.back, last.forward) == (short.last - 1, short.last)


def test_a_pace_ends_with_the_match(short: Replay) -> None:
    for pace in PACES:
        assert pace_named(pace.name) is pace
        assert present_replay(short, 0, pace=pace).pace is pace
        assert present_replay(short, short.last, pace=pace).pace is None
    assert pace_named("") is None


def test_the_log_is_that_of_the_round_and_the_rounds_can_be_gone_to() -> None:
    replay = replay_from(io.BytesIO(RIGHT[10].read_bytes()))
    for place, start in enumerate(replay.rounds):
        page = present_replay(replay, start)
        assert [link.number for link in page.rounds if link.is_here] == [place + 1]
        assert {line.number for line in page.log} == {start}
        if place:
            before = present_replay(replay, start - 1)
            assert [link.number for link in before.rounds if link.is_here] == [place]
            assert min(line.number for line in before.log) == replay.rounds[place - 1]
    assert [link.at for link in page.rounds] == list(replay.rounds)


def test_the_middle_tells_how_the_round_before_was_won() -> None:
    replay = replay_from(io.BytesIO(RIGHT[10].read_bytes()))
    last = present_replay(replay, replay.rounds[1]).table.middle.last
    assert last is not None
    assert " won round 1" in last.label


def test_what_is_said_aloud_is_what_happened_and_where(short: Replay) -> None:
    announcement = bare(present_replay(short, 1).announcement)
    assert announcement == "East opened with +1, +3 for 4. Step 1 of 3."


def test_a_name_of_any_length_is_cut_short() -> None:
    text = SHORT.replace("North", "N" * 5000)
    page = present_replay(replay_from(io.BytesIO(text.encode())), 2)
    assert page.hands[0].name == "N" * MOST_OF_A_NAME + "…"
    assert "N" * (MOST_OF_A_NAME + 1) not in page.announcement + page.names
