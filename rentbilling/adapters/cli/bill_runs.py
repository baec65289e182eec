"""The command `bill-run`: the leases of a file become a file of bills.

Laws: nothing of the core is loaded before the command is known to be well formed; the summary goes
to stdout, everything else to stderr; a run that is refused leaves nothing half-written under a name
that was asked for.
"""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import click

from rentbilling.adapters.bill_forms import SUFFIXES, Form
from rentbilling.adapters.cli.inputs import (
    day_in,
    indices_in,
    period_in,
    policy_in,
    refuse_second_reader,
)
from rentbilling.adapters.cli.options import FOUND, INDICES, PERIODS, FileName
from rentbilling.adapters.cli.run_reports import (
    billed,
    checked,
    prepare,
    refuse_no_folder,
    told,
    write_summary,
)
from rentbilling.adapters.cli.service_databases import extras
from rentbilling.adapters.cli.streams import STDIN, write_text

_MOST_WORKERS: Final = 1024
_LARGEST_PART: Final = 1_000_000


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


def _print_columns(ctx: click.Context, _param: click.Parameter, wanted: object) -> None:
    if not wanted or ctx.resilient_parsing:
        return
    with extras():
        from rentbilling.portfolio import LEASE_SCHEMA
    write_text("".join(f"{line}\n" for field in LEASE_SCHEMA for line in _column_lines(field)))
    ctx.exit()


def _column_lines(field: Any, indent: str = "") -> Iterator[str]:  # noqa: ANN401 - pyarrow has no types
    """Give the lines about a column and what is in it."""
    kind, word = field.type, str(field.type)
    if word.startswith("list<"):
        kind, word = kind.value_type, "list of"
        if not kind.num_fields:
            word = f"list of {kind}"
    if kind.num_fields:
        word = f"{word} struct" if word == "list of" else "struct"
    yield f"{indent}{field.name}: {word}"
    for at in range(kind.num_fields):
        yield from _column_lines(kind.field(at), f"{indent}  ")


