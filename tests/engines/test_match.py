"""A match from the home page to its winner, in each engine that is here."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from raisesum.engine import Incoming, LegalPlay, legal_plays, parse_card
from tests.e2e.tables import card_named
from tests.engines.browsers import ENGINES, PATIENCE_S, Browser, Firefox, missing
from tests.servers import serving

HAND = ("form", "Your hand")
YOUR_TURN = "#play, #discard, #ending"


def possible(browser: Browser) -> tuple[LegalPlay, ...]:
    """Return the plays that the page's own hand, target and challenge allow."""
    names, number, labels = browser.run(
        """const all = (selector) => [...document.querySelectorAll(selector)];
        const texts = (selector) => all(selector).map((one) => one.innerText.trim());
        return [all("#hand .pick__box").map((box) => box.value),
            texts(".felt .target__number")[0], texts(".felt .against__cards .token")];"""
    )
    target = int(number) if number.isdigit() else None
    against = Incoming.of([parse_card(card_named(label)) for label in labels])
    return legal_plays([parse_card(name) for name in names], against, target)


def tick(browser: Browser, names: list[str]) -> None:
    for place, name in enumerate(names):
        places = browser.run(
            """return [...document.querySelectorAll("#hand .pick__box")]
                .map((box, place) => (box.value === arguments[0] ? place : -1))
                .filter((place) => place >= 0);""",
            name,
        )
        browser.click("#hand .pick", places[names[:place].count(name)])


def make_a_move(browser: Browser) -> bool:
    """Make one move and wait for the next; False when the match is over."""
    browser.wait_for("return Boolean(document.querySelector(arguments[0]))", YOUR_TURN)
    if browser.run("return Boolean(document.querySelector('#ending'))"):
        return False
    version = browser.run("return document.querySelector('#hand').dataset.version")
    if browser.run("return Boolean(document.querySelector('#discard'))"):
        count = browser.run(
            "return Number(document.querySelector('#discard-count').dataset.needed)"
        )
        for place in range(count):
            browser.click("#hand .pick", place)
        browser.click("#discard")
    elif plays := possible(browser):
        best = plays[-1]
        tick(browser, [card.name for card in best.cards])
        # The sum of these cards, as the server has it.
        browser.wait_for(
            """const said = document.querySelector("#hand .verdict--good, .bar .verdict--good");
            return said && said.innerText.trim().startsWith(`${arguments[0]} `);""",
            best.score,
        )
        browser.click("#play")
    else:
        browser.click("#pass")
    browser.wait_for(
        """return document.querySelector("#ending")
            || (document.querySelector("#hand")?.dataset.version ?? arguments[0]) !== arguments[0]
            || document.querySelector("#pass-anyway");""",
        version,
    )
    return True


def set_a_table(browser: Browser, url: str) -> None:
    """Play with friends, who are one bot, at a pace of two minutes a turn."""
    browser.go(f"{url}/tables/friends")
    browser.run(
        """const choose = (name, value) => {
            const field = document.querySelector(`select[name="${name}"]`);
            if (field) field.value = value;
            else document.querySelector(`input[name="${name}"][value="${value}"]`).checked = true;
        };
        for (const [name, value] of arguments[0]) choose(name, value);""",
        [["seats", "2"], ["goal", "1"], ["pace", "relaxed"]],
    )
    browser.click("main form button.button--primary")
    browser.wait_for("return Boolean(document.querySelector('#room'))")
    browser.click('#room form[action$="/bots"] button')
    browser.click('form[action$="/start"] button')
    browser.wait_for("return Boolean(document.querySelector('#table'))")


@pytest.mark.parametrize("engine", ENGINES)
def test_a_match_is_played_to_its_end(engine: str, tmp_path: Path) -> None:
    if engine in missing():
        pytest.skip(missing()[engine])
    (tmp_path / "browser").mkdir()
    with (
        serving(tmp_path, workers=1, bot_delay_ms=50) as server,
        ENGINES[engine](tmp_path / "browser") as browser,
    ):
        set_a_table(browser, server.url)
        browser.listen()
        look_at_the_theme(browser)
        look_at_the_rules_card(browser)
        look_at_the_clock(browser)
        if isinstance(browser, Firefox):
            look_at_what_is_read_aloud(browser)
        moves = 0
        while make_a_move(browser):
            moves += 1
        assert moves > 0
        assert "won the match" in browser.text("#ending")
        assert browser.errors() == []
        # And an error would have been heard.
        browser.run("setTimeout(() => { throw new Error('on purpose'); })")
        wait_until(lambda: any("on purpose" in error for error in browser.errors()))


def wait_until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def look_at_the_theme(browser: Browser) -> None:
    for theme, paper in (("dark", "rgb(21, 20, 28)"), ("light", "rgb(247, 242, 232)")):
        browser.click(".nav > .menu:last-of-type summary")
        browser.click(f'button[name="theme"][value="{theme}"]')
        browser.wait_for(
            "return getComputedStyle(document.documentElement).backgroundColor === arguments[0]",
            paper,
        )


def look_at_the_rules_card(browser: Browser) -> None:
    shown = "return document.querySelector('#card-of-rules').getClientRects().length > 0"
    assert not browser.run(shown)
    browser.click('[popovertarget="card-of-rules"]')
    browser.wait_for(shown)
    browser.click('#card-of-rules [popovertargetaction="hide"]')
    browser.wait_for(shown.replace("> 0", "=== 0"))
    # The focus is back where it was.
    browser.wait_for("return document.activeElement.matches('[popovertarget=\"card-of-rules\"]')")


def look_at_what_is_read_aloud(browser: Firefox) -> None:
    """Each of the eight cards is one stop with one name, and cards that are shown are, too."""
    browser.wait_for("return Boolean(document.querySelector('#play'))")
    read = browser.read_aloud()
    start = next(at for at, (_, role, name) in enumerate(read) if (role, name) == HAND)
    end = next(at for at in range(start + 1, len(read)) if read[at][0] <= read[start][0])
    first = next(at for at in range(start, end) if read[at][1] == "checkbutton")
    last = max(at for at in range(start, end) if read[at][1] == "checkbutton")
    cards = [(role, name) for _, role, name in read[first : last + 1]]
    stops = [name for role, name in cards if role not in ("listitem", "label")]
    assert len(stops) == 8, cards
    assert all(re.match(r"(plus|times|minus|divided by) \d+, |0, ", name) for name in stops), cards
    for at, (depth, role, _) in enumerate(read[:-1]):
        # A picture of a card has nothing within it.
        assert role != "graphic" or read[at + 1][0] <= depth, read[at : at + 2]


def look_at_the_clock(browser: Browser) -> None:
    """It runs down, whatever is asked of the server meanwhile."""
    browser.wait_for("return Boolean(document.querySelector('#clock-text'))")
    first = browser.text("#clock-text")
    browser.wait_for(
        "return document.querySelector('#clock-text')?.innerText !== arguments[0]", first
    )
