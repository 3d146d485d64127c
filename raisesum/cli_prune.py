"""The command that clears away old unfinished matches."""

from __future__ import annotations

import re

import click
from flask import current_app
from flask.cli import with_appcontext

from raisesum.services import pruning

_UNITS_MS = {"h": 3_600_000, "d": 86_400_000, "w": 7 * 86_400_000}


@click.command()
@click.option(
    "--older-than",
    metavar="AGE",
    help="Such as 30d, 12h or 8w since the last move. Default: what KEEP_DAYS says.",
)
@with_appcontext
def prune(older_than: str | None) -> None:
    """Delete unfinished matches that nobody has touched for long.

    Nothing else ever does, save that matches against bots go with the account of their player.
    Finished matches stay.
    """
    days: int = current_app.config["KEEP_DAYS"]
    deleted = pruning.prune(age_ms(older_than or f"{days}d"))
    click.echo(f"{deleted} unfinished {'match' if deleted == 1 else 'matches'} deleted.")


def age_ms(text: str) -> int:
    """Return the milliseconds in an age such as `30d`.

    >>> age_ms("12h")
    43200000
    """
    found = re.fullmatch(r"([0-9]{1,5})([hdw])", text.strip())
    if found is None:
        raise click.BadParameter(
            "write a number and h, d or w, such as 30d", param_hint="--older-than"
        )
    return int(found[1]) * _UNITS_MS[found[2]]
