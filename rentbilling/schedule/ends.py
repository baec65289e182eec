"""Stops: the days from which an item is not billed any more (assumption A17).

Law: an end stops days, a cancellation stops bills.
"""

from typing import NamedTuple, Self

from rentbilling.terms.lease_terms import RecurringBillItem
from rentbilling.values.periods import NEVER


class Stops(NamedTuple):
    """Where an item stops, as day ordinals; NEVER where it does not."""

    end: int
    """The last day paid for: of the item or of the contract, whichever is first."""
    cancelled: int
    """The day of the cancellation."""
    last_start: int
    """The last day on which a period that is billed may start."""
    last_due: int
    """The last day on which a bill may fall due."""
    opens: bool
    """Whether the opening period is billed."""

    @classmethod
    def of(cls, item: RecurringBillItem, contract_end: int) -> Self:
        """Return where an item stops."""
        end, cancelled = contract_end, NEVER
        if item.ended_on is not None:
            end = min(end, item.ended_on.toordinal())
        if item.cancelled_on is not None:
            cancelled = item.cancelled_on.toordinal()
        # In arrears the bill of a period comes after it, so that the period's start decides (A51).
        in_arrears = item.due_date_rule.relative_to == "end"
        last_start = min(end, cancelled - 1) if in_arrears else end
        last_due = NEVER if in_arrears else cancelled - 1
        opening = item.first_billing_period_bill_item
        opens = (
            opening.accounting_period.first <= last_start
            and opening.due_date.toordinal() <= last_due
        )
        return cls(end, cancelled, last_start, last_due, opens)
