from random import Random

import pytest

from raisesum.bots.network import FIRST, LEAK, SECOND, Network, networks_for, packed, unpacked
from raisesum.bots.sight import INPUTS


def test_a_network_sums_cuts_and_sums_again():
    inputs = 2
    first = [[0.0] * FIRST for _ in range(inputs)]
    first[0][3], first[1][3], first[1][5] = 2.0, 1.0, -1.0
    second = [[0.0] * SECOND for _ in range(FIRST)]
    second[3][7], second[5][7] = 1.0, 10.0
    last = [[0.0] for _ in range(SECOND)]
    last[7][0] = 3.0
    rows = [*first, [0.5] * FIRST, *second, [0.0] * SECOND, *last, [0.25]]
    network = Network([weight for row in rows for weight in row], outputs=1)
    assert network.inputs == inputs
    # The first layer has 2 + 1.5 + 0.5 at one place, and 0.5 - 1.5 cut at another.
    seven = 4.0 - 10 * LEAK
    told = [(0, 1.0), (1, 1.5)]
    expected = pytest.approx([3 * seven + 0.25])
    assert network.answer(network.begun(()), told) == expected
    assert network.answer(network.begun(told[:1]), told[1:]) == expected
    assert network.answer(network.begun(told), ()) == expected


@pytest.mark.parametrize("wrong", [-1, 1, 63])
def test_too_many_or_too_few_weights_make_no_network(wrong):
    size = Network.size(3, 2)
    assert Network([0.0] * size, outputs=2).inputs == 3
    with pytest.raises(ValueError, match=f"no network with 2 outputs has {size + wrong} weights"):
        Network([0.0] * (size + wrong), outputs=2)


def test_what_is_packed_can_be_unpacked():
    rng = Random(1)
    weights = tuple(rng.gauss(0, 2) for _ in range(100))
    assert unpacked(packed(weights)) == pytest.approx(weights, rel=1e-6)
    with pytest.raises(ValueError, match="Only base64 data"):
        unpacked("not weights")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_there_are_networks_for_every_number_of_players(players):
    actor, critic = networks_for(players)
    assert actor.inputs == critic.inputs == INPUTS
    for network, outputs in ((actor, 1), (critic, 2)):
        assert len(network.answer(network.begun(()), [(0, 1.0)])) == outputs


def test_a_win_is_likelier_with_more_points():
    critic = networks_for(2).critic
    to_go = 56  # of the viewer: one point, two, or three
    wins = [critic.answer(critic.begun([(to_go + left, 1.0)]), ())[0] for left in range(3)]
    assert wins[0] > wins[1] > wins[2]
