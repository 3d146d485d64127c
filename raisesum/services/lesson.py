"""The lesson: eight steps, each a real position in which the learner acts.

What is allowed and what it scores is the engine's word alone; a step only says what it wants to
see.  A run through a step is the list of the learner's own moves: played again from the step's
position, with a bot that draws no lots, they always lead to the same place.  So nothing about a
run has to be kept, and Back, a reload or a second tab can do no harm.

The sentences have numbers only where `{...}` stands for one that the engine gives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Final

from sqlalchemy import select

from raisesum.bots import level_named
from raisesum.engine import (
    OFFICIAL_DECKS,
    PLAY_LIMIT,
    Action,
    Card,
    Discarded,
    Event,
    IllegalActionError,
    InvalidActionError,
    Kind,
    Pass,
    Passed,
    Phase,
    Play,
    Played,
    PointWon,
    Receipt,
    Setup,
    State,
    View,
    apply,
    new_match,
    parse_action,
    parse_cards,
    score,
    view_event,
    view_for,
)
from raisesum.engine.legality import NOT_IN_HAND, check_action
from raisesum.extensions import db
from raisesum.models import LessonDone, User
from raisesum.services.clock import now_ms
from raisesum.services.errors import PersonGoneError, ServiceError
from raisesum.services.help import Help
from raisesum.services.positions import position, standing_play
from raisesum.services.table import PLAYING, LogEntry, SeatPerson, Table
from raisesum.services.transactions import write_transaction

LEARNER: Final = 1
BOT: Final = 2
BOT_LEVEL: Final = "steady"

#: Longer than any run through a step; a link with more moves was not made by the lesson.
MOST_MOVES: Final = 40

TITLE: Final = "Learn to play"
LEAD: Final = (
    "Eight small steps show you the game. Each one is a real hand of cards. "
    "You need about five minutes."
)
END: Final = "That was the last step. You know the game now. Play it with a friend or with a bot."


class NotYetError(ServiceError):
    """The rules allow the move, but it is not what this step is about; nothing has changed."""


@dataclass(frozen=True)
class LessonStep:
    """One step.

    Attributes:
        slug: how addresses and rows write it.
        title: what it is about.
        text: what there is to know, a sentence or two a paragraph.
        task: what to do.
        opening: makes the position that it begins with.
        objection: what is still missing from a move that the rules allow, or nothing.
        is_done: whether what has happened is what the step wants to see.
        praise: what to say once it is done.
        bot_answers: whether the other player moves once more after that.
    """

    slug: str
    title: str
    text: tuple[str, ...]
    task: str
    opening: Callable[[], State]
    objection: Callable[[Action], str]
    is_done: Callable[[tuple[Event, ...]], bool]
    praise: Callable[[tuple[Event, ...]], str]
    bot_answers: bool = False


@dataclass(frozen=True)
class Run:
    """A step and the moves made in it so far.

    Attributes:
        step: the step.
        moves: the learner's moves.
        state: where they have led.
        turns: what happened, move by move, the bot's moves included.
    """

    step: LessonStep
    moves: tuple[Action, ...]
    state: State
    turns: tuple[tuple[Event, ...], ...]

    @property
    def events(self) -> tuple[Event, ...]:
        """All that happened, in its order."""
        return tuple(event for turn in self.turns for event in turn)

    @property
    def is_done(self) -> bool:
        """Whether the step is done."""
        return self.step.is_done(self.events)

    @cached_property
    def facts(self) -> Mapping[str, int]:
        """The numbers that the step's sentences may name, from its position and the plays made."""
        return _facts(self.step.opening(), self.events)

    @property
    def text(self) -> tuple[str, ...]:
        """What there is to know, with its numbers."""
        return tuple(paragraph.format_map(self.facts) for paragraph in self.step.text)

    @property
    def task(self) -> str:
        """What to do, with its numbers."""
        return self.step.task.format_map(self.facts)

    @property
    def praise(self) -> str:
        """What to say once the step is done."""
        return self.step.praise(self.events).format_map(self.facts)

    @property
    def last_play(self) -> Played | None:
        """The learner's last play, with what it had to beat."""
        played = [e for e in self.events if isinstance(e, Played) and e.seat == LEARNER]
        return played[-1] if played else None

    @property
    def table(self) -> Table:
        """The table as the learner sees it."""
        return Table(
            key="",
            version=len(self.moves),
            revision=len(self.moves),
            status=PLAYING,
            view=self.view,
            people=(
                SeatPerson(LEARNER, "You", None, is_you=True),
                SeatPerson(BOT, level_named(BOT_LEVEL).title, BOT_LEVEL, is_you=False),
            ),
            log=tuple(
                LogEntry(number, 0, tuple(view_event(event, LEARNER) for event in turn))
                for number, turn in enumerate(self.turns, 1)
            ),
            rematch_key=None,
            help=Help(hints=True),
        )

    @property
    def view(self) -> View:
        """The match as the learner sees it."""
        return view_for(self.state, LEARNER)


