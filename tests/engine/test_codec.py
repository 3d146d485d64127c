import json
from dataclasses import replace

import pytest

from raisesum.engine import (
    OFFICIAL_DECKS,
    Dealt,
    Discarded,
    Drew,
    Incoming,
    MatchWon,
    Passed,
    Phase,
    Played,
    PointWon,
    Reshuffled,
    RoundStarted,
    Setup,
    codec,
    dump_events,
    dump_setup,
    dump_state,
    load_events,
    load_setup,
    load_state,
    new_match,
    parse_cards,
    parse_deck,
)
from tests.engine.positions import follow, position

CUSTOM = parse_deck("custom 0*4 +2*10 -3*4 +1*10 x9*1 /9*1")

SETUPS = [
    Setup(2, OFFICIAL_DECKS["addition"]),
    Setup(3, OFFICIAL_DECKS["subtraction"], goal=1, first=3),
    Setup(4, OFFICIAL_DECKS["full"], goal=9, first=1),
    Setup(3, CUSTOM, goal=2, first=2),
]


@pytest.mark.parametrize("setup", SETUPS, ids=lambda setup: setup.deck.name)
def test_a_stored_setup_is_loaded_as_it_was(setup):
    assert load_setup(dump_setup(setup)) == setup


@pytest.mark.parametrize("setup", SETUPS, ids=lambda setup: setup.deck.name)
def test_the_state_of_a_new_match_is_loaded_as_it_was(setup):
    state, events = new_match(setup, seed=2**128 - 1)
    assert load_state(dump_state(state)) == state
    assert load_events(dump_events(events)) == events


STATES = {
    "opening": position("+1 x2", "", "-1 0"),
    "reply": position("+1", "", standing="+4 -2 -2 /3", answered="-1 /2", turn=2, out=(1,)),
    "to discard": follow(position("+1 " * 8 + "+1", "+2"), "pass").state,
    "after a draw": follow(position("+1", "+2"), "play +1").state,
    "over": follow(position("+1", "+2", points=(0, 2), standing="+5"), "pass").state,
    "without a seed": replace(position("+1", "+2"), seed=None),
}


@pytest.mark.parametrize("state", STATES.values(), ids=STATES)
def test_a_stored_state_is_loaded_as_it_was(state):
    assert load_state(dump_state(state)) == state


EVENTS = (
    Dealt(2, parse_cards("+1 x2 -3 /4 0")),
    RoundStarted(1, 2),
    Drew(2, parse_cards("+1 +1")),
    Drew(1, ()),
    Reshuffled(17),
    Played(2, parse_cards("x2 +1"), 2, Incoming(), None),
    Played(1, parse_cards("+9"), 3, Incoming((1, 2), (2,)), 2),
    Passed(2),
    Discarded(2, parse_cards("0")),
    PointWon(1, 1, 3),
    MatchWon(1),
)


@pytest.mark.parametrize("event", EVENTS, ids=repr)
def test_a_stored_event_is_loaded_as_it_was(event):
    assert load_events(dump_events([event])) == (event,)


def test_stored_events_keep_their_order():
    assert load_events(dump_events(EVENTS)) == EVENTS
    assert load_events(dump_events([])) == ()


