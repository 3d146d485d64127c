"""Records that mean harm: whatever comes, a refusal, soon and in little memory."""

import itertools
import tracemalloc
from random import Random

import pytest

from raisesum.engine.record import RecordError, RecordReader, read_record
from raisesum.engine.record_lines import LONGEST_LINE, LONGEST_NAMES
from tests.engine.records import RIGHT, SHORT, wrong_line

GIGABYTE = 1 << 30
TEN_MILLION = 10_000_000


class Stream:
    """A file that is made as it is read, and knows how much of it was asked for."""

    def __init__(self, *parts):
        self._parts = itertools.chain.from_iterable(parts)
        self._rest = b""
        self.taken = 0

    def readline(self, limit, /):
        assert 0 < limit <= LONGEST_NAMES + 1
        line = self._rest
        while len(line) < limit and b"\n" not in line:
            part = next(self._parts, b"")
            if not part:
                break
            line += part
        end = min(line.find(b"\n") + 1 or len(line), limit)
        self._rest = line[end:]
        self.taken += end
        return line[:end]


def refused(stream):
    """Return the line at which `stream` is refused, and the most memory that this took."""
    tracemalloc.start()
    try:
        with pytest.raises(RecordError) as error:
            for _ in RecordReader(stream):
                pass
        return error.value.line, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def endless(part, size):
    return itertools.repeat(part, size // len(part))


@pytest.mark.parametrize("filler", [b"x", b"\0", b" ", b"\xff", "é".encode(), b"players: A | B"])
def test_a_gigabyte_of_one_line(filler):
    stream = Stream(endless(filler * 1000, GIGABYTE))
    line, memory = refused(stream)
    assert line == 1
    assert stream.taken <= LONGEST_LINE + 1
    assert memory < 500_000


@pytest.mark.parametrize("number", range(1, len(SHORT.splitlines()) + 2))
def test_a_gigabyte_of_one_line_at_every_place(number):
    lines = SHORT.encode().splitlines(keepends=True)
    start, stump = lines[: number - 1], lines[number - 1 : number]
    stump = [part.rstrip(b"\n") for part in stump]
    stream = Stream(start, stump, endless(b" +1" * 1000, GIGABYTE))
    line, memory = refused(stream)
    assert line == number
    # Only names may be long, and these are still far from a gigabyte.
    assert (
        stream.taken <= sum(map(len, start)) + (LONGEST_NAMES if number == 2 else LONGEST_LINE) + 1
    )
    assert memory < 16 * LONGEST_NAMES


@pytest.mark.parametrize(
    "line", [b"\n", b"1 pass\n", b"2 match\n", b"\xff\n", b"Raise the Sum record 1\n"]
)
def test_ten_million_lines(line):
    for start in ((), SHORT.encode().splitlines(keepends=True)[:-1], [SHORT.encode()]):
        stream = Stream(start, itertools.repeat(line, TEN_MILLION))
        number, memory = refused(stream)
        right = sum(part.count(b"\n") for part in start)
        assert number in (right + 1, right + 2)
        assert stream.taken < 2000
        assert memory < 500_000


def test_random_bytes():
    rng = Random(1)
    for _ in range(200):
        stream = Stream(iter(lambda: rng.randbytes(4096), None))
        line, memory = refused(stream)
        assert line == 1
        assert memory < 500_000


def test_random_bytes_after_a_right_beginning():
    rng = Random(2)
    lines = SHORT.encode().splitlines(keepends=True)
    for count in range(1, len(lines)):
        stream = Stream(lines[:count], iter(lambda: rng.randbytes(4096), None))
        assert refused(stream)[0] == count + 1


def test_random_text_of_the_characters_of_records():
    rng = Random(3)
    for _ in range(200):
        junk = "".join(rng.choices("0123456789+-x/ :=|*\nabcdefghijklmnopqrstuvwxyz", k=500))
        assert wrong_line(junk) == 1
        number = SHORT.count("\n", 0, SHORT.index("2 play")) + 1
        assert wrong_line(SHORT[: SHORT.index("2 play")] + junk) == number


def test_memory_does_not_grow_with_the_match():
    sizes = {}
    for path in (min(RIGHT, key=_size), max(RIGHT, key=_size)):
        tracemalloc.start()
        with path.open("rb", buffering=0) as file:
            for _ in RecordReader(file):
                pass
        sizes[path] = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert max(sizes.values()) < 200_000


def test_a_reader_takes_no_more_of_a_wrong_record_than_it_needs():
    stream = Stream([b"Raise the Sum record 2\n"], itertools.repeat(b"x\n"))
    with pytest.raises(RecordError):
        read_record(stream)
    assert stream.taken == len(b"Raise the Sum record 2\n")


def _size(path):
    return path.stat().st_size
