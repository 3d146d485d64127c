"""Several clients at once against the real server with two workers: nothing lost, nothing twice."""

import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from sqlalchemy import select

from raisesum import create_app
from raisesum.engine import apply, load_state, new_match
from raisesum.engine.actions import parse_action
from raisesum.extensions import db
from raisesum.models import Action, Game
from tests.clients import Answer, Client, Fields
from tests.conftest import close, settings
from tests.servers import serving

CLIENTS = 8
MOVES = 40


@dataclass(frozen=True)
class Made:
    """A move that the server said was made."""

    key: str
    version: int
    action: str


def attempts(page: Answer) -> list[Fields]:
    """Return the moves to try from this page, the last of which the rules always allow."""
    shown = [(name, page.value_of(name)) for name in ("csrf_token", "version")]
    if page.has_button("discard"):
        needed = len(page.cards) - 7
        return [[*shown, ("action", "discard"), *(("card", name) for name in page.cards[:needed])]]
    additions = sorted((n for n in page.cards if n.startswith("+")), key=lambda n: -int(n[1:]))
    plays = [additions[:1], additions[:5]]
    return [
        *([*shown, ("action", "play"), *(("card", name) for name in cards)] for cards in plays),
        [*shown, ("action", "pass"), ("confirmed", "1")],
    ]


def move_on(client: Client, path: str, made: list[Made]) -> str:
    """Make one move at the table `path` if it waits for one; return the path to go on with."""
    page = client.get(path)
    assert page.status == 200, page.text[:500]
    if not (page.has_button("play") or page.has_button("discard")):
        if again := re.search(r'href="(/games/[^"]+)">Go to the rematch', page.text):
            return again[1]
        if "/rematch" in page.text:
            token = [("csrf_token", page.value_of("csrf_token"))]
            return urlsplit(client.post(f"{path}/rematch", token).url).path
        return path
    for fields in attempts(page):
        answer = client.post(f"{path}/actions", fields, htmx=True)
        assert answer.status in (200, 409, 422), (answer.status, answer.text[:500])
        if answer.status == 422 and fields[2] != ("action", "pass"):
            continue
        if answer.status == 200:
            words = [fields[2][1], *(value for name, value in fields[3:] if name == "card")]
            version = int(dict(fields)["version"])
            made.append(Made(path.removeprefix("/games/"), version, " ".join(words)))
        break
    return path


def play_many_moves(client: Client, path: str) -> list[Made]:
    made: list[Made] = []
    for _ in range(40 * MOVES):
        if len(made) == MOVES:
            break
        path = move_on(client, path, made)
    return made


def check(instance: Path, made: list[Made]) -> None:
    """Hold the database against what the clients were told."""
    app = create_app(settings(instance))
    with app.app_context():
        logs = {}
        for game in db.session.scalars(select(Game)):
            rows = db.session.scalars(
                select(Action).where(Action.game_id == game.id).order_by(Action.number)
            ).all()
            assert [row.number for row in rows] == list(range(game.version + 1))
            stored = load_state(game.state)
            state = new_match(stored.setup, stored.seed).state
            for row in rows[1:]:
                assert row.seat is not None
                state = apply(state, row.seat, parse_action(row.action)).state
            assert state == stored
            logs[game.key] = {row.number: (row.seat, row.action) for row in rows}
        for move in made:
            assert logs[move.key][move.version + 1] == (1, move.action)
    close(app)


def test_eight_clients_on_eight_matches_lose_no_move(tmp_path: Path) -> None:
    with serving(tmp_path, workers=2) as server:

        def play(_number: int) -> list[Made]:
            client = Client(server.url)
            return play_many_moves(client, urlsplit(client.play_now().url).path)

        with ThreadPoolExecutor(CLIENTS) as threads:
            made = list(threads.map(play, range(CLIENTS)))
        printed = server.printed()
    assert [len(moves) for moves in made] == [MOVES] * CLIENTS
    assert "locked" not in printed
    everything = [move for moves in made for move in moves]
    assert len({(move.key, move.version) for move in everything}) == CLIENTS * MOVES
    check(server.instance, everything)


def test_eight_clients_on_one_match_lose_no_move(tmp_path: Path) -> None:
    """The same person in eight windows: each move told as made is there, once."""
    with serving(tmp_path, workers=2) as server:
        first = Client(server.url)
        path = urlsplit(first.play_now().url).path

        def play(_number: int) -> list[Made]:
            return play_many_moves(Client(server.url, first.jar), path)

        with ThreadPoolExecutor(CLIENTS) as threads:
            made = list(threads.map(play, range(CLIENTS)))
        printed = server.printed()
    assert [len(moves) for moves in made] == [MOVES] * CLIENTS
    assert "locked" not in printed
    check(server.instance, [move for moves in made for move in moves])
