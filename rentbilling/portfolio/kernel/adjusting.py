"""Adjusting: the adjustments that the kernel makes of a batch of leases, and leases that list them.

Laws: a lease is done only where both engines make the same adjustments of it, without a notice, and
no record would refuse it; of a lease only the lists change that something is added to (A135).
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa

from rentbilling.indices import NO_SERIES, IndexSeries
from rentbilling.policy import BillingPolicy
from rentbilling.portfolio.arrow.arrays import (
    Column,
    Mask,
    Struct,
    absent_of,
    list_column,
    list_lengths,
    offsets_of,
    struct_column,
    there,
    with_fields,
)
from rentbilling.portfolio.arrow.column_types import shape_of
from rentbilling.portfolio.arrow.decimals import FINEST, numbers_of, units_of
from rentbilling.portfolio.arrow.rounding import MOST
from rentbilling.portfolio.kernel.eligibility import (
    Scales,
    asked_in_tables,
    eligible_by_columns,
)
from rentbilling.portfolio.kernel.reading import KernelLeases, read_flat
from rentbilling.portfolio.leases.batches import LeaseForm, record_columns
from rentbilling.portfolio.plans.made import NONE_MADE, Made
from rentbilling.portfolio.plans.plan_items import Followed
from rentbilling.records import Record
from rentbilling.terms import AmountRecord
from rentbilling.values import TOO_LARGE, Period

_RECORD: Final = shape_of(AmountRecord).arrow


class Adjusted(NamedTuple):
    """What the kernel makes of a batch of leases."""

    made: Made
    prices: Column
    """Of one unit from each adjustment on, in units of the finest decimal."""
    done: Mask
    """Of which leases it makes all adjustments."""
    left: Mapping[str, Mask]
    """Features for which it leaves the others, as in `KernelLeases.left`."""


def adjust_batch(
    form: LeaseForm,
    period: Period,
    policy: BillingPolicy,
    indices: Mapping[str, IndexSeries] = NO_SERIES,
) -> Adjusted:
    """Return the adjustments that the kernel makes of leases in a period.

    A lease whose adjustments before the period are neither listed nor recorded is not done, because
    those of the period cannot be listed without them; nor is one that lists some in other ways, or
    one with a price that has more decimals than columns have.

    Examples:
        >>> from rentbilling.policy import DEFAULT
        >>> from rentbilling.portfolio.leases.batches import lease_form, leases_to_arrow
        >>> from rentbilling.testing import a_lease
        >>> form = lease_form(leases_to_arrow([a_lease()]))
        >>> found = adjust_batch(form, Period.parse("2026-01-01/2026-12-31"), DEFAULT)
        >>> found.done.tolist()
        [True]
    """
    read = read_flat(form, policy, Followed(indices, policy, period))
    if read is not None:
        scales = Scales(read.items, policy)
        if scales.fit and asked_in_tables(period.first, period.last):
            done = eligible_by_columns(read.items, scales, policy, 1)
            done[read.made.gaps] = False
            prices, fits = _unit_prices(read)
            done[read.made.place[read.made.new & ~fits]] = False
            read.left["rent_adjustment_plans"][read.made.gaps] = True
            made = read.made_of(done)
            return Adjusted(made, prices[done[read.made.place]], done, read.left)
    none, left = np.zeros(0, np.int64), {} if read is None else read.left
    return Adjusted(NONE_MADE, none, np.zeros(form.batch.num_rows, np.bool_), left)


def _unit_prices(read: KernelLeases) -> tuple[Column, Mask]:
    """Return the prices of one unit that adjustments lead to, and which of them columns have."""
    items, made = read.items, read.made
    total, fits = units_of(Struct(made.adjustments).struct("to_period_amount").of("amount"))
    one = 10**items.quantity_scale
    units = items.priced_units[items.lease_offsets[made.place] + made.item]
    # Of other items, the price is that of one unit already.
    units = np.where(units > 0, units, one)
    fits &= np.abs(total) <= MOST // one
    whole = np.where(fits, total, 0) * one
    prices = whole // units
    # No amount of so few digits is refused, whatever its decimals (A1).
    return prices, fits & (whole % units == 0) & (np.abs(prices) < TOO_LARGE)


class Added(NamedTuple):
    """What is added to plans or items of leases, a row each."""

    lease: Column
    """The place of the lease."""
    at: Column
    """The place of the plan, or of the item, in the lease."""
    values: Any
    """Array of structs."""

    @classmethod
    def of(cls, found: Sequence[tuple[int, int, Record]], kind: type[Record]) -> "Added":
        """Return records of a kind, each with both places."""
        lease, at = np.array([each[:2] for each in found], np.int64).reshape(-1, 2).T
        shape = shape_of(kind)
        columns = record_columns(shape, [each for _, _, each in found])
        return cls(lease, at, struct_column(shape.arrow, columns))

    def and_other(self, others: "Added") -> "Added":
        """Return both."""
        lease, at = (np.append(one, other) for one, other in zip(self[:2], others[:2], strict=True))
        return Added(lease, at, pa.concat_arrays([self.values, others.values]))


def listed_of(made: Made) -> Added:
    """Return the adjustments that plans list from now on."""
    found = made.only(made.new)
    return Added(found.place, found.plan, found.adjustments)


def records_of(made: Made, prices: Column) -> Added:
    """Return amount records, each the price of one unit from the day of an adjustment on (A18)."""
    found, ids = made.only(made.new), pa.nulls(int(made.new.sum()), pa.string())
    fields = Struct(found.adjustments)
    amounts = {"amount": numbers_of(prices[made.new], FINEST)}
    columns = ids, with_fields(fields.of("to_period_amount"), amounts), fields.of("adjusted_on")
    return Added(found.place, found.item, struct_column(_RECORD, columns))


def with_added(leases: Any, adjustments: Added, records: Added) -> Any:  # noqa: ANN401 - record batches
    """Return leases with adjustments at the end of those of plans, and amount records of items."""
    for name, inside, added in (
        ("rent_adjustment_plans", "adjustments", adjustments),
        ("recurring_bill_items", "amount_records", records),
    ):
        if len(added.lease):
            listed = leases.column(name)
            offsets, values = offsets_of(list_lengths(listed)), listed.flatten()
            lists = _extended(Struct(values).of(inside), offsets[added.lease] + added.at, added)
            values = with_fields(values, {inside: lists})
            listed = list_column(offsets, values, listed.type, absent_of(listed))
            leases = leases.set_column(leases.schema.get_field_index(name), name, listed)
    return leases


def _extended(listed: Any, rows: Column, added: Added) -> Any:  # noqa: ANN401 - Arrow arrays
    """Return lists with values added at the ends of some of them."""
    lengths = list_lengths(listed)
    owner = np.concatenate([np.repeat(np.arange(len(lengths)), lengths), rows])
    values = pa.concat_arrays([listed.flatten(), added.values])
    values = values.take(pa.array(np.argsort(owner, kind="stable")))
    lengths = np.bincount(owner, minlength=len(lengths))
    absent = ~there(listed) & (lengths == 0)
    return list_column(offsets_of(lengths), values, listed.type, absent)
