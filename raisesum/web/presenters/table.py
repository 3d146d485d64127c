"""The table as the templates print it.

`present_table` serves every answer that shows a table; the routes add only the status:

    page             games/table.html   the whole page (GET, and every answer without htmx)
    poll             games/_poll.html   the part, its title and what to announce (htmx)
    after a move     games/_poll.html   the same
    refusal          the same two with `refusal=...`, status 422 or 409
    pass question    the same two with `question=...`, status 200
    sum of the ticks games/_sum.html    with `sum=present_sum(...)` (htmx); else games/table.html
                                        with `ticked=...` and `checked=...`

`ticked` is for pages without JavaScript only: with htmx the browser keeps its own ticks.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from raisesum import wording
from raisesum.engine.cards import Kind
from raisesum.engine.events import MatchWon, Passed, Played, PointWon, RoundStarted
from raisesum.engine.scoring import Receipt
from raisesum.engine.state import Phase
from raisesum.engine.view import CardsTaken, EventView, SeatView, View
from raisesum.services.errors import RematchBegunError
from raisesum.services.help import Guesses, Tells, nothing_beats
from raisesum.services.reactions import Said
from raisesum.services.table import Change, LogEntry, Table
from raisesum.web.presenters.cards import (
    Face,
    HandCard,
    Heap,
    Piece,
    face,
    faces,
    hand_cards,
    heaps,
    pieces,
)
from raisesum.web.presenters.company import (
    Company,
    clock_text,
    news_of_people,
    present_company,
    seat_note,
    somebody_was_replaced,
)

#: How often the page asks for news, in seconds: while bots move, while people think, and after the
#: end, where others may want a rematch. The script asks less often, as its own comments say.
QUICK, SLOW, AFTER_THE_END = 1, 2, 1
#: More backs than this are told by their number alone.
MOST_BACKS = 10


#: What stands in place of a sum where players say themselves what a play scores.
IN_YOUR_HEAD = "At this table you add up in your head. Type the score, then play."


@dataclass(frozen=True, slots=True)
class Hint:
    """A hint, and the number of the one that would say more; 0 when none would."""

    text: str
    more: int


@dataclass(frozen=True, slots=True)
class SeatBox:
    """A player's place: `state` is the one word for how things stand with them.

    `says` is what they have just said. Where a clock runs, `left_ms` is the time they have
    left, `left_s` and `left` the same in whole seconds, as a number and in words; `ends_at` is
    another one for each time that is counted down; `is_graced` says that it is extra time.
    """

    number: int
    name: str
    kind: str
    is_you: bool
    is_on_turn: bool
    is_in: bool
    is_winner: bool
    state: str
    hand_size: int
    points: int
    goal: int
    says: str = ""
    left_ms: int | None = None
    left_s: int | None = None
    left: str = ""
    ends_at: int | None = None
    is_graced: bool = False

    @property
    def name_start(self) -> str:
        """The name without `name_end`: what may be cut off where there is no room for it."""
        return self.name.removesuffix(self.name_end)

    @property
    def name_end(self) -> str:
        """The number that tells the name from another one, with its space, or nothing."""
        found = re.search(r"(?<=.) [0-9]+$", self.name)
        return found[0] if found else ""

    @property
    def backs(self) -> range:
        """As many as there are card backs to draw."""
        return range(min(self.hand_size, MOST_BACKS))

    @property
    def pips(self) -> tuple[bool, ...]:
        """A pip for each point of the goal: whether it is won."""
        return tuple(place < self.points for place in range(self.goal))


@dataclass(frozen=True, slots=True)
class Sum:
    """What the ticked cards come to, or a hint when there are none.

    `of` is the names of the cards, sorted, with spaces between them.
    """

    chips: tuple[wording.Chip, ...] = ()
    verdict: wording.Verdict | None = None
    hint: str = ""
    of: str = ""


@dataclass(frozen=True, slots=True)
class LaidDown:
    """Cards that were played, with how their score came about.

    `answered` says what the play had to beat. A sum that the cards themselves show has no chips.
    """

    id: str
    label: str
    answered: str
    cards: tuple[Face, ...]
    sum: Sum


@dataclass(frozen=True, slots=True)
class Challenge:
    """What works against the next reply: `label` says whom it hits."""

    label: str
    hits_you: bool
    cards: tuple[Face, ...]
    words: str


@dataclass(frozen=True, slots=True)
class Middle:
    """What lies between the players.

    Attributes:
        target: the score to beat; None before a round's first play.
        word: what to do about it, in a word.
        note: what would do, in a few more.
        heading: what the middle is about when there is nothing to beat.
        settled: who wins this round, when only a discard has to be chosen before that.
        standing: the standing play.
        last: before a round's first play, the play that won the round before.
        challenge: what works against the next reply, when something does.
        can_challenge: whether the deck has cards that challenge.
    """

    target: int | None
    word: str
    note: str
    heading: str
    settled: str
    standing: LaidDown | None
    last: LaidDown | None
    challenge: Challenge | None
    can_challenge: bool
    draw_size: int
    discard_size: int
    discard_top: Face | None
    discards: tuple[Heap, ...]


@dataclass(frozen=True, slots=True)
class LogLine:
    """A sentence of the log; a play has its sum to open.

    `number` is that of the action it belongs to; `is_fresh` marks what happened since the viewer
    last moved, and `round_over` is the round that was won, in the line that says so, else 0.
    """

    id: str
    number: int
    pieces: tuple[Piece, ...]
    sum: Sum | None
    is_fresh: bool
    is_heading: bool
    round_over: int = 0


@dataclass(frozen=True, slots=True)
class Hand:
    """The viewer's cards and what may be done with them.

    `mode` is play, discard, wait or over; only the first two have tick boxes and buttons.
    """

    mode: str
    title: str
    hint: str
    cards: tuple[HandCard, ...]
    to_discard: int
    order: str

    @property
    def has_ticks(self) -> bool:
        """Whether any card is shown ticked (pages without JavaScript only)."""
        return any(held.is_ticked for held in self.cards)


@dataclass(frozen=True, slots=True)
class Ending:
    """How the match ended; with a replay and the bots' reasons where the viewer may see them."""

    title: str
    text: str
    you_won: bool
    has_replay: bool
    has_reasons: bool


