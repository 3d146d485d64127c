"""Help at the table: what is told before a play, at each level; guesses and hints."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from raisesum import wording
from raisesum.bots.advice import advised_play
from raisesum.engine import IllegalActionError, Incoming, Pass, Play, parse_cards, score
from raisesum.engine.legality import DOES_NOT_BEAT, NO_CARDS
from raisesum.extensions import db
from raisesum.services import help as table_help
from raisesum.services import lobby, play, rematch
from raisesum.services.help import (
    FULL,
    HEAD,
    LEVELS,
    RESULT,
    GuessNeededError,
    Help,
    NoHintError,
    Tells,
    hint,
    nothing_beats,
    pass_question,
    refusal,
)
from raisesum.services.lesson import STEPS, begin
from raisesum.services.refusals import RefusedError
from raisesum.services.table import table_for
from tests.services.tables import guest, next_action, stored

TOO_LOW = IllegalActionError(DOES_NOT_BEAT, "3 does not beat 6. You need 7 or more.")
BEAT = begin(STEPS[0]).view
CANNOT = begin(next(step for step in STEPS if step.slug == "pass")).view
OPENING = begin(next(step for step in STEPS if step.slug == "set")).view

HINTED = Help(FULL, hints=True).tells(alone=True)
#: Every table that names no card: there are others, or hints are not wanted.
SILENT = [
    pytest.param(Help(level.name, hints).tells(alone=alone), id=f"{level.name}-{alone}-{hints}")
    for level in LEVELS
    for alone, hints in ((True, False), (False, True), (False, False))
]


def test_a_refusal_says_what_would_do_where_there_are_hints() -> None:
    told = refusal(TOO_LOW, BEAT, HINTED)
    assert told.startswith("3 does not beat 6. You need 7 or more. ")
    would_do = re.search(r"more\. (.*) would do\.", told)
    assert would_do is not None
    assert score(parse_cards(would_do[1].replace(",", ""))).score > 6


@pytest.mark.parametrize("tells", SILENT)
def test_where_there_are_no_hints_nothing_names_a_card(tells: Tells) -> None:
    assert not tells.plays
    assert refusal(TOO_LOW, BEAT, tells) == str(TOO_LOW)
    for step in (1, 2, 3):
        with pytest.raises(NoHintError):
            hint(BEAT, tells, step)


@pytest.mark.parametrize("alone", [True, False])
def test_full_help_without_hints_tells_that_there_is_no_play_and_names_none(alone: bool) -> None:
    tells = Help(FULL).tells(alone=alone)
    assert nothing_beats(CANNOT, tells).startswith("Nothing you hold reaches 24.")
    assert nothing_beats(BEAT, tells) == ""
    assert pass_question(CANNOT, tells) == ""
    assert pass_question(BEAT, tells) == "You hold a play that beats 6. Pass anyway?"


@pytest.mark.parametrize("level", [RESULT, HEAD])
def test_less_help_tells_nobody_whether_there_is_a_play_unasked(level: str) -> None:
    for alone in (True, False):
        tells = Help(level, hints=True).tells(alone=alone)
        assert not tells.whether
        assert pass_question(CANNOT, tells) == pass_question(BEAT, tells) != ""


def test_advice_to_pass_tells_of_the_discard_that_follows() -> None:
    more = replace(CANNOT, hand=parse_cards("+1 +1 +1 +2 +2 +3 +3 +4 +4"))
    few = replace(CANNOT, hand=parse_cards("+1 +1 +1 +2 +2 +3 +3"))
    for view, advice in (
        (CANNOT, "Pass and discard 1: you keep seven cards."),
        (more, "Pass and discard 2: you keep seven cards."),
        (few, "Pass and keep your cards."),
    ):
        assert nothing_beats(view, HINTED) == f"Nothing you hold reaches 24. {advice}"
        assert refusal(TOO_LOW, view, HINTED) == f"{TOO_LOW} Nothing in your hand does. {advice}"
        assert hint(view, HINTED, 1) == f"Nothing in your hand beats 23. {advice}"


def test_other_refusals_stay_as_they_are() -> None:
    error = IllegalActionError(NO_CARDS, "Choose one to 5 cards to play.")
    assert refusal(error, BEAT, HINTED) == str(error)


def test_each_hint_says_more_than_the_one_before_about_the_play_to_advise() -> None:
    for view, can in ((BEAT, "You can beat 6"), (OPENING, "You can open")):
        play = advised_play(view)
        assert play is not None
        told = [hint(view, HINTED, step) for step in (1, 2, 3)]
        assert told[0] == f"{can}."
        assert told[1] == f"{can} with {wording.count(len(play.cards), 'card')}."
        assert told[2] == f"{can}: {wording.card_labels(play.cards)} makes {play.score}."


def test_where_one_adds_in_ones_head_a_hint_names_the_cards_and_not_their_score() -> None:
    told = hint(BEAT, Help(HEAD, hints=True).tells(alone=True), 3)
    assert re.fullmatch(r"You can beat 6 with \+\d(, \+\d)*\.", told)


@pytest.mark.parametrize("step", [0, 4])
def test_there_is_no_other_hint(step: int) -> None:
    with pytest.raises(NoHintError):
        hint(BEAT, HINTED, step)


@pytest.mark.usefixtures("app_context")
class TestAtATable:
    def start(self, level: str = FULL, **settings: object) -> tuple[int, str]:
        user_id = guest()
        return user_id, lobby.start_practice(
            user_id, ("steady",), first=1, goal=9, help_=Help(level), bot_delay_ms=0, **settings
        )

    def test_the_level_is_stored_and_goes_on_in_a_rematch(self) -> None:
        user_id, key = self.start(HEAD, deck="custom +1*20 +2*20", deck_name="Class 4b")
        assert table_for(user_id, key).help == Help(HEAD)
        assert table_for(user_id, key).deck_name == "Class 4b"
        play.give_up(user_id, key)
        again = table_for(user_id, rematch.press(user_id, key, 0))
        assert (again.help, again.deck_name) == (Help(HEAD), "Class 4b")

    def test_there_are_no_levels_but_those(self) -> None:
        with pytest.raises(RefusedError):
            self.start("none")
        assert [level.name for level in LEVELS] == [FULL, RESULT, HEAD]

    def test_a_play_without_a_guess_is_not_made_where_one_is_wanted(self) -> None:
        user_id, key = self.start(HEAD)
        with pytest.raises(GuessNeededError):
            play.submit(user_id, key, 0, next_action(user_id, key), 0)
        assert stored(key).version == 0
        play.submit(user_id, key, 0, Pass(), 0)
        assert stored(key).version == 1

    def test_guesses_are_counted_and_the_play_counts_by_its_true_score(self) -> None:
        user_id, key = self.start(HEAD)
        card = table_for(user_id, key).view.hand[:1]
        true = score(card, Incoming()).score
        play.submit(user_id, key, 0, Play(card), 0, guess=true + 1)
        table = table_for(user_id, key)
        assert table.view.target == true
        assert (table.guesses.right, table.guesses.made) == (0, 1)
        assert (table.guesses.said, table.guesses.score) == (true + 1, true)
        # The same form sent twice counts once.
        play.submit(user_id, key, 0, Play(card), 0, guess=true + 1)
        assert table_for(user_id, key).guesses.made == 1

    def test_a_play_that_is_refused_counts_no_guess(self) -> None:
        user_id, key = self.start(HEAD)
        with pytest.raises(IllegalActionError):
            play.submit(user_id, key, 0, Play(()), 0, guess=1)
        assert table_for(user_id, key).guesses == table_help.NO_GUESSES

    def test_guesses_are_for_oneself(self) -> None:
        user_id, key = self.start(HEAD)
        card = table_for(user_id, key).view.hand[:1]
        play.submit(user_id, key, 0, Play(card), 0, guess=1)
        assert table_help.guesses_of(db.session(), stored(key).id, 2) == table_help.NO_GUESSES

    def test_elsewhere_no_guess_is_kept(self) -> None:
        user_id, key = self.start(FULL)
        play.submit(user_id, key, 0, next_action(user_id, key), 0, guess=7)
        assert table_for(user_id, key).guesses == table_help.NO_GUESSES
