"""`flask --app app record ...`: checking, showing and writing records of matches."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from enum import IntEnum
from pathlib import Path
from typing import BinaryIO

import click
from flask.cli import with_appcontext
from sqlalchemy.exc import DBAPIError

from raisesum import wording
from raisesum.engine import Deck, Passed, Played, Receipt, RoundStarted
from raisesum.engine.record import RecordError, RecordReader
from raisesum.engine.view import open_event
from raisesum.services import history
from raisesum.services.errors import NoSuchTableError, ServiceError

# A record may hold a name of any length; a line about it should stay one that can be read.
_MOST_OF_A_NAME = 40
# The longest number that every database takes for a row's.
_MOST_DIGITS = 9


class Outcome(IntEnum):
    """What became of a file, as an exit status; of several files the highest counts."""

    RIGHT = 0
    WRONG = 1
    UNREADABLE = 2


@click.group()
def record() -> None:
    """Check, show and write records of matches."""


@record.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path())
@click.pass_context
def check(ctx: click.Context, files: tuple[str, ...]) -> None:
    """Hold each FILE to the form of records and to the rules, a line for each.

    The exit status is 0 when all are right, 1 when any is wrong, 2 when any could not be read.
    """
    worst = Outcome.RIGHT
    for file in files:
        outcome, line = _checked(file)
        worst = max(worst, outcome)
        click.echo(_printable(line))
    ctx.exit(worst)


@record.command()
@click.argument("file", metavar="FILE", type=click.Path())
@click.pass_context
def show(ctx: click.Context, file: str) -> None:
    """Tell the match in FILE in words, with the steps of each score.

    A wrong record is told up to where it goes wrong; the exit status is that of `record check`.
    """
    try:
        with _File(file) as source:
            for line in _told(RecordReader(source)):
                click.echo(_printable(line))
    except RecordError as error:
        click.echo(_printable(f"{file}:{error.line}: {error.reason}"), err=True)
        ctx.exit(Outcome.WRONG)
    except _UnreadableError as error:
        click.echo(_printable(f"{file}: {error}"), err=True)
        ctx.exit(Outcome.UNREADABLE)


# The ID of a table may begin with a dash, and is no option then.
@record.command(context_settings={"ignore_unknown_options": True})
@click.argument("table", metavar="ID")
@with_appcontext
def export(table: str) -> None:
    """Write the record of a finished match to standard output.

    ID is what follows /games/ in the match's address, or the number of its row in the database.
    """
    is_number = table.isdigit() and len(table) <= _MOST_DIGITS
    try:
        if not (table.isascii() and table.isprintable()):
            # A database may not even be able to look for it.
            raise NoSuchTableError
        text = history.record_of(history.key_of(int(table)) if is_number else table)
    except ServiceError as error:
        raise click.ClickException(str(error)) from None
    except DBAPIError as error:
        raise click.ClickException(f"The database cannot be read: {error.orig}") from None
    # As bytes: neither the locale nor the system's line ends may change a record.
    click.echo(text.encode(), nl=False)


class _UnreadableError(Exception):
    """A file cannot be opened or read; `str()` of it says so and why."""

    def __init__(self, why: str) -> None:
        super().__init__(f"cannot be read: {why}")


class _File:
    """A file to read lines from, whose failures are told from those of the output."""

    def __init__(self, name: str) -> None:
        try:
            self._file: BinaryIO = Path(name).open("rb")  # noqa: SIM115 (closed by __exit__)
        except OSError as error:
            raise _UnreadableError(error.strerror or str(error)) from None

    def readline(self, limit: int, /) -> bytes:
        try:
            return self._file.readline(limit)
        except OSError as error:
            raise _UnreadableError(error.strerror or str(error)) from None

    def __enter__(self) -> _File:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()


def _checked(file: str) -> tuple[Outcome, str]:
    try:
        with _File(file) as source:
            return Outcome.RIGHT, f"{file}: ok: {_summary(RecordReader(source))}"
    except RecordError as error:
        return Outcome.WRONG, f"{file}:{error.line}: {error.reason}"
    except _UnreadableError as error:
        return Outcome.UNREADABLE, f"{file}: {error}"


def _summary(reader: RecordReader) -> str:
    """Read the record to its end, keeping only what the summary says."""
    turns = rounds = 0
    winner = 0
    for state, events in reader:
        turns += isinstance(events[0], Played | Passed)
        rounds, winner = state.round, state.turn
    players = wording.count(reader.setup.players, "player")
    points = wording.count(reader.setup.goal, "point")
    length = f"{wording.count(rounds, 'round')} and {wording.count(turns, 'turn')}"
    name = reader.names[winner - 1]
    if len(name) > _MOST_OF_A_NAME:
        name = name[:_MOST_OF_A_NAME] + "…"
    return (
        f"{players}, {reader.setup.deck.name} deck, to {points}; "
        f"won by seat {winner} ({name}) in {length}"
    )


def _told(reader: RecordReader) -> Iterator[str]:
    """Tell a match line by line, as far as its record is right."""
    names = dict(enumerate(reader.names, 1))
    yield f"Players: {', '.join(reader.names)}"
    yield f"Deck: {_deck(reader.setup.deck)}"
    yield f"To win: {wording.count(reader.setup.goal, 'point')}"
    yield ""
    target: int | None = None
    for state, events in reader:
        for event in events:
            if isinstance(event, RoundStarted) and event.round > 1:
                yield ""
            # A round is won by passing, so what stood before the action still stood at its end.
            told = wording.sentence(open_event(event), names, None, won_with=target)
            yield f"{told}."
            if isinstance(event, Played) and not _is_plain(event.receipt):
                yield f"    {wording.receipt_text(event.receipt)}"
        target = state.target


def _is_plain(receipt: Receipt) -> bool:
    # One card that nothing was done to: the steps would only say its number again.
    return len(receipt.cards) == len(receipt.steps) == 1


def _deck(deck: Deck) -> str:
    if deck.name != "custom":
        return wording.deck_name(deck.name)
    return ", ".join(f"{count} of {wording.card_label(card)}" for card, count in deck.counts)


def _printable(text: str) -> str:
    """Return `text` as one line that does nothing to a terminal and that its encoding can write.

    File names may hold any byte and names of players nearly any character.
    """
    shown = "".join(c if c.isprintable() else _escaped(c) for c in text)
    encoding = sys.stdout.encoding
    return shown.encode(encoding, "backslashreplace").decode(encoding)


def _escaped(character: str) -> str:
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:
        # How Python holds a byte of a file name that is not text.
        return f"\\x{code - 0xDC00:02x}"
    return ascii(character)[1:-1]
