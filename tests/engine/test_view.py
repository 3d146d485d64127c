from dataclasses import fields

import pytest

from raisesum.engine import (
    OFFICIAL_DECKS,
    CardsTaken,
    Dealt,
    Discarded,
    Drew,
    Event,
    Incoming,
    MatchWon,
    Passed,
    Phase,
    Played,
    PointWon,
    Reshuffled,
    RoundStarted,
    SeatView,
    Setup,
    View,
    card_names,
    new_match,
    parse_cards,
    view_event,
    view_for,
)
from tests.engine.positions import follow, position


def table():
    return position(
        "+1 +2 x2", "-1 0", "/2", turn=1, out=(3,), standing="+4 -2", standing_seat=2,
        draw="+5 +6", discards="+7 +8", points=(1, 0, 2), round=4,
    )  # fmt: skip


@pytest.mark.parametrize("viewer", [None, 1, 2, 3])
def test_everyone_sees_what_lies_open(viewer):
    state = table()
    view = view_for(state, viewer)
    assert view.viewer == viewer
    assert (view.setup, view.phase, view.round, view.turn) == (state.setup, Phase.MOVE, 4, 1)
    assert view.seats == (
        SeatView(number=1, hand_size=3, points=1, is_in=True),
        SeatView(number=2, hand_size=2, points=0, is_in=True),
        SeatView(number=3, hand_size=1, points=2, is_in=False),
    )
    assert (view.target, view.standing, view.incoming) == (4, state.standing, Incoming((2,), ()))
    assert (view.draw_size, card_names(view.discard_pile), view.winner) == (2, "+7 +8", None)


@pytest.mark.parametrize(("viewer", "hand"), [(1, "+1 +2 x2"), (2, "-1 0"), (3, "/2"), (None, "")])
def test_a_viewer_sees_the_own_hand_and_no_other(viewer, hand):
    assert card_names(view_for(table(), viewer).hand) == hand


def test_a_view_has_no_field_for_a_secret_of_others():
    # A new field must be looked at: may every viewer know it?
    assert {field.name for field in fields(View)} == {
        "viewer", "setup", "phase", "round", "turn", "seats", "target", "standing", "incoming",
        "draw_size", "discard_pile", "hand", "drawn", "to_discard", "winner",
    }  # fmt: skip
    assert {field.name for field in fields(SeatView)} == {"number", "hand_size", "points", "is_in"}


def test_only_the_mover_sees_the_cards_drawn():
    state = follow(position("+1", "+2", "+3", draw="+5 +6 +7"), "play +1").state
    assert card_names(view_for(state, 2).drawn) == "+5 +6 +7"
    for viewer in (1, 3, None):
        assert view_for(state, viewer).drawn == ()


def test_only_who_must_discard_is_told_how_many():
    state = follow(position("+1 " * 8 + "+1", "+2"), "pass").state
    assert view_for(state, 1).to_discard == 2
    assert view_for(state, 1).is_my_turn
    assert not view_for(state, 1).can_move
    assert view_for(state, 2).to_discard == view_for(state, None).to_discard == 0


def test_a_large_hand_is_nothing_to_discard_before_the_move():
    assert view_for(position("+1 " * 8 + "+1", "+2"), 1).to_discard == 0


def test_it_is_only_the_movers_turn():
    state = table()
    assert [view_for(state, viewer).is_my_turn for viewer in (1, 2, 3, None)] == [
        True, False, False, False,
    ]  # fmt: skip


def test_only_the_mover_has_legal_plays():
    state = table()
    mine = view_for(state, 1)
    assert mine.can_move
    # The sum 3, less 2, twice is 2: nothing in the hand beats 4 against the challenge.
    assert not mine.can_beat
    assert mine.legal_plays == ()
    opening = position("+1 +2", "+3")
    assert len(view_for(opening, 1).legal_plays) == 3
    assert view_for(opening, 1).can_beat
    for viewer in (2, None):
        assert view_for(opening, viewer).legal_plays == ()
        assert not view_for(opening, viewer).can_beat


def test_at_the_end_the_winner_is_known_and_nobody_is_to_move():
    state = follow(position("+1", "+2", points=(0, 2)), "pass").state
    for viewer in (1, 2, None):
        view = view_for(state, viewer)
        assert view.winner == 2
        assert not view.is_my_turn
        assert not view.can_move
        assert view.drawn == ()


@pytest.mark.parametrize("seat", [0, -1, 3])
def test_a_seat_that_is_not_there_has_no_view(seat):
    with pytest.raises(ValueError, match="no seat"):
        view_for(position("+1", "+2"), seat)


CARDS = parse_cards("+1 x2 0")


@pytest.mark.parametrize(("event", "dealt"), [(Dealt(2, CARDS), True), (Drew(2, CARDS), False)])
def test_cards_dealt_or_drawn_are_seen_by_their_owner_only(event, dealt):
    assert view_event(event, 2) == CardsTaken(seat=2, count=3, cards=CARDS, dealt=dealt)
    for viewer in (1, 3, None):
        assert view_event(event, viewer) == CardsTaken(seat=2, count=3, cards=(), dealt=dealt)


@pytest.mark.parametrize(
    "event",
    [
        RoundStarted(2, 1),
        Reshuffled(9),
        Played(1, CARDS, 2, Incoming((2,), ()), 1),
        Passed(2),
        Discarded(1, CARDS),
        PointWon(1, 2, 3),
        MatchWon(1),
    ],
    ids=lambda event: type(event).__name__,
)
@pytest.mark.parametrize("viewer", [1, 2, None])
def test_what_happens_openly_is_seen_by_all(event, viewer):
    assert view_event(event, viewer) is event


def test_every_kind_of_event_was_looked_at_here():
    assert len(Event.__args__) == 9


def test_the_first_view_of_a_match_shows_no_card_but_the_own():
    state, events = new_match(Setup(2, OFFICIAL_DECKS["full"], first=1), seed=1)
    theirs = view_for(state, 2)
    assert len(theirs.hand) == 5
    assert theirs.seats[0].hand_size == 8
    taken = [view_event(event, 2) for event in events]
    assert [seen.cards for seen in taken if isinstance(seen, CardsTaken)] == [(), theirs.hand, ()]
