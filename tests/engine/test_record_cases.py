"""The records made by another implementation of the rules, right ones and wrong ones."""

import re

import pytest

from raisesum.engine import Phase
from raisesum.engine.record import RecordError
from tests.engine.positions import all_cards
from tests.engine.records import RIGHT, WRONG, read


def test_all_cases_are_there():
    assert (len(RIGHT), len(WRONG)) == (69, 69)


@pytest.mark.parametrize("path", RIGHT, ids=lambda path: path.stem)
def test_a_right_record_reads_to_its_end_and_is_written_back_to_the_byte(path):
    record = read(path.read_bytes())
    assert record.final.phase is Phase.OVER
    assert record.text.encode() == path.read_bytes()


@pytest.mark.parametrize("path", RIGHT, ids=lambda path: path.stem)
def test_no_card_appears_or_goes_missing_in_any_position(path):
    record = read(path.read_bytes())
    for step in record.steps:
        assert all_cards(step.state) == list(record.setup.deck.cards)


@pytest.mark.parametrize("path", WRONG, ids=lambda path: path.stem)
def test_a_wrong_record_is_refused_at_exactly_its_line(path):
    with pytest.raises(RecordError) as refused:
        read(path.read_bytes())
    named = re.search(r"-line(\d+)$", path.stem)
    assert named
    assert refused.value.line == int(named[1])
