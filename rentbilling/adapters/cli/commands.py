"""The commands: what each takes, and what it prints.

Law: nothing of the core is loaded before a command is known to be well formed, so that help comes
at once; bills go to stdout, everything said about them to stderr.
"""

from importlib import metadata, resources
from typing import TYPE_CHECKING

import click

from rentbilling.adapters.cli.bill_files import earlier_bills, refusing_earlier
from rentbilling.adapters.cli.bill_runs import bill_run
from rentbilling.adapters.cli.demo_commands import demo_data
from rentbilling.adapters.cli.explaining import explain
from rentbilling.adapters.cli.forecasting import forecast, whatif
from rentbilling.adapters.cli.inputs import (
    day_in,
    indices_in,
    period_in,
    policy_in,
    refuse_second_reader,
)
from rentbilling.adapters.cli.key_commands import keys
from rentbilling.adapters.cli.options import FileName, say_notices, taking
from rentbilling.adapters.cli.serving import serve
from rentbilling.adapters.cli.streams import read_bytes, refusing, say, write_data, write_text
from rentbilling.adapters.cli.verifying import verify
from rentbilling.errors import UnknownWordError

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from rentbilling.adjustments.results import AdjustmentResult
    from rentbilling.billing.bill import BillingResult
    from rentbilling.values.periods import Period


class _Group(click.Group):
    """A group of commands that ends without a word when the user interrupts it."""

    def invoke(self, ctx: click.Context) -> object:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise click.exceptions.Exit(130) from None


def _print_version(ctx: click.Context, _param: click.Parameter, wanted: object) -> None:
    """Print the version that is installed."""
    if not wanted or ctx.resilient_parsing:
        return
    try:
        version = metadata.version("rentbilling")
    except metadata.PackageNotFoundError:
        version = "(sources that are not installed)"
    click.echo(f"rentbilling {version}")
    ctx.exit()


@click.group(
    cls=_Group,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 88},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Show the version and exit.",
)
def rentbilling() -> None:
    """Exact rent bills and rent adjustments from the terms of a lease.

    \b
    Try it:
      rentbilling example | rentbilling bills - --period 2026
      rentbilling example --index > npi.json
      rentbilling example --with-index > lease.json
      rentbilling adjustments lease.json --indices npi.json --period 2023
      rentbilling explain lease.json --indices npi.json --period 2023-01
      rentbilling verify bills.json
      rentbilling whatif lease.json --indices npi.json --period 2024 --scenario 'cap 3%'
      rentbilling forecast lease.json --indices npi.json --assume-index 2% --years 10
      rentbilling demo-data; rentbilling serve

    Exit codes: 0 fine, 1 what was handed in is refused, 2 the command is not well formed, 3 verify
    found errors or differences, or bill-run left leases with problems unbilled.
    """  # noqa: D301 - click reads the escape


