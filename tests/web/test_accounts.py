import re
from collections.abc import Callable

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select

from raisesum.extensions import db
from raisesum.models import User
from tests.rows import all_rows, count
from tests.web.browser import PASSWORD, Browser

OTHER_PASSWORD = "eight loud herons"
NAUGHTY = "<i>&amp;\"'</i> {{7}}"

Browsers = Callable[..., Browser]


# Registering


def test_a_guest_who_registers_keeps_tables_and_name(browser: Browser) -> None:
    browser.get("/")
    table = browser.send("/play-now").headers["Location"]
    browser.get("/register")
    name = browser.fields()["shown_name"]
    browser.register("otter", shown_name=name)
    assert browser.get(table).status_code == 200
    browser.get("/account")
    assert browser.fields()["shown_name"] == name
    assert "Signed in as otter" in browser.text


def test_the_recovery_code_is_shown_once_and_is_nowhere_else(browser: Browser) -> None:
    code = browser.register("otter")
    assert code not in (browser.cookie() or "")
    for path in ("/account", "/", "/register"):
        browser.get(path)
        assert code not in browser.page


def test_a_refused_form_shows_what_was_typed_and_all_reasons_beside_the_fields(
    browser: Browser,
) -> None:
    browser.get("/register")
    answer = browser.send("/register", handle="a b", shown_name="x|y", password="short")
    assert answer.status_code == 422
    assert browser.fields()["handle"] == "a b"
    assert browser.fields()["shown_name"] == "x|y"
    assert browser.fields()["password"] == ""
    for field in ("handle", "shown_name", "password"):
        assert f'id="{field}-error"' in browser.page
        assert f'href="#{field}"' in browser.page
        assert re.search(rf'aria-describedby="[^"]*\b{field}-error', browser.page)
    assert 'role="alert"' in browser.page
    assert 'tabindex="-1"' in browser.page
    assert "short" not in browser.text.split()


def test_a_taken_name_is_told_at_its_field(browser: Browser, new_browser: Browsers) -> None:
    browser.register("Otter")
    other = new_browser()
    other.get("/register")
    assert other.send("/register", handle="oTTER", password=OTHER_PASSWORD).status_code == 422
    assert "Somebody has this name already" in other.text
    assert other.fields()["handle"] == "oTTER"


def test_who_has_an_account_is_led_on_from_registering_and_signing_in(browser: Browser) -> None:
    browser.register("otter")
    for path in ("/register", "/sign-in"):
        assert browser.get(f"{path}?next=/rules").headers["Location"] == "/rules"
    browser.get("/account")
    sent = browser.send("/register", handle="heron", password=PASSWORD)
    assert sent.headers["Location"] == "/"
    browser.get("/account")
    assert "Signed in as otter" in browser.text


@pytest.mark.parametrize(
    ("path", "autocomplete"),
    [
        ("/register", {"handle": "username", "password": "new-password"}),
        ("/sign-in", {"handle": "username", "password": "current-password"}),
        ("/recover", {"handle": "username", "code": "off", "new_password": "new-password"}),
        ("/account", {"current_password": "current-password", "new_password": "new-password"}),
    ],
)
def test_password_managers_are_told_what_is_what_and_paste_is_not_stopped(
    browser: Browser, path: str, autocomplete: dict[str, str]
) -> None:
    if path == "/account":
        browser.register("otter")
    browser.get(path)
    for field, value in autocomplete.items():
        assert re.search(rf'<input id="{field}"[^>]*autocomplete="{value}"', browser.page)
    assert "onpaste" not in browser.page
    assert "maxlength" not in browser.page


# Signing in and out


def test_signing_in_leads_to_where_one_wanted_to_go(browser: Browser) -> None:
    browser.register("otter")
    browser.get("/account")
    browser.send("/sign-out")
    browser.get("/sign-in?next=/account")
    answer = browser.send(
        "/sign-in", handle="otter", password=PASSWORD, next=browser.fields()["next"]
    )
    assert browser.follow(answer).status_code == 200


@pytest.mark.parametrize(
    "elsewhere",
    [
        "//evil.example",
        "https://evil.example",
        "/\\evil.example",
        "/\t/evil.example",
        "javascript:1",
    ],
)
def test_signing_in_leads_nowhere_else(browser: Browser, elsewhere: str) -> None:
    browser.register("otter")
    browser.get("/account")
    browser.send("/sign-out")
    browser.client.get("/sign-in", query_string={"next": elsewhere})
    browser.get("/sign-in")
    assert "next" not in browser.fields() or browser.fields()["next"] == "/sign-in"
    answer = browser.send("/sign-in", handle="otter", password=PASSWORD, next=elsewhere)
    assert answer.headers["Location"] == "/"


