"""The bot for a first match: it plays by the rules and by nothing else."""

from random import Random

from raisesum.bots.decision import Decision, Reason, forced_pass
from raisesum.engine import Action, Discard, Pass, Play, View


def choose(view: View, rng: Random) -> Action:
    """Pass one time in ten, or when nothing beats the target; else play any legal play.

    Every different legal play is as likely as any other, and so is every choice of cards when
    some must be discarded.
    """
    if view.to_discard:
        return Discard(tuple(rng.sample(view.hand, view.to_discard)))
    if rng.randrange(10) == 0 or not view.can_beat:
        return Pass()
    return Play(rng.choice(view.legal_plays).cards)


def decide(view: View, rng: Random) -> Decision:
    """Return what `choose` chooses, with the reason: that there was hardly one."""
    action = choose(view, rng)
    if isinstance(action, Discard):
        return Decision(action, Reason("blind"))
    if isinstance(action, Pass):
        return Decision(action, Reason("whim")) if view.can_beat else forced_pass(view)
    return Decision(action, Reason("random", {"plays": len(view.legal_plays)}))
