"""Whole matches, played at random, in which the laws of the engine hold at every moment."""

from dataclasses import replace
from itertools import combinations
from random import Random

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from raisesum.engine import (
    HAND_LIMIT,
    PLAY_LIMIT,
    CardsTaken,
    Discard,
    Drew,
    IllegalActionError,
    Pass,
    Phase,
    Play,
    apply,
    dump_events,
    dump_setup,
    dump_state,
    legal_plays,
    load_events,
    load_setup,
    load_state,
    new_match,
    parse_action,
    view_event,
    view_for,
)
from raisesum.engine.cards import ALL_CARDS
from tests.engine.decks import seeds, setups
from tests.engine.positions import all_cards, twin

#: How many of the listed actions, and of all others, are tried in each state.
TRIED = 40

chances = st.integers(0, 2**32 - 1).map(Random)


def listed_plays(state):
    return legal_plays(state.hand(state.turn), state.incoming, state.target)


def listed_discards(state, chance, count):
    hand, excess = state.hand(state.turn), len(state.hand(state.turn)) - HAND_LIMIT
    return [Discard(tuple(chance.sample(hand, excess))) for _ in range(count)]


def some(items, chance):
    items = list(items)
    return items if len(items) <= TRIED else chance.sample(items, TRIED)


def legal_actions(state, chance):
    """Return legal actions of the mover: all, or some when there are many."""
    if state.phase is Phase.MOVE:
        return [Pass(), *(Play(listed.cards) for listed in some(listed_plays(state), chance))]
    if state.phase is Phase.DISCARD:
        return listed_discards(state, chance, 5)
    return []


def illegal_actions(state, chance):
    """Return (seat, action) pairs that are all illegal, of every kind of being so."""
    seat, hand = state.turn, state.hand(state.turn)
    everyone = range(1, state.setup.players + 1)
    foreign = [card for card in ALL_CARDS if card not in hand]
    wrong = [
        (s, legal) for legal in legal_actions(state, chance)[:4] for s in everyone if s != seat
    ]
    wrong += [(other, Pass()) for other in (0, -1, state.setup.players + 1)]
    wrong += [(seat, Play(())), (seat, Discard(()))]
    wrong += [(seat, Play((chance.choice(foreign),))), (seat, Discard((chance.choice(foreign),)))]
    if hand:
        card = chance.choice(hand)
        wrong.append((seat, Play((card,) * (hand.count(card) + 1))))
    if len(hand) > PLAY_LIMIT:
        wrong.append((seat, Play(tuple(chance.sample(hand, PLAY_LIMIT + 1)))))
    if state.phase is Phase.MOVE:
        listed = {play.cards for play in listed_plays(state)}
        others = {
            cards for size in range(1, PLAY_LIMIT + 1) for cards in combinations(sorted(hand), size)
        } - listed
        wrong += [(seat, Play(cards)) for cards in some(sorted(others), chance)]
        wrong += [(seat, Discard(hand[:count])) for count in range(1, len(hand) + 1)]
    elif state.phase is Phase.DISCARD:
        wrong += [(seat, Pass()), (seat, Play(hand[:1]))]
        excess = len(hand) - HAND_LIMIT
        wrong += [(seat, Discard(hand[:n])) for n in range(len(hand) + 1) if n != excess]
    else:
        wrong += [(s, action) for s in everyone for action in (Pass(), Play(hand[:1]))]
    return wrong


