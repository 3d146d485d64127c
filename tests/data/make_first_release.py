"""Makes first-release.db: a database as the first release left it, with people and matches in it.

It has to be run by the code of that time, so that nothing newer has a hand in it:

    git worktree add ../first-release c9a4bcd
    cd ../first-release && python PATH/TO/tests/data/make_first_release.py PATH/TO/first-release.db

The password of "Otter" is "seven quiet otters"; the guest's sign-in token is printed.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path.cwd()))

from flask_migrate import upgrade
from sqlalchemy import select

from raisesum import create_app
from raisesum.engine import Discard, Pass, Play
from raisesum.extensions import db
from raisesum.models import Game
from raisesum.services import accounts, lobby, play
from raisesum.services.table import table_for


def move(user_id: int, key: str) -> bool:
    """Make one move, and the bots' before it; False when there is none to make."""
    play.skip_to_person(user_id, key, 0)
    table = table_for(user_id, key)
    if table.status != "playing":
        return False
    view = table.view
    if view.to_discard:
        action = Discard(view.hand[: view.to_discard])
    else:
        action = Play(view.legal_plays[0].cards) if view.legal_plays else Pass()
    play.submit(user_id, key, table.version, action, 0)
    return True


def main(target: Path) -> None:
    """Fill a new database and copy it to `target`."""
    with tempfile.TemporaryDirectory() as folder:
        app = create_app({"INSTANCE_PATH": folder, "BOT_DELAY_MS": 0})
        with app.app_context():
            upgrade()
            otter = accounts.register("Otter", "Zoë", "seven quiet otters").user_id
            guest, token, _ = accounts.create_guest()
            print("guest's token:", token)
            for user_id, deck, goal in ((otter, "full", 9), (guest, "addition", 9)):
                key = lobby.start_practice(
                    user_id, ("easy", "steady"), deck=deck, goal=goal, bot_delay_ms=0
                )
                for _ in range(9):
                    move(user_id, key)
            ended = lobby.start_practice(otter, ("easy",), goal=1, bot_delay_ms=0)
            while move(otter, ended):
                pass
            lobby.rematch(otter, ended, 0)
            given_up = lobby.play_now(guest, 0)
            play.give_up(guest, given_up)
            print("matches:", db.session.scalars(select(Game.status).order_by(Game.id)).all())
            db.session.remove()
            target.unlink(missing_ok=True)
            driver = db.engine.raw_connection().driver_connection
            driver.execute("VACUUM INTO ?", (str(target),))


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
