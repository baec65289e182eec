"""Sources: where the leases of a run come from, as batches of them.

Laws: a source is read once, batch by batch, and never loaded as a whole; a file that cannot be read
to its end is refused, and never taken for a shorter one.
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sized
from contextlib import contextmanager
from itertools import chain, islice
from os import PathLike
from pathlib import Path
from sys import maxsize
from typing import Any, Final, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from rentbilling.errors import InvalidRecordError
from rentbilling.policy import BillingPolicy
from rentbilling.portfolio.arrow.column_types import LEASE_SCHEMA
from rentbilling.portfolio.arrow.joined_batches import joined
from rentbilling.portfolio.arrow.schema_checks import without_absent, wrong_columns
from rentbilling.portfolio.leases.ids import place_in
from rentbilling.portfolio.leases.parquet_folders import ARROW, PARQUET, is_parquet, parquet_files
from rentbilling.portfolio.leases.row_rules import RowCounts
from rentbilling.portfolio.leases.table_leases import TableLeases
from rentbilling.portfolio.leases.table_rows import SHEETS
from rentbilling.terms import LeaseTerms

_BATCHES: Final = (pa.RecordBatch, pa.Table)
_LEVELS: Final = ("list", "element", "item", "array", "bag", "array_element")
"""Steps of the paths of Parquet that lists add."""
_EXPECTED: Final = (
    "the path of a Parquet or Arrow file or of a folder of Parquet files,"
    " TableMapping(…).leases(…), an Arrow table or reader, a data frame (of a LazyFrame its"
    " collect()), record batches, or leases"
)


class Source(NamedTuple):
    """Leases in batches."""

    batches: Iterator[Any]
    """Record batches, or lists of leases or their payloads."""
    schema: Any = None
    """Schema of the record batches, where it is known before the first of them."""
    files: tuple[Path, ...] = ()
    """The files that the leases are read from, in order."""
    counts: RowCounts | None = None
    """Of a flat table: the rows that are no items, as far as batches were taken."""

    def place(self, row: int) -> str:
        """Return where a lease is: its row in its file, if the leases are read from files.

        Examples:
            >>> Source(iter(())).place(3)
            'row 3'
        """
        return place_in(((path, _leases_of(path)) for path in self.files), row)


def _leases_of(path: Path) -> int:
    """Return how many leases a Parquet file has; an Arrow file has all of its source."""
    return int(pq.read_metadata(path).num_rows) if is_parquet(path) else maxsize


def source_of(
    given: Any,  # noqa: ANN401 - whatever holds leases
    batch_size: int,
    policy: BillingPolicy | None = None,
) -> Source:
    """Return the leases of a file, a folder, a table or an iterable; by the policy, if mapped.

    Raises:
        InvalidRecordError: It is no such source, or a file that cannot be read.
        OSError: There is no such file.

    Examples:
        >>> [len(batch) for batch in source_of([LeaseTerms()] * 3, 2).batches]
        [2, 1]
    """
    if isinstance(given, TableLeases):
        counts = RowCounts()
        return Source(given.batches(batch_size, policy, counts), counts=counts)
    if isinstance(given, (str, PathLike)):
        return _of_path(Path(given), batch_size)
    if isinstance(given, _BATCHES):
        found = without_absent(given)
        return Source(_cut([found], batch_size), found.schema)
    if isinstance(given, pa.RecordBatchReader) or hasattr(given, "__arrow_c_stream__"):
        reader = given
        if not isinstance(given, pa.RecordBatchReader):
            reader = reader_of(given)
            if isinstance(given, Sized) and wrong_columns(reader.schema):
                # A frame, which is there as a whole, may have columns without any value.
                return source_of(reader.read_all(), batch_size)
        return _of_iterable(iter(reader), batch_size, reader.schema)
    if isinstance(given, Iterable) and not isinstance(given, (bytes, Mapping, LeaseTerms)):
        return _of_iterable(iter(given), batch_size)
    said = "holds no leases"
    raise InvalidRecordError.of("source", "not_a_source", said, given, _EXPECTED)


def reader_of(frame: Any, path: str = "source") -> Any:  # noqa: ANN401 - any frame, an Arrow reader
    """Return the columns of a data frame.

    Raises:
        InvalidRecordError: It has none, such as values of several types in a column of pandas.
    """
    try:
        return pa.RecordBatchReader.from_stream(frame)
    except (TypeError, ValueError) as error:
        said = "has no columns of one type each: " + "; ".join(map(str, error.args))
        expected = "values of one type in each column, and each name once"
        kind = f"a {type(frame).__name__}"
        raise InvalidRecordError.of(path, "not_a_source", said, kind, expected) from None


def _of_iterable(given: Iterator[Any], batch_size: int, schema: Any = None) -> Source:  # noqa: ANN401
    """Return the leases that something gives one by one or in record batches."""
    for first in given:
        everything = chain((first,), given)
        if isinstance(first, _BATCHES):
            return Source(_cut(everything, batch_size), without_absent(first).schema)
        if isinstance(first, (str, bytes, PathLike)):
            said = "begins with a text or a path and no lease"
            expected = "leases or their data; of several files their folder, or their tables"
            raise InvalidRecordError.of("source[0]", "not_a_source", said, first, expected)
        return Source(_grouped(everything, batch_size))
    return Source(iter(()), schema)


def _grouped(leases: Iterator[Any], batch_size: int) -> Iterator[list[Any]]:
    place = 0
    while group := list(islice(leases, batch_size)):
        for each in group:
            if isinstance(each, _BATCHES):
                raise _mixed(place, each, "another lease, as before it")
            place += 1
        yield group


def _mixed(place: int, met: object, expected: str) -> InvalidRecordError:
    """Return the refusal of something that is not of the kind that a source began with."""
    said = "is not of the kind that the source began with"
    name = type(met).__name__
    return InvalidRecordError.of(f"source[{place}]", "not_a_source", said, name, expected)


def _cut(given: Iterable[Any], batch_size: int) -> Iterator[Any]:
    """Give record batches of at most so many leases, small ones put together."""
    return map(without_absent, joined(_pieces(given, batch_size), batch_size))


def _pieces(given: Iterable[Any], batch_size: int) -> Iterator[Any]:
    """Give record batches, those with more leases in pieces."""
    for place, each in enumerate(given):
        if not isinstance(each, _BATCHES):
            raise _mixed(place, each, "another record batch or table, as before it")
        for batch in each.to_batches() if isinstance(each, pa.Table) else (each,):
            for at in range(0, batch.num_rows, batch_size):
                yield batch.slice(at, batch_size)


def lease_paths(path: Path) -> list[Path]:
    """Return the files of leases that a path means: itself, or those of a folder.

    Raises:
        InvalidRecordError: A folder has files that would be passed over, see `parquet_files`.

    Examples:
        >>> lease_paths(Path("leases.parquet")) == [Path("leases.parquet")]
        True
    """
    if not path.is_dir():
        return [path]
    return parquet_files(path, "source", frozenset(LEASE_SCHEMA.names))


def _of_path(path: Path, batch_size: int) -> Source:
    """Return the leases of a file, or of the Parquet files of a folder."""
    files = lease_paths(path)
    if not files:
        said, expected = "has no Parquet file", "a folder of Parquet files"
        raise InvalidRecordError.of("source", "empty_folder", said, str(path), expected)
    if path.is_dir() or is_parquet(path):
        first = _of_parquet(files[0], batch_size)
        others = (batch for each in files[1:] for batch in _of_parquet(each, batch_size).batches)
        # Groups of rows may be small.
        batches = _cut(chain(first.batches, others), batch_size)
        return Source(batches, first.schema, tuple(files))
    if path.suffix.lower() in ARROW:
        return _of_arrow(path, batch_size)
    said = "is a file of an unknown kind"
    expected = f"one of {', '.join((*PARQUET, *ARROW))}, or a folder"
    if ".csv" in path.suffixes:
        said = "is CSV, which needs a mapping from its columns to fields"
        expected = f"TableMapping(item={{…}}).leases({path.name!r}), or --map map.toml in the shell"
    elif path.suffix.lower() in SHEETS:
        said = "is a spreadsheet, which needs a mapping from its columns to fields"
        expected = f"TableMapping(item={{…}}).leases(pandas.read_excel({path.name!r})), or its CSV"
    raise InvalidRecordError.of("source", "unknown_file", said, str(path), expected)


def _of_parquet(path: Path, batch_size: int) -> Source:
    with reading(path):
        # What is read ahead stays in memory until the end, and a file may be larger than that.
        file = pq.ParquetFile(path, pre_buffer=False)
        schema = file.schema_arrow
        # The names of damaged columns are no texts.
        _ = schema.names
        leaves = [each.path for each in map(file.schema.column, range(len(file.schema)))]
        schema = _with_values(
            schema,
            lambda wrong: file.iter_batches(columns=[*filter(wrong, leaves)], use_threads=False),
        )
    batches = file.iter_batches(batch_size=batch_size, use_threads=False)
    return Source(_watched(path, batches), schema)


def _of_arrow(path: Path, batch_size: int) -> Source:
    with reading(path):
        schema, batches = arrow_batches(pa.memory_map(str(path)))
        schema = _with_values(schema, lambda _: arrow_batches(pa.memory_map(str(path)))[1])
    return Source(_cut(_watched(path, batches), batch_size), schema, (path,))


def arrow_batches(mapped: Any, options: Any = None) -> tuple[Any, Iterable[Any]]:  # noqa: ANN401
    """Return schema and batches of an Arrow file, with a table of contents or without."""
    mapped.seek(0)
    try:
        file = pa.ipc.open_file(mapped, options=options)
    except pa.ArrowInvalid:
        mapped.seek(0)
        stream = pa.ipc.open_stream(mapped, options=options)
        return stream.schema, stream
    return file.schema, map(file.get_batch, range(file.num_record_batches))


def _with_values(schema: Any, read: Callable[[Callable[[str], bool]], Iterable[Any]]) -> Any:  # noqa: ANN401
    """Return the schema of a file, no type where a column of a wrong one has no value at all.

    Args:
        schema: As the file has it.
        read: Reads the columns of the paths for which it is asked, or more of them.
    """
    wrong = wrong_columns(schema)
    if not wrong:
        return schema

    def asked(path: str) -> bool:
        steps = [each for each in path.split(".") if each not in _LEVELS]
        return any(steps[: len(each)] == each for each in wrong)

    found = [schema.empty_table(), *read(asked)]
    types = [without_absent(each).schema for each in found]
    return pa.unify_schemas(types, promote_options="permissive")


def _watched(path: Path, batches: Iterable[Any]) -> Iterator[Any]:
    """Give the batches of a file; where it is damaged, say so."""
    with reading(path):
        yield from batches


@contextmanager
def reading(path: Path) -> Generator[None]:
    """Refuse a file that cannot be read for what it is; one that is not there, the system does.

    Raises:
        InvalidRecordError: The file is damaged.
    """
    try:
        yield
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        said = f"cannot be read, it is damaged or cut short: {error}"
        kind = path.suffix if path.suffix in (*PARQUET, *ARROW) else PARQUET[0]
        expected = f"a whole {kind} file"
        raise InvalidRecordError.of("source", "unreadable", said, str(path), expected) from error


def leases_in(given: Any) -> int | None:  # noqa: ANN401 - whatever holds leases
    """Return how many leases a source has, where that is known without reading it.

    Examples:
        >>> leases_in([{}, {}]), leases_in(iter([{}]))
        (2, None)
    """
    if isinstance(given, (str, PathLike)):
        return _in_files(Path(given))
    if isinstance(given, _BATCHES):
        return int(given.num_rows)
    if isinstance(given, list | tuple) and given and isinstance(given[0], _BATCHES):
        return sum(int(each.num_rows) for each in given if isinstance(each, _BATCHES))
    # A data frame has the length of its rows, as a list of leases has.
    return len(given) if isinstance(given, Sized) else None


def _in_files(path: Path) -> int | None:
    if not (is_parquet(path) or path.is_dir()):
        return None
    try:
        return sum(int(pq.read_metadata(each).num_rows) for each in lease_paths(path))
    except (pa.ArrowException, OSError, InvalidRecordError):
        # Reading it says what is wrong with it.
        return None
