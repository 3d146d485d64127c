"""A table's pages: the whole page, the part that polls ask for, and the moves.

Every route here answers with the current table, whatever was asked: what cannot be done adds a
sentence to it.  With htmx that is the part (`games/_poll.html`), without it a page, or a redirect
to one once something was changed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypedDict, Unpack

from flask import Blueprint, Response, current_app, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_login import current_user

from raisesum import wording
from raisesum.engine.actions import Pass
from raisesum.engine.errors import IllegalActionError, InvalidActionError
from raisesum.engine.legality import NOT_IN_HAND
from raisesum.services import help as table_help
from raisesum.services import play, preferences, presence, review, server_time
from raisesum.services import rematch as rematches
from raisesum.services.errors import (
    MatchGoesOnError,
    NoSuchTableError,
    RematchBegunError,
    SentAwayError,
    StaleMoveError,
    TableClosedError,
)
from raisesum.services.help import GuessNeededError, NoHintError
from raisesum.services.open_tables import TooManyTablesError
from raisesum.services.seat_offers import lost_seat
from raisesum.services.table import WAITING, Pulse, Table, pulse, table_for
from raisesum.services.transactions import if_possible
from raisesum.web import rooms, settings
from raisesum.web.addresses import is_htmx
from raisesum.web.csrf import STALE_FORM, on_stale_token
from raisesum.web.forms import HIGHEST_VERSION, whole_number
from raisesum.web.moves import action_sent, cards_sent, only_asks
from raisesum.web.presenters.review import ReviewPage, present_review
from raisesum.web.presenters.rules import present_reference
from raisesum.web.presenters.table import (
    Hint,
    Sum,
    helped,
    present_hint,
    present_sum,
    present_table,
)
from raisesum.web.rooms import viewer_id
from raisesum.web.sessions import has_ended_sign_in, lead_to_sign_in, person
from raisesum.web.shown import shown_by_page

blueprint = Blueprint("games", __name__, url_prefix="/games")

#: Longer guesses are not read: no play scores more.
HIGHEST_GUESS = 10**6


def bot_delay_ms() -> int:
    """Return how long bots take at this server's tables."""
    delay: int = current_app.config["BOT_DELAY_MS"]
    return delay


def go_to(where: str) -> ResponseReturnValue:
    """Lead the browser to another page, whether htmx asks or not."""
    if is_htmx():
        return Response(status=200, headers={"HX-Redirect": where})
    return redirect(where, code=303)


def seat_required(
    view: Callable[[str], ResponseReturnValue],
) -> Callable[[str], ResponseReturnValue]:
    """Let only somebody who sits at the table into `view`: whoever watches only looks."""

    @wraps(view)
    def guarded(key: str) -> ResponseReturnValue:
        if not pulse(viewer_id(), key).is_seated:
            raise NoSuchTableError
        return view(key)

    return guarded


def table_again(key: str) -> ResponseReturnValue:
    """Show the table as it is, to somebody whose form was too old to be believed."""
    if has_ended_sign_in():
        return lead_to_sign_in()
    return answer(key, refusal=STALE_FORM), 400


@blueprint.get("/<key>")
def show(key: str) -> ResponseReturnValue:
    """Show the whole page of a table, or of its waiting room."""
    found = pulse(viewer_id(), key)
    if found.status == WAITING:
        rooms.record_visit(found, key)
        return rooms.room_page(key)
    _run_due(key)
    return _page(key)


@blueprint.get("/<key>/table")
def part(key: str) -> ResponseReturnValue:
    """Answer a poll: the table's part, or 204 when the page shows it as it is."""
    if not is_htmx():
        # Opened from the address bar, where a part would stand bare.
        return show(key)
    found = _run_due(key)
    if _shows_it_as_it_is(found):
        return Response(status=204)
    return _part(key)


