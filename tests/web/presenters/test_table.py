"""What the table's page is made of, in every state of a match."""

from dataclasses import replace

import pytest

from raisesum.engine import (
    NO_INCOMING,
    OFFICIAL_DECKS,
    Dealt,
    Drew,
    Event,
    Incoming,
    MatchWon,
    Passed,
    Phase,
    Played,
    PointWon,
    RoundStarted,
    Setup,
    StandingPlay,
    State,
    parse_cards,
    score,
    view_event,
    view_for,
)
from raisesum.services.help import HEAD, RESULT, Help
from raisesum.services.reactions import Said
from raisesum.services.table import GIVEN_UP, PLAYING, LogEntry, SeatPerson, Table
from raisesum.web.presenters.table import TablePage, present_hint, present_sum, present_table
from raisesum.wording import bare

HAND = parse_cards("+2 +4 +5 +8 x2 x3 -3 /3 0")
CHALLENGE = StandingPlay(1, parse_cards("+6 -2 /2"), 6, NO_INCOMING)
STATE = State(
    setup=Setup(players=3, deck=OFFICIAL_DECKS["full"], goal=3, first=1),
    seed=0,
    shuffles=1,
    phase=Phase.MOVE,
    round=3,
    turn=3,
    hands=(parse_cards("+3 +1"), parse_cards("+2 +5 0"), HAND),
    is_in=(True, False, True),
    points=(1, 0, 1),
    draw_pile=parse_cards("+1 +2"),
    discard_pile=parse_cards("+9 x3 +9"),
    standing=CHALLENGE,
    drawn=parse_cards("x3 /3 0"),
)
EVENTS: tuple[tuple[Event, ...], ...] = (
    (PointWon(3, 2, 1), RoundStarted(3, 3), Drew(3, parse_cards("+1 +2 +3"))),
    (Played(3, parse_cards("+1"), 1, NO_INCOMING, None), Drew(1, parse_cards("+6 -2 /2"))),
    (Played(1, CHALLENGE.cards, 6, NO_INCOMING, 1), Drew(2, parse_cards("0 +2"))),
    (Passed(2), Drew(3, parse_cards("x3 /3 0"))),
)


def table(
    state: State = STATE,
    viewer: int = 3,
    events: tuple[tuple[Event, ...], ...] = EVENTS,
    status: str = PLAYING,
    bots: tuple[int, ...] = (1, 2),
) -> Table:
    names = ("Quick Otter", "Steady", "Brave Heron")
    return Table(
        key="k",
        version=4,
        revision=5,
        status=status,
        view=view_for(state, viewer),
        people=tuple(
            SeatPerson(number, name, "steady" if number in bots else None, number == viewer)
            for number, name in enumerate(names, 1)
        ),
        log=tuple(
            LogEntry(number, 0, tuple(view_event(event, viewer) for event in entry))
            for number, entry in enumerate(events, 1)
        ),
        rematch_key=None,
    )


def over(winner: int) -> State:
    return replace(STATE, phase=Phase.OVER, turn=winner)


def lines(page: TablePage) -> list[str]:
    return ["".join(piece.text for piece in line.pieces) for line in page.log]


def test_the_title_starts_with_whose_turn_it_is() -> None:
    assert present_table(table()).headline == "Your turn"
    assert bare(present_table(table(replace(STATE, turn=1))).headline) == "Quick Otter is playing"


def test_each_seat_has_one_word_for_its_state() -> None:
    assert [seat.state for seat in present_table(table()).seats] == ["in", "passed", "your turn"]
    others = present_table(table(replace(STATE, turn=1))).seats
    assert [seat.state for seat in others] == ["their turn", "passed", "in"]
    ended = present_table(table(over(1), status="finished")).seats
    assert [seat.state for seat in ended] == ["won", "passed", "in"]


def test_the_number_that_tells_two_names_apart_is_never_cut_off() -> None:
    box = present_table(table()).seats[0]
    for name, parts in {
        "Ann 2": ("Ann", " 2"),
        "Agent 47 12": ("Agent 47", " 12"),
        "Ann": ("Ann", ""),
        "R2 D2": ("R2 D2", ""),
        "7": ("7", ""),
    }.items():
        named = replace(box, name=name)
        assert (named.name_start, named.name_end) == parts