def begin(step: LessonStep) -> Run:
    """Return `step` before its first move."""
    return Run(step, (), step.opening(), ())


def replay(step: LessonStep, moves: Iterable[str]) -> Run:
    """Return where `moves`, as `Action.text` writes them, have led.

    Raises:
        InvalidActionError: they are too many, or one of them is no action.
        IllegalActionError, NotYetError: as `advance`.
    """
    run = begin(step)
    for number, text in enumerate(moves):
        if number == MOST_MOVES:
            raise InvalidActionError("these are more moves than a step has")
        run = advance(run, parse_action(text))
    return run


def advance(run: Run, action: Action) -> Run:
    """Return what follows when the learner takes `action` and the other player answers.

    Raises:
        IllegalActionError: the rules forbid it, or the step is done.
        NotYetError: the rules allow it, but the step wants to see something else.
    """
    step = run.step
    state, events = apply(run.state, LEARNER, action)
    objection = step.objection(action)
    if objection:
        raise NotYetError(objection.format_map(run.facts))
    turns = [*run.turns, events]
    while state.phase is not Phase.OVER and state.turn != LEARNER:
        if step.is_done(tuple(e for turn in turns for e in turn)) and (
            not step.bot_answers or any(isinstance(e, PointWon) for e in turns[-1])
        ):
            break
        reply = level_named(BOT_LEVEL).choose(view_for(state, BOT), Random(0))  # noqa: S311
        state, events = apply(state, BOT, reply)
        turns.append(events)
    return Run(step, (*run.moves, action), state, tuple(turns))


def preview(run: Run, cards: tuple[Card, ...]) -> Receipt:
    """Return what `cards` would score now.

    Raises:
        IllegalActionError: the learner does not hold them.
    """
    receipt = score(cards, run.state.incoming)
    view = run.view
    try:
        check_action(Play(cards), Phase.MOVE, view.hand, receipt.score, view.target)
    except IllegalActionError as error:
        if error.reason == NOT_IN_HAND:
            raise
    return receipt


def done_steps(user_id: int) -> frozenset[str]:
    """Return the slugs of the steps that this person has done."""
    rows = db.session.scalars(select(LessonDone.step).where(LessonDone.user_id == user_id))
    return frozenset(rows)


def remember_done(user_id: int, step: LessonStep) -> None:
    """Note that this person has done `step`; a second time changes nothing."""
    with write_transaction() as session:
        if session.get(User, user_id) is None:
            raise PersonGoneError
        if session.get(LessonDone, (user_id, step.slug)) is None:
            session.add(LessonDone(user_id=user_id, step=step.slug, at=now_ms()))


def step_named(slug: str) -> LessonStep | None:
    """Return the step that addresses call `slug`."""
    return _BY_SLUG.get(slug)


