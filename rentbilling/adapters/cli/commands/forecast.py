"""The command `forecast`: what the bills of years to come add up to."""

from typing import TYPE_CHECKING

import click

from rentbilling.adapters.cli.input import options
from rentbilling.adapters.cli.streams import refusing
from rentbilling.adapters.progress import progress_bar

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date

    from rentbilling.terms import LeaseTerms
    from rentbilling.whatif import Forecast


@click.command()
@options.files_argument()
@click.option(
    "--years",
    type=click.IntRange(1),
    default=30,
    show_default=True,
    help="So many years from the start.",
)
@click.option(
    "--start",
    metavar="DATE",
    help="The first day, such as 2027-01-01; by default the first day that is paid for.",
)
@options.indices_option()
@options.assume_option()
@options.choice_option(
    "--by",
    "year month product item",
    "What there is a row for; months and years are those of the due date.",
    "group",
)
@options.form_option("How the sums are printed.")
@options.policy_option()
@options.plot_option()
def forecast(
    files: tuple[str, ...],
    years: int,
    start: str | None,
    index_files: tuple[str, ...],
    assumed_rate: str | None,
    group: str,
    form: str,
    policy_file: str | None,
    plot_file: str | None,
) -> None:
    """Print what the bills of years to come add up to, rent adjustments included.

    FILE holds the terms of a lease as JSON, as for `rentbilling bills`; `-` reads them from
    standard input. Several files are a portfolio, whose sums are printed together.

    A rent that follows an index needs values for the years to come: --assume-index adds them after
    the last published one. Amounts that depend on them are in a column of their own.

    \b
    table  for people: net, VAT, gross, and how much of the gross rests on assumed
           index values
    json   {"start", "years", "assumedFrom", "cashFlow": [...]}
    csv    a row for each year (or what --by asks for): currency, net, vat, gross,
           assumed_gross

    --plot draws what each item costs over time, with every adjustment marked; it takes one lease.

    Sums go to standard output; notices and problems, a line each, to standard error.
    """  # noqa: D301 - click reads the escapes
    from rentbilling.adapters.cli.input.arguments import day_in, policy_in, refuse_second_reader
    from rentbilling.adapters.cli.input.index_files import (
        assumed,
        assumed_rate_in,
        indices_in,
        naming_options,
    )
    from rentbilling.adapters.cli.input.lease_files import terms_in
    from rentbilling.adapters.cli.output.pictures import drawing
    from rentbilling.whatif import MOST_YEARS, forecast as forecasted

    refuse_second_reader((*files, policy_file, *index_files))
    if years > MOST_YEARS:
        said = f"{years} is not in the range 1<=x<={MOST_YEARS}."
        raise click.BadParameter(said, param_hint="'--years'")
    if plot_file is not None and len(files) > 1:
        raise click.UsageError("--plot draws the rents of one lease; give one FILE.")
    rate, first = assumed_rate_in(assumed_rate), day_in(start, "--start", "2027-01-01")
    policy = policy_in(policy_file)
    draw = drawing(plot_file)
    leases = [terms_in(each, policy) for each in files]
    series = indices_in(index_files)
    day = first or _earliest_of(leases)
    made = []
    with progress_bar("leases") as bar:
        indices = assumed(series, rate, (0 if day is None else day.year) + years)
        for file, lease in zip(files, leases, strict=True):
            with refusing(file), naming_options(series, rate, "the years to come"):
                made.append(
                    forecasted(lease, years=years, start=day, indices=indices, policy=policy)
                )
            bar(len(made), len(leases))
    _print(made, years, group, form)
    if draw is not None:
        draw(
            made[0].rents().rows(),
            lambda plots, currency: plots.rent_over_time(made[0], currency=currency),
        )


def _print(made: "Sequence[Forecast]", years: int, group: str, form: str) -> None:
    from rentbilling.adapters.cli.output.flows import flow_csv, flow_data, flow_table, joined_flows
    from rentbilling.adapters.cli.output.printing import printed, say_notices_of_runs

    since = min((each.assumed_from for each in made if each.assumed_from), default=None)
    about = {"start": made[0].period.start, "years": years, "assumedFrom": since}
    printed(
        form,
        joined_flows([each.cash_flow(group) for each in made]),  # type: ignore[arg-type]
        json=lambda table: {**about, "cashFlow": flow_data(table)},
        csv=flow_csv,
        table=flow_table,
        nothing="No bills in these days.",
    )
    say_notices_of_runs(notice for each in made for notice in each.notices)


def _earliest_of(leases: "Iterable[LeaseTerms]") -> "date | None":
    """Return the first day that a recurring item of any lease is paid for; None without one."""
    return min(
        (
            item.first_billing_period_bill_item.accounting_period.start
            for lease in leases
            for item in lease.recurring_bill_items
        ),
        default=None,
    )
