"""The start of a match: what is dealt, and by which chance."""

from __future__ import annotations

import secrets

import pytest
from flask import Flask

from raisesum.services import dealing
from raisesum.services.lobby import start_practice
from tests.services.tables import guest, stored_state


def test_a_seed_is_128_bits_of_the_systems_randomness(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()  # the seeds of tests
    asked: list[int] = []
    monkeypatch.setattr(secrets, "randbits", lambda bits: asked.append(bits) or 42)
    assert dealing.new_seed() == 42
    assert asked == [128]


def test_a_deal_is_made_from_a_seed_of_its_own(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    seeds = iter([7, 8])
    monkeypatch.setattr(dealing, "new_seed", lambda: next(seeds))
    with app.app_context():
        person = guest()
        keys = [start_practice(person, ("easy",), bot_delay_ms=0) for _ in range(2)]
        assert [stored_state(key).seed for key in keys] == [7, 8]
