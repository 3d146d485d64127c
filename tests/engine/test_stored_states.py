"""States as earlier versions stored them: each must always load, and go on as it went on then.

A file of `tests/data/states` holds a stored setup and state, the actions that followed, each with
the events stored for it, and the state after them. Add files when what is stored changes; never
change one.
"""

import json
from pathlib import Path

import pytest

from raisesum.engine import (
    Phase,
    apply,
    dump_state,
    load_events,
    load_setup,
    load_state,
    parse_action,
    view_for,
)

FILES = sorted((Path(__file__).parent.parent / "data" / "states").glob("*.json"))
NAMES = [
    "a-later-round",
    "answering-a-challenge",
    "choosing-a-discard",
    "few-cards-left",
    "just-shuffled",
    "opening-turn",
    "over",
]


def stored(path):
    return json.loads(path.read_text("utf-8"))


def test_all_files_are_there():
    assert {path.stem for path in FILES} >= set(NAMES)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_stored_state_goes_on_as_it_did_when_it_was_stored(path):
    data = stored(path)
    state = load_state(json.dumps(data["state"]))
    assert state.setup == load_setup(json.dumps(data["setup"]))
    for text, events in data["then"]:
        step = apply(state, state.turn, parse_action(text))
        assert step.events == load_events(json.dumps(events))
        state = step.state
    assert state == load_state(json.dumps(data["end"]))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_stored_state_can_be_stored_again_and_looked_at(path):
    state = load_state(json.dumps(stored(path)["state"]))
    assert load_state(dump_state(state)) == state
    for seat in (None, *range(1, state.setup.players + 1)):
        view = view_for(state, seat)
        assert view.can_move == (state.phase is Phase.MOVE and seat == state.turn)


def test_a_state_of_a_newer_program_is_refused_and_not_guessed_at():
    data = stored(FILES[0])["state"]
    data["schema"] += 1
    with pytest.raises(ValueError, match="newer"):
        load_state(json.dumps(data))
