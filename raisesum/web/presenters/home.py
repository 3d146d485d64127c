"""The home page: one's own tables, and the table that shows what the game is."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from raisesum import wording
from raisesum.services.examples import showcase
from raisesum.services.lobby import TableSummary
from raisesum.web.presenters.table import TablePage, present_sum, present_table


@dataclass(frozen=True, slots=True)
class TableRow:
    """One of the viewer's tables in a list; `state` says whose turn it is, or how it ended.

    A match that somebody has won has a replay. One against bots can be put away while it goes on.
    """

    key: str
    title: str
    state: str
    detail: str
    is_my_turn: bool
    is_over: bool
    has_replay: bool
    can_put_away: bool


@cache
def present_showcase() -> TablePage:
    """Return the table that the home page shows."""
    shown = showcase()
    return present_table(
        shown.table,
        ticked=[card.name for card in shown.ticked],
        checked=present_sum(shown.receipt, shown.table.view.target),
    )


def present_tables(tables: Iterable[TableSummary]) -> tuple[TableRow, ...]:
    """Return `tables` as rows of a list: those that wait for the viewer come first."""
    return tuple(sorted(map(_row, tables), key=lambda row: not row.is_my_turn))


def _row(table: TableSummary) -> TableRow:
    view = table.view
    names = {person.number: wording.isolated(person.name) for person in table.people}
    others = [names[person.number] for person in table.people if not person.is_you]
    mine = next((seat.points for seat in view.seats if seat.number == view.viewer), 0)
    others_are_people = any(not person.is_you and person.bot is None for person in table.people)
    is_over = table.status != "playing"
    if is_over and view.winner is None:
        state = "Given up"
    elif is_over:
        state = "You won" if view.winner == view.viewer else f"{names[view.turn]} won"
    else:
        state = _whose_turn(table, names)
    deck = wording.deck_name(view.setup.deck.name)
    points = f"{mine} of {wording.count(view.setup.goal, 'point')}"
    return TableRow(
        key=table.key,
        title=f"{'With' if others_are_people else 'Against'} {wording.listed(others)}",
        state=state,
        detail=f"Round {view.round} · you {'had' if is_over else 'have'} {points} · {deck}",
        is_my_turn=table.is_my_turn,
        is_over=is_over,
        has_replay=is_over,
        can_put_away=not is_over and table.is_practice,
    )


def _whose_turn(table: TableSummary, names: Mapping[int, str]) -> str:
    if table.is_my_turn:
        return "Your turn"
    if table.nobody_plays:
        return "Everyone has gone: the match waits"
    if table.you.plays_itself:
        return "You left: a stand-in plays" if table.you.left else "A stand-in plays for you"
    if table.others_are_away:
        return f"The match waits for {names[table.view.turn]}"
    return f"{names[table.view.turn]} is playing"
