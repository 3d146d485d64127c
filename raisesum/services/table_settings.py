"""What the host of a table decides before the match: read, checked and stored."""

from __future__ import annotations

from dataclasses import dataclass

from raisesum import wording
from raisesum.bots import LEVELS
from raisesum.engine import Setup, dump_setup, load_setup, parse_deck
from raisesum.models import Game
from raisesum.services import help as table_help
from raisesum.services import pace
from raisesum.services.help import USUAL_HELP, Help
from raisesum.services.refusals import RefusedError
from raisesum.services.seats import STAND_IN


@dataclass(frozen=True)
class TableSettings:
    """What a table has been set to.

    Attributes:
        seats: how many sit there, 2 to 4.
        deck: the cards, as records write it.
        goal: the points that win.
        first: the seat that opens, or None to have it drawn.
        pace_s: seconds for a turn, or None for all the time there is.
        is_public: whether the home page lists it while it waits.
        spectators: whether whoever has the link may watch.
        bot_level: what takes the seats that are still free at the start.
        help: how much the table works out for the players.
        deck_name: what a deck of one's own is called, or nothing.
    """

    seats: int = 4
    deck: str = "full"
    goal: int = 3
    first: int | None = None
    pace_s: int | None = None
    is_public: bool = False
    spectators: bool = False
    bot_level: str = STAND_IN
    help: Help = USUAL_HELP
    deck_name: str = ""

    def checked(self) -> Setup:
        """Return the setup of the match.

        Raises:
            RefusedError: a value is not possible.
        """
        if self.bot_level not in LEVELS:
            raise RefusedError("Choose a level for the bots.", "bot_level")
        if self.pace_s is not None and not pace.SHORTEST_S <= self.pace_s <= pace.LONGEST_S:
            raise RefusedError(
                f"A turn may take {pace.SHORTEST_S} seconds to {pace.LONGEST_S // 86400} days.",
                "seconds",
            )
        self.help.check()
        try:
            return Setup(self.seats, parse_deck(self.deck), self.goal, self.first)
        except ValueError as error:
            raise RefusedError(wording.ended(f"This table cannot be set: {error}")) from None


def store(game: Game, settings: TableSettings) -> None:
    """Write checked settings into a table's row; its seats are not touched."""
    game.setup = dump_setup(settings.checked())
    game.pace_s = settings.pace_s
    game.is_public = settings.is_public
    game.spectators = settings.spectators
    game.bot_level = settings.bot_level
    game.deck_name = settings.deck_name or None
    table_help.store(game, settings.help)


def read(game: Game) -> TableSettings:
    """Return what a table has been set to."""
    setup = load_setup(game.setup)
    return TableSettings(
        seats=setup.players,
        deck=setup.deck.text,
        goal=setup.goal,
        first=setup.first,
        pace_s=game.pace_s,
        is_public=game.is_public,
        spectators=game.spectators,
        bot_level=game.bot_level,
        help=table_help.read(game),
        deck_name=game.deck_name or "",
    )
