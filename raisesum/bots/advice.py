"""Plays to tell a person of, without a card that they do not need: the best and the cheapest."""

from collections.abc import Iterable
from random import Random

from raisesum.bots.cheapest import cheapest_play
from raisesum.bots.sharp import appraise, certain_play
from raisesum.engine import Card, Kind, LegalPlay, View, score


def advised_play(view: View) -> LegalPlay | None:
    """Return the best play by `sharp`'s measure, the same whenever the same turn is asked about.

    Every card of it is needed: a reply without it would not beat the target, an opening would
    score less.  So it has no red or yellow card.  A hand that can open only for nothing opens with
    any card; None where there is no play.

    >>> from raisesum.engine import OFFICIAL_DECKS, Setup, new_match, view_for
    >>> state, _ = new_match(Setup(2, OFFICIAL_DECKS["full"], first=1), seed=7)
    >>> advised_play(view_for(state, 1)).score > 0
    True
    """
    plays = tuple(play for play in view.legal_plays if is_plain(play, view)) or view.legal_plays
    if not plays:
        return None
    certain = certain_play(view, plays)
    if certain is not None:
        return certain
    return appraise(view, Random(0), plays).options[0].play  # noqa: S311 - guesses, no secret


def is_plain(play: LegalPlay, view: View) -> bool:
    """Return whether `play` needs each of its cards."""
    # Where nothing has to be beaten, the play itself is what one with a card less falls short of.
    beats = play.score - 1 if view.target is None else view.target
    rests = (play.cards[:place] + play.cards[place + 1 :] for place in range(len(play.cards)))
    return all(score(rest, view.incoming).score <= beats for rest in rests)


def plain_cheapest(
    hand: Iterable[Card], less: int, divisor: int, target: int | None
) -> LegalPlay | None:
    """Return the cheapest play that needs each of its cards; see `cheapest_play`.

    >>> from raisesum.engine import card_names, parse_cards
    >>> card_names(plain_cheapest(parse_cards("+5 x3 +2 -1"), 0, 1, 4).cards)
    '+5'
    >>> card_names(plain_cheapest(parse_cards("+5 x3 +2 -1"), 0, 1, None).cards)
    '+2'
    """
    held = tuple(hand)
    unfit = (Kind.SUBTRACT, Kind.DIVIDE)
    useful = [card for card in held if card.kind not in unfit]
    if target is None and any(card.kind is Kind.ADD for card in held):
        useful = [card for card in held if card.kind is Kind.ADD]
    return cheapest_play(useful or held, less, divisor, target)
