"""The command `restore`: a backup in the place of the database."""

from pathlib import Path

import click

from rentbilling.adapters.cli.commands.service.copying import refusing_copies
from rentbilling.adapters.cli.input.databases import file_named, in_database
from rentbilling.adapters.cli.streams import Refusal, say


@click.command()
@in_database
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
@click.option(
    "--replace", is_flag=True, help="Also where there is a database; it gets another name."
)
def restore(database: str, file: Path, *, replace: bool) -> None:
    """Put a backup in the place of the database.

    FILE is what `rentbilling backup` made; it stays, and is checked. The service must be stopped:
    a database that a process has open is refused. With --replace the former database stays in the
    same folder under another name.

    \b
    Try it:
      rentbilling restore rent-2026-01-31.sqlite --replace

    Exit codes: 0 the backup is in its place, 1 nothing was changed, 2 the command is not well
    formed.
    """  # noqa: D301 - click reads the escape
    place, said = file_named(database)
    if not file.is_file():
        raise Refusal(str(file), ["there is no such file"])
    if place.exists() and not replace:
        raise Refusal(said, ["is there already"], ["--replace puts the backup in its place."])
    with refusing_copies(said, file):
        from rentbilling.adapters.stores.backups import restore as put_back

        former = put_back(file, place)
    say(f"{said} is a copy of {file}, checked from end to end.")
    if former is not None:
        say(f"The former database is {former}.")
