from __future__ import annotations

import pytest
from flask import Flask
from sqlalchemy import select

from raisesum.engine import Pass
from raisesum.extensions import db
from raisesum.models import SeatChange, SeatOffer, User
from raisesum.services import (
    absence,
    accounts,
    lobby,
    play,
    pruning,
    reactions,
    review,
    seat_offers,
    seating,
    seats,
    waiting,
)
from raisesum.services.errors import (
    NoSuchTableError,
    NotBegunError,
    SentAwayError,
    ServiceError,
    TableClosedError,
)
from raisesum.services.help import Help
from raisesum.services.personal_data import personal_data
from raisesum.services.seat_offers import HasSatHereError, OfferEndedError
from raisesum.services.table import table_for
from raisesum.services.transactions import write_transaction
from tests.services.concurrency import at_once
from tests.services.friends import (
    is_away,
    match_of,
    on_turn,
    play_on,
    play_to_the_end,
    seen,
    waiting_table,
)
from tests.services.tables import guest, log_rows, next_action, replayed, stored, stored_state

pytestmark = pytest.mark.usefixtures("app_context")


def offerable(person: int, key: str) -> list[int]:
    return [seat.number for seat in seat_offers.offerable(person, key)]


def link(person: int, key: str, number: int) -> str:
    token = seat_offers.offer(person, key, number, 0)
    assert token is not None
    return token


def who(key: str) -> list[int | None]:
    return [seat.user_id for seat in stored(key).seats]


def has_ended(token: str) -> bool:
    try:
        seat_offers.seat_behind(token, None)
    except OfferEndedError:
        with pytest.raises(OfferEndedError):
            seat_offers.take(guest(), token, 0)
        return True
    return False


def test_somebody_takes_over_a_seat_as_themselves_with_its_hand_and_the_match_goes_on():
    key, people = match_of(3)
    play_on(key, people)
    before, revision = stored_state(key), stored(key).revision
    accounts.set_shown_name(people[1], "Ann")
    comer = guest()
    accounts.set_shown_name(comer, "Bea")
    absence.leave(people[1], key, 60_000)
    assert seat_offers.take(comer, link(people[0], key, 2), 60_000) == key
    assert who(key) == [people[0], comer, people[2]]
    seat = stored(key).seats[1]
    assert (seat.name, seat.bot, seat.stand_in, seat.left) == ("Bea", None, False, False)
    assert stored_state(key) == before
    assert stored(key).revision > revision
    assert table_for(comer, key).view.hand == before.hands[1]
    with pytest.raises(NoSuchTableError):
        table_for(people[1], key)
    play_to_the_end(key, [people[0], comer, people[2]])
    assert replayed(key) == stored_state(key)


def test_people_give_their_own_seat_away_and_play_on_until_the_link_is_used():
    key, people = match_of(2)
    friend = guest()
    token = link(people[0], key, 1)
    play_on(key, people)
    assert seat_offers.seat_behind(token, friend).name == stored(key).seats[0].name
    seat_offers.take(friend, token, 0)
    assert who(key) == [friend, people[1]]
    # The host has gone with the seat, and the next player is host.
    assert stored(key).host_id == people[1]


def test_a_seat_at_a_match_against_bots_is_given_away_too_and_no_bots_seat_is():
    me, friend = guest(), guest()
    key = lobby.start_practice(me, ["easy", "easy"], bot_delay_ms=0)
    assert offerable(me, key) == [1]
    with pytest.raises(ServiceError, match="cannot be offered"):
        seat_offers.offer(me, key, 2, 0)
    seat_offers.take(friend, link(me, key, 1), 0)
    assert who(key) == [friend, None, None]
    assert stored(key).host_id is None
    assert table_for(friend, key).practice


def test_the_host_offers_seats_that_bots_play_for_and_those_of_people_who_are_away():
    key, people = match_of(3, ["easy"])
    host, second, third = people
    for person in people:
        seen(key, person)
    assert offerable(host, key) == [1, 4]
    assert offerable(second, key) == [2]
    for number in (1, 3, 4, 5, 0):
        with pytest.raises(ServiceError):
            seat_offers.offer(second, key, number, 0)
    with pytest.raises(ServiceError):
        seat_offers.offer(host, key, 2, 0)
    is_away(key, second)
    absence.leave(third, key, 60_000)
    assert offerable(host, key) == [1, 2, 3, 4]
    # From then on a bot keeps the seat warm.
    token = link(host, key, 2)
    assert stored(key).seats[1].stand_in
    comers = [guest() for _ in range(3)]
    tokens = [token, link(host, key, 3), link(host, key, 4)]
    for comer, each in zip(comers, tokens, strict=True):
        seat_offers.take(comer, each, 0)
    assert who(key) == [host, *comers]
    assert all(seats.level_playing(seat) is None for seat in stored(key).seats)


