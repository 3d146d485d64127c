"""What a person at a table in the browser reads and does."""

from __future__ import annotations

import re
from collections.abc import Sequence

from playwright.sync_api import Locator, Page, expect

from raisesum.engine import Incoming, LegalPlay, legal_plays, parse_card
from raisesum.engine.cards import Kind

_SIGNS = {"+": "+", "×": "x", "−": "-", "÷": "/"}

YOUR_TURN = "#play, #discard, #ending"


def start(
    page: Page,
    *,
    bots: int = 1,
    level: str = "easy",
    levels: Sequence[str] = (),
    deck: str = "full",
    goal: int = 1,
) -> None:
    """Set a table by its form, against `bots` of one level or one of each of `levels`.

    This person opens.
    """
    levels = levels or [level] * bots
    page.goto("/tables/new")
    choose(page, "bots", str(len(levels)))
    for number, chosen in enumerate(levels, 1):
        choose(page, f"level_{number}", chosen)
    choose(page, "deck", deck)
    choose(page, "goal", str(goal))
    choose(page, "first", "1")
    page.locator('main form button:not([type="button"])').last.click()
    arrive(page, "#table")


def arrive(page: Page, selector: str) -> None:
    """Wait for the page on which `selector` is, until all of it is there and its scripts run.

    What can be seen of a page already says nothing of what stands further below.
    """
    page.wait_for_selector(selector)
    page.wait_for_load_state()


def choose(page: Page, name: str, value: str) -> None:
    """Choose `value` in the select or the radio buttons called `name`."""
    page.locator(f'[name="{name}"]').first.wait_for(state="attached")
    select = page.locator(f'select[name="{name}"]')
    if select.count():
        select.select_option(value)
    else:
        page.locator(f'input[name="{name}"][value="{value}"]').check(force=True)


def hand(page: Page) -> list[str]:
    """Return the names of the cards that can be ticked, in their order."""
    boxes = page.locator('#hand input[name="card"]')
    return boxes.evaluate_all("(boxes) => boxes.map((box) => box.value)")


def card_named(label: str) -> str:
    """Return how records write the card that pages show as `label`."""
    return label if label == "0" else _SIGNS[label[0]] + label[1:]


def possible(page: Page) -> tuple[LegalPlay, ...]:
    """Return the plays that the page's own hand, target and challenge allow."""
    number = page.locator(".felt .target__number").inner_text()
    target = int(number) if number.isdigit() else None
    labels = page.locator(".felt .against__cards .token").all_inner_texts()
    against = [parse_card(card_named(label)) for label in labels]
    assert all(card.kind in (Kind.SUBTRACT, Kind.DIVIDE) for card in against)
    return legal_plays([parse_card(name) for name in hand(page)], Incoming.of(against), target)


def box(page: Page, name: str, nth: int = 0) -> Locator:
    """Return the tick box of a card."""
    return page.locator(f'#hand input[name="card"][value="{name}"]').nth(nth)


def tick(page: Page, names: list[str]) -> None:
    """Tick these cards, equal ones one after the other."""
    for place, name in enumerate(names):
        box(page, name, names[:place].count(name)).check(force=True)


def choose_move(page: Page) -> str:
    """Tick what to play or discard; return the id of the button to press, or nothing at the end."""
    arrive(page, YOUR_TURN)
    if page.locator("#ending").count():
        return ""
    if page.locator("#discard").count():
        tick(page, hand(page)[: len(hand(page)) - 7])
        return "discard"
    plays = possible(page)
    if not plays:
        return "pass"
    tick(page, [card.name for card in plays[-1].cards])
    return "play"


def wait_for_next(page: Page, version: str | None) -> None:
    """Wait until the page shows another version that waits for this person, or the end."""
    page.wait_for_function(
        """(version) => document.querySelector("#ending")
            || (document.querySelector("#hand")
                && document.querySelector("#hand").dataset.version !== version)""",
        arg=version,
    )


def version_of(page: Page) -> str | None:
    """Return the version of the table that the hand's form was made from."""
    form = page.locator("#hand")
    return form.get_attribute("data-version") if form.count() else None


def play_on(page: Page) -> bool:
    """Make one move with the mouse and wait for the next; False at the end of the match."""
    button = choose_move(page)
    if not button:
        return False
    version = version_of(page)
    page.locator(f"#{button}").click()
    wait_for_next(page, version)
    return True


def play_to_the_end(page: Page) -> None:
    """Play the match out."""
    for _ in range(300):
        if not play_on(page):
            break
    expect(page.locator("#ending")).to_have_text(re.compile(r"won the match"))


def focus_by_tab(page: Page, selector: str) -> None:
    """Press Tab until the element has the focus, as somebody without a mouse does."""
    for _ in range(120):
        if page.evaluate("(s) => document.activeElement?.matches(s) ?? false", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab never reaches {selector}")


def move(page: Page, *, passes: bool) -> None:
    """Make one move: a pass, or the best play; a discard when that is asked for."""
    version = version_of(page)
    if passes and page.locator("#pass").count():
        page.locator("#pass").click()
        page.wait_for_load_state()
        # It is asked about when some play would beat the target.
        page.wait_for_function(
            """(version) => document.querySelector("#pass-anyway")
                || document.querySelector("#hand")?.dataset.version !== version""",
            arg=version,
        )
        if page.locator("#pass-anyway").count():
            page.locator("#pass-anyway").click()
    elif page.locator("#discard").count():
        tick(page, hand(page)[: len(hand(page)) - 7])
        page.locator("#discard").click()
    else:
        page.locator(f"#{choose_move(page)}").click()
    page.wait_for_load_state()
    page.wait_for_function(
        """(version) => document.querySelector("#hand")?.dataset.version !== version""",
        arg=version,
    )
    # Without scripts it was another page that came, and perhaps not all of it yet.
    page.wait_for_load_state()
