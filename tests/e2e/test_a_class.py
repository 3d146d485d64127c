"""A class behind one address: thirty browsers find ten tables by code, and nobody is refused."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.clients import Client
from tests.servers import serving
from tests.web.friends import CHOICES, code_on

TABLES = 10
PUPILS = 30


def code_of_a_new_table(url: str) -> str:
    """Set a table with four seats as a guest; returns the six letters."""
    host = Client(url)
    form = host.get("/tables/friends")
    fields = {**CHOICES, "seats": "4", "csrf_token": form.value_of("csrf_token")}
    room = host.post("/tables/friends", list(fields.items()))
    return code_on(room.text)


def sit_down(url: str, code: str, wrong: str | None) -> list[int]:
    """Come to the table with `code`, after a wrong one perhaps; returns what was answered."""
    pupil = Client(url)
    page = pupil.get("/")
    statuses = []
    for typed in [wrong, code] if wrong else [code]:
        page = pupil.post("/join", [("csrf_token", page.value_of("csrf_token")), ("code", typed)])
        statuses.append(page.status)
    sits_down = re.search('<form class="[^"]*join" method="post" action="([^"]+)"', page.text)
    assert sits_down, page.text
    room = pupil.post(sits_down[1], [("csrf_token", page.value_of("csrf_token"))])
    assert "Leave this table" in room.text, room.text
    return [*statuses, room.status]


def test_a_class_behind_one_address_finds_its_tables_and_nobody_is_refused(tmp_path: Path) -> None:
    # With the limits that a server has which nobody has changed.
    with serving(tmp_path, RAISESUM_GUESTS_PER_HOUR="") as server, ThreadPoolExecutor(6) as pool:
        codes = list(pool.map(code_of_a_new_table, [server.url] * TABLES))
        wrong = "BBB BBB" if "BBB BBB" not in codes else "CCC CCC"
        answers = list(
            pool.map(
                sit_down,
                [server.url] * PUPILS,
                [codes[number % TABLES] for number in range(PUPILS)],
                [wrong if number < TABLES else None for number in range(PUPILS)],
            )
        )
    assert answers == [[422, 200, 200]] * TABLES + [[200, 200]] * (PUPILS - TABLES)
