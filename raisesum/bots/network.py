"""A small neural network: it makes a number of what it is told.

Two hidden layers, each a sum of what comes in, by weights that were learned, with what is below
zero cut to a hundredth.  It is small enough to need no library.
"""

import json
import struct
from base64 import b64decode, b64encode
from collections.abc import Iterable, Sequence
from functools import cache
from operator import mul
from pathlib import Path
from typing import Final, NamedTuple

FILE: Final = Path(__file__).with_name("networks.json")

#: How many numbers each hidden layer has.
FIRST: Final = 64
SECOND: Final = 32
#: What is left of a number below zero.
LEAK: Final = 0.01

#: What a network is told: places with the numbers there; all others are 0.
Told = Iterable[tuple[int, float]]


class Network:
    """The weights of one network.

    >>> network = Network([0.0] * Network.size(3, 2), outputs=2)
    >>> network.answer(network.begun([(0, 1.0)]), [(2, 0.5)])
    [0.0, 0.0]
    """

    @staticmethod
    def size(inputs: int, outputs: int) -> int:
        """Return how many weights a network has that makes `outputs` of `inputs` numbers."""
        return (inputs + 1) * FIRST + (FIRST + 1) * SECOND + (SECOND + 1) * outputs

    def __init__(self, weights: Sequence[float], outputs: int) -> None:
        """Take the weights: layer by layer, for each the rows of what comes in, then the offsets.

        Raises:
            ValueError: no network with so many outputs has so many weights.
        """
        inputs, rest = divmod(len(weights) - self.size(0, outputs), FIRST)
        if inputs < 1 or rest:
            raise ValueError(f"no network with {outputs} outputs has {len(weights)} weights")
        start = 0

        def take(count: int) -> tuple[float, ...]:
            nonlocal start
            start += count
            return tuple(weights[start - count : start])

        def by_sum(many: int, come_in: int) -> list[tuple[tuple[float, ...], float]]:
            # For each number of a layer, the weights of all that comes in, and the offset.
            rows = [take(many) for _ in range(come_in)]
            return list(zip(zip(*rows, strict=True), take(many), strict=True))

        self.inputs = inputs
        self._first = [take(FIRST) for _ in range(inputs)]
        self._first_offset = take(FIRST)
        self._second = by_sum(SECOND, FIRST)
        self._last = by_sum(outputs, SECOND)

    def begun(self, told: Told) -> tuple[float, ...]:
        """Return the sums of the first layer over what many questions have in common."""
        return self._added(self._first_offset, told)

    def answer(self, begun: tuple[float, ...], told: Told) -> list[float]:
        """Return what the network makes of `told`, on top of what was `begun` with."""
        layer = [x if x > 0 else LEAK * x for x in self._added(begun, told)]
        layer = [sum(map(mul, layer, weights), offset) for weights, offset in self._second]
        layer = [x if x > 0 else LEAK * x for x in layer]
        return [sum(map(mul, layer, weights), offset) for weights, offset in self._last]

    def _added(self, sums: tuple[float, ...], told: Told) -> tuple[float, ...]:
        rows = self._first
        for place, number in told:
            if number:
                sums = tuple([s + number * w for s, w in zip(sums, rows[place], strict=True)])
        return sums


class Networks(NamedTuple):
    """What was learned for a table of one size.

    Attributes:
        actor: says how much more a choice is to be liked than `sharp` likes it.
        critic: says how likely the match, and the round, is won after a choice, as log-odds.
    """

    actor: Network
    critic: Network


@cache
def networks_for(players: int) -> Networks:
    """Return the networks for a table of so many."""
    texts = json.loads(FILE.read_text(encoding="utf-8"))[str(players)]
    return Networks(
        Network(unpacked(texts["actor"]), outputs=1), Network(unpacked(texts["critic"]), outputs=2)
    )


def packed(weights: Sequence[float]) -> str:
    """Return weights as text: numbers of four bytes each, the lowest byte first.

    >>> packed([0.5, -2.0]), unpacked(packed([0.5, -2.0]))
    ('AAAAPwAAAMA=', (0.5, -2.0))
    """
    return b64encode(struct.pack(f"<{len(weights)}f", *weights)).decode("ascii")


def unpacked(text: str) -> tuple[float, ...]:
    """Return the weights that `packed` wrote."""
    data = b64decode(text, validate=True)
    return struct.unpack(f"<{len(data) // 4}f", data)
