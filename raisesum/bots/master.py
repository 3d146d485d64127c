"""The bot that looks ahead: it deals the hidden cards again and again and sees what follows.

`sharp` picks the plays worth a closer look.  For each, and for many guesses at what the others
hold and draw, the round is played on with `steady` in the opponents' places until the turn comes
round again; what was learned from self-play judges what is there then.  All plays meet the same
guesses, so that luck does not choose between them.
"""

from random import Random
from typing import NamedTuple

from raisesum.bots.cheapest import cheapest_play
from raisesum.bots.decision import Decision, Reason, forced_pass
from raisesum.bots.guesses import Guess, Unseen
from raisesum.bots.judgement import JUDGEMENT, turn_features
from raisesum.bots.reach import Reach, reach_of
from raisesum.bots.sharp import Option, appraise, discard, without
from raisesum.bots.worth import by_use
from raisesum.engine import HAND_LIMIT, Action, Card, Incoming, LegalPlay, Pass, Play, View

#: How many plays are looked at, and how many guesses each of them meets.
CANDIDATES = 24
FIRST_GUESSES = 30
#: The best of them are looked at again with as many guesses more.
FINALISTS = 8
MORE_GUESSES = 90
#: How much the first judgement counts beside what the look ahead found.
TRUST = 0.1


class Seen(NamedTuple):
    """What became of one play over some guesses: sums of chances, and counts.

    Attributes:
        chance: of winning the round, summed over the guesses.
        alone: in how many of them nobody answered.
        guesses: how many there were.
    """

    chance: float
    alone: int
    guesses: int


def choose(view: View, rng: Random) -> Action:
    """Return the action that promises most."""
    return decide(view, rng).action


def decide(view: View, rng: Random) -> Decision:
    """Return what `choose` chooses, with the reason."""
    if view.to_discard:
        return discard(view)
    if not view.can_beat:
        return forced_pass(view)
    appraisal = appraise(view, rng)
    prospects = appraisal.prospects
    unseen = Unseen(view)
    options = appraisal.options[:CANDIDATES]
    seen = _look(options, [Future(unseen.guess(rng)) for _ in range(FIRST_GUESSES)])

    def promise(place: int) -> float:
        option = options[place]
        chance = seen[place].chance / seen[place].guesses
        won, lost = prospects.if_won(option.value), prospects.if_lost(option.value)
        return chance * won + (1 - chance) * lost + TRUST * option.worth

    places = sorted(range(len(options)), key=lambda place: -promise(place))[:FINALISTS]
    if len(places) > 1:
        again = _look(
            [options[place] for place in places],
            [Future(unseen.guess(rng)) for _ in range(MORE_GUESSES)],
        )
        for place, more in zip(places, again, strict=True):
            before = seen[place]
            seen[place] = Seen(
                before.chance + more.chance,
                before.alone + more.alone,
                before.guesses + more.guesses,
            )
    best = max(places, key=promise)
    facts = {
        "chance": round(seen[best].chance / seen[best].guesses, 3),
        "alone": round(seen[best].alone / seen[best].guesses, 3),
        "plays": len(options),
        "deals": seen[best].guesses,
    }
    if (1 + TRUST) * appraisal.passing > promise(best):
        return Decision(Pass(), Reason("save", facts))
    return Decision(Play(options[best].play.cards), Reason("foreseen", facts))


def _look(options: list[Option], futures: list["Future"]) -> list[Seen]:
    found = []
    for option in options:
        chances = [future.after(option) for future in futures]
        found.append(Seen(sum(chances), chances.count(1.0), len(chances)))
    return found


class Reply(NamedTuple):
    """An opponent's answer, what it sends on, and what that leaves of the hand."""

    play: LegalPlay
    less: int
    divisor: int
    reach: Reach
    kept: tuple[Card, ...]


class Future:
    """One guess at the hidden cards, and what follows there."""

    def __init__(self, guess: Guess) -> None:
        self._hands = [hand + drawn for hand, drawn in zip(guess.hands, guess.draws, strict=True)]
        self._mine = guess.mine
        # Different plays often leave an opponent with the same thing to answer.
        self._replies: dict[tuple[int, int, int, int], Reply | None] = {}

    def after(self, option: Option) -> float:
        """Return the chance of winning the round after `option`; exactly 1 when nobody answers."""
        others = self.replies(option.play.score, option.less, option.divisor)
        if not others:
            return 1.0
        target, less, divisor = others[-1].play.score, others[-1].less, others[-1].divisor
        hand = option.kept + self._mine
        mine = reach_of(hand)
        best = mine.best(less, divisor)
        if best <= target:
            return 0.0
        model, of_theirs = JUDGEMENT.turn[len(others)]
        of_mine = model.of_card
        theirs = sum([of_theirs[card] for reply in others for card in reply.kept]) / len(others)
        features = turn_features(
            mine, best, len(hand), target, less, divisor, [reply.reach for reply in others]
        )
        return model.chance(theirs + sum([of_mine[card] for card in hand]), features)

    def replies(self, target: int, less: int, divisor: int) -> list[Reply]:
        """Return what those who do not pass answer, one after the other.

        Args:
            target: the score of the viewer's play.
            less: the sum of the subtractions that it sends on.
            divisor: the product of its divisions.
        """
        replies = []
        for place in range(len(self._hands)):
            reply = self._reply(place, target, less, divisor)
            if reply is not None:
                target, less, divisor = reply.play.score, reply.less, reply.divisor
                replies.append(reply)
        return replies

    def _reply(self, place: int, target: int, less: int, divisor: int) -> Reply | None:
        key = (place, target, less, divisor)
        if key in self._replies:
            return self._replies[key]
        hand = self._hands[place]
        play = cheapest_play(hand, less, divisor, target)
        reply = None
        if play is not None:
            kept = by_use(without(hand, play.cards))[-HAND_LIMIT:]
            incoming = Incoming.of(play.cards)
            reply = Reply(play, incoming.less, incoming.divisor, reach_of(kept), kept)
        self._replies[key] = reply
        return reply
