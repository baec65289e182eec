"""The command `bill-run`: the leases of a file become a file of bills.

Laws: nothing of the core is loaded before the command is known to be well formed; the summary goes
to stdout, everything else to stderr; a run that is refused leaves nothing half-written under a name
that was asked for.
What does not live here: the run (`adapters.bill_runs`).
"""

from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

import click

from rentbilling.adapters.cli.inputs import (
    day_in,
    indices_in,
    period_in,
    policy_in,
    refuse_second_reader,
)
from rentbilling.adapters.cli.options import FOUND, INDICES, PERIODS, FileName
from rentbilling.adapters.cli.service_databases import extras
from rentbilling.adapters.cli.streams import Refusal, refusing, say, write_text
from rentbilling.adapters.progress import progress_bar

if TYPE_CHECKING:
    from rentbilling.adapters.bill_runs import RunReport

_MOST_WORKERS: Final = 1024
_PER_MILLE: Final = 1000


def _moment(_ctx: click.Context, _param: click.Parameter, value: str | None) -> datetime | None:
    """Return a moment with its offset; anything else is a usage error."""
    if value is None:
        return None
    try:
        found = datetime.fromisoformat(value)
    except ValueError:
        found = None
    if found is None or found.tzinfo is None:
        said = "write a moment with its offset, such as 2026-01-31T12:00:00Z."
        raise click.BadParameter(said)
    return found


@click.command("bill-run")
@click.argument("leases", type=FileName(), metavar="LEASES")
@click.option(
    "--period",
    "asked",
    required=True,
    metavar="PERIOD",
    help=f"Which bills, by their due date{PERIODS}",
)
@click.option("--out", required=True, type=FileName(), metavar="FILE", help="The file of bills.")
@click.option(
    "--problems",
    type=FileName(),
    metavar="FILE",
    help="The Parquet file of the leases that cannot be billed; by default beside the bills:"
    " bills.problems.parquet.",
)
@click.option(
    "--adjustments",
    type=FileName(),
    metavar="FILE",
    help="Write the rent adjustments too: a Parquet file.",
)
@click.option(
    "--notices",
    type=FileName(),
    metavar="FILE",
    help="Write the notices too, such as an index that was not published: a Parquet file.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["parquet", "csv", "jsonl", "ics"]),
    default="parquet",
    show_default=True,
    help="parquet: a row for each bill, with its lines; csv: a row for each line, as `bills --full`"
    " has it; jsonl: a bill on each line; ics: the due dates as a calendar (iCalendar).",
)
@click.option(
    "--workers",
    type=click.IntRange(1, _MOST_WORKERS),
    default=1,
    show_default=True,
    help="How many processes make the bills.",
)
@click.option(
    "--engine",
    type=click.Choice(["local", "dask"]),
    default="local",
    show_default=True,
    help="Who makes the bills: processes of this machine, or a Dask cluster that is there already.",
)
@click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="With --engine dask: the address of its scheduler, such as tcp://cluster:8786.",
)
@click.option(
    "--indices", "index_files", type=FileName(), multiple=True, metavar="FILE", help=INDICES
)
@click.option(
    "--policy",
    "policy_file",
    type=FileName(),
    metavar="FILE",
    help="A billing policy as JSON; see `rentbilling schema BillingPolicy`.",
)
@click.option(
    "--already-billed",
    type=FileName(),
    metavar="FILE",
    help="Earlier bills, a Parquet file of this command. What they bill is not billed again, and"
    " what has changed since is corrected; each lease must have an id.",
)
@click.option(
    "--billed-since",
    metavar="DATE",
    help="The first due date that counts beside --already-billed.",
)
@click.option(
    "--on-problem",
    type=click.Choice(["table", "raise"]),
    default="table",
    show_default=True,
    help="A lease that cannot be billed is a row of the problems, or stops the run.",
)
@click.option(
    "--extra-columns",
    type=click.Choice(["refuse", "ignore"]),
    default="refuse",
    show_default=True,
    help="What becomes of columns that no lease has.",
)
@click.option(
    "--stamp",
    callback=_moment,
    metavar="MOMENT",
    help="With --format ics: when the bills were made (DTSTAMP); by default midnight UTC of each"
    " due date, because no clock is asked.",
)
@click.option("--afresh", is_flag=True, help="Throw away what a run that was killed has done.")
def bill_run(asked: str, form: str, **given: Any) -> None:  # noqa: ANN401 - options by name
    """Bill all leases of a file, and write the bills to another.

    LEASES is a Parquet or Arrow file with a row for each lease, or a folder of Parquet files; its
    columns are those of LEASE_SCHEMA, see `help(rentbilling.portfolio)`.

    What is done is kept beside the bills in a folder, `bills.parquet.parts`, until all of it is: a
    run that was killed goes on from there when the same command is given again, and the files are
    the same to the byte. They have their names when they are whole. Parts of another run are
    refused; --afresh throws them away.

    \b
    Try it:
      rentbilling bill-run leases.parquet --period 2026-03 --out march.parquet --workers 2
      rentbilling bill-run leases.parquet --period 2026-04 --out april.parquet \\
          --already-billed march.parquet

    Exit codes: 0 fine, 1 what was handed in is refused or a file cannot be written, 2 the command
    is not well formed, 3 some leases have problems and are not billed, 130 interrupted.
    """  # noqa: D301 - click reads the escapes
    refuse_second_reader((given["policy_file"], *given["index_files"]))
    if given["stamp"] is not None and form != "ics":
        raise click.UsageError("--stamp says nothing without --format ics.")
    if given["billed_since"] is not None and given["already_billed"] is None:
        raise click.UsageError("--billed-since says nothing without --already-billed.")
    on_cluster = given.pop("engine") == "dask"
    if on_cluster != (given["scheduler"] is not None):
        raise click.UsageError("--engine dask and --scheduler need each other.")
    if on_cluster and given["workers"] > 1:
        raise click.UsageError(
            "--workers says nothing with --engine dask: the cluster has its own."
        )
    policy = policy_in(given.pop("policy_file"))
    given |= {
        "period": period_in(asked, policy),
        "policy": policy,
        "billed_since": day_in(given["billed_since"], "--billed-since"),
        "indices": indices_in(given.pop("index_files")),
        "form": form,
    }
    with extras():
        report = _report(given)
    if report.kept:
        say(f"Parts of an earlier run that were kept: {report.kept} of {report.parts}.")
    write_text(_told(report))
    if report.summary.with_problems:
        raise click.exceptions.Exit(FOUND)


def _report(given: dict[str, Any]) -> "RunReport":
    """Return what came of the run, or refuse it."""
    from rentbilling.adapters.bill_runs import run_bills
    from rentbilling.adapters.bill_runs.engines import WorkerDiedError, on_dask

    scheduler = given.pop("scheduler")
    engine = None if scheduler is None else on_dask(scheduler)
    try:
        with refusing(given["leases"]), progress_bar("leases") as bar:
            return run_bills(**given, engine=engine, progress=bar)
    except OSError as error:
        name = error.filename if isinstance(error.filename, str) else given["out"]
        raise Refusal(name, [error.strerror or str(error)]) from None
    except WorkerDiedError as error:
        raise Refusal(given["out"], [str(error)]) from None


def _told(report: "RunReport") -> str:
    """Return the summary of a run, and which share of it the slower engine made."""
    share = report.summary.scalar_share
    mille = (2 * _PER_MILLE * share.numerator + share.denominator) // (2 * share.denominator)
    whole, tenth = divmod(mille, 10)
    return (
        f"{report.summary}\nbilled one by one, by the engine for single leases: {whole}.{tenth} %\n"
    )
