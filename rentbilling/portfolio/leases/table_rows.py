"""Table rows: the cells of a data frame, an Arrow table or dicts, row by row.

Laws: a cell is as its owner has it, so that a single one that is wrong is the problem of its row;
binary numbers of 32 bits are refused, because they print as others than were written.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import pyarrow as pa

from rentbilling.errors import InvalidRecordError
from rentbilling.portfolio.leases.csv_lines import Stretch, places_of

_EXPECTED: Final = (
    "the path of a CSV file, a data frame of pandas or Polars, an Arrow table, or dicts by column"
)
_AT_ONCE: Final = 4096
"""Rows that are read together."""
_NARROW: Final = ("float32", "float16", "float", "halffloat")
"""Types of binary numbers whose digits are not those that were written."""
_FRAMES: Final = ("iloc", "get_column", "to_pylist")
"""What frames of pandas and Polars have, and tables of Arrow."""
SHEETS: Final = (".xlsx", ".xls", ".xlsm", ".ods")
"""What names of spreadsheets end in."""
_READERS: Final[Mapping[str, str]] = MappingProxyType(
    {
        **dict.fromkeys(SHEETS, "read_excel"),
        **dict.fromkeys((".parquet", ".pq"), "read_parquet"),
        **dict.fromkeys((".arrow", ".feather"), "read_feather"),
    }
)
"""What of pandas reads a file that is no CSV."""
_TO_LIST: Final = ("to_pylist", "to_list", "tolist")


def refuse_other_file(path: Path) -> None:
    """Refuse a file whose name says that it is no CSV, with the call that reads it.

    Raises:
        InvalidRecordError: It is a folder, a spreadsheet, or a file of columns.

    Examples:
        >>> refuse_other_file(Path("leases.csv"))
    """
    if path.is_dir():
        said, expected = "is a folder", "a CSV file; put several together into one"
        raise InvalidRecordError.of("source", "unknown_file", said, str(path), expected)
    reader = _READERS.get(path.suffix.lower())
    if reader is not None:
        said, expected = "is no CSV", f"a CSV file, or the frame: pandas.{reader}({path.name!r})"
        raise InvalidRecordError.of("source", "unknown_file", said, str(path), expected)


def rows_of(given: Any) -> Any:  # noqa: ANN401 - whatever holds rows
    """Return what rows are read from: an Arrow table, a data frame, or a tuple of dicts.

    Raises:
        InvalidRecordError: It holds no rows.

    Examples:
        >>> rows_of(iter([{"rent": 8500}]))
        ({'rent': 8500},)
    """
    if hasattr(given, "collect_schema") and hasattr(given, "collect"):
        said, expected = "is a query and no table", "the frame: write .collect() behind it"
        raise InvalidRecordError.of("source", "not_a_source", said, type(given).__name__, expected)
    if any(hasattr(given, each) for each in _FRAMES) and hasattr(given, "columns"):
        return given
    if hasattr(given, "__arrow_c_stream__"):
        # A single column is no table.
        with suppress(pa.ArrowInvalid):
            return pa.RecordBatchReader.from_stream(given).read_all()
    if isinstance(given, Iterable) and not isinstance(given, (str, bytes, Mapping)):
        rows = tuple(given)
        for at, row in enumerate(rows):
            if not isinstance(row, Mapping):
                said, expected = "is no row", "a dict by column: dict(row)"
                raise InvalidRecordError.of(f"source[{at}]", "not_a_source", said, row, expected)
        return rows
    raise InvalidRecordError.of("source", "not_a_source", "holds no rows", given, _EXPECTED)


def stretches_of(rows: Any, headers: Sequence[str]) -> Iterator[Stretch]:  # noqa: ANN401 - as `rows_of` gives them
    """Give the cells of some columns in stretches of rows, counted from 0.

    Raises:
        InvalidRecordError: A column is missing, or of binary numbers of 32 bits.

    Examples:
        >>> [*stretches_of(({"rent": 8500, "of": "a"},), ["rent"])]
        [Stretch(columns=[[8500]], numbers=range(0, 1), last=None)]
    """
    if isinstance(rows, tuple):
        known = dict.fromkeys(name for row in rows for name in row)
        places_of([*known] if rows else headers, headers)
        columns = [[row.get(name) for row in rows] for name in headers]
    else:
        names = rows.schema.names if isinstance(rows, (pa.Table, pa.RecordBatch)) else rows.columns
        places_of([*names], headers)
        columns = [_values(name, rows[name]) for name in headers]
    for at in range(0, len(columns[0]), _AT_ONCE):
        found = [each[at : at + _AT_ONCE] for each in columns]
        yield Stretch(found, range(at, at + len(found[0])))


def _values(name: str, column: Any) -> list[Any]:  # noqa: ANN401 - a column of any frame
    kind = str(getattr(column, "dtype", getattr(column, "type", "")))
    if kind.lower() in _NARROW:
        said = "is a column of binary numbers of 32 bits, which lose digits"
        expected = "Decimal, texts, whole numbers or binary numbers of 64 bits"
        raise InvalidRecordError.of(f"column {name}", "not_exact", said, kind, expected)
    (to_list, *_) = (getattr(column, each) for each in _TO_LIST if hasattr(column, each))
    found: list[Any] = to_list()
    return found
