"""The lesson: every step can be done, says why not, and says it in short words."""

from __future__ import annotations

import re

import pytest
import textstat

from raisesum.engine import (
    Discard,
    IllegalActionError,
    InvalidActionError,
    Kind,
    Pass,
    Play,
    parse_cards,
    scoring,
)
from raisesum.services import lesson
from raisesum.services.lesson import STEPS, LessonStep, NotYetError, Run, advance, begin, replay
from tests.services.tables import guest

step_named = {step.slug: step for step in STEPS}


def good_move(run: Run) -> Play | Pass | Discard:
    """Return a move that the step wants: a play with a challenge when there is a choice."""
    view = run.view
    if view.to_discard:
        return Discard(view.hand[: view.to_discard])
    for play in reversed(view.legal_plays):
        if not run.step.objection(Play(play.cards)):
            return Play(play.cards)
    return Pass()


def do(step: LessonStep) -> Run:
    run = begin(step)
    for _ in range(lesson.MOST_MOVES):
        if run.is_done:
            break
        run = advance(run, good_move(run))
    return run


def test_there_are_eight_steps() -> None:
    assert len(STEPS) == 8
    assert len(step_named) == 8


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.slug)
def test_every_step_can_be_done_and_its_moves_lead_there_again(step: LessonStep) -> None:
    run = do(step)
    assert run.is_done
    assert run.praise
    again = replay(step, [move.text for move in run.moves])
    assert (again.state, again.events) == (run.state, run.events)


@pytest.mark.parametrize("slug", ["beat", "tie", "challenge", "order", "zero"])
def test_a_play_that_is_too_low_is_refused_by_the_engine(slug: str) -> None:
    run = begin(step_named[slug])
    low = min(run.view.hand, key=lambda card: (card.kind is not Kind.ADD, card.number))
    with pytest.raises(IllegalActionError, match=f"You need {run.facts['needed']} or more"):
        advance(run, Play((low,)))


def test_the_tie_can_be_tried_and_is_called_one() -> None:
    run = begin(step_named["tie"])
    tie = [card for card in run.view.hand if card.number == run.view.target]
    with pytest.raises(IllegalActionError, match="ties"):
        advance(run, Play((tie[0],)))


def test_nothing_in_the_hand_beats_the_number_when_one_should_pass() -> None:
    run = begin(step_named["pass"])
    assert run.view.legal_plays == ()
    run = advance(run, Pass())
    assert not run.is_done
    assert advance(run, Discard(run.view.hand[:1])).is_done


def test_the_order_needs_a_green_card_and_the_zero_step_a_zero() -> None:
    for slug, kind in (("order", Kind.MULTIPLY), ("zero", Kind.ZERO)):
        for play in begin(step_named[slug]).view.legal_plays:
            assert any(card.kind is kind for card in play.cards)


def test_a_legal_move_that_misses_the_point_changes_nothing_and_says_why() -> None:
    run = begin(step_named["set"])
    with pytest.raises(NotYetError, match="no challenge"):
        advance(run, Play(parse_cards("+4")))
    for cards in ("-5", "/3 -5", "x2 /3"):
        with pytest.raises(NotYetError, match="just 0"):
            advance(run, Play(parse_cards(cards)))
    with pytest.raises(NotYetError, match="pass"):
        advance(begin(step_named["beat"]), Pass())


def test_the_challenge_that_the_task_asks_for_cannot_be_beaten() -> None:
    opening = begin(step_named["set"])
    for play in opening.view.legal_plays:
        kinds = {card.kind for card in play.cards}
        if Kind.ADD in kinds and kinds & {Kind.SUBTRACT, Kind.DIVIDE}:
            assert "You win a point" in advance(opening, Play(play.cards)).praise


@pytest.mark.parametrize(
    "moves", [["fold"], ["play +99"], ["pass"] * 50, ["play +9"], ["discard +3"]]
)
def test_moves_that_do_not_fit_are_refused(moves: list[str]) -> None:
    with pytest.raises((IllegalActionError, InvalidActionError, NotYetError)):
        replay(step_named["beat"], moves)


def test_the_whole_text_is_easy_to_read() -> None:
    told = [text if text[-1] in ".?!" else f"{text}." for text in lesson.all_sentences()]
    assert textstat.automated_readability_index(" ".join(told)) <= 5
    sentences = [s for text in told for s in re.split(r"(?<=[.?!:])\s+", text)]
    assert max(len(sentence.split()) for sentence in sentences) <= 20


def test_every_number_is_the_scorers(monkeypatch: pytest.MonkeyPatch) -> None:
    before = {step.slug: begin(step) for step in STEPS}
    right = scoring.score_of
    monkeypatch.setattr(scoring, "score_of", lambda *sums: right(*sums) + 100)
    for step in STEPS:
        was, now = before[step.slug], begin(step)
        if was.view.target is not None:
            assert now.view.target == was.view.target + 100
            told = " ".join((*now.text, now.task))
            assert re.search(rf"\b({now.view.target}|{now.view.target + 1})\b", told)
            assert lesson.preview(now, now.view.hand[:1]).score >= 100


@pytest.mark.usefixtures("app_context")
def test_done_steps_are_remembered_once_each() -> None:
    user_id = guest()
    assert lesson.done_steps(user_id) == frozenset()
    for step in (STEPS[0], STEPS[2], STEPS[0]):
        lesson.remember_done(user_id, step)
    assert lesson.done_steps(user_id) == {"beat", "pass"}