@click.command("bill-run")
@click.argument("leases", type=FileName(), metavar="LEASES")
@click.option(
    "--columns",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_columns,
    help="Print the columns that LEASES may have, with their Arrow types, and exit.",
)
@click.option(
    "--period",
    "asked",
    required=True,
    metavar="PERIOD",
    help=f"Which bills, by their due date{PERIODS}",
)
@click.option(
    "--out", type=FileName(), metavar="FILE", help="The file of bills; required but with --check."
)
@click.option(
    "--check",
    is_flag=True,
    help="Bill everything and write nothing: tells the problems, a line each, and the summary.",
)
@click.option(
    "--summary",
    "summary_file",
    type=FileName(),
    metavar="FILE",
    help="Write the summary for machines too: a JSON file.",
)
@click.option(
    "--problems",
    type=FileName(),
    metavar="FILE",
    help="The Parquet file of the leases that cannot be billed; by default beside the bills:"
    " bills.problems.parquet, or bills.csv.problems.parquet where the bills are in bills.csv.",
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
    help="parquet: a row for each bill, with its lines; csv: a row for each line, as `bills --full`"
    " has it; jsonl: a bill on each line; ics: the due dates as a calendar (iCalendar). By default"
    " what the name of --out ends in: .parquet, .pq, .csv, .jsonl, .ndjson, .ics.",
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
    "--send-leases",
    is_flag=True,
    help="Read the leases here and send them to whoever makes the bills. By default they read a"
    " Parquet file themselves where its groups of rows are no larger than twice --part-size; on a"
    " cluster it must be there for every worker, under the same path.",
)
@click.option(
    "--part-size",
    type=click.IntRange(1, _LARGEST_PART),
    metavar="LEASES",
    help="Leases of a part, which is what is billed at a time and kept when the run stops: 8192 by"
    " default. Memory grows with it.",
)
@click.option(
    "--progress",
    type=click.Choice(["auto", "plain", "none"]),
    default="auto",
    show_default=True,
    help="auto: a bar where somebody watches; plain: lines, for logs.",
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
    multiple=True,
    metavar="FILE",
    help="Earlier bills, a Parquet file of this command or a folder of them; may be given several"
    " times. Hand over all bills since a day, not last month's alone. What they bill is not billed"
    " again, and what has changed since is corrected; each lease must have an id. A bill that is"
    " given twice is refused.",
)
@click.option(
    "--billed-since",
    metavar="DATE",
    help="The first due date that counts beside --already-billed, for all leases: what was due"
    " since and is on no bill is made up, also for a lease that had a problem and was not billed."
    " By default each lease counts from its own first bill.",
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
def bill_run(asked: str, form: Form | None, **given: Any) -> None:  # noqa: ANN401 - options by name
    """Bill all leases of a file, and write the bills to another.

    LEASES is a Parquet or Arrow file with a row for each lease, or a folder of Parquet files, also
    in sub-folders, all of which are looked at before the first lease is billed; --columns prints
    the columns that they may have.

    What is done is kept beside the bills in a folder, `bills.parquet.parts`, until all of it is: a
    run that was killed goes on from there when the same command is given again, and the files are
    the same to the byte. They have their names when they are whole. Parts of another run are
    refused; --afresh throws them away. A folder of that name with anything else in it is refused.

    \b
    Try it:
      rentbilling bill-run leases.parquet --period 2026-03 --check
      rentbilling bill-run leases.parquet --period 2026-03 --out march.parquet --workers 2
      rentbilling bill-run leases.parquet --period 2026-04 --out bills/2026-04.parquet \\
          --already-billed bills --billed-since 2026-01-01

    Exit codes: 0 fine, 1 what was handed in is refused or a file cannot be written, 2 the command
    is not well formed, 3 some leases have problems and are not billed, 130 interrupted.
    """  # noqa: D301 - click reads the escapes
    written = _form_asked(form, given)
    _refuse_what_says_nothing(written, given)
    refuse_second_reader((given["policy_file"], *given["index_files"]))
    del given["engine"]
    is_check, summary_file = given.pop("check"), given.pop("summary_file")
    if summary_file is not None:
        refuse_no_folder(summary_file)
    prepare(given["workers"])
    policy = policy_in(given.pop("policy_file"))
    given |= {
        "period": period_in(asked, policy),
        "policy": policy,
        "billed_since": day_in(given["billed_since"], "--billed-since"),
        "indices": indices_in(given.pop("index_files")),
    }
    if given["part_size"] is None:
        del given["part_size"]
    with extras():
        summary = checked(given) if is_check else billed(given, written)
    if summary_file is not None:
        write_summary(summary_file, summary)
    write_text(told(summary))
    if summary.with_problems:
        raise click.exceptions.Exit(FOUND)


def _form_asked(form: Form | None, given: dict[str, Any]) -> Form:
    """Return the form of the bills; one that nothing tells is a usage error."""
    if given["check"]:
        for name in ("out", "problems", "adjustments", "notices", "stamp"):
            if given[name] is not None:
                raise click.UsageError(f"--{name} says nothing with --check, which writes nothing.")
        if form is not None or given["afresh"] or given["on_problem"] != "table":
            said = "--format, --afresh and --on-problem say nothing with --check."
            raise click.UsageError(said)
        return "parquet"
    if given["out"] is None:
        raise click.UsageError("Missing option '--out', or --check.")
    found = form or SUFFIXES.get(Path(given["out"]).suffix.lower())
    if found is None:
        said = f"the name ends in none of {', '.join(SUFFIXES)}: rename it, or give --format."
        raise click.BadParameter(said, param_hint="'--out'")
    return found


def _refuse_what_says_nothing(form: str, given: dict[str, Any]) -> None:
    """Refuse options that would say nothing, before a file is looked for."""
    if given["leases"] == STDIN:
        said = "is a file or a folder: a run that is begun again has to find the leases there."
        raise click.BadParameter(said, param_hint="'LEASES'")
    if given["stamp"] is not None and form != "ics":
        raise click.UsageError("--stamp says nothing without --format ics.")
    if given["billed_since"] is not None and not given["already_billed"]:
        raise click.UsageError("--billed-since says nothing without --already-billed.")
    on_cluster = given["engine"] == "dask"
    if on_cluster != (given["scheduler"] is not None):
        raise click.UsageError("--engine dask and --scheduler need each other.")
    if on_cluster and given["workers"] > 1:
        raise click.UsageError(
            "--workers says nothing with --engine dask: the cluster has its own."
        )
    if given["send_leases"] and not on_cluster and given["workers"] == 1:
        raise click.UsageError("--send-leases says nothing without --workers or --engine dask.")
