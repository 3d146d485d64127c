import pytest
from flask import Flask

from raisesum.engine import OFFICIAL_DECKS, Setup, load_setup
from raisesum.services import absence, lobby, play, rematch, seating, waiting
from raisesum.services.errors import NoSuchTableError, ServiceError, TableClosedError
from raisesum.services.table import FINISHED, GIVEN_UP, PLAYING, table_for
from raisesum.services.table_settings import TableSettings
from tests.services.concurrency import at_once
from tests.services.friends import match_of
from tests.services.tables import guest, move, next_action, stored, stored_state

pytestmark = pytest.mark.usefixtures("app_context")

LATER = 60_000


@pytest.fixture
def me() -> int:
    return guest()


def test_play_now_is_a_full_deck_match_against_two_bots(me):
    table = table_for(me, lobby.play_now(me, LATER))
    assert table.view.setup.deck.name == "full"
    assert [person.bot for person in table.people] == [None, "steady", "easy"]
    assert table.people[0].is_you
    assert table.practice


def test_bots_of_one_level_are_told_apart_by_number(me):
    key = lobby.start_practice(me, ["easy", "steady", "easy"], bot_delay_ms=LATER)
    names = [person.name for person in table_for(me, key).people[1:]]
    assert names == ["Easy 1", "Steady", "Easy 2"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"levels": []},
        {"levels": ["easy"] * 4},
        {"levels": ["cheat"]},
        {"deck": "tarot"},
        {"deck": "custom +1*9"},
        {"deck": "custom +1*15"},
        {"goal": 0},
        {"goal": 10},
        {"first": 0},
        {"first": 3},
    ],
)
def test_a_table_that_the_rules_forbid_is_refused_and_nothing_is_made(me, wrong):
    wrong = dict(wrong)
    levels = wrong.pop("levels", ["easy"])
    with pytest.raises(ServiceError):
        lobby.start_practice(me, levels, bot_delay_ms=LATER, **wrong)
    assert lobby.my_tables(me, [PLAYING], 10) == []


def test_keys_and_seeds_have_at_least_128_bits_and_differ(me):
    keys = {lobby.play_now(me, LATER) for _ in range(5)}
    assert len(keys) == 5
    assert min(len(key) for key in keys) >= 22
    assert len({stored_state(key).seed for key in keys}) == 5
    assert max(stored_state(key).seed.bit_length() for key in keys) > 110


def test_a_custom_deck_can_be_played(me):
    key = lobby.start_practice(me, ["steady"], deck="custom +1*20 x9*4", goal=1, bot_delay_ms=0)
    while move(me, key):
        pass
    assert stored(key).status == FINISHED


def test_a_rematch_has_the_same_people_and_settings_and_the_winners_left_neighbour_opens(me):
    key = lobby.start_practice(
        me, ["easy", "steady"], deck="subtraction", goal=1, first=2, bot_delay_ms=0
    )
    while move(me, key):
        pass
    winner = stored(key).winner
    assert winner is not None
    again = rematch.press(me, key, LATER)
    new = load_setup(stored(again).setup)
    assert new == Setup(3, OFFICIAL_DECKS["subtraction"], 1, first=winner % 3 + 1)
    assert [person.bot for person in table_for(me, again).people] == [None, "easy", "steady"]
    assert table_for(me, key).rematch_key == again


def test_a_rematch_asked_for_twice_is_one_match(me):
    key = lobby.play_now(me, LATER)
    play.give_up(me, key)
    assert rematch.press(me, key, LATER) == rematch.press(me, key, LATER)


def test_there_is_no_rematch_of_a_match_that_goes_on(me):
    key = lobby.play_now(me, LATER)
    with pytest.raises(ServiceError, match="still goes on"):
        rematch.press(me, key, LATER)


def test_my_tables_are_mine_in_their_states_latest_first(me):
    other = guest()
    lobby.play_now(other, LATER)
    first, second = lobby.play_now(me, LATER), lobby.play_now(me, LATER)
    play.give_up(me, first)
    assert [t.key for t in lobby.my_tables(me, [PLAYING], 10)] == [second]
    assert [t.key for t in lobby.my_tables(me, [FINISHED, GIVEN_UP], 10)] == [first]
    assert len(lobby.my_tables(me, [PLAYING, GIVEN_UP], 1)) == 1
    assert lobby.my_tables(guest(), [PLAYING], 10) == []


def test_a_table_that_waits_for_me_is_not_hidden_by_those_that_i_have_left(me):
    awaited = lobby.play_now(me, LATER)
    for _ in range(2):
        key = waiting.create(me, TableSettings(seats=2))
        seating.join(guest(), key)
        waiting.start(me, key, LATER)
        absence.leave(me, key, LATER)
    assert [table.key for table in lobby.my_tables(me, [PLAYING], 1)] == [awaited]


def test_play_now_leads_back_to_the_match_in_which_one_has_done_nothing_yet(me):
    first = lobby.play_now(me, 0, reuse=True)
    play.run_due(first, 0)
    assert lobby.play_now(me, 0, reuse=True) == first
    other = guest()
    assert lobby.play_now(other, 0, reuse=True) != first
    # Another choice of bots, cards, points or help is another match.
    chosen = lobby.start_practice(me, ["easy", "steady"], bot_delay_ms=LATER)
    assert lobby.play_now(me, 0, reuse=True) == first
    play.skip_to_person(me, first, 0)
    play.submit(me, first, stored(first).version, next_action(me, first), LATER)
    second = lobby.play_now(me, LATER, reuse=True)
    assert second not in (first, chosen)
    assert lobby.play_now(me, LATER, reuse=True) == second
    play.give_up(me, second)
    assert lobby.play_now(me, LATER, reuse=True) != second


def test_of_sixteen_presses_at_once_one_match_begins(app: Flask, me):
    keys = at_once(app, 16, lambda: lobby.play_now(me, LATER, reuse=True))
    assert len(set(keys)) == 1


def test_a_match_that_is_put_away_is_given_up_or_gone_if_one_has_done_nothing_in_it(me):
    untouched = lobby.play_now(me, LATER)
    played = lobby.start_practice(me, ["easy"], first=1, bot_delay_ms=LATER)
    play.submit(me, played, 0, next_action(me, played), LATER)
    for _ in range(2):
        play.put_away(me, played)
    play.put_away(me, untouched)
    assert [(table.key, table.status) for table in lobby.my_tables(me, [PLAYING, GIVEN_UP], 9)] == [
        (played, GIVEN_UP)
    ]
    with pytest.raises(NoSuchTableError):
        table_for(me, untouched)


def test_only_ones_own_match_against_bots_can_be_put_away(me):
    key = lobby.play_now(me, LATER)
    shared = match_of(2)
    for person, table, error in (
        (guest(), key, NoSuchTableError),
        (shared.people[0], shared.key, TableClosedError),
        (guest(), shared.key, NoSuchTableError),
    ):
        with pytest.raises(error):
            play.put_away(person, table)
    assert stored(key).status == stored(shared.key).status == PLAYING
