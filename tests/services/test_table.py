import pytest
from sqlalchemy import event

from raisesum.engine.view import CardsTaken
from raisesum.extensions import db
from raisesum.services import lobby, play
from raisesum.services.errors import NoSuchTableError
from raisesum.services.table import LOG_LENGTH, pulse, table_for
from tests.services.tables import guest, move, stored

pytestmark = pytest.mark.usefixtures("app_context")

LATER = 60_000


@pytest.fixture
def me() -> int:
    return guest()


@pytest.fixture
def key(me: int) -> str:
    return lobby.start_practice(me, ["easy", "easy"], goal=9, first=1, bot_delay_ms=0)


def test_the_log_shows_only_the_viewers_own_cards(me, key):
    for _ in range(6):
        move(me, key)
    taken = [
        event for entry in table_for(me, key).log for event in entry.events
        if isinstance(event, CardsTaken)
    ]  # fmt: skip
    assert {event.seat for event in taken} == {1, 2, 3}
    assert all(bool(event.cards) == (event.seat == 1 and event.count > 0) for event in taken)


def test_the_log_keeps_to_the_latest_actions_newest_last(me, key):
    while stored(key).version <= LOG_LENGTH + 5 and move(me, key):
        pass
    numbers = [entry.number for entry in table_for(me, key).log]
    version = stored(key).version
    assert numbers == list(range(version - LOG_LENGTH + 1, version + 1))


def test_the_log_of_a_match_that_has_ended_is_whole(me, key):
    while stored(key).version <= LOG_LENGTH + 5 and move(me, key):
        pass
    play.give_up(me, key)
    numbers = [entry.number for entry in table_for(me, key).log]
    assert numbers == list(range(stored(key).version + 1))


def test_a_table_with_only_bots_besides_oneself_is_practice(me, key):
    assert table_for(me, key).practice


def test_a_poll_is_one_read(me, key):
    statements = []

    def note(_conn, _cursor, statement, *_):
        statements.append(statement)

    db.session.rollback()
    event.listen(db.engine, "before_cursor_execute", note)
    try:
        found = pulse(me, key)
    finally:
        event.remove(db.engine, "before_cursor_execute", note)
    assert (found.revision, found.due_at, found.is_seated) == (0, None, True)
    assert [text.split()[0] for text in statements] in (["SELECT"], ["BEGIN", "SELECT"])


def test_a_poll_of_an_unknown_table_is_no_table(me, key):
    with pytest.raises(NoSuchTableError):
        pulse(guest(), key)


def test_only_a_bots_turn_can_be_skipped(me, key):
    table = table_for(me, key)
    assert table.view.is_my_turn
    assert not table.can_skip
    assert not table.waiting_on_bots
    play.give_up(me, key)
    assert not table_for(me, key).can_beat
