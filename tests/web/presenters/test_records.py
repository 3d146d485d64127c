"""What is shown of a wrong record: the line in question among its neighbours."""

import io
import re
from pathlib import Path

import pytest

from raisesum.engine.record import RecordError, read_record
from raisesum.web.presenters.records import AFTER, BEFORE, MOST_OF_A_LINE, Fault, present_fault
from tests.engine.records import SHORT, WRONG, with_line


def fault(record: bytes) -> Fault:
    with pytest.raises(RecordError) as refused:
        read_record(io.BytesIO(record))
    return present_fault(record, refused.value)


def test_the_wrong_line_stands_among_its_neighbours() -> None:
    found = fault(with_line(SHORT, 10, "2 draw: +3 0").encode())
    assert found.line == 10
    assert [line.number for line in found.lines] == list(range(10 - BEFORE, 10 + AFTER + 1))
    assert [line.text for line in found.lines if line.is_wrong] == ["2 draw: +3 0"]
    assert found.lines[0].text == ""


def test_a_record_that_ends_too_soon_is_marked_after_its_last_line() -> None:
    lines = SHORT.splitlines(keepends=True)
    found = fault("".join(lines[:-1]).encode())
    assert found.line == len(lines)
    assert found.lines[-1].text is None
    assert found.lines[-1].is_wrong


def test_an_empty_record_is_wrong_at_its_first_line() -> None:
    found = fault(b"")
    assert [(line.number, line.text, line.is_wrong) for line in found.lines] == [(1, None, True)]


def test_what_cannot_be_seen_is_shown_by_its_number() -> None:
    found = fault(b"Raise the Sum record 1\r\n")
    assert found.lines[0].text == "Raise the Sum record 1\\r"
    assert fault(b"\xff\x00\n").lines[0].text == "\\xff\\x00"


def test_a_long_line_is_cut_short() -> None:
    text = fault(b"x" * 10_000).lines[0].text
    assert text == "x" * MOST_OF_A_LINE + "…"


def test_the_reason_is_a_sentence() -> None:
    assert fault(b"x\n").reason.startswith("Expected ")
    found = fault(with_line(SHORT, 11, "2 play: +1 +2 = 3").encode())
    assert found.reason.endswith("You hold no +2.")


@pytest.mark.parametrize("path", WRONG, ids=lambda path: path.stem)
def test_every_reason_has_one_end(path: Path) -> None:
    assert re.search(r"[^.!?…][.!?…]$", fault(path.read_bytes()).reason)


@pytest.mark.parametrize("path", WRONG[:20], ids=lambda path: path.stem)
def test_exactly_one_line_is_wrong(path: Path) -> None:
    found = fault(path.read_bytes())
    assert [line.number for line in found.lines if line.is_wrong] == [found.line]