@dataclass(frozen=True, slots=True)
class Policy:
    """How bots of one level play, in one line, and the names of those at the table."""

    names: str
    text: str


@dataclass(frozen=True, slots=True)
class TablePage:
    """Everything that the table's templates print.

    Attributes:
        last_seen: the number of the newest log entry that the page shows.
        log: newest first.
        since: what happened since the viewer last moved, oldest first.
        sum_id: names the place of `sum`: another one for each version, and only then, since the
            browser keeps what it shows of the ticked cards as long as they can be played.
        title: what the browser's tab is called.
        wishes: the seats of the others who want a rematch that has not begun.
        shows_checked: whether the page says when it last asked; against bots nothing can be missed.
        refusal: why the last action was not taken; to be spoken.
        notice: the same where `sum` does not show it already.
        question: what to ask before a pass.
        advises_pass: whether Pass is the button to press, for all that may be told.
    """

    key: str
    version: int
    revision: int
    last_seen: int
    headline: str
    context: str
    poll_seconds: int | None
    seats: tuple[SeatBox, ...]
    middle: Middle
    hand: Hand
    log: tuple[LogLine, ...]
    since: tuple[LogLine, ...]
    sum: Sum
    sum_id: str
    refusal: str
    notice: str
    question: str
    ending: Ending | None
    can_skip: bool
    can_give_up: bool
    can_offer_seats: bool
    rematch_key: str | None
    announcement: str
    company: Company
    presence_mark: str
    is_my_turn: bool
    is_waiting: bool
    is_spectator: bool
    advises_pass: bool
    can_rematch: bool
    rematch_note: str
    asks_guess: bool = False
    guess_note: str = ""
    can_hint: bool = False
    hint: Hint | None = None
    policies: tuple[Policy, ...] = ()
    title: str = ""
    wishes: tuple[int, ...] = ()
    rematch_mark: str = ""
    shows_checked: bool = False


