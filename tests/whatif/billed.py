"""What leases are billed under a scenario, for tests that worked it out by hand."""

from rentbilling import IndexSeries, LeaseTerms, pending_bills
from rentbilling.whatif import BillingInputs, Scenario

Series = IndexSeries | None


def billed(
    lease: LeaseTerms, scenario: Scenario, period: str, index: Series = None
) -> list[tuple[str, str]]:
    """Return the due date and total of each bill."""
    inputs = scenario(BillingInputs.of(lease, index))
    bills = pending_bills(inputs.terms, period, indices=inputs.indices, policy=inputs.policy)
    return [(str(bill.due_date), str(bill.total.amount)) for bill in bills]


def totals(lease: LeaseTerms, scenario: Scenario, period: str, index: Series = None) -> list[str]:
    return [total for _, total in billed(lease, scenario, period, index)]
