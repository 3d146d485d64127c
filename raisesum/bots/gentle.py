"""The bot for children: it plays what it sees, spends a little too much, and is never cruel."""

from random import Random

from raisesum.bots.decision import Decision, Reason, forced_pass
from raisesum.bots.worth import least_useful
from raisesum.engine import Action, Discard, Incoming, LegalPlay, Pass, Play, View

#: The hardest challenge it sets: this much subtraction, and no division.
HARDEST = 5
#: It picks among this many of the lowest plays, so it often spends more than it must.
AMONG = 3


def choose(view: View, rng: Random) -> Action:
    """Make one of the lowest plays that are kind; pass when there is none.

    Any of the few lowest is as likely as another.  Cards that must go are the least useful.
    """
    return decide(view, rng).action


def decide(view: View, rng: Random) -> Decision:
    """Return what `choose` chooses, with the reason."""
    if view.to_discard:
        return Decision(Discard(least_useful(view)), Reason("least"))
    kind = sorted((play for play in view.legal_plays if is_kind(play)), key=_by_score)
    if not kind:
        return Decision(Pass(), Reason("unkind")) if view.can_beat else forced_pass(view)
    choice = rng.choice(kind[:AMONG])
    return Decision(Play(choice.cards), Reason("simple", {"plays": len(kind)}))


def is_kind(play: LegalPlay) -> bool:
    """Return whether the challenge of `play`, if it has one, is easy to answer."""
    incoming = Incoming.of(play.cards)
    return incoming.less <= HARDEST and not incoming.divisions


def _by_score(play: LegalPlay) -> tuple[int, bool, int, tuple[int, ...]]:
    harmless = not Incoming.of(play.cards)
    return play.score, harmless, len(play.cards), tuple([card.rank for card in play.cards])
