"""Records: a match as text, for keeping, sending and checking.

A record gives the setup, the players' names and all that happened, one entry a line, each in
the one way in which it can be written:

    Raise the Sum record 1
    players: North | East
    deck: full
    goal: 1
    first: 2
                                    (an empty line)
    2 deal: +5 x2 -3 +1 +4          five cards each, from the first player clockwise
    1 deal: 0 +3 +9 /2 +1
    round 1
    2 draw: +3 0 /2                 three cards, or all that are left
    2 play: +1 +3 = 4               the cards as laid down, and their score
    1 draw: +2 -1 x2
    1 pass
    1 discard: +1                   only when more than seven cards are held
    2 point
    2 match

The reader holds no rules of its own.  It takes from each line what a player or chance decided
(the cards drawn, played and discarded, and that somebody passed), gives that to `rules`, writes
down what happened, and requires that the line, and those that must follow it, say the same.

Chance is the one thing a record has instead of a seed.  Which cards are in the draw pile is known
at every moment, only their order is not; so each draw settles as much of the order as it shows.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Final

from raisesum.engine.actions import Action, Discard, Pass, Play
from raisesum.engine.cards import Card, card_names, parse_cards
from raisesum.engine.decks import Deck, parse_deck
from raisesum.engine.errors import IllegalActionError
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
from raisesum.engine.record_lines import (
    BYTE_ORDER_MARK,
    LONGEST_LINE,
    LONGEST_NAMES,
    Lines,
    RecordError,
    Source,
    shown,
)
from raisesum.engine.rules import Step, act, clockwise, draw, open_match
from raisesum.engine.state import DEAL, GOALS, HAND_LIMIT, PLAYERS, Phase, Setup, State

__all__ = [
    "MatchRecord",
    "RecordError",
    "RecordReader",
    "Source",
    "as_recorded",
    "check_name",
    "fit_name",
    "read_record",
    "write_record",
]

HEADER: Final = "Raise the Sum record 1"

_BETWEEN_NAMES: Final = " | "
_UNFIT: Final = re.compile(rf"[\x00-\x1f\x7f-\x9f|{BYTE_ORDER_MARK}\ud800-\udfff]")


@dataclass(frozen=True)
class MatchRecord:
    """A match as far as it was played; a record that is kept or sent is always a finished one.

    Attributes:
        setup: what was agreed; `first` is always a seat.
        names: of the players, seat 1 first.
        steps: the deal, and then each action with what followed from it, as `rules.new_match` and
            `rules.apply` give them; the states as `as_recorded` makes them.
    """

    setup: Setup
    names: tuple[str, ...]
    steps: tuple[Step, ...]

    @property
    def events(self) -> tuple[Event, ...]:
        """All that happened, in its order."""
        return tuple(event for step in self.steps for event in step.events)

    @property
    def final(self) -> State:
        """The state that the match came to."""
        return self.steps[-1].state

    @property
    def text(self) -> str:
        """The record itself, to the byte as it was read."""
        finished = self.final.phase is Phase.OVER
        return "".join(write_record(self.setup, self.names, self.events, finished=finished))


def as_recorded(state: State, first: int) -> State:
    """Return what a record can tell of `state`, in a match that seat `first` opened.

    A record gives no seed and not the order of cards that nobody drew, and always says who opened.
    Two states that are equal in this form are the same position.
    """
    return replace(
        state,
        setup=replace(state.setup, first=first),
        seed=None,
        draw_pile=_sorted(state.draw_pile),
    )


def check_name(name: str) -> None:
    """Raise ValueError, saying why, unless a record can hold `name` as a player's."""
    if not name:
        raise ValueError("a name has at least one character")
    if name != name.strip(" ") or "  " in name:
        raise ValueError("a name has no space at either end, and no two in a row")
    unfit = _UNFIT.search(name)
    if unfit:
        raise ValueError(f"a name cannot hold the character {shown(unfit[0])}")


def fit_name(name: str) -> str:
    """Return `name` without what a record cannot hold; empty when nothing is left.

    >>> fit_name("Ann  |  Bob"), fit_name("|")
    ('Ann Bob', '')
    """
    return " ".join(filter(None, _UNFIT.sub(" ", name).split(" ")))


# -- Writing -------------------------------------------------------------------------------


def write_record(
    setup: Setup, names: Sequence[str], events: Iterable[Event], *, finished: bool = True
) -> Iterator[str]:
    """Write a match; yields the lines of its record, each with its end.

    Args:
        setup: what was agreed.
        names: of the players, seat 1 first.
        events: all that happened, from the first `Dealt` on.
        finished: whether the match must have a winner, as every record that leaves this program.

    Raises:
        ValueError: a name cannot be written, or the events are not those of a whole match.
    """
    if len(names) != setup.players:
        raise ValueError(f"{setup.players} players have {setup.players} names, not {len(names)}")
    for name in names:
        check_name(name)
    last: Event | None = None
    for event in events:
        if last is None:
            if not isinstance(event, Dealt):
                raise ValueError("a match begins with the deal")
            yield from _head(setup, names, first=event.seat)
        line = _line(event)
        if line is not None:
            yield line + "\n"
        last = event
    if finished and not isinstance(last, MatchWon):
        raise ValueError("the match is not finished")


