"""Workbooks: tables as sheets of Excel, and rows of them, through openpyxl (extra `excel`).

Laws: a text is never a formula; a figure is a number with all of its digits, as many as Excel keeps
(15); a day is a day. A workbook with entities, formulas or too much in it is refused.
"""

from collections.abc import Iterable, Mapping
from datetime import date, datetime, time
from decimal import Decimal
from importlib import import_module
from io import BytesIO
from os import PathLike
from typing import Any, Final
from zipfile import BadZipFile, ZipFile

from rentbilling.errors import InvalidRecordError, printable
from rentbilling.tables import Tabular

_LONGEST_NAME: Final = 31
_WIDEST: Final = 40
_XML: Final = (".xml", ".rels", ".vml")
_MALFORMED: Final = (
    *(AttributeError, BadZipFile, IndexError, KeyError, SyntaxError, TypeError, ValueError),
)
"""What openpyxl raises of a workbook whose parts do not fit together."""
_MISSING: Final = ("nan", "NaN", "NaT", "<NA>")
"""Missing values of data frames."""
_TABLES: Final = (
    "results of this package, a run, an Arrow table, a data frame or rows as dicts, by sheet names"
)
_MOST_BYTES: Final = 64 << 20
_MOST_CELLS: Final = 4_000_000


def write_xlsx(path: str | PathLike[str], sheets: Mapping[str, Any] | Any) -> None:  # noqa: ANN401
    """Write tables to a workbook, a sheet for each name, with a row of column names first.

    Args:
        path: Of the workbook.
        sheets: Tables by names of sheets, or one table alone. A table is a result of this package
            (`what_if`, `rent_roll`, bills), a run of a portfolio, an Arrow table, a data frame of
            pandas or Polars, or rows as dicts. Of a run the lists in its bills are left out, as by
            `to_pandas`; in any other table they are refused.

    Raises:
        ImportError: openpyxl is not installed.
        InvalidRecordError: There is no table, or one has a value that no cell holds.
        OSError: The file cannot be written.

    Examples:
        >>> from rentbilling.reports import rent_roll
        >>> roll = rent_roll([], on="2026-01-01")
        >>> write_xlsx("roll.xlsx", {"rents": roll, "sums": roll.sums()})  # doctest: +SKIP
    """
    given = sheets if isinstance(sheets, Mapping) else {"table": sheets}
    found = [(name, *_cells_of(name, table)) for name, table in given.items()]
    if not found:
        raise InvalidRecordError.of("sheets", "missing", "has no table", given, _TABLES)
    book = _openpyxl().Workbook()
    book.remove(book.active)
    for name, names, rows in found:
        _fill(book.create_sheet(name[:_LONGEST_NAME]), names, rows)
    book.save(path)
    book.close()


def read_xlsx(given: bytes) -> list[dict[str, Any]]:
    """Return the rows of the first sheet of a workbook, by the headers in its first row.

    Raises:
        ImportError: openpyxl is not installed.
        InvalidRecordError: It is no workbook, it has entities or a formula, or more than 64 MiB or
            4,000,000 cells.
    """
    return [row for _, row in numbered_rows(given)]


def numbered_rows(given: bytes) -> list[tuple[int, dict[str, Any]]]:
    """Return the rows that `read_xlsx` returns, each with its number in the sheet.

    Raises:
        ImportError: openpyxl is not installed.
        InvalidRecordError: As `read_xlsx`.
    """
    openpyxl = _openpyxl()
    _refuse_hostile(given)
    try:
        book = openpyxl.load_workbook(BytesIO(given))
        sheet = book.worksheets[0]
    except _MALFORMED as error:
        raise _refused(f"cannot be read: {error}", given[:8]) from None
    book.close()
    # Rows are as wide as the sheet, also where one cell far away makes it so.
    if sheet.max_row * sheet.max_column > _MOST_CELLS:
        raise _refused("spans more than 4,000,000 cells", sheet.dimensions)
    rows = [*sheet.iter_rows()]
    formula = next((cell for row in rows for cell in row if cell.data_type == "f"), None)
    if formula is not None:
        raise _refused(f"has a formula in {formula.coordinate}", formula.value)
    names = [cell.value for cell in rows[0]] if rows else []
    if len(set(names)) < len(names):
        raise _refused("has a header twice", names)
    return [
        (number, dict(zip(names, map(_value, row), strict=True)))
        for number, row in enumerate(rows[1:], 2)
        if any(cell.value is not None for cell in row)
    ]