@rentbilling.command()
@taking("Which bills, by their due date", "How the bills are printed.")
@click.option(
    "--full",
    is_flag=True,
    help="Also what a bill knows beyond the interface: items, kinds, shares, notices.",
)
@click.option(
    "--already-billed",
    "billed_files",
    type=FileName(),
    multiple=True,
    metavar="FILE",
    help="Earlier bills of the lease as JSON, best with --full; may be given more than once. What"
    " they bill is not billed again; what has changed since is corrected, and what was missed made"
    " up, on the first bill of the period.",
)
@click.option(
    "--billed-since",
    metavar="DATE",
    help="The first due date that counts beside --already-billed; by default the earliest one of"
    " those bills.",
)
def bills(
    file: str,
    asked: str,
    index_files: tuple[str, ...],
    form: str,
    policy_file: str | None,
    billed_files: tuple[str, ...],
    billed_since: str | None,
    *,
    full: bool,
) -> None:
    """Print the bills that fall due in a period.

    FILE holds the terms of a lease, a bill item, or a list of bill items as JSON; `-` reads them
    from standard input. `rentbilling example` prints one.

    \b
    table  for people, as wide as the terminal
    json   the interface's {"bills": [...]}, exact to the last digit
    csv    a row for each line item: due_date, item_id, product_key, description,
           period_start, period_end (included), quantity, amount, unit_net_price,
           net_price, tax_mode, tax_rate, currency; with --full also lease_id, kind,
           share, regular_start, regular_end, discount, and the sums of the bill:
           bill_subtotal, bill_vat, bill_total, bill_payable. A text, or a part of it
           behind ; , | a tab or a line break, that a spreadsheet would run as a formula
           gets an apostrophe in front.

    A lease whose rent follows an index is billed with the amount in force after all adjustments; it
    needs --indices. `rentbilling adjustments` prints the adjustments.

    \b
    Month by month, with what has changed since:
      rentbilling bills lease.json --period 2026-01 --format json --full > jan.json
      rentbilling bills lease.json --period 2026-02 --already-billed jan.json

    Bills go to standard output; notices and problems, a line each, to standard error.
    """  # noqa: D301 - click reads the escapes
    refuse_second_reader((file, policy_file, *index_files, *billed_files))
    from rentbilling.billing.api import pending_bills
    from rentbilling.codec.records import loads
    from rentbilling.terms.lease_terms import LeaseTerms

    policy = policy_in(policy_file)
    period = period_in(asked, policy)
    since = day_in(billed_since, "--billed-since")
    if since is not None and not billed_files:
        raise click.UsageError("--billed-since says nothing without --already-billed.")
    given = read_bytes(file)
    with refusing(file):
        terms = loads(given, LeaseTerms, policy=policy)
    indices = indices_in(index_files)
    earlier = [earlier_bills(each, policy) for each in billed_files]
    with refusing(file), refusing_earlier(billed_files):
        result = pending_bills(
            terms,
            period,
            policy=policy,
            indices=indices,
            already_billed=earlier or None,
            billed_since=since,
        )
    with refusing(file):
        _print_bills(result, form, full=full)
    say_notices(result.notices)


def _print_bills(result: "BillingResult", form: str, *, full: bool) -> None:
    """Print bills in the form that was asked for."""
    if form == "json":
        from rentbilling.codec.records import dumps

        write_data(dumps(result, full=full) + "\n")
    elif form == "csv":
        from rentbilling.codec.bill_csv import csv_of

        write_data(csv_of(result, full=full))
    elif result:
        from rentbilling.adapters.cli.tables import tables_of

        write_text(tables_of(result, full=full))
    else:
        say(f"No bills in {result.period}.")


@rentbilling.command()
@taking("Which adjustments, by their day", "How the adjustments are printed.")
@click.option(
    "--full",
    is_flag=True,
    help="Also amounts of a year in the table, and in JSON what an adjustment knows beyond the"
    " interface: plan, item, percentage applied, reasons, notices.",
)
def adjustments(
    file: str,
    asked: str,
    index_files: tuple[str, ...],
    form: str,
    policy_file: str | None,
    *,
    full: bool,
) -> None:
    """Print the rent adjustments that fall in a period.

    FILE holds the terms of a lease with rent adjustment plans as JSON; `-` reads them from standard
    input. `rentbilling example --with-index` prints one.

    Amounts are those of one billing period, before discount: a month's rent where rent is billed by
    the month. The first adjustments of a lease decide the later ones, so the index series must
    reach back to them.

    \b
    table  for people: from, to, change, percentage applied, and why
    json   the interface's {"adjustments": [...]}, exact to the last digit
    csv    a row for what each rule did: adjusted_on, adjustee_id, plan_id, rule_id,
           currency, from_period_amount, to_period_amount, period_amount_change,
           from_yearly_amount, to_yearly_amount, yearly_amount_change,
           from_balance_amount, to_balance_amount, balance_amount_change,
           calculated_percentage, applied_percentage, minimum_percentage,
           maximum_percentage (fractions: 0.04 is 4 percent), from_index, to_index,
           from_point, to_point, reasons. A text, or a part of it behind ; , | a tab or a
           line break, that a spreadsheet would run as a formula gets an apostrophe in front.

    Adjustments go to standard output; notices and problems, a line each, to standard error.
    """  # noqa: D301 - click reads the escapes
    refuse_second_reader((file, policy_file, *index_files))
    from rentbilling.adjustments.api import rent_adjustments
    from rentbilling.codec.records import loads
    from rentbilling.terms.lease_terms import LeaseTerms

    policy = policy_in(policy_file)
    period = period_in(asked, policy)
    given = read_bytes(file)
    with refusing(file):
        terms = loads(given, LeaseTerms, policy=policy)
    indices = indices_in(index_files)
    with refusing(file):
        result = rent_adjustments(terms, period, indices=indices, policy=policy)
        _print_adjustments(result, period, form, full=full)
    say_notices(result.notices)


