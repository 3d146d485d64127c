"""Replays: who may see what, every step of a match, and records that somebody brings along."""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Callable
from html import unescape
from io import BytesIO
from pathlib import Path
from random import Random
from string import ascii_letters, digits

import pytest
from flask import Flask
from itsdangerous import TimestampSigner
from werkzeug.test import TestResponse

from raisesum import wording
from raisesum.services import history, play
from raisesum.services.history import Replay
from raisesum.services.table import table_for
from tests.engine.records import RIGHT, SHORT, WRONG, with_line
from tests.rows import all_rows
from tests.services import tables
from tests.web.browser import HTMX, Browser
from tests.web.tables import Player, stored_game, stored_state

OPEN = "/records/open"
UNKNOWN = "/games/AAAAAAAAAAAAAAAAAAAAAA"


def person(app: Flask, path: str) -> int:
    """Return who sits in the first seat of the table at `path`."""
    with app.app_context():
        user_id = tables.stored(path.split("/")[-1]).seats[0].user_id
    assert user_id is not None
    return user_id


def play_out(app: Flask, player: Player) -> None:
    """Play the player's match to its end."""
    user_id, key = person(app, player.path), player.path.split("/")[-1]
    with app.app_context():
        while tables.move(user_id, key):
            pass


def give_up(app: Flask, player: Player) -> None:
    user_id, key = person(app, player.path), player.path.split("/")[-1]
    with app.app_context():
        play.give_up(user_id, key)


@pytest.fixture
def player(app: Flask) -> Player:
    """Somebody at a fresh table, to open it, against two bots."""
    player = Player(app)
    player.start(bots="2", level_1="easy", level_2="steady", goal="1")
    return player


@pytest.fixture
def winner(app: Flask, player: Player) -> Player:
    """Somebody whose match is over."""
    play_out(app, player)
    return player


def replay_of(app: Flask, path: str) -> Replay:
    with app.app_context():
        return history.replay_of(history.record_of(path.split("/")[-1]).encode())


# -- Who may see what ----------------------------------------------------------------------