def test_the_middle_tells_what_beats_the_target() -> None:
    middle = present_table(table()).middle
    assert (middle.target, middle.word, middle.note) == (6, "Beat", "7 or more")
    opening = present_table(table(replace(STATE, standing=None))).middle
    assert (opening.target, opening.word, opening.note) == (None, "Open", "any score will do")


def test_a_challenge_says_whom_it_hits() -> None:
    mine = present_table(table()).middle.challenge
    assert mine is not None
    assert (mine.label, mine.hits_you) == ("Against you", True)
    theirs = present_table(table(replace(STATE, turn=1))).middle.challenge
    assert theirs is not None
    assert (bare(theirs.label), theirs.hits_you) == ("Against Quick Otter", False)


def test_while_somebody_discards_the_challenge_is_already_the_next_ones() -> None:
    discarding = replace(STATE, phase=Phase.DISCARD)
    challenge = present_table(table(discarding)).middle.challenge
    assert challenge is not None
    assert bare(challenge.label) == "Against Quick Otter"


def test_nothing_challenges_whoever_wins_the_round_once_a_discard_is_chosen() -> None:
    passed = replace(STATE, phase=Phase.DISCARD, is_in=(True, False, False))
    middle = present_table(table(passed)).middle
    assert (middle.challenge, middle.word, middle.note) == (None, "Unbeaten", "")
    assert bare(middle.settled) == "Quick Otter wins the round when you have discarded"
    assert present_table(table(passed)).seats[2].state == "passed"
    theirs = present_table(table(passed, viewer=1)).middle
    assert bare(theirs.settled) == "You win the round when Brave Heron has discarded"


def test_whoever_passed_on_an_opening_opens_no_more_while_discarding() -> None:
    opening = replace(STATE, standing=None, phase=Phase.DISCARD, is_in=(True, True, False))
    assert bare(present_table(table(opening)).middle.heading) == "Quick Otter opens this round"
    alone = present_table(table(replace(opening, is_in=(True, False, False)))).middle
    assert bare(alone.heading) == "Quick Otter wins the round when you have discarded"
    assert (alone.word, alone.note) == ("Over", "nobody opened")


def test_the_standing_play_tells_what_it_answered_and_how_its_score_came_about() -> None:
    one = present_table(table()).middle.standing
    assert one is not None
    assert (bare(one.label), one.answered) == ("Quick Otter’s play", "beat 1")
    answered = StandingPlay(2, parse_cards("+5 +4 x3"), 10, Incoming((2,), (2,)))
    events = (*EVENTS, (Played(2, answered.cards, 10, answered.answered, 6),))
    more = present_table(table(replace(STATE, standing=answered), events=events)).middle.standing
    assert more is not None
    assert more.answered == "beat 6 against −2, ÷2"
    assert [str(chip) for chip in more.sum.chips][-1] == "down to 10"


def test_a_single_addition_is_its_own_sum() -> None:
    one = present_table(table()).middle.standing
    assert one is not None
    assert one.sum.chips == ()
    opened = StandingPlay(3, parse_cards("+1"), 1, NO_INCOMING)
    shown = present_table(table(replace(STATE, standing=opened), events=EVENTS[:2])).middle.standing
    assert shown is not None
    assert (shown.answered, shown.sum.chips) == ("opened the round", ())


def test_a_deck_without_red_and_yellow_says_nothing_of_challenges() -> None:
    blue = Setup(players=3, deck=OFFICIAL_DECKS["addition"], goal=3, first=1)
    assert present_table(table()).middle.can_challenge
    assert not present_table(table(replace(STATE, setup=blue))).middle.can_challenge


def test_a_won_round_stays_in_sight_until_the_next_play() -> None:
    events = (*EVENTS, (Passed(3), PointWon(1, 3, 2), RoundStarted(4, 1)))
    last = present_table(table(replace(STATE, standing=None, turn=1), events=events)).middle.last
    assert last is not None
    assert bare(last.label) == "Quick Otter won round 3 with 6"
    assert [face.label for face in last.cards] == ["+6", "−2", "÷2"]


