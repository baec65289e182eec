"""Reports: their rows for people, as JSON, as CSV and as a workbook.

Law: every figure is one of the library's.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from rentbilling.adapters.cli.input.databases import extras
from rentbilling.adapters.cli.output.flows import flow_csv, flow_data
from rentbilling.adapters.cli.output.printing import printed, say_notices_of_runs
from rentbilling.adapters.cli.streams import Refusal, say
from rentbilling.adapters.workbooks import write_xlsx
from rentbilling.errors import printable
from rentbilling.tables import Table
from rentbilling.values import Notice


def print_report(
    table: Table,
    given: Mapping[str, Any],
    *,
    more: Mapping[str, Table] | None = None,
    shown: str = "",
    notices: Iterable[Notice] = (),
) -> None:
    """Print a report, write it to the workbook that was asked for, and say its notices.

    Args:
        table: Its rows.
        given: The options of the command.
        more: Further tables, by the names of their sheets and of JSON.
        shown: The columns of the table for people; all of them by default.
        notices: What a person should look at.

    Raises:
        Refusal: The workbook cannot be written.
    """
    tables = {"rows": table, **(more or {})}
    if given["workbook"] is not None:
        try:
            with extras():
                write_xlsx(given["workbook"], tables)
        except OSError as error:
            raise Refusal(given["workbook"], [error.strerror or str(error)]) from None

    def text(found: Table) -> str:
        parts = [
            _chosen(found, shown.split()),
            *(tables[name] for name in tables if name != "rows"),
        ]
        return "\n\n".join(_plain(part) for part in parts if len(part)) + "\n"

    printed(
        given["form"],
        table,
        json=lambda _: {name: flow_data(each) for name, each in tables.items()},
        csv=flow_csv,
        table=text,
        nothing="No rows.",
    )
    say_notices_of_runs(notices)
    for row in table.rows():
        if row.get("problem") is not None:
            say(f"{row['lease_id']}: {row['problem']}")


def _chosen(table: Table, names: list[str]) -> Table:
    if not names:
        return table
    rows = [[row[name] for name in names] for row in table.rows()]
    by_name = {column.name: column for column in table.columns}
    return Table([by_name[name] for name in names], rows)


def _plain(table: Table) -> str:
    return "\n".join(map(printable, str(table).split("\n")))
