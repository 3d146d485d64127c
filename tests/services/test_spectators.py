from __future__ import annotations

from dataclasses import replace

import pytest

from raisesum.engine.view import CardsTaken
from raisesum.services import lobby, play
from raisesum.services.errors import NoSuchTableError
from raisesum.services.table import pulse, table_for
from tests.services.friends import match_of, play_to_the_end, put
from tests.services.tables import guest, next_action, stored_state

pytestmark = pytest.mark.usefixtures("app_context")


def test_where_the_host_allows_it_whoever_has_the_link_may_watch():
    key, (one, two) = match_of(2, spectators=True, goal=1)
    for watcher in (None, guest()):
        table = table_for(watcher, key)
        assert table.is_spectator
        assert not (table.is_my_turn)
        assert not (table.practice)
        assert not (table.can_skip)
        assert not (table.can_beat)
        assert (table.view.viewer, table.view.hand, table.view.drawn) == (None, (), ())
        assert not any(person.is_you for person in table.people)
        assert not pulse(watcher, key).is_seated
    play_to_the_end(key, [one, two])
    assert table_for(None, key).view.winner


def test_elsewhere_the_table_does_not_exist_for_them():
    for key in (match_of(2).key, lobby.play_now(guest(), 60_000)):
        for watcher in (None, guest()):
            with pytest.raises(NoSuchTableError):
                table_for(watcher, key)
            with pytest.raises(NoSuchTableError):
                pulse(watcher, key)


def test_a_spectator_sees_no_card_that_is_not_on_the_table():
    key, (one, _two) = match_of(2, spectators=True, goal=9)
    play.submit(one, key, 0, next_action(one, key), 0)
    taken = [
        event
        for entry in table_for(None, key).log
        for event in entry.events
        if isinstance(event, CardsTaken)
    ]
    assert taken
    assert all(event.cards == () for event in taken)


def test_two_states_that_differ_in_hidden_cards_look_the_same_to_a_spectator():
    key, _people = match_of(3, spectators=True)
    before = table_for(None, key)
    state = stored_state(key)
    hands, pile = list(map(list, state.hands)), list(state.draw_pile)
    hands[0][0], pile[0] = pile[0], hands[0][0]
    hands[1][0], pile[5] = pile[5], hands[1][0]
    put(
        key,
        hands=tuple(map(tuple, hands)),
        draw_pile=tuple(reversed(pile)),
        seed=state.seed + 1,
        drawn=tuple(hands[state.turn - 1][-3:]),
    )
    assert stored_state(key) != state
    assert replace(table_for(None, key), log=()) == replace(before, log=())
