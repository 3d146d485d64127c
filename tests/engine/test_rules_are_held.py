"""The suite of rules sees each rule broken.

A copy of the engine is changed in one place and the tests of the rules run against it: each
change must make some of them fail, and leave others to pass, since a copy that does not even
start would prove nothing.  The unbroken copy must pass them all.
"""

import importlib
import importlib.util
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pytest

TESTS = Path(__file__).parent
ENGINE = TESTS.parents[1] / "raisesum" / "engine"
RULES = ("test_rules", "test_scoring", "test_legality")


@dataclass(frozen=True)
class Change:
    """In `module`, `old` becomes `new`."""

    module: str
    old: str
    new: str


#: How the engine finds who is next.
FOLLOWING = "following = min((seat for seat in still_in if seat > state.turn), default=still_in[0])"
#: Each rule broken, and what must be changed in the engine for that.
BROKEN = {
    # --- scores
    "a zero is ignored": [
        Change("scoring", "total * factor if zero else", "total * factor if False else"),
    ],
    "a second zero takes the first one back": [
        Change("scoring", "zero = True", "zero = not zero"),
    ],
    "rounding comes before multiplication": [
        Change(
            "scoring", "(total - less) * factor // divisor", "(total - less) // divisor * factor"
        ),
    ],
    "rounding goes up": [
        Change(
            "scoring",
            "(total - less) * factor // divisor",
            "-((less - total) * factor // divisor)",
        ),
    ],
    "subtraction comes after multiplication": [
        Change("scoring", "(total - less) * factor", "(total * factor - less)"),
    ],
    "a negative score stays negative": [
        Change("scoring", "return value if value > 0 else 0", "return value"),
    ],
    "own red cards lower the own score": [
        Change(
            "scoring",
            "        elif card.kind is Kind.ZERO:\n            zero = True",
            "        elif card.kind is Kind.ZERO:\n            zero = True\n"
            "        elif card.kind is Kind.SUBTRACT:\n            total -= card.number",
        ),
    ],
    "multiplications are added up": [
        Change("scoring", "factor *= card.number", "factor += card.number - 1"),
    ],
    "incoming divisions are added up": [
        Change("scoring", "return prod(self.divisions)", "return sum(self.divisions) or 1"),
    ],
    # --- what may be played
    "a tie is allowed": [
        Change("legality", "played <= target", "played < target"),
        Change("legality", ") > floor", ") >= floor"),
    ],
    "a tie is listed though it is refused": [
        Change("legality", ") > floor", ") >= floor"),
    ],
    "an opening must beat zero": [
        Change("legality", "if target is not None and played is not None", "target = target or 0\n"
               "        if played is not None"),
        Change("legality", "-1 if target is None else target", "target or 0"),
    ],
    "passing is refused on the opening turn": [
        Change(
            "legality",
            "    elif isinstance(action, Discard):",
            "    elif target is None and not isinstance(action, Play | Discard):\n"
            '        raise IllegalActionError(NO_CARDS, "Open the round.")\n'
            "    elif isinstance(action, Discard):",
        ),
    ],
    "six cards can be played": [Change("state", "PLAY_LIMIT: Final = 5", "PLAY_LIMIT: Final = 6")],
    "anyone may act": [Change("legality", "if seat != turn:", "if seat < 0:")],
    "more copies than held can be played": [
        Change(
            "legality",
            "Counter(cards) - Counter(hand)",
            "Counter(set(cards)) - Counter(hand)",
        ),
        Change("rules", "        rest.remove(card)", "        rest = rest and rest[1:]"),
    ],
    # --- the play on the table
    "the old standing play is not discarded": [
        Change(
            "rules",
            "discard_pile=state.discard_pile + _standing_cards(state),\n"
            "            standing=StandingPlay",
            "standing=StandingPlay",
        ),
    ],
    "challenges add up": [
        Change(
            "state",
            "        return Incoming.of(self.cards)",
            "        own = Incoming.of(self.cards)\n"
            "        return Incoming(\n"
            "            self.answered.subtractions + own.subtractions,\n"
            "            self.answered.divisions + own.divisions,\n"
            "        )",
        ),
    ],
    "a pass clears the challenge": [
        Change(
            "rules",
            "state = replace(state, is_in=is_in)",
            "quiet = tuple(c for c in _standing_cards(state) if c.kind.value in '+x0')\n"
            "        standing = state.standing and replace(state.standing, cards=quiet)\n"
            "        state = replace(state, is_in=is_in, standing=standing)",
        ),
    ],
    "a pass clears the target": [
        Change(
            "rules",
            "state = replace(state, is_in=is_in)",
            "state = replace(state, is_in=is_in, standing=None)",
        ),
    ],
    # --- drawing
    "there is no draw before a pass": [
        Change(
            "rules",
            "state = replace(state, is_in=is_in)",
            "kept = hand[: len(hand) - len(state.drawn)]\n"
            "        state = replace(state, is_in=is_in, hands=_with_hand(state, seat, kept))",
        ),
    ],
    "there is no draw after somebody's discard": [
        Change(
            "rules",
            "    if state.phase is Phase.DRAW:\n",
            "    if state.phase is Phase.DRAW and not isinstance(action, Play | Pass):\n"
            "        return Step(replace(state, phase=Phase.MOVE), events)\n"
            "    if state.phase is Phase.DRAW:\n",
        ),
    ],
    "two are drawn": [Change("state", "DRAW: Final = 3", "DRAW: Final = 2")],
    "the standing play is reshuffled": [
        Change("rules", "shuffle(discards)", "shuffle(discards + _standing_cards(state))"),
    ],
    "the discards are never shuffled": [Change("rules", "if not discards:", "if not pile:")],
    "the discards are shuffled before a card of them is needed": [
        Change("rules", "while len(drawn) < DRAW:", "while len(drawn) < DRAW or not pile:"),
        Change(
            "rules",
            "        drawn.append(pile.pop())",
            "        if len(drawn) < DRAW:\n            drawn.append(pile.pop())",
        ),
    ],
    "a short draw is an error": [
        Change("rules", "                break", '                raise ValueError("no cards")'),
    ],
    "a play is refilled": [
        Change(
            "rules",
            "hands=_with_hand(state, seat, _without(hand, action.cards)),\n"
            "            discard_pile=state.discard_pile + _standing_cards(state),",
            "hands=_with_hand(\n"
            "                state, seat, _without(hand, action.cards) + state.draw_pile[-1:]\n"
            "            ),\n"
            "            draw_pile=state.draw_pile[:-1],\n"
            "            discard_pile=state.discard_pile + _standing_cards(state),",
        ),
    ],
    # --- discarding
    "one discards down to six": [Change("state", "HAND_LIMIT: Final = 7", "HAND_LIMIT: Final = 6")],
    "the point comes before the discard": [
        Change(
            "rules",
            "if len(state.hand(seat)) > HAND_LIMIT:",
            "if len(state.hand(seat)) > HAND_LIMIT and sum(state.is_in) > 1:",
        ),
    ],
    "only who played must discard": [
        Change(
            "rules",
            "if len(state.hand(seat)) > HAND_LIMIT:",
            "if len(state.hand(seat)) > HAND_LIMIT and not isinstance(action, Pass):",
        ),
    ],
    # --- turns, rounds and the end
    "players who are out are not skipped": [
        Change(
            "rules",
            FOLLOWING,
            "following = state.turn % state.setup.players + 1",
        ),
    ],
    "turns go the other way round": [
        Change(
            "rules",
            FOLLOWING,
            "following = max((s for s in still_in if s < state.turn), default=still_in[-1])",
        ),
    ],
    "the point goes to who made the standing play": [
        Change(
            "rules",
            "return _end_round(state, still_in[0])",
            "return _end_round(state, state.standing.seat if state.standing else still_in[0])",
        ),
    ],
    "a round that nobody opened goes on": [
        Change("rules", "if len(still_in) == 1:", "if len(still_in) == 1 and state.standing:"),
    ],
    "the match goes on at the goal": [
        Change("rules", "if points == state.setup.goal:", "if points > state.setup.goal:"),
    ],
    "the next player opens the new round": [
        Change(
            "rules",
            "return Step(_with_turn(state, winner),",
            "return Step(_with_turn(state, winner % state.setup.players + 1),",
        ),
    ],
    "who is out stays out": [
        Change("rules", "round=state.round + 1,\n        is_in=(True,) * state.setup.players,",
               "round=state.round + 1,"),
    ],
    "hands are dealt anew for each round": [
        Change(
            "rules",
            "round=state.round + 1,",
            "round=state.round + 1,\n"
            "        hands=tuple(state.draw_pile[-5:] for _ in state.hands),",
        ),
    ],
    "the standing play stays for the new round": [
        Change(
            "rules",
            "discard_pile=state.discard_pile + _standing_cards(state),\n        standing=None,",
            "",
        ),
    ],
}  # fmt: skip