def test_a_round_can_be_won_without_a_play() -> None:
    events = ((Passed(1),), (Passed(2), PointWon(3, 1, 1), RoundStarted(2, 3)))
    last = present_table(table(replace(STATE, standing=None), events=events)).middle.last
    assert last is not None
    assert (last.label, last.cards) == ("You won round 1", ())


def test_a_discard_says_how_many_cards_are_to_choose() -> None:
    hand = present_table(table(replace(STATE, phase=Phase.DISCARD))).hand
    assert (hand.mode, hand.to_discard, hand.title) == (
        "discard",
        2,
        "Discard 2: seven cards stay",
    )


@pytest.mark.parametrize(
    ("shown", "seconds"),
    [
        (table(), 2),
        (table(replace(STATE, turn=1)), 1),
        (table(replace(STATE, turn=1), bots=(2,)), 2),
        (table(over(1), status="finished"), None),
        (table(status=GIVEN_UP), None),
    ],
)
def test_polls_are_quick_while_bots_think_and_end_with_the_match(
    shown: Table, seconds: int | None
) -> None:
    assert present_table(shown).poll_seconds == seconds


def test_the_log_has_the_newest_first_and_marks_what_came_after_ones_own_move() -> None:
    page = present_table(table())
    assert lines(page) == [
        "You drew ×3, ÷3, 0",
        "Steady passed",
        "Steady drew 2 cards",
        "Quick Otter played +6, −2, ÷2 for 6",
        "You opened with +1 for 1",
        "You drew +1, +2, +3",
        "Round 3 begins: you open",
    ]
    assert [line.is_fresh for line in page.log] == [True] * 4 + [False] * 3


def test_a_log_that_is_cut_begins_with_a_round_rather_than_with_the_end_of_one() -> None:
    told = (Passed(2), PointWon(3, 2, 1), RoundStarted(3, 3))
    whole = ((RoundStarted(2, 1), Played(3, parse_cards("+9"), 9, NO_INCOMING, None)), told)
    assert lines(present_table(table(events=(told,)))) == ["Round 3 begins: you open"]
    assert "You won round 2 with 9" in lines(present_table(table(events=whole)))


def test_every_play_in_the_log_has_its_receipt() -> None:
    play = next(line for line in present_table(table()).log if line.sum)
    assert play.sum is not None
    assert [str(chip) for chip in play.sum.chips] == ["+6"]
    assert str(play.sum.verdict) == "6 beats 1"


def test_the_deal_of_others_is_no_news() -> None:
    events = ((Dealt(1, HAND), Dealt(3, HAND[:5]), RoundStarted(1, 3)),)
    assert lines(present_table(table(events=events))) == [
        "Round 1 begins: you open",
        "You were dealt +2, +4, +5, +8, ×2",
    ]


def test_what_happened_since_is_said_with_what_is_asked_now() -> None:
    assert bare(present_table(table(), seen=2).announcement) == (
        "Quick Otter played +6, −2, ÷2 for 6. Steady drew 2 cards. Steady passed. "
        "You drew ×3, ÷3, 0. Your turn. Beat 6. "
        "Against you: take away 2, then divide by 2 at the end."
    )


def test_only_what_has_changed_is_said() -> None:
    def said(before: str, now: str, **parts: object) -> str:
        people = tuple(
            replace(person, bot=None, left=mark == "l", stand_in=mark == "s")
            for person, mark in zip(table().people, now, strict=True)
        )
        there = replace(table(), people=people, presence_mark=now, **parts)
        return bare(present_table(there, seen=4, heard=1, there=before).announcement)

    # Whose turn it is has been said before.
    assert said("hhh", "hhh") == said("hhh", "qhh") == said("qhh", "hhh") == ""
    assert said("hhhh", "hhh") == said("ahh", "qhh") == ""
    assert said("qhh", "ahh") == "Quick Otter is away."
    assert said("ahh", "hah") == "Quick Otter is here again. Steady is away."
    spoken = (Said(1, 1, "Wow!"), Said(2, 2, "Ouch!"))
    assert said("hhh", "hhh", said=spoken) == "Steady says: Ouch!"
    # Who plays for somebody may change what the viewer is asked.
    asked = "Your turn. Beat 6. Against you: take away 2, then divide by 2 at the end."
    assert said("hhh", "lhh") == f"Quick Otter has left, and a stand-in plays. {asked}"
    assert said("hah", "hsh") == f"A stand-in plays for Steady. {asked}"
    assert said("shh", "hhh") == f"Quick Otter is back. {asked}"
    gone = "You were away. A stand-in plays for you. A stand-in is playing for your seat."
    assert said("hhh", "hhs") == gone