def present_table(
    table: Table,
    *,
    hand_order: str = "drawn",
    ticked: Iterable[str] = (),
    checked: Sum | None = None,
    refusal: str = "",
    question: str = "",
    seen: int | None = None,
    heard: int | None = None,
    there: str | None = None,
    wished: str | None = None,
    hint: Hint | None = None,
) -> TablePage:
    """Return the table as its viewer sees it.

    Args:
        table: from `services.play`.
        hand_order: the viewer's setting.
        ticked: names of cards to show ticked (pages without JavaScript only).
        checked: the sum of those cards; a hint when not given.
        refusal: why the last action was not taken, in a sentence.
        question: what to ask before the pass that was asked for.
        seen: the number of the last log entry that the page showed; what came later is
            announced.  With None nothing is: the page is shown again without news.
        heard: the number of the last thing said that the page showed; None announces none.
        there: the presence mark that the page showed; None announces nobody's coming or going.
        wished: the rematch mark that the page showed; None if it showed a match in play.
        hint: the hint that was asked for.
    """
    view = table.view
    names = {person.number: wording.isolated(person.name) for person in table.people}
    is_over = not table.is_playing
    hand = _hand(table, hand_order, ticked, is_over)
    headline = _headline(table, names, is_over)
    rematch_note = _rematch_note(table, names)
    polls = not is_over or not table.practice
    log = tuple(_log(table.log, names, view.viewer, table.changes))
    shown = checked or (present_hint(table) if hand.mode == "play" else Sum())
    verdict = shown.verdict if hand.mode == "play" else None
    is_in_sum = verdict is not None and refusal.startswith(verdict.text)
    if verdict is not None and is_in_sum:
        # A refusal may say more: what would do instead.
        shown = replace(shown, verdict=replace(verdict, text=refusal))
    return TablePage(
        key=table.key,
        version=table.version,
        revision=table.revision,
        last_seen=table.log[-1].number if table.log else 0,
        headline=headline,
        context=_context(table),
        poll_seconds=_poll_seconds(table) if polls else None,
        seats=tuple(_seat(table, seat, is_over) for seat in view.seats),
        middle=_middle(table, names, is_over),
        hand=hand,
        log=log[::-1],
        since=tuple(line for line in log if line.is_fresh),
        sum=shown,
        sum_id=f"sum-{table.version}",
        refusal=refusal,
        notice="" if is_in_sum else refusal,
        question=question,
        ending=_ending(table, names) if is_over else None,
        can_skip=table.can_skip,
        can_give_up=table.practice and not is_over,
        can_offer_seats=table.is_playing and not table.is_spectator,
        rematch_key=_rematch_key(table),
        announcement=_announcement(table, names, seen, headline, heard, there, wished),
        company=present_company(table),
        presence_mark=table.presence_mark,
        is_my_turn=table.is_my_turn,
        is_waiting=not table.is_my_turn and not table.is_spectator,
        is_spectator=table.is_spectator,
        advises_pass=hand.mode == "play" and bool(nothing_beats(view, table.tells)),
        can_rematch=_can_rematch(table),
        rematch_note=rematch_note,
        asks_guess=table.help.wants_guess and hand.mode == "play",
        guess_note=_guess_note(table.guesses),
        can_hint=table.can_hint,
        hint=hint,
        policies=tuple(_policies(table)),
        title=_without_stop(rematch_note) or headline,
        wishes=table.rematch_pressed if rematch_note and table.rematch_waits else (),
        rematch_mark=table.rematch_mark,
        shows_checked=polls and not table.practice,
    )


def _poll_seconds(table: Table) -> int:
    if not table.is_playing:
        return AFTER_THE_END
    return QUICK if table.waiting_on_bots else SLOW


def _without_stop(sentence: str) -> str:
    return sentence.removesuffix(".")


def present_sum(receipt: Receipt | None, target: int | None) -> Sum:
    """Return what the ticked cards come to; None as receipt stands for no ticks."""
    if receipt is None or not receipt.cards:
        return Sum(hint=_hint(target))
    return Sum(
        chips=wording.chips(receipt),
        verdict=wording.verdict(receipt, target),
        of=" ".join(sorted(card.name for card in receipt.cards)),
    )


