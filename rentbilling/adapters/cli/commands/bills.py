"""The command `bills`: the bills that fall due in a period."""

from typing import TYPE_CHECKING, Any

import click

from rentbilling.adapters.cli.input.options import file_option, lease_options

if TYPE_CHECKING:
    from rentbilling.billing import BillingResult


@click.command()
@lease_options("Which bills, by their due date", "How the bills are printed.")
@click.option(
    "--full",
    is_flag=True,
    help="Also what a bill knows beyond the interface: items, kinds, shares, notices.",
)
@file_option(
    "--already-billed",
    "billed_files",
    multiple=True,
    help="Earlier bills of the lease as JSON, best with --full; may be given more than once. What"
    " they bill is not billed again; what has changed since is corrected, and what was missed made"
    " up, on the first bill of the period.",
)
@click.option(
    "--billed-since",
    metavar="DATE",
    help="The first due date that counts with --already-billed; by default the earliest one of"
    " those bills.",
)
def bills(
    form: str,
    billed_files: tuple[str, ...],
    billed_since: str | None,
    *,
    full: bool,
    **given: Any,  # noqa: ANN401 - options by name
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
    needs --indices, and --assume-index for days after their last value. `rentbilling adjustments`
    prints the adjustments.

    \b
    Month by month, with what has changed since:
      rentbilling bills lease.json --period 2026-01 --format json --full > jan.json
      rentbilling bills lease.json --period 2026-02 --already-billed jan.json

    Bills go to standard output; notices and problems, a line each, to standard error.
    """  # noqa: D301 - click reads the escapes
    from rentbilling.adapters.cli.input.arguments import day_in, refuse_second_reader
    from rentbilling.adapters.cli.input.bill_files import earlier_bills, refusing_earlier
    from rentbilling.adapters.cli.input.lease_files import question_of
    from rentbilling.adapters.cli.output.printing import printed, say_notices
    from rentbilling.billing import pending_bills
    from rentbilling.codec import csv_of, dumps

    files = (given["file"], given["policy_file"], *given["index_files"], *billed_files)
    refuse_second_reader(files)
    since = day_in(billed_since, "--billed-since")
    if since is not None and not billed_files:
        raise click.UsageError("--billed-since has no effect without --already-billed.")

    def table(found: "BillingResult") -> str:
        # JSON and CSV need no terminal.
        from rentbilling.adapters.cli.output.terminal import Terminal
        from rentbilling.billing.wire import bill_tables

        return bill_tables(found, Terminal(), full=full)

    with question_of(**given) as question:
        terms, period, policy, indices = question
        earlier = [earlier_bills(each, policy) for each in billed_files]
        with refusing_earlier(billed_files):
            result = pending_bills(
                terms,
                period,
                policy=policy,
                indices=indices,
                already_billed=earlier or None,
                billed_since=since,
            )
        printed(
            form,
            result,
            json=lambda found: dumps(found, full=full),
            csv=lambda found: csv_of(found, full=full),
            table=table,
            nothing=f"No bills in {period}.",
        )
    say_notices(result.notices)