def copied(folder: Path, changes: list[Change]) -> Path:
    """Make a copy of the engine, changed, in a package `raisesum` that has nothing else."""
    engine = folder / "raisesum" / "engine"
    shutil.copytree(ENGINE, engine)
    (folder / "raisesum" / "__init__.py").touch()
    for change in changes:
        path = engine / f"{change.module}.py"
        source = path.read_text(encoding="utf-8")
        places = source.count(change.old)
        assert places == 1, f"{change.old!r} stands {places} times in {change.module}.py, not once"
        path.write_text(source.replace(change.old, change.new), encoding="utf-8")
    return folder


@contextmanager
def imported_from(folder: Path) -> Iterator[None]:
    """Let `raisesum`, and the tests' own helpers, be imported anew and from `folder`."""

    def ours() -> dict[str, ModuleType]:
        roots = ("raisesum", "tests")
        return {name: sys.modules[name] for name in sys.modules if name.split(".")[0] in roots}

    before = ours()
    for name in before:
        del sys.modules[name]
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        for name in ours():
            del sys.modules[name]
        sys.modules.update(before)


def loaded(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"held_{name}", TESTS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def cases(function: Callable[..., None]) -> list[dict[str, object]]:
    """Return the arguments of each case that the marks of a test make."""
    found: list[dict[str, object]] = [{}]
    for mark in getattr(function, "pytestmark", ()):
        assert mark.name == "parametrize"
        names, values = mark.args
        names = (names,) if isinstance(names, str) else names
        found = [
            {**case, **dict(zip(names, value if len(names) > 1 else (value,), strict=True))}
            for case in found
            for value in values
        ]
    return found


def outcome(test: Callable[..., None], arguments: dict[str, object]) -> str:
    try:
        test(**arguments)
    except (Exception, pytest.fail.Exception):  # noqa: BLE001 - whatever it was, it is seen
        return "failed"
    return "passed"


def run_rules(folder: Path) -> Counter[str]:
    """Run the tests of the rules against the engine in `folder`; count what passed and failed."""
    with imported_from(folder):
        engine = importlib.import_module("raisesum.engine")
        assert Path(engine.__file__).is_relative_to(folder)
        return Counter(
            outcome(test, arguments)
            for module in map(loaded, RULES)
            for name, test in vars(module).items()
            if name.startswith("test_")
            for arguments in cases(test)
        )


def test_the_rules_hold_in_a_copy_that_is_not_changed(tmp_path):
    counts = run_rules(copied(tmp_path, []))
    assert counts["failed"] == 0
    assert counts["passed"] > 200


def test_breaking_the_rules_leaves_the_engine_of_all_other_tests_alone(tmp_path):
    before = dict(sys.modules)
    run_rules(copied(tmp_path, BROKEN["a tie is allowed"]))
    assert {name: module for name, module in sys.modules.items() if name in before} == before


@pytest.mark.parametrize(
    "changes", BROKEN.values(), ids=[name.replace(" ", "-") for name in BROKEN]
)
def test_a_broken_rule_is_seen(changes, tmp_path):
    counts = run_rules(copied(tmp_path, changes))
    assert counts["failed"] > 0
    assert counts["passed"] > counts["failed"]
