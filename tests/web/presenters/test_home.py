"""One's own tables in a list: whose turn, in what order, and how they ended."""

from dataclasses import replace

from raisesum.engine import OFFICIAL_DECKS, Phase, Setup, State, new_match, view_for
from raisesum.services.lobby import TableSummary
from raisesum.services.table import FINISHED, GIVEN_UP, PLAYING, SeatPerson
from raisesum.web.presenters.home import present_showcase, present_tables
from raisesum.wording import bare

START = new_match(Setup(players=3, deck=OFFICIAL_DECKS["full"], goal=3, first=1), seed=1).state


def summary(state: State = START, status: str = PLAYING, viewer: int = 1) -> TableSummary:
    people = tuple(
        SeatPerson(number, name, None if number == viewer else "easy", number == viewer)
        for number, name in enumerate(("Otter", "Easy 1", "Easy 2"), 1)
    )
    return TableSummary(f"k{viewer}", status, 0, view_for(state, viewer), people)


def test_a_row_says_who_sits_there_and_whose_turn_it_is() -> None:
    mine, other = present_tables([summary(), summary(viewer=2)])
    assert (bare(mine.title), mine.state, mine.is_my_turn) == (
        "Against Easy 1 and Easy 2",
        "Your turn",
        True,
    )
    assert (bare(other.state), other.is_my_turn) == ("Otter is playing", False)
    assert mine.detail == "Round 1 · you have 0 of 3 points · all operations"


def test_tables_that_wait_for_the_viewer_come_first() -> None:
    rows = present_tables([summary(viewer=2), summary(), summary(viewer=3)])
    assert [row.key for row in rows] == ["k1", "k2", "k3"]


def test_a_finished_table_says_who_won() -> None:
    over = replace(START, phase=Phase.OVER, turn=1)
    rows = present_tables([summary(over, FINISHED), summary(over, FINISHED, viewer=2)])
    assert [bare(row.state) for row in rows] == ["You won", "Otter won"]
    assert present_tables([summary(status=GIVEN_UP)])[0].state == "Given up"


def test_the_shown_table_is_about_to_beat_its_target() -> None:
    page = present_showcase()
    assert str(page.sum.verdict) == "10 beats 6"
    assert [card.face.label for card in page.hand.cards if card.is_ticked] == ["+4", "+5", "×3"]
