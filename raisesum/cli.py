"""The program's own commands, beside those of Flask: `flask --app app COMMAND`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import click
from flask import Flask, current_app
from flask.cli import with_appcontext

from raisesum import config, safety, serving
from raisesum.cli_bots import bots
from raisesum.cli_operator import COMMANDS
from raisesum.cli_prune import prune
from raisesum.cli_record import record
from raisesum.web import counters
from raisesum.web.operations import METRICS_FOLDER


def init_app(app: Flask) -> None:
    """Give `app` its commands."""
    app.cli.add_command(serve)
    app.cli.add_command(record)
    app.cli.add_command(prune)
    app.cli.add_command(bots)
    for command in COMMANDS:
        app.cli.add_command(command)


@click.command()
@click.option(
    "--host", envvar=["RAISESUM_HOST", "HOST"], default=serving.DEFAULT_HOST, show_default=True
)
@click.option(
    "--port",
    envvar="PORT",
    type=click.IntRange(1, 65535),
    default=serving.DEFAULT_PORT,
    show_default=True,
)
@click.option(
    "--workers",
    envvar="WORKERS",
    type=click.IntRange(1, 64),
    default=serving.DEFAULT_WORKERS,
    show_default=True,
    help="Processes that answer requests.",
)
@with_appcontext
def serve(host: str, port: int, workers: int) -> None:
    """Apply migrations, then serve until Ctrl-C.

    HOST, PORT and WORKERS in the environment say the same as the options.
    """
    try:
        address = serving.free_address(host, port)
        serving.migrate_database(current_app)
    except serving.CannotServeError as error:
        raise click.ClickException(str(error)) from None
    counters.forget(Path(current_app.config["INSTANCE_PATH"]) / METRICS_FOLDER)
    word = safety.sqlite_word(current_app)
    if word is not None:
        click.echo(word, err=True)
    # The workers read there by which names they may be asked for.
    os.environ["RAISESUM_HOST"] = host
    for line in _where(address, workers):
        click.echo(line)
    serving.serve(address, workers)


def _where(address: serving.Address, workers: int) -> Iterator[str]:
    many = "1 worker" if workers == 1 else f"{workers} workers"
    yield f"Raise the Sum is at {address.url} ({many}). Ctrl-C stops it."
    outside = config.load(None, os.environ)["NETWORK_ADDRESS"]
    if outside is not None:
        yield f"For other devices on the network: http://{outside}:{address.port}"
    elif address.host in config.WILDCARD_ADDRESSES and config.own_address() is None:
        yield "Other devices cannot reach it: this computer is in no network."
