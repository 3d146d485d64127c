"""A table on real screens: what decides a move is in sight, and nothing that is said moves it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from playwright.sync_api import Locator, Page, expect

from raisesum.engine import Phase, State, parse_cards
from raisesum.engine.events import PointWon
from tests.e2e.conftest import Complaints
from tests.e2e.positions import put
from tests.e2e.tables import arrive, box, start, tick
from tests.engine.positions import position
from tests.servers import Server

pytestmark = pytest.mark.usefixtures("complaints")

#: What the browsers of phones leave of their screens, a tablet, and laptops up to a large screen.
PHONES = ((390, 664), (375, 553), (360, 640), (320, 568), (844, 390), (667, 375), (568, 320))
SIZES = (*PHONES, (820, 1180), (1280, 800), (1366, 650), (1920, 1080), (2560, 1440))

TEN = "+2 +4 +5 +8 x2 x3 -3 /3 -1 0"
LONG = "W" * 24
LATER = 2**52
"""Server time at which no bot moves any more while the test runs."""

# For each selector: every element that it finds must be in the window, with nothing over it.
COVERED = """
(selectors) => {
  const wrong = [];
  const {innerWidth: wide, innerHeight: high} = window;
  for (const selector of selectors) {
    const found = [...document.querySelectorAll(selector)];
    if (!found.length) wrong.push(`${selector} is not there`);
    for (const [place, one] of found.entries()) {
      const {left, top, right, bottom, width, height} = one.getBoundingClientRect();
      const where = `${selector} ${place} at ${[left, top, right, bottom].map(Math.round)}`;
      if (left < 0 || top < 0 || right > wide || bottom > high || width < 8 || height < 8) {
        wrong.push(`${where} is not inside`);
        continue;
      }
      for (const across of [0.15, 0.5, 0.85]) for (const down of [0.2, 0.5, 0.8]) {
        const hit = document.elementFromPoint(left + width * across, top + height * down);
        if (!hit || !(one.contains(hit) || hit.contains(one))) {
          wrong.push(`${where} is covered by ${hit?.outerHTML.slice(0, 60)}`);
          return wrong;
        }
      }
    }
  }
  const page = document.documentElement;
  if (page.scrollWidth > page.clientWidth) wrong.push(`it is ${page.scrollWidth} px wide`);
  return wrong;
}
"""

# Pairs that must not touch: a ticked card and its mark, what stands above it; a seat's state, its
# points; the name of the game, the menu beside it.
TOUCHING = """
() => {
  const wrong = [];
  const apart = (ones, others, nearer = 0) => {
    for (const one of document.querySelectorAll(ones)) {
      for (const other of (one.closest(".seat") ?? document).querySelectorAll(others)) {
        const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
        if (a.width < 2 || b.width < 2) continue;
        if (a.left < b.right - nearer && b.left < a.right - nearer
            && a.top < b.bottom - nearer && b.top < a.bottom - nearer) {
          wrong.push(`${ones} touches ${others}`);
        }
      }
    }
  };
  apart(".pick__box:checked ~ .card .card__face", "#ask-hint, #sort-menu");
  apart(".pick__box:checked ~ .pick__tick", "#ask-hint, #sort-menu");
  apart(".seat__state", ".pip, .seat__name, .seat__cards, .clock", 1);
  apart(".seat__cards, .clock", ".pip", 1);
  apart(".brand", ".nav > *");
  return [...new Set(wrong)];
}
"""

BUTTONS = """
() => Object.fromEntries([...document.querySelectorAll("#hand .bar .button")]
  .filter((button) => button.getClientRects().length)
  .map((button, place) => {
    const {left, top, width, height} = button.getBoundingClientRect();
    return [place, [left, top, width, height].map((value) => Math.round(value * 2) / 2)];
  }))
