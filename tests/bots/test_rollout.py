"""What a look ahead sees is what the rules would bring, were its guess right."""

from random import Random

import pytest

from raisesum.bots import sharp, steady
from raisesum.bots.guesses import Guess
from raisesum.bots.rollout import Rollout
from raisesum.bots.sharp import appraise
from raisesum.bots.stakes import Stakes
from raisesum.bots.worth import by_use
from raisesum.engine import (
    HAND_LIMIT,
    OFFICIAL_DECKS,
    Phase,
    Play,
    Setup,
    apply,
    new_match,
    parse_cards,
    view_for,
)
from raisesum.engine.rules import act, draw
from raisesum.engine.state import DRAW
from tests.engine.positions import position

#: Set aside for those who have passed and draw nothing.
NOTHING = parse_cards("+1 +1 +1")


def kept(hand):
    return sorted(by_use(hand)[-HAND_LIMIT:])


def by_the_rules(state, option):
    """Play `option`, then steady for all, to the round's end or until the mover is out.

    Return the guess that the draws make true, whether the mover won, and everybody's hands.
    """
    me, number, players = state.turn, state.round, state.setup.players
    around = [(me - 1 + step) % players + 1 for step in range(1, players)]
    seats = [seat for seat in around if state.is_in[seat - 1]] + [me]
    hands = tuple(state.hand(seat) for seat in seats[:-1])
    state, _ = act(state, me, Play(option.play.cards))
    if state.phase is Phase.DISCARD:
        state, _ = act(state, me, sharp.discard(view_for(state, me)).action)
    drawn = {}
    lap = 0
    while state.round == number and state.phase is not Phase.OVER and state.is_in[me - 1]:
        if state.phase is Phase.DRAW:
            state, _ = draw(state)
            drawn[lap, seats.index(state.turn)] = state.drawn
        seat = state.turn
        state, _ = act(state, seat, steady.choose(view_for(state, seat), Random(1)))
        lap += seat == me and state.phase is not Phase.DISCARD
    is_over = state.round != number or state.phase is Phase.OVER
    winner = state.turn if is_over else None
    pile = sum((drawn.get((n, s), NOTHING) for n in range(lap + 1) for s in range(len(seats))), ())
    ended = [kept(state.hand(seat)) for seat in seats]
    is_whole = all(len(cards) == DRAW for cards in drawn.values())
    return Guess(hands, pile), winner == me, ended, is_whole


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_round_played_on_agrees_with_the_engine(players, monkeypatch):
    monkeypatch.setattr(Rollout, "_knock_out", lambda *_: None)
    compared, won = 0, 0
    for seed in range(3):
        state, _ = new_match(Setup(players, OFFICIAL_DECKS["full"]), seed)
        rng = Random(seed)
        while state.phase is not Phase.OVER:
            view = view_for(state, state.turn)
            if view.can_beat:
                rollout = Rollout()
                for option in appraise(view, rng).options[:3]:
                    guess, is_won, hands, is_whole = by_the_rules(state, option)
                    if not is_whole:
                        continue
                    score = option.play.score
                    for _ in range(2):  # the second time from what was remembered
                        ending = rollout.play_on(
                            guess, option.kept, score, option.less, option.divisor
                        )
                        assert ending.won is is_won
                        assert [kept(hand) for hand in (*ending.others, ending.hand)] == hands
                    compared += 1
                    won += is_won
            state, _ = apply(state, state.turn, steady.choose(view, rng))
    assert compared > 50
    assert 5 < won < compared - 5


def test_nobody_answered_when_all_pass_at_once():
    guess = Guess((parse_cards("+1"),), parse_cards("+1 +1 +1 +9 +9 +9"))
    ending = Rollout().play_on(guess, parse_cards("x2"), 20, 0, 1)
    assert (ending.won, ending.alone) == (True, True)
    ending = Rollout().play_on(guess, parse_cards("x2"), 3, 0, 1)
    assert (ending.won, ending.alone) == (True, False)


def test_the_viewer_ends_a_round_that_has_come_round_again_when_nobody_can_answer():
    pile = parse_cards("+1 +1 +1 +9 +9 x3 +2 +2 +2")
    guess = Guess((parse_cards("+5"),), pile)
    ending = Rollout().play_on(guess, parse_cards("+4 -1 /2"), 3, 0, 1)
    assert (ending.won, ending.alone) == (True, False)
    # No more is used than it takes, here the +9 and the -1, and the answer is drawn for.
    assert sorted(ending.hand) == sorted(parse_cards("+4 /2 +9 x3"))
    assert sorted(ending.others[0]) == sorted(parse_cards("+1 +1 +2 +2 +2 +1"))


def test_after_a_pass_the_others_play_on_without_the_viewer():
    hand, weak, strong = parse_cards("+9 +9"), parse_cards("+1"), parse_cards("x3")
    pile = parse_cards("+1 +1 +1 +9 +9 +9")
    ending = Rollout().play_on(Guess((weak, strong), pile), hand, 5, 0, 1, passes=True)
    assert (ending.won, ending.alone) == (False, False)
    assert ending.hand == hand
    # With one opponent the round is over at once: nobody draws or plays.
    ending = Rollout().play_on(Guess((weak,), pile), hand, None, 0, 1, passes=True)
    assert (ending.won, ending.others) == (False, (weak,))


def test_what_is_seen_is_summed_over_the_guesses():
    state = position("+9 +8 x2", "+1", standing="+4", points=(2, 2))
    view = view_for(state, 1)
    option = next(o for o in appraise(view, Random(1)).options if o.play.score == 9)
    lost = Guess((parse_cards("x3"),), parse_cards("+9 +9 +9 -1 -1 -1"))
    won = Guess((parse_cards("+1"),), parse_cards("+1 +1 +1"))
    stakes = Stakes(view)
    seen = Rollout().after_play(option, [won, lost, won, won], stakes)
    assert seen[1:] == (3, 3, 4)
    apart = [Rollout().after_play(option, [guess], stakes) for guess in (won, lost)]
    assert seen.worth == pytest.approx(3 * apart[0].worth + apart[1].worth)
    assert apart[0].worth > apart[1].worth
