"""What master sees ahead is what the rules would bring, were its guess right."""

from random import Random

import pytest

from raisesum.bots import master, steady
from raisesum.bots.guesses import Guess
from raisesum.bots.master import Future
from raisesum.bots.sharp import appraise
from raisesum.engine import (
    OFFICIAL_DECKS,
    Discard,
    Pass,
    Phase,
    Play,
    Setup,
    apply,
    card_names,
    new_match,
    view_for,
)
from tests.engine.positions import position


def true_guess(state):
    """Where the hidden cards are, put as a guess: those who pass draw, too."""
    players = state.setup.players
    around = [(state.turn - 1 + step) % players + 1 for step in range(1, players)]
    still_in = [seat for seat in around if state.is_in[seat - 1]]
    pile = list(reversed(state.draw_pile))
    draws = [tuple(pile[3 * n : 3 * n + 3]) for n in range(len(still_in) + 1)]
    return Guess(tuple(state.hand(seat) for seat in still_in), tuple(draws[:-1]), draws[-1])


def by_the_rules(state, action):
    """Play `action`, then steady for the others, until the mover's turn or the round's end."""
    me, number = state.turn, state.round
    state, _ = apply(state, me, action)
    others = []
    while state.round == number and state.phase is not Phase.OVER:
        seat = state.turn
        if seat == me and state.phase is Phase.MOVE:
            break
        view = view_for(state, seat)
        if seat == me:
            reply = Discard(tuple(sorted(view.hand)[: view.to_discard]))
        else:
            reply = steady.choose(view, Random(1))
        if isinstance(reply, Play):
            others.append((seat, reply.cards))
        state, _ = apply(state, seat, reply)
    return state, others, state.round != number or state.phase is Phase.OVER


@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_follows_a_play_agrees_with_the_engine(players):
    compared = ended = 0
    for seed in range(12):
        state, _ = new_match(Setup(players, OFFICIAL_DECKS["full"]), seed)
        rng = Random(seed)
        while state.phase is not Phase.OVER and compared < 200 * players:
            view = view_for(state, state.turn)
            # Near the end of the pile there is a shuffle between, which nobody can foresee.
            if view.can_beat and view.draw_size >= 3 * players:
                future = Future(true_guess(state))
                for option in appraise(view, rng).options[:3]:
                    replies = future.replies(option.play.score, option.less, option.divisor)
                    after, others, is_over = by_the_rules(state, Play(option.play.cards))
                    assert [reply.play.cards for reply in replies] == [cards for _, cards in others]
                    assert is_over is (not replies)
                    if is_over:
                        assert future.after(option) == 1
                        ended += 1
                    else:
                        last = replies[-1]
                        assert last.play.score == after.target
                        assert (last.less, last.divisor) == (
                            after.incoming.less,
                            after.incoming.divisor,
                        )
                        for reply, (seat, _) in zip(replies, others, strict=True):
                            assert sorted(reply.kept) == sorted(after.hand(seat))
                    compared += 1
            state, _ = apply(state, state.turn, steady.choose(view, rng))
    assert compared > 100
    assert ended > 10


def choice(state, seed=1):
    return master.decide(view_for(state, state.turn), Random(seed))


def test_master_passes_when_nothing_beats_the_target():
    decision = choice(position("+1 -2", "+3", standing="+4"))
    assert decision.action == Pass()
    assert decision.reason.topic == "forced"


def test_master_wins_when_it_can():
    # One point short, and this play leaves nothing that could be answered with any cards.
    state = position("+9 +9 x3 x3 /3", "+1", standing="+4", points=(2, 2))
    action = choice(state).action
    assert isinstance(action, Play)
    assert "x3 x3" in card_names(action.cards)


def test_the_reason_tells_what_was_computed():
    reason = choice(position("+9 +8 +3 +2 x2 -1 0", "+1 +2 +3", standing="+4")).reason
    assert reason.topic in ("foreseen", "save")
    assert 0 <= reason.facts["alone"] <= reason.facts["chance"] <= 1
    assert reason.facts["deals"] == master.FIRST_GUESSES + master.MORE_GUESSES


def test_the_same_view_and_chance_give_the_same_choice():
    state = position("+9 +8 +3 +2 x2 -1 0", "+1 +2 +3", standing="+4")
    assert choice(state, seed=5) == choice(state, seed=5)
