from dataclasses import replace

import pytest
from flask import Flask
from sqlalchemy import event, update

from raisesum.engine import (
    Discard,
    IllegalActionError,
    Pass,
    Phase,
    Play,
    dump_state,
    parse_cards,
)
from raisesum.extensions import db
from raisesum.models import Game
from raisesum.services import lobby, play, rematch, server_time
from raisesum.services.errors import NoSuchTableError, StaleMoveError, TableClosedError
from raisesum.services.table import FINISHED, GIVEN_UP, PLAYING, table_for
from raisesum.services.transactions import write_transaction
from tests.services.concurrency import at_once
from tests.services.tables import guest, log_rows, move, next_action, replayed, stored, stored_state

pytestmark = pytest.mark.usefixtures("app_context")

LATER = 60_000
"""A pause of the bots long enough that nothing is due within a test."""


@pytest.fixture
def me() -> int:
    return guest()


@pytest.fixture
def key(me: int) -> str:
    """A table at which `me` has the first turn, against one bot that takes its time."""
    return lobby.start_practice(me, ["steady"], goal=1, first=1, bot_delay_ms=LATER)


def put(key: str, **changes: object) -> None:
    """Replace parts of the stored state of a table."""
    state = replace(stored_state(key), **changes)
    with write_transaction() as session:
        session.execute(update(Game).where(Game.key == key).values(state=dump_state(state)))


def test_a_move_changes_state_log_and_version_together(me, key):
    action = next_action(me, key)
    play.submit(me, key, 0, action, LATER)
    game = stored(key)
    assert (game.version, game.revision) == (1, 1)
    assert [(row.number, row.seat, row.action) for row in log_rows(key)] == [
        (0, None, ""),
        (1, 1, action.text),
    ]
    assert replayed(key) == stored_state(key)


def test_an_illegal_move_says_why_and_changes_nothing(me, key):
    before = stored(key).state
    with pytest.raises(IllegalActionError, match=r"^You hold no \+20\.$"):
        play.submit(me, key, 0, Play(parse_cards("+20")), LATER)
    game = stored(key)
    assert (game.state, game.version, game.revision) == (before, 0, 0)
    assert len(log_rows(key)) == 1


@pytest.mark.parametrize("version", [-1, 1, 2**31])
def test_a_move_from_another_version_is_stale_and_changes_nothing(me, key, version):
    before = stored(key).state
    with pytest.raises(StaleMoveError):
        play.submit(me, key, version, Pass(), LATER)
    assert stored(key).state == before


def test_the_same_move_sent_twice_counts_once_and_succeeds_twice(me, key):
    action = next_action(me, key)
    play.submit(me, key, 0, action, LATER)
    once = stored(key).state
    play.submit(me, key, 0, action, LATER)
    assert stored(key).state == once
    assert len(log_rows(key)) == 2


def test_the_same_move_is_still_a_success_when_the_bots_have_answered(me, key):
    action = next_action(me, key)
    play.submit(me, key, 0, action, LATER)
    play.skip_to_person(me, key, LATER)
    rows = len(log_rows(key))
    play.submit(me, key, 0, action, LATER)
    assert len(log_rows(key)) == rows


def test_another_move_from_the_version_of_an_accepted_one_is_stale(me, key):
    play.submit(me, key, 0, next_action(me, key), LATER)
    with pytest.raises(StaleMoveError):
        play.submit(me, key, 0, Pass(), LATER)


def test_a_move_out_of_turn_is_refused(me, key):
    play.submit(me, key, 0, next_action(me, key), LATER)
    version = stored(key).version
    if stored_state(key).phase is Phase.DISCARD:
        play.submit(me, key, version, next_action(me, key), LATER)
        version += 1
    with pytest.raises(IllegalActionError, match="not your turn"):
        play.submit(me, key, version, Pass(), LATER)


def test_a_table_is_unknown_to_everyone_who_does_not_sit_there(me, key):
    stranger = guest()
    for ask in (
        lambda: table_for(stranger, key),
        lambda: play.submit(stranger, key, 0, Pass(), LATER),
        lambda: play.preview(stranger, key, ()),
        lambda: play.give_up(stranger, key),
        lambda: play.skip_to_person(stranger, key, LATER),
        lambda: rematch.press(stranger, key, LATER),
        lambda: table_for(me, "no-such-key"),
    ):
        with pytest.raises(NoSuchTableError):
            ask()


def test_a_preview_is_the_receipt_that_the_move_would_have(me, key):
    put(key, hands=(parse_cards("+4 +3 x2"), ()))
    found = play.preview(me, key, parse_cards("+4 x2"))
    assert (found.receipt.score, found.target, found.refusal) == (8, None, None)
    found = play.preview(me, key, parse_cards("+9"))
    assert found.refusal is not None
    assert found.refusal.reason == "not in hand"


def test_a_bot_moves_when_its_time_has_come_and_not_before(me, key, monkeypatch):
    play.submit(me, key, 0, Pass(), LATER)
    if stored_state(key).phase is Phase.DISCARD:
        play.submit(me, key, 1, next_action(me, key), LATER)
    assert stored_state(key).phase is Phase.OVER  # goal 1, two seats: the bot has the point


def test_bots_wait_for_the_time_the_game_row_names(me, monkeypatch):
    key = lobby.start_practice(me, ["steady"], first=2, bot_delay_ms=1000)
    due = stored(key).due_at
    monkeypatch.setattr(server_time, "now_ms", lambda: due - 1)
    play.run_due(key, 1000)
    assert stored(key).version == 0
    monkeypatch.setattr(server_time, "now_ms", lambda: due)
    play.run_due(key, 1000)
    game = stored(key)
    assert game.version >= 1
    assert game.due_at is None or game.due_at > due


