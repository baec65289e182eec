"""Comparing the bills of a service with bills that are computed here.

Law: both sides are for the same days, whatever convention of periods each of them uses (A4).
"""

from typing import NamedTuple

from rentbilling import (
    BillingPolicy,
    BillingResult,
    LeaseTerms,
    Period,
    compare_bills,
    pending_bills,
)
from rentbilling.checks import Comparison
from rentbilling.indices import AnyIndices
from rentbilling.policy import policy_of
from rentbilling.values import AnyPeriod, period_of


class Expected(NamedTuple):
    """The expected bills of a period."""

    bills: BillingResult
    period: Period

    def compared(self, actual: BillingResult, *, diagnose: bool) -> Comparison:
        """Return the differences of the service's bills from the expected ones."""
        return compare_bills(self.bills, actual, diagnose=diagnose)


def expected_bills(
    terms: LeaseTerms, period: AnyPeriod, policy: BillingPolicy | None, indices: AnyIndices
) -> Expected:
    """Return the expected bills of a period, computed from the terms.

    Examples:
        >>> from rentbilling.testing import a_lease, a_rent
        >>> expected = expected_bills(
        ...     a_lease(a_rent(amount=8500)), "2026-02-01/2026-02-28", None, None)
        >>> expected.compared(expected.bills, diagnose=False).is_equal
        True
    """
    days = period_under(period, policy)
    return Expected(pending_bills(terms, days, policy=policy, indices=indices), days)


def bills_of_lease(bills: BillingResult, lease_id: str) -> BillingResult:
    """Return a service's bills with the id of their lease, which the interface leaves out.

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


def period_under(period: AnyPeriod, policy: BillingPolicy | None) -> Period:
    """Return a period; a text is read in the convention of the policy (A4)."""
    return period_of(period, period_end=policy_of(policy).period_end, by="period=")
