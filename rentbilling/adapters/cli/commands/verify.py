"""The command `verify`: is a bill right, by its own figures or compared with those expected?

Laws: findings and differences go to stdout, and the exit code says whether there are any.
"""

import re
from decimal import Decimal
from typing import TYPE_CHECKING, Final

import click

from rentbilling.adapters.cli.input.options import FOUND, FileName, file_option, lease_options

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rentbilling.checks import Ignored, Match
    from rentbilling.policy import BillingPolicy

_MATCHES: Final = ("product", "period", "order")
_AMOUNT: Final = re.compile(r"[0-9]{1,9}(\.[0-9]{1,6})?")
"""A tolerance: an amount from 0."""


def _tolerance(_ctx: click.Context, _param: click.Parameter, value: str | None) -> Decimal | None:
    if value is not None and not _AMOUNT.fullmatch(value):
        raise click.BadParameter("write an amount from 0, such as 0.05.")
    return None if value is None else Decimal(value)


@click.command()
@lease_options(
    "With --against: which bills are expected, by their due date",
    "How it is printed.",
    "table json github junit",
    needs_period=False,
)
@click.option(
    "--against",
    "lease_file",
    type=FileName(),
    metavar="LEASE",
    help="Terms of a lease as JSON, whose bills are expected.",
)
@file_option(
    "--map",
    "map_file",
    help="FILE is a table of bills; the TOML of this option says below [bill] which column is which"
    ' field, such as net_price = "Netto", and below [format] how dates and numbers are written.',
)
@click.option(
    "--match",
    type=click.Choice(_MATCHES),
    help="With --against: how lines find each other. product (the default): by product, and"
    " accounting period where both sides have it; period: by both always; order: by their order.",
)
@click.option(
    "--ignore",
    "ignored",
    type=click.Choice(("due-date",)),
    multiple=True,
    callback=lambda _ctx, _param, words: tuple(each.replace("-", "_") for each in words),
    help="With --against: what is not compared. due-date: bills are matched by the days of their"
    " lines, whenever they fall due.",
)
@click.option(
    "--diagnose",
    is_flag=True,
    help="With --against: look for the cause, by computing VAT and bills in other ways.",
)
@click.option(
    "--tolerance",
    callback=_tolerance,
    metavar="AMOUNT",
    help="By how much the VAT of a rate may be off and be no error, such as 0.05.",
)
def verify(
    file: str,
    asked: str | None,
    index_files: tuple[str, ...],
    assumed_rate: str | None,
    form: str,
    policy_file: str | None,
    lease_file: str | None,
    map_file: str | None,
    match: "Match | None",
    ignored: "tuple[Ignored, ...]",
    tolerance: Decimal | None,
    *,
    diagnose: bool,
) -> None:
    """Check bills that were made elsewhere: are they right?

    FILE holds bills as JSON: an object with the list as "bills", a list of bills, one bill, or a
    bill on each line; or it is the Parquet file of `bill-run`. A table in CSV or Excel has a row
    for each line, in the columns of `bills --format csv --full` or with --map in its own. An
    invoice of EN 16931 may be UBL or CII. `-` reads standard input.

    Without --against each bill is checked by its figures: net prices against quantity and price,
    VAT totals against the lines of their rate, sums against their parts, lines that repeat each
    other. With --against the bills of a lease are computed, and FILE is compared with them, line by
    line and figure by figure; of the bills of many leases, those with the id of the lease.

    \b
    table   for people
    json    every finding or difference with all of its fields, and counts
    github  an annotation for each finding or difference, in a workflow of GitHub
    junit   a test case for each bill, as CI servers read them

    Exit codes: 0 no error and no difference (warnings and information may be printed), 1 what was
    handed in is refused, 2 the command is not well formed, 3 errors or differences were found.
    """  # noqa: D301 - click reads the escapes
    from rentbilling.adapters.cli.input.arguments import policy_in, refuse_second_reader

    refuse_second_reader(
        (file, lease_file, map_file, policy_file, *index_files), among="FILE, --against"
    )
    if lease_file is None:
        alone = {
            "--period": asked,
            "--indices": index_files,
            "--assume-index": assumed_rate,
            "--match": match,
            "--ignore": ignored,
            "--diagnose": diagnose,
        }
        for name, given in alone.items():
            if given:
                raise click.UsageError(f"{name} has no effect without --against.")
        is_right = _checked((file, map_file), form, policy_in(policy_file), tolerance)
    else:
        if asked is None:
            raise click.UsageError("--against needs --period: which bills are expected.")
        if tolerance is not None:
            raise click.UsageError("--tolerance has no effect with --against: figures are exact.")
        lease = (lease_file, asked, policy_file, index_files, assumed_rate)
        is_right = _compared(
            (file, map_file), form, lease, match or "product", ignored, diagnose=diagnose
        )
    if not is_right:
        raise click.exceptions.Exit(FOUND)


