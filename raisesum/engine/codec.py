"""States, setups and events as compact JSON, for keeping.

Each stored state begins with a schema number.  `load_state` brings states of older schemas up
step by step (`_UPGRADES`), so whatever was stored once can always be loaded.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from raisesum.engine.cards import card_names, parse_cards
from raisesum.engine.decks import parse_deck
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
from raisesum.engine.scoring import Incoming
from raisesum.engine.state import Phase, Setup, StandingPlay, State

SCHEMA: Final = 1

#: For each older schema, what makes its JSON object one of the next.
_UPGRADES: Final[Mapping[int, Callable[[dict[str, Any]], dict[str, Any]]]] = {}


def dump_state(state: State) -> str:
    """Return `state` as JSON text; `load_state` gives an equal state back."""
    standing = state.standing
    return _json(
        {
            "schema": SCHEMA,
            "setup": _setup_object(state.setup),
            # Larger than the numbers that other readers of JSON keep exactly, so: text.
            "seed": None if state.seed is None else str(state.seed),
            "shuffles": state.shuffles,
            "phase": state.phase.value,
            "round": state.round,
            "turn": state.turn,
            "hands": [card_names(hand) for hand in state.hands],
            "in": [int(is_in) for is_in in state.is_in],
            "points": state.points,
            "draw": card_names(state.draw_pile),
            "discard": card_names(state.discard_pile),
            "standing": standing
            and [
                standing.seat,
                card_names(standing.cards),
                standing.score,
                *_incoming_lists(standing.answered),
            ],
            "drawn": card_names(state.drawn),
        }
    )


def load_state(text: str) -> State:
    """Return the state that `dump_state` wrote, now or in an earlier version.

    Raises:
        ValueError: the text is no state, or its schema is newer than this code.
    """
    with _faults_of("state"):
        data = json.loads(text)
        schema = data["schema"]
        if schema > SCHEMA:
            raise ValueError(f"schema {schema} is newer than this program, which knows {SCHEMA}")
        for older in range(schema, SCHEMA):
            data = _UPGRADES[older](data)
        return _state(data)


def dump_setup(setup: Setup) -> str:
    """Return `setup` as JSON text; `load_setup` reads it back."""
    return _json(_setup_object(setup))


def load_setup(text: str) -> Setup:
    """Return the setup that `dump_setup` wrote.

    Raises:
        ValueError: the text is no setup.
    """
    with _faults_of("setup"):
        return _setup(json.loads(text))


def dump_events(events: Iterable[Event]) -> str:
    """Return `events` as JSON text; `load_events` reads them back.

    >>> dump_events([Passed(2), Drew(1, parse_cards("+1 0"))])
    '[["pass",2],["draw",1,"+1 0"]]'
    """
    return _json([_event_list(event) for event in events])


def load_events(text: str) -> tuple[Event, ...]:
    """Return the events that `dump_events` wrote.

    Raises:
        ValueError: the text is no list of events.
    """
    with _faults_of("list of events"):
        return tuple(_event(*entry) for entry in json.loads(text))


@contextmanager
def _faults_of(what: str) -> Iterator[None]:
    """Turn whatever a text of the wrong shape raises into the one error that is promised."""
    try:
        yield
    except (KeyError, TypeError, IndexError, AttributeError) as error:
        raise ValueError(f"not a stored {what}: {error!r}") from error


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


def _setup_object(setup: Setup) -> dict[str, object]:
    return {
        "players": setup.players,
        "deck": setup.deck.text,
        "goal": setup.goal,
        "first": setup.first,
    }


def _setup(data: Mapping[str, Any]) -> Setup:
    return Setup(data["players"], parse_deck(data["deck"]), data["goal"], data["first"])


def _state(data: Mapping[str, Any]) -> State:
    standing = data["standing"]
    return State(
        setup=_setup(data["setup"]),
        seed=None if data["seed"] is None else int(data["seed"]),
        shuffles=data["shuffles"],
        phase=Phase(data["phase"]),
        round=data["round"],
        turn=data["turn"],
        hands=tuple(parse_cards(hand) for hand in data["hands"]),
        is_in=tuple(bool(is_in) for is_in in data["in"]),
        points=tuple(data["points"]),
        draw_pile=parse_cards(data["draw"]),
        discard_pile=parse_cards(data["discard"]),
        standing=standing
        and StandingPlay(
            standing[0], parse_cards(standing[1]), standing[2], _incoming(*standing[3:])
        ),
        drawn=parse_cards(data["drawn"]),
    )


def _incoming_lists(incoming: Incoming) -> list[list[int]]:
    return [list(incoming.subtractions), list(incoming.divisions)]


def _incoming(subtractions: list[int], divisions: list[int]) -> Incoming:
    return Incoming(tuple(subtractions), tuple(divisions))


def _event_list(event: Event) -> list[object]:
    match event:
        case Dealt(seat, cards):
            return ["deal", seat, card_names(cards)]
        case RoundStarted(number, seat):
            return ["round", number, seat]
        case Drew(seat, cards):
            return ["draw", seat, card_names(cards)]
        case Reshuffled(count):
            return ["shuffle", count]
        case Played(seat, cards, score, incoming, target):
            return ["play", seat, card_names(cards), score, *_incoming_lists(incoming), target]
        case Passed(seat):
            return ["pass", seat]
        case Discarded(seat, cards):
            return ["discard", seat, card_names(cards)]
        case PointWon(seat, number, points):
            return ["point", seat, number, points]
        case MatchWon(seat):
            return ["match", seat]


def _event(word: str, *rest: Any) -> Event:
    match word:
        case "deal":
            return Dealt(rest[0], parse_cards(rest[1]))
        case "round":
            return RoundStarted(*rest)
        case "draw":
            return Drew(rest[0], parse_cards(rest[1]))
        case "shuffle":
            return Reshuffled(*rest)
        case "play":
            seat, names, points, subtractions, divisions, target = rest
            return Played(
                seat, parse_cards(names), points, _incoming(subtractions, divisions), target
            )
        case "pass":
            return Passed(*rest)
        case "discard":
            return Discarded(rest[0], parse_cards(rest[1]))
        case "point":
            return PointWon(*rest)
        case "match":
            return MatchWon(*rest)
    raise ValueError(f"no event is written {word!r}")
