"""The bot that gives away as little as it can, and never passes while it can play."""

from random import Random

from raisesum.bots.cheapest import cheapest_play
from raisesum.bots.decision import Decision, Reason, forced_pass
from raisesum.bots.worth import least_useful
from raisesum.engine import Action, Discard, Pass, Play, View


def choose(view: View, rng: Random) -> Action:
    """Make the cheapest play that beats the target; pass when there is none.

    The cheapest is the one with the lowest score; of several, one that leaves a challenge, since
    that costs nothing now; then the one with the fewest cards, and then the one whose cards are
    worth least.  Nothing is left to chance.
    """
    if view.to_discard:
        return Discard(least_useful(view))
    incoming = view.incoming
    play = cheapest_play(view.hand, incoming.less, incoming.divisor, view.target)
    return Pass() if play is None else Play(play.cards)


def decide(view: View, rng: Random) -> Decision:
    """Return what `choose` chooses, with the reason."""
    action = choose(view, rng)
    if isinstance(action, Pass):
        return forced_pass(view)
    return Decision(action, Reason("cheapest" if isinstance(action, Play) else "least"))