def _checked(
    file: tuple[str, str | None],
    form: str,
    policy: "BillingPolicy | None",
    tolerance: Decimal | None,
) -> bool:
    """Print what the check of each bill finds, and return whether none has an error."""
    from rentbilling.adapters.cli.input.bill_files import bill_table_in, given_bills
    from rentbilling.adapters.cli.output import ci_reports
    from rentbilling.adapters.cli.output.checks import check_data, check_table
    from rentbilling.adapters.cli.output.printing import printed
    from rentbilling.checks import check_bill
    from rentbilling.policy import policy_of

    slack = tolerance or Decimal(0)
    name, mapping = file
    checked = [
        (
            given,
            check_bill(given.data, policy=policy, tolerance=slack)
            if given.unreadable is None
            else given.unreadable.findings(),
        )
        for given in given_bills(name, policy_of(policy), bill_table_in(mapping))
    ]
    printed(
        form,
        checked,
        json=check_data,
        table=check_table,
        others={
            "github": lambda found: ci_reports.github_text(ci_reports.checked_cases(found), name),
            "junit": lambda found: ci_reports.junit_text(ci_reports.checked_cases(found), name),
        },
        nothing="No bills to check.",
    )
    return all(result.is_consistent for _, result in checked)


def _compared(
    file: tuple[str, str | None],
    form: str,
    lease: "tuple[str, str, str | None, Iterable[str], str | None]",
    match: "Match",
    ignored: "tuple[Ignored, ...]",
    *,
    diagnose: bool,
) -> bool:
    """Print how bills differ from those of a lease, and return whether none does."""
    from rentbilling.adapters.cli.input.bill_files import bill_table_in, stated_bills
    from rentbilling.adapters.cli.input.lease_files import question_of
    from rentbilling.adapters.cli.output import ci_reports
    from rentbilling.adapters.cli.output.comparisons import (
        bill_pairs,
        comparison_data,
        comparison_table,
    )
    from rentbilling.adapters.cli.output.printing import printed, say_notices
    from rentbilling.billing import pending_bills
    from rentbilling.checks import compare_bills
    from rentbilling.policy import policy_of

    with question_of(*lease) as (terms, period, policy, indices):
        expected = pending_bills(terms, period, policy=policy, indices=indices)
    name, table = file[0], bill_table_in(file[1])
    stated, actual = stated_bills(name, policy_of(expected.policy), expected.lease_id, table)
    found = compare_bills(expected, stated, match=match, ignore=ignored, diagnose=diagnose)
    pairs = [*bill_pairs(found, expected.bills, actual, stated)]
    equal = sum(pair.group is None for pair in pairs)
    printed(
        form,
        found,
        json=lambda comparison: comparison_data(comparison, actual, equal),
        table=lambda comparison: comparison_table(pairs, comparison, match, diagnose=diagnose),
        others={
            "github": lambda _: ci_reports.github_text(ci_reports.compared_cases(pairs), name),
            "junit": lambda _: ci_reports.junit_text(ci_reports.compared_cases(pairs), name),
        },
    )
    say_notices(expected.notices)
    return found.is_equal
