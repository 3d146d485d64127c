import pytest
from flask import Flask

from tests.rows import count
from tests.web.browser import HTMX, Browser


def test_a_theme_is_remembered_and_shown_on_every_page(browser: Browser) -> None:
    browser.get("/rules")
    assert 'data-theme="system"' in browser.page
    answer = browser.send("/settings", theme="dark", next="/rules")
    assert answer.headers["Location"] == "/rules"
    for path in ("/rules", "/", "/nothing/here"):
        browser.get(path)
        assert 'data-theme="dark"' in browser.page


def test_a_size_is_remembered_beside_the_theme_and_shown_on_every_page(browser: Browser) -> None:
    browser.get("/rules")
    assert 'data-text="normal"' in browser.page
    browser.send("/settings", theme="dark", next="/rules")
    browser.send("/settings", text_size="large", next="/rules")
    for path in ("/rules", "/", "/nothing/here"):
        browser.get(path)
        assert 'data-text="large"' in browser.page
        assert 'data-theme="dark"' in browser.page


def test_settings_of_a_guest_stay_through_registering(browser: Browser) -> None:
    browser.get("/rules")
    browser.send("/settings", theme="dark")
    browser.register("otter")
    assert 'data-theme="dark"' in browser.page


def test_choices_at_the_table_are_kept_and_shown(browser: Browser) -> None:
    browser.become_guest()
    browser.get("/account")
    assert browser.fields()["confirm_pass"] == "on"
    browser.send("/settings", confirm_pass="off", hand_order="kind", next="/account")
    browser.get("/account")
    assert browser.fields()["confirm_pass"] == "off"
    assert browser.fields()["hand_order"] == "kind"


@pytest.mark.parametrize(
    "elsewhere",
    ["//evil.example", "https://evil.example", "/\\evil.example", "/\t/evil.example", ""],
)
def test_one_is_led_back_to_our_own_pages_only(browser: Browser, elsewhere: str) -> None:
    browser.get("/rules")
    answer = browser.send("/settings", theme="dark", next=elsewhere)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/")


def test_htmx_gets_no_page_to_swap_in(browser: Browser) -> None:
    browser.get("/rules")
    answer = browser.send("/settings", headers=HTMX, theme="dark")
    assert (answer.status_code, answer.text) == (204, "")


def test_a_choice_there_is_none_of_makes_nobody(browser: Browser, app: Flask) -> None:
    browser.get("/rules")
    assert browser.send("/settings", theme="blink").status_code == 400
    assert count(app, "users") == 0
