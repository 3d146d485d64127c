"""The arena as a command."""

import json
import os
import pty
import re
import subprocess
import sys

import pytest
from click.testing import CliRunner

from raisesum.cli_bots import bots
from tests.servers import ROOT, clean_environment


def arena(*arguments):
    return CliRunner().invoke(bots, ["arena", *arguments])


def lines_of(*arguments):
    result = arena(*arguments)
    assert result.exit_code == 0, result.output
    return result.output.splitlines()


def test_a_line_says_what_was_played_and_one_follows_for_each_bot():
    about, head, *bots_lines = lines_of("steady", "easy", "--deals", "3", "--seed", "7")
    assert about.startswith("3 deals, 2 players, deck full, goal 3, seed 7: 6 matches, ")
    assert head.split()[0] == "bot"
    assert [line.split()[0] for line in bots_lines] == ["steady", "easy"]
    assert all(re.search(r"\d+\.\d% \(\d+\.\d% - \d+\.\d%\)", line) for line in bots_lines)


def test_the_numbers_are_written_to_a_file_when_asked_for(tmp_path):
    file = tmp_path / "numbers.json"
    lines_of("steady", "easy", "--deals", "2", "--players", "3", "--json", str(file))
    numbers = json.loads(file.read_text())
    assert numbers["contest"] == {
        "bots": ["steady", "easy"],
        "players": 3,
        "deck": "full",
        "goal": 3,
        "deals": 2,
        "seed": 1,
    }
    assert numbers["matches"] == 6
    steady, easy = numbers["standings"]
    assert (steady["seats"], easy["seats"]) == (1, 2)
    assert steady["matches"]["value"] + easy["matches"]["value"] == pytest.approx(1)
    assert steady["fallbacks"] == 0


def test_a_deck_is_named_as_records_do():
    (about, *_) = lines_of("easy", "--deals", "1", "--deck", "custom +1*20 x2*3")
    assert "deck custom +1*20 x2*3," in about


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([], "BOT"),
        (["nobody"], "no bot level 'nobody'"),
        (["nowhere:choose"], "nowhere:choose is no bot"),
        (["easy", "easy", "easy"], "2 seats cannot be shared by 3 bots"),
        (["easy", "--deck", "half"], "a deck is"),
        (["easy", "--players", "5"], "--players"),
        (["easy", "--deals", "0"], "--deals"),
        (["easy", "--players", "4", "--deck", "custom +1*20"], "at least 32 cards"),
    ],
)
def test_what_cannot_be_played_is_refused_in_words(arguments, complaint):
    result = arena(*arguments)
    assert result.exit_code == 2
    assert complaint in result.output


def program(*arguments):
    return [sys.executable, "-m", "flask", "--app", "app", "bots", "arena", *arguments]


def test_the_output_of_the_program_is_figures_and_nothing_else():
    run = subprocess.run(
        program("steady", "easy", "--deals", "4", "--jobs", "2"),
        cwd=ROOT,
        env=clean_environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert len(run.stdout.splitlines()) == 4
    assert run.stderr == ""


def test_on_a_terminal_a_bar_shows_how_far_it_is():
    ours, theirs = pty.openpty()
    run = subprocess.run(
        program("steady", "easy", "--deals", "4", "--jobs", "2"),
        cwd=ROOT,
        env=clean_environment() | {"TERM": "xterm"},
        stdout=subprocess.PIPE,
        stderr=theirs,
        check=True,
    )
    os.close(theirs)
    shown = os.read(ours, 100_000).decode()
    os.close(ours)
    assert "Deals" in shown
    assert "100%" in shown
    assert b"Deals" not in run.stdout


FIRST_BOT = '''
from raisesum.engine import Discard, Pass, Play


def choose(view, rng):
    """Play the shortest way to beat the target; keep the highest numbers."""
    if view.to_discard:
        hand = sorted(view.hand, key=lambda card: card.number)
        return Discard(tuple(hand[: view.to_discard]))
    if not view.legal_plays:
        return Pass()
    play = min(view.legal_plays, key=lambda play: (len(play.cards), play.score))
    return Play(play.cards)
'''


def test_a_bot_from_a_file_in_the_folder_can_play(tmp_path):
    (tmp_path / "mybot.py").write_text(FIRST_BOT)
    run = subprocess.run(
        program("mybot:choose", "easy", "--deals", "3", "--jobs", "2"),
        cwd=ROOT,
        env=clean_environment() | {"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    line = run.stdout.splitlines()[2]
    assert line.split()[0] == "mybot:choose"
    assert line.split()[-3] == "0"


def test_the_bot_in_the_documentation_is_the_one_tested_here():
    assert FIRST_BOT.strip() in (ROOT / "docs" / "bots.md").read_text()
    assert len(FIRST_BOT.strip().splitlines()) <= 20