def all_sentences() -> tuple[str, ...]:
    """Return every text of the lesson, as a learner may come to read it."""
    told = [TITLE, LEAD, END]
    for step in STEPS:
        run = begin(step)
        won, lost = PointWon(LEARNER, 1, 1), PointWon(BOT, 1, 1)
        praises = {step.praise(events) for events in ((), (won,), (lost,))}
        facts = {**run.facts, "score": run.facts["needed"]}
        told += [step.title, *run.text, run.task]
        told += [praise.format_map(facts) for praise in sorted(praises)]
        told += [
            objection.format_map(facts)
            for action in (Pass(), Play(()), Play(parse_cards("-1")))
            if (objection := step.objection(action))
        ]
    return tuple(told)


# -- What the sentences may name -----------------------------------------------------------


def _facts(state: State, events: tuple[Event, ...]) -> Mapping[str, int]:
    target = -1 if state.target is None else state.target
    hand = state.hand(LEARNER)
    blue = sorted((card for card in hand if card.kind is Kind.ADD), reverse=True)
    played = [e.score for e in events if isinstance(e, Played) and e.seat == LEARNER]
    return {
        "target": target,
        "needed": target + 1,
        "best": score(blue[:PLAY_LIMIT], state.incoming).score,
        "less": state.incoming.less,
        "held": len(hand),
        "score": played[-1] if played else target,
        "nothing": score((), state.incoming).score,
    }


# -- What the steps want to see ------------------------------------------------------------


def _must_play(action: Action) -> str:
    return (
        "You may pass in a match. But here is a play that will do. Try to find it."
        if isinstance(action, Pass)
        else ""
    )


def _must_challenge(action: Action) -> str:
    if isinstance(action, Pass):
        return "You may pass, but then you are out. Try to open."
    if not isinstance(action, Play):
        return ""
    kinds = {card.kind for card in action.cards}
    if not kinds & {Kind.SUBTRACT, Kind.DIVIDE}:
        return "You may play this. But it holds no challenge. Add a red or a yellow card."
    if Kind.ADD not in kinds:
        return "You may play this. But it makes just {nothing}. Add blue cards too."
    return ""


def _anything(_action: Action) -> str:
    return ""


def _has_played(events: tuple[Event, ...]) -> bool:
    return any(isinstance(event, Played) and event.seat == LEARNER for event in events)


def _has_saved(events: tuple[Event, ...]) -> bool:
    mine = [e for e in events if isinstance(e, Passed | Discarded) and e.seat == LEARNER]
    return any(isinstance(event, Discarded) for event in mine)


def _round_is_over(events: tuple[Event, ...]) -> bool:
    return any(isinstance(event, PointWon) for event in events)


def _is_won(events: tuple[Event, ...]) -> bool:
    return any(isinstance(event, PointWon) and event.seat == LEARNER for event in events)


def _always(praise: str) -> Callable[[tuple[Event, ...]], str]:
    return lambda _events: praise


def _by_outcome(won: str, lost: str) -> Callable[[tuple[Event, ...]], str]:
    return lambda events: won if _is_won(events) else lost


# -- The steps -----------------------------------------------------------------------------


def _whole_round() -> State:
    setup = Setup(players=2, deck=OFFICIAL_DECKS["full"], goal=3, first=LEARNER)
    return new_match(setup, seed=12).state


