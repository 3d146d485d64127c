import pytest

from raisesum.engine import OFFICIAL_DECKS, Setup, load_setup
from raisesum.services import absence, lobby, play, rematch
from raisesum.services.errors import ServiceError
from raisesum.services.table import FINISHED, GIVEN_UP, PLAYING, table_for
from tests.services.tables import guest, move, stored, stored_state

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
        absence.leave(me, lobby.play_now(me, LATER), LATER)
    assert [table.key for table in lobby.my_tables(me, [PLAYING], 1)] == [awaited]
