from random import Random

import pytest

from raisesum.bots import sharp
from raisesum.engine import Pass, Play, legal_plays, parse_cards, view_for
from raisesum.engine.scoring import Incoming
from tests.engine.positions import follow, position


def decision(state, seed=1):
    return sharp.decide(view_for(state, state.turn), Random(seed))


def test_sharp_passes_when_nothing_beats_the_target():
    made = decision(position("+1 -2", "+3", standing="+4"))
    assert (made.action, made.reason.topic) == (Pass(), "forced")


def test_sharp_keeps_seven_cards_and_lets_the_others_go():
    state = follow(position("x3 +9 +1 0 +8 /3 +7 +2 x2 +3", "", ""), "pass").state
    gone = decision(state).action.cards
    assert len(gone) == 3
    assert not {"x3", "x2", "+9"} & {card.name for card in gone}


def test_options_are_legal_and_the_best_comes_first():
    state = position("+9 +8 +3 +2 x2 -1 0 +1 /2 +4", "+1 +2 +3", standing="+4 -2")
    view = view_for(state, 1)
    options = sharp.appraise(view, Random(1)).options
    legal = set(legal_plays(view.hand, view.incoming, view.target))
    assert {option.play for option in options} <= legal
    assert [o.worth for o in options] == sorted((o.worth for o in options), reverse=True)
    for option in options:
        assert 0 <= option.alone <= 1
        assert len(option.kept) <= 7


def test_the_chance_that_nobody_answers_falls_with_the_challenge_and_the_score():
    view = view_for(position("+9 +8 +3", "+1 +2 +3 +4 +5", "+1 +2 +3 +4 +5", standing="+4"), 1)
    unseen = sharp.Unseen(view)
    rng = Random(1)
    answers = sharp.Answers([unseen.guess(rng) for _ in range(200)])
    by_score = [answers.alone(0, 1, score) for score in (5, 15, 25, 60)]
    assert by_score == sorted(by_score)
    assert answers.alone(0, 1, 15) < answers.alone(5, 1, 15) <= answers.alone(5, 2, 15)


def test_the_best_answer_is_lower_with_a_challenge():
    view = view_for(position("+9 +8 +3", "+1 +2 +3 +4 +5", standing="+4"), 1)
    unseen = sharp.Unseen(view)
    rng = Random(1)
    answers = sharp.Answers([unseen.guess(rng) for _ in range(50)])
    assert answers.best(0, 1) > answers.best(5, 1) > answers.best(5, 2)


def test_of_ten_cards_no_more_plays_are_judged_than_have_time():
    view = view_for(position("+9 +8 +3 +2 x2 -1 0 +1 /2 +4", "+1", standing="+4"), 1)
    options = sharp.appraise(view, Random(1)).options
    assert len(options) == sharp.JUDGED < len(view.legal_plays)


@pytest.mark.parametrize("seed", range(5))
def test_the_reason_tells_what_was_computed(seed):
    state = position("+9 +8 +3 +2 x2 -1 0", "+1 +2 +3", standing="+4 -3")
    made = decision(state, seed)
    best = sharp.appraise(view_for(state, 1), Random(seed)).options[0]
    assert made.reason.facts == {
        "alone": round(best.alone, 3),
        "plays": len(legal_plays(state.hand(1), Incoming.of(parse_cards("-3")), 4)),
    }
    if isinstance(made.action, Play):
        assert made.action.cards == best.play.cards
