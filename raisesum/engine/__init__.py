"""The rules of Raise the Sum, usable without the rest of this project.

What the code in this package cannot do: read a clock, draw a random number that is not
derived from the seed in the state, touch a file, the network or a database, or import
anything beyond the standard library.  Everything it knows about a match is in the `State`
it is given, and everything it changes is in the `State` it returns.

A match between two players, from the deal to the first move:

>>> from raisesum.engine import Setup, OFFICIAL_DECKS, Pass, new_match, apply
>>> setup = Setup(players=2, deck=OFFICIAL_DECKS["full"], goal=3, first=1)
>>> state, events = new_match(setup, seed=7)
>>> state.turn, len(state.hands[0]), state.target is None
(1, 8, True)
>>> state, events = apply(state, 1, Pass())
>>> type(events[0]).__name__
'Passed'
"""

from raisesum.engine.actions import Action, Discard, Pass, Play, parse_action
from raisesum.engine.cards import Card, Kind, card_names, parse_card, parse_cards
from raisesum.engine.codec import (
    dump_events,
    dump_setup,
    dump_state,
    load_events,
    load_setup,
    load_state,
)
from raisesum.engine.decks import OFFICIAL_DECKS, Deck, custom_deck, parse_deck
from raisesum.engine.errors import IllegalActionError, InvalidActionError
from raisesum.engine.events import (
    Dealt,
    Discarded,
    Drew,
    Event,
    MatchWon,
    Passed,
    Played,
    PointWon,
    Reshuffled,
    RoundStarted,
)
from raisesum.engine.legality import LegalPlay, can_beat, legal_plays
from raisesum.engine.rules import Step, apply, is_legal, new_match
from raisesum.engine.scoring import NO_INCOMING, Incoming, Receipt, ScoreStep, StepKind, score
from raisesum.engine.state import HAND_LIMIT, PLAY_LIMIT, Phase, Setup, StandingPlay, State
from raisesum.engine.view import CardsTaken, EventView, SeatView, View, view_event, view_for

__all__ = [
    "HAND_LIMIT",
    "NO_INCOMING",
    "OFFICIAL_DECKS",
    "PLAY_LIMIT",
    "Action",
    "Card",
    "CardsTaken",
    "Dealt",
    "Deck",
    "Discard",
    "Discarded",
    "Drew",
    "Event",
    "EventView",
    "IllegalActionError",
    "Incoming",
    "InvalidActionError",
    "Kind",
    "LegalPlay",
    "MatchWon",
    "Pass",
    "Passed",
    "Phase",
    "Play",
    "Played",
    "PointWon",
    "Receipt",
    "Reshuffled",
    "RoundStarted",
    "ScoreStep",
    "SeatView",
    "Setup",
    "StandingPlay",
    "State",
    "Step",
    "StepKind",
    "View",
    "apply",
    "can_beat",
    "card_names",
    "custom_deck",
    "dump_events",
    "dump_setup",
    "dump_state",
    "is_legal",
    "legal_plays",
    "load_events",
    "load_setup",
    "load_state",
    "new_match",
    "parse_action",
    "parse_card",
    "parse_cards",
    "parse_deck",
    "score",
    "view_event",
    "view_for",
]
