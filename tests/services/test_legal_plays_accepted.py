"""The plays that are listed are those that a table takes: for rows of the pinned counts.

`tests/engine/test_legal_play_counts.py` holds the numbers, and the engine to them; here every
different play of a hand is sent to a real table.
"""

import pytest
from sqlalchemy import update

from raisesum.engine import IllegalActionError, Play, dump_state, parse_cards
from raisesum.models import Action, Game
from raisesum.services import lobby, play
from raisesum.services.transactions import write_transaction
from tests.engine.test_legal_play_counts import ROWS, at_the_table, beyond, different_plays
from tests.services.tables import guest, stored

pytestmark = pytest.mark.usefixtures("app_context")

#: Each write waits for the disk, so of the rows with many plays only some are sent.
MOST_ACCEPTED = 40
SAMPLE = [row for row in ROWS if row.values[3] <= MOST_ACCEPTED]


class Bench:
    """A table whose position can be laid out again and again."""

    def __init__(self) -> None:
        self.me = guest()
        self.key = lobby.start_practice(self.me, ["easy"], first=1, bot_delay_ms=60_000)
        self.version = stored(self.key).version

    def lay_out(self, hand: str, challenge: str, target: int | None) -> None:
        game = stored(self.key)
        state = dump_state(at_the_table(hand, challenge, target))
        with write_transaction() as session:
            session.execute(update(Game).values(state=state, version=self.version))
            session.query(Action).filter(
                Action.game_id == game.id, Action.number > self.version
            ).delete()

    def takes(self, names: tuple[str, ...]) -> bool:
        cards = Play(parse_cards(" ".join(names)))
        try:
            play.submit(self.me, self.key, self.version, cards, 60_000)
        except IllegalActionError:
            assert stored(self.key).version == self.version
            return False
        assert stored(self.key).version == self.version + 1
        return True


def test_the_sample_has_many_rows_of_all_kinds():
    assert len(SAMPLE) >= 25
    assert {row.values[3] == 0 for row in SAMPLE} == {True, False}
    assert any(row.values[1] for row in SAMPLE)


@pytest.mark.parametrize(("hand", "challenge", "target", "count"), SAMPLE)
def test_a_table_takes_the_legal_plays_and_refuses_all_others(hand, challenge, target, count):
    bench = Bench()
    bench.lay_out(hand, challenge, target)
    accepted = 0
    for names in sorted(different_plays(hand)):
        if bench.takes(names):
            accepted += 1
            bench.lay_out(hand, challenge, target)
    assert accepted == count
    assert not bench.takes(())
    assert not any(bench.takes(tuple(names.split())) for names in beyond(hand))
