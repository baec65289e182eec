"""Corrections: leases that were billed before, and need no correction (A53).

Law: the kernel computes the bills of the days that earlier bills and the asked period cover. Where
every earlier bill of a lease is among them, and no other is due before the asked period, the bills
of the asked period that were not sent are the answer; the scalar engine bills every other lease.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any, Final, NamedTuple, Self

import numpy as np
import pyarrow as pa

from rentbilling.indices import NO_SERIES, IndexSeries
from rentbilling.policy import BillingPolicy
from rentbilling.portfolio.arrow.arrays import Column, Mask, days_of, equal_rows, largest, smallest
from rentbilling.portfolio.arrow.column_types import BILL_SCHEMA, ROW, functions
from rentbilling.portfolio.kernel.bills import FlatBills, bill_flat
from rentbilling.portfolio.kernel.reading import KernelLeases, read_flat
from rentbilling.portfolio.kernel.writing import KernelBatch, bills_to_arrow
from rentbilling.portfolio.leases.batches import LeaseForm, lease_form
from rentbilling.portfolio.plans.plan_items import Followed
from rentbilling.values import LAST_DAY, Period

_COMPARED: Final = ("subtotal", "total", "cash_rounding", "lines", "vat_totals")
"""The columns of a bill apart from lease, due date and currency, which identify it (A16)."""
_MONTH: Final = 31
_BITS: Final = 32
_AFTER: Final = LAST_DAY + 1
"""The day after every date."""


class EarlierRows(NamedTuple):
    """Earlier bills of a batch of leases."""

    rows: Any
    """A record batch of `BILL_SCHEMA`."""
    places: Column
    """For each of its rows the place of the lease in the batch."""
    since: int | None = None
    """The first day that counts; None for the first one on which a bill of the lease is due."""

    @classmethod
    def of(cls, rows: Any, lease_ids: Sequence[str | None], since: object = None) -> Self:  # noqa: ANN401 - a table
        """Return the earlier bills of leases in one piece."""
        batches = rows.combine_chunks().to_batches()
        (batch,) = batches or [pa.RecordBatch.from_pylist([], BILL_SCHEMA)]
        at = {each: place for place, each in enumerate(lease_ids)}
        places = [at[each] for each in batch.column("lease_id").to_pylist()]
        day = since.toordinal() if isinstance(since, date) else None
        return cls(batch, np.array(places, np.int64), day)


class _Spans(NamedTuple):
    """The days of each lease that its bills are looked at for."""

    since: Column
    """From which it owes what was not billed."""
    low: Column
    """The first one on which it owes or was billed something."""
    high: Column
    """The last one."""


def bill_with_earlier(
    leases: Any,  # noqa: ANN401 - a record batch
    period: Period,
    policy: BillingPolicy,
    earlier: EarlierRows,
    indices: Mapping[str, IndexSeries] = NO_SERIES,
    left: dict[str, Mask] | None = None,
) -> KernelBatch | None:
    """Return the bills of a batch of leases that the kernel makes, given earlier ones.

    In `left` it puts for which features it leaves leases, as `bill_batch` does.

    Examples:
        >>> from rentbilling.policy import DEFAULT
        >>> from rentbilling.portfolio import BILL_SCHEMA, BillRecordBatches, leases_to_arrow
        >>> from rentbilling.testing import a_lease
        >>> batch = leases_to_arrow([a_lease(lease_id="a"), a_lease(lease_id="b")])
        >>> sent = BillRecordBatches("2026-02-01/2026-02-28")(batch.slice(0, 1))
        >>> february = Period.parse("2026-02-01/2026-02-28")
        >>> earlier = EarlierRows(sent, np.array([0]))
        >>> found = bill_with_earlier(batch, february, DEFAULT, earlier)
        >>> found.done.tolist(), found.bills.column("lease_id").to_pylist()
        ([True, True], ['b'])
    """
    form = leases if isinstance(leases, LeaseForm) else lease_form(leases)
    if form is None:
        return None
    spans = _spans(earlier, period, form.batch.num_rows)
    due = smallest(spans.low, period.first), largest(spans.high, period.last)
    read = read_flat(form, policy, Followed(indices, policy, period, *due))
    if read is None:
        return None
    count = len(spans.high)
    done, noticed, other = np.zeros((3, count), np.bool_)
    found = []
    for window, own in _windows(spans, period):
        flat = _in_window(read, window, own, policy)
        noticed |= flat.noticed
        if not flat.eligible.any():
            continue
        part = KernelBatch(bills_to_arrow(flat, read, policy), flat.eligible)
        of_window = own[earlier.places]
        sent = EarlierRows(earlier.rows.filter(pa.array(of_window)), earlier.places[of_window])
        kept, right = _compared(part.bills, sent, spans, period)
        other |= part.done & ~right
        right &= part.done
        place = part.bills.column(ROW).to_numpy()
        found.append(part.bills.filter(pa.array(kept & right[place])))
        done |= right
    if left is not None:
        left.update(read.left, notices=noticed, earlier_bills=other)
    if not done.any():
        return None
    return KernelBatch(_together(found), done, read.made_of(done))


def _spans(earlier: EarlierRows, period: Period, count: int) -> _Spans:
    """Return the days of each lease that are looked at."""
    due = days_of(earlier.rows.column("due_date"), 0)
    low, high = np.full(count, period.first), np.full(count, period.last)
    np.minimum.at(low, earlier.places, due)
    np.maximum.at(high, earlier.places, due)
    since = low.copy() if earlier.since is None else np.full(count, earlier.since)
    np.minimum(since, period.first, out=since)
    return _Spans(since, np.minimum(low, since), high)


def _windows(spans: _Spans, period: Period) -> Iterator[tuple[Period, Mask]]:
    """Give days to bill, each with the leases that need them and about no more.

    The months before the asked days, and those after them, are at most twice those needed, so that
    one lease with a long past does not make it long for all.
    """
    before = (period.first - spans.low + _MONTH - 1) // _MONTH
    after = (spans.high - period.last + _MONTH - 1) // _MONTH
    key = (_doubled(before) << _BITS) | _doubled(after)
    for each in np.unique(key).tolist():
        own = key == each
        yield Period.unchecked(int(spans.low[own].min()), int(spans.high[own].max())), own


def _doubled(numbers: Column) -> Column:
    """Return how often 1 is doubled to be no less than each number, and once more; 0 for 0."""
    found = np.zeros(len(numbers), np.int64)
    some = numbers > 0
    found[some] = np.ceil(np.log2(numbers[some])).astype(np.int64) + 1
    return found


def _in_window(read: KernelLeases, window: Period, own: Mask, policy: BillingPolicy) -> FlatBills:
    """Return what the kernel bills of some leases in some days."""
    items = read.items
    if not own.all():
        items = replace(items, rare=items.rare | ~own)
    return bill_flat(items, window, policy=policy)


def _compared(
    bills: Any,  # noqa: ANN401 - a record batch
    earlier: EarlierRows,
    spans: _Spans,
    period: Period,
) -> tuple[Mask, Mask]:
    """Compare the bills that leases owe with those that they were sent."""
    place, due = bills.column(ROW).to_numpy(), days_of(bills.column("due_date"), 0)
    rest = np.ones(len(place), np.bool_)
    right = np.ones(len(spans.since), np.bool_)
    if earlier.rows.num_rows:
        at, same = _matched(bills, place, due, earlier)
        right[earlier.places[~same]] = False
        rest[at[same]] = False
    missed = rest & (due < period.first) & (due >= spans.since[place])
    right[place[missed]] = False
    return rest & (due >= period.first) & (due <= period.last), right


def _matched(bills: Any, place: Column, due: Column, earlier: EarlierRows) -> tuple[Column, Mask]:  # noqa: ANN401 - a record batch
    """Return for each bill that was sent the row of the one that is owed, and whether it is it."""
    sent_due = days_of(earlier.rows.column("due_date"), 0)
    codes = pa.array(sorted({*_words(bills), *_words(earlier.rows)}), pa.string())

    def keys(rows: Any, places: Column, days: Column) -> Column:  # noqa: ANN401 - a table
        code = functions.index_in(rows.column("currency"), value_set=codes)
        found: Column = (places * _AFTER + days) * len(codes) + code.to_numpy()
        return found

    # Bills are in the order of lease, due date and currency, so that their keys rise.
    owed, sent = keys(bills, place, due), keys(earlier.rows, earlier.places, sent_due)
    at = np.searchsorted(owed, sent)
    same = at < len(owed)
    same[same] = owed[at[same]] == sent[same]
    _, which, often = np.unique(sent, return_inverse=True, return_counts=True)
    same &= often[which.reshape(-1)] == 1
    rows = np.flatnonzero(same)
    mine, theirs = bills.take(pa.array(at[rows])), earlier.rows.take(pa.array(rows))
    for name in _COMPARED:
        same[rows] &= equal_rows(mine.column(name), theirs.column(name))
    return at, same


def _words(rows: Any) -> list[str]:  # noqa: ANN401 - a table
    found: list[str] = functions.unique(rows.column("currency")).to_pylist()
    return found


def _together(parts: Sequence[Any]) -> Any:  # noqa: ANN401 - record batches
    """Return the bills of all windows in the order of their leases."""
    if len(parts) == 1:
        return parts[0]
    table = pa.Table.from_batches(parts).combine_chunks()
    (batch,) = table.to_batches() or [parts[0]]
    return batch.take(pa.array(np.argsort(batch.column(ROW).to_numpy(), kind="stable")))