@pytest.mark.parametrize("what", ["replay", "record", "replay?at=1&plays=1", "why"])
def test_a_stranger_learns_nothing_of_a_match_that_goes_on(
    app: Flask, player: Player, browser: Browser, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Form tokens tell the time, which is no secret of the match.
    monkeypatch.setattr(TimestampSigner, "get_timestamp", lambda _self: 1_800_000_000)
    for become in (lambda: None, browser.become_guest):
        become()
        answers = [browser.get(f"{path}/{what}") for path in (player.path, UNKNOWN)]
        assert [answer.status_code for answer in answers] == [404, 404]
        assert answers[0].data == answers[1].data
    give_up(app, player)
    assert browser.get(f"{player.path}/{what}").data == browser.get(f"{UNKNOWN}/{what}").data


@pytest.mark.parametrize("what", ["replay", "record", "why"])
def test_a_player_is_told_that_the_replay_comes_with_the_end(
    app: Flask, player: Player, what: str
) -> None:
    user_id, key = person(app, player.path), player.path.split("/")[-1]
    going_on = True
    while going_on:
        if stored_game(app, player.path).winner is None:
            response = player.get(f"{player.path}/{what}")
            assert response.status_code == 404
            assert "This match is not over yet" in player.text
            assert "card--" not in player.page
            assert f'href="{player.path}"' in player.page
        with app.app_context():
            going_on = tables.move(user_id, key)
    assert player.get(f"{player.path}/{what}").status_code == 200


def test_whoever_gave_up_sees_all_of_the_match_and_nobody_else_does(
    app: Flask, browser: Browser
) -> None:
    player = Player(app)
    player.start(bots="2", level_1="easy", level_2="steady", goal="9")
    user_id, key = person(app, player.path), player.path.split("/")[-1]
    with app.app_context():
        for _ in range(4):
            tables.move(user_id, key)
        assert table_for(user_id, key).is_playing
    give_up(app, player)
    hidden = stored_state(app, player.path).hand(2)
    player.look()
    assert f'href="{player.path}/replay"' in player.page
    player.get("/")
    assert f'href="{player.path}/replay"' in player.page
    assert player.get(f"{player.path}/replay").status_code == 200
    assert f'{player.path}/record"' not in player.page
    assert "Who could have stayed in" in player.text
    last = int(re.findall(r"Step 0 of (\d+)", player.text)[0])
    assert last >= 4
    for at in range(last + 1):
        assert player.get(f"{player.path}/replay?at={at}&plays=1").status_code == 200
    assert "Match given up" in player.text
    shown = re.sub(r"<[^>]*>", "", player.page.split('class="open-hands"')[1])
    assert all(wording.card_label(card) in shown for card in hidden)
    assert player.get(f"{player.path}/replay?at={last + 1}").status_code == 404
    assert player.get(f"{player.path}/record").status_code == 404
    assert "This match was given up" in player.text
    player.get(f"{player.path}/review")
    assert "Back to the table" not in player.text
    for become in (lambda: None, browser.become_guest):
        become()
        for what in ("replay", "record", "review", "why"):
            assert browser.get(f"{player.path}/{what}").status_code == 404


def test_whoever_has_the_link_sees_a_finished_match_and_is_nobody_still(
    app: Flask, winner: Player, browser: Browser
) -> None:
    before = all_rows(app)
    assert browser.get(f"{winner.path}/replay").status_code == 200
    assert browser.get(f"{winner.path}/record").status_code == 200
    assert browser.get(winner.path).status_code in (303, 404)
    assert not browser.is_signed_in()
    assert all_rows(app) == before


def test_the_finished_table_and_home_lead_to_the_replay(winner: Player) -> None:
    winner.look()
    assert f'href="{winner.path}/replay"' in winner.page
    winner.get("/")
    assert f'href="{winner.path}/replay"' in winner.page
    assert winner.get(f"{winner.path}/replay").status_code == 200


def test_neither_a_replay_nor_a_record_is_kept_by_any_cache(winner: Player) -> None:
    for what in ("replay", "record"):
        assert winner.get(f"{winner.path}/{what}").headers["Cache-Control"] == "no-store"


# -- Every step ----------------------------------------------------------------------------


def shown_hands(page: str) -> list[list[str]]:
    """Return the labels of the cards in each open hand."""
    hands = re.findall(r'class="open-hand[ "].*?</div>', page, re.DOTALL)
    return [
        [
            unescape(re.sub("<[^>]*>", "", label))
            for label in re.findall(r'class="card__label">(.*?)</span> <span', hand)
        ]
        for hand in hands
    ]


def test_every_step_shows_all_hands_what_happened_and_the_receipt(
    app: Flask, winner: Player
) -> None:
    replay = replay_of(app, winner.path)
    assert replay.last > 2
    for at in range(replay.last + 1):
        assert winner.get(f"{winner.path}/replay?at={at}").status_code == 200
        position = replay.position(at)
        assert shown_hands(winner.page) == [
            list(map(wording.card_label, hand)) for hand in position.hands
        ]
        assert f"Step {at} of {replay.last}" in winner.text
        names = dict(enumerate(replay.names, 1))
        if at:
            told = wording.sentence(position.events[0], names, None)
            assert str(told) in winner.text.replace(" ,", ",")
        standing = position.view.standing
        if standing is not None and position.seat == standing.seat:
            for chip in wording.chips(standing.receipt):
                assert str(chip) in winner.text


def test_each_turn_says_how_many_different_plays_there_were_and_lists_them(
    app: Flask, winner: Player
) -> None:
    replay = replay_of(app, winner.path)
    counted = 0
    for at in range(replay.last + 1):
        position = replay.position(at)
        winner.get(f"{winner.path}/replay?at={at}")
        many = len(position.plays)
        assert "plays__play" not in winner.page
        if many:
            assert wording.count(many, "different play") in winner.text
        winner.get(f"{winner.path}/replay?at={at}&plays=1")
        assert winner.page.count('<li class="plays__play') == many
        made = winner.page.count("plays__play--made")
        played = many and at < replay.last and replay.position(at + 1).view.standing
        assert made == bool(
            played and replay.position(at + 1).view.standing != position.view.standing
        )
        counted += many
    assert counted


def test_the_list_of_plays_stays_open_from_step_to_step(winner: Player) -> None:
    winner.get(f"{winner.path}/replay?at=1&plays=1")
    forward = re.search(r'id="step-forward"[^>]*href="([^"]*)"', winner.page)
    assert forward
    assert "plays=1" in forward[1]


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("", 200),
        ("?at=0", 200),
        ("?at=x", 400),
        ("?at=", 400),
        ("?at=-1", 400),
        ("?at=1.5", 400),
        ("?at=\u0663", 400),
        ("?at=" + "9" * 5000, 400),
        (f"?at={2**63}", 400),
        ("?at=%00", 400),
        ("?at=99999", 404),
        ("?plays=2&pace=never", 200),
    ],
)
def test_a_step_that_is_none_is_refused(winner: Player, query: str, status: int) -> None:
    assert winner.get(f"{winner.path}/replay{query}").status_code == status


