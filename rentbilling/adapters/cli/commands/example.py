"""The command `example`: a lease and its index, which come with the package."""

from importlib import resources

import click

from rentbilling.adapters.cli.streams import write_data


@click.command()
@click.option("--with-index", is_flag=True, help="The lease from 2022 on, its rent by an index.")
@click.option("--index", "is_index", is_flag=True, help="The index series that it follows.")
def example(*, with_index: bool, is_index: bool) -> None:
    """Print the terms of a Danish lease, ready to be billed.

    Rent and heating without VAT, parking with 25 % on top and a discount until the end of June, and
    a deposit for keys. The tenant moves in on 15 January 2026, so that the first bill is for 17 of
    January's 31 days.

    With --with-index the same lease begins four years earlier, and each January the rent follows
    the Danish net price index of October, between 0 and 4 percent. --index prints that index, as
    Statistics Denmark published it for 2021 to June 2024. Adjustments by later values need a newer
    file, or --assume-index.

    \b
    Try it:
      rentbilling example --with-index > lease.json
      rentbilling example --index > npi.json
      rentbilling adjustments lease.json --indices npi.json --period 2023
      rentbilling bills lease.json --indices npi.json --assume-index 2% --period 2026-03
    """  # noqa: D301 - click reads the escapes
    if with_index and is_index:
        raise click.UsageError("--with-index prints a lease, --index a series: use one at a time.")
    name = "example_index" if is_index else "example_with_index" if with_index else "example"
    text = resources.files("rentbilling.adapters.cli").joinpath(f"{name}.json")
    write_data(text.read_text(encoding="utf-8"))
