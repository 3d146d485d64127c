import os
from io import BytesIO

import pytest

from raisesum.engine import MatchWon, Phase, legal_plays
from raisesum.engine.record import RecordError, as_recorded, read_record
from raisesum.engine.view import CardsTaken
from raisesum.models import Seat
from raisesum.services import history, lobby, play
from raisesum.services.errors import MatchGoesOnError, NoSuchTableError, NoWinnerError
from raisesum.services.table import table_for
from raisesum.services.transactions import write_transaction
from tests.engine.records import RIGHT, WRONG
from tests.services.tables import guest, log_rows, move, stored, stored_state

pytestmark = pytest.mark.usefixtures("app_context")

#: How many matches are played through the services; with RECORD_TABLES=50 for the full run.
TABLES = int(os.environ.get("RECORD_TABLES", "6"))

TABLE_KINDS = [
    (["steady"], "full", 1),
    (["easy", "steady"], "subtraction", 2),
    (["easy", "easy", "steady"], "addition", 1),
    (["steady", "steady"], "custom +1*10 +5*6 -3*4 x2*4 0*2", 1),
]


@pytest.fixture
def me() -> int:
    return guest()


def finished(me: int, levels=("steady",), deck="full", goal=1) -> str:
    """Play a match to its end; return the table's key."""
    key = lobby.start_practice(me, levels, deck=deck, goal=goal, bot_delay_ms=0)
    while move(me, key):
        pass
    return key


@pytest.mark.parametrize("number", range(TABLES))
def test_the_record_of_a_match_is_right_and_leads_to_its_stored_end(me, number):
    levels, deck, goal = TABLE_KINDS[number % len(TABLE_KINDS)]
    key = finished(me, levels, deck, goal)
    text = history.record_of(key)
    record = read_record(BytesIO(text.encode()))
    assert record.final == as_recorded(stored_state(key), record.setup.first)
    assert record.final.winner == stored(key).winner
    assert record.setup.deck.text == deck
    assert len(record.steps) == len(log_rows(key))
    assert record.text == text


def test_the_record_names_who_sat_where(me):
    key = finished(me, ["steady", "easy", "steady"])
    names = [seat.name for seat in stored(key).seats]
    assert names[1:] == ["Steady 1", "Easy", "Steady 2"]
    assert f"\nplayers: {' | '.join(names)}\n" in history.record_of(key)


@pytest.mark.parametrize(
    ("name", "written"), [("Ann  |  Bob", "Ann Bob"), ("\t", "Seat 1"), (" Zoë ", "Zoë")]
)
def test_a_name_that_a_record_cannot_hold_is_made_fit(me, name, written):
    key = finished(me)
    with write_transaction() as session:
        session.get(Seat, (stored(key).id, 1)).name = name
    assert f"\nplayers: {written} | Steady\n" in history.record_of(key)


def test_there_is_no_record_of_a_match_that_goes_on(me):
    key = lobby.start_practice(me, ["steady"], goal=1, bot_delay_ms=0)
    going_on = True
    while going_on:
        if stored(key).winner is None:
            with pytest.raises(MatchGoesOnError):
                history.record_of(key)
        going_on = move(me, key)
    assert history.record_of(key)


def test_a_finished_match_is_open_to_whoever_has_its_key(me):
    key = finished(me)
    for anybody in (me, guest(), None):
        assert history.record_for(anybody, key) == history.record_of(key)


def test_only_those_who_sit_there_learn_of_a_match_without_a_record(me):
    key = lobby.start_practice(me, ["steady"], bot_delay_ms=0)
    for refused in (MatchGoesOnError, NoWinnerError):
        with pytest.raises(refused):
            history.record_for(me, key)
        for stranger in (guest(), None):
            with pytest.raises(NoSuchTableError):
                history.record_for(stranger, key)
        play.give_up(me, key)


def test_there_is_no_record_of_a_match_that_was_given_up(me):
    key = lobby.start_practice(me, ["steady"], bot_delay_ms=0)
    play.give_up(me, key)
    with pytest.raises(NoWinnerError):
        history.record_of(key)


def test_a_match_that_was_given_up_is_replayed_as_far_as_it_went(me):
    key = lobby.start_practice(me, ["steady", "easy"], bot_delay_ms=0)
    while table_for(me, key).view.round < 2:
        move(me, key)
    with pytest.raises(MatchGoesOnError):
        history.replay_for(me, key)
    state = stored_state(key)
    play.give_up(me, key)
    replay = history.replay_for(me, key)
    assert not replay.is_won
    assert (replay.last, len(replay.rounds)) == (stored(key).version, 2)
    assert replay.position(replay.last).hands == state.hands
    assert replay.position(replay.last).view.target == state.target
    for stranger in (guest(), None):
        with pytest.raises(NoSuchTableError):
            history.replay_for(stranger, key)
    with pytest.raises(RecordError):
        history.replay_of(replay.text.encode())


def test_there_is_no_record_of_a_table_that_is_not_there():
    with pytest.raises(NoSuchTableError):
        history.record_of("nothing")
    with pytest.raises(NoSuchTableError):
        history.key_of(1)


def test_a_table_is_found_by_the_number_of_its_row(me):
    key = lobby.start_practice(me, ["steady"], bot_delay_ms=0)
    assert history.key_of(stored(key).id) == key


def test_a_replay_goes_from_the_deal_to_the_winner_with_all_hands_open(me):
    key = finished(me, ["steady", "easy"], goal=2)
    text = history.record_of(key)
    replay = history.replay_of(text.encode())
    assert replay.text == text
    first, last = replay.position(0), replay.position(replay.last)
    assert first.seat is None
    assert [len(hand) for hand in first.hands].count(5) == 2
    assert last.view.phase is Phase.OVER
    assert last.events[-1] == MatchWon(stored(key).winner)
    assert last.hands == stored_state(key).hands
    for number in range(replay.last + 1):
        position = replay.position(number)
        assert position.number == number
        assert [seat.hand_size for seat in position.view.seats] == list(map(len, position.hands))
        for event in position.events:
            if isinstance(event, CardsTaken):
                assert len(event.cards) == event.count


def test_a_position_lists_the_plays_of_whoever_is_to_move():
    with next(path for path in RIGHT if path.stem == "right-001").open("rb") as file:
        replay = history.replay_from(file)
    for number in range(replay.last + 1):
        position = replay.position(number)
        hand = position.hands[position.view.turn - 1]
        if position.view.phase is Phase.MOVE:
            view = position.view
            assert position.plays == legal_plays(hand, view.incoming, view.target)
        else:
            assert position.plays == ()


def test_each_position_says_who_acted():
    with RIGHT[0].open("rb") as file:
        replay = history.replay_from(file)
    for number in range(1, replay.last + 1):
        position = replay.position(number)
        assert position.events[0].seat == position.seat


def test_a_replay_knows_where_each_round_opens():
    with RIGHT[10].open("rb") as file:
        replay = history.replay_from(file)
    views = [replay.position(number).view for number in replay.rounds]
    assert [view.round for view in views] == list(range(1, len(views) + 1))
    assert all(view.standing is None for view in views)
    assert replay.rounds[0] == 0


def test_there_are_no_positions_but_those():
    with RIGHT[0].open("rb") as file:
        replay = history.replay_from(file)
    for number in (-1, replay.last + 1):
        with pytest.raises(IndexError):
            replay.position(number)


def test_a_wrong_record_has_no_replay():
    with WRONG[0].open("rb") as file, pytest.raises(RecordError):
        history.replay_from(file)
