"""Bill sources: files and tables of earlier bills, read in groups of rows of `BILL_SCHEMA`.

Laws: a value that does not fit the type of a bill is refused, by its column; of a folder every
table of bills is read, and no other one.
"""

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from rentbilling.errors import InvalidRecordError, Problem, no_bills
from rentbilling.portfolio.arrow.casts import NoCastError, cast
from rentbilling.portfolio.arrow.column_types import (
    ADJUSTMENT_SCHEMA,
    BILL_SCHEMA,
    NOTICE_SCHEMA,
    PROBLEM_SCHEMA,
    Shape,
    Word,
)
from rentbilling.portfolio.arrow.schema_checks import missing_column
from rentbilling.portfolio.leases.parquet_folders import parquet_files
from rentbilling.portfolio.leases.sources import reader_of, reading
from rentbilling.portfolio.runs.histories import HISTORY_SCHEMA

_TEXTS: Final = (".jsonl", ".ndjson", ".json", ".csv")
_NAME: Final = "already_billed"
_COLUMNS: Final = frozenset(BILL_SCHEMA.names)
_KEYS: Final = ("lease_id", "due_date", "currency")
"""Columns by which a bill is found; no two bills of a run have the same (A16)."""
_NEEDED: Final = ("lease_id", "due_date", "currency", "subtotal", "total", "lines", "vat_totals")
_EXPECTED: Final = (
    "Parquet files of bills or folders of them, Arrow tables, record batches or readers, or data"
    " frames (of a LazyFrame its collect()), as a run gives them: one, or several in a list"
)
_OTHERS: Final = tuple(
    frozenset(schema.names)
    for schema in (ADJUSTMENT_SCHEMA, HISTORY_SCHEMA, NOTICE_SCHEMA, PROBLEM_SCHEMA)
)
"""Columns of the other tables that a run may have written with its bills."""


@dataclass(frozen=True)
class BillTable:
    """Bills in memory: one group of rows."""

    table: Any
    """A table of `BILL_SCHEMA`."""
    name: str = field(default=_NAME, compare=False)
    """How it is called where it is refused."""

    def groups(self) -> int:
        """Return how many groups of rows there are."""
        return 1

    def bill_keys(self) -> Iterator[Any]:
        """Give leases, due dates and currencies of the bills, a table for each group."""
        yield self.table.select(_KEYS)

    def rows(self, groups: Iterable[int]) -> Iterator[Any]:
        """Give some groups of rows, tables of `BILL_SCHEMA`."""
        for _ in groups:
            yield self.table


@dataclass(frozen=True)
class BillFile:
    """A Parquet file of bills, of which a group of rows is read at a time."""

    path: Path
    """Whole, from the root on, so that another process finds it wherever it runs."""
    count: int
    """Groups of rows that it has."""

    def groups(self) -> int:
        """Return how many groups of rows there are."""
        return self.count

    @property
    def name(self) -> str:
        """How it is called where it is refused."""
        return str(self.path)

    def bill_keys(self) -> Iterator[Any]:
        """Give leases, due dates and currencies of the bills.

        Raises:
            InvalidRecordError: The file is damaged, or a bill has no lease, due date or currency.
            OSError: There is no such file.
        """
        with _reading(self.path), pq.ParquetFile(self.path, pre_buffer=False) as file:
            for group in range(self.count):
                keys = file.read_row_group(group, [*_KEYS], use_threads=False)
                yield in_bill_form(keys, _KEYS).select(_KEYS)

    def rows(self, groups: Iterable[int]) -> Iterator[Any]:
        """Give some groups of rows, tables of `BILL_SCHEMA`.

        Raises:
            InvalidRecordError: The file is damaged, or a value is lost in the types of a run.
            OSError: There is no such file.
        """
        with _reading(self.path), pq.ParquetFile(self.path, pre_buffer=False) as file:
            for group in groups:
                yield in_bill_form(file.read_row_group(group, use_threads=False))


BillSource = BillTable | BillFile


def bill_sources(given: Any, path: str = _NAME) -> tuple[BillSource, ...]:  # noqa: ANN401 - whatever holds bills
    """Return the earlier bills of a file, a folder, a table or several of those.

    Raises:
        InvalidRecordError: There are no bills in it, or a file is given twice.
        OSError: There is no such file.

    Examples:
        >>> len(bill_sources([BILL_SCHEMA.empty_table()] * 2))
        2
    """
    if isinstance(given, (str, PathLike)):
        return tuple(map(_file, bill_files(Path(given))))
    if isinstance(given, pa.RecordBatch):
        given = pa.Table.from_batches([given])
    if hasattr(given, "__arrow_c_stream__"):
        return (BillTable(in_bill_form(reader_of(given, path).read_all()), path),)
    if isinstance(given, Iterable) and not isinstance(given, (bytes, Mapping)):
        several = (bill_sources(each, f"{path}[{at}]") for at, each in enumerate(given))
        found = tuple(source for sources in several for source in sources)
        _refuse_repeated(each.path for each in found if isinstance(each, BillFile))
        return found
    raise no_bills(path, given, _EXPECTED)