@blueprint.post("/<key>/actions")
@on_stale_token(table_again)
@seat_required
def act(key: str) -> ResponseReturnValue:
    """Make a move: play, pass or discard; or tell what the cards would score, before playing."""
    if only_asks():
        return sum(key)
    # Text browsers take a button for its surroundings' form, whatever form it names.
    if "hand_order" in request.form:
        settings.save()
        return go_to(url_for(".show", key=key))
    if "step" in request.form:
        return hint(key)
    user = person()
    try:
        action = action_sent()
        if isinstance(action, Pass) and (question := _pass_question(key)):
            return answer(key, question=question)
        version = whole_number(request.form.get("version"), 0, HIGHEST_VERSION)
        if version is None:
            raise InvalidActionError("The form did not say which table it was made from.")
        guess = whole_number(request.form.get("guess", "").strip(), 0, HIGHEST_GUESS)
        play.submit(user.id, key, version, action, bot_delay_ms(), guess)
    except InvalidActionError as error:
        return answer(key, refusal=wording.refusal(error)), 400
    except IllegalActionError as error:
        table = table_for(user.id, key)
        why = table_help.refusal(error, table.view, table.tells)
        return answer(key, refusal=why, checked=_refused_sum(key)), 422
    except GuessNeededError as error:
        return answer(key, refusal=str(error)), 422
    except (StaleMoveError, TableClosedError) as error:
        return answer(key, refusal=str(error)), 409
    if isinstance(action, Pass) and "dont_ask" in request.form:
        preferences.change(person().id, {"confirm_pass": "off"})
    return moved_on(key)


@blueprint.post("/<key>/sum")
@on_stale_token(table_again)
@seat_required
def sum(key: str) -> ResponseReturnValue:  # noqa: A001 - the address it answers is .../sum
    """Tell what the ticked cards would score, without playing them."""
    try:
        cards = cards_sent()
    except InvalidActionError as error:
        return answer(key, refusal=wording.refusal(error)), 400
    preview = play.preview(person().id, key, cards)
    if request.form.get("version") != str(preview.version):
        # Asked just before the table moved on: the ticks are of cards that may be gone.
        return Response(status=204) if is_htmx() else answer(key)
    if preview.refusal is not None and preview.refusal.reason == NOT_IN_HAND:
        return answer(key, refusal=wording.refusal(preview.refusal)), 422
    found = (
        present_sum(preview.receipt, preview.target)
        if cards
        else present_hint(table_for(person().id, key))
    )
    found = helped(found, preview.tells)
    if is_htmx():
        return render_template("games/_sum.html", sum=found)
    return answer(key, checked=found)


@blueprint.post("/<key>/hint")
@on_stale_token(table_again)
@seat_required
def hint(key: str) -> ResponseReturnValue:
    """Tell somebody who plays against bots alone what they could do, a little more each time."""
    table = table_for(person().id, key)
    step = whole_number(request.form.get("step"), 1, table_help.HINTS)
    try:
        if step is None or not table.is_playing:
            raise NoHintError
        told = table_help.hint(table.view, table.tells, step)
    except NoHintError as error:
        return answer(key, refusal=str(error)), 422
    more = step + 1 if step < table_help.HINTS and table.can_beat else 0
    return answer(key, hint=Hint(told, more))


@blueprint.post("/<key>/skip")
@on_stale_token(table_again)
@seat_required
def skip(key: str) -> ResponseReturnValue:
    """Let the bots move at once until it is this person's turn."""
    play.skip_to_person(person().id, key, bot_delay_ms())
    return moved_on(key)


@blueprint.post("/<key>/give-up")
@on_stale_token(table_again)
@seat_required
def give_up(key: str) -> ResponseReturnValue:
    """End a match against bots without a winner."""
    try:
        play.give_up(person().id, key)
    except TableClosedError as error:
        return answer(key, refusal=str(error)), 409
    return moved_on(key)


@blueprint.post("/<key>/rematch")
@on_stale_token(table_again)
@seat_required
def rematch(key: str) -> ResponseReturnValue:
    """Go to a new match of the same people and settings."""
    try:
        new = rematches.press(person().id, key, bot_delay_ms())
    except (MatchGoesOnError, RematchBegunError, SentAwayError, TooManyTablesError) as error:
        return answer(key, refusal=str(error)), 409
    return go_to(url_for("games.show", key=new))


