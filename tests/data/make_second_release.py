"""Makes second-release.db: a database as the second release left it, with every kind of row in it.

It has to be run by the code of that time, so that nothing newer has a hand in it:

    git worktree add ../second-release b167829
    cd ../second-release
    python PATH/TO/tests/data/make_second_release.py PATH/TO/second-release.db

The password of "Otter" is "seven quiet otters".
"""

from __future__ import annotations

import sys
import tempfile
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path.cwd()))

from flask_migrate import upgrade
from sqlalchemy import select

from raisesum import create_app
from raisesum.engine import Discard, Pass, Phase, Play
from raisesum.extensions import Base, db
from raisesum.models import Game
from raisesum.services import (
    absence,
    accounts,
    handover,
    lesson,
    lobby,
    play,
    practice,
    reactions,
    rematch,
    seating,
    server_time,
    waiting,
)
from raisesum.services.help import HEAD, Help
from raisesum.services.seats import level_playing
from raisesum.services.table import table_for
from raisesum.services.table_settings import TableSettings
from tests.services.friends import is_away
from tests.services.tables import stored, stored_state


def move(key: str) -> bool:
    """Make one move for whoever is on turn, bots first; False when there is none to make."""
    play.run_due(key, 0)
    game, state = stored(key), stored_state(key)
    if game.status != "playing":
        return False
    seat = game.seats[state.turn - 1]
    assert level_playing(seat) is None
    table = table_for(seat.user_id, key)
    view = table.view
    action = Pass()
    if state.phase is Phase.DISCARD:
        action = Discard(view.hand[: view.to_discard])
    elif view.legal_plays:
        action = Play(view.legal_plays[0].cards)
    play.submit(seat.user_id, key, table.version, action, 0, guess=12)
    return True


def to_the_end(key: str) -> None:
    while move(key):
        pass


def guest(name: str) -> int:
    """A guest who calls themselves `name`."""
    user_id = accounts.create_guest().user_id
    accounts.set_shown_name(user_id, name)
    return user_id


def alone(otter: int, mira: int) -> None:
    """Matches against bots: in play, in one's head, won, given up."""
    practised = lobby.start_practice(otter, ("easy", "master"), goal=9, bot_delay_ms=0)
    in_head = lobby.start_practice(
        mira, ("gentle",), deck="addition", goal=9, help_=Help(HEAD), bot_delay_ms=0
    )
    for key in (practised, in_head):
        for _ in range(9):
            move(key)
    to_the_end(lobby.start_practice(otter, ("sharp",), goal=1, bot_delay_ms=0))
    play.give_up(mira, lobby.play_now(mira, 0))


def in_play(host: int, settings: TableSettings, *others: int) -> str:
    """The key of a match of these people that has just begun."""
    key = waiting.create(host, replace(settings, goal=9))
    for user_id in others:
        seating.join(user_id, key)
    waiting.start(host, key, 0)
    for _ in range(6):
        move(key)
    return key


def together(otter: int, mira: int, joao: int) -> None:
    """Tables of friends: waiting, in play with a stand-in, over with a rematch that waits."""
    plain = TableSettings(seats=3, goal=1, first=1)
    public = waiting.create(otter, replace(plain, is_public=True), ("steady",))
    seating.join(joao, public)
    private = waiting.create(mira, replace(plain, pace_s=120, spectators=True))
    seating.join(otter, private)
    removed = guest("Somebody Else")
    seating.join(removed, private)
    seating.remove(mira, private, 3, stored(private).revision)

    without_joao, without_otter = (in_play(mira, plain, otter, joao) for _ in range(2))
    absence.leave(joao, without_joao, 0)
    for _ in range(6):
        move(without_joao)
    reactions.say(otter, without_joao, "well")
    reactions.set_muted(mira, without_joao, 2, True)
    is_away(without_otter, otter)
    absence.agree(mira, without_otter, 2, 0)

    over = waiting.create(otter, replace(plain, seats=2))
    seating.join(mira, over)
    waiting.start(otter, over, 0)
    to_the_end(over)
    rematch.press(otter, over, 0)


def main(target: Path) -> None:
    """Fill a new database and copy it to `target`."""
    with tempfile.TemporaryDirectory() as folder:
        app = create_app({"INSTANCE_PATH": folder, "BOT_DELAY_MS": 0})
        with app.app_context():
            upgrade()
            server_time.beat()
            otter = accounts.register("Otter", "Zoë", "seven quiet otters").user_id
            mira, joao = guest("Mira"), guest("João")
            alone(otter, mira)
            together(otter, mira, joao)
            handover.begin(mira)
            lesson.remember_done(mira, lesson.STEPS[0])
            practice.answer(mira, practice.begin(mira, "full"), 1, 7)
            print("tables:", db.session.scalars(select(Game.status).order_by(Game.id)).all())
            for table in Base.metadata.sorted_tables:
                print(table.name, len(db.session.execute(select(table)).all()))
            db.session.remove()
            target.unlink(missing_ok=True)
            driver = db.engine.raw_connection().driver_connection
            driver.execute("VACUUM INTO ?", (str(target),))


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
