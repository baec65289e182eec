"""Lease counts: how many leases a source holds, where that can be told without reading them.

Law: a source is not begun to be counted; what does not say how many leases it has has no number.
"""

from collections.abc import Sized
from os import PathLike
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from rentbilling.errors import InvalidRecordError
from rentbilling.portfolio.leases.parquet_folders import is_parquet
from rentbilling.portfolio.leases.sources import lease_paths

_BATCHES: Final = (pa.Table, pa.RecordBatch)


def leases_in(given: Any) -> int | None:  # noqa: ANN401 - whatever holds leases
    """Return how many leases a source holds.

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
    """Return how many leases a Parquet file holds, or the files of a folder."""
    if not (is_parquet(path) or path.is_dir()):
        return None
    try:
        return sum(int(pq.read_metadata(each).num_rows) for each in lease_paths(path))
    except (pa.ArrowException, OSError, InvalidRecordError):
        # Who reads it is told what is wrong with it.
        return None
