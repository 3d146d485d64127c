# ruff: noqa: RUF001 - letters that look like others are what this is about
"""People who are called alike can be told apart at a table, however they come to it."""

from __future__ import annotations

import pytest

from raisesum.extensions import db
from raisesum.models import User
from raisesum.services import absence, accounts, lobby, names, rematch, seating, waiting
from raisesum.services.names import LONGEST_SHOWN_NAME, told_apart
from raisesum.services.table_settings import TableSettings
from raisesum.services.transactions import write_transaction
from tests.services.friends import match_of, play_to_the_end
from tests.services.tables import guest, stored

WIDE_A = "\N{FULLWIDTH LATIN CAPITAL LETTER A}"

pytestmark = pytest.mark.usefixtures("app_context")


def called(name: str) -> int:
    person = guest()
    accounts.set_shown_name(person, name)
    return person


def names_at(key: str) -> list[str]:
    return [seat.name for seat in stored(key).seats]


def table_of(*shown: str, **settings: object) -> tuple[str, list[int]]:
    """Set a table at which people of these names sit."""
    people = [called(name) for name in shown]
    key = waiting.create(people[0], TableSettings(**{"seats": len(people), **settings}))
    for person in people[1:]:
        seating.join(person, key)
    return key, people


def test_who_comes_later_has_a_number_after_the_name():
    key, people = table_of("Ann", "Bea", "ANN", f"{WIDE_A}nn")
    assert names_at(key) == ["Ann", "Bea", "ANN 2", f"{WIDE_A}nn 3"]
    seating.leave(people[0], key)
    seating.join(called("Ann 2"), key)
    assert names_at(key) == ["Ann 2 2", "Bea", "ANN 2", f"{WIDE_A}nn 3"]


@pytest.mark.parametrize(
    ("name", "other"),
    [
        *(
            ("Poma", "Р\u043eм\u0430"),
            ("Anna", "\u0410nn\u0430"),
            ("Bill", "BiII"),
            ("Bill", "B1ll"),
        ),
        *(("Tom", "Torn"), ("Oleg", "0leg"), ("Zoë", "Zoe"), ("Иван", "ИВАН"), ("Νίκος", "ΝΙΚΟΣ")),
        *(("Ann", "A n n"), ("Ann", "\U0001d400nn"), ("عمر", "عُمر"), ("Ann", "A\u0336nn")),
    ],
)
def test_names_that_only_look_alike_have_numbers_too(name: str, other: str):
    assert names_at(table_of(name, other)[0]) == [name, f"{other} 2"]
    assert names_at(table_of(other, name)[0]) == [other, f"{name} 2"]


@pytest.mark.parametrize(
    ("name", "other"),
    [
        *(("राम", "रमा"), ("मीना", "मुना"), ("か", "が"), ("김", "강"), ("李", "季"), ("สม", "สมี")),
        *(("Иван", "Ирина"), ("Νίκος", "Μάρκος"), ("دانا", "دنيا"), ("Ann", "Anna"), (":)", ":(")),
    ],
)
def test_names_that_look_different_have_none(name: str, other: str):
    assert names_at(table_of(name, other)[0]) == [name, other]


def named_before_such_names_were_refused(name: str) -> int:
    person = guest()
    with write_transaction() as session:
        session.get_one(User, person).shown_name = name
    return person


@pytest.mark.parametrize("name", ["Y\u043eu", "\u0405harp", "Admin", "H\u043est 2"])
def test_who_is_called_like_the_program_since_before_has_another_name_at_tables(name: str):
    key, _people = table_of("Ann", seats=3)
    person = named_before_such_names_were_refused(name)
    seating.join(person, key)
    alone = lobby.start_practice(person, ["sharp"], bot_delay_ms=0)
    assert names.is_from_list(names_at(key)[1])
    assert names.is_from_list(names_at(alone)[0])
    assert db.session.get_one(User, person).shown_name == name


def test_who_takes_anothers_name_in_mid_match_has_it_with_a_number():
    key, people = match_of(3)
    for person in people:
        accounts.set_shown_name(person, "Ann")
    assert names_at(key) == ["Ann", "Ann 2", "Ann 3"]
    accounts.register("bea", "", "seven quiet otters", guest_id=people[2])
    assert names_at(key) == ["Ann", "Ann 2", "Ann 3"]
    accounts.set_shown_name(people[0], "Bea")
    accounts.set_shown_name(people[2], "Ann")
    assert names_at(key) == ["Bea", "Ann 2", "Ann"]


def test_where_a_table_becomes_one_for_friends_its_namesakes_have_numbers():
    key, people = table_of("Ann", "Ann", is_public=True)
    assert "Ann" not in names_at(key)
    waiting.change(people[0], key, TableSettings(seats=2))
    assert names_at(key) == ["Ann", "Ann 2"]


def test_in_a_rematch_too():
    key, people = match_of(2, goal=1)
    for person in people:
        accounts.set_shown_name(person, "Ann")
    play_to_the_end(key, people)
    new = rematch.press(people[1], key, 0)
    rematch.press(people[0], key, 0)
    assert names_at(new) == ["Ann 2", "Ann"]


def test_several_who_have_gone_for_good_can_be_told_apart():
    key, people = match_of(3)
    for person in people[:2]:
        absence.leave(person, key, 60_000)
        accounts.delete_account(person, "")
    assert names_at(key)[:2] == ["Former player", "Former player 2"]


@pytest.mark.parametrize(
    "name", ["N" * LONGEST_SHOWN_NAME, "N" * 21 + "\u200d🙂🙂", "\u0301" * 23 + "a", "Ann 999"]
)
def test_a_name_with_a_number_is_no_longer_than_names_are(name: str):
    others: list[str] = []
    for _ in range(12):
        others.append(told_apart(name, others))
    assert len(set(others)) == 12
    assert max(map(len, others)) <= LONGEST_SHOWN_NAME
    assert all(names.shown_name(each) == each for each in others[1:])
