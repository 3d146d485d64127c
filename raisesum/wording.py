"""Engine facts in plain words: the one place where they are turned into text.

The log, the announcements, the receipts, the commands and the lesson all print what this
module says, so that the same fact is told the same way everywhere.  It knows no HTML: a
sentence is a row of parts (words, a name, cards, a number), which pages may draw each in its
own way and which `str()` joins to plain text.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal

from raisesum.engine.cards import Card, Kind
from raisesum.engine.events import (
    Discarded,
    MatchWon,
    Passed,
    Played,
    PointWon,
    Reshuffled,
    RoundStarted,
)
from raisesum.engine.legality import does_not_beat, too_many_cards
from raisesum.engine.scoring import Incoming, Receipt, ScoreStep, StepKind
from raisesum.engine.state import PLAY_LIMIT
from raisesum.engine.view import CardsTaken, EventView

MINUS: Final = "\N{MINUS SIGN}"

_SIGNS: Final = {
    Kind.ADD: "+",
    Kind.MULTIPLY: "×",
    Kind.SUBTRACT: MINUS,
    Kind.DIVIDE: "÷",
    Kind.ZERO: "",
}
_WORDS: Final = {
    Kind.ADD: "add",
    Kind.MULTIPLY: "multiply",
    Kind.SUBTRACT: "challenge",
    Kind.DIVIDE: "challenge",
    Kind.ZERO: "counter",
}
_SPOKEN: Final = {
    Kind.ADD: "plus",
    Kind.MULTIPLY: "times",
    Kind.SUBTRACT: "minus",
    Kind.DIVIDE: "divided by",
    Kind.ZERO: "",
}
_DECKS: Final = {
    "addition": "addition",
    "subtraction": "addition and subtraction",
    "full": "all operations",
    "custom": "a deck of your own",
}
# Fractions that have a character of their own; any other is written 5/12.
_FRACTIONS: Final = {
    (1, 2): "½",
    (1, 3): "⅓",
    (2, 3): "⅔",
    (1, 4): "¼",
    (3, 4): "¾",
    (1, 5): "⅕",
    (2, 5): "⅖",
    (3, 5): "⅗",
    (4, 5): "⅘",
    (1, 6): "⅙",
    (5, 6): "⅚",
    (1, 8): "⅛",
    (3, 8): "⅜",
    (5, 8): "⅝",
    (7, 8): "⅞",
}


# -- Cards ---------------------------------------------------------------------------------


def card_sign(card: Card) -> str:
    """Return the operator of `card` as players see it; nothing for zero."""
    return _SIGNS[card.kind]


def card_label(card: Card) -> str:
    """Return `card` as players see it.

    >>> from raisesum.engine.cards import parse_cards
    >>> " ".join(card_label(card) for card in parse_cards("+4 x3 -2 /2 0"))
    '+4 ×3 −2 ÷2 0'
    """
    return f"{card_sign(card)}{card.number}"


def card_labels(cards: Iterable[Card]) -> str:
    """Return `cards` in their order, with commas between, so that nobody hears them as one sum."""
    return ", ".join(card_label(card) for card in cards)


def card_spoken(card: Card) -> str:
    """Return the whole of `card` in words, as it is read aloud.

    >>> from raisesum.engine.cards import parse_card
    >>> card_spoken(parse_card("/2"))
    'divided by 2, challenge'
    """
    return f"{_SPOKEN[card.kind]} {card.number}, {card_word(card)}".lstrip()


def card_word(card: Card) -> str:
    """Return the plain word for what `card` does: add, multiply, challenge or counter."""
    return _WORDS[card.kind]


def deck_name(name: str) -> str:
    """Return what players call the deck that records call `name`.

    >>> deck_name("full")
    'all operations'
    """
    return _DECKS[name]


# -- Numbers -------------------------------------------------------------------------------


def number(value: Fraction | int) -> str:
    """Return `value` as a mixed number, never a decimal.

    >>> [number(Fraction(n, d)) for n, d in ((21, 2), (22, 3), (29, 12), (-5, 2), (1, 2), (-6, 1))]
    ['10½', '7⅓', '2 5/12', '−2½', '½', '−6']
    """
    value = Fraction(value)
    sign = MINUS if value < 0 else ""
    whole, rest = divmod(abs(value.numerator), value.denominator)
    if not rest:
        return f"{sign}{whole}"
    glyph = _FRACTIONS.get((rest, value.denominator))
    if glyph is not None:
        return f"{sign}{whole or ''}{glyph}"
    space = " " if whole else ""
    return f"{sign}{whole or ''}{space}{rest}/{value.denominator}"


def count(many: int, one: str, more: str | None = None) -> str:
    """Return `many` things in words: the noun `one`, or `more` (by default with an s).

    >>> count(1, "card"), count(3, "card")
    ('1 card', '3 cards')
    """
    return f"{many} {one if many == 1 else more or one + 's'}"


# -- Receipts ------------------------------------------------------------------------------

ChipKind = Literal["add", "counter", "subtract", "multiply", "divide", "round", "floor"]
_CHIP_KINDS: Final[Mapping[StepKind, ChipKind]] = {
    StepKind.ADD: "add",
    StepKind.COUNTER: "counter",
    StepKind.SUBTRACT: "subtract",
    StepKind.MULTIPLY: "multiply",
    StepKind.DIVIDE: "divide",
    StepKind.ROUND_DOWN: "round",
    StepKind.NOT_BELOW_ZERO: "floor",
}


@dataclass(frozen=True, slots=True)
class Chip:
    """One step of a score: what was done, and the value after it.

    `result` is empty where the words of `done` already give it.
    """

    kind: ChipKind
    done: str
    result: str

    def __str__(self) -> str:
        return f"{self.done} = {self.result}" if self.result else self.done


def chips(receipt: Receipt) -> tuple[Chip, ...]:
    """Return the steps of `receipt`, one a chip.

    >>> from raisesum.engine.cards import parse_cards
    >>> from raisesum.engine.scoring import score
    >>> [str(chip) for chip in chips(score(parse_cards("+5 +4 x3"), Incoming((2,), (2,))))]
    ['5 + 4 = 9', '−2 = 7', '×3 = 21', '÷2 = 10½', 'down to 10']
    >>> [str(chip) for chip in chips(score(parse_cards("x3"), Incoming((2,))))]
    ['start at 0', '−2 = −2', '×3 = −6', 'below zero counts as 0']
    >>> [str(chip) for chip in chips(score(parse_cards("+5 0"), Incoming((2, 1), (2,))))]
    ['+5', '0 counters −2, −1, ÷2']
    """
    return tuple(_chip(step, receipt) for step in receipt.steps)


def _chip(step: ScoreStep, receipt: Receipt) -> Chip:
    kind = _CHIP_KINDS[step.kind]
    value = number(step.value)
    match step.kind:
        case StepKind.ADD if not step.operands:
            return Chip(kind, "start at 0", "")
        case StepKind.ADD if len(step.operands) == 1:
            return Chip(kind, f"+{step.operands[0]}", "")
        case StepKind.ADD:
            return Chip(kind, " + ".join(map(str, step.operands)), value)
        case StepKind.COUNTER:
            return Chip(kind, f"0 counters {incoming_labels(receipt.incoming)}", "")
        case StepKind.SUBTRACT:
            return Chip(kind, _signed(MINUS, step.operands), value)
        case StepKind.MULTIPLY:
            return Chip(kind, _signed("×", step.operands), value)
        case StepKind.DIVIDE:
            return Chip(kind, _signed("÷", step.operands), value)
        case StepKind.ROUND_DOWN:
            return Chip(kind, f"down to {value}", "")
        case StepKind.NOT_BELOW_ZERO:
            return Chip(kind, "below zero counts as 0", "")


def _signed(sign: str, numbers: Iterable[int]) -> str:
    return " ".join(f"{sign}{n}" for n in numbers)


def incoming_labels(incoming: Incoming) -> str:
    """Return the cards of a challenge as players see them: subtraction first, division last.

    >>> incoming_labels(Incoming((2, 1), (2,)))
    '−2, −1, ÷2'
    """
    signed = ((MINUS, incoming.subtractions), ("÷", incoming.divisions))
    return ", ".join(f"{sign}{number}" for sign, numbers in signed for number in numbers)


def receipt_text(receipt: Receipt) -> str:
    """Return the steps of `receipt` in one line.

    >>> from raisesum.engine.cards import parse_cards
    >>> from raisesum.engine.scoring import score
    >>> receipt_text(score(parse_cards("+3 +4")))
    '3 + 4 = 7'
    """
    return " → ".join(map(str, chips(receipt)))


# -- Verdicts ------------------------------------------------------------------------------

Outcome = Literal["opens", "beats", "ties", "short", "many"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a score comes to against a target.

    `many` means that there are more cards than a play may have, whatever they score.
    """

    outcome: Outcome
    text: str

    @property
    def is_legal(self) -> bool:
        """Whether the rules would accept the play."""
        return self.outcome in ("opens", "beats")

    def __str__(self) -> str:
        return self.text


