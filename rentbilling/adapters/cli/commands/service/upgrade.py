"""The command `upgrade`: the tables of a database brought up to this release, or only tried."""

import click

from rentbilling.adapters.cli.input.databases import in_database, opened_engine
from rentbilling.adapters.cli.streams import say


@click.command()
@in_database
@click.option("--dry-run", is_flag=True, help="Take the steps and undo them: nothing is changed.")
def upgrade(database: str, *, dry_run: bool) -> None:
    """Bring the tables of the database up to this release.

    `serve` and every other command do it too, when they open a database. Here it can be tried
    first: --dry-run takes the steps on the database itself, in one transaction that is undone, so a
    step that would fail is known before the service is stopped. Changes wait while it runs.

    \b
    Try it:
      rentbilling upgrade --dry-run

    Exit codes: 0 it is (or would be) of this release, 1 it is refused, 2 the command is not well
    formed.
    """  # noqa: D301 - click reads the escape
    with opened_engine(database) as (engine, said):
        from rentbilling.adapters.stores.migrations import MIGRATIONS, migrate

        lacking = migrate(engine, is_trial=dry_run)
    for each in lacking:
        say(f"{'Would take' if dry_run else 'Took'} step {each.version}: {each.purpose}.")
    known = MIGRATIONS[-1].version
    if dry_run and lacking:
        say(f"{said} would then have version {known}. Nothing was changed.")
    else:
        say(f"{said} has version {known}, that of this release.")
