"""The commands `owner`: all that a database has of one owner, written out or erased.

Law: nothing is erased without `--yes`.
"""

from typing import TYPE_CHECKING

import click

from rentbilling.adapters.cli.input.databases import Database, in_database, opened
from rentbilling.adapters.cli.streams import Refusal, say, write_data

if TYPE_CHECKING:
    from collections.abc import Mapping


@click.group()
def owner() -> None:
    """Write out, or erase, all that a database has of one owner."""


@owner.command()
@in_database
@click.option("--owner", "name", required=True, metavar="NAME", help="Whose data it is.")
def export(database: str, name: str) -> None:
    """Print all objects of an owner and their audit records, a line of JSON for each.

    A line has the kind, the id, what it belongs to, and the record with every field. Keys are in
    `rentbilling keys list`; answers that are stored for 24 hours repeat these objects and are left
    out.

    \b
    Try it:
      rentbilling owner export --owner acme > acme.jsonl
    """  # noqa: D301 - click reads the escape
    with opened(database, creates=False) as place:
        from rentbilling.adapters.stores.owners import exported

        _rows_of(place, name)
        for line in exported(place.stores, name):
            write_data(f"{line}\n")


@owner.command()
@in_database
@click.option("--owner", "name", required=True, metavar="NAME", help="Whose data it is.")
@click.option("--yes", is_flag=True, help="Erase it; otherwise only what there is is said.")
def erase(database: str, name: str, *, yes: bool) -> None:
    """Erase all objects, audit records, stored answers and keys of an owner, for good.

    Without --yes it says how many rows each table has, and changes nothing. Backups, logs and what
    was sent elsewhere are not reached.

    \b
    Try it:
      rentbilling owner export --owner acme > acme.jsonl
      rentbilling owner erase --owner acme --yes
    """  # noqa: D301 - click reads the escape
    with opened(database, creates=False) as place:
        from rentbilling.adapters.stores.owners import erase as erase_owner

        rows = _rows_of(place, name)
        if yes:
            erase_owner(place.stores, name)
    counted = ", ".join(f"{table} {count}" for table, count in rows.items())
    said = "Erased" if yes else "Nothing is erased without --yes:"
    say(f"{said} {name} in {place.said}: {counted}.")


def _rows_of(place: Database, name: str) -> "Mapping[str, int]":
    """Return how many rows of each table are an owner's.

    Raises:
        Refusal: There are none.
    """
    from rentbilling.adapters.stores.owners import stored_rows

    rows = stored_rows(place.stores, name)
    if not rows:
        raise Refusal(place.said, [f"has nothing of an owner {name}"])
    return rows
