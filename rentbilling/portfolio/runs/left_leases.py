"""Leases that are billed one by one, and for which of their features the kernel left them.

Law: every lease that is left counts at least once; one with two such features counts for both, and
no feature counts that the kernel would have billed.
"""

from collections.abc import Mapping

import numpy as np

from rentbilling.policy import BillingPolicy
from rentbilling.portfolio.arrow.arrays import Column, Mask
from rentbilling.portfolio.kernel.eligibility import follows
from rentbilling.portfolio.leases.batches import LeaseForm


def features_left(
    form: LeaseForm | None,
    places: Column,
    policy: BillingPolicy,
    left: Mapping[str, Mask],
    refused: Mask,
) -> Mapping[str, int]:
    """Return how many leases of some places were left for each feature.

    Features are named as the fields of a lease; `types` are values that fit no column, `policy` is
    one that columns do not follow, `problems` are leases that are refused for anything else, and
    `other` are figures that no column has.

    Args:
        form: The leases; None where no column has a known type.
        places: Which of them are left.
        policy: What they are billed under.
        left: Features, each with the leases that the kernel left for it; empty where it read none.
        refused: The leases that were refused.

    Examples:
        >>> from rentbilling.policy import DEFAULT
        >>> from rentbilling.portfolio.leases.batches import lease_form, leases_to_arrow
        >>> from rentbilling.testing import a_lease
        >>> form = lease_form(leases_to_arrow([a_lease(), a_lease()]))
        >>> found = {"price_per": np.array([True, False])}
        >>> features_left(form, np.arange(2), DEFAULT, found, np.array([False, True]))
        {'price_per': 1, 'problems': 1}
    """
    if not len(places):
        return {}
    if form is None or not follows(policy):
        return {"types" if form is None else "policy": len(places)}
    found = {"types": form.lost if left else np.ones(len(form.lost), np.bool_), **left}
    found = {name: each[places] for name, each in found.items()}
    for name, otherwise in (("problems", refused[places]), ("other", np.True_)):
        found[name] = otherwise & ~np.any([*found.values()], axis=0)
    counts = {name: int(np.count_nonzero(each)) for name, each in found.items()}
    return {name: count for name, count in counts.items() if count}
