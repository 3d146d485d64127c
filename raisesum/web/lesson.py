"""The lesson: a page for each step, in which the learner plays.

A run's moves travel in the address, so the pages need neither JavaScript nor anything stored.
What is stored is which steps are done, and only when a move has just done one.
"""

from __future__ import annotations

from collections.abc import Iterable

from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_login import current_user

from raisesum import wording
from raisesum.engine.actions import Action
from raisesum.engine.cards import Card
from raisesum.engine.errors import IllegalActionError, InvalidActionError
from raisesum.engine.legality import NOT_IN_HAND
from raisesum.services import lesson
from raisesum.services.lesson import LessonStep, NotYetError, Run
from raisesum.web.addresses import is_htmx
from raisesum.web.csrf import STALE_FORM, on_stale_token
from raisesum.web.moves import action_sent, cards_sent, only_asks
from raisesum.web.presenters.lesson import present_contents, present_step
from raisesum.web.presenters.table import Sum, present_sum
from raisesum.web.sessions import ensure_person

blueprint = Blueprint("lesson", __name__, url_prefix="/lesson")

LOST_WAY = "These moves do not fit this step, so it begins anew."


@blueprint.get("")
def index() -> str:
    """Show what the steps are, and which of them this person has done."""
    return render_template("lesson/index.html", contents=present_contents(_done()))


@blueprint.get("/<step>")
def show(step: str) -> ResponseReturnValue:
    """Show a step after the moves that the address names."""
    run, refusal = _run(step, request.args.getlist("move"))
    return _page(run, refusal=refusal), 400 if refusal else 200


def _shown_again(step: str) -> ResponseReturnValue:
    run, _ = _run(step, request.form.getlist("move"))
    return _page(run, refusal=STALE_FORM), 400


@blueprint.post("/<step>")
@on_stale_token(_shown_again)
def act(step: str) -> ResponseReturnValue:
    """Make a move in a step, or say why it cannot be made; or what the cards would score."""
    if only_asks():
        return sum(step)
    run, refusal = _run(step, request.form.getlist("move"))
    if refusal:
        return _page(run, refusal=refusal), 400
    try:
        run = lesson.advance(run, action_sent())
    except InvalidActionError as error:
        return _page(run, refusal=wording.refusal(error)), 400
    except IllegalActionError as error:
        checked = None if error.reason == NOT_IN_HAND else _checked(run)
        return _page(run, refusal=wording.refusal(error), checked=checked), 422
    except NotYetError as error:
        return _page(run, refusal=str(error), checked=_checked(run)), 422
    if run.is_done:
        lesson.remember_done(ensure_person().id, run.step)
    return redirect(_address(run.step, run.moves), code=303)


@blueprint.post("/<step>/sum")
@on_stale_token(_shown_again)
def sum(step: str) -> ResponseReturnValue:  # noqa: A001 - the address it answers is .../sum
    """Tell what the ticked cards would score, without playing them."""
    run, refusal = _run(step, request.form.getlist("move"))
    try:
        checked = _sum_of(run, cards_sent())
    except InvalidActionError as error:
        return _no_sum(run, wording.refusal(error)), 400
    except IllegalActionError as error:
        return _no_sum(run, wording.refusal(error)), 422
    if is_htmx():
        return render_template("games/_sum.html", sum=checked)
    return _page(run, refusal=refusal, checked=checked)


def _no_sum(run: Run, why: str) -> str:
    if is_htmx():
        return render_template("games/_sum.html", sum=Sum(hint=why))
    return _page(run, refusal=why)


def _run(slug: str, moves: list[str]) -> tuple[Run, str]:
    """Return the step after `moves`, or from its beginning with a sentence why."""
    step = lesson.step_named(slug)
    if step is None:
        abort(404)
    try:
        return lesson.replay(step, moves), ""
    except (InvalidActionError, IllegalActionError, NotYetError):
        return lesson.begin(step), LOST_WAY


def _address(step: LessonStep, moves: Iterable[Action]) -> str:
    return url_for("lesson.show", step=step.slug, move=[move.text for move in moves])


def _checked(run: Run) -> Sum | None:
    """Return the sum of the ticked cards of a move that was refused, if one may play now."""
    cards = cards_sent()
    return _sum_of(run, cards) if cards and run.view.can_move else None


def _sum_of(run: Run, cards: tuple[Card, ...]) -> Sum:
    return present_sum(lesson.preview(run, cards) if cards else None, run.view.target)


def _done() -> frozenset[str]:
    if not current_user.is_authenticated:
        return frozenset()
    return lesson.done_steps(current_user.id)


def _page(run: Run, *, refusal: str = "", checked: Sum | None = None) -> str:
    page = present_step(
        run,
        _done(),
        ticked=request.form.getlist("card"),
        checked=checked,
        refusal=refusal,
        hand_order=current_user.hand_order if current_user.is_authenticated else "drawn",
    )
    return render_template("lesson/step.html", page=page, table=page.table)
