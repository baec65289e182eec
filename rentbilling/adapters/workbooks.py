"""Workbooks: tables as sheets of Excel, through the user's openpyxl (extra `excel`).

Laws: a text is never a formula; a figure is a number with all of its digits, as many as Excel keeps
(15); a day is a day.
"""

from collections.abc import Mapping
from decimal import Decimal
from importlib import import_module
from os import PathLike
from typing import Any, Final

from rentbilling.errors import printable
from rentbilling.tables import Tabular

_LONGEST_NAME: Final = 31
_WIDEST: Final = 40


def write_xlsx(path: str | PathLike[str], sheets: Mapping[str, Tabular]) -> None:
    """Write tables to a workbook, a sheet for each name, with a row of column names first.

    Raises:
        ImportError: openpyxl is not installed.
        OSError: The file cannot be written.

    Examples:
        >>> from rentbilling.reports import rent_roll
        >>> roll = rent_roll([], on="2026-01-01")
        >>> write_xlsx("roll.xlsx", {"rents": roll, "sums": roll.sums()})  # doctest: +SKIP
    """
    try:
        openpyxl = import_module("openpyxl")
    except ImportError as missing:
        how = "pip install 'rentbilling[excel]'"
        raise ImportError(f"A workbook needs openpyxl: {how}", name=missing.name) from missing
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, table in sheets.items():
        _fill(book.create_sheet(name[:_LONGEST_NAME]), table)
    book.save(path)
    book.close()


def _fill(sheet: Any, table: Tabular) -> None:  # noqa: ANN401 - openpyxl may be absent
    kinds, rows = table.columns, [list(row.values()) for row in table.rows()]
    for place, values in enumerate([[kind.name for kind in kinds], *rows], 1):
        for at, value in enumerate(values, 1):
            if value is not None:
                _write(sheet.cell(place, at), value)
    for at, kind in enumerate(kinds):
        shown = [kind.name, *(str(row[at]) for row in rows if row[at] is not None)]
        letter = sheet.cell(1, at + 1).column_letter
        sheet.column_dimensions[letter].width = min(max(map(len, shown)) + 2, _WIDEST)
    sheet.freeze_panes = "A2"


def _write(cell: Any, value: object) -> None:  # noqa: ANN401 - a cell of openpyxl
    if isinstance(value, str):
        cell.value = printable(value)
        # What begins with "=" would be a formula, which Excel would run.
        cell.data_type = "s"
        return
    cell.value = value
    if isinstance(value, Decimal):
        decimals = max(-int(value.as_tuple().exponent), 0)
        cell.number_format = f"#,##0.{'0' * decimals}" if decimals else "#,##0"