def present_hint(table: Table) -> Sum:
    """Return what stands in the place of a sum while no card is ticked."""
    if not table.tells.score:
        return Sum(hint=IN_YOUR_HEAD)
    return Sum(hint=nothing_beats(table.view, table.tells) or _hint(table.view.target))


def _hint(target: int | None) -> str:
    if target is None:
        return "Tick the cards that you open with."
    return f"Tick cards that come to {target + 1} or more."


def helped(found: Sum, tells: Tells) -> Sum:
    """Return as much of a sum as may be told before the play."""
    if not tells.score:
        return Sum(hint=IN_YOUR_HEAD)
    return found if tells.steps else replace(found, chips=())


def _guess_note(guesses: Guesses) -> str:
    if guesses.said is None:
        return ""
    last = (
        f"You said {guesses.said}, and that is right."
        if guesses.is_last_right
        else f"You said {guesses.said}. It scored {guesses.score}."
    )
    return f"{last} In your head: {guesses.right} of {guesses.made} right."


def _context(table: Table) -> str:
    view = table.view
    own = wording.isolated(table.deck_name) if table.deck_name else ""
    deck = own or wording.deck_name(view.setup.deck.name)
    goal = wording.count(view.setup.goal, "point")
    return f"Round {view.round} · first to {goal} · {deck}"


def _headline(table: Table, names: Mapping[int, str], is_over: bool) -> str:
    view = table.view
    if is_over:
        if view.winner is None:
            return "Match given up"
        return "You won" if view.winner == view.viewer else f"{names[view.winner]} won"
    if table.nobody_plays:
        return "Everyone has gone, and the match waits"
    if not table.is_my_turn:
        name = "your seat" if view.turn == view.viewer else names[view.turn]
        stands_in = table.people[view.turn - 1].stand_in
        return f"A stand-in is playing for {name}" if stands_in else f"{name} is playing"
    if view.to_discard:
        return f"Your turn: discard {view.to_discard}"
    return "Your turn"


# -- Seats ---------------------------------------------------------------------------------