def test_where_nobody_hosts_all_who_are_there_have_to_agree():
    key, people = match_of(4)
    host, second, third, fourth = people
    for person in people:
        seen(key, person)
    is_away(key, host)
    absence.leave(fourth, key, 60_000)
    with write_transaction() as session:
        # Whoever is next is host after somebody has left; here the host has vanished.
        seats.locked(session, key).host_id = host
    assert seat_offers.offer(second, key, 4, 0) is None
    [seat] = [each for each in seat_offers.offerable(third, key) if each.number == 4]
    assert (seat.has_agreed, seat.missing, seat.has_link) == (False, (), False)
    [seat] = [each for each in seat_offers.offerable(second, key) if each.number == 4]
    assert (seat.has_agreed, seat.missing) == (True, (stored(key).seats[2].name,))
    token = link(third, key, 4)
    comer = guest()
    seat_offers.take(comer, token, 0)
    assert who(key)[3] == comer
    # The seat of the one who has vanished, too, though not once they are there again.
    assert seat_offers.offer(third, key, 1, 0) is None
    seen(key, host)
    with pytest.raises(ServiceError):
        seat_offers.offer(second, key, 1, 0)


def test_a_link_ends_when_it_is_used_withdrawn_or_followed_by_another():
    key, people = match_of(2, ["easy"])
    for person in people:
        seen(key, person)
    used = link(people[0], key, 3)
    seat_offers.take(guest(), used, 0)
    assert has_ended(used)
    older = link(people[0], key, 1)
    newer = link(people[0], key, 1)
    assert has_ended(older)
    assert not has_ended(newer)
    with pytest.raises(ServiceError):
        seat_offers.withdraw(people[1], key, 1)
    seat_offers.withdraw(people[0], key, 1)
    assert has_ended(newer)


@pytest.mark.parametrize("comes_back", ["presses", "moves"])
def test_a_link_ends_for_good_when_the_player_comes_back(comes_back: str):
    key, people = match_of(2)
    seen(key, people[0])
    absence.leave(people[1], key, 60_000)
    token = link(people[0], key, 2)
    if comes_back == "presses":
        absence.come_back(people[1], key, 0)
    else:
        absence.come_back(people[1], key, 0)
        play_on(key, people)
        assert on_turn(key) == 2
        absence.leave(people[1], key, 60_000)
        token = link(people[0], key, 2)
        move = next_action(people[1], key)
        play.submit(people[1], key, stored(key).version, move, 60_000)
    assert has_ended(token)
    absence.leave(people[1], key, 60_000)
    assert has_ended(token)


@pytest.mark.parametrize("end", ["won", "deleted", "pruned"])
def test_a_link_ends_with_the_match(end: str):
    key, people = match_of(2, goal=1)
    token = link(people[0], key, 1)
    if end == "won":
        play_to_the_end(key, people)
    elif end == "pruned":
        pruning.prune(-1_000)
    else:
        accounts.delete_account(people[0], "")
    assert has_ended(token)
    if end == "won":
        with pytest.raises(TableClosedError):
            seat_offers.offer(people[0], key, 1, 0)


def test_nobody_takes_a_seat_who_knows_other_cards_of_the_match():
    key, people = match_of(3, ["easy"])
    for person in people:
        seen(key, person)
    token = link(people[0], key, 4)
    for person in people:
        assert seat_offers.seat_behind(token, person).has_sat_here
        with pytest.raises(HasSatHereError):
            seat_offers.take(person, token, 0)
    # Nor afterwards: but one's own seat one may have back.
    friend = guest()
    seat_offers.take(friend, link(people[1], key, 2), 0)
    with pytest.raises(HasSatHereError):
        seat_offers.take(people[1], token, 0)
    seat_offers.take(people[1], link(friend, key, 2), 0)
    assert who(key) == [*people, None]
    assert not has_ended(token)


def test_looking_at_a_link_and_making_one_tells_nothing_of_the_hand():
    key, people = match_of(2, ["easy"])
    seen(key, people[0])
    before = table_for(people[0], key).view
    token = link(people[0], key, 3)
    assert table_for(people[0], key).view == before
    seat = seat_offers.seat_behind(token, None)
    assert (seat.name, seat.key) == (stored(key).seats[2].name, key)
    assert who(key)[2] is None


def test_whom_the_host_has_removed_takes_no_seat_of_the_match():
    key, people = waiting_table(2, seats=3)
    seating.remove(people[0], key, 2, stored(key).revision)
    waiting.start(people[0], key, 0)
    token = link(people[0], key, 2)
    with pytest.raises(SentAwayError):
        seat_offers.take(people[1], token, 0)


def test_of_sixteen_who_use_a_link_at_once_one_sits_down(app: Flask):
    key, people = match_of(2, ["easy"])
    seen(key, people[0])
    token = link(people[0], key, 3)
    comers = [guest() for _ in range(16)]
    waiting_comers = iter(comers)

    def use() -> bool:
        try:
            seat_offers.take(next(waiting_comers), token, 0)
        except OfferEndedError:
            return False
        return True

    assert at_once(app, 16, use).count(True) == 1
    assert who(key)[2] in comers