def _run_due(key: str) -> Pulse:
    """Do what is due at the table and note who asks, then return how things stand there."""
    user_id = viewer_id()
    found = pulse(user_id, key)
    is_due = found.due_at is not None and found.due_at <= server_time.now_ms()
    if is_due:
        # Before the note: whether somebody was there in time is judged by the notes there are.
        with if_possible():
            play.run_due(key, bot_delay_ms())
    if user_id is not None and found.is_seated and presence.is_worth_noting(found.seen_at):
        with if_possible():
            presence.note(found.game_id, user_id)
    return pulse(user_id, key) if is_due else found


def _shows_it_as_it_is(found: Pulse) -> bool:
    """Return whether the page that polls shows what there is to see."""
    if shown_by_page("presence") not in (None, found.presence_mark):
        return False
    if shown_by_page("rematch") not in (None, found.rematch_mark):
        return False
    return found.revision == whole_number(request.args.get("v"), 0, HIGHEST_VERSION)


def hand_order() -> str:
    """Return how the viewer likes a hand to be sorted."""
    order: str = current_user.hand_order if current_user.is_authenticated else "drawn"
    return order


def _pass_question(key: str) -> str:
    """Return what to ask before a pass; nothing where it is made without a question."""
    if "confirmed" in request.form or not person().confirm_pass:
        return ""
    table = table_for(person().id, key)
    if not table.is_my_turn or request.form.get("version") != str(table.version):
        return ""
    return table_help.pass_question(table.view, table.tells)


def _refused_sum(key: str) -> Sum | None:
    """Return what the cards of a refused play come to, if the hand has them."""
    try:
        cards = cards_sent()
    except InvalidActionError:
        return None
    preview = play.preview(person().id, key, cards)
    is_held = preview.refusal is None or preview.refusal.reason != NOT_IN_HAND
    found = present_sum(preview.receipt, preview.target)
    return helped(found, preview.tells) if cards and is_held else None


def moved_on(key: str) -> ResponseReturnValue:
    """Answer a request that was carried out.

    Without JavaScript nobody asks for the bots' moves one by one, so they are made first.
    """
    if is_htmx():
        _run_due(key)
        return answer(key)
    with if_possible():
        play.skip_to_person(person().id, key, bot_delay_ms())
    return redirect(url_for("games.show", key=key), code=303)


class Said(TypedDict, total=False):
    """What there is to say about a request beside the table; see `present_table`."""

    refusal: str
    question: str
    checked: Sum | None
    hint: Hint | None


def answer(key: str, **said: Unpack[Said]) -> str:
    """Return the table as it is now, as a part or a page, with what there is to say about it."""
    return _part(key, **said) if is_htmx() else _page(key, **said)


def _page(key: str, **said: Unpack[Said]) -> str:
    table = table_for(viewer_id(), key)
    return render_template(
        "games/table.html",
        table=present_table(
            table, hand_order=hand_order(), ticked=request.form.getlist("card"), **said
        ),
        looked_back=_looked_back(table),
        lost=lost_seat(viewer_id(), key) if table.is_spectator else None,
        reference=present_reference(table.view.setup.deck.cards),
    )


def _part(key: str, **said: Unpack[Said]) -> str:
    table = table_for(viewer_id(), key)
    presented = present_table(
        table,
        hand_order=hand_order(),
        seen=whole_number(shown_by_page("log"), 0, HIGHEST_VERSION),
        heard=whole_number(shown_by_page("said"), 0, HIGHEST_VERSION),
        there=shown_by_page("presence"),
        wished=shown_by_page("rematch"),
        **said,
    )
    return render_template("games/_poll.html", table=presented, looked_back=_looked_back(table))


def _looked_back(table: Table) -> ReviewPage | None:
    """Return which passes of the viewer were not forced; None for who only watches."""
    if table.view.viewer is None:
        return None
    return present_review(review.own_review(person().id, table.key))
