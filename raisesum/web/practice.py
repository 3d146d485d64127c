"""Sums to practise: choosing a deck, ten questions one by one, and one's record."""

from __future__ import annotations

from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_login import current_user

from raisesum.services import practice
from raisesum.services.errors import ServiceError
from raisesum.services.practice import HIGHEST_ANSWER, IN_A_SET, NoSuchSetError, NothingWrongError
from raisesum.web.addresses import is_htmx
from raisesum.web.csrf import STALE_FORM, on_stale_token
from raisesum.web.forms import whole_number
from raisesum.web.presenters.decks import present_ladder
from raisesum.web.presenters.practice import present_page, present_record
from raisesum.web.sessions import ensure_person, person, sign_in_required

blueprint = Blueprint("practice", __name__, url_prefix="/practice")

#: Rows of sets are numbered in 32 bits.
HIGHEST_NUMBER = 2**31 - 1
NO_NUMBER = "Type the score as a whole number, such as 12. It is never below zero."


@blueprint.get("")
def index() -> str:
    """Show the decks to practise with, and what one has practised."""
    return _index("")


def _index(refusal: str) -> str:
    record = None
    if current_user.is_authenticated:
        record = present_record(practice.record_of(current_user.id))
    return render_template(
        "practice/index.html", ladder=present_ladder(), record=record, refusal=refusal
    )


def _index_again() -> ResponseReturnValue:
    return _index(STALE_FORM), 400


@blueprint.post("")
@on_stale_token(_index_again)
def begin() -> ResponseReturnValue:
    """Begin ten questions, or go on with those that wait for answers."""
    try:
        number = practice.begin(ensure_person().id, request.form.get("deck", ""))
    except ServiceError as error:
        return _index(str(error)), 422
    return redirect(url_for("practice.show", number=number), code=303)


def _page_again(number: str) -> ResponseReturnValue:
    return _shown_again(number)


@sign_in_required
def _shown_again(number: str) -> ResponseReturnValue:
    return _page(number, refusal=STALE_FORM), 400


@blueprint.post("/<number>/again")
@on_stale_token(_page_again)
@sign_in_required
def begin_again(number: str) -> ResponseReturnValue:
    """Begin with the questions that were answered wrongly, or go on with them."""
    try:
        begun = practice.begin_again(person().id, _number(number))
    except NoSuchSetError:
        abort(404)
    except NothingWrongError as error:
        return _page(number, refusal=str(error)), 422
    return redirect(url_for("practice.show", number=begun), code=303)


@blueprint.get("/<number>")
@sign_in_required
def show(number: str) -> ResponseReturnValue:
    """Show the question that waits, with `shown` below the answer to another; at the end, all."""
    return _page(number, shown=whole_number(request.args.get("shown"), 1, IN_A_SET))


@blueprint.post("/<number>")
@on_stale_token(_page_again)
@sign_in_required
def answer(number: str) -> ResponseReturnValue:
    """Take the answer to a question: say whether it was right, and ask the next one."""
    place = whole_number(request.form.get("question"), 1, IN_A_SET)
    said = whole_number(request.form.get("answer", "").strip(), 0, HIGHEST_ANSWER)
    if place is None or said is None:
        return _page(number, refusal=NO_NUMBER), 422
    try:
        practice.answer(person().id, _number(number), place, said)
    except NoSuchSetError:
        abort(404)
    if is_htmx():
        return _page(number, shown=place)
    return redirect(url_for("practice.show", number=number, shown=place), code=303)


def _number(text: str) -> int:
    return whole_number(text, 1, HIGHEST_NUMBER) or abort(404)


def _page(number: str, *, shown: int | None = None, refusal: str = "") -> str:
    """Return the set: for htmx its part alone, else the whole page."""
    try:
        questions = practice.questions_of(person().id, _number(number))
    except NoSuchSetError:
        abort(404)
    next_level = None
    if questions.is_finished:
        next_level = practice.level_of_next_ten(person().id, questions.deck)
    return render_template(
        "practice/_part.html" if is_htmx() else "practice/set.html",
        page=present_page(questions, shown, next_level),
        refusal=refusal,
        typed=request.form.get("answer", ""),
    )
