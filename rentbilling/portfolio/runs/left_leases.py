"""Leases that are billed one by one, and which of their features the columns do not cover.

Law: every lease that is left counts at least once; one with two such features counts for both.
"""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from rentbilling.policy import BillingPolicy
from rentbilling.portfolio.arrow.arrays import (
    Column,
    Mask,
    Struct,
    coded,
    list_lengths,
    lists,
)
from rentbilling.portfolio.kernel.eligibility import follows
from rentbilling.portfolio.kernel.item_fields import cycle_columns, own_part_periods
from rentbilling.portfolio.leases.batches import LeaseForm
from rentbilling.values import MONTHS_PER_YEAR

_COLUMNS: Final = ("recurring_bill_items", "rent_adjustment_plans")
_LISTS: Final = ("vat_records", "quantity_records")


def features_left(
    form: LeaseForm | None, places: Column, policy: BillingPolicy, otherwise: str
) -> Mapping[str, int]:
    """Return how many leases of some places have each feature.

    Features are named as the fields of a lease; `types` are values that fit no column, and `policy`
    is one that columns do not follow. Leases with none of these count as `otherwise`.

    Examples:
        >>> from rentbilling.policy import DEFAULT
        >>> from rentbilling.portfolio.leases.batches import lease_form, leases_to_arrow
        >>> from rentbilling.testing import a_lease, a_plan, a_rent
        >>> form = lease_form(leases_to_arrow([a_lease(a_rent(), plans=[a_plan()]), a_lease()]))
        >>> features_left(form, np.arange(2), DEFAULT, "other")
        {'rent_adjustment_plans': 1, 'other': 1}
    """
    if not len(places):
        return {}
    if form is None or not follows(policy):
        return {"types" if form is None else "policy": len(places)}
    found = {"types": form.lost[places]}
    found |= _features(form.batch.select([*_COLUMNS]).take(places))
    found[otherwise] = ~np.any([*found.values()], axis=0)
    counts = {name: int(np.count_nonzero(each)) for name, each in found.items()}
    return {name: count for name, count in counts.items() if count}


def _features(leases: Any) -> dict[str, Mask]:  # noqa: ANN401 - a record batch
    offsets, array, _ = lists(leases.column("recurring_bill_items"))
    owner, fields = np.repeat(np.arange(leases.num_rows), np.diff(offsets)), Struct(array)
    own: dict[str, Mask] = {name: list_lengths(fields.of(name)) > 0 for name in _LISTS}
    own["discounts"] = list_lengths(fields.of("discounts")) > 1
    own["part_period"] = own_part_periods(fields)
    own["price_per"] = coded(fields.of("price_per"), lambda word: int(word != "cycle"), 0) > 0
    _, months, _ = cycle_columns(fields.struct("billing_cycle"))
    own["billing_cycle"] = (months == 0) | (months > MONTHS_PER_YEAR)
    found: dict[str, Mask] = {
        name: np.bincount(owner, each, minlength=leases.num_rows) > 0 for name, each in own.items()
    }
    found["rent_adjustment_plans"] = list_lengths(leases.column("rent_adjustment_plans")) > 0
    return found
