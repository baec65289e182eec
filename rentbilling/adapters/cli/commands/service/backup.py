"""The command `backup`: the database at one moment, in a file of its own."""

from pathlib import Path

import click

from rentbilling.adapters.cli.input.databases import file_named, in_database
from rentbilling.adapters.cli.streams import Refusal, say


@click.command()
@in_database
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
def backup(database: str, file: Path) -> None:
    """Copy the database into a new file, also while it is served.

    FILE has all owners' objects, audit records and the digests of keys as they were at one moment;
    it is checked from end to end, and only the user who makes it can read it. A file of that name
    is never overwritten.

    \b
    Try it:
      rentbilling backup "rent-$(date +%F).sqlite"

    Exit codes: 0 the copy is on the disk, 1 there is none, 2 the command is not well formed.
    """  # noqa: D301 - click reads the escape
    source, said = file_named(database)
    if not source.is_file():
        raise Refusal(said, ["there is no such file"])
    from rentbilling.adapters.stores.backups import back_up
    from rentbilling.service import StoreError

    try:
        version = back_up(source, file)
    except FileExistsError as error:
        raise Refusal(str(error), ["there is a file already, which is not overwritten"]) from None
    except OSError as error:
        raise Refusal.of_system(str(file), error) from None
    except StoreError as error:
        raise Refusal(said, [str(error)]) from None
    say(f"{file} is a copy of {said}, version {version}, checked from end to end.")
