"""How bots move at tables: outside any transaction, and without ever having no answer."""

import logging
from dataclasses import replace

import pytest

from raisesum.bots import LEVELS, Decision, steady
from raisesum.engine import Play, parse_cards
from raisesum.extensions import db
from raisesum.services import lobby, play
from tests.services.tables import guest, log_rows

pytestmark = pytest.mark.usefixtures("app_context")


@pytest.fixture
def thinks(monkeypatch):
    """Let the bot called `steady` decide as a function of the test says."""

    def put(decide):
        monkeypatch.setitem(LEVELS, "steady", replace(LEVELS["steady"], decide=decide))

    return put


def table_of_a_bot() -> str:
    """A table at which a bot has the first turn, at once."""
    return lobby.start_practice(guest(), ["steady"], goal=1, first=2, bot_delay_ms=0)


def test_no_transaction_is_open_while_a_bot_thinks(thinks):
    open_ones = []

    def decide(view, rng):
        open_ones.append(db.session().in_transaction())
        return steady.decide(view, rng)

    thinks(decide)
    play.run_due(table_of_a_bot(), 0)
    assert open_ones
    assert not any(open_ones)


def test_a_bot_without_a_legal_answer_is_helped_and_the_operator_told(thinks, caplog):
    thinks(lambda view, rng: Decision(Play(parse_cards("+20 +20"))))
    key = table_of_a_bot()
    with caplog.at_level(logging.WARNING):
        play.run_due(key, 0)
    assert [row.seat for row in log_rows(key)][:2] == [None, 2]
    assert "the bot steady had no answer" in caplog.text