"""


def own_turn(seats: int, standing: str = "+6 -2 /2") -> State:
    """Return a turn of seat 1 with ten cards, after a play of the last seat that challenges."""
    others = ("+1 +2 +3 +4 +5 +6 +7", "+1 +2 +3 +4 +5 +6 +7", "+1 +2 +3 +4 +5")[4 - seats :]
    state = position(
        TEN,
        *others,
        standing=standing,
        standing_seat=seats,
        out=(2,) if seats > 2 else (),
        points=(1, 0, 2, 1)[:seats],
        discards="+1 +2 -1",
    )
    return replace(state, drawn=parse_cards("+5 x3 -1"))


def ticked_anew(page: Page, cards: str) -> None:
    """Tick these cards and no others, and wait for what they come to."""
    for one in page.locator("#hand .pick__box:checked").all():
        one.uncheck(force=True)
    tick(page, cards.split())
    page.locator("#hand .verdict").wait_for()


def beats(page: Page) -> None:
    ticked_anew(page, "+4 +5 x3")
    expect(page.locator("#hand .verdict")).to_have_text("10 beats 6")


def takes_five_cards(page: Page) -> None:
    # The upper row, so that ticked cards stand below Hint and Sort; the score has a fraction.
    ticked_anew(page, "+2 +4 +5 +8 x2")
    expect(page.locator("#hand .verdict")).to_have_text("17 beats 6")


def is_refused(page: Page) -> None:
    ticked_anew(page, "+2")
    page.locator("#play").click()
    expect(page.locator("#refused")).not_to_be_empty()
    expect(page.locator("#hand .verdict")).to_contain_text("would do")


def asks_for_a_hint(page: Page) -> None:
    ticked_anew(page, "+4")
    box(page, "+4").uncheck(force=True)
    page.locator("#ask-hint").click()
    page.locator("#told-hint").wait_for()


def ran_out_of_time(page: Page) -> None:
    page.locator("#time-note").wait_for()


def wants_to_pass(page: Page) -> None:
    page.locator("#pass").click()
    page.locator("#ask-title").wait_for()


#: What can stand above the buttons, how it comes there, and by what it is known.
SAID: tuple[tuple[Callable[[Page], None], str], ...] = (
    (beats, "#hand .verdict"),
    (takes_five_cards, "#hand .verdict"),
    (is_refused, "#hand .verdict"),
    (asks_for_a_hint, "#told-hint"),
    (ran_out_of_time, "#time-note"),
    (wants_to_pass, "#ask-title"),
)

TARGET = [".target__number", ".against .token"]
#: The row of cards that is highest, all of it.
ROW = ["#hand .cards__item:nth-child(-n+5)"]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_what_decides_a_move_is_in_sight_and_its_buttons_stay_at_every_size(
    page: Page, live_server: Server, complaints: Complaints, seats: int
) -> None:
    complaints.expect("422")
    # Cards that still come down onto the table are where they do not stay.
    page.emulate_media(reduced_motion="reduce")
    start(page, bots=seats - 1, goal=3)
    wrong: list[str] = []
    places: dict[tuple[int, int], object] = {}
    for arrange, said in SAID:
        # Where time runs out, a clock runs.
        timed = arrange is ran_out_of_time
        missed = {1: {"missed": int(timed)}}
        put(live_server, page.url, own_turn(seats), seats=missed, pace_s=86_000 if timed else None)
        page.set_viewport_size({"width": 390, "height": 664})
        page.reload()
        arrive(page, "#hand")
        arrange(page)
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate("scrollTo(0, 0)")
            seen = page.evaluate(
                COVERED, [*TARGET, *ROW, said, "#hand .bar .button:not(.without-js)"]
            )
            seen += page.evaluate(TOUCHING)
            wrong += [f"{arrange.__name__} {width}x{height}: {fault}" for fault in seen]
            buttons = page.evaluate(BUTTONS)
            if places.setdefault((width, height), buttons) != buttons:
                wrong.append(f"{arrange.__name__} {width}x{height} moves buttons: {buttons}")
    assert "\n".join(wrong) == ""


@pytest.mark.parametrize("seats", [2, 4])
def test_the_count_of_a_discard_is_in_sight_at_every_size(
    page: Page, live_server: Server, seats: int
) -> None:
    start(page, bots=seats - 1, goal=3)
    put(live_server, page.url, replace(own_turn(seats), phase=Phase.DISCARD, drawn=()))
    page.reload()
    arrive(page, "#discard")
    tick(page, ["+2"])
    wrong = []
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("scrollTo(0, 0)")
        seen = page.evaluate(COVERED, [".target__number", *ROW, "#discard-count", "#discard"])
        wrong += [f"{width}x{height}: {fault}" for fault in seen]
    assert "\n".join(wrong) == ""


def test_text_of_twice_the_size_and_the_longest_names_cover_nothing(
    page: Page, live_server: Server
) -> None:
    start(page, bots=3, goal=9)
    hundreds = replace(own_turn(4, "+20 +19 x9 -20"), hands=own_turn(4).hands)
    hundreds = replace(hundreds, setup=replace(hundreds.setup, goal=9), points=(8, 0, 7, 8))
    put(live_server, page.url, hundreds, seats={number: {"name": LONG} for number in (2, 3, 4)})
    page.reload()
    arrive(page, "#hand")
    ticked_anew(page, "+8 x2 x3 /3")
    wrong = []
    for twice in (False, True):
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            if twice:
                # As "zoom text only" does, which leaves the widths of the page alone.
                page.evaluate(
                    """() => {
                        const root = document.documentElement;
                        root.style.fontSize = "";
                        const usual = parseFloat(getComputedStyle(root).fontSize);
                        root.style.fontSize = `${2 * usual}px`;
                    }"""
                )
            page.evaluate("scrollTo(0, 0)")
            seen = page.evaluate(TOUCHING)
            if not twice:
                seen += page.evaluate(COVERED, [*TARGET, *ROW, "#hand .verdict"])
            seen += page.evaluate(COVERED, [".target__number"])
            wrong += [f"{'twice ' * twice}{width}x{height}: {fault}" for fault in seen]
    assert "\n".join(wrong) == ""


def test_menus_open_inside_the_window_and_keep_their_marks(page: Page) -> None:
    start(page, bots=2)
    wrong = []
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        menus = page.locator(".header details.menu, #sort-menu")
        for menu in menus.all():
            menu.locator("summary").click()
            sheet = menu.locator(".menu__sheet")
            left, right, marks = sheet.evaluate(
                """(sheet) => {
                    const {left, right} = sheet.getBoundingClientRect();
                    const marks = [...sheet.querySelectorAll(".menu__choice")].map((choice) => {
                        const {width, height} = getComputedStyle(choice, "::before");
                        return width === height;
                    });
                    return [left, right, marks.every(Boolean)];
                }"""
            )
            if left < 0 or right > width or not marks:
                wrong.append(f"{width}x{height}: {summary_of(menu)} {left} to {right}, {marks}")
            menu.locator("summary").click()
    assert "\n".join(wrong) == ""


def summary_of(menu: Locator) -> str:
    return menu.locator("summary").inner_text().strip()


def states_of_a_match() -> list[tuple[State, tuple[PointWon, ...]]]:
    """Return what the middle and the hand go through, from nothing to all that fits on them."""
    few, many = "+1 +2", "+1 +2 +3 +4 +5 +6 +7"
    plain = position(many, few, many, few, turn=3, goal=9)
    return [
        (plain, ()),
        (replace(plain, turn=2), (PointWon(4, 1, 1),)),
        (position(many, few, many, few, turn=3, standing="+6", goal=9), ()),
        (
            position(
                few,
                many,
                many,
                few,
                turn=2,
                standing="+9 x3 -3 -2 /2",
                standing_seat=1,
                answered="-2 /2",
                goal=9,
            ),
            (),
        ),
        (position(TEN, few, many, many, standing="+9 +9 x9 -9", goal=9), ()),
    ]


# What moved without anybody's doing, since the page was last asked.
MOVED = """
() => {
  if (!window.moves) {
    window.moves = [];
    const note = (list) => window.moves.push(...list.filter((one) => !one.hadRecentInput)
      .map((one) => ({value: one.value, of: one.sources.map(
        (source) => source.node?.outerHTML?.slice(0, 60) ?? "")})));
    window.watch = new PerformanceObserver((list) => note(list.getEntries()));
    window.watch.observe({type: "layout-shift"});
    window.noteMoves = () => note(window.watch.takeRecords());
  }
  window.noteMoves();
  return window.moves;
}
"""

ASK = """
() => {
  const table = document.querySelector("#table");
  const how = {source: table, target: "#table", swap: "outerMorph"};
  return htmx.ajax("GET", table.dataset.part, how);
}
"""


@pytest.mark.parametrize(("width", "height"), [(390, 664), (844, 390), (820, 1180), (1280, 800)])
def test_what_comes_and_goes_on_a_table_moves_neither_the_hand_nor_its_buttons(
    page: Page, live_server: Server, width: int, height: int
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    page.emulate_media(reduced_motion="reduce")
    start(page, bots=3, goal=9)
    names: dict[int, dict[str, object]] = {2: {"name": LONG}, 4: {"name": "Quick Otter"}}
    put(live_server, page.url, states_of_a_match()[0][0], seats=names, due_at=LATER)
    page.reload()
    arrive(page, "#table")
    page.evaluate("document.fonts.ready")
    page.evaluate(MOVED)
    tops = set()
    for state, events in states_of_a_match()[1:]:
        before = page.locator("#table").get_attribute("data-log")
        due_at = None if state.turn == 1 else LATER
        put(live_server, page.url, state, *events, due_at=due_at)
        page.evaluate(ASK)
        page.wait_for_function(
            "(before) => document.querySelector('#table').dataset.log !== before", arg=before
        )
        page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
        tops.add(
            page.evaluate(
                """() => ["#hand-title", ".cards", ".bar__buttons"].map((part) =>
                Math.round(document.querySelector(part).getBoundingClientRect().top)).join()"""
            )
        )
    moved = page.evaluate(MOVED)
    assert len(tops) == 1, (tops, moved)
    assert sum(one["value"] for one in moved) < 0.02, moved


def test_home_shows_a_match_that_runs_at_once_on_a_phone(page: Page) -> None:
    start(page)
    wrong = []
    for width, height in ((390, 664), (375, 553), (320, 568)):
        page.set_viewport_size({"width": width, "height": height})
        page.goto("/")
        arrive(page, ".mine--now")
        wrong += [f"{width}x{height}: {fault}" for fault in page.evaluate(COVERED, [".mine--now"])]
    assert "\n".join(wrong) == ""


def test_a_table_grows_with_the_window_and_with_the_choice_of_large(page: Page) -> None:
    start(page, bots=2)

    def sizes(width: int, height: int) -> tuple[float, float]:
        page.set_viewport_size({"width": width, "height": height})
        found = page.evaluate(
            """() => {
                const table = document.querySelector("#table").getBoundingClientRect();
                const text = getComputedStyle(document.querySelector(".standing__label"));
                return [table.width / innerWidth, parseFloat(text.fontSize)];
            }"""
        )
        return found[0], found[1]

    laptop, screen, large_screen = sizes(1280, 800), sizes(1920, 1080), sizes(2560, 1440)
    assert screen[1] > 1.3 * laptop[1]
    assert large_screen[1] > 1.7 * laptop[1]
    assert min(screen[0], large_screen[0]) > 0.8
    page.locator(".menu summary").filter(has_text="Theme").click()
    page.get_by_role("button", name="Large").click()
    assert sizes(2560, 1440)[1] > 1.2 * large_screen[1]
    larger = sizes(390, 664)[1]
    page.reload()
    arrive(page, "#table")
    assert sizes(390, 664)[1] == larger
    assert larger > 1.2 * 15
