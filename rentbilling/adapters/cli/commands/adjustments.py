"""The command `adjustments`: the rent adjustments that fall in a period."""

from typing import Any

import click

from rentbilling.adapters.cli.input.options import lease_options


@click.command()
@lease_options("Which adjustments, by their day", "How the adjustments are printed.")
@click.option(
    "--full",
    is_flag=True,
    help="Also amounts of a year in the table, and in JSON what an adjustment knows beyond the"
    " interface: plan, item, percentage applied, reasons, notices.",
)
def adjustments(form: str, *, full: bool, **given: Any) -> None:  # noqa: ANN401 - options by name
    """Print the rent adjustments that fall in a period.

    FILE holds the terms of a lease with rent adjustment plans as JSON; `-` reads them from standard
    input. `rentbilling example --with-index` prints one.

    Amounts are those of one billing period, before discount: a month's rent where rent is billed by
    the month. The first adjustments of a lease decide the later ones, so the index series must
    reach back to them. --assume-index continues it after its last value.

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
    from rentbilling.adapters.cli.input.arguments import refuse_second_reader
    from rentbilling.adapters.cli.input.lease_files import question_of
    from rentbilling.adapters.cli.output.flows import flow_csv
    from rentbilling.adapters.cli.output.printing import printed, say_notices
    from rentbilling.adapters.cli.output.terminal import Terminal
    from rentbilling.adjustments import rent_adjustments
    from rentbilling.codec import dumps
    from rentbilling.terms import adjustment_table

    refuse_second_reader((given["file"], given["policy_file"], *given["index_files"]))
    with question_of(**given) as question:
        terms, period, policy, indices = question
        result = rent_adjustments(terms, period, indices=indices, policy=policy)
        printed(
            form,
            result,
            json=lambda found: dumps(found, full=full),
            csv=flow_csv,
            table=lambda found: adjustment_table(found, Terminal(), full=full),
            nothing=f"No adjustments in {period}.",
        )
    say_notices(result.notices)
