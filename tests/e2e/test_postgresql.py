"""The real server on PostgreSQL: a match in a browser, and two servers that share one database."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from threading import Barrier
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser as RealBrowser
from playwright.sync_api import expect

from raisesum import create_app
from raisesum.services import inspection
from tests import postgresql
from tests.clients import Client
from tests.conftest import close, settings
from tests.e2e.conftest import BOT_DELAY_MS
from tests.e2e.tables import play_to_the_end, start
from tests.e2e.test_many_clients import Made, attempts, move_on
from tests.servers import Server, serving

pytestmark = pytest.mark.skipif(postgresql.programs() is None, reason=postgresql.MISSING)

KEY = "one key for all servers of one database"
ROUNDS = 25


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with postgresql.cluster() as cluster:
        yield cluster.create("play")


@pytest.fixture(scope="module")
def two_servers(
    address: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Server, Server]]:
    """Two servers that know of each other only what is in the database."""
    with ExitStack() as stack:
        first, second = (
            stack.enter_context(
                serving(
                    tmp_path_factory.mktemp(name),
                    workers=1,
                    bot_delay_ms=BOT_DELAY_MS,
                    RAISESUM_DATABASE_URL=address,
                    RAISESUM_SECRET_KEY=KEY,
                )
            )
            for name in ("first", "second")
        )
        yield first, second


def check(address: str, folder: Path, made: list[Made]) -> None:
    """See that every match is what its log leads to, and every move is there once."""
    app = create_app({**settings(folder), "DATABASE_URL": address})
    with app.app_context():
        assert not any(inspection.untrue_matches())
    close(app)
    assert len({(move.key, move.version) for move in made}) == len(made)


def test_a_match_is_played_to_its_end_in_a_browser(
    two_servers: tuple[Server, Server], browser: RealBrowser
) -> None:
    page = browser.new_context(base_url=two_servers[0].url).new_page()
    start(page, goal=1)
    play_to_the_end(page)
    expect(page.get_by_text("won").first).to_be_visible()


def test_a_match_goes_on_across_two_servers(
    two_servers: tuple[Server, Server], address: str, tmp_path: Path
) -> None:
    here, there = (Client(server.url) for server in two_servers)
    there = Client(two_servers[1].url, here.jar)
    path = urlsplit(here.play_now().url).path
    made: list[Made] = []
    for turn in range(40 * ROUNDS):
        if len(made) == 20:
            break
        path = move_on((here, there)[turn % 2], path, made)
    assert len(made) == 20
    check(address, tmp_path, made)


def test_of_moves_that_race_through_two_servers_one_is_made(
    two_servers: tuple[Server, Server], address: str, tmp_path: Path
) -> None:
    here = Client(two_servers[0].url)
    there = Client(two_servers[1].url, here.jar)
    path = urlsplit(here.play_now().url).path
    together = Barrier(2)
    made: list[Made] = []

    def send(client: Client, fields: list[tuple[str, str]]) -> int:
        together.wait()
        return client.post(f"{path}/actions", fields, htmx=True).status

    with ThreadPoolExecutor(2) as threads:
        for _ in range(40 * ROUNDS):
            if len(made) >= ROUNDS:
                break
            page = here.get(path)
            if not (page.has_button("play") or page.has_button("discard")):
                path = move_on(here, path, [])
                continue
            # A play and a pass at once: whichever comes first, the other is from the past.
            first, last = attempts(page)[0], attempts(page)[-1]
            statuses = sorted(threads.map(send, (here, there), (first, last)))
            assert statuses in ([200, 409], [200, 422], [200, 200]), statuses
            if statuses == [200, 200]:
                # Only a repeat of one and the same action is told twice that it was made.
                assert first == last
            made.append(Made(path, int(dict(first)["version"]), ""))
    assert len(made) >= ROUNDS
    check(address, tmp_path, made)
