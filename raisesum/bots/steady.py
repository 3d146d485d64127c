"""The bot that gives away as little as it can, and never passes while it can play."""

from random import Random

from raisesum.bots.worth import least_useful, total_worth
from raisesum.engine import Action, Discard, Incoming, LegalPlay, Pass, Play, View


def choose(view: View, rng: Random) -> Action:
    """Make the cheapest play that beats the target; pass when there is none.

    The cheapest is the one with the lowest score; of several, one that leaves a challenge, since
    that costs nothing now; then the one with the fewest cards, and then the one whose cards are
    worth least.  Nothing is left to chance.
    """
    if view.to_discard:
        return Discard(least_useful(view))
    if not view.can_beat:
        return Pass()
    return Play(min(view.legal_plays, key=_cost).cards)


def _cost(play: LegalPlay) -> tuple[int, bool, int, int, tuple[int, ...]]:
    # The ranks come last so that no two plays cost the same: the choice is then the same always.
    ranks = tuple(card.rank for card in play.cards)
    harmless = not Incoming.of(play.cards)
    return play.score, harmless, len(play.cards), total_worth(play.cards), ranks
