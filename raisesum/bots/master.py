"""The bot that has learned from some hundred thousand matches which plays win.

`sharp` picks the plays worth a closer look.  A small network then says how much it likes each of
them, and the pass, and the bot takes the one it likes best.  The network began with the opinion of
`sharp` and was changed, match after match, to like those choices more that went better than
expected (`learn_master.c`).  A second one learned along with it how likely a round is won after a
choice; it is asked for the reason alone.
"""

from random import Random
from typing import Final, NamedTuple

from raisesum.bots.decision import Decision, Reason, forced_pass
from raisesum.bots.guesses import Unseen
from raisesum.bots.judgement import logistic
from raisesum.bots.network import networks_for
from raisesum.bots.reach import Reach, reach_of
from raisesum.bots.sharp import (
    GUESSES,
    Answers,
    certain_play,
    discard,
    promise_of,
    usually_alone,
    without,
)
from raisesum.bots.sight import Sight, Told
from raisesum.bots.stakes import Stakes
from raisesum.engine import HAND_LIMIT, Action, Card, Incoming, LegalPlay, Pass, Play, View

#: How many plays are looked at closely: the best at a first glance.
CANDIDATES: Final = 23
#: How much what `sharp` makes of a choice counts beside what the network says.
OPINION: Final = 30.0


class Candidate(NamedTuple):
    """A play worth a closer look.

    Attributes:
        play: the play.
        challenge: what it subtracts from the next reply, and what it divides it by.
        usually: the chance that nobody answers it, without a look at any guess.
        kept: the cards that stay in hand.
        reach: that of the cards kept.
    """

    play: LegalPlay
    challenge: tuple[int, int]
    usually: float
    kept: tuple[Card, ...]
    reach: Reach


class Liked(NamedTuple):
    """A play after a closer look.

    Attributes:
        liking: how much it is liked; only differences mean something.
        play: the play.
        alone: the part of the guesses in which nobody can answer it.
        told: what the networks are told of it.
    """

    liking: float
    play: LegalPlay
    alone: float
    told: Told


def choose(view: View, rng: Random) -> Action:
    """Return the action it likes best."""
    return decide(view, rng).action


def decide(view: View, rng: Random) -> Decision:
    """Return what `choose` chooses, with the reason."""
    if view.to_discard:
        return discard(view)
    if not view.can_beat:
        return forced_pass(view)
    certain = certain_play(view)
    if certain is not None:
        return Decision(Play(certain.cards), Reason("certain"))
    stakes = Stakes(view)
    unseen = Unseen(view)
    answers = Answers([unseen.guess(rng) for _ in range(GUESSES)])
    sight = Sight(view, stakes, unseen, answers)
    actor, critic = networks_for(view.setup.players)
    hand = stakes.keep(view.hand, len(view.hand))
    table = sight.of_table()
    begun = actor.begun(table)

    def liked(candidate: Candidate) -> Liked:
        play, challenge, usually, kept, reach = candidate
        met, others = answers.alone(*challenge, play.score), answers.best(*challenge)
        promise = promise_of(stakes, view, play.score, usually, kept, reach, met, others)
        told = sight.of_play(play.score, challenge, kept, reach, promise)
        return Liked(OPINION * promise.worth + actor.answer(begun, told)[0], play, met, told)

    def pass_liked() -> float:
        worth = stakes.of_pass(hand)
        after = actor.begun(sight.of_table(ended=True)) if sight.pass_ends_round else begun
        told = sight.of_pass(hand[:HAND_LIMIT], worth)
        return OPINION * worth + actor.answer(after, told)[0]

    candidates = candidates_of(view, stakes, hand, len(unseen.sizes))
    best = max(map(liked, candidates), key=lambda each: each.liking)
    _, round_won = critic.answer(critic.begun(table), best.told)
    facts = {
        "plays": len(candidates),
        "alone": round(best.alone, 3),
        "chance": round(logistic(round_won), 3),
    }
    if not stakes.is_last_stand and pass_liked() > best.liking:
        return Decision(Pass(), Reason("save", facts))
    return Decision(Play(best.play.cards), Reason("learned", facts))


def candidates_of(
    view: View, stakes: Stakes, hand: tuple[Card, ...], opponents: int
) -> list[Candidate]:
    """Return the plays worth a closer look, the best at a first glance first.

    Args:
        view: a turn with some legal play.
        stakes: what is at stake.
        hand: the viewer's cards, the most valuable first.
        opponents: how many of them are in.
    """
    glanced = []
    for play in view.legal_plays:
        incoming = Incoming.of(play.cards)
        challenge = incoming.less, incoming.divisor
        usually = usually_alone(stakes, play.score, *challenge, opponents)
        kept = without(hand, play.cards)[:HAND_LIMIT]
        reach = reach_of(kept)
        glance = promise_of(stakes, view, play.score, usually, kept, reach).worth
        glanced.append((glance, Candidate(play, challenge, usually, kept, reach)))
    glanced.sort(key=lambda pair: -pair[0])
    return [candidate for _, candidate in glanced[:CANDIDATES]]
