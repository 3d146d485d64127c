"""Looking back: the title says no more of the viewer than what the match has shown."""

from __future__ import annotations

from dataclasses import replace

import pytest

from raisesum.engine import parse_cards, score
from raisesum.services.help import FULL, HEAD, RESULT, TELLS_ALL, Help
from raisesum.services.review import MissedPlay, Review
from raisesum.web.presenters.review import present_review

RECEIPT = score(parse_cards("+3 +4"))
MINE = MissedPlay(4, 1, 1, 6, RECEIPT)
THEIRS = replace(MINE, number=9, seat=2)
NAMES = ("Ann", "Steady")


def review(
    *missed: MissedPlay, viewer: int | None = 1, is_whole: bool = True, level: str = ""
) -> Review:
    tells = Help(level).tells(alone=False) if level else TELLS_ALL
    return Review(NAMES, viewer, missed, is_whole, tells)


@pytest.mark.parametrize(
    ("found", "could_have"),
    [
        (review(MINE), True),
        (review(MINE, THEIRS), True),
        (review(THEIRS), False),
        (review(), False),
        (review(MINE, THEIRS, viewer=None), False),
        (review(replace(MINE, by_clock=True)), False),
        (review(is_whole=False), False),
        (review(MINE, is_whole=False), True),
    ],
)
def test_you_could_have_stayed_in_stands_over_passes_of_ones_own_alone(
    found: Review, could_have: bool
) -> None:
    page = present_review(found)
    assert (page.title == "You could have stayed in") == could_have
    assert bool(page.lead) == bool(found.missed)


@pytest.mark.parametrize("level", [FULL, RESULT, HEAD])
def test_in_mid_match_no_card_is_named_where_the_table_names_none(level: str) -> None:
    page = present_review(review(MINE, is_whole=False, level=level))
    (line,) = page.rounds[0].lines
    assert (line.cards, line.score, line.sum.chips, line.sum.verdict) == ((), None, (), None)
    assert "play you had" not in page.lead


def test_an_empty_page_does_not_say_that_nobody_passed_where_nothing_may_be_told() -> None:
    silent = present_review(review(is_whole=False, level=RESULT))
    assert "have not passed" not in silent.empty
    assert "have not passed" in present_review(review(is_whole=False, level=FULL)).empty
    assert "Nobody passed" in present_review(review()).empty
