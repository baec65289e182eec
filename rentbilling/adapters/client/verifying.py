"""Comparing the bills of a service with bills that are computed here.

Law: both sides are for the same days, whatever convention of periods each of them uses (A4).
"""

from rentbilling import BillingPolicy, BillingResult, Period
from rentbilling.policy import policy_of
from rentbilling.values import AnyPeriod, period_of


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