def test_a_bots_discard_comes_with_its_play(me):
    key = lobby.start_practice(me, ["easy"], first=2, bot_delay_ms=0)
    put(key, hands=((), parse_cards("+1 +1 +1 +1 +1 +1 +1 +1 +1 +1 +1 +1 +1")))
    play.run_due(key, 1000)
    assert stored_state(key).phase is Phase.MOVE
    assert [row.seat for row in log_rows(key)] == [None, 2, 2]


def test_a_look_waits_for_no_bot_that_thinks_elsewhere(me):
    key = lobby.start_practice(me, ["steady"], first=2, bot_delay_ms=0)
    with play._ONE_THINKS:
        play.run_due(key, LATER)
        assert stored(key).version == 0
    play.run_due(key, LATER)
    assert stored(key).version >= 1


def test_the_next_bot_thinks_although_one_has_failed(me, monkeypatch):
    key = lobby.start_practice(me, ["steady"], first=2, bot_delay_ms=0)

    def fails(*_):
        raise MemoryError

    with monkeypatch.context() as patched:
        patched.setattr(play, "ask", fails)
        with pytest.raises(MemoryError):
            play.run_due(key, LATER)
    play.run_due(key, LATER)
    assert stored(key).version >= 1


def test_two_that_ask_at_once_move_a_bot_once(app: Flask, me):
    key = lobby.start_practice(me, ["steady"], first=2, bot_delay_ms=0)
    at_once(app, 8, lambda: play.run_due(key, LATER))
    rows = log_rows(key)
    assert [row.number for row in rows] == list(range(len(rows)))
    assert replayed(key) == stored_state(key)


def test_sixteen_equal_moves_at_once_are_made_once(app: Flask, me, key):
    action = next_action(me, key)
    at_once(app, 16, lambda: play.submit(me, key, 0, action, LATER))
    assert stored(key).version == 1


def test_whole_matches_end_and_their_logs_replay(me):
    for levels in (["easy"], ["steady", "easy"], ["easy"] * 3):
        for deck in lobby.DECKS:
            key = lobby.start_practice(me, levels, deck=deck, goal=1, bot_delay_ms=0)
            while move(me, key):
                pass
            game = stored(key)
            assert game.status == FINISHED
            assert game.winner == stored_state(key).winner
            assert game.due_at is None
            assert replayed(key) == stored_state(key)


def test_giving_up_ends_a_match_without_a_winner_and_twice_is_harmless(me, key):
    play.give_up(me, key)
    revision = stored(key).revision
    play.give_up(me, key)
    game = stored(key)
    assert (game.status, game.winner, game.due_at) == (GIVEN_UP, None, None)
    assert game.revision == revision
    with pytest.raises(TableClosedError):
        play.submit(me, key, game.version, Pass(), LATER)


def test_giving_up_a_finished_match_leaves_its_winner(me, key):
    while move(me, key):
        pass
    play.give_up(me, key)
    assert stored(key).status == FINISHED


def test_a_fault_at_any_database_call_leaves_no_half_move(app: Flask, me, key):
    """The Nth statement fails, for every N until the move needs fewer."""
    action = next_action(me, key)
    before = (stored(key).state, len(log_rows(key)))
    failing = 0
    while True:
        failing += 1
        calls = 0

        def fail(*_: object, limit: int = failing) -> None:
            nonlocal calls
            calls += 1
            if calls == limit:
                raise OSError("the disk went away")

        event.listen(db.engine, "before_cursor_execute", fail)
        try:
            play.submit(me, key, 0, action, LATER)
            break
        except OSError:
            pass
        finally:
            event.remove(db.engine, "before_cursor_execute", fail)
        assert (stored(key).state, len(log_rows(key))) == before
        assert stored(key).version == 0
    assert failing > 4, "the move was made before anything could fail"
    assert stored(key).version == 1
    assert replayed(key) == stored_state(key)


def test_a_fault_at_the_commit_leaves_no_half_move(me, key):
    def fail(*_: object) -> None:
        raise OSError("the disk went away")

    event.listen(db.engine, "commit", fail)
    try:
        with pytest.raises(OSError, match="disk"):
            play.submit(me, key, 0, next_action(me, key), LATER)
    finally:
        event.remove(db.engine, "commit", fail)
    assert (stored(key).version, len(log_rows(key))) == (0, 1)


def test_skipping_stops_at_the_persons_turn(me):
    key = lobby.start_practice(me, ["steady"] * 3, first=2, bot_delay_ms=LATER)
    play.skip_to_person(me, key, LATER)
    table = table_for(me, key)
    assert table.view.is_my_turn or not table.is_playing
    assert stored(key).status in (PLAYING, FINISHED)


def test_skipping_changes_nothing_on_ones_own_turn(me, key):
    play.skip_to_person(me, key, LATER)
    assert stored(key).version == 0


def test_discards_are_moves_like_any_other(me, key):
    put(key, hands=(parse_cards("+1 +1 +1 +1 +2 +2 +2 +2 +3"), ()))
    play.submit(me, key, 0, Play(parse_cards("+3")), LATER)
    assert table_for(me, key).view.to_discard == 1
    play.submit(me, key, 1, Discard(parse_cards("+1")), LATER)
    assert stored_state(key).turn == 2