def test_what_is_stored_today_stays_readable():
    # Written by the first version.  Databases hold such texts: never change them to pass.
    state = load_state(
        '{"schema":1,"setup":{"players":3,"deck":"custom 0*4 +2*10 -3*4 +1*10","goal":2,'
        '"first":null},"seed":"340282366920938463463374607431768211455","shuffles":2,"phase":"discard","round":3,'
        '"turn":2,"hands":["+1 +2","+1 +1 +1 +1 +1 +1 +1 +2","0"],"in":[1,0,1],"points":[0,1,1],'
        '"draw":"+2 -3","discard":"+2 0","standing":[1,"+2 +2 -3",4,[3],[]],"drawn":"+1 +1 +2"}'
    )
    assert state.setup == Setup(3, parse_deck("custom 0*4 +2*10 -3*4 +1*10"), goal=2)
    assert (state.seed, state.shuffles, state.phase) == (2**128 - 1, 2, Phase.DISCARD)
    assert (state.round, state.turn, state.points) == (3, 2, (0, 1, 1))
    assert state.hands == tuple(map(parse_cards, ("+1 +2", "+1 " * 7 + "+2", "0")))
    assert state.is_in == (True, False, True)
    assert (state.draw_pile, state.discard_pile) == (parse_cards("+2 -3"), parse_cards("+2 0"))
    assert (state.standing.seat, state.standing.score) == (1, 4)
    assert state.standing.cards == parse_cards("+2 +2 -3")
    assert state.standing.answered == Incoming((3,), ())
    assert state.drawn == parse_cards("+1 +1 +2")
    assert load_events(
        '[["deal",1,"+1 x2"],["round",2,1],["draw",1,""],["shuffle",9],'
        '["play",1,"+9",3,[1,2],[2],2],["pass",2],["discard",1,"0"],["point",1,2,3],["match",1]]'
    ) == (
        Dealt(1, parse_cards("+1 x2")),
        RoundStarted(2, 1),
        Drew(1, ()),
        Reshuffled(9),
        Played(1, parse_cards("+9"), 3, Incoming((1, 2), (2,)), 2),
        Passed(2),
        Discarded(1, parse_cards("0")),
        PointWon(1, 2, 3),
        MatchWon(1),
    )


def test_a_stored_state_is_compact_plain_text():
    text = dump_state(new_match(Setup(4, OFFICIAL_DECKS["full"]), seed=2**128 - 1).state)
    assert text.isascii()
    assert "\n" not in text
    assert len(text) < 800


def test_a_state_of_a_newer_schema_is_refused():
    data = json.loads(dump_state(position("+1", "+2")))
    data["schema"] = codec.SCHEMA + 1
    with pytest.raises(ValueError, match="newer than this program"):
        load_state(json.dumps(data))


def test_a_state_of_an_older_schema_is_brought_up_step_by_step(monkeypatch):
    state = position("+1", "+2", points=(2, 1))
    data = json.loads(dump_state(state))
    data["schema"] = codec.SCHEMA
    data["score"] = data.pop("points")

    def renamed(old):
        return {**old, "score_of_seats": old.pop("score")}

    def renamed_again(old):
        return {**old, "points": old.pop("score_of_seats")}

    upgrades = {codec.SCHEMA: renamed, codec.SCHEMA + 1: renamed_again}
    monkeypatch.setattr(codec, "_UPGRADES", upgrades)
    monkeypatch.setattr(codec, "SCHEMA", codec.SCHEMA + 2)
    assert load_state(json.dumps(data)) == state


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "1", "null", '"x"', "{}", '{"schema":1}', '{"schema":"1"}', '{"schema":null}',
     '{"schema":0}', '{"schema":-1}', '{"schema":1,"setup":[]}'],
)  # fmt: skip
def test_what_is_no_stored_state_is_a_value_error(text):
    with pytest.raises(ValueError, match=r"."):
        load_state(text)


@pytest.mark.parametrize("field", sorted(json.loads(dump_state(position("+1", "+2")))))
def test_a_stored_state_without_one_of_its_fields_is_a_value_error(field):
    data = json.loads(dump_state(position("+1", "+2")))
    del data[field]
    with pytest.raises(ValueError, match=field):
        load_state(json.dumps(data))


@pytest.mark.parametrize(
    "text", ["", "[]", "1", "{}", '{"players":2}', '{"players":2,"deck":"x","goal":3,"first":null}']
)
def test_what_is_no_stored_setup_is_a_value_error(text):
    with pytest.raises(ValueError, match=r"."):
        load_setup(text)


@pytest.mark.parametrize(
    "text", ["", "1", "[1]", "[[]]", '[["fold",1]]', '[["pass"]]', '[["draw",1]]', '[["play",1]]']
)
def test_what_are_no_stored_events_is_a_value_error(text):
    with pytest.raises(ValueError, match=r"."):
        load_events(text)