def test_a_wrong_password_and_an_unknown_name_get_the_same_page(browser: Browser) -> None:
    browser.register("otter")
    browser.get("/account")
    browser.send("/sign-out")
    pages = set()
    for handle in ("otter", "heron"):
        browser.get("/sign-in")
        assert browser.send("/sign-in", handle=handle, password=OTHER_PASSWORD).status_code == 422
        page = re.sub(r'name="csrf_token" value="[^"]*"', "", browser.page)
        pages.add(page.replace(f'value="{handle}"', ""))
    assert len(pages) == 1
    assert OTHER_PASSWORD not in browser.page


def test_a_guest_s_tables_come_along_unless_left(browser: Browser, new_browser: Browsers) -> None:
    browser.register("otter")
    for choice, status in (("bring", 200), ("leave", 404)):
        guest = new_browser()
        guest.get("/")
        table = guest.send("/play-now").headers["Location"]
        guest.get("/sign-in")
        assert guest.fields()["tables"] == "bring"
        guest.send("/sign-in", handle="otter", password=PASSWORD, tables=choice)
        assert guest.get(table).status_code == status


def test_a_guest_is_asked_before_signing_out(browser: Browser) -> None:
    browser.become_guest()
    browser.get("/account")
    assert browser.send("/sign-out").status_code == 200
    assert "no way back" in browser.text
    assert browser.is_signed_in()
    assert browser.send("/sign-out", sure="yes").status_code == 303
    assert not browser.is_signed_in()


def test_signing_out_twice_is_harmless(browser: Browser) -> None:
    browser.register("otter")
    browser.get("/account")
    browser.send("/sign-out")
    browser.get("/")
    assert browser.send("/sign-out").status_code == 303


# The account


def test_a_lost_password_is_replaced_by_the_code_and_a_new_code_shown(
    browser: Browser, new_browser: Browsers
) -> None:
    code = browser.register("otter")
    other = new_browser()
    other.get("/recover")
    answer = other.send("/recover", handle="Otter", code=code, new_password=OTHER_PASSWORD)
    assert answer.status_code == 200
    assert code not in other.page
    assert re.search(r"(?:[A-Z0-9]{5}-){4}[A-Z0-9]{5}", other.text)
    assert other.is_signed_in()
    assert not browser.is_signed_in()
    other.get("/recover")
    again = other.send("/recover", handle="Otter", code=code, new_password="nine sly foxes")
    assert again.status_code == 422
    assert code not in other.page
    assert browser.sign_in("otter", OTHER_PASSWORD).status_code == 303


def test_a_new_recovery_code_takes_the_place_of_the_old(browser: Browser) -> None:
    code = browser.register("otter")
    browser.get("/account")
    assert browser.send("/account/recovery-code", code_password="wrong").status_code == 422
    assert 'id="code_password-error"' in browser.page
    assert browser.send("/account/recovery-code", code_password=PASSWORD).status_code == 200
    assert code not in browser.page


def test_a_password_change_says_what_is_wrong_at_the_right_field(browser: Browser) -> None:
    browser.register("otter")
    browser.get("/account")
    sent = {"current_password": "wrong", "new_password": OTHER_PASSWORD}
    assert browser.send("/account/password", **sent).status_code == 422
    assert 'id="current_password-error"' in browser.page
    sent = {"current_password": PASSWORD, "new_password": "password"}
    assert browser.send("/account/password", **sent).status_code == 422
    assert 'id="new_password-error"' in browser.page
    assert "people choose most" in browser.text


def test_a_changed_name_is_shown_and_escaped(browser: Browser) -> None:
    browser.register("otter")
    browser.get("/account")
    browser.follow(browser.send("/account/name", shown_name=NAUGHTY))
    assert "Your name is changed." in browser.text
    assert browser.fields()["shown_name"] == NAUGHTY
    assert "<i>" not in browser.page
    browser.get("/account")
    assert "Your name is changed." not in browser.text


def test_a_refused_name_is_shown_again(browser: Browser) -> None:
    browser.become_guest()
    browser.get("/account")
    assert browser.send("/account/name", shown_name="Steady").status_code == 422
    assert browser.fields()["shown_name"] == "Steady"
    assert 'id="shown_name-error"' in browser.page


