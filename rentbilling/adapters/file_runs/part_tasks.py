"""Part tasks: which leases make a part, and how they come to where they are billed.

Laws: the leases of a part depend on their order and on the size of a part alone, not on the files,
groups of rows or batches that they are in, nor on where they are read; a file that was changed
after it was checked is refused.
"""

import os
from collections.abc import Container, Iterable, Iterator
from functools import lru_cache
from itertools import count, groupby
from pathlib import Path
from typing import Any, Final, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from rentbilling.adapters.file_runs.file_errors import refused_file
from rentbilling.adapters.file_runs.lease_files import LeaseFiles
from rentbilling.errors import InvalidRecordError
from rentbilling.portfolio.arrow.joined_batches import BATCH_SIZE, joined
from rentbilling.portfolio.leases.parquet_folders import is_parquet
from rentbilling.portfolio.leases.sources import reading
from rentbilling.portfolio.runs.histories import mark_of

_FAR: Final = 2
"""Parts of a group of rows at most, where workers read: each reads the group from its beginning."""


class Span(NamedTuple):
    """Leases of a Parquet file, which follow each other."""

    path: str
    mark: str
    """Size and foot of the file, see `mark_of`."""
    groups: tuple[int, ...]
    """The groups of rows that they are in."""
    skipped: int
    """Leases before them in the first of these."""
    leases: int

    def batches(self) -> Iterator[Any]:
        """Give the leases in record batches.

        Raises:
            FileRefusedError: The file is damaged, not there, or not the one that was checked.
        """
        path = Path(self.path)
        with refused_file(path), reading(path):
            foot = _foot_of(self.path, self.mark)
            with pq.ParquetFile(path, metadata=foot, pre_buffer=False) as file:
                given = file.iter_batches(BATCH_SIZE, row_groups=[*self.groups], use_threads=False)
                batches = _Batches(given)
                for _ in batches.first(self.skipped):
                    pass
                yield from batches.first(self.leases)


@lru_cache(maxsize=64)
def _foot_of(path: str, mark: str) -> Any:  # noqa: ANN401 - pyarrow has no types
    """Return the metadata at the end of a Parquet file, read once by each process."""
    there, expected = Path(path), "the file that the run began with"
    try:
        found = mark_of(there)
    except OSError as error:
        said = f"cannot be read where it is billed ({os.strerror(error.errno or 0)})"
        raise InvalidRecordError.of("source", "other_file", said, path, expected) from None
    if found != mark:
        said = "is another file where it is billed"
        raise InvalidRecordError.of("source", "other_file", said, path, expected)
    return pq.read_metadata(there)


Sent = tuple[Span, ...] | tuple[bytes, ...]
"""The leases of a part as they travel: where they are read, or streams of Arrow."""


class PartTask(NamedTuple):
    """Leases that are billed together."""

    number: int
    """Of the part, from 0."""
    first_row: int
    """Number of its first lease in the source."""
    given: Iterable[Any]
    """Spans, streams of Arrow, or record batches that are read before the next task is."""

    def sent(self) -> Sent:
        """Return the leases as they are sent to another process."""
        given = tuple(self.given)
        if all(isinstance(each, (Span, bytes)) for each in given):
            return given
        return tuple(_packed(each) for _, each in groupby(given, _schema_of))


def leases_of(given: Iterable[Any]) -> Iterator[Any]:
    """Give leases in record batches of one size, but for the last of each schema."""
    for _, alike in groupby(_opened(given), _schema_of):
        batches = _Batches(alike)
        while not batches.are_over():
            yield from joined(batches.first(BATCH_SIZE), BATCH_SIZE)


def _opened(given: Iterable[Any]) -> Iterator[Any]:
    for each in given:
        if isinstance(each, Span):
            yield from each.batches()
        elif isinstance(each, bytes):
            with pa.ipc.open_stream(each) as reader:
                yield from reader
        else:
            yield each


def _schema_of(batch: Any) -> Any:  # noqa: ANN401 - pyarrow has no types
    return batch.schema


def _packed(batches: Iterable[Any]) -> bytes:
    sink, first, *others = pa.BufferOutputStream(), *batches
    with pa.ipc.new_stream(sink, first.schema, options=compressed()) as writer:
        for batch in (first, *others):
            writer.write_batch(batch)
    return bytes(sink.getvalue())


def compressed() -> Any:  # noqa: ANN401 - pyarrow has no types
    """Return how streams of Arrow are written that live for minutes: small where that is cheap."""
    small = "lz4" if pa.Codec.is_available("lz4_frame") else None
    return pa.ipc.IpcWriteOptions(compression=small)


def can_be_read_in_parts(files: LeaseFiles, part_size: int) -> bool:
    """Return whether each part can be read alone without reading much else."""
    return all(
        is_parquet(file.path) and max(file.groups, default=0) <= _FAR * part_size
        for file in files.files
    )


def referring_tasks(files: LeaseFiles, part_size: int, done: Container[int]) -> Iterator[PartTask]:
    """Give the parts of a run, whose leases are read where they are billed."""
    held: list[Span] = []
    number = rows = 0
    for file in files.files:
        path = file.path.absolute()
        mark, at = mark_of(path), 0
        while at < file.leases:
            span = _span(str(path), mark, file.groups, at, part_size - rows)
            at, rows = at + span.leases, rows + span.leases
            held.append(span)
            if rows == part_size:
                if number not in done:
                    yield PartTask(number, number * part_size, tuple(held))
                number, rows, held = number + 1, 0, []
    if held and number not in done:
        yield PartTask(number, number * part_size, tuple(held))


def _span(path: str, mark: str, groups: tuple[int, ...], first: int, most: int) -> Span:
    """Return so many leases of a file at most, from one on."""
    numbers: list[int] = []
    skipped = end = 0
    for number, leases in enumerate(groups):
        begin, end = end, end + leases
        if end <= first:
            continue
        if not numbers:
            skipped = first - begin
        numbers.append(number)
        if end >= first + most:
            break
    return Span(path, mark, tuple(numbers), skipped, min(most, end - first))


def passing_tasks(files: LeaseFiles, part_size: int, done: Container[int]) -> Iterator[PartTask]:
    """Give the parts of a run, whose leases are read while they are billed, batch by batch."""
    batches = _Batches(files.batches(min(BATCH_SIZE, part_size)))
    for number in count():
        leases = batches.first(part_size)
        if number not in done and not batches.are_over():
            yield PartTask(number, number * part_size, leases)
        for _ in leases:
            pass
        if batches.are_over():
            return


class _Batches:
    """Record batches that are taken by the number of their leases."""

    def __init__(self, batches: Iterator[Any]) -> None:
        self._batches = batches
        self._next: Any = None

    def are_over(self) -> bool:
        while self._next is None or not self._next.num_rows:
            self._next = next(self._batches, None)
            if self._next is None:
                return True
        return False

    def first(self, leases: int) -> Iterator[Any]:
        """Give the next leases, so many at most."""
        while leases and not self.are_over():
            piece = self._next.slice(0, leases)
            self._next = self._next.slice(piece.num_rows)
            leases -= piece.num_rows
            yield piece
            # No reference to it is left while the next one is read.
            del piece