STEPS: Final = (
    LessonStep(
        slug="beat",
        title="Beat the target",
        text=(
            "The big number on the table is the target: {target}. You have to beat it.",
            "Blue cards add up. Tick some cards and see what they make.",
        ),
        task="Make {needed} or more. Then press Play.",
        opening=lambda: position(
            "addition", ("+3 +1 +5 +2 +4", "+1 +2 +6"), standing=standing_play(BOT, "+4 +2")
        ),
        objection=_must_play,
        is_done=_has_played,
        praise=_always("Well done. Your score is {score}. Now this is the target."),
    ),
    LessonStep(
        slug="tie",
        title="A tie is not enough",
        text=(
            "The target is {target}. The same number again does not beat it.",
            "You hold a card that makes just {target}. Try it if you like, and see what happens.",
        ),
        task="Now find {needed} or more.",
        opening=lambda: position(
            "addition", ("+7 +2 +1 +4", "+1 +3 +6"), standing=standing_play(BOT, "+5 +2")
        ),
        objection=_must_play,
        is_done=_has_played,
        praise=_always("Yes, {score} is more than {target}. One more is all you need."),
    ),
    LessonStep(
        slug="pass",
        title="Pass and save",
        text=(
            "The target is {target}. Your five best cards make just {best}. That is too low.",
            "So pass. You are out of this round, but you keep your cards.",
            "You can keep seven cards. You hold {held}, so one has to go.",
        ),
        task="Press Pass. Then pick one card to put away.",
        opening=lambda: position(
            "addition",
            ("+1 +2 +1 +3 +2 +4 +1 +3", "+2 +5"),
            standing=standing_play(BOT, "+9 +8 +6"),
            drawn="+4 +1 +3",
        ),
        objection=_anything,
        is_done=_has_saved,
        praise=_always(
            "Good. This round is lost, but you saved seven cards. "
            "In the next round you are in again."
        ),
    ),
    LessonStep(
        slug="challenge",
        title="A challenge",
        text=(
            "There is a red card on the table. It takes {less} away from your score.",
            "Red cards do not hurt the player who plays them. They hurt the next one.",
        ),
        task="Beat {target}, even with {less} taken away.",
        opening=lambda: position(
            "subtraction", ("+4 +3 +2 +1 +5", "+1 +3 +6"), standing=standing_play(BOT, "+5 -3")
        ),
        objection=_must_play,
        is_done=_has_played,
        praise=_always("You made {score} in spite of the red card. Now the challenge is gone."),
    ),
    LessonStep(
        slug="order",
        title="First this, then that",
        text=(
            "A score is made in steps. First add your blue cards. Then take away the red ones.",
            "Next, your green cards multiply. Then the yellow ones divide.",
            "At the very end, you round down.",
        ),
        task="Use a green card to beat {target}.",
        opening=lambda: position(
            "full", ("+5 +4 x3 +1 x2", "+1 +3 -1"), standing=standing_play(BOT, "+6 -2 /2")
        ),
        objection=_must_play,
        is_done=_has_played,
        praise=_always("You made {score}. Read the steps: they come in the same order each time."),
    ),
    LessonStep(
        slug="zero",
        title="Zero helps you",
        text=(
            "This challenge is hard. With it, your blue cards make just {best}.",
            "The black zero counters all of it for one play.",
            "It counts as one of the five cards that you may play.",
        ),
        task="Play the zero with some blue cards. Make {needed} or more.",
        opening=lambda: position(
            "full", ("0 +5 +4 +2", "+1 +3 +6"), standing=standing_play(BOT, "+8 -4 /3")
        ),
        objection=_must_play,
        is_done=_has_played,
        praise=_always("You made {score}. The challenge did nothing to you."),
    ),
    LessonStep(
        slug="set",
        title="Set a challenge",
        text=(
            "You open this round. So any score will do, even zero.",
            "Your red and yellow cards leave your own score as it is. They wait for the next one.",
        ),
        task="Open with blue cards, and add a red or a yellow card.",
        opening=lambda: position(
            "full", ("+4 -5 +6 /3 x2", "+1 +2 -2 -1 +3"), next_draws="-1 -3 +1"
        ),
        objection=_must_challenge,
        is_done=_has_played,
        praise=_always(
            "Your cards and your challenge were too hard to beat. "
            "The other player had to pass. You win a point."
        ),
        bot_answers=True,
    ),
    LessonStep(
        slug="round",
        title="A whole round",
        text=(
            "Now play a round to its end. You open it.",
            "Beat the target each time, or pass. The last one still in wins a point.",
        ),
        task="Play until the round is over.",
        opening=_whole_round,
        objection=_anything,
        is_done=_round_is_over,
        praise=_by_outcome(
            "You are the last one in. The point is yours.",
            "The other player is the last one in and wins this point. Next time it may be you.",
        ),
    ),
)

_BY_SLUG: Final[Mapping[str, LessonStep]] = {step.slug: step for step in STEPS}
