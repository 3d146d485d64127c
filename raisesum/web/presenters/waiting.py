"""A table that waits for people, as the templates print it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from raisesum import wording
from raisesum.services import names
from raisesum.services.help import LEVELS, USUAL_HELP
from raisesum.services.presence import AWAY, HERE
from raisesum.services.table import NOBODY, SeatPerson
from raisesum.services.table_settings import TableSettings
from raisesum.services.waiting import PublicTable, Room, is_free
from raisesum.web.presenters.company import Phrase, present_phrases

#: How often the page asks for news, in seconds.
POLL_SECONDS = 2

_PRESENCE = {HERE: "here", AWAY: "away"}


@dataclass(frozen=True, slots=True)
class Place:
    """A seat of the room: `kind` is you, person, bot or free, `state` a word about it.

    `says` is what its person has said last, unless the viewer has muted them.
    """

    number: int
    kind: str
    name: str
    state: str
    is_host: bool
    level: str
    says: str = ""
    is_muted: bool = False


@dataclass(frozen=True, slots=True)
class RoomPage:
    """Everything that the templates of a waiting room print.

    `role` says what the viewer may do here, and for those who may invite others, by which link: the
    page around the part that polls bring depends on it. `name_note` says why the viewer has another
    name here than their own, and `announcement` what to say aloud. `came_by` is the token of the
    invitation by which the viewer came; it is empty for those who use the table's key.
    `others` has the names of the other people by their seats, `phrases` what the viewer can say to
    them and `last_said` the number of the last phrase said. `refusal` says why the last request was
    not carried out.
    """

    key: str
    role: str
    revision: int
    presence_mark: str
    title: str
    headline: str
    facts: tuple[str, ...]
    places: tuple[Place, ...]
    name_note: str
    announcement: str
    host: str
    is_seated: bool
    is_host: bool
    may_join: bool
    start_label: str
    is_public: bool
    poll_seconds: int
    bot_level: str
    came_by: str
    is_full: bool
    others: dict[int, str]
    phrases: tuple[Phrase, ...]
    last_said: int
    refusal: str = ""


@dataclass(frozen=True, slots=True)
class OpenTable:
    """A row in a list of tables that wait.

    `name` is what stands for the table in its address: the key of one's own, else an invitation.
    """

    name: str
    title: str
    detail: str
    free: str


def present_room(
    room: Room,
    presence_mark: str,
    *,
    own_name: str = "",
    came_by: str = "",
    seen: int | None = None,
    there: str | None = None,
    heard: int | None = None,
    refusal: str = "",
) -> RoomPage:
    """Return the room as its viewer sees it.

    Args:
        room: from `services.waiting`.
        presence_mark: `Pulse.presence_mark` of this moment.
        own_name: what the viewer is called, where that is the name for this table.
        came_by: the token of the invitation by which the viewer came, if they did.
        seen: the revision that the page showed; None announces nothing.
        there: the presence mark that it showed.
        heard: the number of the last phrase said that it showed; None announces none.
        refusal: why the last request was not carried out.
    """
    others = {
        person.number: person.name
        for person in room.people
        if not is_free(person) and person.bot is None and not person.is_you
    }
    host = room.host.name if room.host else ""
    people = sum(person.bot is None and not is_free(person) for person in room.people)
    bots = len(room.people) - people
    return RoomPage(
        key=room.key,
        role=_role(room),
        revision=room.revision,
        presence_mark=presence_mark,
        title=_title(room),
        headline=_headline(room),
        facts=facts(room.settings),
        places=tuple(_place(room, person) for person in room.people),
        name_note=_name_note(room, own_name),
        announcement="" if refusal else _announcement(room, presence_mark, seen, there, heard),
        host=host,
        is_seated=room.is_seated,
        is_host=room.is_host,
        may_join=_may_join(room),
        start_label=_start_label(people, bots),
        is_public=room.settings.is_public,
        poll_seconds=POLL_SECONDS,
        bot_level=room.settings.bot_level,
        came_by=came_by,
        is_full=room.free_seats == 0,
        others=others,
        phrases=present_phrases() if room.is_seated and others else (),
        last_said=room.last_said,
        refusal=refusal,
    )


def present_rooms(rooms: Iterable[Room]) -> tuple[OpenTable, ...]:
    """Return one's own waiting tables as rows of a list."""
    return tuple(
        OpenTable(
            room.key,
            _title(room),
            " · ".join(facts(room.settings)),
            _free(room.free_seats),
        )
        for room in rooms
    )


def present_public(tables: Iterable[PublicTable]) -> tuple[OpenTable, ...]:
    """Return public tables as rows of a list."""
    return tuple(
        OpenTable(
            table.invitation,
            f"{wording.isolated(table.host)}’s table",
            " · ".join(facts(table.settings)),
            _free(table.free_seats),
        )
        for table in tables
    )


