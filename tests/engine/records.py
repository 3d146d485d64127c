"""Records written down as text, for tests."""

import io
from pathlib import Path

from raisesum.engine.record import MatchRecord, RecordError, read_record

CASES = Path(__file__).parent.parent / "data" / "records"
RIGHT = sorted(CASES.glob("right-*.txt"))
WRONG = sorted(CASES.glob("wrong-*.txt"))

#: A short match with an entry of every kind.
SHORT = """\
Raise the Sum record 1
players: North | East
deck: full
goal: 1
first: 2

2 deal: +5 x2 -3 +1 +4
1 deal: 0 +3 +9 /2 +1
round 1
2 draw: +3 0 /2
2 play: +1 +3 = 4
1 draw: +2 -1 x2
1 pass
1 discard: +1
2 point
2 match
"""

#: Sixteen cards: both draw piles end with the third card of a draw (line 12), and are shuffled
#: anew from fewer than three discards (lines 14 and 16) and from exactly three (line 18).
LEAN = """\
Raise the Sum record 1
players: North | East
deck: custom +1*8 +2*8
goal: 1
first: 1

1 deal: +1 +1 +1 +1 +1
2 deal: +2 +2 +2 +2 +2
round 1
1 draw: +1 +1 +1
1 play: +1 = 1
2 draw: +2 +2 +2
2 play: +2 = 2
1 draw: +1
1 play: +1 +1 +1 = 3
2 draw: +2
2 play: +2 +2 = 4
1 draw: +1 +1 +1
1 pass
1 discard: +1
2 point
2 match
"""

#: One card is left of the draw pile when three are drawn, and two discards (line 14).
SPLIT = """\
Raise the Sum record 1
players: North | East
deck: custom +1*8 +2*8 +3*1
goal: 1
first: 1

1 deal: +1 +1 +1 +1 +1
2 deal: +2 +2 +2 +2 +2
round 1
1 draw: +1 +1 +1
1 play: +1 +1 = 2
2 draw: +2 +2 +2
2 play: +2 +2 = 4
1 draw: +3 +1 +1
1 play: +3 +1 +1 = 5
2 draw: +2 +2
2 pass
2 discard: +2
1 point
1 match
"""

#: Three hands and the standing play hold all cards when a draw is due (line 27).
DRY = """\
Raise the Sum record 1
players: North | East | South
deck: custom +1*12 +2*11 +3*1
goal: 1
first: 1

1 deal: +1 +1 +1 +2 +1
2 deal: +1 +1 +2 +2 +1
3 deal: +3 +2 +2 +2 +1
round 1
1 draw: +1 +1 +2
1 play: +1 = 1
2 draw: +1 +2 +2
2 play: +1 +1 = 2
3 draw: +1 +2 +2
3 play: +3 = 3
1 draw: +1 +1 +1
1 play: +2 +1 +1 = 4
2 draw: +3
2 play: +1 +2 +2 = 5
3 draw: +2 +1 +1
3 play: +2 +2 +2 = 6
1 draw: +1 +2 +2
1 play: +2 +2 +1 +1 +1 = 7
2 draw: +2 +2 +2
2 pass
3 draw:
3 pass
1 point
1 match
"""


def read(text: str | bytes) -> MatchRecord:
    return read_record(io.BytesIO(text if isinstance(text, bytes) else text.encode()))


def wrong_line(text: str | bytes) -> int | None:
    """Return the line at which a reader stops; None for a right record."""
    try:
        read(text)
    except RecordError as error:
        return error.line
    return None


def with_line(text: str, number: int, line: str) -> str:
    """Return `text` with another line in the place of line `number`, which it must have."""
    lines = text.splitlines()
    assert lines[number - 1] != line
    lines[number - 1] = line
    return "\n".join(lines) + "\n"


def without_line(text: str, number: int) -> str:
    lines = text.splitlines()
    del lines[number - 1]
    return "\n".join(lines) + "\n"


def number_of(text: str, line: str) -> int:
    """Return the number of the only line of `text` that is `line`."""
    lines = text.splitlines()
    assert lines.count(line) == 1
    return lines.index(line) + 1