def test_htmx_gets_the_step_alone_with_what_to_say_aloud(winner: Player) -> None:
    response = winner.get(f"{winner.path}/replay?at=1", headers=HTMX)
    assert response.status_code == 200
    assert "<html" not in response.text
    assert '<div id="replay"' in response.text
    assert 'hx-target="#context" hx-swap="textContent">Replay · Round 1 ·' in response.text
    said = re.search(r'hx-target="#announce"[^>]*>([^<]*)<', response.text)
    assert said
    assert said[1].endswith("Step 1 of " + re.findall(r"Step 1 of (\d+)", response.text)[0] + ".")


def test_a_replay_goes_on_by_itself_until_the_end(app: Flask, winner: Player) -> None:
    last = replay_of(app, winner.path).last
    winner.get(f"{winner.path}/replay?at=1&pace=fast")
    assert 'data-seconds="1"' in winner.page
    refresh = re.search(
        r'<noscript><meta http-equiv="refresh" content="1; url=([^"]*)">', winner.page
    )
    assert refresh
    assert unescape(refresh[1]) == f"{winner.path}/replay?at=2&pace=fast"
    winner.get(f"{winner.path}/replay?at={last}&pace=fast")
    assert "data-seconds" not in winner.page
    assert "refresh" not in winner.page


def test_the_link_to_share_is_a_whole_address(winner: Player) -> None:
    winner.get(f"{winner.path}/replay?at=2")
    address = f"http://localhost{winner.path}/replay"
    assert f'href="{address}">{address}</a>' in winner.page


def test_the_record_comes_as_a_file_to_the_byte(app: Flask, winner: Player) -> None:
    response = winner.get(f"{winner.path}/record")
    assert response.data == replay_of(app, winner.path).text.encode()
    assert response.headers["Content-Type"] == "text/plain; charset=utf-8"
    name = re.fullmatch(
        r'attachment; filename="?([^"]*)"?', response.headers["Content-Disposition"]
    )
    assert name
    assert re.fullmatch(r"raise-the-sum-[a-z0-9-]+-easy-steady\.txt", name[1])


# -- A record that is brought along --------------------------------------------------------


class Reader(Browser):
    """Somebody with a record in hand."""

    def paste(self, text: str) -> TestResponse:
        self.get(OPEN)
        return self.send(OPEN, record=text, file="")

    def upload(self, content: bytes, pasted: str = "") -> TestResponse:
        self.get(OPEN)
        fields = {
            "csrf_token": self.token,
            "record": pasted,
            "file": (BytesIO(content), "a record.txt"),
        }
        response = self.client.post(OPEN, data=fields, base_url=self.base_url, buffered=True)
        return self._show(OPEN, response)

    def step(self, at: int, query: str = "") -> TestResponse:
        """Press a button of the replay: the form that is in the page, and the step's address."""
        return self.send(f"{OPEN}?at={at}{query}", packed=self.fields()["packed"])

    @property
    def wrong_line(self) -> int | None:
        """The line that the page says is wrong."""
        found = re.search(r"Line (\d+) is wrong", self.text)
        return int(found[1]) if found else None


@pytest.fixture
def reader(app: Flask) -> Reader:
    return Reader(app)


@pytest.mark.parametrize("path", RIGHT[:12], ids=lambda path: path.stem)
def test_a_right_record_is_shown_pasted_or_uploaded(reader: Reader, path: Path) -> None:
    content = path.read_bytes()
    assert reader.paste(content.decode()).status_code == 200
    assert "Step 0 of" in reader.text
    assert reader.upload(content).status_code == 200
    assert "Step 0 of" in reader.text


@pytest.mark.parametrize("path", WRONG, ids=lambda path: path.stem)
def test_a_wrong_record_is_refused_at_its_line(reader: Reader, path: Path) -> None:
    line = int(path.stem.rpartition("line")[2])
    assert reader.upload(path.read_bytes()).status_code == 422
    assert reader.wrong_line == line
    marked = re.search(r'excerpt__line--wrong">(.*?)</li>', reader.page, re.DOTALL)
    assert marked
    lines = path.read_bytes().splitlines()
    if line <= len(lines):
        text = unescape(re.sub("<[^>]*>", "", marked[1]))
        assert lines[line - 1].decode()[:100] in text or "empty" in text
    else:
        assert "the record ends too soon" in marked[1]


