"""Lease files: the files of a run, all checked before the first lease is billed.

Law: a file that is cut short or has other columns is refused by its own name at once, not when its
turn comes; for that, the foot of a Parquet file is read, or the first column of an Arrow file.
"""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from rentbilling.adapters.file_runs.file_errors import refuse_unreadable, refused_file
from rentbilling.portfolio.arrow.column_types import ROW
from rentbilling.portfolio.arrow.payloads import texts_of
from rentbilling.portfolio.arrow.schema_checks import ExtraColumns, check_columns, without_absent
from rentbilling.portfolio.leases.batches import row_numbers
from rentbilling.portfolio.leases.ids import LeaseIds, place_in, row_place
from rentbilling.portfolio.leases.parquet_folders import is_parquet
from rentbilling.portfolio.leases.sources import (
    arrow_batches,
    lease_paths,
    reading,
    source_of,
)

_MANY: Final = 65_536
"""Ids that are looked at together."""


class LeaseFile(NamedTuple):
    """A file of leases that can be read."""

    path: Path
    schema: Any
    leases: int
    groups: tuple[int, ...] = ()
    """Leases of each group of rows, of a Parquet file."""


@dataclass(frozen=True)
class LeaseFiles:
    """The files of a run, in their order."""

    files: tuple[LeaseFile, ...]

    @property
    def leases(self) -> int:
        return sum(each.leases for each in self.files)

    def batches(self, size: int) -> Iterator[Any]:
        """Give the leases in record batches.

        Raises:
            FileRefusedError: A file is damaged.
        """
        for file in self.files:
            with refused_file(file.path):
                yield from source_of(file.path, size).batches

    def own_ids(self) -> LeaseIds:
        """Return the ids, and refuse two leases of one id, which would be billed twice.

        Raises:
            FileRefusedError: Two leases have one id.
        """
        seen, first = LeaseIds(), 0
        for file in self.files:
            if "lease_id" not in file.schema.names:
                first += file.leases
                continue
            place = row_place if ROW in file.schema.names else self._place
            with refused_file(file.path):
                for batch in map(without_absent, _columns(file.path, ("lease_id", ROW))):
                    seen.add(texts_of(batch.column("lease_id")), row_numbers(batch, first), place)
                    first += batch.num_rows
        return seen

    def _place(self, row: int) -> str:
        """Return where a lease is, by its number among all leases."""
        return place_in(((file.path, file.leases) for file in self.files), row)


def lease_files(path: Path, extra_columns: ExtraColumns) -> LeaseFiles:
    """Return the files of a run, after a look at each of them.

    Raises:
        FileRefusedError: A file is damaged, of an unknown kind, or of other columns; or there is
            none in the folder.
        OSError: A file is not there, or not to be read.
    """
    with refused_file(path):
        paths = lease_paths(path)
    # Of an empty folder the source itself says what is wrong.
    return LeaseFiles(tuple(_looked_at(each, extra_columns) for each in paths or [path]))


def _looked_at(path: Path, extra_columns: ExtraColumns) -> LeaseFile:
    refuse_unreadable(path)
    with refused_file(path):
        schema = source_of(path, _MANY).schema
        check_columns(schema, extra_columns)
        if is_parquet(path):
            with reading(path):
                metadata = pq.read_metadata(path)
            groups = tuple(metadata.row_group(at).num_rows for at in range(metadata.num_row_groups))
            return LeaseFile(path, schema, metadata.num_rows, groups)
        first = schema.names[:1]
        return LeaseFile(path, schema, sum(each.num_rows for each in _columns(path, first)))


def _columns(path: Path, names: tuple[str, ...] | list[str]) -> Iterator[Any]:
    """Give record batches of some columns of a file, those that it has."""
    with reading(path):
        if is_parquet(path):
            with pq.ParquetFile(path) as file:
                there = [name for name in file.schema_arrow.names if name in names]
                yield from file.iter_batches(_MANY, columns=there, use_threads=False)
            return
        with closing(pa.memory_map(str(path))) as mapped:
            schema, _ = arrow_batches(mapped)
            wanted = [at for at, name in enumerate(schema.names) if name in names]
            yield from arrow_batches(mapped, pa.ipc.IpcReadOptions(included_fields=wanted))[1]
