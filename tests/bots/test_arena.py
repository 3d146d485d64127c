"""The arena is fair, gives the same figures every time, and counts what it should."""

import pytest

from raisesum.bots import arena, level_named
from raisesum.bots.arena import Contest, Share, find_bot, play_contest, share
from raisesum.engine import OFFICIAL_DECKS, Pass, parse_deck

FULL = OFFICIAL_DECKS["full"]


def contest(*bots, players=2, deck=FULL, goal=2, deals=6, seed=3):
    return Contest(bots, players, deck, goal, deals, seed)


def passes(view, rng):
    """A bot of this module's own, for being named."""
    return level_named("steady").choose(view, rng) if view.to_discard else Pass()


def breaks(view, rng):
    raise RuntimeError("no idea")


def figures(result):
    """What does not depend on how fast the machine is."""
    return [
        (each.bot, each.seats, each.matches, each.rounds, each.turns, each.fallbacks)
        for each in result.standings
    ]


@pytest.mark.parametrize("bot", ["steady", "easy"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_bot_against_itself_comes_out_exactly_even(bot, players):
    result = play_contest(contest(*[bot] * players, players=players, deals=4), jobs=1)
    even = Share(1 / players, 1 / players, 1 / players)
    assert [each.matches for each in result.standings] == [even] * players
    assert len({each.turns for each in result.standings}) == 1


def test_each_deal_is_played_once_for_every_rotation():
    result = play_contest(contest("steady", "easy", players=3, deals=5), jobs=1)
    assert result.matches == 15
    assert sum(each.matches.value for each in result.standings) == pytest.approx(1)
    assert sum(each.rounds.value for each in result.standings) == pytest.approx(1)


def test_every_bot_has_every_seat_once():
    sittings = [contest("sharp", "steady", "easy", players=4).sitting(r) for r in range(4)]
    assert all(sorted(sitting) == [0, 1, 2, 2] for sitting in sittings)
    assert [sorted(column) for column in zip(*sittings, strict=True)] == [[0, 1, 2, 2]] * 4


def test_the_last_bot_fills_the_seats():
    result = play_contest(contest("easy", "steady", players=4, deals=2), jobs=1)
    assert [each.seats for each in result.standings] == [1, 3]


def test_several_processes_find_what_one_finds():
    played = contest("steady", "easy", deals=9)
    assert figures(play_contest(played, jobs=3)) == figures(play_contest(played, jobs=1))


def test_another_seed_gives_other_deals():
    one, other = (play_contest(contest("steady", "easy", seed=s), jobs=1) for s in (1, 2))
    assert figures(one) != figures(other)


def test_progress_tells_of_every_deal_once():
    told = []
    play_contest(contest("steady", "easy", deals=7), jobs=2, progress=told.append)
    assert sum(told) == 7


def test_anyones_function_can_play():
    result = play_contest(contest("steady", f"{__name__}:passes"), jobs=1)
    assert result.standings[0].matches.value == 1
    assert result.standings[1].fallbacks == 0


def test_fallbacks_are_counted():
    result = play_contest(contest(f"{__name__}:breaks", "steady", deals=2), jobs=1)
    broken, steady = result.standings
    assert broken.fallbacks >= broken.turns * result.matches > 0
    assert steady.fallbacks == 0
    assert broken.matches.value == 0.5


def test_a_custom_deck_is_played():
    deck = parse_deck("custom +1*20 +2*10 x9*3")
    assert play_contest(contest("steady", "easy", deck=deck, deals=2), jobs=1).matches == 4


@pytest.mark.parametrize("name", ["", "nobody", "nowhere:choose", f"{__name__}:nothing", ":"])
def test_a_bot_that_is_not_there_is_refused(name):
    with pytest.raises(ValueError):  # noqa: PT011 - the messages are Python's own
        find_bot(name)


@pytest.mark.parametrize(
    "changes",
    [
        {"players": 5},
        {"players": 1},
        {"deals": 0},
        {"goal": 10},
        {"players": 3, "deck": parse_deck("custom +1*20")},
    ],
    ids=str,
)
def test_a_contest_that_is_none_is_refused(changes):
    with pytest.raises(ValueError):  # noqa: PT011 - the messages are the setup's
        contest("steady", **changes)


def test_more_bots_than_seats_are_refused():
    with pytest.raises(ValueError, match="2 seats"):
        contest("easy", "steady", "easy")


def test_the_interval_is_clustered_by_deal():
    even = share([1, 1, 1, 1], [2] * 4)
    assert (even.low, even.high) == (0.5, 0.5)
    wide, narrow = share([2, 0] * 4, [2] * 8), share([2, 0, 1, 1] * 2, [2] * 8)
    assert wide.high - wide.low > narrow.high - narrow.low


def test_one_deal_says_nothing_about_the_others():
    assert share([1], [2]) == Share(0.5, 0.0, 1.0)


def test_shares_of_rounds_weigh_deals_by_their_rounds():
    assert share([3, 1], [3, 5]).value == 0.5


def test_times_are_of_moves_not_of_discards():
    played = contest("steady", "easy", deals=1)
    tallies = arena._play_deal(played, [find_bot(name) for name in played.bots], 0)
    for tally, seconds in zip(tallies.tallies, tallies.seconds, strict=True):
        assert len(seconds) == tally.turns
