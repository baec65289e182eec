"""Histories: what a run found right, written with its bills, so that the next reads no older ones.

Laws: a history counts for exactly the files of bills that it was written for, under the same policy
and version; a lease is left out of the comparison with its earlier bills only if its terms have the
same checksum, and, with an index plan, the index values that were known then have not changed.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from rentbilling.errors import InvalidPolicyError
from rentbilling.indices import AnyIndices, series_of
from rentbilling.policy import BillingPolicy
from rentbilling.portfolio.arrow.arrays import Column, Mask, day_column, days_of
from rentbilling.portfolio.arrow.column_types import functions
from rentbilling.portfolio.arrow.row_marks import Words, row_marks
from rentbilling.portfolio.leases.batches import LeaseForm
from rentbilling.portfolio.leases.parquet_folders import parquet_files
from rentbilling.portfolio.leases.sources import reading

HISTORY_SCHEMA: Final = pa.schema(
    [("lease_key", pa.uint64()), ("terms", pa.uint64()), ("right_until", pa.date32())]
)
"""A row for each lease that has bills: eight bytes of its id, the checksum of its terms, and the
last day up to which everything that it owes was billed; null where that is not known."""

_KEY: Final = b"rentbilling.history"
_FOOT: Final = 1 << 16
"""Bytes at the end of a Parquet file, which say what is where in it."""
_NEVER: Final = 0
"""The day up to which a lease is right of which nothing is known."""


class History(NamedTuple):
    """What the run found right that wrote the last of some files of bills."""

    keys: Words
    """Of the leases that have bills, in order."""
    terms: Words
    right_until: Column
    facts: Mapping[str, Any]
    """The policy and the index series, see `history_facts`."""
    with_plans: bool = False
    """Whether leases with index plans count, because no value that was known has changed."""

    @classmethod
    def of(cls, files: Sequence[Path], bills: Sequence[Path]) -> Self | None:
        """Return the history among some files that was written for all of some files of bills.

        Raises:
            OSError: A file cannot be read.
        """
        marks: list[str] | None = None
        # The latest one is mostly the one that is looked for.
        for path in reversed(files):
            with reading(path):
                facts = json.loads((pq.read_metadata(path).metadata or {}).get(_KEY, b"null"))
                marks = marks or sorted(map(mark_of, bills))
                if facts is not None and facts["bills"] == marks:
                    table = pq.read_table(path, schema=HISTORY_SCHEMA).combine_chunks()
                    keys, terms = (table.column(at).to_numpy() for at in (0, 1))
                    until = days_of(table.column(2).combine_chunks(), _NEVER)
                    order = np.argsort(keys, kind="stable")
                    return cls(keys[order], terms[order], until[order], facts)
        return None

    def holds(self, keys: Words) -> Mask:
        """Return which leases have bills."""
        found: Mask = np.isin(keys, self.keys)
        return found

    def under(self, facts: Mapping[str, Any] | None) -> Self | None:
        """Return the history as it counts under a policy and series; None where it does not."""
        if facts is None or any(facts[name] != self.facts[name] for name in _SAME):
            return None
        return self._replace(with_plans=_goes_on(facts["series"], self.facts["series"]))

    def right(self, keys: Words, leases: "LeaseMarks", first: int) -> Mask:
        """Return which leases were billed right up to the day before a first one."""
        if not len(self.keys):
            return np.zeros(len(keys), np.bool_)
        at = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        found: Mask = (self.keys[at] == keys) & (self.terms[at] == leases.terms)
        found &= self.right_until[at] == first - 1
        return found if self.with_plans else found & ~leases.planned


def history_files(given: Any) -> list[Path]:  # noqa: ANN401 - whatever holds bills
    """Return the files of histories in folders of bills; of anything else there are none.

    Raises:
        InvalidRecordError: A folder cannot be read, see `parquet_files`.
        OSError: There is no such folder.
    """
    several = given if isinstance(given, list | tuple) else [given]
    folders = (Path(each) for each in several if isinstance(each, (str, PathLike)))
    return [
        path
        for folder in folders
        if folder.is_dir()
        for path in parquet_files(folder.absolute(), "already_billed", ())
        if _is_history(path)
    ]


def _is_history(path: Path) -> bool:
    with reading(path):
        return bool(pq.read_schema(path).names == HISTORY_SCHEMA.names)


class LeaseMarks(NamedTuple):
    """Checksums that show whether the terms of leases have changed."""

    terms: Words
    planned: Mask
    """Which of them have a rent adjustment plan, so that index values count."""

    @classmethod
    def of(cls, form: LeaseForm) -> Self:
        batch = form.batch
        plans = functions.list_value_length(batch.column("rent_adjustment_plans"))
        planned = functions.fill_null(plans, 0).to_numpy(zero_copy_only=False) > 0
        terms = row_marks(batch.schema.names, batch.columns, batch.num_rows)
        return cls(terms, planned)


_SAME: Final = ("version", "policy")


def history_facts(policy: BillingPolicy, indices: AnyIndices) -> dict[str, Any] | None:
    """Return what the bills of a run depend on besides terms; None where that has no checksum.

    Examples:
        >>> history_facts(BillingPolicy(select="accounting_period"), None) is None
        True
    """
    if policy.select != "due_date":
        return None
    try:
        fingerprint = policy.fingerprint
    except InvalidPolicyError:
        # Holidays that cannot be listed.
        return None
    series = {name: each.to_data() for name, each in series_of(indices).items()}
    # With another policy a missing value that comes later would change what was right.
    known = series if policy.missing_index == "refuse" else None
    version = import_module("rentbilling").__version__
    return {"version": version, "policy": fingerprint, "series": known}


def _goes_on(now: Any, before: Any) -> bool:  # noqa: ANN401 - data of series
    """Return whether series have all values that they had, and others only after these."""
    if now is None or before is None or now.keys() != before.keys():
        return False
    return all(_digest(now[name], before[name]["last"]) == before[name]["digest"] for name in now)


def _digest(data: Mapping[str, Any], last: str) -> str:
    """Return the checksum of a series up to a point."""
    kept = {name: value for name, value in data.items() if name != "values"}
    for name in ("values", "known"):
        kept[name] = {
            point: str(value) for point, value in data.get(name, {}).items() if point <= last
        }
    for name in ("provisional", "assumed"):
        kept[name] = [point for point in data.get(name, ()) if point <= last]
    return sha256(json.dumps(kept, sort_keys=True).encode()).hexdigest()


def written_facts(facts: Mapping[str, Any], bills: Iterable[Path]) -> dict[bytes, bytes]:
    """Return the facts of a history as the metadata of its file.

    Raises:
        OSError: A file of bills cannot be read.
    """
    series = facts["series"]
    digests = series and {
        name: {"last": (last := max(data["values"])), "digest": _digest(data, last)}
        for name, data in series.items()
    }
    stored = {**facts, "series": digests, "bills": sorted(map(mark_of, bills))}
    return {_KEY: json.dumps(stored).encode()}


def mark_of(path: Path) -> str:
    """Return size and foot of a file, by which another one is noticed whatever its name.

    Raises:
        OSError: It cannot be read.
    """
    with pa.OSFile(str(path)) as file:
        size: int = file.size()
        file.seek(max(0, size - _FOOT))
        return f"{size} {sha256(file.read()).hexdigest()}"


def history_rows(keys: Words, terms: Words, right_until: Column) -> Any:  # noqa: ANN401 - a record batch
    """Return rows of a history as a record batch of `HISTORY_SCHEMA`; no day is 0."""
    days = functions.if_else(pa.array(right_until != _NEVER), day_column(right_until), None)
    return pa.RecordBatch.from_arrays(
        [pa.array(keys), pa.array(terms), days.cast(pa.date32())], schema=HISTORY_SCHEMA
    )


def write_history(
    path: Path, batches: Sequence[Any], end: tuple[Any, Mapping[bytes, bytes]]
) -> None:
    """Write a history, which ends with some rows and has facts of its own.

    Raises:
        OSError: The file cannot be written.
    """
    rows, facts = end
    with pq.ParquetWriter(path, HISTORY_SCHEMA.with_metadata(dict(facts))) as writer:
        writer.write_table(pa.Table.from_batches([*batches, rows], HISTORY_SCHEMA))
