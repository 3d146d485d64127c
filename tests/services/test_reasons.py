"""Why bots did what they did: kept beside each action, told when the match is over."""

import logging
from dataclasses import replace

import pytest
from sqlalchemy import update

from raisesum.bots import LEVELS, Decision, Reason, parse_reason, steady
from raisesum.engine import Play, parse_cards
from raisesum.models import Action
from raisesum.services import absence, history, lobby, play, reasons
from raisesum.services.errors import MatchGoesOnError, NoSuchTableError, NoWinnerError
from raisesum.services.personal_data import personal_data
from raisesum.services.table import table_for
from raisesum.services.transactions import write_transaction
from tests.services.friends import match_of, play_to_the_end
from tests.services.tables import guest, log_rows, move, stored

pytestmark = pytest.mark.usefixtures("app_context")


@pytest.fixture
def me() -> int:
    return guest()


@pytest.fixture
def reasoned(monkeypatch):
    """Let the bot called `easy` answer as `steady` does, with a reason of the test's."""

    def put(reason):
        def decide(view, rng):
            return Decision(steady.choose(view, rng), reason)

        monkeypatch.setitem(LEVELS, "easy", replace(LEVELS["easy"], decide=decide))

    return put


def finished(me: int, levels=("easy",)) -> str:
    key = lobby.start_practice(me, levels, goal=1, bot_delay_ms=0)
    while move(me, key):
        pass
    return key


def write_instead(key: str, text: str | None) -> None:
    """Put another text in the place of every reason of the match."""
    with write_transaction() as session:
        session.execute(
            update(Action)
            .where(Action.game_id == stored(key).id, Action.reason.is_not(None))
            .values(reason=text)
        )


@pytest.mark.parametrize("level", LEVELS)
def test_each_action_of_a_bot_is_stored_with_its_reason_and_a_persons_without(me, level):
    key = lobby.start_practice(me, [level], goal=3, first=2, bot_delay_ms=0)
    moved = 0
    while moved < 4 and move(me, key):
        moved += 1
    rows = log_rows(key)
    assert {row.seat for row in rows} == {None, 1, 2}
    for row in rows:
        assert (row.reason is None) == (row.seat != 2)
        if row.reason is not None:
            reason = parse_reason(row.reason)
            assert reason.text == row.reason
            assert reasons.told(row.reason)


def test_what_a_stand_in_does_is_stored_with_its_reason():
    key, people = match_of(2, goal=1)
    absence.leave(people[0], key, 0)
    play_to_the_end(key, people[1:])
    rows = log_rows(key)[1:]
    assert {row.seat for row in rows if row.reason is not None} == {1}
    assert all(row.reason is None for row in rows if row.seat == 2)
    found = reasons.reasons_for(None, key)
    (stand_in,) = found.reasoners
    assert (stand_in.seat, stand_in.is_stand_in, stand_in.level) == (1, True, "Steady")


def test_a_pass_because_time_ran_out_has_no_reason(monkeypatch):
    key, _people = match_of(2, pace_s=30)
    at = stored(key).due_at + 60_000
    monkeypatch.setattr(play.server_time, "now_ms", lambda: at)
    monkeypatch.setattr(play.pace, "judge_overdue", lambda *_: play.pace.Overdue.MOVE_ON)
    play.run_due(key, 0)
    rows = log_rows(key)[1:]
    assert rows
    assert all(row.reason is None for row in rows)


def test_where_steady_had_to_choose_the_reason_says_so(me, monkeypatch, caplog):
    wrong = replace(LEVELS["easy"], decide=lambda view, rng: Play(parse_cards("+20 +20")))
    monkeypatch.setitem(LEVELS, "easy", wrong)
    with caplog.at_level(logging.WARNING):
        key = finished(me)
    assert "cheapest" not in caplog.text
    found = reasons.reasons_for(me, key)
    assert found.sentences
    assert all("Steady chose for it" in told for told in found.sentences.values())


def test_the_reasons_of_a_match_are_told_once_it_is_over_and_not_before(me):
    key = lobby.start_practice(me, ["steady"], goal=1, first=2, bot_delay_ms=0)
    going_on = True
    while going_on:
        if stored(key).winner is None:
            with pytest.raises(MatchGoesOnError):
                reasons.reasons_for(me, key)
            with pytest.raises(NoSuchTableError):
                reasons.reasons_for(None, key)
            assert not table_for(me, key).has_reasons
            (table,) = personal_data(me, None)["tables"]
            assert all("why" not in each for each in table["moves"])
        going_on = move(me, key)
    found = reasons.reasons_for(None, key)
    assert list(found.sentences) == [row.number for row in log_rows(key) if row.seat == 2]
    assert "This was the lowest play it could make." in found.sentences.values()
    (bot,) = found.reasoners
    assert (bot.seat, bot.name, bot.policy) == (2, "Steady", LEVELS["steady"].policy)
    assert not bot.is_stand_in
    assert table_for(me, key).has_reasons
    (table,) = personal_data(me, None)["tables"]
    assert [each["number"] for each in table["moves"] if each["why"]] == list(found.sentences)


def test_a_match_that_was_given_up_never_tells(me):
    key = lobby.start_practice(me, ["steady"], first=2, bot_delay_ms=0)
    move(me, key)
    play.give_up(me, key)
    with pytest.raises(NoWinnerError):
        reasons.reasons_for(me, key)
    assert not table_for(me, key).has_reasons
    (table,) = personal_data(me, None)["tables"]
    assert all("why" not in each for each in table["moves"])


def test_the_record_of_a_match_holds_no_reasons(me):
    key = finished(me)
    before = history.record_of(key)
    write_instead(key, Reason("save", {"chance": 0.123}).text)
    assert history.record_of(key) == before


@pytest.mark.parametrize(
    "text", ["", "{}", "no reason", '{"why":"luck"}', '{"why":"save","chance":"good"}']
)
def test_what_no_bot_would_give_as_its_reason_is_left_out(me, text):
    key = finished(me)
    write_instead(key, text)
    assert reasons.reasons_for(me, key) == reasons.NO_REASONS


def test_a_match_from_before_reasons_were_kept_has_none(me):
    key = finished(me)
    write_instead(key, None)
    assert reasons.reasons_for(me, key) == reasons.NO_REASONS
    assert not table_for(me, key).has_reasons


def test_bots_that_keep_no_reason_are_not_asked(me, reasoned):
    reasoned(None)
    key = finished(me)
    assert not table_for(me, key).has_reasons
    assert reasons.reasons_for(me, key) == reasons.NO_REASONS
