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
    list_lengths,
    struct_column,
    there,
    with_fields,
)
from rentbilling.portfolio.arrow.column_types import shape_of
from rentbilling.portfolio.kernel.eligibility import (
    Scales,
    asked_in_tables,
    eligible_by_columns,
)
from rentbilling.portfolio.kernel.items import offsets_of
from rentbilling.portfolio.kernel.reading import read_flat
from rentbilling.portfolio.leases.batches import LeaseForm, record_columns
from rentbilling.portfolio.plans.made import NONE_MADE, Made
from rentbilling.portfolio.plans.plan_items import Followed
from rentbilling.records import Record
from rentbilling.terms import AmountRecord
from rentbilling.values import Period

_RECORD: Final = shape_of(AmountRecord).arrow


def adjust_batch(
    form: LeaseForm,
    period: Period,
    policy: BillingPolicy,
    indices: Mapping[str, IndexSeries] = NO_SERIES,
) -> tuple[Made, Mask]:
    """Return the adjustments that the kernel makes of leases in a period, and which are done.

    A lease whose adjustments before the period are neither listed nor recorded is not, because
    those of the period cannot be listed without them; nor is one that lists some in other ways.

    Examples:
        >>> from rentbilling.policy import DEFAULT
        >>> from rentbilling.portfolio.leases.batches import lease_form, leases_to_arrow
        >>> from rentbilling.testing import a_lease
        >>> form = lease_form(leases_to_arrow([a_lease()]))
        >>> _, done = adjust_batch(form, Period.parse("2026-01-01/2026-12-31"), DEFAULT)
        >>> done.tolist()
        [True]
    """
    read = read_flat(form, policy, Followed(indices, policy, period))
    if read is not None:
        scales = Scales(read.items, policy)
        if scales.fit and asked_in_tables(period.first, period.last):
            done = eligible_by_columns(read.items, scales, policy, 1)
            done[read.made.gaps] = False
            return read.made_of(done), done
    return NONE_MADE, np.zeros(form.batch.num_rows, np.bool_)


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


def records_of(made: Made) -> Added:
    """Return amount records, each the price of one unit from the day of an adjustment on (A18)."""
    found = made.only(made.new)
    fields, ids = Struct(found.adjustments), pa.nulls(len(found.place), pa.string())
    columns = ids, fields.of("to_period_amount"), fields.of("adjusted_on")
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
            listed = _lists(listed, offsets, with_fields(values, {inside: lists}), there(listed))
            leases = leases.set_column(leases.schema.get_field_index(name), name, listed)
    return leases


def _extended(listed: Any, rows: Column, added: Added) -> Any:  # noqa: ANN401 - Arrow arrays
    """Return lists with values added at the ends of some of them."""
    lengths = list_lengths(listed)
    owner = np.concatenate([np.repeat(np.arange(len(lengths)), lengths), rows])
    values = pa.concat_arrays([listed.flatten(), added.values])
    values = values.take(pa.array(np.argsort(owner, kind="stable")))
    lengths = np.bincount(owner, minlength=len(lengths))
    return _lists(listed, offsets_of(lengths), values, there(listed) | (lengths > 0))


def _lists(like: Any, offsets: Column, values: Any, is_there: Mask) -> Any:  # noqa: ANN401 - Arrow arrays
    """Return lists of values, some of which may be null."""
    mask = None if is_there.all() else pa.array(~is_there)
    ends = pa.array(offsets.astype(np.int32))
    return pa.ListArray.from_arrays(ends, values, type=like.type, mask=mask)