def verdict(receipt: Receipt, target: int | None) -> Verdict:
    """Return what playing `receipt.cards` would come to; None as target means an opening play.

    >>> from raisesum.engine.cards import parse_cards
    >>> from raisesum.engine.scoring import score
    >>> nine = score(parse_cards("+4 +5"))
    >>> for target in (None, 6, 9, 12):
    ...     print(verdict(nine, target))
    9 opens the round
    9 beats 6
    9 ties 9. You need 10 or more.
    9 does not beat 12. You need 13 or more.
    """
    score, cards = receipt.score, len(receipt.cards)
    if cards > PLAY_LIMIT:
        return Verdict("many", too_many_cards(cards))
    if target is None:
        return Verdict("opens", f"{score} opens the round")
    if score > target:
        return Verdict("beats", f"{score} beats {target}")
    return Verdict("ties" if score == target else "short", does_not_beat(score, target))


# -- The challenge -------------------------------------------------------------------------


def challenge(incoming: Incoming) -> str:
    """Return in words what `incoming` does to a reply, in the order in which it does it.

    >>> challenge(Incoming((2,), (2,)))
    'take away 2, then divide by 2 at the end'
    >>> challenge(Incoming((2, 3)))
    'take away 5'
    >>> challenge(Incoming())
    'nothing'
    """
    if not incoming:
        return "nothing"
    less = f"take away {incoming.less}" if incoming.subtractions else ""
    divide = f"divide by {incoming.divisor} at the end" if incoming.divisions else ""
    return ", then ".join(filter(None, (less, divide)))


