"""Pages about decks: the ladder, and the making of one's own.

A deck that was made is an address: whoever opens it sees the same deck and can play with it.
"""

from __future__ import annotations

from collections.abc import Mapping

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from raisesum.engine.cards import ALL_CARDS, Card
from raisesum.services import decks
from raisesum.services.decks import LADDER, MOST_CARDS, NamedDeck
from raisesum.services.refusals import RefusedError
from raisesum.web import stray_signs
from raisesum.web.addresses import is_htmx
from raisesum.web.csrf import STALE_FORM, on_stale_token
from raisesum.web.forms import whole_number
from raisesum.web.presenters.decks import (
    present_counts,
    present_deck,
    present_ladder,
    present_presets,
    sum_in_words,
)

blueprint = Blueprint("decks", __name__, url_prefix="/decks")


@blueprint.get("")
def index() -> str:
    """Show the ladder of decks, and the way to one's own."""
    return render_template("decks/index.html", ladder=present_ladder(), presets=present_presets())


@blueprint.get("/custom")
def custom() -> ResponseReturnValue:
    """Show the deck that the address carries."""
    if "deck" not in request.args:
        return redirect(url_for("decks.index"), code=303)
    meant = stray_signs.page_asked_for()
    if meant is not None:
        return redirect(meant, code=303)
    try:
        named = decks.read_deck(request.args["deck"], request.args.get("name", ""))
    except RefusedError as refusal:
        return _builder(_no_counts(), request.args.get("name", ""), _told(refusal)), 400
    link = url_for("decks.custom", deck=named.deck.text, name=named.name or None, _external=True)
    return render_template("decks/custom.html", deck=present_deck(named), link=link)


@blueprint.get("/build")
def build() -> ResponseReturnValue:
    """Show the form that makes a deck, beginning with the one that the address carries."""
    if "deck" not in request.args:
        return _builder(_values(NamedDeck("", LADDER[0].deck)), "", {})
    name = request.args.get("name", "")
    try:
        named = decks.read_deck(request.args["deck"], name)
    except RefusedError as refusal:
        meant = stray_signs.page_asked_for()
        if meant is not None:
            return redirect(meant, code=303)
        return _builder(_no_counts(), name, _told(refusal)), 400
    return _builder(_values(named), name, {})


def _build_again() -> ResponseReturnValue:
    return _builder(request.form, request.form.get("name", ""), {"": STALE_FORM}), 400


@blueprint.post("/build")
@on_stale_token(_build_again)
def make() -> ResponseReturnValue:
    """Go to the deck that the form describes, or say what it lacks."""
    name = request.form.get("name", "")
    counts: dict[Card, int] = {}
    errors: dict[str, str] = {}
    for card in ALL_CARDS:
        typed = request.form.get(card.name, "").strip()
        copies = whole_number(typed or "0", 0, MOST_CARDS)
        if copies is None:
            errors["deck"] = f"A count is a whole number from 0 to {MOST_CARDS}."
        else:
            counts[card] = copies
    if is_htmx():
        return errors.get("deck") or sum_in_words(counts)
    if not errors:
        try:
            made = decks.make_deck(counts, name)
        except RefusedError as refusal:
            errors = _told(refusal)
        else:
            where = url_for("decks.custom", deck=made.deck.text, name=made.name or None)
            return redirect(where, code=303)
    return _builder(request.form, name, errors), 422


def _told(refusal: RefusedError) -> dict[str, str]:
    return {refusal.field or "": refusal.sentence}


def _values(named: NamedDeck) -> dict[str, str]:
    return {card.name: str(copies) for card, copies in named.deck.counts}


def _no_counts() -> dict[str, str]:
    return {}


def _builder(values: Mapping[str, str], name: str, errors: Mapping[str, str]) -> str:
    counts = {
        card: whole_number(values.get(card.name, "").strip(), 0, MOST_CARDS) or 0
        for card in ALL_CARDS
    }
    return render_template(
        "decks/build.html",
        groups=present_counts(values),
        name=name,
        errors=errors,
        total=sum_in_words(counts),
        presets=present_presets(),
        ladder=present_ladder(),
    )