def test_the_whole_match_can_be_walked_and_nothing_of_it_is_stored(
    app: Flask, reader: Reader
) -> None:
    before = all_rows(app)
    reader.paste(SHORT)
    steps = int(re.findall(r"Step 0 of (\d+)", reader.text)[0])
    for at in (*range(steps + 1), 0, steps):
        assert reader.step(at, "&plays=1").status_code == 200
        assert f"Step {at} of {steps}" in reader.text
    assert "North won the match" not in reader.text
    assert "East won the match" in reader.text
    assert all_rows(app) == before
    assert not reader.is_signed_in()


def test_htmx_gets_the_step_of_a_record_that_was_brought_along(reader: Reader) -> None:
    reader.paste(SHORT)
    packed = reader.fields()["packed"]
    response = reader.send(f"{OPEN}?at=1", headers=HTMX, packed=packed)
    assert response.status_code == 200
    assert '<div id="replay"' in response.text
    assert packed not in response.text


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.rstrip("\n"),
        lambda text: text + "\n\n",
        lambda text: text.replace("\n", "\r\n").rstrip() + "\r\n\r\n",
    ],
    ids=["line ends of a browser", "no last line end", "empty lines after it", "all of these"],
)
def test_what_a_browser_does_to_a_pasted_text_is_no_fault_of_the_record(
    reader: Reader, change: Callable[[str], str]
) -> None:
    assert reader.paste(change(SHORT)).status_code == 200
    assert "Step 0 of" in reader.text


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (SHORT.replace("\n", "\r\n").encode(), 1),
        (SHORT.rstrip("\n").encode(), SHORT.count("\n")),
        (SHORT.encode() + b"\n", SHORT.count("\n") + 1),
        (b"\xef\xbb\xbf" + SHORT.encode(), 1),
        (SHORT.encode().replace(b"North", b"N\xffrth"), 2),
        (SHORT.encode().replace(b"North", b"N\x00rth"), 2),
        (SHORT.replace("goal: 1", "goal: \u0661").encode(), 4),
        (bytes(range(256)) * 200, 1),
        (b"\n" * 60_000, 1),
        (b"x" * 60_000, 1),
    ],
    ids=[
        "CRLF", "no last line end", "a line more", "a byte-order mark", "not UTF-8", "NUL",
        "digits that are not ASCII", "every byte", "empty lines", "one line",
    ],
)  # fmt: skip
def test_a_file_is_taken_as_it_is(reader: Reader, content: bytes, line: int) -> None:
    assert reader.upload(content).status_code == 422
    assert reader.wrong_line == line


def test_a_wrong_text_is_kept_in_its_field(reader: Reader) -> None:
    assert reader.paste(with_line(SHORT, 3, "deck: tarot")).status_code == 422
    assert reader.wrong_line == 3
    field = re.search(r"<textarea[^>]*>\n(.*?)</textarea>", reader.page, re.DOTALL)
    assert field
    assert unescape(field[1]) == with_line(SHORT, 3, "deck: tarot")


def test_a_file_counts_before_what_was_pasted(reader: Reader) -> None:
    assert reader.upload(SHORT.encode(), pasted="nothing of the kind").status_code == 200


@pytest.mark.parametrize("text", ["", "\n\n", "\r\n"])
def test_nothing_sent_is_asked_for_again(reader: Reader, text: str) -> None:
    assert reader.paste(text).status_code == 422
    assert "Paste a record, or choose a file" in reader.text


def test_more_than_64_kib_is_refused_with_the_form(reader: Reader) -> None:
    assert reader.upload(b"x" * 70_000).status_code == 413
    assert "up to 64 KiB" in reader.text
    assert 'name="record"' in reader.page


def test_nearly_64_kib_can_be_shown_and_walked(reader: Reader) -> None:
    long = SHORT.replace("North", "N" * 60_000)
    assert reader.upload(long.encode()).status_code == 200
    assert "N" * 41 not in reader.page
    assert reader.step(1).status_code == 200


