"""Tables in the database, made the way players make them."""

from sqlalchemy import select

from raisesum.engine import Action, Discard, Pass, Play, State, apply, load_state, new_match
from raisesum.engine.actions import parse_action
from raisesum.extensions import db
from raisesum.models import Action as ActionRow
from raisesum.models import Game
from raisesum.services import accounts, play
from raisesum.services.table import table_for


def guest() -> int:
    """Make a guest and return the number of its row."""
    return accounts.create_guest()[0]


def stored(key: str) -> Game:
    """Return the row of a table, read afresh."""
    db.session.rollback()
    return db.session.scalars(select(Game).where(Game.key == key)).one()


def stored_state(key: str) -> State:
    """Return the state of a table, secrets included."""
    return load_state(stored(key).state)


def log_rows(key: str) -> list[ActionRow]:
    """Return the rows of a table's log, the deal first."""
    query = select(ActionRow).join(Game, Game.id == ActionRow.game_id).where(Game.key == key)
    return list(db.session.scalars(query.order_by(ActionRow.number)))


def replayed(key: str) -> State:
    """Return the state that a table's log leads to, from the deal on."""
    state = stored_state(key)
    state = new_match(state.setup, state.seed).state
    for row in log_rows(key)[1:]:
        assert row.seat is not None
        state = apply(state, row.seat, parse_action(row.action)).state
    return state


def next_action(user_id: int, key: str) -> Action:
    """Return a legal action of this person: a discard, the first play or, without one, a pass."""
    view = table_for(user_id, key).view
    if view.to_discard:
        return Discard(view.hand[: view.to_discard])
    return Play(view.legal_plays[0].cards) if view.legal_plays else Pass()


def move(user_id: int, key: str, delay: int = 0) -> bool:
    """Let the bots move until this person must, and make one move; False once it is over."""
    play.skip_to_person(user_id, key, delay)
    table = table_for(user_id, key)
    if not table.is_playing:
        return False
    play.submit(user_id, key, table.version, next_action(user_id, key), delay)
    return True