def _head(setup: Setup, names: Sequence[str], first: int) -> Iterator[str]:
    yield f"{HEADER}\n"
    yield f"players: {_BETWEEN_NAMES.join(names)}\n"
    yield f"deck: {setup.deck.text}\n"
    yield f"goal: {setup.goal}\n"
    yield f"first: {first}\n"
    yield "\n"


def _line(event: Event) -> str | None:
    """Return the line that tells `event`; None for what other lines tell by themselves."""
    match event:
        case Dealt(seat, cards):
            return f"{seat} deal: {card_names(cards)}"
        case RoundStarted(number, _):
            return f"round {number}"
        case Drew(seat, cards):
            return f"{seat} draw: {card_names(cards)}".rstrip(" ")
        case Reshuffled():
            return None
        case Played(seat, cards, score):
            return f"{seat} play: {card_names(cards)} = {score}"
        case Passed(seat):
            return f"{seat} pass"
        case Discarded(seat, cards):
            return f"{seat} discard: {card_names(cards)}"
        case PointWon(seat):
            return f"{seat} point"
        case MatchWon(seat):
            return f"{seat} match"


# -- Reading -------------------------------------------------------------------------------


def read_record(source: Source, *, finished: bool = True) -> MatchRecord:
    r"""Read a whole record and keep all of it; for `finished` see `RecordReader`.

    Raises:
        RecordError: it is wrong.

    >>> import io
    >>> read_record(io.BytesIO(b"Raise the Sum record 1\nplayers: North\n"))
    Traceback (most recent call last):
        ...
    raisesum.engine.record_lines.RecordError: line 2: a match has 2 to 4 players, not 1
    """
    reader = RecordReader(source, finished=finished)
    steps = tuple(reader)
    return MatchRecord(reader.setup, reader.names, steps)