def _refuse_repeated(paths: Iterable[Path]) -> None:
    """Refuse one file twice: its bills would count as billed twice, and be credited once."""
    seen: set[Path] = set()
    for path in paths:
        if path.resolve() in seen:
            said, expected = "is given twice, so that its bills would be credited", "each file once"
            raise InvalidRecordError.of(_NAME, "duplicate_path", said, str(path), expected)
        seen.add(path.resolve())


def bill_files(path: Path) -> list[Path]:
    """Return the files of bills that a path means: itself, or those of a folder.

    Raises:
        InvalidRecordError: A file is damaged or of another kind, there is none in the folder, or a
            sub-folder is refused, see `parquet_files`.
        OSError: There is no such folder.
    """
    if not path.is_dir():
        if path.suffix.lower() in _TEXTS:
            said = "is a text, in which bills are not found by their leases"
            expected = "the Parquet file of the run, which `bill-run` writes without --format"
            raise InvalidRecordError.of(_NAME, "unknown_file", said, str(path), expected)
        return [path.absolute()]
    there = parquet_files(path.absolute(), _NAME, _COLUMNS)
    found = [each for each in there if not _is_other(each)]
    if not found:
        said, expected = "has no Parquet file of bills", "a folder of Parquet files of bills"
        raise InvalidRecordError.of(_NAME, "empty_folder", said, str(path), expected)
    return found


def _file(path: Path) -> BillFile:
    with _reading(path), pq.ParquetFile(path, pre_buffer=False) as file:
        in_bill_form(file.schema_arrow.empty_table())
        return BillFile(path, file.num_row_groups)


@contextmanager
def _reading(path: Path) -> Generator[None]:
    """Add the name of a file to what it is refused for."""
    try:
        with reading(path):
            yield
    except InvalidRecordError as error:
        error.facts["file"] = str(path)
        error.add_note(f"in {path}")
        raise


def _is_other(path: Path) -> bool:
    """Return whether a file is another table that a run has written with its bills."""
    with _reading(path):
        return frozenset(pq.read_schema(path).names) in _OTHERS


def in_bill_form(table: Any, needed: Sequence[str] = _NEEDED) -> Any:  # noqa: ANN401 - tables
    """Return a table of bills as `BILL_SCHEMA` has them, without columns that it does not know.

    Raises:
        InvalidRecordError: A column is missing, has holes, is of a type that says something else,
            or has a value that is lost in its new type; a problem for each.
    """
    problems: list[Problem] = []
    columns = []
    for each in BILL_SCHEMA:
        name, wanted = each.name, each.type
        if name not in table.schema.names:
            columns.append(pa.nulls(table.num_rows, wanted))
            if name in needed:
                problems.append(missing_column(f"{_NAME}.{name}", wanted))
            continue
        column = table.column(name)
        if name in needed and column.null_count:
            said, expected = "is missing for a bill", "a value for each bill"
            problems.append(_problem(name, "missing", said, "nothing", expected))
        elif column.type != wanted:
            met = str(column.type)
            try:
                column, lost = cast(_one(column), _shape(wanted), {})
            except (NoCastError, pa.ArrowInvalid):
                said, lost = "is a column of the wrong type", None
                problems.append(_problem(name, "wrong_type", said, met, str(wanted)))
            if lost is not None and lost.any():
                said = "has values that are not exact in the type of a bill"
                problems.append(_problem(name, "not_exact", said, met, str(wanted)))
        columns.append(column)
    if problems:
        raise InvalidRecordError(problems)
    return pa.table(columns, schema=BILL_SCHEMA)


_WORDS: Final[Mapping[Any, Word]] = MappingProxyType(
    {pa.string(): "text", pa.date32(): "day", pa.int64(): "whole"}
)


def _one(column: Any) -> Any:  # noqa: ANN401 - Arrow arrays
    """Return a column in one piece; older versions of Arrow leave it in pieces of itself."""
    made = column.combine_chunks()
    return made.chunk(0) if isinstance(made, pa.ChunkedArray) else made


def _shape(kind: Any) -> Shape:  # noqa: ANN401 - an Arrow type
    if pa.types.is_list(kind):
        return Shape("list", kind, (("item", _shape(kind.value_type)),))
    if pa.types.is_struct(kind):
        return Shape("record", kind, tuple((each.name, _shape(each.type)) for each in kind))
    return Shape(_WORDS.get(kind, "number"), kind)


def _problem(name: str, code: str, said: str, met: str, expected: str) -> Problem:
    return Problem(f"{_NAME}.{name}", code, said, met, expected)
