import pytest
from flask import Flask

from raisesum.services import lobby, play
from raisesum.services.open_tables import MOST_OPEN, TooManyTablesError
from tests.services.concurrency import at_once
from tests.services.tables import guest


def test_twenty_open_tables_are_the_most_and_one_given_up_makes_room(app: Flask) -> None:
    with app.app_context():
        user_id = guest()
        keys = [lobby.play_now(user_id, 0) for _ in range(MOST_OPEN)]
        with pytest.raises(TooManyTablesError, match="20 tables"):
            lobby.play_now(user_id, 0)
        play.give_up(user_id, keys[0])
        lobby.play_now(user_id, 0)


def test_two_at_once_do_not_both_find_the_last_place(app: Flask) -> None:
    with app.app_context():
        user_id = guest()
        for _ in range(MOST_OPEN - 1):
            lobby.play_now(user_id, 0)

    def is_seated() -> bool:
        try:
            lobby.play_now(user_id, 0)
        except TooManyTablesError:
            return False
        return True

    assert sum(at_once(app, 8, is_seated)) == 1
