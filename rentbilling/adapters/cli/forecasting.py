"""The commands `whatif` and `forecast`: what would be different, and what is to come.

Laws: nothing of the core is loaded before the command is known to be well formed; figures go to
stdout, everything said about them to stderr, and only then a picture is drawn; it is refused before
anything is computed where it could not be made.
"""

from typing import TYPE_CHECKING, Final

import click

from rentbilling.adapters.cli.forecast_inputs import (
    assumed,
    assumed_rate_in,
    day_in,
    draw,
    earliest_of,
    leases_in,
    naming_assumptions,
    plots_for,
)
from rentbilling.adapters.cli.inputs import (
    indices_in,
    period_in,
    policy_in,
    refuse_second_reader,
)
from rentbilling.adapters.cli.options import INDICES, PERIODS, FileName, say_notices
from rentbilling.adapters.cli.scenario_words import WORDS, scenarios_in, usage_of
from rentbilling.adapters.cli.streams import refusing, say, write_data, write_text
from rentbilling.adapters.cli.words import counted
from rentbilling.adapters.progress import progress_bar

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import date
    from decimal import Decimal

    from rentbilling.indices.series import IndexSeries
    from rentbilling.policy import BillingPolicy
    from rentbilling.tables.columns import Table
    from rentbilling.terms.lease_terms import LeaseTerms
    from rentbilling.values.notice import Notice
    from rentbilling.whatif.forecast import Forecast

_MOST_YEARS: Final = 200
_DAYS_DRAWN: Final = 1_100
"""A picture of three years has a place for each month, one of more for each year."""

_files = click.argument("files", type=FileName(), nargs=-1, required=True, metavar="FILE|-...")
_index_files = click.option(
    "--indices", "index_files", type=FileName(), multiple=True, metavar="FILE", help=INDICES
)
_assume = click.option(
    "--assume-index",
    "assumed_rate",
    metavar="RATE",
    help="Index series go on at this rate a year after their last value: 2% or 0.02. What rests on"
    " such a value is said.",
)
_form = click.option(
    "--format",
    "form",
    type=click.Choice(["table", "json", "csv"]),
    default="table",
    show_default=True,
    help="How the sums are printed.",
)
_policy = click.option(
    "--policy",
    "policy_file",
    type=FileName(),
    metavar="FILE",
    help="A billing policy as JSON; see `rentbilling schema BillingPolicy`.",
)
_plot = click.option(
    "--plot",
    "plot_file",
    type=FileName(),
    metavar="FILE",
    help="Also draw a picture: png, svg or pdf, by the end of the name; of several currencies one"
    " each. Needs the extra notebook.",
)


