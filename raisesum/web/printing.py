"""Print and play: the cards of a deck on sheets of paper."""

from __future__ import annotations

from flask import Blueprint, abort, render_template, request
from flask.typing import ResponseReturnValue

from raisesum.services import decks
from raisesum.services.refusals import RefusedError
from raisesum.web.presenters.decks import present_deck, present_ladder
from raisesum.web.presenters.printing import INKS, PAPERS, present_sheets
from raisesum.web.presenters.rules import present_reference

blueprint = Blueprint("printing", __name__)


@blueprint.get("/print")
def sheets() -> ResponseReturnValue:
    """Show the sheets of the deck that the address carries, ready to be printed."""
    paper = request.args.get("paper", "a4")
    ink = request.args.get("ink", "colour")
    if paper not in PAPERS or ink not in INKS:
        abort(400)
    try:
        named = decks.read_deck(request.args.get("deck", "full"), request.args.get("name", ""))
    except RefusedError:
        abort(400)
    return render_template(
        "printing/sheets.html",
        deck=present_deck(named),
        ladder=present_ladder(),
        sheets=present_sheets(named, paper, ink),
        papers=PAPERS.values(),
        inks=INKS,
        reference=present_reference(named.deck.cards),
    )
