"""Moves: a person's, and the bots' that follow.

Nothing runs in the background.  A game row says when a bot's move is due, and whoever next asks
for the table makes it (`run_due`).  Bots think outside the write transaction; the version is
checked again inside it, so two that ask at once cannot move a bot twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import SystemRandom

from sqlalchemy import select
from sqlalchemy.orm import Session, selectinload

from raisesum.bots import level_named
from raisesum.engine import (
    Action,
    Card,
    IllegalActionError,
    Phase,
    Play,
    Receipt,
    State,
    Step,
    apply,
    dump_events,
    dump_state,
    load_state,
    score,
    view_for,
)
from raisesum.engine.legality import check_action
from raisesum.extensions import db
from raisesum.models import Action as ActionRow
from raisesum.models import Game
from raisesum.services.clock import now_ms
from raisesum.services.errors import (
    NoSuchTableError,
    StaleMoveError,
    TableClosedError,
)
from raisesum.services.table import FINISHED, GIVEN_UP, PLAYING, own_seat, people, table_for
from raisesum.services.transactions import write_transaction

_CHANCE = SystemRandom()


@dataclass(frozen=True)
class Preview:
    """What some cards would score now, and why they may not be played, if they may not.

    `version` is that of the table which the cards were held against.
    """

    version: int
    receipt: Receipt
    target: int | None
    refusal: IllegalActionError | None


def submit(user_id: int, key: str, version: int, action: Action, bot_delay_ms: int) -> None:
    """Make `action` for the seat of `user_id`, as seen from `version` of the table.

    Sending the action that was just accepted once more is taken as the success it was.

    Raises:
        NoSuchTableError: there is no table `key` at which this person sits.
        StaleMoveError: the table is at another version.
        TableClosedError: the match was given up.
        IllegalActionError: the rules forbid the action.
    """
    with write_transaction() as session:
        game = _locked(session, key)
        seat = own_seat(game, user_id)
        if seat is None:
            raise NoSuchTableError
        if _is_repeat(session, game, seat.number, version, action):
            return
        if version != game.version:
            raise StaleMoveError
        if game.status == GIVEN_UP:
            raise TableClosedError
        step = apply(load_state(game.state), seat.number, action)
        _store(session, game, seat.number, action, step, bot_delay_ms)


def preview(user_id: int, key: str, cards: tuple[Card, ...]) -> Preview:
    """Return what `cards` of this person's hand would score now.

    Raises:
        NoSuchTableError: there is no table `key` at which this person sits.
    """
    table = table_for(user_id, key)
    view = table.view
    receipt = score(cards, view.incoming)
    refusal = None
    try:
        check_action(Play(cards), Phase.MOVE, view.hand, receipt.score, view.target)
    except IllegalActionError as error:
        refusal = error
    return Preview(table.version, receipt, view.target, refusal)


def run_due(key: str, bot_delay_ms: int) -> None:
    """Make every bot's move that is due at table `key` by now."""
    while _move_bot(key, bot_delay_ms, only_when_due=True):
        pass


def skip_to_person(user_id: int, key: str, bot_delay_ms: int) -> None:
    """Let the bots move until a person must, or the match ends, where this person plays alone.

    At a table where other people sit nothing happens: they want to see the moves too.

    Raises:
        NoSuchTableError: there is no table `key` at which this person sits.
    """
    if table_for(user_id, key).practice:
        while _move_bot(key, bot_delay_ms, only_when_due=False):
            pass


def give_up(user_id: int, key: str) -> None:
    """End a match against bots without a winner; ending it twice is harmless.

    Raises:
        NoSuchTableError: there is no table `key` at which this person sits.
        TableClosedError: other people play here, who would lose their match.
    """
    with write_transaction() as session:
        game = _locked(session, key)
        if own_seat(game, user_id) is None:
            raise NoSuchTableError
        if not all(person.is_you or person.bot for person in people(game, user_id)):
            raise TableClosedError
        if game.status == PLAYING:
            game.status = GIVEN_UP
            game.due_at = None
            game.revision += 1
            game.updated_at = now_ms()


def due_after(state: State, bots: set[int], now: int, bot_delay_ms: int) -> int | None:
    """Return when a bot must move in `state`, in ms since 1970, or None when none must.

    Args:
        state: the match.
        bots: the seats that bots have.
        now: the time, in ms since 1970.
        bot_delay_ms: how long a bot takes, so that people can follow.
    """
    if state.phase is Phase.OVER or state.turn not in bots:
        return None
    # A discard belongs to the play before it: nobody should have to watch it by itself.
    return now if state.phase is Phase.DISCARD else now + bot_delay_ms


def _move_bot(key: str, bot_delay_ms: int, *, only_when_due: bool) -> bool:
    """Make one bot's move at table `key`; return whether another may be made at once."""
    game = db.session.scalars(
        select(Game).where(Game.key == key).options(selectinload(Game.seats))
    ).one_or_none()
    if game is None or game.due_at is None or (only_when_due and game.due_at > now_ms()):
        return False
    version, state = game.version, load_state(game.state)
    level = game.seats[state.turn - 1].bot
    if level is None:
        raise RuntimeError("a move is due from a seat that no bot has")
    action = level_named(level).choose(view_for(state, state.turn), _CHANCE)
    with write_transaction() as session:
        game = _locked(session, key)
        if game.version == version and game.due_at is not None:
            step = apply(state, state.turn, action)
            _store(session, game, state.turn, action, step, bot_delay_ms)
    return True


def _locked(session: Session, key: str) -> Game:
    game = session.scalars(
        select(Game).where(Game.key == key).options(selectinload(Game.seats)).with_for_update()
    ).one_or_none()
    if game is None:
        raise NoSuchTableError
    return game


def _is_repeat(session: Session, game: Game, seat: int, version: int, action: Action) -> bool:
    if version >= game.version or version < 0:
        return False
    row = session.get(ActionRow, (game.id, version + 1))
    return row is not None and (row.seat, row.action) == (seat, action.text)


def _store(
    session: Session, game: Game, seat: int, action: Action, step: Step, bot_delay_ms: int
) -> None:
    """Keep the state, the row of the log and the new version: one transaction's work."""
    now = now_ms()
    bots = {each.number for each in game.seats if each.bot}
    game.state = dump_state(step.state)
    game.version += 1
    game.revision += 1
    game.updated_at = now
    game.due_at = due_after(step.state, bots, now, bot_delay_ms)
    if step.state.winner is not None:
        game.status = FINISHED
        game.winner = step.state.winner
    session.add(
        ActionRow(
            game_id=game.id,
            number=game.version,
            seat=seat,
            action=action.text,
            events=dump_events(step.events),
            at=now,
        )
    )