def test_one_person_who_uses_two_links_at_once_has_one_seat(app: Flask):
    key, people = match_of(2, ["easy", "easy"])
    seen(key, people[0])
    tokens = iter([link(people[0], key, 3), link(people[0], key, 4)] * 4)
    comer = guest()

    def use() -> bool:
        try:
            seat_offers.take(comer, next(tokens), 0)
        except (OfferEndedError, HasSatHereError):
            return False
        return True

    assert at_once(app, 8, use).count(True) == 1
    assert who(key).count(comer) == 1


def test_the_database_does_not_hold_the_token_and_ones_data_tells_of_links_and_changes():
    key, people = match_of(2)
    token = link(people[0], key, 1)
    row = db.session.scalars(select(SeatOffer)).one()
    assert token not in (row.token_hash, str(row.user_id))
    data = personal_data(people[0], None)
    assert [offer["seat"] for offer in data["seat_offers"]] == [1]
    assert row.token_hash not in str(data)
    seat_offers.take(guest(), token, 0)
    assert [change["seat"] for change in personal_data(people[0], None)["seat_changes"]] == [1]


def test_why_a_seat_is_lost_is_known_to_the_one_who_had_it():
    key, people = match_of(3)
    seen(key, people[0])
    absence.leave(people[1], key, 60_000)
    comer, friend = guest(), guest()
    seat_offers.take(comer, link(people[0], key, 2), 0)
    seat_offers.take(friend, link(people[2], key, 3), 0)
    names = [seat.name for seat in stored(key).seats]
    lost = seat_offers.lost_seat(people[1], key)
    assert lost is not None
    assert (lost.by_owner, lost.name) == (False, names[1])
    given = seat_offers.lost_seat(people[2], key)
    assert given is not None
    assert (given.by_owner, given.name) == (True, names[2])
    for other in (None, people[0], comer, guest()):
        assert seat_offers.lost_seat(other, key) is None


def test_what_was_muted_or_agreed_about_a_player_is_not_about_the_next_one():
    key, people = match_of(3)
    reactions.set_muted(people[0], key, 2, True)
    reactions.set_muted(people[1], key, 3, True)
    reactions.say(people[1], key, "hello")
    is_away(key, people[1])
    seen(key, people[2])
    seen(key, people[0])
    absence.agree(people[0], key, 2, 0)
    comer = guest()
    seat_offers.take(comer, link(people[0], key, 2), 0)
    assert not table_for(people[0], key).people[1].is_muted
    assert not table_for(comer, key).people[2].is_muted
    assert table_for(people[2], key).said == ()
    assert table_for(people[0], key).agreed == ()


def test_the_log_keeps_who_moved():
    key, people = match_of(2)
    accounts.set_shown_name(people[0], "Ann")
    play_on(key, people)
    version = stored(key).version
    friend = guest()
    accounts.set_shown_name(friend, "Bea")
    seat_offers.take(friend, link(people[0], key, 1), 0)
    for viewer in (friend, people[1]):
        [change] = table_for(viewer, key).changes
        assert (change.seat, change.version, change.former_name) == (1, version, "Ann")
        assert table_for(viewer, key).people[0].took_from == "Ann"
    assert len(log_rows(key)) == version + 1
    accounts.delete_account(people[0], "")
    assert db.session.scalars(select(SeatChange.former_name)).all() == ["Former player"]
    assert db.session.get(User, people[0]) is None


def test_nobody_is_told_of_the_passes_and_guesses_of_the_one_before_them():
    key, people = match_of(2, help=Help("head"), goal=2)
    accounts.set_shown_name(people[0], "Ann")
    # A pass on the opening turn is never forced.
    play.submit(people[0], key, 0, Pass(), 0)
    while table_for(people[0], key).guesses.made == 0:
        play_on(key, people, guess=0)
    friend = guest()
    seat_offers.take(friend, link(people[0], key, 1), 0)
    assert table_for(friend, key).guesses.made == 0
    assert review.own_review(friend, key).own == ()
    play_to_the_end(key, [friend, people[1]], guess=0)
    whole = review.review_for(friend, key)
    first = whole.missed[0]
    assert (first.number, first.seat, first.by) == (1, 1, "Ann")
    assert first not in whole.own


def test_seats_are_offered_where_a_match_goes_on_by_those_who_sit_there():
    key, people = waiting_table(2)
    with pytest.raises(NotBegunError):
        seat_offers.offer(people[0], key, 1, 0)
    begun, _people = match_of(2)
    for stranger in (guest(), people[0]):
        for call in (seat_offers.offerable, lambda *of: seat_offers.offer(*of, 1, 0)):
            with pytest.raises(NoSuchTableError):
                call(stranger, begun)


@pytest.mark.parametrize("token", ["", "x", "x" * 5000])
def test_what_never_was_a_link_leads_nowhere(token: str):
    assert has_ended(token)