def _openpyxl() -> Any:  # noqa: ANN401 - it may be absent
    try:
        return import_module("openpyxl")
    except ImportError as missing:
        how = "pip install 'rentbilling[excel]'"
        raise ImportError(f"A workbook needs openpyxl: {how}", name=missing.name) from missing


def _refuse_hostile(given: bytes) -> None:
    """Refuse a workbook that is no archive, unpacks to too much, or declares entities."""
    try:
        with ZipFile(BytesIO(given)) as archive:
            size = sum(each.file_size for each in archive.infolist())
            if size > _MOST_BYTES:
                raise _refused("unpacks to more than 64 MiB", f"{size} bytes")
            for each in archive.infolist():
                # A part may be UTF-16.
                part = archive.read(each).replace(b"\0", b"").replace(b"<!--", b"")
                if each.filename.endswith(_XML) and b"<!" in part:
                    raise _refused("declares entities or a document type", each.filename)
    # Zipfile raises the second for a compression that it does not know, the third for a password.
    except (BadZipFile, NotImplementedError, RuntimeError) as error:
        raise _refused(f"is no workbook: {error}", given[:8]) from None


def _refused(said: str, met: object) -> InvalidRecordError:
    expected = "a workbook of values (.xlsx), its first row the headers"
    return InvalidRecordError.of("", "unreadable", said, met, expected)


def _value(cell: Any) -> object:  # noqa: ANN401 - a cell of openpyxl
    value = cell.value
    return value.date() if isinstance(value, datetime) else value


def _cells_of(name: str, table: Any) -> tuple[list[str], list[list[object]]]:  # noqa: ANN401 - of any package
    """Return the names of a table's columns, and the values of its rows.

    Raises:
        InvalidRecordError: It is no table, or a value of it fits no cell.
    """
    if hasattr(table, "flat_table"):
        # A run, whose bills have lists.
        table = table.flat_table()
    rows = _rows_of(table)
    if rows is None or not all(isinstance(row, Mapping) for row in rows):
        raise InvalidRecordError.of(name, "not_a_source", "is no table", table, _TABLES)
    keys = dict.fromkeys(key for row in rows for key in row)
    if not rows:
        heads = getattr(table, "column_names", getattr(table, "columns", ()))
        keys = dict.fromkeys(getattr(each, "name", each) for each in heads)
    cells = [
        [_cell_of(f"{name}[{at}].{key}", row.get(key)) for key in keys]
        for at, row in enumerate(rows)
    ]
    return [*map(str, keys)], cells


def _rows_of(table: Any) -> list[Any] | None:  # noqa: ANN401 - as above
    """Return the rows of a table; None where it is none."""
    if isinstance(table, Tabular):
        return table.rows()
    if hasattr(table, "iter_rows"):
        return [*table.iter_rows(named=True)]
    if hasattr(table, "to_pylist") and hasattr(table, "schema"):
        return [*table.to_pylist()]
    if hasattr(table, "to_dict") and hasattr(table, "columns"):
        return [*table.to_dict("records")]
    is_rows = isinstance(table, Iterable) and not isinstance(table, (str, bytes, Mapping))
    return [*table] if is_rows else None


def _cell_of(place: str, value: Any) -> object:  # noqa: ANN401 - as above
    """Return a value as a cell holds it: a midnight is a day, a missing value is nothing."""
    if value is None or isinstance(value, str):
        return value
    if str(value) in _MISSING:
        return None
    if hasattr(value, "item"):
        # A number of numpy.
        value = value.item()
    if isinstance(value, datetime):
        if value.tzinfo is not None:
            return value.isoformat()
        return value.date() if value.time() == time() else value
    if isinstance(value, (int, float, Decimal, date)):
        return value
    said, expected = "fits no cell", "a text, a number or a day: leave the column out"
    raise InvalidRecordError.of(place, "wrong_value", said, value, expected)


def _fill(sheet: Any, names: list[str], rows: list[list[Any]]) -> None:  # noqa: ANN401 - openpyxl may be absent
    for place, values in enumerate([names, *rows], 1):
        for at, value in enumerate(values, 1):
            if value is not None:
                _write(sheet.cell(place, at), value)
    for at, name in enumerate(names):
        shown = [name, *(str(row[at]) for row in rows if row[at] is not None)]
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
