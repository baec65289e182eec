"""The command `adjust-run`: the rent adjustments of all leases of a file, and the adjusted terms.

Law: files have their names when all of them are whole, and not before.
"""

from pathlib import Path
from typing import Any, Final

import click

from rentbilling.adapters.cli.input import options
from rentbilling.adapters.cli.input.databases import extras
from rentbilling.adapters.cli.output.run_reports import (
    progress_of,
    say_problems,
    say_where,
    summary_words,
)
from rentbilling.adapters.cli.streams import STDIN, Refusal, refusing, write_text
from rentbilling.errors import InvalidRecordError

_WRITTEN: Final = ("out", "leases_out", "notices", "problems")
"""Options of what is written."""


@click.command("adjust-run")
@click.argument("leases", type=options.FileName(), metavar="LEASES")
@options.file_option(
    "--map",
    "map_file",
    help="LEASES is a flat table in CSV, and FILE says which column is which field, see bill-run.",
)
@options.period_option("Which adjustments, by the day on which they take effect")
@options.file_option(
    "--out",
    help="The file of adjustments, a row each, in Parquet; required unless --check is given.",
)
@options.file_option(
    "--leases-out",
    help="Write the adjusted terms too: a Parquet file for the next bill-run, in which each"
    " adjustment is listed in its plan and is an amount record of its item.",
)
@options.file_option("--notices", help="Write the notices too: a Parquet file.")
@options.file_option(
    "--problems",
    help="The Parquet file of the leases that cannot be adjusted; by default next to the"
    " adjustments: adjustments.problems.parquet.",
)
@options.check_option("Adjust")
@options.progress_option()
@options.indices_option()
@options.policy_option()
@options.problem_options("adjusted")
def adjust_run(leases: str, **given: Any) -> None:  # noqa: ANN401 - options by name
    """Adjust the rents of all leases of a file, and write what was adjusted.

    LEASES is a Parquet or Arrow file with a row for each lease, or a folder of Parquet files; with
    --map it is one's own table in CSV. The figures are those of the command adjustments. The same
    run over its own --leases-out gives the same terms again.

    \b
    Try it:
      rentbilling adjust-run leases.parquet --indices npi.json --period 2027 --check
      rentbilling adjust-run leases.parquet --indices npi.json --period 2027 \\
          --out adjustments-2027.parquet --leases-out leases-2027.parquet

    Exit codes: 0 fine, 1 what was handed in is refused or a file cannot be written, 2 the command
    is not well formed, 3 some leases have problems and are not adjusted.
    """  # noqa: D301 - click reads the escapes
    from rentbilling.adapters.cli.input.run_files import read_files, refuse_same_files

    written = {name: given.pop(name) for name in _WRITTEN}
    is_check, kind = given.pop("check"), given.pop("progress")
    _refuse_options(leases, written, is_check=is_check)
    refuse_same_files(given, written.values())
    read_files(given)
    mapping = given.pop("mapping")
    with extras():
        from rentbilling.portfolio import adjust_portfolio
        from rentbilling.portfolio.runs.table_runs import problems_beside

    try:
        with refusing(leases), progress_of(kind) as progress:
            source = Path(leases) if mapping is None else mapping.leases(leases)
            run = adjust_portfolio(source, **given, progress=progress)
            if is_check:
                say_problems(run.to_tables()["problems"])
            else:
                _write(run, Path(leases), written)
                file = written["problems"] or problems_beside(Path(written["out"] or ""))
                say_where(Path(file), run.summary.with_problems)
    except OSError as error:
        # What Arrow says of a file has not its name.
        name = written["out"] if written["out"] and Path(leases).exists() else leases
        name = error.filename if isinstance(error.filename, str) else name
        raise Refusal.of_system(name, error) from None
    write_text(summary_words(run.summary, "adjusted"))
    if run.summary.with_problems:
        raise click.exceptions.Exit(options.FOUND)


def _refuse_options(leases: str, written: dict[str, str | None], *, is_check: bool) -> None:
    """Refuse options that contradict each other, before a file is looked for."""
    if leases == STDIN:
        raise click.BadParameter("is a file or a folder.", param_hint="'LEASES'")
    if is_check:
        for name, file in written.items():
            if file is not None:
                option = name.replace("_", "-")
                said = f"--{option} has no effect with --check, which writes nothing."
                raise click.UsageError(said)
    elif written["out"] is None:
        raise click.UsageError("Missing option '--out', or --check.")
    for file in written.values():
        if file is not None and Path(file).suffix.lower() in (".csv", ".json", ".jsonl"):
            said = f"{file} would be written in Parquet; name it {Path(file).stem}.parquet."
            raise click.UsageError(said)


def _write(run: Any, leases: Path, written: dict[str, str | None]) -> None:  # noqa: ANN401 - a run
    """Write the tables of a run.

    Raises:
        Refusal: A file cannot be written, or something would be lost with it.
    """
    from rentbilling.portfolio.runs.table_runs import refuse_unwritable

    files = {name.replace("_", "-"): Path(file) for name, file in written.items() if file}
    try:
        refuse_unwritable(files, leases)
    except InvalidRecordError as error:
        raise Refusal(str(error.facts["file"]), map(str, error.problems)) from None
    names = {"leases_out": "leases", "notices": "notices"}
    others = {table: written[name] for name, table in names.items() if written[name]}
    run.write_parquet(written["out"], problems=written["problems"], others=others)
