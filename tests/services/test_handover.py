from __future__ import annotations

import pytest
from flask import Flask
from sqlalchemy import select

from raisesum.extensions import db
from raisesum.models import Handover, User
from raisesum.services import accounts, handover, server_time, signins
from raisesum.services.errors import ServiceError
from raisesum.services.handover import HandoverEndedError
from tests.services.concurrency import at_once
from tests.services.tables import guest

pytestmark = pytest.mark.usefixtures("app_context")


def test_a_link_signs_its_guest_in_on_another_device_once():
    me = guest()
    token = handover.begin(me)
    entrance = handover.use(token)
    assert entrance.user_id == me
    assert signins.find(entrance.token).user_id == me
    with pytest.raises(HandoverEndedError, match="used already"):
        handover.use(token)


def test_looking_at_a_link_uses_nothing_up():
    me = guest()
    token = handover.begin(me)
    name = db.session.get_one(User, me).shown_name
    assert [handover.name_behind(token) for _ in range(3)] == [name] * 3
    assert handover.use(token).user_id == me
    with pytest.raises(HandoverEndedError):
        handover.name_behind(token)


def test_both_devices_stay_signed_in():
    first = accounts.create_guest()
    second = handover.use(handover.begin(first.user_id))
    assert signins.find(first.token) is not None
    assert signins.find(second.token) is not None


def test_a_link_is_good_for_ten_minutes(monkeypatch):
    token = handover.begin(guest())
    now = server_time.now_ms()
    monkeypatch.setattr(server_time, "now_ms", lambda: now + handover.LASTS_MS + 1)
    with pytest.raises(HandoverEndedError):
        handover.name_behind(token)
    with pytest.raises(HandoverEndedError):
        handover.use(token)


def test_the_next_link_ends_the_one_before():
    me = guest()
    old, new = handover.begin(me), handover.begin(me)
    with pytest.raises(HandoverEndedError):
        handover.use(old)
    assert handover.use(new).user_id == me


def test_a_link_ends_when_its_guest_registers_or_signs_out_everywhere():
    me = guest()
    token = handover.begin(me)
    accounts.sign_out_everywhere(me, None)
    with pytest.raises(HandoverEndedError):
        handover.use(token)
    token = handover.begin(me)
    accounts.register("otter", "", "seven quiet otters", guest_id=me)
    with pytest.raises(HandoverEndedError):
        handover.use(token)


def test_the_database_does_not_hold_the_token():
    token = handover.begin(guest())
    row = db.session.scalars(select(Handover)).one()
    assert token not in (row.token_hash, str(row.user_id))


def test_who_has_an_account_signs_in_with_it():
    account = accounts.register("otter", "", "seven quiet otters").user_id
    with pytest.raises(ServiceError, match="You have an account"):
        handover.begin(account)


def test_of_sixteen_who_use_a_link_at_once_one_gets_in(app: Flask):
    token = handover.begin(guest())

    def use() -> bool:
        try:
            handover.use(token)
        except HandoverEndedError:
            return False
        return True

    assert at_once(app, 16, use).count(True) == 1


@pytest.mark.parametrize("token", ["", "x", "x" * 5000])
def test_what_never_was_a_link_leads_nowhere(token):
    with pytest.raises(HandoverEndedError):
        handover.use(token)
