"""The command `whatif`: what bills come to under scenarios, and what differs."""

from typing import TYPE_CHECKING, Final

import click

from rentbilling.adapters.cli.input import options
from rentbilling.adapters.cli.input.scenarios import WORDS, scenarios_in, usage_of
from rentbilling.adapters.cli.streams import refusing, say
from rentbilling.adapters.progress import progress_bar

if TYPE_CHECKING:
    from rentbilling.tables import Table
    from rentbilling.whatif import WhatIf

_DAYS_DRAWN: Final = 1_100
"""A picture of three years has a place for each month, one of more for each year."""


@click.command(
    epilog="\b\nChanges of a scenario, by the functions of the library of the same name:\n"
    + "\n".join(f"  {usage_of(word)}" for word in WORDS)
)
@options.files_argument()
@click.option(
    "--scenario",
    "texts",
    multiple=True,
    required=True,
    metavar="TEXT",
    help="What would be different, such as 'raise-rent 3% on 2027-01-01 | cap 4%'; each one is a"
    " run of its own. 'Cheaper: cap 3%' has a name.",
)
@options.period_option("Bills that fall due in it")
@options.indices_option()
@options.assume_option()
@click.option(
    "--by",
    "groups",
    type=click.Choice(["month", "year", "product", "item", "lease"]),
    multiple=True,
    help="A row for each of them, not only for the whole period; may be given more than once.",
)
@options.choice_option("--of", "gross net vat", "Which figure is compared.", "measure")
@options.form_option("How the sums are printed.")
@options.policy_option()
@options.plot_option()
def whatif(
    files: tuple[str, ...],
    texts: tuple[str, ...],
    asked: str,
    index_files: tuple[str, ...],
    assumed_rate: str | None,
    groups: tuple[str, ...],
    measure: str,
    form: str,
    policy_file: str | None,
    plot_file: str | None,
) -> None:
    """Print what bills come to as it is and under scenarios, and what differs.

    FILE holds the terms of a lease as JSON, as for `rentbilling bills`; `-` reads them from
    standard input. Several files are a portfolio, whose leases are billed together.

    A change without `on` acts from the first day of the period, and a notice says so; `on start` is
    for all of the past.

    \b
    table  for people: as it is, under the scenario, and the change
    json   {"period", "scenarios": [name, changed: how many leases], "differences": [...]}
    csv    a row for each difference: scenario, the groups, currency, baseline, amount,
           change

    Differences go to standard output; notices and problems, a line each, to standard error.
    """  # noqa: D301 - click reads the escapes
    from rentbilling.adapters.cli.input.arguments import period_in, policy_in, refuse_second_reader
    from rentbilling.adapters.cli.input.index_files import (
        assumed,
        assumed_rate_in,
        indices_in,
        naming_options,
    )
    from rentbilling.adapters.cli.input.lease_files import leases_in
    from rentbilling.adapters.cli.output.pictures import drawing
    from rentbilling.whatif import what_if

    refuse_second_reader((*files, policy_file, *index_files))
    rate, scenarios = assumed_rate_in(assumed_rate), scenarios_in(texts)
    policy = policy_in(policy_file)
    period = period_in(asked, policy)
    draw = drawing(plot_file)
    leases = leases_in(files, policy)
    series = indices_in(index_files)
    with (
        refusing(*files),
        naming_options(series, rate, "the run as it is and to every scenario"),
        progress_bar("leases") as bar,
    ):
        indices = assumed(series, rate, period.end.year)
        answer = what_if(
            leases, *scenarios, period=period, indices=indices, policy=policy, progress=bar
        )
        differences = answer.differences(groups, of=measure)  # type: ignore[arg-type]
    _print(answer, differences, form)
    if draw is not None:
        per = "year" if "year" in groups or period.days > _DAYS_DRAWN else "month"
        table = answer.side_by_side(per, of=measure)  # type: ignore[arg-type]
        draw(
            table.rows(),
            lambda plots, currency: plots.against_baseline(table, currency=currency),
        )


def _print(answer: "WhatIf", differences: "Table", form: str) -> None:
    from rentbilling.adapters.cli.output.flows import flow_csv, flow_data, flow_table
    from rentbilling.adapters.cli.output.printing import printed, say_notices_of_runs

    scenarios = [{"name": run.name, "changed": run.changed} for run in answer.variants]
    about = {"period": str(answer.period), "scenarios": scenarios}
    printed(
        form,
        differences,
        json=lambda table: {**about, "differences": flow_data(table)},
        csv=flow_csv,
        table=flow_table,
        nothing="No bills in these days.",
    )
    results = (each for run in (answer.baseline, *answer.variants) for each in run.results)
    say_notices_of_runs(notice for each in results for notice in each.notices)
    for remark in answer.effects:
        say(f"Notice: {remark}")
