"""Moves: a person's, the bots' that follow, and what happens to those who take too long.

Nothing runs in the background.  A game row says when a bot's move is due or a person's time runs
out, and whoever next asks for the table sees to it (`run_due`).  Bots think outside the write
transaction; the version is checked again inside it, so two that ask at once cannot move a bot
twice.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from random import Random, SystemRandom
from threading import Lock

from sqlalchemy import select
from sqlalchemy.orm import Session, selectinload

from raisesum.bots import Reason, ask, level_named
from raisesum.bots.worth import least_useful
from raisesum.engine import (
    Action,
    Card,
    Discard,
    IllegalActionError,
    Pass,
    Phase,
    Play,
    Played,
    Receipt,
    State,
    Step,
    View,
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
from raisesum.models import Game, Guess, Seat
from raisesum.services import clock, pace, presence, server_time
from raisesum.services.errors import (
    NoSuchTableError,
    NotBegunError,
    StaleMoveError,
    TableClosedError,
)
from raisesum.services.help import HEAD, GuessNeededError, Tells
from raisesum.services.seats import (
    level_playing,
    locked,
    locked_with_seat,
    own_seat,
    persons,
    take_back,
)
from raisesum.services.table import FINISHED, GIVEN_UP, PLAYING, WAITING, table_for
from raisesum.services.transactions import write_transaction

_CHANCE = SystemRandom()
_LOG = logging.getLogger(__name__)
#: Bots think one at a time in a process.  Two would not be done sooner, and every request that has
#: to wait for the interpreter would wait for both.  A look at a table does not wait for another
#: table's bot.
_ONE_THINKS = Lock()


@dataclass(frozen=True)
class Preview:
    """What some cards would score now, and why they may not be played, if they may not.

    `version` is that of the table which the cards were held against, and `tells` says how much of
    all this may be told before the play.
    """

    version: int
    receipt: Receipt
    target: int | None
    refusal: IllegalActionError | None
    tells: Tells


def submit(
    user_id: int,
    key: str,
    version: int,
    action: Action,
    bot_delay_ms: int,
    guess: int | None = None,
) -> None:
    """Make `action` for the seat of `user_id`, as seen from `version` of the table.

    `guess` is what they say that a play will score, where the table wants that; it is kept for
    them beside the play, which counts by its true score.

    Sending the action that was just accepted once more is taken as the success it was. Whoever
    moves is back, if a stand-in has been playing for them.

    Raises:
        NoSuchTableError: there is no table `key` at which this person sits.
        NotBegunError: the table waits for people.
        StaleMoveError: the table is at another version.
        TableClosedError: the match was given up.
        GuessNeededError: the table wants a guess with every play.
        IllegalActionError: the rules forbid the action.
    """
    with write_transaction() as session:
        game, seat = locked_with_seat(session, key, user_id)
        if game.status == WAITING:
            raise NotBegunError
        if _is_repeat(session, game, seat.number, version, action):
            return
        if version != game.version:
            raise StaleMoveError
        if game.status == GIVEN_UP:
            raise TableClosedError
        guesses = game.help == HEAD and isinstance(action, Play)
        if guesses and guess is None:
            raise GuessNeededError
        step = apply(load_state(game.state), seat.number, action)
        take_back(session, seat)
        _store(session, game, seat.number, action, step, bot_delay_ms)
        if guesses and guess is not None and isinstance(step.events[0], Played):
            scored = step.events[0].score
            session.add(
                Guess(
                    game_id=game.id,
                    number=game.version,
                    seat=seat.number,
                    said=guess,
                    score=scored,
                )
            )


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
    return Preview(table.version, receipt, view.target, refusal, table.tells)


def run_due(key: str, bot_delay_ms: int) -> None:
    """Do everything that is due at table `key` by now: bots' moves, and turns out of time."""
    while _do_next(key, bot_delay_ms, only_when_due=True):
        pass


def skip_to_person(user_id: int, key: str, bot_delay_ms: int) -> None:
    """Let the bots move until a person must, or the match ends, where this person plays alone.

    At a table where other people sit nothing happens: they want to see the moves too.

    Raises:
        NoSuchTableError: there is no table `key` at which this person sits.
        NotBegunError: the table waits for people.
    """
    game = db.session.scalars(
        select(Game).where(Game.key == key).options(selectinload(Game.seats))
    ).one_or_none()
    seat = None if game is None else own_seat(game, user_id)
    if game is None or seat is None:
        raise NoSuchTableError
    if game.status == WAITING:
        raise NotBegunError
    if persons(game) == [seat]:
        while _do_next(key, bot_delay_ms, only_when_due=False):
            pass


def give_up(user_id: int, key: str) -> None:
    """End a match against bots without a winner; ending it twice is harmless.

    Raises:
        NoSuchTableError: there is no table `key` at which this person sits.
        NotBegunError: the table waits for people.
        TableClosedError: other people play here, who would lose their match.
    """
    with write_transaction() as session:
        _end_without_winner(*locked_with_seat(session, key, user_id))


