"""Bill twins: an earlier bill that is given twice is refused, or it would be credited (A53).

Laws: two bills are the same bill if they have the same lease, due date, currency and lines, where
corrections are left out; bills of corrections alone are never the same. No lines are read where no
two bills have the same lease, due date and currency.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np
import pyarrow as pa

from rentbilling.errors import InvalidRecordError, shown
from rentbilling.portfolio.arrow.arrow_types import functions
from rentbilling.portfolio.leases.lease_ids import LeaseIds, short_fingerprints
from rentbilling.portfolio.runs.bill_sources import BillSource

_COMPARED: Final = ("lease_id", "due_date", "currency", "lines")
_BY_CURRENCY: Final = np.uint64(0x9E3779B97F4A7C15)
_BY_DAY: Final = np.uint64(0xBF58476D1CE4E5B9)
"""Odd numbers, so that two days or currencies never give a lease the same mark."""


def marks_of(keys: Any) -> tuple[Any, Any]:  # noqa: ANN401 - tables and arrays
    """Return eight bytes of each lease and of each bill."""
    leases, lease_at = _distinct(keys.column("lease_id"))
    currencies, currency_at = _distinct(keys.column("currency"))
    days = keys.column("due_date").cast(pa.int32()).to_numpy().astype(np.int64).view(np.uint64)
    marks = leases[lease_at] + days * _BY_DAY + (currencies * _BY_CURRENCY)[currency_at]
    return leases, marks


def _distinct(column: Any) -> tuple[Any, Any]:  # noqa: ANN401 - arrays
    """Return the fingerprints of the texts of a column, and for each row which of them it has."""
    texts = functions.unique(column)
    at = functions.index_in(column, texts).to_numpy()
    return short_fingerprints(texts.to_pylist()), at


def refuse_bill_twins(sources: Sequence[BillSource], marks: Sequence[Any]) -> None:
    """Refuse earlier bills of which one is given twice.

    Raises:
        InvalidRecordError: A bill is given twice; the error names both places.
    """
    every = np.sort(np.concatenate([np.zeros(0, np.uint64), *marks]))
    again = np.unique(every[1:][every[1:] == every[:-1]])
    del every
    if not len(again):
        return
    # Of each group of rows the bills that may be twins of others.
    places = [np.flatnonzero(_among(again, each)) for each in marks]
    groups = _Groups(sources, marks)
    met = LeaseIds()
    for group in _neighbours_first([own[at] for own, at in zip(marks, places, strict=True)]):
        bills = groups.bills(group, places[group])
        said = {row: text for row, bill in bills.items() if (text := _said(bill)) is not None}
        twin = met.twin(list(said.values()), list(said))
        if twin is not None:
            raise groups.refusal(bills[twin.row], twin.first, twin.row)


def _among(known: Any, marks: Any) -> Any:  # noqa: ANN401 - arrays
    """Return of each mark whether it is one of some that are sorted."""
    return known[np.minimum(np.searchsorted(known, marks), len(known) - 1)] == marks


def _neighbours_first(marks: Sequence[Any]) -> Iterator[int]:
    """Give the groups that have marks, each followed by those that have the same ones.

    So where a file was copied, the copy of its first group is read next.
    """
    every = np.concatenate(marks)
    order = np.argsort(every, kind="stable")
    groups = np.repeat(np.arange(len(marks)), [len(own) for own in marks])[order]
    every = every[order]
    left = set(groups.tolist())
    for group, own in enumerate(marks):
        if group in left:
            # Each mark has two bills at least; of more, the first and the last will do.
            ends = np.searchsorted(every, own), np.searchsorted(every, own, side="right") - 1
            near = {group, *groups[np.concatenate(ends)].tolist()} & left
            left -= near
            yield from sorted(near)


def _said(bill: Mapping[str, Any]) -> str | None:
    """Return what a bill bills but for corrections, as a text; None where it is nothing."""
    lines = sorted(repr(line) for line in bill["lines"] if line["kind"] != "correction")
    if not lines:
        return None
    return repr([*(bill[name] for name in _COMPARED[:-1]), *lines])


class _Groups:
    """The groups of rows of several sources, whose rows are counted through."""

    def __init__(self, sources: Sequence[BillSource], marks: Sequence[Any]) -> None:
        self._groups = [(source, at) for source in sources for at in range(source.groups())]
        self._firsts = np.cumsum([0, *(len(each) for each in marks[:-1])])

    def bills(self, group: int, places: Any) -> dict[int, dict[str, Any]]:  # noqa: ANN401 - an array
        """Return some bills of a group, by the numbers of their rows."""
        source, at = self._groups[group]
        (table,) = source.rows([at])
        bills = table.select(_COMPARED).take(pa.array(places)).to_pylist()
        return dict(zip((self._firsts[group] + places).tolist(), bills, strict=True))

    def refusal(self, bill: Mapping[str, Any], *rows: int) -> InvalidRecordError:
        """Return the refusal of a bill that is in two rows."""
        places, source = [], self._groups[0][0]
        for row in rows:
            group = int(np.searchsorted(self._firsts, row, side="right")) - 1
            source, at = self._groups[group]
            places.append(f"row {row - self._firsts[group - at]} of {source.name}")
        lease_id, due = bill["lease_id"], bill["due_date"]
        said = (
            f"has the bill of lease {shown(lease_id)}, due {due}, {bill['currency']} twice:"
            f" {' and '.join(places)}"
        )
        path, expected = "already_billed", "each earlier bill once"
        error = InvalidRecordError.of(path, "duplicate_bill", said, lease_id, expected)
        error.facts["file"] = source.name
        return error
