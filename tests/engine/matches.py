"""Whole matches, played by programs, for tests."""

from collections.abc import Iterator
from random import Random

from raisesum.bots import Bot, level_named
from raisesum.engine import (
    OFFICIAL_DECKS,
    Action,
    Deck,
    Discard,
    Pass,
    Phase,
    Play,
    Setup,
    Step,
    View,
    apply,
    custom_deck,
    new_match,
    view_for,
)
from raisesum.engine.cards import ALL_CARDS


def any_choice(view: View, rng: Random) -> Action:
    """Choose any legal action, a pass one time in four."""
    if view.to_discard:
        return Discard(tuple(rng.sample(view.hand, view.to_discard)))
    plays = view.legal_plays
    if not plays or rng.randrange(4) == 0:
        return Pass()
    cards = list(rng.choice(plays).cards)
    rng.shuffle(cards)
    return Play(tuple(cards))


#: The bots among them are those that think for no time worth speaking of.
CHOICES: tuple[Bot, ...] = (
    any_choice,
    level_named("easy").choose,
    level_named("steady").choose,
)


def any_deck(rng: Random, players: int) -> Deck:
    """Return an official deck or, half of the time, a custom one, often hardly large enough."""
    if rng.randrange(2):
        return rng.choice(list(OFFICIAL_DECKS.values()))
    faces = rng.sample(ALL_CARDS, rng.randint(3, 20))
    counts = {face: rng.randint(1, 4) for face in faces}
    additions = rng.sample(ALL_CARDS[:20], 3)
    size = sum(counts.values())
    for face in additions:
        counts[face] = counts.get(face, 0) + max(4, (8 * players - size) // 3 + 1)
    order = list(counts.items())
    rng.shuffle(order)
    return custom_deck(dict(order))


def any_setup(rng: Random) -> Setup:
    players = rng.randint(2, 4)
    first = rng.choice([None, *range(1, players + 1)])
    return Setup(players, any_deck(rng, players), rng.choice([1, 1, 2, 3]), first)


def played(setup: Setup, seed: int, rng: Random) -> Iterator[tuple[Action | None, Step]]:
    """Play a match to its end; yield the deal and then each action with what it led to."""
    choices = [rng.choice(CHOICES) for _ in range(setup.players)]
    step = new_match(setup, seed)
    yield None, step
    while step.state.phase is not Phase.OVER:
        seat = step.state.turn
        action = choices[seat - 1](view_for(step.state, seat), rng)
        step = apply(step.state, seat, action)
        yield action, step
