"""What `learn_master.c` tells its networks, as it writes it, and the same in Python.

`tests/data/told` has what it wrote for a few turns, for machines without a compiler; each file is
made by

    .venv/bin/python -m raisesum.bots.training told 2 1 | sed -n 1,4p > tests/data/told/2.jsonl
"""

import json
from collections.abc import Iterator
from typing import Any

from raisesum.bots.guesses import Unseen
from raisesum.bots.master import OPINION
from raisesum.bots.network import Network
from raisesum.bots.reach import Reach, reach_of
from raisesum.bots.sharp import Answers, promise_of, usually_alone, without
from raisesum.bots.sight import INPUTS, Sight
from raisesum.bots.stakes import Stakes
from raisesum.engine import (
    HAND_LIMIT,
    OFFICIAL_DECKS,
    Incoming,
    Phase,
    Setup,
    parse_cards,
    score,
)
from raisesum.engine.state import StandingPlay
from raisesum.engine.view import SeatView, View

#: In the order of the program.
FACES = parse_cards("+1 +2 +3 +4 +5 +6 +7 +8 +9 x2 x3 -1 -2 -3 -4 -5 /2 /3 0")
NOTHING = Incoming((), ())


def cards(counts):
    return tuple(face for face, count in zip(FACES, counts, strict=True) for _ in range(count))


def view_of(turn: dict[str, Any]) -> View:
    standing = cards(turn["standing"])
    target = None if turn["target"] < 0 else turn["target"]
    return View(
        viewer=turn["seat"] + 1,
        setup=Setup(len(turn["sizes"]), OFFICIAL_DECKS["full"]),
        phase=Phase.MOVE,
        round=1,
        turn=turn["seat"] + 1,
        seats=tuple(
            SeatView(number, size, points, bool(is_in))
            for number, (size, points, is_in) in enumerate(
                zip(turn["sizes"], turn["points"], turn["in"], strict=True), 1
            )
        ),
        target=target,
        standing=StandingPlay(1, standing, target, NOTHING) if standing else None,
        incoming=Incoming.of(standing),
        draw_size=turn["draw"],
        discard_pile=cards(turn["discards"]),
        hand=cards(turn["hand"]),
        drawn=(),
        to_discard=0,
        winner=None,
    )


def answers_of(turn: dict[str, Any]) -> Answers:
    answers = Answers(())
    answers._reaches = [
        [Reach(tuple(map(tuple, plain)), tuple(map(tuple, zero))) for plain, zero in guess]
        for guess in turn["guesses"]
    ]
    return answers


def compared(lines: str, actor: Network | None) -> Iterator[tuple[list[float], list[float]]]:
    """Yield what the program told, and what Python tells; last how much the choice is liked.

    Args:
        lines: what the program wrote.
        actor: its network; None when it is not known.
    """
    for line in lines.splitlines():
        turn = json.loads(line)
        view = view_of(turn)
        stakes, unseen, answers = Stakes(view), Unseen(view), answers_of(turn)
        sight = Sight(view, stakes, unseen, answers)
        hand = stakes.keep(view.hand, len(view.hand))
        for choice in turn["choices"]:
            if "play" in choice:
                play = cards(choice["play"])
                sent = Incoming.of(play)
                challenge = sent.less, sent.divisor
                made = score(play, view.incoming).score
                kept = without(hand, play)[:HAND_LIMIT]
                reach = reach_of(kept)
                promise = promise_of(
                    stakes,
                    view,
                    made,
                    usually_alone(stakes, made, *challenge, len(unseen.sizes)),
                    kept,
                    reach,
                    answers.alone(*challenge, made),
                    answers.best(*challenge),
                )
                worth = promise.worth
                told = sight.of_play(made, challenge, kept, reach, promise)
                table = sight.of_table()
            else:
                worth = stakes.of_pass(hand)
                told = sight.of_pass(hand[:HAND_LIMIT], worth)
                table = sight.of_table(ended=sight.pass_ends_round)
            numbers = [0.0] * INPUTS
            for place, number in (*table, *told):
                numbers[place] += number
            theirs = choice["told"]
            if actor is not None:
                numbers.append(OPINION * worth + actor.answer(actor.begun(table), told)[0])
                theirs = [*theirs, choice["liking"]]
            yield theirs, numbers
