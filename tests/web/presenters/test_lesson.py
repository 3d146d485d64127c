"""What the lesson says after a move agrees with what the engine made of it, whatever was played."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from raisesum import wording
from raisesum.engine import (
    Action,
    Discard,
    IllegalActionError,
    Kind,
    Pass,
    Passed,
    Play,
    Played,
    PointWon,
    State,
    apply,
    legal_plays,
    score,
)
from raisesum.services.lesson import (
    BOT,
    LEARNER,
    STEPS,
    LessonStep,
    NotYetError,
    Run,
    advance,
    begin,
)
from raisesum.web.presenters.lesson import present_step

CHALLENGES = {Kind.SUBTRACT, Kind.DIVIDE}


def moves(run: Run) -> list[Action]:
    """Return every legal move; in a whole round every first one, and few later ones.

    All ways through a whole round are too many to be walked.  The second move is a pass, the lowest
    play and the highest; from the third on the lowest play is made for as long as there is one.
    """
    view = run.view
    if view.to_discard:
        one_each = [Discard(view.hand[n : n + view.to_discard]) for n in range(len(view.hand))]
        whole = [each for each in one_each if len(each.cards) == view.to_discard]
        return whole if len(run.moves) == 1 else whole[:1]
    plays = legal_plays(view.hand, view.incoming, view.target)
    if run.moves and plays:
        by_score = sorted(plays, key=lambda play: play.score)
        if len(run.moves) > 1:
            return [Play(by_score[0].cards)]
        plays = (by_score[0], by_score[-1])
    return [Pass(), *(Play(play.cards) for play in plays)]


def ways(run: Run) -> Iterator[Run | tuple[Run, Action, str]]:
    """Walk every way: yield each run that is done, and each legal move that a step refuses."""
    if run.is_done:
        yield run
        return
    for move in moves(run):
        try:
            further = advance(run, move)
        except NotYetError as error:
            yield run, move, str(error)
        else:
            yield from ways(further)


def last_play(run: Run) -> tuple[Played, State] | None:
    """Return the learner's last play and the state before it, by playing the moves again."""
    state, found = run.step.opening(), None
    for turn in run.turns:
        for event in turn:
            if isinstance(event, Played) and event.seat == LEARNER:
                found = event, state
        action = turn[0]
        made: Action = Pass()
        if isinstance(action, Played):
            made = Play(action.cards)
        elif not isinstance(action, Passed):
            made = Discard(action.cards)  # type: ignore[union-attr]
        state, _ = apply(state, state.turn, made)
    return found


def check_done(run: Run) -> None:
    page = present_step(run, frozenset())
    found = last_play(run)
    if found is None:
        assert page.sum is None
        assert run.step.slug in ("pass", "round")
    else:
        played, before = found
        target = before.target
        receipt = score(played.cards, before.incoming)
        assert receipt.score == played.score
        assert page.sum is not None
        assert page.sum.chips == wording.chips(receipt)
        told = str(page.sum.verdict)
        if target is None:
            assert told == f"{receipt.score} opens the round"
        else:
            assert told == f"{receipt.score} beats {target}"
            assert receipt.score > target
    check_praise(run, page.praise)


def check_praise(run: Run, praise: str) -> None:
    """Hold each thing that a praise says against what happened."""
    slug, events = run.step.slug, run.events
    start = run.step.opening()
    won = {event.seat for event in events if isinstance(event, PointWon)}
    mine = [event for event in events if isinstance(event, Played) and event.seat == LEARNER]
    said = {int(number) for number in re.findall(r"\d+", praise)}
    if slug in ("beat", "tie", "challenge", "order", "zero"):
        assert mine[-1].score in said
        assert said <= {mine[-1].score, start.target}
        assert run.view.target == mine[-1].score
    if slug == "challenge":
        assert start.incoming.less
        assert not run.view.incoming
    if slug == "order":
        assert any(card.kind is Kind.MULTIPLY for card in mine[-1].cards)
    if slug == "zero":
        assert any(card.kind is Kind.ZERO for card in mine[-1].cards)
    if slug == "pass":
        assert won == {BOT}
        assert len(run.view.hand) == 7
    if slug == "set":
        kinds = {card.kind for card in mine[-1].cards}
        assert Kind.ADD in kinds
        assert kinds & CHALLENGES
        assert won == {LEARNER}
        assert any(isinstance(event, Passed) and event.seat == BOT for event in events)
    if slug == "round":
        assert ("The point is yours" in praise) == (won == {LEARNER})


def check_refused(run: Run, move: Action, why: str) -> None:
    """Hold a refusal of a legal move against the rules and the step."""
    if isinstance(move, Pass):
        assert run.view.can_beat
        assert "You may pass" in why
        return
    assert isinstance(move, Play)
    kinds = {card.kind for card in move.cards}
    assert run.step.slug == "set"
    assert ("no challenge" in why) == (not kinds & CHALLENGES)
    if "blue" in why:
        assert Kind.ADD not in kinds
        assert f"makes just {score(move.cards).score}." in why


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.slug)
def test_every_accepted_way_is_told_as_the_engine_played_it(step: LessonStep) -> None:
    done = refused = 0
    for end in ways(begin(step)):
        if isinstance(end, Run):
            done += 1
            check_done(end)
        else:
            refused += 1
            check_refused(*end)
    assert done
    assert (refused > 0) == (step.slug not in ("pass", "round"))


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.slug)
def test_what_the_rules_refuse_is_told_as_the_engine_says_it(step: LessonStep) -> None:
    run = begin(step)
    view = run.view
    legal = {tuple(sorted(play.cards)) for play in view.legal_plays}
    for play in legal_plays(view.hand, view.incoming, None):
        if tuple(sorted(play.cards)) in legal:
            continue
        with pytest.raises(IllegalActionError) as refusal:
            advance(run, Play(play.cards))
        assert view.target is not None
        way = "ties" if play.score == view.target else "does not beat"
        assert str(refusal.value) == (
            f"{play.score} {way} {view.target}. You need {view.target + 1} or more."
        )
