"""Joined batches: small record batches put together, so that columns pay.

Laws: rows stay in their order, and none is lost; only neighbours of one schema are put together,
and a batch that is large enough is handed on as it is.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import numpy as np
import pyarrow as pa

from rentbilling.portfolio.arrow.column_types import ROW

BATCH_SIZE: Final = 4096
"""Leases of a batch: enough for the columns to pay, few enough to fit anywhere."""


def joined(batches: Iterable[Any], size: int = BATCH_SIZE) -> Iterator[Any]:
    """Give record batches, small neighbours put together.

    Examples:
        >>> one = pa.RecordBatch.from_pydict({"lease_id": ["a"]})
        >>> [batch.num_rows for batch in joined([one, one, one], 2)]
        [2, 1]
    """
    kept: list[Any] = []
    rows = 0
    for batch in batches:
        if kept and (rows + batch.num_rows > size or not _alike(kept[0].schema, batch.schema)):
            yield from _together(kept)
            kept, rows = [], 0
        kept.append(batch)
        rows += batch.num_rows
    if kept:
        yield from _together(kept)


def _alike(one: Any, other: Any) -> bool:  # noqa: ANN401 - Arrow schemas
    return bool(one.names) and bool(one.equals(other))


def _together(batches: Sequence[Any]) -> Sequence[Any]:
    """Return record batches of one schema as one, or as few as Arrow's own bounds let."""
    if len(batches) == 1:
        return batches
    made: list[Any] = pa.Table.from_batches(batches).combine_chunks().to_batches()
    return made or batches[:1]


def numbered(given: Any) -> Iterator[Any]:  # noqa: ANN401 - a record batch or a table
    """Give the record batches of leases that were handed over at once, each with its numbers.

    Examples:
        >>> (batch,) = numbered(pa.RecordBatch.from_pydict({"lease_id": ["a", "b"]}))
        >>> batch.column("row").to_pylist()
        [0, 1]
    """
    first = 0
    for batch in given.to_batches() if isinstance(given, pa.Table) else (given,):
        if ROW in batch.schema.names:
            yield batch
            continue
        rows = np.arange(first, first + batch.num_rows)
        yield batch.append_column(ROW, pa.array(rows))
        first += batch.num_rows