# -- Sentences -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Who:
    """A player's name in a sentence."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Cards:
    """Cards named in a sentence, in their order."""

    cards: tuple[Card, ...]

    def __str__(self) -> str:
        return card_labels(self.cards)


@dataclass(frozen=True, slots=True)
class Figure:
    """A score named in a sentence."""

    value: int

    def __str__(self) -> str:
        return str(self.value)


Part = str | Who | Cards | Figure


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence about one event, in parts; `str()` gives the plain text, without a full stop."""

    parts: tuple[Part, ...]

    def __str__(self) -> str:
        return "".join(map(str, self.parts))


def sentence(
    event: EventView, names: Mapping[int, str], viewer: int | None, won_with: int | None = None
) -> Sentence:
    """Return `event` in one sentence, in the second person where it is the viewer's own.

    Args:
        event: what the viewer may see of what happened.
        names: the name of each seat, `isolated` where text around it is shown.
        viewer: the seat of whoever reads; None for a spectator.
        won_with: for a won round, the score that stood at its end, when there was one.

    >>> from raisesum.engine.cards import parse_cards
    >>> names = {1: "Quick Otter", 2: "Steady"}
    >>> played = Played(1, parse_cards("+6 -2 /2"), 6, Incoming(), 1)
    >>> print(sentence(played, names, 1))
    You played +6, −2, ÷2 for 6
    >>> print(sentence(played, names, 2))
    Quick Otter played +6, −2, ÷2 for 6
    >>> print(sentence(PointWon(1, 2, 1), names, 1, won_with=27))
    You won round 2 with 27
    """
    match event:
        case CardsTaken():
            return _taken(event, names, viewer)
        case RoundStarted():
            verb = " open" if event.seat == viewer else " opens"
            who = _who(event.seat, names, viewer)
            return Sentence((f"Round {event.round} begins: ", _inside(who), verb))
        case Reshuffled():
            what = count(event.count, "discard was", "discards were")
            return Sentence((f"{what} shuffled into a new draw pile",))
        case Played():
            did = " opened with " if event.target is None else " played "
            who = _who(event.seat, names, viewer)
            return Sentence((who, did, Cards(event.cards), " for ", Figure(event.score)))
        case Passed():
            return Sentence((_who(event.seat, names, viewer), " passed"))
        case Discarded():
            return Sentence((_who(event.seat, names, viewer), " discarded ", Cards(event.cards)))
        case PointWon():
            won = (_who(event.seat, names, viewer), f" won round {event.round}")
            return Sentence(won if won_with is None else (*won, " with ", Figure(won_with)))
        case MatchWon():
            return Sentence((_who(event.seat, names, viewer), " won the match"))