def test_a_refusal_that_the_sum_shows_is_not_shown_again() -> None:
    short = present_sum(score(parse_cards("+2")), 6)
    page = present_table(table(), checked=short, refusal=str(short.verdict))
    assert (page.notice, page.refusal) == ("", "2 does not beat 6. You need 7 or more.")
    assert page.sum == short
    longer = present_table(table(), checked=short, refusal=f"{short.verdict} +8 would do.")
    assert (longer.notice, str(longer.sum.verdict)) == ("", longer.refusal)
    assert page.sum_id == present_table(table()).sum_id
    assert page.sum.of == "+2"
    other = present_table(table(), refusal="The table has moved on.")
    assert other.notice == other.refusal


def test_the_hint_tells_when_no_card_can_help() -> None:
    assert present_hint(table()).hint == "Tick cards that come to 7 or more."
    poor = replace(STATE, hands=(*STATE.hands[:2], parse_cards("+2 x2 -3 +1")))
    hint = "Nothing you hold reaches 7. Pass and keep your cards."
    assert present_hint(table(poor)).hint == hint
    assert present_table(table(poor)).sum.hint == hint
    assert present_table(table(poor)).advises_pass
    assert not present_table(table()).advises_pass
    for level in (RESULT, HEAD):
        quiet = replace(table(poor), help=Help(level))
        assert not present_table(quiet).advises_pass
        assert present_table(quiet).sum == present_table(replace(table(), help=Help(level))).sum


def test_the_end_says_who_won_and_the_points() -> None:
    events = (*EVENTS, (Passed(1), PointWon(3, 3, 3), MatchWon(3)))
    state = replace(over(3), points=(1, 0, 3))
    ending = present_table(table(state, events=events, status="finished")).ending
    assert ending is not None
    assert (ending.title, ending.you_won) == ("You won the match", True)
    assert bare(ending.text) == "Points: You (3) · Quick Otter (1) · Steady (0)"


def test_a_match_given_up_has_no_winner() -> None:
    page = present_table(table(status=GIVEN_UP))
    assert page.ending is not None
    assert page.ending.title == "Match given up"
    assert (page.hand.mode, page.can_give_up, page.can_skip) == ("over", False, False)


def test_bots_are_skipped_and_matches_given_up_only_where_nobody_else_sits() -> None:
    alone = present_table(table(replace(STATE, turn=1)))
    assert (alone.can_skip, alone.can_give_up) == (True, True)
    together = present_table(table(replace(STATE, turn=1), bots=(1,)))
    assert (together.can_skip, together.can_give_up) == (False, False)


def test_a_sum_without_cards_is_a_hint() -> None:
    assert present_sum(None, 6).hint
    assert present_sum(score((), NO_INCOMING), 6).chips == ()
    shown = present_sum(score(parse_cards("+4 +5 x3"), Incoming((2,), (2,))), 6)
    assert str(shown.verdict) == "10 beats 6"


def test_states_that_differ_in_secrets_only_are_presented_alike() -> None:
    other = replace(
        STATE,
        hands=(parse_cards("0 0"), parse_cards("+9 +9 +9"), HAND),
        draw_pile=parse_cards("/3 0"),
        seed=99,
    )
    events = (*EVENTS[:2], (EVENTS[2][0], Drew(2, parse_cards("+9 +9"))), EVENTS[3])
    assert present_table(table(other, events=events), seen=0) == present_table(table(), seen=0)