@click.command(
    epilog="\b\nChanges of a scenario, by the functions of the library of the same name:\n"
    + "\n".join(f"  {usage_of(word)}" for word in WORDS)
)
@_files
@click.option(
    "--scenario",
    "texts",
    multiple=True,
    required=True,
    metavar="TEXT",
    help="What would be different, such as 'raise-rent 3% on 2027-01-01 | cap 4%'; each one is a"
    " run of its own. 'Cheaper: cap 3%' has a name.",
)
@click.option(
    "--period", "asked", required=True, metavar="PERIOD", help=f"Bills that fall due in it{PERIODS}"
)
@_index_files
@_assume
@click.option(
    "--by",
    "groups",
    type=click.Choice(["month", "year", "product", "item", "lease"]),
    multiple=True,
    help="A row for each of them, not only for the whole period; may be given more than once.",
)
@click.option(
    "--of",
    "measure",
    type=click.Choice(["gross", "net", "vat"]),
    default="gross",
    show_default=True,
    help="Which figure is compared.",
)
@_form
@_policy
@_plot
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

    \b
    table  for people: as it is, under the scenario, and the change
    json   {"period", "scenarios": [name, changed: how many leases], "differences": [...]}
    csv    a row for each difference: scenario, the groups, currency, baseline, amount,
           change

    Differences go to standard output; notices and problems, a line each, to standard error.
    """  # noqa: D301 - click reads the escapes
    refuse_second_reader((*files, policy_file, *index_files))
    rate, scenarios = assumed_rate_in(assumed_rate), scenarios_in(texts)
    policy = policy_in(policy_file)
    period = period_in(asked, policy)
    plots = plots_for(plot_file)
    leases = leases_in(files, policy)
    series = indices_in(index_files)
    from rentbilling.whatif.comparison import what_if

    with (
        refusing(_source(files)),
        naming_assumptions(series, rate, "the run as it is and to every scenario"),
        progress_bar("leases") as bar,
    ):
        indices = assumed(series, rate, period.end.year)
        answer = what_if(
            leases, *scenarios, period=period, indices=indices, policy=policy, progress=bar
        )
        differences = answer.differences(groups, of=measure)  # type: ignore[arg-type]
    told = [{"name": run.name, "changed": run.changed} for run in answer.variants]
    _print(differences, form, {"period": str(answer.period), "scenarios": told}, "differences")
    runs = (answer.baseline, *answer.variants)
    _say_notices(notice for run in runs for each in run.results for notice in each.notices)
    for run in answer.variants:
        if not run.changed:
            say(f"Notice: {run.name}: changes nothing of these leases")
    if plots is not None and plot_file is not None:
        per = "year" if "year" in groups or period.days > _DAYS_DRAWN else "month"
        table = answer.side_by_side(per, of=measure)  # type: ignore[arg-type]
        draw(
            plot_file,
            table.rows(),
            lambda currency: plots.against_baseline(table, currency=currency),
        )


def _source(files: "Sequence[str]") -> str:
    return files[0] if len(files) == 1 else f"{len(files)} files"


@click.command()
@_files
@click.option(
    "--years",
    type=click.IntRange(1, _MOST_YEARS),
    default=30,
    show_default=True,
    help="So many years from the start.",
)
@click.option(
    "--start",
    metavar="DATE",
    help="The first day, such as 2027-01-01; by default the first day that is paid for.",
)
@_index_files
@_assume
@click.option(
    "--by",
    "group",
    type=click.Choice(["year", "month", "product", "item"]),
    default="year",
    show_default=True,
    help="What there is a row for; months and years are those of the due date.",
)
@_form
@_policy
@_plot
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
    the last published one. What rests on them stands in a column of its own.

    \b
    table  for people: net, VAT, gross, and how much of the gross rests on assumed
           index values
    json   {"start", "years", "assumedFrom", "cashFlow": [...]}
    csv    a row for each year (or what --by asks for): currency, net, vat, gross,
           assumed_gross

    --plot draws what each item costs over time, with every adjustment marked; it takes one lease.

    Sums go to standard output; notices and problems, a line each, to standard error.
    """  # noqa: D301 - click reads the escapes
    refuse_second_reader((*files, policy_file, *index_files))
    if plot_file is not None and len(files) > 1:
        raise click.UsageError("--plot draws the rents of one lease; give one FILE.")
    rate, first = assumed_rate_in(assumed_rate), day_in(start)
    policy = policy_in(policy_file)
    plots = plots_for(plot_file)
    leases = leases_in(files, policy)
    series = indices_in(index_files)
    from rentbilling.adapters.cli.flow_rows import joined_flows

    with refusing(_source(files)), naming_assumptions(series, rate, "the years to come"):
        made = _forecasts(leases, years, first or earliest_of(leases), (series, rate, policy))
    since = min((each.assumed_from for each in made if each.assumed_from), default=None)
    told = {"start": made[0].period.start, "years": years, "assumedFrom": since}
    flow = joined_flows([each.cash_flow(group) for each in made])  # type: ignore[arg-type]
    _print(flow, form, told, "cashFlow")
    _say_notices(notice for each in made for notice in each.notices)
    if plots is not None and plot_file is not None:
        draw(
            plot_file,
            made[0].rents().rows(),
            lambda currency: plots.rent_over_time(made[0], currency=currency),
        )


def _forecasts(
    leases: "Sequence[LeaseTerms]",
    years: int,
    start: "date | None",
    given: "tuple[Sequence[IndexSeries], Decimal | None, BillingPolicy | None]",
) -> "list[Forecast]":
    """Return the forecasts of all leases, from the same day on."""
    from rentbilling.whatif.forecast import forecast as forecasted

    series, rate, policy = given
    indices = assumed(series, rate, (0 if start is None else start.year) + years)
    made = []
    with progress_bar("leases") as bar:
        for done, lease in enumerate(leases, 1):
            made.append(forecasted(lease, years=years, start=start, indices=indices, policy=policy))
            bar(done, len(leases))
    return made


def _print(table: "Table", form: str, told: "Mapping[str, object]", name: str) -> None:
    """Print rows in the form that was asked for."""
    from rentbilling.adapters.cli.flow_rows import flow_csv, flow_data

    if form == "json":
        from rentbilling.records.json_text import write_json

        write_data(write_json({**told, name: flow_data(table)}) + "\n")
    elif form == "csv":
        write_data(flow_csv(table))
    elif table:
        from rentbilling.adapters.cli.flow_tables import flow_text

        write_text(flow_text(table))
    else:
        say("No bills in these days.")


def _say_notices(notices: "Iterable[Notice]") -> None:
    """Say what a person should look at: of those that differ in facts alone, the first."""
    # Runs that are alike in something have the same notices.
    alike: dict[tuple[str, str | None], list[Notice]] = {}
    for notice in dict.fromkeys(notices):
        alike.setdefault((notice.code, notice.item_id), []).append(notice)
    for first, *more in alike.values():
        say_notices([first])
        if more:
            say(f"        and {counted(len(more), 'more notice')} like this one")