def _print_adjustments(
    result: "AdjustmentResult", period: "Period", form: str, *, full: bool
) -> None:
    """Print adjustments in the form that was asked for."""
    if form == "json":
        from rentbilling.codec.records import dumps

        write_data(dumps(result, full=full) + "\n")
    elif form == "csv":
        from rentbilling.adapters.cli.adjustment_rows import adjustments_csv

        write_data(adjustments_csv(result))
    elif result:
        from rentbilling.adapters.cli.adjustment_tables import adjustment_table

        write_text(adjustment_table(result, full=full))
    else:
        say(f"No adjustments in {period}.")


@rentbilling.command()
@click.option("--with-index", is_flag=True, help="The lease from 2022 on, its rent by an index.")
@click.option("--index", "is_index", is_flag=True, help="The index series that it follows.")
def example(*, with_index: bool, is_index: bool) -> None:
    """Print the terms of a Danish lease, ready to be billed.

    Rent and heating without VAT, parking with 25 % on top and a discount until the end of June, and
    a deposit for keys. The tenant moves in on 15 January 2026, so that the first bill is for 17 of
    January's 31 days.

    With --with-index the same lease begins four years earlier, and each January the rent follows
    the Danish net price index of October, between 0 and 4 percent. --index prints that index, as
    Statistics Denmark published it for 2021 to June 2024.

    \b
    Try it:
      rentbilling example --with-index > lease.json
      rentbilling example --index > npi.json
      rentbilling adjustments lease.json --indices npi.json --period 2023
    """  # noqa: D301 - click reads the escapes
    if with_index and is_index:
        raise click.UsageError("--with-index prints a lease, --index a series: use one at a time.")
    name = "example_index" if is_index else "example_with_index" if with_index else "example"
    text = resources.files("rentbilling.adapters.cli").joinpath(f"{name}.json")
    write_data(text.read_text(encoding="utf-8"))


def _schema_names(
    _ctx: click.Context, _param: click.Parameter, incomplete: str
) -> "list[CompletionItem]":
    """Return the names that a shell completes."""
    from click.shell_completion import CompletionItem

    from rentbilling.interface.schemas import SCHEMA_NAMES

    begun = incomplete.lower()
    return [CompletionItem(name) for name in SCHEMA_NAMES if name.lower().startswith(begun)]


@rentbilling.command()
@click.argument("name", required=False, shell_complete=_schema_names)
def schema(name: str | None) -> None:
    """Print a JSON schema (draft 2020-12) of what is read or written.

    NAME is a record such as LeaseTerms, BillingPolicy or IndexSeries, or what is printed:
    BillingResult, PendingBill and AdjustmentResult, with Full behind it for --full. Without NAME,
    the names are listed.
    """
    from rentbilling.interface.schemas import SCHEMA_NAMES, schema_of
    from rentbilling.records.json_text import write_json

    if name is None:
        write_data("".join(f"{each}\n" for each in SCHEMA_NAMES))
        return
    try:
        found = schema_of(name)
    except UnknownWordError as error:
        problem = error.problems[0]
        raise click.BadParameter(
            f"{problem.met} {problem.message}; write {problem.expected}.", param_hint="'NAME'"
        ) from None
    write_data(write_json(found, indent=2) + "\n")


rentbilling.add_command(verify)
rentbilling.add_command(explain)
rentbilling.add_command(whatif)
rentbilling.add_command(forecast)
rentbilling.add_command(bill_run)
rentbilling.add_command(serve)
rentbilling.add_command(keys)
rentbilling.add_command(demo_data)
