"""The command `demo-data`: tenancies to try the service with, a key, and what to try first.

Laws: the same command gives the same tenancies; nothing is filled twice unless it is asked for; the
key alone goes to stdout.
"""

import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

import click

from rentbilling.adapters.cli.commands.service.keys import keep_key, new_key
from rentbilling.adapters.cli.input.databases import USUAL, Database, in_database, opened
from rentbilling.adapters.cli.streams import Refusal, refusing, say, write_data

if TYPE_CHECKING:
    from rentbilling.service import Stores

_MOST: Final = 100_000
_PREFIX: Final = "tenancy-"
_MOST_DIGITS: Final = 9


@click.command("demo-data")
@in_database
@click.option(
    "--owner", default="demo", show_default=True, metavar="NAME", help="Whose data it becomes."
)
@click.option(
    "--tenancies",
    "count",
    type=click.IntRange(1, _MOST),
    default=25,
    show_default=True,
    help="How many there will be.",
)
@click.option(
    "--seed",
    type=int,
    default=1,
    show_default=True,
    help="Another one gives other streets, rents and days of moving in.",
)
@click.option("--again", is_flag=True, help="Add as many to what the owner has.")
def demo_data(database: str, owner: str, count: int, seed: int, *, again: bool) -> None:
    """Fill a database with tenancies to try, and print a key that opens them.

    Leases in every state, flats and offices, rents that follow the Danish net price index or rise
    in steps, parking with VAT and a discount, deposits, products and payouts: the same every time.
    An owner who has tenancies already is left as it is, unless --again adds to them.

    The key alone goes to standard output.

    \b
    Try it:
      KEY=$(rentbilling demo-data)
      rentbilling serve
    """  # noqa: D301 - click reads the escape
    text, kept = new_key(owner, "demo data", ("*",))
    with opened(database) as place:
        with refusing(place.said):
            first = _first_number(place.stores, owner, place.said, again=again)
            _fill(place, owner, range(first, first + count), seed)
        keep_key(place, kept)
    write_data(f"{text}\n")
    say(f"{count} tenancies of {owner} are in {place.said}.")
    for line in _to_try(f"lease-{first}", is_usual=database == USUAL):
        say(line)


def _first_number(stores: "Stores", owner: str, said: str, *, again: bool) -> int:
    """Return the number of the first tenancy that is made.

    Raises:
        Refusal: The owner has tenancies, and `--again` is not given.
    """
    from rentbilling.adapters.stores.owners import all_of
    from rentbilling.interface import Tenancy

    last = 0
    with stores.reading(owner) as store:
        for each in all_of(store, Tenancy):
            if not again:
                problem = f"the owner {owner} has tenancies already"
                raise Refusal(said, [problem], ["--again adds more of them."])
            last = max(last, _number_of(each.id))
    return last + 1


def _number_of(tenancy_id: str) -> int:
    """Return the number of a tenancy of the demo, 0 for any other."""
    number = tenancy_id.removeprefix(_PREFIX)
    is_demo = number != tenancy_id and number.isascii() and number.isdecimal()
    # A longer number is not of the demo, and reading it takes time.
    return int(number) if is_demo and len(number) <= _MOST_DIGITS else 0


def _fill(place: Database, owner: str, numbers: range, seed: int) -> None:
    """Keep products and tenancies, each tenancy whole or not at all."""
    from rentbilling.adapters.cli.input.demo_leases import DemoLease, record_products
    from rentbilling.adapters.cli.input.index_files import example_index

    indices = (example_index(),)
    with place.stores.writing(owner) as store:
        record_products(store)
    for number in _shown(numbers):
        lease = DemoLease.of(number, seed=seed)
        with place.stores.writing(owner) as store:
            lease.keep(store, indices)


def _shown(numbers: range) -> Iterator[int]:
    """Give numbers, with a progress bar on a terminal."""
    if not sys.stderr.isatty():
        yield from numbers
        return
    with click.progressbar(length=len(numbers), label="Tenancies", file=sys.stderr) as bar:
        for number in numbers:
            yield number
            bar.update(1)


def _to_try(lease_id: str, *, is_usual: bool) -> Iterable[str]:
    base, curl = "http://127.0.0.1:8000", 'curl -s -H "Authorization: $KEY"'
    served = "rentbilling serve" if is_usual else "rentbilling serve  # with the same --database"
    return (
        "The key on standard output opens them; it is shown this once. With it in KEY, try:",
        f"  {served}",
        f"  {curl} '{base}/leases?limit=2'",
        f"  {curl} '{base}/pending-bills?leaseId={lease_id}&period=2026-01-01/2026-03-31'",
        f"  {curl} {base}/leases/{lease_id}/terms > lease.json",
        "  rentbilling example --index > npi.json",
        "  rentbilling explain lease.json --indices npi.json --period 2026-01",
        f"Every operation, in a browser: {base}/docs",
    )
