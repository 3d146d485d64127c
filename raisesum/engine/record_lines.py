"""The lines of a record, taken one by one from bytes that may be anything at all.

However many bytes there are and wherever their lines end, no more than one line of a length
that a record could have is held at once.
"""

from typing import Final, Protocol

#: The most bytes of a line, its end included.  A deck of all faces takes about 450.
LONGEST_LINE: Final = 1024
#: The same for the line of the players, whose names are as long as they like to be.
LONGEST_NAMES: Final = 1 << 20

BYTE_ORDER_MARK: Final = "\N{ZERO WIDTH NO-BREAK SPACE}"

_SHOWN: Final = 60


class Source(Protocol):
    """Where bytes come from: any binary file or stream."""

    def readline(self, limit: int, /) -> bytes:
        """Return the bytes up to and with the next line feed, and no more than `limit`."""


class RecordError(ValueError):
    """A record is wrong.

    Attributes:
        line: the first line that cannot continue a right record, from 1.
        reason: what is wrong there; one line of printable text, whatever the record holds.
    """

    def __init__(self, line: int, reason: str) -> None:
        # Both go to the base class, so that a copied or unpickled error is a whole one.
        super().__init__(line, reason)
        self.line = line
        self.reason = reason

    def __str__(self) -> str:
        return f"line {self.line}: {self.reason}"


class Lines:
    """The lines of one record, in their order.

    Attributes:
        number: of the line that was taken last, from 1; 0 before the first.
    """

    def __init__(self, source: Source) -> None:
        self.number = 0
        self._source = source
        #: The first byte of the next line, where it has been looked for.
        self._ahead = b""

    def take(self, wanted: str, longest: int = LONGEST_LINE) -> str:
        """Return the next line, without its end.

        Args:
            wanted: what should stand there, for the message when nothing does.
            longest: the most bytes that it may have, its end included.

        Raises:
            RecordError: there is no line, or it is none that any record could hold.
        """
        self.number += 1
        raw, self._ahead = self._ahead, b""
        if raw != b"\n":
            raw += self._source.readline(longest + 1 - len(raw))
        if not raw:
            raise self.fault(f"the record ends where {wanted} should follow")
        if len(raw) > longest:
            raise self.fault(f"the line is longer than {longest} bytes")
        if not raw.endswith(b"\n"):
            raise self.fault("the line does not end in a line feed")
        try:
            line = raw[:-1].decode("utf-8")
        except UnicodeDecodeError as error:
            raise self.fault(f"byte {error.start + 1} of the line is not UTF-8") from None
        if "\r" in line:
            raise self.fault("there is a carriage return: lines end in a line feed alone")
        if BYTE_ORDER_MARK in line:
            raise self.fault("there is a byte-order mark")
        if "  " in line:
            raise self.fault("there are two spaces in a row")
        return line

    def is_at_end(self) -> bool:
        """Return whether there is no other line."""
        if not self._ahead:
            self._ahead = self._source.readline(1)
        return not self._ahead

    def end(self) -> None:
        """Raise RecordError if there is another line."""
        if not self.is_at_end():
            self.number += 1
            raise self.fault("nothing follows the end of the match")

    def fault(self, reason: str) -> RecordError:
        """Return the error to raise about the line taken last."""
        return RecordError(self.number, reason)

    def unlike(self, wanted: str, line: str) -> RecordError:
        """Return the error to raise about `line`, the one taken last, which is not `wanted`."""
        return self.fault(f"expected {wanted}, found {shown(line)}")


def shown(text: str) -> str:
    r"""Return `text` in quotes, cut short, and with nothing in it that does not print.

    >>> print(shown("2 pass\x1b[2J"))
    '2 pass\x1b[2J'
    """
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")