def ran_out(event: Passed, names: Mapping[int, str], viewer: int | None) -> Sentence:
    """Return a pass that the clock made in one sentence.

    >>> print(ran_out(Passed(2), {2: "Ann"}, 1))
    Ann ran out of time and passed
    """
    return Sentence((_who(event.seat, names, viewer), " ran out of time and passed"))


def _taken(event: CardsTaken, names: Mapping[int, str], viewer: int | None) -> Sentence:
    who = _who(event.seat, names, viewer)
    if event.dealt:
        was = " were dealt " if event.seat == viewer else " was dealt "
        what: Part = Cards(event.cards) if event.cards else count(event.count, "card")
        return Sentence((who, was, what))
    if not event.count:
        return Sentence((who, " found no card left to draw"))
    drawn: Part = Cards(event.cards) if event.cards else count(event.count, "card")
    return Sentence((who, " drew ", drawn))


def _who(seat: int, names: Mapping[int, str], viewer: int | None) -> Part:
    return "You" if seat == viewer else Who(names[seat])


def _inside(who: Part) -> Part:
    # "You" begins a sentence; inside one it is "you".
    return "you" if who == "You" else who


def sentences(
    events: Iterable[EventView], names: Mapping[int, str], viewer: int | None
) -> tuple[Sentence, ...]:
    """Return a run of events in words, each won round with the score that stood at its end.

    The run should begin with the match or with a round; a score from before it is not known.
    """
    told = []
    standing: int | None = None
    for event in events:
        if isinstance(event, Played):
            standing = event.score
        elif isinstance(event, RoundStarted):
            standing = None
        told.append(sentence(event, names, viewer, standing))
    return tuple(told)


# -- Refusals ------------------------------------------------------------------------------

# A card as messages of the engine write it, standing alone or before a full stop.
_CARD_IN_MESSAGE: Final = re.compile(r"(?<![\w/+-])([-+x/])([1-9][0-9]?)(?![\w])")
_SIGN_OF_NAME: Final = {"+": "+", "x": "×", "-": MINUS, "/": "÷"}


def refusal(error: ValueError) -> str:
    """Return why an action was refused, with cards as players see them.

    >>> from raisesum.engine.errors import IllegalActionError
    >>> refusal(IllegalActionError("not in hand", "You hold no x3."))
    'You hold no ×3.'
    """
    return _CARD_IN_MESSAGE.sub(lambda m: f"{_SIGN_OF_NAME[m[1]]}{m[2]}", str(error))


# -- Names ---------------------------------------------------------------------------------

# What turns the writing round, or ends where it is turned; only a record can have it in a name.
_BIDI_CONTROLS: Final = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")

ISOLATED: Final = re.compile("\u2068([^\u2068\u2069]*)\u2069")
"""Finds what `isolated` has made; its group is the name."""


def isolated(name: str) -> str:
    r"""Return `name` as it goes into a sentence, title or message of plain text.

    Names come in any script. Without this, one that is written from right to left would take the
    figures and names beside it along, and "Points: Ann (1), Ben (0)" would be read with the points
    of the other. Screen readers and eyes do not notice it.

    >>> isolated("Ann")
    '\u2068Ann\u2069'
    """
    return f"\u2068{bare(name)}\u2069"


def bare(text: str) -> str:
    """Return `text` without any characters that direct the writing.

    >>> bare(isolated("Ann"))
    'Ann'
    """
    return _BIDI_CONTROLS.sub("", text)


# -- Lists ---------------------------------------------------------------------------------


def listed(items: Sequence[str]) -> str:
    """Return `items` as a list in a sentence.

    >>> listed(["Steady"]), listed(["Steady", "Easy 1", "Easy 2"])
    ('Steady', 'Steady, Easy 1 and Easy 2')
    """
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} and {items[-1]}"


def ended(sentence: str) -> str:
    """Return `sentence` with a full stop, unless it has its end already.

    >>> ended("You passed"), ended("You hold no +5."), ended("")
    ('You passed.', 'You hold no +5.', '')
    """
    return sentence if not sentence or sentence[-1] in ".!?…" else f"{sentence}."


def spoken(sentences: Iterable[str]) -> str:
    """Return sentences in a row, each with its end.

    >>> spoken(["You passed", "Ann says: Hello!"])
    'You passed. Ann says: Hello!'
    """
    return " ".join(map(ended, filter(None, sentences)))
