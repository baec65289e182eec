"""The command `bill-run`: the leases of a file become a file of bills.

Laws: nothing of the core is loaded before the command is known to be well formed; the summary goes
to stdout, everything else to stderr; a run that is refused leaves nothing half-written under a name
that was asked for; an error names its file, and which parts of the run are stored.
"""

import os
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from rentbilling.adapters.bill_forms import SUFFIXES, Form
from rentbilling.adapters.cli.input import options
from rentbilling.adapters.cli.input.databases import extras
from rentbilling.adapters.cli.output.run_reports import (
    progress_of,
    refuse_no_folder,
    say_problems,
    say_where,
    summary_words,
    write_summary,
)
from rentbilling.adapters.cli.streams import STDIN, Refusal, refusing, say, write_text
from rentbilling.errors import RentBillingError

if TYPE_CHECKING:
    from rentbilling.adapters.file_runs.engines import Engine
    from rentbilling.portfolio.runs.summaries import RunSummary

_MOST_WORKERS: Final = 1024
_LARGEST_PART: Final = 1_000_000
_PRELOADED: Final = ("rentbilling.adapters.file_runs.bill_run", "pandas")
"""Where pandas is installed, Arrow loads it to see whether a list is a frame."""


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
@click.argument("leases", type=options.FileName(), metavar="LEASES")
@click.option(
    "--columns",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_columns,
    help="Print the columns that LEASES may have, with their Arrow types, and exit.",
)
@options.file_option(
    "--map",
    "map_file",
    help="LEASES is a flat table in CSV, with a row for each item. FILE is TOML that says which"
    ' column is which field, such as amount = "Rent" below [item], below [format] how dates and'
    " numbers are written, and below [rows] which rows are totals or vacant units.",
)
@options.period_option("Which bills, by their due date")
@options.file_option("--out", help="The file of bills; required unless --check is given.")
@options.check_option("Bill")
@options.file_option(
    "--summary",
    "summary_file",
    help="Write the summary for machines too: a JSON file.",
)
@options.file_option(
    "--problems",
    help="The file of the leases that cannot be billed: Parquet, CSV or lines of JSON, as its name"
    " ends. By default next to the bills and of their form: bills.problems.csv for bills.csv, and"
    " CSV for a calendar.",
)
@options.file_option(
    "--adjustments",
    help="Write the rent adjustments too: a Parquet file.",
)
@options.file_option(
    "--notices",
    help="Write the notices too, such as an index that was not published: a Parquet file.",
)
@options.file_option(
    "--history",
    help="Write what the next run needs to cost no more than this one: a Parquet file in the folder"
    " that is --already-billed then.",
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
@options.choice_option(
    "--engine",
    "local dask",
    "Who makes the bills: processes of this machine, or a Dask cluster that is there already.",
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
@options.progress_option()
@options.indices_option()
@options.policy_option()
@options.file_option(
    "--already-billed",
    multiple=True,
    help="Earlier bills, a Parquet file of this command or a folder of them; may be given several"
    " times. Hand over all bills since a day, not last month's alone. What they bill is not billed"
    " again, and what has changed since is corrected; each lease must have an id. A bill that is"
    " given twice is refused.",
)
@click.option(
    "--billed-since",
    metavar="DATE",
    help="The first due date that counts with --already-billed, for all leases: what was due"
    " since and is on no bill is made up, also for a lease that had a problem and was not billed."
    " By default each lease counts from its own first bill.",
)
@options.problem_options("billed")
@click.option(
    "--stamp",
    callback=_moment,
    metavar="MOMENT",
    help="With --format ics: when the bills were made (DTSTAMP); by default midnight UTC of each"
    " due date, because no clock is asked.",
)
@click.option("--afresh", is_flag=True, help="Throw away what a run that was killed has done.")
def bill_run(form: Form | None, **given: Any) -> None:  # noqa: ANN401 - options by name
    """Bill all leases of a file, and write the bills to another.

    LEASES is a Parquet or Arrow file with a row for each lease, or a folder of Parquet files, also
    in sub-folders, all of which are looked at before the first lease is billed; --columns prints
    the columns that they may have. With --map it is one's own table in CSV.

    Finished parts are saved in a folder next to the bills, `bills.parquet.parts`, until all are: a
    run that was killed goes on from there when the same command is given again, and the files are
    the same to the byte. They have their names when they are whole. Parts of another run are
    refused; --afresh throws them away. A folder of that name with anything else in it is refused.

    \b
    Try it:
      rentbilling bill-run leases.parquet --period 2026-03 --check
      rentbilling bill-run leases.parquet --period 2026-03 --out march.parquet --workers 2
      rentbilling bill-run leases.csv --map map.toml --period 2026-03 --out march.parquet
      rentbilling bill-run leases.parquet --period 2026-04 --out bills/2026-04.parquet \\
          --already-billed bills --billed-since 2026-01-01

    Exit codes: 0 fine, 1 what was handed in is refused or a file cannot be written, 2 the command
    is not well formed, 3 some leases have problems and are not billed, 130 interrupted.
    """  # noqa: D301 - click reads the escapes
    from rentbilling.adapters.cli.input.arguments import day_in, refuse_overwriting
    from rentbilling.adapters.cli.input.run_files import read_files, refuse_same_files

    written = _form_asked(form, given)
    _refuse_options_without_effect(written, given)
    del given["engine"]
    is_check, summary_file = given.pop("check"), given.pop("summary_file")
    refuse_same_files(given, (*(given[name] for name in _OF_FILES[:-1]), summary_file))
    refuse_overwriting([given["leases"]], [summary_file])
    if summary_file is not None:
        refuse_no_folder(summary_file)
    _prepare(given["workers"])
    given["billed_since"] = day_in(given["billed_since"], "--billed-since")
    read_files(given)
    if given["part_size"] is None:
        del given["part_size"]
    with extras():
        summary, problems = (_checked(given), None) if is_check else _billed(given, written)
    if summary_file is not None:
        write_summary(summary_file, summary)
    write_text(summary_words(summary))
    say_where(problems, summary.with_problems)
    if summary.with_problems:
        raise click.exceptions.Exit(options.FOUND)


_OF_FILES: Final = ("out", "problems", "adjustments", "notices", "history", "stamp")
"""Options of what is written, which have no effect with --check."""


def _form_asked(form: Form | None, given: dict[str, Any]) -> Form:
    if given["check"]:
        for name in _OF_FILES:
            if given[name] is not None:
                raise click.UsageError(
                    f"--{name} has no effect with --check, which writes nothing."
                )
        if form is not None or given["afresh"] or given["on_problem"] != "table":
            said = "--format, --afresh and --on-problem have no effect with --check."
            raise click.UsageError(said)
        return "parquet"
    if given["out"] is None:
        raise click.UsageError("Missing option '--out', or --check.")
    found = form or SUFFIXES.get(Path(given["out"]).suffix.lower())
    if found is None:
        said = f"the name ends in none of {', '.join(SUFFIXES)}: rename it, or give --format."
        raise click.BadParameter(said, param_hint="'--out'")
    return found


def _refuse_options_without_effect(form: str, given: dict[str, Any]) -> None:
    """Refuse options that would have no effect, before a file is looked for."""
    if given["leases"] == STDIN:
        said = "is a file or a folder: a run that is begun again has to find the leases there."
        raise click.BadParameter(said, param_hint="'LEASES'")
    if given["stamp"] is not None and form != "ics":
        raise click.UsageError("--stamp has no effect without --format ics.")
    if given["billed_since"] is not None and not given["already_billed"]:
        raise click.UsageError("--billed-since has no effect without --already-billed.")
    on_cluster = given["engine"] == "dask"
    if on_cluster != (given["scheduler"] is not None):
        raise click.UsageError("--engine dask and --scheduler need each other.")
    if on_cluster and given["workers"] > 1:
        raise click.UsageError(
            "--workers has no effect with --engine dask: the cluster has its own."
        )
    if given["send_leases"] and not on_cluster and given["workers"] == 1:
        raise click.UsageError("--send-leases has no effect without --workers or --engine dask.")


def _billed(given: dict[str, Any], form: Form) -> "tuple[RunSummary, Path]":
    """Return what came of a run and the file of its problems, or refuse it."""
    engine = _engine(given)
    from rentbilling.adapters.file_runs import run_bills
    from rentbilling.adapters.file_runs.bill_run import problems_of

    out = given["out"]
    with _stopping(given["leases"], out), progress_of(given.pop("progress")) as progress:
        report = run_bills(**given, form=form, engine=engine, progress=progress)
    if report.kept:
        say(f"Parts of an earlier run that were kept: {report.kept} of {report.parts}.")
    return report.summary, Path(given["problems"] or problems_of(Path(out), form))


def _checked(given: dict[str, Any]) -> "RunSummary":
    """Return what would come of a run, and tell its problems.

    Raises:
        Refusal: Something is refused, or a file cannot be read.
    """
    engine = _engine(given)
    from rentbilling.adapters.file_runs import check_leases

    for name in (*_OF_FILES, "afresh", "on_problem"):
        del given[name]
    with _stopping(given["leases"], None), progress_of(given.pop("progress")) as progress:
        report = check_leases(**given, engine=engine, progress=progress)
    say_problems(report.problems)
    return report.summary


def _engine(given: dict[str, Any]) -> "Engine | None":
    """Return the engine that was asked for, None for processes of this machine."""
    scheduler = given.pop("scheduler")
    if scheduler is None:
        return None
    from rentbilling.adapters.file_runs.engines import on_dask

    return on_dask(scheduler)


def _prepare(workers: int) -> None:
    """Prepare this process and others, before Arrow is loaded."""
    # The system's own memory: Arrow's other kinds keep more of what was let go of.
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    if workers > 1:
        _prepare_processes()


def _prepare_processes() -> None:
    """Let what processes begin from load what they need, while this one does."""
    import multiprocessing
    from multiprocessing import forkserver

    if "forkserver" in multiprocessing.get_all_start_methods():
        multiprocessing.set_forkserver_preload([*_PRELOADED])
        forkserver.ensure_running()


@contextmanager
def _stopping(leases: str, out: str | None) -> Generator[None]:
    """Say why a run has stopped, for which file, and which parts of it are stored."""
    from rentbilling.adapters.file_runs.engines import WorkerDiedError
    from rentbilling.adapters.file_runs.file_errors import FileRefusedError

    try:
        with refusing(leases):
            try:
                yield
            except FileRefusedError as error:
                notes = _advice(error.problems[0].code, out) or _stored(out)
                raise Refusal(error.file, map(str, error.problems), notes) from None
            except RentBillingError as error:
                for each in _stored(out):
                    error.add_note(each)
                raise
    except KeyboardInterrupt:
        for each in ("Interrupted.", *_stored(out)):
            say(each)
        raise
    except OSError as error:
        name = error.filename if isinstance(error.filename, str) else out or leases
        raise Refusal.of_system(name, error, _stored(out)) from None
    except WorkerDiedError as error:
        raise Refusal(out or leases, [str(error)], _stored(out)) from None


def _advice(code: str, out: str | None) -> list[str]:
    """Return what can be done about a refusal of a file of bills."""
    if code == "other_run" and out is not None:
        count = _parts(_stored_parts(out))
        return [f"--afresh throws the {count} away; another --out leaves them as they are."]
    if code == "other_file":
        return ["--send-leases reads the leases here and sends them."]
    return []


def _stored(out: str | None) -> list[str]:
    """Return what is said of the parts that a run has left, nothing where there are none."""
    count = 0 if out is None else _stored_parts(out)
    if not count:
        return []
    kept = "is" if count == 1 else "are"
    return [f"{_parts(count)} {kept} kept in {out}.parts: the same command goes on from there."]


def _stored_parts(out: str) -> int:
    from rentbilling.adapters.file_runs.parts import stored_parts

    return stored_parts(Path(out))


def _parts(count: int) -> str:
    return "1 part" if count == 1 else f"{count:,} parts"