def test_an_account_is_deleted_after_a_question_and_by_its_password(
    browser: Browser, app: Flask
) -> None:
    browser.register("otter")
    browser.get("/account/delete")
    assert "cannot be undone" in browser.text
    assert browser.send("/account/delete", password="wrong").status_code == 422
    assert browser.is_signed_in()
    browser.follow(browser.send("/account/delete", password=PASSWORD))
    assert "Your account is deleted" in browser.text
    assert count(app, "users") == count(app, "sign_ins") == 0
    browser.register("otter")


def test_a_guest_can_be_deleted_without_a_password(browser: Browser, app: Flask) -> None:
    browser.get("/")
    browser.send("/play-now")
    browser.get("/account/delete")
    assert browser.send("/account/delete").status_code == 303
    assert [count(app, table) for table in ("users", "games", "seats", "actions")] == [0] * 4


def test_the_account_says_what_is_kept(browser: Browser) -> None:
    browser.become_guest()
    browser.get("/account")
    assert "What is kept about you" in browser.text


@pytest.mark.parametrize("path", ["/account", "/account/delete"])
def test_nobody_has_no_account_page(browser: Browser, path: str) -> None:
    assert browser.get(path).headers["Location"] == f"/sign-in?next={path}"


def test_forms_about_oneself_reach_nobody_else(
    app: Flask, browser: Browser, new_browser: Browsers
) -> None:
    browser.register("otter")
    with app.app_context():
        otter = db.session.scalars(select(User.id)).one()
    mallory = new_browser()
    mallory.register("mallory")
    before = [row for row in all_rows(app)["users"] if row[0] == otter]
    mallory.get("/account")
    for path in ("/account/name", "/settings", "/account/password", "/account/delete"):
        fields = {"user_id": str(otter), "id": str(otter), "handle": "otter", "theme": "dark"}
        mallory.send(path, shown_name="Mallory", password=PASSWORD, **fields)
        mallory.get("/account")
        if not mallory.is_signed_in():
            break
    assert [row for row in all_rows(app)["users"] if row[0] == otter] == before
    assert browser.is_signed_in()


def test_a_look_is_answered_as_a_head_request_too(client: FlaskClient) -> None:
    for path in ("/register", "/sign-in", "/recover"):
        assert client.head(path).status_code == 200


# What is kept, where one is signed in, and all of it as a file


def test_the_account_page_lists_browsers_and_ends_all_but_one(
    new_browser: Browsers, app: Flask
) -> None:
    here, there = new_browser(), new_browser()
    here.register("otter")
    there.sign_in("otter")
    here.get("/account")
    assert here.text.count("This browser, since") == 1
    assert here.text.count("Another browser, since") == 1
    stolen = here.cookie() or ""
    assert here.send("/account/sign-out-everywhere").status_code == 303
    assert here.is_signed_in()
    assert not there.is_signed_in()
    thief = new_browser()
    thief.set_cookie(stolen)
    assert not thief.is_signed_in()


def test_all_that_is_kept_about_a_person_is_one_file(browser: Browser) -> None:
    code = browser.register("otter", shown_name="Zoë")
    browser.get("/")
    table = browser.send("/play-now").headers["Location"]
    answer = browser.client.get("/account/data")
    assert answer.mimetype == "application/json"
    assert (
        answer.headers["Content-Disposition"] == 'attachment; filename="raise-the-sum-otter.json"'
    )
    kept = answer.get_json()
    assert kept["person"]["shown_name"] == "Zoë"
    assert [place["this_browser"] for place in kept["signed_in"]] == [True]
    [game] = kept["tables"]
    assert game["seats"][0] == "Zoë"
    assert game["moves"][0]["number"] == 0
    for secret in (code, PASSWORD, "argon2", table.split("/")[-1], "_hash"):
        assert secret not in answer.text


def test_the_file_shows_no_card_of_another_hand(browser: Browser) -> None:
    browser.register("otter")
    browser.get("/")
    browser.send("/play-now")
    moves = browser.client.get("/account/data").get_json()["tables"][0]["moves"]
    assert "deal: " not in str(moves)
    assert all("state" not in move and "events" not in move for move in moves)


def test_nobody_gets_a_file_of_nobody(browser: Browser) -> None:
    assert browser.client.get("/account/data").status_code == 303


def test_the_privacy_page_says_what_is_stored_for_how_long_and_names_the_cookie(
    browser: Browser,
) -> None:
    assert browser.get("/privacy").status_code == 200
    assert "raisesum" in browser.text
    assert "400 days" in browser.text
    browser.get("/")
    assert 'href="/privacy"' in browser.page