def facts(settings: TableSettings) -> tuple[str, ...]:
    """Say in a few words each what a table has been set to."""
    deck = settings.deck.split(" ")[0]
    said = [
        wording.isolated(settings.deck_name) if settings.deck_name else wording.deck_name(deck),
        f"first to {wording.count(settings.goal, 'point')}",
        pace_words(settings.pace_s),
    ]
    if settings.first is not None:
        said.append(f"seat {settings.first} opens")
    if settings.spectators:
        said.append("others may watch")
    if settings.help != USUAL_HELP:
        said += [level.title.lower() for level in LEVELS if level.name == settings.help.level]
    return tuple(said)


def pace_words(seconds: int | None) -> str:
    """Say how long a turn may take.

    >>> [pace_words(s) for s in (None, 86400, 120, 45)]
    ['no time limit', 'a day a turn', '2 minutes a turn', '45 seconds a turn']
    """
    if seconds is None:
        return "no time limit"
    for unit, name in ((86400, "day"), (3600, "hour"), (60, "minute")):
        if seconds % unit == 0:
            many = seconds // unit
            article = "an" if name == "hour" else "a"
            return f"{article if many == 1 else many} {name}{'' if many == 1 else 's'} a turn"
    return f"{seconds} seconds a turn"


def _title(room: Room) -> str:
    if room.is_host:
        return "Your table"
    return f"{wording.isolated(room.host.name)}’s table" if room.host else "A table for friends"


def _may_join(room: Room) -> bool:
    return not room.is_seated and room.free_seats > 0


def _role(room: Room) -> str:
    if room.is_seated:
        # A mark of the link, so that the page is made anew when there is another one to pass on.
        link = hashlib.sha256(room.invitation.encode()).hexdigest()[:8]
        return f"{'host' if room.is_host else 'guest'}-{link}"
    if not _may_join(room):
        return "onlooker"
    # Where strangers meet, the form to sit down asks for no name.
    return "comer-public" if room.settings.is_public else "comer"


def _headline(room: Room) -> str:
    if not room.is_seated:
        return "A seat is free for you" if room.free_seats else "All seats are taken"
    free = _free(room.free_seats)
    return f"{free}. Start when you like" if room.is_host else free


def _free(many: int) -> str:
    return "All seats are taken" if many == 0 else f"{wording.count(many, 'free seat')}"


def _name_note(room: Room, own_name: str) -> str:
    name = next((person.name for person in room.people if person.is_you), own_name)
    if not own_name or name == own_name:
        return ""
    own, here = wording.isolated(own_name), wording.isolated(name)
    if names.poses_as_program(own_name):
        return f"The table uses the name {own} itself. At this table you are {here}."
    return f"The name {own} was taken here, so at this table you are {here}."


def _announcement(
    room: Room, mark: str, seen: int | None, there: str | None, heard: int | None
) -> str:
    """Say who has sat down and what was said, and how things stand if anything else changed."""
    if seen is None or seen == room.revision:
        return ""
    told = []
    if there is not None and len(there) == len(mark):
        changes = zip(room.people, there, mark, strict=True)
        told = [
            f"{wording.isolated(person.name)} has sat down"
            for person, was, now in changes
            if was == NOBODY != now and not person.is_you
        ]
    names = {person.number: wording.isolated(person.name) for person in room.people}
    own = {person.number for person in room.people if person.is_you}
    new = [said for said in room.said if heard is not None and said.number > heard]
    for said in new:
        who = "You said" if said.seat in own else f"{names[said.seat]} says"
        told.append(f"{who}: {said.text}")
    # Each phrase counts as one revision.
    only_said = heard is not None and room.revision - seen == room.last_said - heard
    return wording.spoken(told if only_said else [*told, _headline(room)])


def _place(room: Room, person: SeatPerson) -> Place:
    if is_free(person):
        awaited = room.kept_for.get(person.number)
        state = "" if awaited is None else f"for {wording.isolated(awaited)}"
        return Place(person.number, "free", "Free seat", state, is_host=False, level="")
    if person.bot is not None:
        return Place(person.number, "bot", person.name, "bot", is_host=False, level=person.bot)
    state = "" if person.is_you else _PRESENCE.get(person.presence, "inactive for a minute")
    kind = "you" if person.is_you else "person"
    return Place(
        person.number,
        kind,
        person.name,
        state,
        person.is_host,
        level="",
        says=next((said.text for said in room.said if said.seat == person.number), ""),
        is_muted=person.is_muted,
    )


def _start_label(people: int, bots: int) -> str:
    if bots == 0:
        return f"Start with {wording.count(people, 'player')}"
    if people == 1:
        return f"Start alone with {wording.count(bots, 'bot')}"
    return f"Start with {people} people and {wording.count(bots, 'bot')}"