def put_away(user_id: int, key: str) -> None:
    """Give a match against bots up; one in which this person has done nothing yet is gone.

    Raises: as `give_up`.
    """
    with write_transaction() as session:
        game, seat = locked_with_seat(session, key, user_id)
        was_over = game.status != PLAYING
        _end_without_winner(game, seat)
        own_actions = select(ActionRow.number).where(
            ActionRow.game_id == game.id, ActionRow.seat == seat.number
        )
        if not was_over and session.scalar(own_actions.limit(1)) is None:
            session.delete(game)


def _end_without_winner(game: Game, seat: Seat) -> None:
    if game.status == WAITING:
        raise NotBegunError
    if persons(game) != [seat]:
        raise TableClosedError
    if game.status == PLAYING:
        game.status = GIVEN_UP
        game.due_at = None
        game.revision += 1
        game.updated_at = clock.now_ms()


def chance_for(_view: View) -> Random:
    """Return the chance by which a bot chooses that sees `_view`: the system's."""
    return _CHANCE


def _do_next(key: str, bot_delay_ms: int, *, only_when_due: bool) -> bool:
    """Do the one thing that is next at table `key`; return whether another may follow at once."""
    game = db.session.scalars(
        select(Game).where(Game.key == key).options(selectinload(Game.seats))
    ).one_or_none()
    if game is None or game.due_at is None or game.status != PLAYING:
        return False
    is_due = game.due_at <= server_time.now_ms()
    version, state = game.version, load_state(game.state)
    level = level_playing(game.seats[state.turn - 1])
    if level is None:
        return is_due and _end_of_time(key, version, bot_delay_ms)
    if only_when_due and not is_due:
        return False
    # Nothing is held open while a bot thinks: others go on reading and writing.
    db.session.rollback()
    if not _ONE_THINKS.acquire(blocking=not only_when_due):
        # Whoever asks next for the table sees to it.
        return False
    try:
        view = view_for(state, state.turn)
        answer = ask(level_named(level).decide, view, chance_for(view))
    finally:
        _ONE_THINKS.release()
    if answer.fell_back:
        _LOG.warning("the bot %s had no answer at table %s, version %d", level, key, version)
    action, reason = answer.decision
    with write_transaction() as session:
        game = locked(session, key)
        still_its_move = level_playing(game.seats[state.turn - 1]) is not None
        if game.version == version and game.due_at is not None and still_its_move:
            step = apply(state, state.turn, action)
            _store(session, game, state.turn, action, step, bot_delay_ms, reason)
    return True


def _end_of_time(key: str, version: int, bot_delay_ms: int) -> bool:
    """End a turn whose time has run out, unless there is reason to wait; return whether it did."""
    with write_transaction() as session:
        game = locked(session, key)
        now = server_time.now_ms()
        if game.version != version or game.due_at is None or game.due_at > now:
            return False
        state = load_state(game.state)
        mover = game.seats[state.turn - 1]
        if level_playing(mover) is not None:
            # A stand-in has taken the seat meanwhile, and its move is due.
            return True
        judgement = pace.judge_overdue(game, mover, presence.last_seen(session, game.id))
        if judgement is pace.Overdue.WAIT_FOR_ALL:
            game.due_at = pace.due_after(game, state, now, bot_delay_ms)
            game.graced = False
        elif judgement is pace.Overdue.WAIT_FOR_MOVER:
            game.due_at += pace.GRACE_MS
            game.graced = mover.grace_used = True
        else:
            mover.missed += 1
            mover.stand_in = mover.missed >= pace.MISSES_UNTIL_STAND_IN
            _pass_for(session, game, mover, state, bot_delay_ms)
            return True
        game.revision += 1
        return True


def _pass_for(session: Session, game: Game, mover: Seat, state: State, bot_delay_ms: int) -> None:
    """End the turn of `mover`: pass if it still is to move, and discard if it must."""
    if state.phase is Phase.MOVE:
        step = apply(state, mover.number, Pass())
        _store(session, game, mover.number, Pass(), step, bot_delay_ms, by_clock=True)
        state = step.state
    if state.phase is Phase.DISCARD:
        discard = Discard(least_useful(view_for(state, mover.number)))
        step = apply(state, mover.number, discard)
        _store(session, game, mover.number, discard, step, bot_delay_ms, by_clock=True)


def _is_repeat(session: Session, game: Game, seat: int, version: int, action: Action) -> bool:
    if version >= game.version or version < 0:
        return False
    row = session.get(ActionRow, (game.id, version + 1))
    return row is not None and (row.seat, row.action) == (seat, action.text)


def _store(
    session: Session,
    game: Game,
    seat: int,
    action: Action,
    step: Step,
    bot_delay_ms: int,
    reason: Reason | None = None,
    *,
    by_clock: bool = False,
) -> None:
    """Keep the state, the row of the log and the new version: one transaction's work."""
    now = server_time.now_ms()
    # The time for a turn is one, also when it ends with a discard.
    goes_on = step.state.phase is Phase.DISCARD and game.due_at is not None
    game.state = dump_state(step.state)
    game.version += 1
    game.revision += 1
    game.updated_at = clock.now_ms()
    game.due_at = pace.due_after(
        game, step.state, now, bot_delay_ms, game.due_at if goes_on else None
    )
    game.graced = goes_on and game.graced
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
            at=game.updated_at,
            reason=None if reason is None else reason.text,
            by_clock=by_clock,
        )
    )
