"""Shuffling from a seed, the same on every machine and in every version of Python."""

from collections.abc import Iterable
from hashlib import shake_256

from raisesum.engine.cards import Card

_KEY_BYTES = 16


def shuffled(cards: Iterable[Card], seed: int, number: int) -> tuple[Card, ...]:
    """Return `cards` in the order that shuffle `number` of `seed` gives them.

    Each card is given the next 128 bits of SHAKE-256 over the seed and the number, and the
    cards are sorted by these.  Keys that are equal, the only way of being unfair, will not be
    met: the chance is below 2^-110 for 300 cards.  Knowing some cards of a shuffle does not
    help to work out the others, as long as the seed has enough bits.
    """
    cards = tuple(cards)
    stream = _stream(seed, f"shuffle {number}", _KEY_BYTES * len(cards))
    places = sorted(
        range(len(cards)), key=lambda place: stream[_KEY_BYTES * place : _KEY_BYTES * (place + 1)]
    )
    return tuple(cards[place] for place in places)


def drawn_lot(seed: int, choices: int) -> int:
    """Return a number from 1 to `choices`, drawn from the seed: who opens the match."""
    return 1 + int.from_bytes(_stream(seed, "first player", 16)) % choices


def _stream(seed: int, purpose: str, length: int) -> bytes:
    return shake_256(f"raise the sum/{seed}/{purpose}".encode()).digest(length)