def _seat(table: Table, seat: SeatView, is_over: bool) -> SeatBox:
    view = table.view
    person = next(person for person in table.people if person.number == seat.number)
    on_turn = not is_over and seat.number == view.turn
    if seat.number == view.winner:
        state = "won"
    elif on_turn and not seat.is_in:
        # Whoever passes with too many cards is out, and has still to discard.
        state = "passed"
    elif on_turn:
        state = "your turn" if person.is_you and table.is_my_turn else "their turn"
    else:
        state = "in" if seat.is_in else "passed"
    if seat.number != view.winner:
        state = seat_note(table, person) or state
    left_ms = table.left_ms if on_turn else None
    left_s = None if left_ms is None else -(-left_ms // 1000)
    return SeatBox(
        number=seat.number,
        name=person.name,
        kind="you" if person.is_you else "bot" if person.bot is not None else "",
        is_you=person.is_you,
        is_on_turn=on_turn,
        is_in=seat.is_in,
        is_winner=seat.number == view.winner,
        state=state,
        hand_size=seat.hand_size,
        points=seat.points,
        goal=view.setup.goal,
        says=next((said.text for said in table.said if said.seat == seat.number), ""),
        left_ms=left_ms,
        left_s=left_s,
        left="" if left_s is None else clock_text(left_s),
        ends_at=table.ends_at if on_turn else None,
        is_graced=left_ms is not None and table.graced,
    )


def _policies(table: Table) -> Iterator[Policy]:
    names: dict[str, list[str]] = {}
    for person in table.people:
        if person.policy:
            names.setdefault(person.policy, []).append(wording.isolated(person.name))
    for policy, called in names.items():
        yield Policy(wording.listed(called), policy)


# -- The middle ----------------------------------------------------------------------------


def _middle(table: Table, names: Mapping[int, str], is_over: bool) -> Middle:
    view = table.view
    standing = view.standing
    settled = _settled(view, names)
    top = view.discard_pile[-1] if view.discard_pile else None
    last = None if standing is not None else _last_won(table, names)
    return Middle(
        target=view.target,
        word=_word(view, settled),
        note=_note(view, settled),
        heading=settled or _opening_heading(view, names),
        settled=settled,
        standing=None
        if standing is None
        else LaidDown(
            # The id changes with every play, so that the cards of a new one come in anew.
            id=f"play-{_last_play(table.log)}",
            label=_owner(standing.seat, names, view.viewer)
            + (f" last play: {standing.score}" if is_over else " play"),
            answered=_answered(table.log, view),
            cards=faces(standing.cards),
            sum=_short_receipt(standing.receipt),
        ),
        last=last,
        challenge=None if is_over else _challenge(view, names),
        can_challenge=any(
            card.kind in (Kind.SUBTRACT, Kind.DIVIDE) for card, _ in view.setup.deck.counts
        ),
        draw_size=view.draw_size,
        discard_size=len(view.discard_pile),
        discard_top=None if top is None else face(top),
        discards=heaps(view.discard_pile),
    )


def _settled(view: View, names: Mapping[int, str]) -> str:
    still_in = [seat.number for seat in view.seats if seat.is_in]
    if view.phase is not Phase.DISCARD or len(still_in) != 1:
        return ""
    wins = "You win" if still_in[0] == view.viewer else f"{names[still_in[0]]} wins"
    discards = "you have" if view.turn == view.viewer else f"{names[view.turn]} has"
    return f"{wins} the round when {discards} discarded"


def _word(view: View, settled: str) -> str:
    if view.target is None:
        return "Over" if settled else "Open"
    return "Unbeaten" if settled else "Beat"


def _note(view: View, settled: str) -> str:
    if settled:
        return "" if view.target is not None else "nobody opened"
    return "any score will do" if view.target is None else f"{view.target + 1} or more"


def _opening_heading(view: View, names: Mapping[int, str]) -> str:
    # Whoever has passed and discards opens no more.
    opener = _next_in(view) if view.phase is Phase.DISCARD else view.turn
    if opener is None or opener == view.viewer:
        return "You open this round"
    return f"{names[opener]} opens this round"


def _answered(log: Iterable[LogEntry], view: View) -> str:
    standing = view.standing
    plays = [event for event in _events(log) if isinstance(event, Played)]
    if standing is None or not plays or plays[-1].cards != standing.cards:
        return ""
    target = plays[-1].target
    if target is None:
        return "opened the round"
    against = wording.incoming_labels(standing.answered)
    return f"beat {target} against {against}" if against else f"beat {target}"


def _challenge(view: View, names: Mapping[int, str]) -> Challenge | None:
    if view.standing is None or not view.incoming:
        return None
    # While a mover discards, the challenge is already the next player's business.
    hits = _next_in(view) if view.phase is Phase.DISCARD else view.turn
    if hits is None or sum(seat.is_in for seat in view.seats) == 1:
        # Nobody is left to reply: whoever is in wins the round.
        return None
    return Challenge(
        label="Against you" if hits == view.viewer else f"Against {names[hits]}",
        hits_you=hits == view.viewer,
        cards=faces(view.standing.challenge),
        words=wording.challenge(view.incoming),
    )


def _next_in(view: View) -> int | None:
    seats = len(view.seats)
    for step in range(1, seats):
        seat = view.seats[(view.turn - 1 + step) % seats]
        if seat.is_in:
            return seat.number
    return None


def _last_won(table: Table, names: Mapping[int, str]) -> LaidDown | None:
    """Return the play that stood when the last round ended, told with who won it."""
    played: Played | None = None
    won: Played | None = None
    label = ""
    for event in _events(table.log):
        if isinstance(event, Played):
            played = event
        elif isinstance(event, PointWon):
            stood = played.score if played is not None else None
            label = str(wording.sentence(event, names, table.view.viewer, stood))
            won, played = played, None
    if not label:
        return None
    return LaidDown(
        id=f"won-{_last_play(table.log)}",
        label=label,
        answered="",
        cards=() if won is None else faces(won.cards),
        sum=Sum() if won is None else _short_receipt(won.receipt),
    )


def _receipt(receipt: Receipt, target: int | None) -> Sum:
    result = wording.verdict(receipt, target) if target is not None else None
    return Sum(chips=wording.chips(receipt), verdict=result)


def _short_receipt(receipt: Receipt) -> Sum:
    # A single addition is its own sum.
    first, *more = receipt.steps
    return _receipt(receipt, None) if more or len(first.operands) != 1 else Sum()


def _owner(seat: int, names: Mapping[int, str], viewer: int | None) -> str:
    if seat == viewer:
        return "Your"
    return f"{names[seat]}’s"


# -- The hand ------------------------------------------------------------------------------


def _hand(table: Table, order: str, ticked: Iterable[str], is_over: bool) -> Hand:
    view = table.view
    if table.is_spectator:
        mode, title, hint = "watch", "You are watching", "the hands stay hidden"
    elif is_over:
        mode, title, hint = "over", "Your hand", ""
    elif not table.is_my_turn:
        mode, title, hint = "wait", "Your hand", ""
        mine = next((seat for seat in view.seats if seat.number == view.viewer), None)
        if mine is not None and not mine.is_in:
            hint = "You passed: these cards are yours again in the next round"
    elif view.to_discard:
        mode = "discard"
        title = f"Discard {view.to_discard}: seven cards stay"
        hint = ""
    else:
        mode, title, hint = "play", "Your hand", "choose one to five cards"
    return Hand(
        mode=mode,
        title=title,
        hint=hint,
        cards=hand_cards(view.hand, view.drawn, order, ticked),
        to_discard=view.to_discard,
        order=order,
    )


# -- The end -------------------------------------------------------------------------------


def _ending(table: Table, names: Mapping[int, str]) -> Ending:
    view = table.view
    ranking = " · ".join(
        f"{'You' if seat.number == view.viewer else names[seat.number]} ({seat.points})"
        for seat in sorted(view.seats, key=lambda seat: -seat.points)
    )
    if view.winner is None:
        text = f"Points so far: {ranking}"
        return Ending(
            "Match given up",
            text,
            you_won=False,
            has_replay=table.has_replay,
            has_reasons=table.has_reasons,
        )
    won = view.winner == view.viewer
    title = "You won the match" if won else f"{names[view.winner]} won the match"
    return Ending(
        title,
        f"Points: {ranking}",
        you_won=won,
        has_replay=True,
        has_reasons=table.has_reasons,
    )


# -- The log -------------------------------------------------------------------------------


def _events(log: Iterable[LogEntry]) -> Iterator[EventView]:
    for entry in log:
        yield from entry.events


def _last_play(log: Iterable[LogEntry]) -> int:
    return max(
        (entry.number for entry in log if any(isinstance(e, Played) for e in entry.events)),
        default=0,
    )


def _log(
    log: tuple[LogEntry, ...],
    names: Mapping[int, str],
    viewer: int | None,
    changes: Sequence[Change],
) -> Iterator[LogLine]:
    mine = max((entry.number for entry in log if _is_by(entry, viewer)), default=0)
    told = _sentences(log, names, viewer, changes)
    places = ((entry, place, event) for entry in log for place, event in enumerate(entry.events))
    unknown = _from_a_round_cut_off(log)
    for number, ((entry, place, event), sentence) in enumerate(zip(places, told, strict=True)):
        if number < unknown or not _is_worth_telling(event, viewer):
            continue
        yield LogLine(
            id=f"log-{entry.number}-{place}",
            number=entry.number,
            pieces=pieces(sentence),
            sum=_receipt(event.receipt, event.target) if isinstance(event, Played) else None,
            is_fresh=entry.number > mine > 0,
            is_heading=isinstance(event, RoundStarted | MatchWon),
            round_over=event.round if isinstance(event, PointWon) else 0,
        )


def _sentences(
    log: tuple[LogEntry, ...],
    names: Mapping[int, str],
    viewer: int | None,
    changes: Sequence[Change],
) -> Iterator[wording.Sentence]:
    """Return the log in words; what was done before a seat changed hands was somebody else's."""
    runs: dict[int, tuple[wording.Sentence, ...]] = {}
    place = 0
    for entry in log:
        later = [change for change in changes if change.version >= entry.number]
        # The first of them says who had the seat at this move.
        called = {**names, **{change.seat: change.former_name for change in reversed(later)}}
        you = None if any(change.seat == viewer for change in later) else viewer
        if len(later) not in runs:
            runs[len(later)] = wording.sentences(_events(log), called, you)
        for event in entry.events:
            sentence = runs[len(later)][place]
            if entry.by_clock and isinstance(event, Passed):
                sentence = wording.ran_out(event, called, you)
            yield sentence
            place += 1


def _from_a_round_cut_off(log: tuple[LogEntry, ...]) -> int:
    """Return how many events at the start of `log` end a round whose last play is not in it.

    What such a round was won with is not known, so the log begins with the round after it.
    """
    for number, event in enumerate(_events(log)):
        if isinstance(event, Played | RoundStarted):
            return 0
        if isinstance(event, PointWon):
            return number + 1
    return 0


def _is_by(entry: LogEntry, viewer: int | None) -> bool:
    # An entry's first event is the action itself.
    first = entry.events[0] if entry.events else None
    return viewer is not None and entry.number > 0 and getattr(first, "seat", None) == viewer


def _is_worth_telling(event: EventView, viewer: int | None) -> bool:
    # Everybody draws three on every turn: only one's own cards, and fewer than three, are news.
    if isinstance(event, CardsTaken):
        return event.seat == viewer or (not event.dealt and event.count < 3)
    return True


def _announcement(
    table: Table,
    names: Mapping[int, str],
    seen: int | None,
    headline: str,
    heard: int | None,
    there: str | None,
    wished: str | None,
) -> str:
    """Return what to say aloud: what happened since `seen`, then what is asked of the viewer.

    What is asked is said only where it may be another thing now.
    """
    if seen is None:
        return ""
    view = table.view
    told: list[str] = []
    sentences = _sentences(table.log, names, view.viewer, table.changes)
    for entry in table.log:
        for event in entry.events:
            sentence = next(sentences)
            if entry.number > seen and _is_worth_telling(event, view.viewer):
                told.append(str(sentence))
    told += news_of_people(table, there)
    if heard is not None:
        told += [_said(said, names, view.viewer) for said in table.said if said.number > heard]
    has_moved = any(entry.number > seen for entry in table.log)
    if not table.is_playing:
        if wished is None and not told:
            told.append(headline)
        note = _rematch_note(table, names)
        if note and (wished or "") != table.rematch_mark:
            told.append(note)
    elif has_moved or somebody_was_replaced(table, there):
        told.append(headline)
        if view.can_move and table.is_my_turn:
            told.append("Open the round" if view.target is None else f"Beat {view.target}")
            if view.incoming:
                told.append(f"Against you: {wording.challenge(view.incoming)}")
    return wording.spoken(told)


def _said(said: Said, names: Mapping[int, str], viewer: int | None) -> str:
    who = "You said" if said.seat == viewer else f"{names[said.seat]} says"
    return f"{who}: {said.text}"


# -- The rematch ---------------------------------------------------------------------------


def _rematch_key(table: Table) -> str | None:
    """Return the key of the rematch, for those who may go there."""
    you = table.you
    takes_part = you is not None and you.number in table.rematch_pressed
    return table.rematch_key if takes_part or table.practice else None


def _can_rematch(table: Table) -> bool:
    if table.is_spectator or _rematch_key(table) is not None:
        return False
    return table.rematch_key is None or table.rematch_waits


def _rematch_note(table: Table, names: Mapping[int, str]) -> str:
    """Say who wants to play again."""
    you = table.you
    others = [
        names[number] for number in table.rematch_pressed if you is None or number != you.number
    ]
    if not others or table.is_spectator:
        return ""
    if not table.rematch_waits:
        return "" if _rematch_key(table) else str(RematchBegunError())
    return f"{wording.listed(others)} would like to play again."
