"""Sums of bills as data: CSV, JSON, and the sums of several leases together.

Law: names are snake_case in CSV and camelCase in JSON.
"""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from rentbilling.codec.csv_texts import csv_text
from rentbilling.tables.columns import Table


def flow_csv(table: Table) -> str:
    r"""Return rows as CSV, with a row of names first; rows end with CR LF.

    Examples:
        >>> from rentbilling.tables.columns import columns
        >>> flow_csv(Table(columns(text="item_id", money="net"), [("=rent", Decimal("1.50"))]))
        "item_id,net\r\n'=rent,1.50\r\n"
    """
    names = [column.name for column in table.columns]
    return csv_text([names, *(row.values() for row in table.rows())])


def flow_data(table: Table) -> list[dict[str, Any]]:
    """Return rows as data for JSON.

    Examples:
        >>> from rentbilling.tables.columns import columns
        >>> flow_data(Table(columns(text="product_key"), [("key:rent",)]))
        [{'productKey': 'key:rent'}]
    """
    return [{camel(name): value for name, value in row.items()} for row in table.rows()]


def camel(name: str) -> str:
    """Return the name of a column as it is in JSON."""
    first, *more = name.split("_")
    return first + "".join(map(str.capitalize, more))


def joined_flows(flows: Sequence[Table]) -> Table:
    """Return the sums of several cash flows of the same columns, days in order."""
    first, *others = flows
    if not others:
        return first
    kinds = first.columns
    money = [each.name for each in kinds if each.kind == "money"]
    sums: dict[tuple[object, ...], dict[str, Any]] = {}
    for row in (row for flow in flows for row in flow.rows()):
        key = tuple(value for name, value in row.items() if name not in money)
        total = sums.setdefault(key, {**row, **dict.fromkeys(money, Decimal(0))})
        for name in money:
            total[name] += row[name]
    rows = list(sums.values())
    if kinds[0].name in {"year", "month"}:
        rows.sort(key=lambda row: (row[kinds[0].name], row["currency"]))
    return Table(kinds, [tuple(row.values()) for row in rows])
