"""The bot that looks ahead: it deals the hidden cards again and again and sees what follows.

`sharp` picks the plays worth a closer look.  For each, and for many guesses at what the others
hold and draw, the round is played to its end: by the others as `steady` plays, by itself too until
it can make a play that nobody answers.  What counts is who wins the round, and with what cards
everybody goes into the next one.  All plays meet the same guesses, so that luck does not choose
between them.
"""

from random import Random

from raisesum.bots.decision import Decision, Reason, forced_pass
from raisesum.bots.guesses import Guess, Unseen
from raisesum.bots.rollout import Rollout, Seen
from raisesum.bots.sharp import appraise, certain_play, discard
from raisesum.engine import Action, Pass, Play, View

#: How many plays are looked at.
CANDIDATES = 12
#: How many of them, the best, are looked at again.
FINALISTS = 5
#: By the number of opponents who are in: the guesses that every play meets, and those that the
#: best ones meet besides.  With more players a round takes longer to play on.
GUESSES = {1: (20, 60), 2: (16, 48), 3: (16, 44)}
#: The part that the first judgement has in the last, beside what the look ahead found.
TRUST = 0.5


def choose(view: View, rng: Random) -> Action:
    """Return the action that promises most."""
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
    appraisal = appraise(view, rng)
    stakes = appraisal.stakes
    unseen = Unseen(view)
    options = appraisal.options[:CANDIDATES]
    rollout = Rollout()
    first, more = GUESSES[len(unseen.sizes)]

    def look(places: list[int], guesses: list[Guess]) -> Seen:
        for place in places:
            found = rollout.after_play(options[place], guesses, stakes)
            seen[place] = seen[place].plus(found)
        return rollout.after_pass(view, guesses, stakes)

    def promise(place: int) -> float:
        return TRUST * options[place].worth + (1 - TRUST) * seen[place].promise

    places = list(range(len(options)))
    seen = [Seen(0.0, 0, 0, 0)] * len(options)
    passed = look(places, [unseen.guess(rng) for _ in range(first)])
    places = sorted(places, key=lambda place: -promise(place))[:FINALISTS]
    if len(places) > 1:
        passed = passed.plus(look(places, [unseen.guess(rng) for _ in range(more)]))
    best = max(places, key=promise)
    facts = {
        "chance": round(seen[best].won / seen[best].guesses, 3),
        "alone": round(seen[best].alone / seen[best].guesses, 3),
        "plays": len(options),
        "deals": seen[best].guesses,
    }
    if appraisal.passing is not None and (
        TRUST * appraisal.passing + (1 - TRUST) * passed.promise > promise(best)
    ):
        return Decision(Pass(), Reason("save", facts))
    return Decision(Play(options[best].play.cards), Reason("foreseen", facts))
