"""The oldest browsers in the README show every colour and play a whole match."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.old_browser import age
from tests.e2e.tables import choose_move, play_on, play_to_the_end, start

pytestmark = pytest.mark.usefixtures("complaints")

LIGHT, DARK = "rgb(247, 242, 232)", "rgb(21, 20, 28)"
YELLOW = "rgb(244, 189, 26)"


def paper(page: Page) -> str:
    return str(page.evaluate("getComputedStyle(document.documentElement).backgroundColor"))


def choose_theme(page: Page, theme: str) -> None:
    page.locator("summary", has_text="Theme").click()
    with page.expect_response("**/settings"):
        page.locator(f'button[name="theme"][value="{theme}"]').click()
    expect(page.locator("html")).to_have_attribute("data-theme", theme)


def test_an_old_browser_shows_the_colours_of_each_theme_on_each_device(page: Page) -> None:
    age(page)
    page.goto("/rules")
    assert page.evaluate("CSS.supports('color', 'light-dark(red, blue)')")  # the sheets lack it
    yellow = page.locator(".card--divide .card__face").first
    for device, like_device in (("light", LIGHT), ("dark", DARK)):
        page.emulate_media(color_scheme=device)  # type: ignore[arg-type]
        for theme, shown in (("light", LIGHT), ("dark", DARK), ("system", like_device)):
            choose_theme(page, theme)
            assert paper(page) == shown, (device, theme)
            expect(yellow).to_have_css("background-color", YELLOW)
    # On paper it is light, whatever was chosen.
    choose_theme(page, "dark")
    page.emulate_media(media="print")
    expect(page.locator("html")).to_have_css("color", "rgb(29, 27, 38)")


def test_an_old_browser_plays_a_match_with_its_rules_card_at_hand(page: Page) -> None:
    age(page)
    page.set_viewport_size({"width": 390, "height": 664})
    start(page)
    page.reload()  # the answer to a form is not aged
    card = page.locator("#card-of-rules")
    opener = page.get_by_role("button", name="Rules card")
    expect(card).to_be_hidden()
    opener.click()
    expect(card).to_be_visible()
    expect(opener).to_have_attribute("aria-expanded", "true")
    card.get_by_role("button", name="Close").click()
    expect(card).to_be_hidden()
    expect(opener).to_be_focused()
    opener.press("Enter")
    expect(card).to_be_visible()
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    expect(opener).to_be_focused()
    # A card's number is large although it cannot be measured by its card.
    label = page.locator("#hand .card__label").first
    assert label.evaluate("(label) => parseFloat(getComputedStyle(label).fontSize)") > 24
    choose_move(page)
    expect(page.locator("#hand .verdict--good")).to_be_visible()
    assert play_on(page)
    play_to_the_end(page)


def test_a_browser_that_darkens_pages_leaves_a_chosen_theme_alone(page: Page) -> None:
    page.emulate_media(color_scheme="dark")
    page.goto("/rules")
    choose_theme(page, "light")
    devtools = page.context.new_cdp_session(page)
    devtools.send("Emulation.setAutoDarkModeOverride", {"enabled": True})
    page.reload()
    # What is painted is seen in a picture alone; another page reads it, which may hold pictures.
    picture = devtools.send("Page.captureScreenshot", {"format": "png"})["data"]
    reader = page.context.new_page()
    reader.goto("about:blank")
    painted = reader.evaluate(
        """async (data) => {
            const picture = await createImageBitmap(await (await fetch(data)).blob());
            const canvas = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
            canvas.drawImage(picture, 0, 0);
            return [...canvas.getImageData(2, picture.height / 2, 1, 1).data.slice(0, 3)];
        }""",
        f"data:image/png;base64,{picture}",
    )
    assert painted == [247, 242, 232]
