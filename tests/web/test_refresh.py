"""Pages that ask for themselves anew where no script does it."""

from __future__ import annotations

from flask import Flask

from tests.web.browser import Browser
from tests.web.friends import host, invitation_to, joins, match_of_two

REFRESH = 'http-equiv="refresh"'


def asks_again_for(path: str) -> str:
    """What a page says that asks for `path` again without scripts."""
    return f'<noscript><meta {REFRESH} content="10; url={path}"></noscript>'


def test_a_table_asks_again_while_one_waits_and_never_on_ones_own_turn(app: Flask) -> None:
    first, second = match_of_two(app)
    assert REFRESH not in first.page
    assert asks_again_for(second.path) in second.page
    first.send(f"{first.path}/give-up")
    first.act("pass", confirmed="1")
    if "Discard" not in first.look().text:
        assert asks_again_for(first.path) in first.page


def test_a_waiting_room_asks_again_except_where_something_is_typed(app: Flask) -> None:
    table = host(app, seats="3")
    assert asks_again_for(table.path) in table.page
    guest = joins(app, table)
    assert asks_again_for(guest.path) in guest.page
    invited = Browser(app)
    assert REFRESH not in invited.get(invitation_to(app, table)).text
    table.get(f"{table.path}?change=1")
    assert REFRESH not in table.page
    assert '<details class="panel settings" id="settings" open>' in table.page
    # What was wrong with a change stays in sight, too.
    table.send(f"{table.path}/change", goal="none")
    assert REFRESH not in table.page
