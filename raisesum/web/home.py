"""The pages before a match: home, choosing a table, and the rules."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Blueprint, abort, current_app, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_login import current_user

from raisesum.services import decks, lobby, play, waiting
from raisesum.services.attempts import TooManyError
from raisesum.services.errors import ServiceError, TableClosedError
from raisesum.services.help import LEVELS, Help
from raisesum.services.open_tables import MOST_OPEN, TooManyTablesError
from raisesum.services.refusals import RefusedError
from raisesum.services.table import FINISHED, GIVEN_UP, PLAYING
from raisesum.services.transactions import if_possible
from raisesum.web.csrf import STALE_FORM, on_stale_token
from raisesum.web.forms import whole_number
from raisesum.web.games import bot_delay_ms, seat_required
from raisesum.web.presenters.decks import DeckBox, present_deck
from raisesum.web.presenters.home import present_showcase, present_tables
from raisesum.web.presenters.rules import present_examples, present_kinds, present_reference
from raisesum.web.presenters.waiting import present_public, present_rooms
from raisesum.web.rooms import viewer_id
from raisesum.web.sessions import ensure_person, person

blueprint = Blueprint("home", __name__)

#: More than one may have open, since who signs in brings the tables of a guest along.
MOST_OPEN_SHOWN = 2 * MOST_OPEN
MOST_ENDED_SHOWN = 10
#: On the home page; the others are on pages of their own.
MOST_PUBLIC_SHOWN = 8
ON_A_PAGE = 20
HIGHEST_PAGE = 10_000
HIGHEST_GOAL = 9

#: What the form of a new table shows at first.
FIRST_CHOICE = {
    "bots": str(len(lobby.PLAY_NOW_BOTS)),
    "level_1": lobby.PLAY_NOW_BOTS[0],
    "level_2": lobby.PLAY_NOW_BOTS[1],
    "level_3": lobby.PLAY_NOW_BOTS[1],
    "deck": "full",
    "goal": "3",
    "first": "random",
    "help": lobby.PRACTICE_HELP.level,
    "hints": "on",
}


@blueprint.get("/")
def index() -> str:
    """Show what the game is, the ways in, and one's own tables."""
    if current_user.is_authenticated:
        # So that this page and the tables' own never disagree on whose turn it is.
        for key in lobby.keys_due(current_user.id, MOST_OPEN_SHOWN):
            with if_possible():
                play.run_due(key, bot_delay_ms())
    return _index()


def _index(refusal: str = "") -> str:
    open_tables: list[lobby.TableSummary] = []
    ended: list[lobby.TableSummary] = []
    my_rooms: list[waiting.Room] = []
    if current_user.is_authenticated:
        my_rooms = waiting.my_rooms(current_user.id, MOST_OPEN_SHOWN)
        open_tables = lobby.my_tables(current_user.id, [PLAYING], MOST_OPEN_SHOWN)
        ended = lobby.my_tables(current_user.id, [FINISHED, GIVEN_UP], MOST_ENDED_SHOWN)
    public: list[waiting.PublicTable] = []
    if current_app.config["PUBLIC_TABLES"]:
        # One more than is shown tells whether there are others.
        public = waiting.public_tables(viewer_id(), MOST_PUBLIC_SHOWN + 1)
    return render_template(
        "home/index.html",
        tables=present_tables(open_tables),
        rooms=present_rooms(my_rooms),
        public=present_public(public[:MOST_PUBLIC_SHOWN]),
        has_more_public=len(public) > MOST_PUBLIC_SHOWN,
        shows_public=current_app.config["PUBLIC_TABLES"],
        keep_days=current_app.config["KEEP_DAYS"],
        finished=present_tables(ended),
        demo=present_showcase(),
        refusal=refusal,
    )


def _index_again() -> ResponseReturnValue:
    return _index(STALE_FORM), 400


@blueprint.post("/play-now")
@on_stale_token(_index_again)
def play_now() -> ResponseReturnValue:
    """Start a match against two bots at once, or go to the one that has just been started."""
    try:
        key = lobby.play_now(ensure_person().id, bot_delay_ms(), reuse=True)
    except TooManyTablesError as error:
        return _index(str(error)), 409
    except TooManyError as error:
        return _index(str(error)), 429, {"Retry-After": str(error.seconds)}
    return redirect(url_for("games.show", key=key), code=303)