class RecordReader:
    """A record being read, held to the rules line by line.

    Making one reads the head; iterating, which can be done once, reads the rest and yields the
    steps of the match as `MatchRecord.steps` has them, so that a match of any length can be read in
    little memory.  Either raises `RecordError` at the first line that cannot continue a right
    record; a record is right only when the iteration comes to its end.

    Attributes:
        setup: what was agreed.
        names: of the players, seat 1 first.
    """

    def __init__(self, source: Source, *, finished: bool = True) -> None:
        """Read the head of a record, which may end after any action unless it is `finished`."""
        self._finished = finished
        self._lines = Lines(source)
        self._expect(HEADER)
        self.names = self._read_names()
        deck = self._read_deck(len(self.names))
        goal = self._read_number("goal: ", GOALS)
        first = self._read_number("first: ", range(1, len(self.names) + 1))
        self._expect("")
        self.setup = Setup(len(self.names), deck, goal, first)
        self._first = first

    @property
    def line(self) -> int:
        """How many lines have been read."""
        return self._lines.number

    def __iter__(self) -> Iterator[Step]:
        """Read the rest of the record."""
        state, events = self._read_deal()
        while True:
            if state.phase is Phase.DRAW:
                state, drawn = self._read_draw(state)
                events += drawn
            yield Step(state, events)
            if state.phase is Phase.OVER:
                break
            if not self._finished and self._lines.is_at_end():
                return
            state, events = self._read_action(state)
        self._lines.end()

    def _expect(self, wanted: str) -> None:
        quoted = f'"{wanted}"' if wanted else "an empty line"
        line = self._lines.take(quoted)
        if line != wanted:
            raise self._lines.unlike(quoted, line)

    def _take_after(self, prefix: str, wanted: str, longest: int = LONGEST_LINE) -> str:
        line = self._lines.take(wanted, longest)
        if not line.startswith(prefix):
            raise self._lines.unlike(wanted, line)
        return line.removeprefix(prefix)

    def _read_names(self) -> tuple[str, ...]:
        text = self._take_after("players: ", '"players: " and names', LONGEST_NAMES)
        names = tuple(text.split(_BETWEEN_NAMES))
        if len(names) not in PLAYERS:
            raise self._lines.fault(
                f"a match has {PLAYERS[0]} to {PLAYERS[-1]} players, not {len(names)}"
            )
        try:
            for name in names:
                check_name(name)
        except ValueError as error:
            raise self._lines.fault(str(error)) from None
        return names

    def _read_deck(self, players: int) -> Deck:
        text = self._take_after("deck: ", '"deck: " and a deck')
        try:
            deck = parse_deck(text)
            deck.check_players(players)
        except ValueError as error:
            raise self._lines.fault(str(error)) from None
        return deck

    def _read_number(self, prefix: str, allowed: range) -> int:
        wanted = f'"{prefix}" and a number from {allowed[0]} to {allowed[-1]}'
        text = self._take_after(prefix, wanted)
        # Compared as text, so that each number is written in one way only.
        for number in allowed:
            if text == str(number):
                return number
        raise self._lines.unlike(wanted, prefix + text)

    def _read_deal(self) -> Step:
        left = Counter(self.setup.deck.cards)
        hands: dict[int, tuple[Card, ...]] = {}
        for seat in clockwise(self.setup.players, self._first):
            wanted = f'"{seat} deal: " and {DEAL} cards'
            line = self._lines.take(wanted)
            cards = self._cards(line, f"{seat} deal:", wanted)
            if len(cards) != DEAL:
                raise self._lines.fault(f"seat {seat} is dealt {DEAL} cards, not {len(cards)}")
            for card in cards:
                if not left[card]:
                    raise self._lines.fault(f"no {card.name} is left in the deck")
                left[card] -= 1
            self._require(Dealt(seat, cards), line)
            hands[seat] = cards
        state, events = open_match(
            self.setup,
            seed=None,
            first=self._first,
            hands=tuple(hands[seat] for seat in sorted(hands)),
            pile=_sorted(left.elements()),
        )
        self._expect_all(events[len(hands) :])
        return Step(state, events)

    def _read_draw(self, state: State) -> Step:
        seat = state.turn
        wanted = f'"{seat} draw:" and cards'
        line = self._lines.take(wanted)
        cards = self._cards(line, f"{seat} draw:", wanted)
        # Whatever is drawn while the pile lasts was on top of it; the rest was on top of the new
        # pile. How many cards are drawn, and whether there is a new pile, is for the rules to say.
        size = len(state.draw_pile)
        pile = self._with_top(state.draw_pile, cards[:size], "draw pile")
        state, events = draw(
            replace(state, draw_pile=pile),
            lambda discards: self._with_top(_sorted(discards), cards[size:], "discard pile"),
        )
        count = len(state.drawn)
        if count != len(cards):
            raise self._lines.fault(f"seat {seat} draws {count} here, not {len(cards)}")
        self._require(events[-1], line)
        return Step(state, events)

    def _with_top(
        self, pile: tuple[Card, ...], top: tuple[Card, ...], name: str
    ) -> tuple[Card, ...]:
        rest = list(pile)
        for card in top:
            try:
                rest.remove(card)
            except ValueError:
                raise self._lines.fault(f"no {card.name} is left in the {name}") from None
        return (*rest, *reversed(top))

    def _read_action(self, state: State) -> Step:
        seat = state.turn
        if state.phase is Phase.DISCARD:
            held = len(state.hand(seat))
            wanted = f'"{seat} discard:" and {held - HAND_LIMIT} of {held} cards'
        else:
            wanted = f'"{seat} play:" or "{seat} pass"'
        line = self._lines.take(wanted)
        action: Action
        score = ""
        if state.phase is Phase.DISCARD:
            action = Discard(self._cards(line, f"{seat} discard:", wanted))
        elif line == f"{seat} pass":
            action = Pass()
        else:
            cards, _, score = line.partition(" =")
            action = Play(self._cards(cards, f"{seat} play:", wanted))
            score = score.removeprefix(" ")
        try:
            state, events = act(state, seat, action)
        except IllegalActionError as error:
            raise self._lines.fault(f"refused to seat {seat}: {error}") from None
        happened, *following = events
        if isinstance(happened, Played) and score != str(happened.score):
            raise self._lines.fault(f"the play scores {happened.score}, not {shown(score)}")
        self._require(happened, line)
        self._expect_all(following)
        return Step(state, events)

    def _cards(self, line: str, prefix: str, wanted: str) -> tuple[Card, ...]:
        if not line.startswith(prefix):
            raise self._lines.unlike(wanted, line)
        try:
            return parse_cards(line.removeprefix(prefix).removeprefix(" "))
        except ValueError as error:
            raise self._lines.fault(str(error)) from None

    def _require(self, event: Event, line: str) -> None:
        written = _line(event)
        if line != written:
            raise self._lines.unlike(f'"{written}"', line)

    def _expect_all(self, events: Iterable[Event]) -> None:
        for event in events:
            line = _line(event)
            if line is not None:
                self._expect(line)


def _sorted(cards: Iterable[Card]) -> tuple[Card, ...]:
    return tuple(sorted(cards, key=attrgetter("rank")))