def test_a_record_that_does_not_fit_into_its_own_page_is_too_large(reader: Reader) -> None:
    chance = Random(1)
    name = "".join(chance.choices(ascii_letters + digits + "+-*/_.,:;!?()[]{}<>=~#$%&@", k=60_000))
    assert reader.upload(SHORT.replace("North", name).encode()).status_code == 413
    assert "up to 64 KiB" in reader.text


@pytest.mark.parametrize(
    "packed",
    [
        "?",
        "AAAA",
        base64.b64encode(zlib.compress(SHORT.encode())[:-6]).decode(),
        base64.b64encode(zlib.compress(b"\n" * 10_000_000)).decode(),
        "é",
    ],
    ids=["not base64", "not packed", "cut off", "too much when unpacked", "not ASCII"],
)
def test_a_packed_record_that_is_none_is_refused(reader: Reader, packed: str) -> None:
    reader.get(OPEN)
    assert reader.send(OPEN, packed=packed).status_code == 400


def test_a_packed_record_is_held_to_the_rules_like_any_other(reader: Reader) -> None:
    reader.get(OPEN)
    wrong = with_line(SHORT, 11, "2 play: +9 = 9").encode()
    packed = base64.b64encode(zlib.compress(wrong)).decode()
    assert reader.send(OPEN, packed=packed).status_code == 422
    assert reader.wrong_line == 11


def test_an_old_page_gives_back_what_was_pasted(reader: Reader) -> None:
    reader.get(OPEN)
    assert reader.send(OPEN, csrf_token="old", record=SHORT).status_code == 400
    assert "too old" in reader.text
    assert "2 deal: +5 x2" in reader.page
    reader.paste(SHORT)
    packed = reader.fields()["packed"]
    assert reader.send(f"{OPEN}?at=1", csrf_token="old", packed=packed).status_code == 400
    assert "2 deal: +5 x2" in reader.page
    answer = reader.send(f"{OPEN}?at=1", headers=HTMX, csrf_token="old", packed=packed)
    assert (answer.status_code, answer.headers["HX-Retarget"]) == (400, "#alert")


def test_names_of_a_record_are_text_and_nothing_else(reader: Reader) -> None:
    assert reader.paste(SHORT.replace("North", "<b>&amp;</b>")).status_code == 200
    assert "<b>&amp;</b>" not in reader.page
    assert "&lt;b&gt;&amp;amp;&lt;/b&gt;" in reader.page


def test_a_record_of_a_match_that_goes_on_cannot_be_continued_by_guessing(
    app: Flask, player: Player, reader: Reader
) -> None:
    """What a player could write down of a running match ends where the hidden cards begin."""
    state = stored_state(app, player.path)
    seen = f"1 deal: {' '.join(card.name for card in state.hands[0][:5])}\n"
    head = SHORT.replace("North | East", "A | B | C").replace("first: 2", "first: 1")
    text = "\n".join(head.split("\n")[:6]) + "\n" + seen
    assert reader.paste(text).status_code == 422
    assert reader.wrong_line == 8


# -- Since you looked ----------------------------------------------------------------------


def since(page: str) -> list[str]:
    """Return the sentences of what happened since the last move."""
    lines = re.findall(r'<li class="since__line">(.*?)</li>', page, re.DOTALL)
    return [" ".join(unescape(re.sub("<[^>]*>", " ", line)).split()) for line in lines]


def logged(page: str) -> list[str]:
    """Return the sentences of the log that are marked as new, oldest first."""
    lines = re.findall(
        r'<li class="log__line log__line--fresh[^>]*>(.*?)(?:<svg|<ol|<p|</li>)', page, re.DOTALL
    )
    return [" ".join(unescape(re.sub("<[^>]*>", " ", line)).split()) for line in lines][::-1]


def test_a_table_tells_what_happened_since_ones_last_move_in_the_words_of_its_log(
    player: Player,
) -> None:
    assert since(player.page) == []
    assert "since--empty" in player.page
    player.follow(player.act("pass", htmx=False, confirmed="1"))
    if 'name="action" value="discard"' in player.page:
        player.follow(player.act("discard", *player.cards[: len(player.cards) - 7], htmx=False))
    told = since(player.page)
    assert told
    assert told == logged(player.page)
    assert any("Easy" in line or "Steady" in line for line in told)
    assert "since--empty" not in player.page


def test_a_part_that_htmx_gets_leaves_what_is_told_alone(player: Player) -> None:
    assert "since__line" not in player.poll().text