@blueprint.get("/tables/open")
def open_tables() -> str:
    """List the tables that anybody may join, a page at a time."""
    if not current_app.config["PUBLIC_TABLES"]:
        abort(404)
    number = whole_number(request.args.get("page", "1"), 1, HIGHEST_PAGE)
    if number is None:
        abort(400)
    found = waiting.public_tables(viewer_id(), ON_A_PAGE + 1, skip=(number - 1) * ON_A_PAGE)
    return render_template(
        "home/open_tables.html",
        tables=present_public(found[:ON_A_PAGE]),
        page=number,
        has_more=len(found) > ON_A_PAGE,
    )


def _index_without(key: str) -> ResponseReturnValue:
    return _index_again()


@blueprint.post("/games/<key>/put-away")
@on_stale_token(_index_without)
@seat_required
def put_away(key: str) -> ResponseReturnValue:
    """End a match against bots from the list of one's tables, without going there."""
    try:
        play.put_away(person().id, key)
    except TableClosedError:
        return _index("Other people play at that table. Open it to leave the match."), 409
    flash("The match is put away.")
    return redirect(url_for("home.index"), code=303)


@blueprint.get("/tables/new")
def new_table() -> str:
    """Show the form that sets a table, with the deck that the address may carry."""
    chosen = {name: request.args[name] for name in ("deck", "deck_name") if name in request.args}
    return _new_table({**FIRST_CHOICE, **chosen}, {})


def _new_table_again() -> ResponseReturnValue:
    return _new_table(request.form, {"": STALE_FORM}), 400


@blueprint.post("/tables/new")
@on_stale_token(_new_table_again)
def set_table() -> ResponseReturnValue:
    """Start the match that the form describes."""
    bots = whole_number(request.form.get("bots"), 1, lobby.MOST_BOTS)
    goal = whole_number(request.form.get("goal"), 1, HIGHEST_GOAL)
    errors = {}
    if bots is None:
        errors["bots"] = f"Choose one to {lobby.MOST_BOTS} bots."
    if goal is None:
        errors["goal"] = f"Choose a goal from 1 to {HIGHEST_GOAL} points."
    deck_name = ""
    try:
        named = decks.read_deck(request.form.get("deck", ""), request.form.get("deck_name", ""))
        deck_name = "" if named.deck.name in lobby.DECKS else named.name
    except RefusedError as refusal:
        errors["deck"] = refusal.sentence
    levels = [request.form.get(f"level_{number}", "") for number in range(1, (bots or 0) + 1)]
    for number, level in enumerate(levels, 1):
        if level not in {known.name for known in lobby.BOT_LEVELS}:
            errors[f"level_{number}"] = "Choose a level for this bot."
    first_sent = request.form.get("first")
    first = None
    if first_sent != "random":
        first = whole_number(first_sent, 1, 1 + (bots or lobby.MOST_BOTS))
        if first is None:
            errors["first"] = "Choose who opens: somebody who sits at the table, or by chance."
    wanted = Help(
        request.form.get("help", FIRST_CHOICE["help"]), request.form.get("hints", "on") == "on"
    )
    try:
        wanted.check()
    except RefusedError as refusal:
        errors["help"] = refusal.sentence
    if errors or bots is None or goal is None:
        return _new_table(request.form, errors), 422
    try:
        key = lobby.start_practice(
            ensure_person().id,
            levels,
            deck=request.form["deck"],
            goal=goal,
            first=first,
            help_=wanted,
            deck_name=deck_name,
            bot_delay_ms=bot_delay_ms(),
        )
    except TooManyError as error:
        again = _new_table(request.form, {"": str(error)})
        return again, 429, {"Retry-After": str(error.seconds)}
    except ServiceError as error:
        return _new_table(request.form, {"": str(error)}), 422
    return redirect(url_for("games.show", key=key), code=303)


def _new_table(form: Mapping[str, str], errors: Mapping[str, str]) -> str:
    return render_template(
        "home/new_table.html",
        form={name: form.get(name, value) for name, value in FIRST_CHOICE.items()},
        errors=errors,
        own_deck=_own_deck(form),
        help_levels=LEVELS,
        levels=[(level.name, level.title, level.policy) for level in lobby.BOT_LEVELS],
    )


def _own_deck(form: Mapping[str, str]) -> DeckBox | None:
    """Return the deck of somebody's own that the form offers, chosen or not."""
    text = form.get("deck", "")
    try:
        named = decks.read_deck(
            form.get("own_deck", "") if text in lobby.DECKS else text, form.get("deck_name", "")
        )
    except RefusedError:
        return None
    return present_deck(named)


@blueprint.get("/rules")
def rules() -> str:
    """Show the rules, with examples that the scorer has made."""
    return render_template(
        "rules/index.html",
        kinds=present_kinds(),
        examples=present_examples(),
        reference=present_reference(),
    )
