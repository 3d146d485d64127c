"""Looking back: passes that were not forced, and to whom they are told."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from raisesum.bots.advice import plain_cheapest
from raisesum.engine import (
    NO_INCOMING,
    CardsTaken,
    Discard,
    Discarded,
    EventView,
    Pass,
    Passed,
    Played,
    RoundStarted,
    card_names,
    legal_plays,
    parse_cards,
    score,
)
from raisesum.services import lobby, play, server_time
from raisesum.services.errors import NoSuchTableError
from raisesum.services.history import record_of, replay_of
from raisesum.services.review import MissedPlay, missed_plays, review_for
from raisesum.services.table import table_for
from tests.services.friends import match_of, seen
from tests.services.tables import guest, next_action


def taken(seat: int, cards: str, dealt: bool = False) -> EventView:
    held = parse_cards(cards)
    return CardsTaken(seat, len(held), held, dealt)


def played(seat: int, cards: str, target: int | None) -> Played:
    laid = parse_cards(cards)
    return Played(seat, laid, score(laid).score, NO_INCOMING, target)


def find(*events: EventView) -> list[MissedPlay]:
    turns = [(number, [event]) for number, event in enumerate(events)]
    return list(missed_plays(turns, (1, 2)))


def test_a_pass_with_a_play_that_beats_is_found_with_the_cheapest_one() -> None:
    missed = find(
        taken(2, "+1 +2 +9", dealt=True),
        RoundStarted(3, 1),
        taken(1, "+6"),
        played(1, "+6", None),
        taken(2, "+4"),
        Passed(2),
    )
    assert [(m.number, m.round, m.seat, m.target) for m in missed] == [(5, 3, 2, 6)]
    assert (card_names(missed[0].receipt.cards), missed[0].receipt.score) == ("+1 +2 +4", 7)


def test_a_forced_pass_is_none_and_the_challenge_counts() -> None:
    deal = [taken(1, "+6 -5", dealt=True), taken(2, "+1 +9", dealt=True), RoundStarted(1, 1)]
    assert len(find(*deal, played(1, "+6", None), Passed(2))) == 1
    assert find(*deal, played(1, "+6 -5", None), Passed(2)) == []


def test_cards_that_were_played_or_discarded_are_gone() -> None:
    hand = taken(2, "+9 +8 +1", dealt=True)
    opened = [RoundStarted(1, 2), taken(1, "+5 +6")]
    gone = [played(2, "+9", None), played(1, "+5 +6", 9)]
    assert len(find(hand, *opened, *gone, taken(2, "+5"), Passed(2))) == 1
    less = Discarded(2, parse_cards("+8"))
    assert find(hand, *opened, *gone, less, taken(2, "+5"), Passed(2)) == []


def test_a_pass_on_the_opening_turn_is_never_forced() -> None:
    missed = find(taken(1, "+3 -1", dealt=True), RoundStarted(1, 1), Passed(1))
    assert [(m.target, card_names(m.receipt.cards)) for m in missed] == [(None, "+3")]


def passing(user_id: int, key: str) -> None:
    """Pass whenever there is a choice, until the match or the round is over."""
    start = table_for(user_id, key).view.round
    for _ in range(100):
        play.skip_to_person(user_id, key, 0)
        table = table_for(user_id, key)
        if not table.is_playing or table.view.round != start:
            return
        view = table.view
        action = Discard(view.hand[: view.to_discard]) if view.to_discard else Pass()
        play.submit(user_id, key, table.version, action, 0)


def play_out(user_id: int, key: str, choose: Callable[[int, str], object] = next_action) -> None:
    for _ in range(300):
        play.skip_to_person(user_id, key, 0)
        table = table_for(user_id, key)
        if not table.is_playing:
            return
        play.submit(user_id, key, table.version, choose(user_id, key), 0)


def pass_at_every_second_version(user_id: int, key: str) -> object:
    """Pass often, be it forced or not; the first time to open, which never is."""
    table = table_for(user_id, key)
    if not table.version % 2 and not table.view.to_discard:
        return Pass()
    return next_action(user_id, key)


@pytest.mark.usefixtures("app_context")
class TestAtATable:
    def start(self, goal: int = 9) -> tuple[int, str]:
        user_id = guest()
        return user_id, lobby.start_practice(
            user_id, ("steady", "easy"), goal=goal, first=1, bot_delay_ms=0
        )

    def test_ones_own_pass_is_told_when_the_round_is_over_and_not_before(self) -> None:
        user_id, key = self.start()
        held = table_for(user_id, key).view.hand
        play.submit(user_id, key, 0, Pass(), 0)
        assert review_for(user_id, key).missed == ()
        passing(user_id, key)
        found = review_for(user_id, key)
        assert (found.is_whole, found.viewer) == (False, 1)
        assert [(m.round, m.seat, m.target) for m in found.missed] == [(1, 1, None)]
        assert set(found.missed[0].receipt.cards) <= set(held)

    def test_only_ones_own_while_the_match_goes_on(self) -> None:
        user_id, key = self.start()
        for _ in range(3):
            passing(user_id, key)
        assert {m.seat for m in review_for(user_id, key).missed} <= {1}

    def test_a_pass_is_nobodys_choice_that_the_clock_made(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        start = server_time.now_ms()
        now = [start]
        monkeypatch.setattr(server_time, "now_ms", lambda: now[0])
        key, people = match_of(2, pace_s=30, goal=2)
        now[0] = start + 29_000
        for person in people:
            seen(key, person)
        now[0] = start + 30_000
        play.run_due(key, 0)
        (missed,) = review_for(people[0], key).missed
        assert (missed.seat, missed.by_clock) == (1, True)
        for person in (people[1], people[0]):
            # Whoever wins a round opens the next, and passes.
            passing(person, key)
        found = review_for(None, key)
        assert found.is_whole
        told = [(each.seat, each.by_clock) for each in found.missed]
        assert told == [(1, True), (2, False), (1, False)]

    def test_strangers_learn_nothing_before_the_end(self) -> None:
        _, key = self.start()
        for other in (guest(), None):
            with pytest.raises(NoSuchTableError):
                review_for(other, key)
        with pytest.raises(NoSuchTableError):
            review_for(guest(), "no-such-table")

    def test_after_the_end_everybodys_passes_are_those_that_the_replay_shows(self) -> None:
        user_id, key = self.start(goal=2)
        play_out(user_id, key, pass_at_every_second_version)
        found = review_for(None, key)
        assert (found.is_whole, found.viewer) == (True, None)
        assert review_for(user_id, key).viewer == 1
        replay = replay_of(record_of(key).encode())
        expected = []
        for number in range(replay.last):
            before, after = replay.position(number), replay.position(number + 1)
            if any(isinstance(event, Passed) for event in after.events) and before.plays:
                expected.append((number + 1, before.view.turn))
        assert [(m.number, m.seat) for m in found.missed] == expected
        assert expected
        for missed in found.missed:
            before = replay.position(missed.number - 1)
            hand = before.hands[missed.seat - 1]
            incoming, target = before.view.incoming, before.view.target
            cheapest = plain_cheapest(hand, incoming.less, incoming.divisor, target)
            assert cheapest is not None
            assert (missed.receipt.cards, missed.receipt.score) == cheapest
            plays = legal_plays(hand, incoming, target)
            if target is not None:
                assert missed.receipt.score == min(play.score for play in plays)

    def test_a_match_that_was_given_up_tells_all_to_who_sat_there(self) -> None:
        user_id, key = self.start()
        play.submit(user_id, key, 0, Pass(), 0)
        play.give_up(user_id, key)
        found = review_for(user_id, key)
        assert (found.is_whole, len(found.missed)) == (True, 1)
        with pytest.raises(NoSuchTableError):
            review_for(guest(), key)
