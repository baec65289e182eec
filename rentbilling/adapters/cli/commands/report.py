"""The command `report`: what leases and their bills come to, for the books and for an owner."""

from typing import TYPE_CHECKING, Any, Final

import click

from rentbilling.adapters.cli.input import options

if TYPE_CHECKING:
    from rentbilling.tables import Table

_of_leases: Final = options.together(
    options.files_argument(),
    options.file_option(
        "--map",
        "map_file",
        help="FILE is a flat table in CSV; the TOML of this option says which column is which"
        " field, as for `rentbilling bill-run`.",
    ),
    options.indices_option(),
    options.assume_option(),
    options.form_option("How the rows are printed."),
    options.file_option(
        "--xlsx", "workbook", help="Also write the rows to a workbook; needs the extra excel."
    ),
    options.policy_option(),
)
"""The files of a report, and the options that all reports share."""


@click.group()
def report() -> None:
    """Print what leases and their bills come to: rents in force, accruals, VAT.

    FILE holds the terms of a lease as JSON, as for `rentbilling bills`, or many leases: a list of
    them as JSON, a Parquet or Arrow file or a folder of them, as for `rentbilling bill-run`, or
    with --map your own table. Tables are read in batches. `-` reads JSON from standard input.

    A lease of many that cannot be read or reported is named, and the exit code is 3.
    """


@report.command("rent-roll")
@click.option("--on", required=True, metavar="DATE", help="The day whose rents are printed.")
@options.file_option(
    "--units",
    "unit_file",
    help="Units as JSON: a list of objects with leaseId, unit, tenant, area; without leaseId a unit"
    " is vacant.",
)
@options.plot_option()
@_of_leases
def rent_roll(on: str, unit_file: str | None, plot_file: str | None, **given: Any) -> None:  # noqa: ANN401
    """Print the rents in force on a day, with VAT, next adjustment, deposit and end.

    --plot draws what ends in which year.
    """
    from rentbilling.adapters.cli.input.arguments import day_in
    from rentbilling.adapters.cli.input.reported_leases import reported_leases, units_in
    from rentbilling.adapters.cli.output.flows import print_report
    from rentbilling.adapters.cli.output.pictures import drawing
    from rentbilling.adapters.cli.streams import say
    from rentbilling.reports import rent_roll as reported
    from rentbilling.tables import counted

    day, draw = day_in(on, "--on", "2026-01-31"), drawing(plot_file)
    assert day is not None  # noqa: S101 - the option is required
    with reported_leases(given, unit_file) as source:
        roll = reported(
            source.leases(),
            on=day,
            units=units_in(unit_file),
            indices=source.indices(day.year),
            policy=source.policy,
        )
        if roll.ended:
            ended = counted(len(roll.ended), "lease")
            say(f"{ended} left out that ended before {day.isoformat()}")
        expiries = roll.expiries()
        shown = "lease_id unit currency monthly yearly next_adjustment end status"
        if draw is not None:
            rows = expiries.rows()
            draw(rows, lambda plots, code: plots.expiries_by_year(rows, currency=code))
        more = {"sums": roll.sums(), "expiries": expiries}
        print_report(roll, given, more=more, shown=shown, problems=source.problems)


_bills_option: Final = click.option(
    "--bills",
    "are_bills",
    is_flag=True,
    help="FILE holds bills, not leases, as `rentbilling bills --format json` and `rentbilling"
    " bill-run` write them.",
)


@report.command()
@options.period_option("Which bills, by their due date")
@options.choice_option("--by", "month quarter year", "What there is a row for.")
@_bills_option
@_of_leases
def accruals(asked: str, by: Any, **given: Any) -> None:  # noqa: ANN401 - options by name
    """Print what the bills of a period earn in each month, with what is deferred and accrued."""
    from rentbilling.adapters.cli.input.reported_leases import reported_leases
    from rentbilling.adapters.cli.output.flows import print_report
    from rentbilling.reports import accruals as reported

    with reported_leases(given) as source:
        table = reported(source.bills(asked), by=by)
        print_report(table, given, notices=source.notices, problems=source.problems)


@report.command()
@options.period_option("Which days are reported")
@options.choice_option(
    "--by",
    "due_date accounting_period",
    "due_date: bills that fall due in the period, whole; accounting_period: what the period"
    " bears of all lines, by the days that they pay for, whenever they fall due.",
)
@_bills_option
@_of_leases
def vat(asked: str, by: Any, **given: Any) -> None:  # noqa: ANN401 - options by name
    """Print net, VAT and gross of a period by tax mode and rate, corrections apart.

    The sums below are those of the rows; by due date they are the sums of the bills.
    """
    from rentbilling.adapters.cli.input.reported_leases import reported_leases
    from rentbilling.adapters.cli.output.flows import print_report, sums_by_currency
    from rentbilling.reports import vat_report

    with reported_leases(given) as source:
        bills = source.bills(asked, of_days=by == "accounting_period")
        table = vat_report(bills, period=source.period(asked), by=by)
        more = {"sums": sums_by_currency(table)}
        print_report(table, given, more=more, notices=source.notices, problems=source.problems)


@report.command("straight-line")
@click.option(
    "--term",
    metavar="PERIOD",
    help="The days of the term; from the first opening period to the contract end by default.",
)
@click.option(
    "--product",
    "products",
    multiple=True,
    default=("key:rent",),
    show_default=True,
    help="The key of a product that is rent; may be given more than once.",
)
@_of_leases
def straight_line(term: str | None, products: tuple[str, ...], **given: Any) -> None:  # noqa: ANN401
    """Print the rents of a term as even income by month (IFRS 16, ASC 842), of all leases."""
    from rentbilling.adapters.cli.input.arguments import period_in
    from rentbilling.adapters.cli.input.reported_leases import reported_leases
    from rentbilling.adapters.cli.output.flows import joined_flows, print_report
    from rentbilling.reports import straight_line as reported
    from rentbilling.terms import LeaseTerms

    asked = None if term is None else period_in(term, None, "--term")
    with reported_leases(given) as source:

        def table_of(lease: LeaseTerms) -> "Table":
            last = lease.contract_end if asked is None else asked.end
            return reported(
                lease,
                term=asked,
                products=products,
                indices=None if last is None else source.indices(last.year),
                policy=source.policy,
            )

        tables = [*source.each(table_of)]
        print_report(joined_flows(tables), given, problems=source.problems)
