"""Sums of bills over time, and reports: as CSV, JSON and for people.

Laws: names are snake_case in CSV and camelCase in JSON; the table cuts no figure off, and has the
sums of its columns below, for each currency.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from types import MappingProxyType
from typing import Any, Final

import click

from rentbilling.adapters.cli.input.databases import extras
from rentbilling.adapters.cli.input.options import FOUND
from rentbilling.adapters.cli.input.reported_leases import LeaseProblem
from rentbilling.adapters.cli.output.printing import printed, say_notices_of_runs
from rentbilling.adapters.cli.output.terminal import Terminal
from rentbilling.adapters.cli.streams import Refusal, say
from rentbilling.adapters.workbooks import write_xlsx
from rentbilling.codec import csv_text
from rentbilling.errors import printable
from rentbilling.layout import STRONG, Grid, GridColumn, figure, heading, short_day
from rentbilling.records import wire_name
from rentbilling.tables import Table, Tabular, columns
from rentbilling.values import Notice

_HEADINGS: Final = MappingProxyType(
    {
        "assumed_gross": "Of it assumed",
        "product_key": "Product",
        "item_id": "Item",
    }
)

Row = Mapping[str, Any]


def flow_csv(table: Tabular) -> str:
    r"""Return rows as CSV, with a row of names first; rows end with CR LF.

    Examples:
        >>> from rentbilling.tables import columns
        >>> flow_csv(Table(columns(text="item_id", money="net"), [("=rent", Decimal("1.50"))]))
        "item_id,net\r\n'=rent,1.50\r\n"
    """
    names = [column.name for column in table.columns]
    return csv_text([names, *(row.values() for row in table.rows())])


def flow_data(table: Tabular) -> list[dict[str, Any]]:
    """Return rows as data for JSON.

    Examples:
        >>> from rentbilling.tables import columns
        >>> flow_data(Table(columns(text="product_key"), [("key:rent",)]))
        [{'productKey': 'key:rent'}]
    """
    return [{wire_name(name): value for name, value in row.items()} for row in table.rows()]


def joined_flows(flows: Sequence[Table]) -> Table:
    """Return the sums of several cash flows of the same columns, days in order."""
    if len(flows) < 2:  # noqa: PLR2004
        return flows[0] if flows else Table((), ())
    kinds = flows[0].columns
    money = [each.name for each in kinds if each.kind == "money"]
    known = [each.name for each in kinds if each.kind != "money"]
    rows = _summed((row for flow in flows for row in flow.rows()), known, money)
    if kinds[0].name in {"year", "month"}:
        rows.sort(key=lambda row: (row[kinds[0].name], row["currency"]))
    return Table(kinds, [[row[each.name] for each in kinds] for row in rows])


def _summed(rows: Iterable[Row], by: Sequence[str], money: Sequence[str]) -> list[dict[str, Any]]:
    """Return the sums of rows that are alike in some columns."""
    sums: dict[tuple[object, ...], dict[str, Any]] = {}
    for row in rows:
        alike = {name: row.get(name, "") for name in by}
        begun = {**alike, **dict.fromkeys(money, Decimal(0))}
        total = sums.setdefault(tuple(alike.values()), begun)
        for name in money:
            total[name] += row[name]
    return list(sums.values())


def flow_table(table: Table) -> str:
    """Return rows of `cash_flow` as a text for the terminal that stdout is."""
    layout, rows = Terminal(), table.rows()
    currencies = {row["currency"] for row in rows}
    # In the headings where all are of one; a column of its own otherwise.
    currency = f" {printable(currencies.pop())}" if len(currencies) == 1 else ""
    money = [each.name for each in table.columns if each.kind == "money"]
    known = [each.name for each in table.columns if each.name not in money]
    named = [name for name in known if name != "currency" or not currency]
    columns = [
        GridColumn(
            _HEADINGS.get(name, heading(name)) + (currency if name == money[-1] else ""),
            right=name in money,
        )
        for name in (*named, *money)
    ]
    totals = _summed(rows, ("currency",), money)
    sums = [_cells(row, named, money, "Total") for row in totals]
    cells = [_cells(row, named, money) for row in rows]
    grid = Grid(layout, columns, [*cells, *sums])
    parts = [*grid.head(), *(part for each in cells for part in grid.row(each)), grid.line()]
    return layout.printed([*parts, *(part for each in sums for part in grid.row(each, STRONG))])


def _cells(row: Row, named: list[str], money: list[str], total: str = "") -> list[str]:
    """Return a row as cells; that of a sum says so in its first column without a value."""
    cells = []
    for name in named:
        value = row.get(name)
        if value is None:
            value, total = total, ""
        cells.append(_cell(value))
    return [*cells, *(_cell(row[name]) for name in money)]


def _cell(value: object) -> str:
    if isinstance(value, Decimal):
        return figure(value)
    return short_day(value) if isinstance(value, date) else printable(str(value))


def print_report(
    table: Table,
    given: Mapping[str, Any],
    *,
    more: Mapping[str, Table] | None = None,
    shown: str = "",
    notices: Iterable[Notice] = (),
    problems: Sequence[LeaseProblem] = (),
) -> None:
    """Print a report, write it to the workbook that was asked for, and say its notices.

    `more` are further tables, by the names of their sheets and of JSON; `shown` the columns of the
    table for people, by default all.

    Raises:
        Refusal: The workbook cannot be written, or no lease could be reported.
        Exit: With code 3, if some leases could not be reported.
    """
    found = [
        LeaseProblem(row["lease_id"], row["problem"]) for row in table.rows() if row.get("problem")
    ]
    found += problems
    if problems and not len(table):
        files = given["files"]
        hints = dict.fromkeys(hint for each in problems for hint in each.hints)
        source = files[0] if len(files) == 1 else f"{len(files)} files"
        raise Refusal(source, map(_words, problems), hints)
    tables = {"rows": table, **(more or {})}
    listed = Table(columns(text="lease_id problem"), [each[:2] for each in found])
    if given["workbook"] is not None:
        try:
            with extras():
                write_xlsx(given["workbook"], tables | ({"problems": listed} if found else {}))
        except OSError as error:
            raise Refusal.of_system(given["workbook"], error) from None

    def text(found: Table) -> str:
        parts = [
            _chosen(found, shown.split()),
            *(tables[name] for name in tables if name != "rows"),
        ]
        lines = "\n\n".join(str(part) for part in parts if len(part)).split("\n")
        return "\n".join(map(printable, lines)) + "\n"

    printed(
        given["form"],
        table,
        json=lambda _: {
            name: flow_data(each) for name, each in {**tables, "problems": listed}.items()
        },
        csv=flow_csv,
        table=text,
        nothing="No rows.",
    )
    say_notices_of_runs(notices)
    for each in found:
        say(_words(each))
    for hint in dict.fromkeys(hint for each in found for hint in each.hints):
        say(f"       {hint}")
    if found:
        raise click.exceptions.Exit(FOUND)


def _words(problem: LeaseProblem) -> str:
    return problem.problem if problem.lease_id is None else f"{problem.lease_id}: {problem.problem}"


def sums_by_currency(table: Table) -> Table:
    """Return the sums of the money of a report, a row for each currency."""
    names = [each.name for each in table.columns if each.kind == "money"]
    kinds = columns(text="currency", money=" ".join(names))
    return Table(kinds, [[*row.values()] for row in _summed(table.rows(), ["currency"], names)])


def _chosen(table: Table, names: list[str]) -> Table:
    if not names:
        return table
    rows = [[row[name] for name in names] for row in table.rows()]
    by_name = {column.name: column for column in table.columns}
    return Table([by_name[name] for name in names], rows)
