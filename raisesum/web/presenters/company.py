"""The people around a table: who is there, what they say, and how much time there is."""

from __future__ import annotations

from dataclasses import dataclass

from raisesum import wording
from raisesum.services.presence import AWAY, HERE
from raisesum.services.reactions import PHRASES
from raisesum.services.table import SeatPerson, Table


@dataclass(frozen=True, slots=True)
class Person:
    """Another person at the table, and what one may do about them.

    Attributes:
        number: the seat's.
        name: the person's.
        state: how things stand with them, in a few words.
        is_muted: whether what they say is hidden from the viewer.
        asks: what to ask the viewer when the others may agree on a stand-in; else empty.
        agreed: what there is to say about that agreement so far.
    """

    number: int
    name: str
    state: str
    is_muted: bool
    asks: str
    agreed: str


@dataclass(frozen=True, slots=True)
class Phrase:
    """Something to say: `name` is what the form sends."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Company:
    """What the page shows of the others; nothing where nobody else sits.

    Attributes:
        people: the other people.
        phrases: what the viewer can say; nothing for a spectator.
        can_leave: whether there is a match to leave.
        can_come_back: whether a stand-in plays for the viewer.
        away_note: what to say above the button that brings the viewer back.
        time_note: what to say to a viewer whose last turn ran out of time; mostly nothing.
        heard: the number of the last thing said.
    """

    people: tuple[Person, ...] = ()
    phrases: tuple[Phrase, ...] = ()
    can_leave: bool = False
    can_come_back: bool = False
    away_note: str = ""
    time_note: str = ""
    heard: int = 0


def present_company(table: Table) -> Company:
    """Return the people around `table`, as its viewer sees them."""
    others = [person for person in table.people if person.bot is None and not person.is_you]
    you = table.you
    if not others:
        return Company(
            can_come_back=you is not None and you.plays_itself and table.is_playing,
            away_note="A stand-in plays for you.",
            time_note=_time_note(table),
        )
    away = you is not None and you.plays_itself and table.is_playing
    return Company(
        people=tuple(_person(table, person) for person in others),
        phrases=present_phrases() if you is not None else (),
        can_leave=you is not None and table.is_playing and not you.left,
        can_come_back=away,
        away_note=_away_note(table),
        time_note=_time_note(table),
        heard=max((said.number for said in table.said), default=0),
    )


def present_phrases() -> tuple[Phrase, ...]:
    """Return everything that can be said."""
    return tuple(Phrase(name, text) for name, text in PHRASES.items())


def news_of_people(table: Table, before: str | None) -> list[str]:
    """Say who has come, gone or been replaced since the presence mark was `before`.

    That somebody is quiet for a minute is no news, nor is what one has done oneself.
    """
    if before is None or len(before) != len(table.presence_mark):
        return []
    changes = zip(table.people, before, table.presence_mark, strict=True)
    told = (_change(table, person, was, now) for person, was, now in changes if was != now)
    return [sentence for sentence in told if sentence]


def somebody_was_replaced(table: Table, before: str | None) -> bool:
    """Say whether a stand-in has begun or ended to play since the presence mark was `before`."""
    if before is None or len(before) != len(table.presence_mark):
        return False
    return any(
        (was in "ls") != (now in "ls") for was, now in zip(before, table.presence_mark, strict=True)
    )


def _change(table: Table, person: SeatPerson, was: str, now: str) -> str:
    if person.is_you:
        return _away_note(table) if now in "ls" else ""
    name = wording.isolated(person.name)
    if now == "l":
        return f"{name} has left, and a stand-in plays"
    if now == "s":
        return f"A stand-in plays for {name}"
    if person.took_from and was in "ls-" and now in "hq":
        return f"{name} has taken the seat of {wording.isolated(person.took_from)}"
    if was in "ls":
        return f"{name} is back"
    if now == "a":
        return f"{name} is away"
    return f"{name} is here again" if was == "a" and now == "h" else ""


def seat_note(table: Table, person: SeatPerson) -> str:
    """Say in a word what is special about who plays for a seat; mostly nothing."""
    if not table.is_playing:
        return ""
    if person.left:
        return "left: stand-in"
    if person.stand_in:
        return "stand-in"
    if person.missed and not person.is_you:
        return "out of time"
    return "away" if person.presence == AWAY else ""


def clock_text(seconds: int) -> str:
    r"""Write how much time is left.

    A number and its unit stay on one line, so that a narrow clock shows the larger unit alone.

    >>> [clock_text(s).replace("\xa0", "~") for s in (0, 9, 75, 3_700, 90_000)]
    ['0:00', '0:09', '1:15', '1~h 1~min', '1~day 1~h']
    """
    if seconds < 3600:
        return f"{seconds // 60}:{seconds % 60:02}"
    hours, minutes = seconds // 3600, seconds % 3600 // 60
    if hours < 24:
        return f"{hours}\xa0h {minutes}\xa0min"
    days = wording.count(hours // 24, "day").replace(" ", "\xa0")
    return f"{days} {hours % 24}\xa0h"


def _away_note(table: Table) -> str:
    if table.you is not None and table.you.left:
        return "You left. A stand-in plays for you."
    if table.pace_s is None:
        return "You were away. A stand-in plays for you."
    return "Your time ran out twice. A stand-in plays for you."


def _time_note(table: Table) -> str:
    you = table.you
    if you is None or not you.missed or you.plays_itself or not table.is_playing:
        return ""
    return "Your time ran out, so your seat passed. After the second time a stand-in plays for you."


def _person(table: Table, person: SeatPerson) -> Person:
    asks = agreed = ""
    if person in table.absent:
        by = dict(table.agreed).get(person.number, frozenset())
        you = table.you
        if you is not None and you.number in by:
            agreed = "You agreed to a stand-in. Everybody who is here has to."
        else:
            asks = f"Let a stand-in play for {wording.isolated(person.name)}"
            if by:
                names = [wording.isolated(each.name) for each in table.people if each.number in by]
                agreed = f"{wording.listed(names)} would let a stand-in play."
    return Person(
        number=person.number,
        name=person.name,
        state=_state(table, person),
        is_muted=person.is_muted,
        asks=asks,
        agreed=agreed,
    )


def _state(table: Table, person: SeatPerson) -> str:
    if table.is_playing and person.left:
        return "has left; a stand-in plays"
    if table.is_playing and person.stand_in:
        return "a stand-in plays"
    if person.presence == HERE:
        taken = wording.isolated(person.took_from) if person.took_from else ""
        return f"here, in the seat of {taken}" if taken else "here"
    return "away" if person.presence == AWAY else "inactive for a minute"
