"""The commands: what each takes, and what it prints.

Law: nothing of the core is loaded before a command is known to be well formed, so that help comes
at once; bills go to stdout, everything said about them to stderr.
What does not live here: tables (`tables`), CSV (`rows`), files and streams (`streams`).
"""

import re
from importlib import metadata, resources
from typing import TYPE_CHECKING

import click

from rentbilling.adapters.cli.streams import (
    STDIN,
    read_bytes,
    refusing,
    say,
    write_data,
    write_text,
)
from rentbilling.errors import InvalidPeriodError, UnknownWordError, shown

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from rentbilling.periods import Period
    from rentbilling.policy import BillingPolicy
    from rentbilling.results import BillingResult

_YEAR = re.compile(r"[0-9]{4}")
_MONTH = re.compile(r"[0-9]{4}-[0-9]{2}")


class _Group(click.Group):
    """A group of commands that ends without a word when the user interrupts it."""

    def invoke(self, ctx: click.Context) -> object:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise click.exceptions.Exit(130) from None


class _FileName(click.Path):
    """The name of a file, or `-`; whether it can be read is seen when it is read."""

    name = "file"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        """Return the name as it was given."""
        del param, ctx
        return str(value)


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
    """Exact rent bills from the terms of a lease.

    \b
    Try it:
      rentbilling example | rentbilling bills - --period 2026

    Exit codes: 0 fine, 1 what was handed in is refused, 2 the command is not well formed.
    """  # noqa: D301 - click reads the escape


@rentbilling.command()
@click.argument("file", type=_FileName(), metavar="FILE|-")
@click.option(
    "--period",
    "asked",
    required=True,
    metavar="PERIOD",
    help="Which bills, by their due date: a year (2026), a month (2026-03), or a first and a last"
    " day (2026-01-01/2026-03-31).",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "json", "csv"]),
    default="table",
    show_default=True,
    help="How the bills are printed.",
)
@click.option(
    "--policy",
    "policy_file",
    type=_FileName(),
    metavar="FILE",
    help="A billing policy as JSON; see `rentbilling schema BillingPolicy`.",
)
@click.option(
    "--full",
    is_flag=True,
    help="Also what a bill knows beyond the interface: items, kinds, shares, notices.",
)
def bills(file: str, asked: str, form: str, policy_file: str | None, *, full: bool) -> None:
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
           bill_subtotal, bill_vat, bill_total, bill_payable. A text that a
           spreadsheet would run as a formula gets an apostrophe in front.

    Bills go to standard output; notices and problems, a line each, to standard error.
    """  # noqa: D301 - click reads the escapes
    if file == policy_file == STDIN:
        raise click.UsageError("FILE and --policy cannot both be standard input.")
    from rentbilling.bills import pending_bills
    from rentbilling.codec import loads
    from rentbilling.terms import LeaseTerms

    policy = None if policy_file is None else _policy_in(policy_file)
    period = _period(asked, policy)
    given = read_bytes(file)
    with refusing(file):
        terms = loads(given, LeaseTerms, policy=policy)
        result = pending_bills(terms, period, policy=policy)
    with refusing(file):
        _print_bills(result, form, full=full)
    for notice in result.notices:
        facts = ", ".join(f"{name} {value}" for name, value in notice.facts)
        about = f"{notice.item_id}: " if notice.item_id else ""
        say(f"Notice: {about}{notice.message}{facts and f' ({facts})'} [{notice.code}]")


def _policy_in(name: str) -> "BillingPolicy":
    """Return the policy that a file holds."""
    from rentbilling.codec import loads
    from rentbilling.policy import BillingPolicy

    given = read_bytes(name)
    with refusing(name):
        return loads(given, BillingPolicy)


def _period(asked: str, policy: "BillingPolicy | None") -> "Period":
    """Return the period that was asked for; a malformed one is a usage error."""
    from rentbilling.periods import Period, YearMonth, day_in_month

    try:
        if _YEAR.fullmatch(asked):
            return Period.parse(f"{asked}-01-01/{asked}-12-31")
        if _MONTH.fullmatch(asked):
            year, month = YearMonth.parse(asked)
            index = year * 12 + month - 1
            return Period.of(day_in_month(index, 1), day_in_month(index, 31))
        return Period.parse(asked, period_end=policy.period_end if policy else "included")
    except InvalidPeriodError as error:
        (problem,) = error.problems
        wrong = f"{problem.met} {problem.message}"
        right = "a year (2026), a month (2026-03), or two days (2026-01-01/2026-03-31)"
        if problem.code == "reversed_period":
            right = problem.expected
        elif problem.met != shown(asked):
            wrong = f"{shown(asked)} is not a period ({wrong})"
        raise click.BadParameter(f"{wrong}; write {right}.", param_hint="'--period'") from None


def _print_bills(result: "BillingResult", form: str, *, full: bool) -> None:
    """Print bills in the form that was asked for."""
    if form == "json":
        from rentbilling.codec import dumps

        write_data(dumps(result, full=full) + "\n")
    elif form == "csv":
        from rentbilling.adapters.cli.rows import csv_of

        write_data(csv_of(result, full=full))
    elif result:
        from rentbilling.adapters.cli.tables import tables_of

        write_text(tables_of(result, full=full))
    else:
        say(f"No bills in {result.period}.")


@rentbilling.command()
def example() -> None:
    """Print the terms of a Danish lease, ready to be billed.

    Rent and heating without VAT, parking with 25 % on top and a discount until the end of June, and
    a deposit for keys. The tenant moves in on 15 January 2026, so that the first bill is for 17 of
    January's 31 days.
    """
    text = resources.files("rentbilling.adapters.cli").joinpath("example.json")
    write_data(text.read_text(encoding="utf-8"))


def _schema_names(
    _ctx: click.Context, _param: click.Parameter, incomplete: str
) -> "list[CompletionItem]":
    """Return the names that a shell completes."""
    from click.shell_completion import CompletionItem

    from rentbilling.schemas import SCHEMA_NAMES

    begun = incomplete.lower()
    return [CompletionItem(name) for name in SCHEMA_NAMES if name.lower().startswith(begun)]


@rentbilling.command()
@click.argument("name", required=False, shell_complete=_schema_names)
def schema(name: str | None) -> None:
    """Print a JSON schema (draft 2020-12) of what is read or written.

    NAME is a record such as LeaseTerms, BillingPolicy, or what is printed: BillingResult and
    PendingBill, with Full behind it for --full. Without NAME, the names are listed.
    """
    from rentbilling.json_text import write_json
    from rentbilling.schemas import SCHEMA_NAMES, schema_of

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
