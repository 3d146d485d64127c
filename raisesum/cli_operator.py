"""Commands for whoever runs a server: copies and the way back, checks, people, numbers."""

from __future__ import annotations

import platform
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

import click
from flask import current_app
from flask.cli import AppGroup, with_appcontext
from flask_migrate import upgrade
from sqlalchemy import text

from raisesum import safety
from raisesum.config import ROOT
from raisesum.extensions import db, sqlite_version
from raisesum.services import administration, backup, inspection, moving
from raisesum.services.errors import ServiceError
from raisesum.services.statistics import statistics

users = AppGroup("users", help="List people, let them in again, shut them out, delete them.")


@click.command("backup")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), metavar="DIR")
@with_appcontext
def back_up(folder: Path) -> None:
    """Copy the database into DIR, while people play."""
    try:
        copy = backup.back_up(folder)
    except ServiceError as error:
        raise click.ClickException(str(error)) from None
    click.echo(f"{copy} ({_size(copy.stat().st_size)})")
    if (Path(current_app.config["INSTANCE_PATH"]) / "secret_key").exists():
        click.echo("Not in it: the secret key, without which guests lose their way in. Keep a copy")
        click.echo("of the file secret_key in the instance folder somewhere else, once.")


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--yes", is_flag=True, help="Do not ask.")
@with_appcontext
def restore(file: Path, yes: bool) -> None:
    """Put a copy in the place of all that is in the database, while people play.

    What was there before is kept as a copy in the instance folder. Who signed out or was deleted
    since the copy was made is back as well.
    """
    if not yes:
        click.confirm(f"Replace all people and matches by those in {file}?", abort=True)
    try:
        kept = backup.restore(file, Path(current_app.config["INSTANCE_PATH"]))
    except ServiceError as error:
        raise click.ClickException(str(error)) from None
    upgrade()
    click.echo(f"{file} is in place. What was there before is {kept}.")


@click.command()
@with_appcontext
def check() -> None:
    """See whether the database is whole, every match true and every setting safe.

    Status 1 when the database or a match is not; risks alone leave it at 0.
    """
    wrong = 0
    click.echo(f"Python {platform.python_version()}, {_database_version()}")
    for name, pinned in _pins():
        try:
            installed = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
        if installed != pinned:
            click.echo(f"version: {name} is {installed}, and was tested with {pinned}")
    for problem in inspection.damage():
        wrong += 1
        click.echo(f"damage: {problem}")
    matches = 0
    for untrue in inspection.untrue_matches():
        matches += 1
        if untrue:
            wrong += 1
            click.echo(f"untrue: {untrue}")
    for risk in safety.risks(current_app):
        click.echo(f"risk: {risk}")
    if wrong:
        raise click.ClickException(f"{wrong} faults found.")
    click.echo(f"The database is whole, and {_as_logged(matches)}.")


def _as_logged(matches: int) -> str:
    if matches == 1:
        return "1 match is what its log leads to"
    return f"{matches} matches are what their logs lead to"


@click.command("move-to")
@click.argument("url")
@with_appcontext
def move_to(url: str) -> None:
    """Copy everything into the empty database at URL, written as DATABASE_URL is.

    Stop the server first, or what is played meanwhile stays behind.
    """
    from raisesum import create_app

    same = {name: current_app.config[name] for name in ("INSTANCE_PATH", "SECRET_KEY")}
    other = create_app({**same, "DATABASE_URL": url})
    with other.app_context():
        upgrade()
        target = db.engine
    try:
        moved = moving.copy_rows_to(target)
    except ServiceError as error:
        raise click.ClickException(str(error)) from None
    finally:
        target.dispose()
    for table, rows in moved:
        click.echo(f"{table:20} {rows}")
    click.echo("Everything is copied. Set DATABASE_URL, and start the server.")


@click.command()
@with_appcontext
def stats() -> None:
    """Count people, tables and moves."""
    found = statistics()
    for name, value in (
        ("accounts", found.accounts),
        ("guests", found.guests),
        ("people seen in 24 hours", found.people_today),
        *((f"tables, {status.replace('_', ' ')}", many) for status, many in found.tables.items()),
        ("tables in use in 24 hours", found.tables_today),
        ("moves", found.moves),
        ("database", _size(found.database_bytes)),
        ("write-ahead log", _size(found.log_bytes)),
    ):
        click.echo(f"{name:28} {value}")


@users.command("list")
@click.option("--guests", is_flag=True, help="Guests too.")
def list_users(guests: bool) -> None:
    """List people: number, name to sign in with, shown name, since when, last seen, tables."""
    for person in administration.people(guests=guests):
        seen = _day(person.seen_at) if person.seen_at else "-"
        click.echo(
            f"#{person.number}\t{person.handle or '(guest)'}\t{person.shown_name}\t"
            f"{_day(person.created_at)}\t{seen}\t{person.tables}"
            + ("\tdisabled" if person.disabled else "")
        )


@users.command("reset-password")
@click.argument("name")
def reset_password(name: str) -> None:
    """Give NAME a new password and recovery code, and sign them out everywhere."""
    try:
        password, code = administration.reset_password(name)
    except ServiceError as error:
        raise click.ClickException(str(error)) from None
    click.echo(f"password: {password}\nrecovery code: {code}")


@users.command()
@click.argument("name")
def disable(name: str) -> None:
    """Sign NAME out everywhere and let them in no more."""
    _set_disabled(name, True)


@users.command()
@click.argument("name")
def enable(name: str) -> None:
    """Let NAME sign in again."""
    _set_disabled(name, False)


@users.command()
@click.argument("name")
@click.option("--yes", is_flag=True, help="Do not ask.")
def delete(name: str, yes: bool) -> None:
    """Delete NAME; matches that others play go on."""
    if not yes:
        click.confirm(f"Delete {name} for good?", abort=True)
    try:
        administration.delete(name)
    except ServiceError as error:
        raise click.ClickException(str(error)) from None
    click.echo(f"{name} is deleted.")


COMMANDS = (back_up, restore, move_to, check, stats, users)


def _set_disabled(name: str, disabled: bool) -> None:
    try:
        administration.set_disabled(name, disabled)
    except ServiceError as error:
        raise click.ClickException(str(error)) from None
    click.echo(f"{name} is shut out." if disabled else f"{name} can sign in again.")


def _database_version() -> str:
    if db.engine.dialect.name == "sqlite":
        return f"SQLite {sqlite_version()}"
    version: str = db.session.execute(text("SHOW server_version")).scalar_one()
    return f"PostgreSQL {version}"


def _pins() -> list[tuple[str, str]]:
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    pins = [line.partition(";")[0].strip().partition("==") for line in lines if "==" in line]
    return [(name, version) for name, _, version in pins if not name.startswith("#")]


def _day(at_ms: int) -> str:
    return datetime.fromtimestamp(at_ms / 1000, UTC).strftime("%Y-%m-%d")


def _size(many: int) -> str:
    return f"{many / 1024 / 1024:.1f} MB"
