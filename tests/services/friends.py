"""Tables of several people, made the way they make them, and states put behind them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from sqlalchemy import delete

from raisesum.engine import Phase, State, dump_state, load_state
from raisesum.extensions import db
from raisesum.models import Presence
from raisesum.services import pace, play, presence, seating, seats, server_time, waiting
from raisesum.services.table import table_for
from raisesum.services.table_settings import TableSettings
from raisesum.services.transactions import write_transaction
from tests.services.tables import guest, next_action, stored, stored_state


class Friends(NamedTuple):
    """A table's key and its people, seat 1 first."""

    key: str
    people: tuple[int, ...]


def waiting_table(persons: int = 2, bots: Sequence[str] = (), **settings: object) -> Friends:
    """Set a table with just as many seats as it needs, all people sitting."""
    people = tuple(guest() for _ in range(persons))
    chosen = TableSettings(**{"seats": persons + len(bots), **settings})
    key = waiting.create(people[0], chosen, bots)
    for person in people[1:]:
        seating.join(person, key)
    return Friends(key, people)


def match_of(
    persons: int = 2,
    bots: Sequence[str] = (),
    *,
    delay: int = 0,
    first: int = 1,
    **settings: object,
) -> Friends:
    """Begin a match of people and bots; seat `first` opens."""
    friends = waiting_table(persons, bots, first=first, **settings)
    waiting.start(friends.people[0], friends.key, delay)
    return friends


def put(key: str, **parts: object) -> State:
    """Replace parts of the stored state, such as `hands`; what is due is what follows from it."""
    state = replace(stored_state(key), **parts)
    with write_transaction() as session:
        game = seats.locked(session, key)
        game.state = dump_state(state)
        game.due_at = pace.due_after(game, state, server_time.now_ms(), 0)
    return state


def seen(key: str, person: int, at: int | None = None) -> None:
    """Have a person been seen at `at` (server time), or now, whatever is noted so far."""
    game_id = stored(key).id
    with write_transaction() as session:
        session.execute(
            delete(Presence).where(Presence.game_id == game_id, Presence.user_id == person)
        )
        session.add(
            Presence(
                game_id=game_id,
                user_id=person,
                seen_at=server_time.now_ms() if at is None else at,
            )
        )


def is_away(key: str, person: int) -> None:
    """Have a person not been seen for longer than counts as being away."""
    seen(key, person, server_time.now_ms() - presence.AWAY_MS - 1)


def on_turn(key: str) -> int:
    """Return the seat on turn."""
    return stored_state(key).turn


def play_on(key: str, people: Iterable[int], delay: int = 0, *, guess: int | None = None) -> bool:
    """Do what is next at the table, for whichever of `people` is on turn; False once it is over.

    `guess` is what each says their plays will score, where the table asks for it.

    Raises:
        AssertionError: the match stands still, though some of `people` play.
    """
    play.run_due(key, delay)
    game = stored(key)
    state = load_state(game.state)
    if state.phase is Phase.OVER:
        return False
    person = game.seats[state.turn - 1].user_id
    assert person in people, f"the match waits for seat {state.turn}, whose person has gone"
    play.submit(person, key, game.version, next_action(person, key), delay, guess)
    return True


def play_to_the_end(key: str, people: Iterable[int], *, guess: int | None = None) -> None:
    """Play the match out with whoever of `people` is asked, bots and stand-ins answering."""
    people = list(people)
    for _ in range(2000):
        if not play_on(key, people, guess=guess):
            db.session.rollback()
            return
    raise AssertionError("the match does not end")


def is_over(key: str) -> bool:
    """Whether the match has ended with a winner."""
    return table_for(stored(key).seats[0].user_id, key).view.phase is Phase.OVER
