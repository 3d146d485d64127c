"""Plays that a person is told of: good ones, without a card too many."""

from __future__ import annotations

from dataclasses import replace

import pytest

from raisesum.bots.advice import advised_play, plain_cheapest
from raisesum.engine import (
    OFFICIAL_DECKS,
    Kind,
    LegalPlay,
    Setup,
    View,
    legal_plays,
    new_match,
    parse_cards,
    score,
    view_for,
)
from raisesum.services.positions import position, standing_play

REPLIES = (
    ("+3 +4 +1 -2 /2", "+6"),
    ("+5 +4 x3 0 +1 -3", "+6 -2 /2"),
    ("+3 /2 -1", "+2"),
    ("+9 +8 x3 x2 0 -5", "+4"),
)


def turn(hand: str, standing: str = "", players: int = 2) -> View:
    hands = (hand, *("+1 +2 +5",) * (players - 1))
    lies = standing_play(2, standing) if standing else None
    return view_for(position("full", hands, standing=lies), 1)


def rests(play: LegalPlay) -> list[tuple[object, ...]]:
    return [play.cards[:place] + play.cards[place + 1 :] for place in range(len(play.cards))]


@pytest.mark.parametrize(("hand", "standing"), REPLIES)
def test_no_card_of_an_advised_reply_can_be_left_out(hand: str, standing: str) -> None:
    for players in (2, 4):
        view = turn(hand, standing, players)
        play = advised_play(view)
        assert play is not None
        assert view.target is not None
        assert play.score == score(play.cards, view.incoming).score > view.target
        for rest in rests(play):
            assert score(rest, view.incoming).score <= view.target  # type: ignore[arg-type]


def test_an_advised_opening_scores_and_has_no_card_that_adds_nothing() -> None:
    for seed in range(40):
        state = new_match(Setup(2, OFFICIAL_DECKS["full"], first=1), seed=seed).state
        play = advised_play(view_for(state, 1))
        assert play is not None
        assert play.score > 0
        assert {card.kind for card in play.cards} <= {Kind.ADD, Kind.MULTIPLY}


def test_a_hand_that_opens_only_for_nothing_opens_with_what_it_has() -> None:
    play = advised_play(turn("-3 /2"))
    assert play is not None
    assert play.score == 0


def test_there_is_no_advice_without_a_play_and_the_same_for_the_same_turn() -> None:
    assert advised_play(turn("+1 +2", "+9 +8")) is None
    view = turn("+9 +8 x3 x2 0 -5", "+4")
    assert len({advised_play(view) for _ in range(3)}) == 1
    assert advised_play(replace(view, hand=view.hand[::-1])) == advised_play(view)


def test_a_play_that_wins_the_match_for_certain_is_advised() -> None:
    state = position(
        "addition", ("+9 +9 +1", "+1"), standing=standing_play(2, "+2"), points=(2, 0), goal=3
    )
    certain = advised_play(view_for(replace(state, draw_pile=()), 1))
    assert certain is not None
    # The other has one card, which is at most a nine less than both of these make.
    assert certain.score >= 9


@pytest.mark.parametrize(("hand", "standing"), REPLIES)
def test_the_cheapest_plain_play_is_the_lowest_score_there_is(hand: str, standing: str) -> None:
    view = turn(hand, standing)
    assert view.target is not None
    incoming = view.incoming
    play = plain_cheapest(view.hand, incoming.less, incoming.divisor, view.target)
    assert play is not None
    assert play.score == min(p.score for p in legal_plays(view.hand, incoming, view.target))
    for rest in rests(play):
        assert score(rest, incoming).score <= view.target  # type: ignore[arg-type]


def test_the_cheapest_plain_opening_scores_where_it_can() -> None:
    found = plain_cheapest(parse_cards("-3 x2 +4 +2"), 0, 1, None)
    assert found == LegalPlay(parse_cards("+2"), 2)
    assert plain_cheapest(parse_cards("-3"), 0, 1, None) == LegalPlay(parse_cards("-3"), 0)
