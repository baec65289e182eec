"""The bills of a service beside our own.

Law: both sides are of the same days, whatever period convention either of them writes.
"""

from typing import NamedTuple

from rentbilling import (
    BillingPolicy,
    BillingResult,
    Comparison,
    LeaseTerms,
    Period,
    compare_bills,
    pending_bills,
)
from rentbilling.indices import AnyIndices
from rentbilling.policy import policy_of
from rentbilling.values.periods import period_of


class Expected(NamedTuple):
    """Our own bills, and the period for which the service is asked."""

    bills: BillingResult
    """Our own bills."""
    period: Period
    """The days."""

    def compared(self, actual: BillingResult, *, diagnose: bool) -> Comparison:
        """Return what the service's bills say otherwise."""
        return compare_bills(self.bills, actual, diagnose=diagnose)


def expected_bills(
    terms: LeaseTerms, period: Period | str, policy: BillingPolicy | None, indices: AnyIndices
) -> Expected:
    """Return our own bills of a period, before anybody is asked.

    Examples:
        >>> from rentbilling.testing import a_lease, a_rent
        >>> expected = expected_bills(
        ...     a_lease(a_rent(amount=8500)), "2026-02-01/2026-02-28", None, None)
        >>> expected.compared(expected.bills, diagnose=False).is_equal
        True
    """
    days = asked_period(period, policy)
    return Expected(pending_bills(terms, days, policy=policy, indices=indices), days)


def bills_of_lease(bills: BillingResult, lease_id: str) -> BillingResult:
    """Return a service's bills with the lease that was asked for, which the interface leaves out.

    Examples:
        >>> bills_of_lease(BillingResult(()), "lease-1").lease_id
        'lease-1'
    """
    return BillingResult(
        bills.bills,
        bills.notices,
        bills.period,
        bills.policy,
        bills.lease_id or lease_id,
        policy_fingerprint=bills.policy_fingerprint,
        adjustments=bills.adjustments,
    )


def asked_period(period: Period | str, policy: BillingPolicy | None) -> Period:
    """Return a period, given as such or as a text in the convention of a policy (A4)."""
    return period_of(period, period_end=policy_of(policy).period_end, by="period=")