class Matches(RuleBasedStateMachine):
    """Matches, one after the other, played by seats that draw lots for what they do."""

    @initialize(setup=setups(), seed=seeds)
    def deal(self, setup, seed):
        self.setup, self.seed = setup, seed
        self.state, self.events = new_match(setup, seed)
        self.done = []

    @rule(chance=chances)
    def move(self, chance):
        """Pass now and then; play low more often than not, so that rounds get long."""
        if self.state.phase is Phase.OVER:
            self.check_replay()
            self.deal(self.setup, chance.getrandbits(128))
            return
        state = self.state
        plays = listed_plays(state) if state.phase is Phase.MOVE else ()
        if state.phase is Phase.DISCARD:
            (action,) = listed_discards(state, chance, 1)
        elif not plays or chance.random() < 0.2:
            action = Pass()
        elif chance.random() < 0.7:
            action = Play(min(plays, key=lambda play: (play.score, len(play.cards))).cards)
        else:
            action = Play(chance.choice(plays).cards)
        self.take(action)

    def take(self, action):
        before = self.state
        self.state, events = apply(before, before.turn, action)
        self.done.append((before.turn, action))
        self.events += events
        if self.state.round == before.round and not isinstance(action, Discard):
            # So rounds end: each move puts somebody out or raises the target, and no deck can
            # raise it for ever.
            floor = -1 if before.target is None else before.target
            raised = self.state.target is not None and self.state.target > floor
            assert raised or sum(self.state.is_in) < sum(before.is_in)

    @invariant()
    def cards_are_conserved(self):
        assert tuple(all_cards(self.state)) == self.setup.deck.cards

    @invariant()
    def hands_are_small_between_turns(self):
        for seat, hand in enumerate(self.state.hands, 1):
            assert len(hand) <= HAND_LIMIT + (3 if seat == self.state.turn else 0)

    @invariant()
    def somebody_has_won_exactly_when_a_seat_has_the_goal(self):
        over = self.state.phase is Phase.OVER
        assert over == (self.setup.goal in self.state.points)
        assert max(self.state.points) <= self.setup.goal
        assert sum(self.state.points) == self.state.round - (not over)
        if over:
            assert self.state.points[self.state.winner - 1] == self.setup.goal

    @invariant()
    def exactly_the_listed_actions_are_taken(self):
        state, chance = self.state, Random(len(self.events))
        stored = dump_state(state)
        legal = legal_actions(state, chance)
        assert bool(legal) == (state.phase is not Phase.OVER)
        for action in legal:
            apply(state, state.turn, action)
            assert parse_action(action.text) == action
        for seat, action in illegal_actions(state, chance):
            with pytest.raises(IllegalActionError):
                apply(state, seat, action)
        assert dump_state(state) == stored

    @invariant()
    def what_is_stored_is_loaded_as_it_was(self):
        assert load_state(dump_state(self.state)) == self.state
        assert load_events(dump_events(self.events)) == self.events
        assert load_setup(dump_setup(self.setup)) == self.setup

    @invariant()
    def what_a_viewer_may_not_know_changes_nothing_for_them(self):
        state, chance = self.state, Random(len(self.events))
        for viewer in (None, *range(1, self.setup.players + 1)):
            other = twin(state, viewer, chance)
            assert view_for(other, viewer) == view_for(state, viewer)
            if state.phase is Phase.OVER:
                continue
            # A move that the viewer knows to be legal has the same consequences, too …
            mine = viewer == state.turn
            for action in legal_actions(state, chance)[:3] if mine else [Pass()]:
                if not mine and state.phase is Phase.DISCARD:
                    continue
                assert seen_after(other, action, viewer) == seen_after(state, action, viewer)
            # … and one that the viewer tries in vain is refused in the same words.
            if mine:
                for seat, action in illegal_actions(state, chance)[-5:]:
                    assert refusal(other, seat, action) == refusal(state, seat, action)

    def check_replay(self):
        state, events = new_match(self.setup, self.seed)
        for seat, action in self.done:
            state, new = apply(state, seat, action)
            events += new
        assert (state, events) == (self.state, self.events)

    def teardown(self):
        if not hasattr(self, "state"):
            return
        chance = Random(self.seed)
        for _ in range(3_000):
            if self.state.phase is Phase.OVER:
                break
            self.move(chance)
        assert self.state.phase is Phase.OVER
        self.cards_are_conserved()
        self.somebody_has_won_exactly_when_a_seat_has_the_goal()
        self.check_replay()


def seen_after(state, action, viewer):
    """Return all that `viewer` sees of a move; of cards that they draw then, only how many."""
    after, events = apply(state, state.turn, action)
    view, seen = view_for(after, viewer), [view_event(event, viewer) for event in events]
    if any(isinstance(event, Drew) and event.seat == viewer for event in events):
        view = replace(view, hand=view.hand[: -len(view.drawn) or None], drawn=())
        seen = [
            replace(one, cards=()) if isinstance(one, CardsTaken) and one.seat == viewer else one
            for one in seen
        ]
    return view, seen


def refusal(state, seat, action):
    with pytest.raises(IllegalActionError) as refused:
        apply(state, seat, action)
    return refused.value.reason, str(refused.value)


TestMatches = Matches.TestCase
# A fifth of the profile's examples, since each is a whole match.
TestMatches.settings = settings(
    max_examples=settings.default.max_examples // 5, stateful_step_count=30
)
