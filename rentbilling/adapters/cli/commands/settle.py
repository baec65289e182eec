"""The command `settle`: statements of service charges."""

from typing import TYPE_CHECKING

import click

from rentbilling.adapters.cli.input import options

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rentbilling.settlement import SettledHouses, Settlement


@click.command()
@options.files_argument()
@options.period_option("Settle these days instead of those of the file", required=False)
@click.option("--lease", help="Only the statement of this lease.")
@click.option("--explain", "explained", is_flag=True, help="Also how each share was computed.")
@options.form_option("How the statements are printed.")
def settle(
    files: tuple[str, ...], asked: str | None, lease: str | None, form: str, *, explained: bool
) -> None:
    """Print the statement of each lease for the costs of a period.

    FILE holds a settlement as JSON: costs, units, occupancies, readings, advances; `-` reads it
    from standard input. `rentbilling schema Settlement` describes it. Of several files each is
    settled by itself, and one that is wrong stops no other.

    \b
    table  for people: each cost, the lease's share, advances, balance
    json   statements, and what the landlord bears by reason
    csv    a row for each line of each statement

    Statements go to standard output; notices and problems, a line each, to standard error. The exit
    code is 3 if one of several files is refused.
    """  # noqa: D301 - click reads the escapes
    from rentbilling.adapters.cli.output.printing import printed
    from rentbilling.adapters.cli.output.settlements import HousesShown
    from rentbilling.adapters.cli.streams import Refusal, say
    from rentbilling.settlement import settle_houses

    refused: list[str] = []
    houses = settle_houses(_read(files, asked, refused))
    if len(files) == 1 and houses.problems:
        raise Refusal(files[0], str(houses.problems[0].error).splitlines())
    refused += (f"Error: {line}" for each in houses.problems for line in str(each).splitlines())
    if not refused:
        _check_lease(houses, lease)
    shown = HousesShown(houses, lease, several=len(files) > 1)
    printed(
        form,
        shown,
        json=lambda found: found.data(refused),
        csv=HousesShown.csv,
        table=lambda found: found.text(explained=explained),
        nothing="No statements.",
    )
    for line in (*shown.notices, *refused):
        say(line)
    if refused:
        raise click.exceptions.Exit(options.FOUND)


def _check_lease(houses: "SettledHouses", lease: str | None) -> None:
    from rentbilling.adapters.cli.input.arguments import bad_value
    from rentbilling.errors import UnknownWordError

    names = {one.lease_id for each in houses for one in each}
    if lease is not None and lease not in names:
        known = f"one of {', '.join(sorted(names))}"
        error = UnknownWordError.of("", "unknown_id", "is not a lease of the file", lease, known)
        raise bad_value(error, "--lease")


def _read(
    files: "tuple[str, ...]", asked: str | None, refused: list[str]
) -> "Iterator[Settlement]":
    """Give the settlement of each file; one of several that is wrong is among the refused."""
    from rentbilling.adapters.cli.input.arguments import period_in
    from rentbilling.adapters.cli.streams import Refusal, read_bytes, refusing
    from rentbilling.codec import loads
    from rentbilling.settlement import Settlement

    period = None if asked is None else period_in(asked, None)
    for file in files:
        try:
            given = read_bytes(file)
            with refusing(file):
                stated = loads(given, Settlement)
                changes = {} if period is None else {"period": period}
                yield stated.evolve(id=stated.id or file, **changes)
        except Refusal as refusal:
            if len(files) == 1:
                raise
            refused += refusal.lines
