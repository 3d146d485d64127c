"""A wrong record that somebody brings along: the line in question, among its neighbours."""

from dataclasses import dataclass
from typing import Final

from raisesum import wording
from raisesum.engine.record import RecordError

#: How many lines are shown before and after the wrong one, and how much of each.
BEFORE: Final = 4
AFTER: Final = 2
MOST_OF_A_LINE: Final = 200


@dataclass(frozen=True, slots=True)
class RecordLine:
    """A line of a record; `text` is None for the line that is missing at its end."""

    number: int
    text: str | None
    is_wrong: bool


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a record: in which line, why, and the lines around it."""

    line: int
    reason: str
    lines: tuple[RecordLine, ...]


def present_fault(record: bytes, error: RecordError) -> Fault:
    r"""Return where and why `record` is wrong.

    >>> fault = present_fault(b"Raise the Sum record 2\n", RecordError(1, "no such thing"))
    >>> [(line.number, line.text, line.is_wrong) for line in fault.lines]
    [(1, 'Raise the Sum record 2', True)]
    """
    lines = record.split(b"\n")
    if not lines[-1]:
        lines.pop()
    first = max(error.line - 1 - BEFORE, 0)
    shown = [
        RecordLine(number, _printable(line), number == error.line)
        for number, line in enumerate(lines[first : error.line + AFTER], first + 1)
    ]
    if error.line > len(lines):
        shown.append(RecordLine(error.line, None, is_wrong=True))
    reason = wording.ended(error.reason[:1].upper() + error.reason[1:])
    return Fault(error.line, reason, tuple(shown))


def _printable(line: bytes) -> str:
    """Return `line` as text in which every character can be seen, cut short."""
    text = line.decode("utf-8", "backslashreplace")
    if len(text) > MOST_OF_A_LINE:
        text = text[:MOST_OF_A_LINE] + "…"
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
