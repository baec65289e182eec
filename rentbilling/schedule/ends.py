"""The days on which billing of an item ends (assumption A17).

Law: `ended_on` is the last day paid for; on and after `cancelled_on` nothing falls due.
"""

from datetime import date
from typing import Final, NamedTuple

from rentbilling.terms import RecurringBillItem
from rentbilling.values import NEVER


class BillingEnds(NamedTuple):
    """The ends of an item's billing as day ordinals; NEVER without an end."""

    end: int
    """The last day paid for: of the item or of the contract, whichever is first."""
    cancelled: int
    """The day of the cancellation."""
    last_start: int
    """The last day on which a billed period may start."""
    last_due: int
    """The last day on which a bill may fall due."""
    opens: bool
    """Whether the opening period is billed."""

    @classmethod
    def of(cls, item: RecurringBillItem, contract_end: int) -> "BillingEnds":
        """Return the ends of an item; `contract_end` is NEVER without a contract end."""
        in_arrears = item.due_date_rule.relative_to == "end"
        unended = item.ended_on is None and item.cancelled_on is None
        if unended and contract_end == NEVER and not in_arrears:
            return _ENDLESS
        end, cancelled = contract_end, NEVER
        if item.ended_on is not None:
            end = min(end, item.ended_on.toordinal())
        if item.cancelled_on is not None:
            cancelled = item.cancelled_on.toordinal()
        # In arrears a period is billed after it ends, so its start is compared (A51).
        last_start = min(end, cancelled - 1) if in_arrears else end
        last_due = NEVER if in_arrears else cancelled - 1
        opening = item.first_billing_period_bill_item
        opens = (
            opening.accounting_period.first <= last_start
            and opening.due_date.toordinal() <= last_due
        )
        return cls(end, cancelled, last_start, last_due, opens)


_ENDLESS: Final = BillingEnds(NEVER, NEVER, NEVER, NEVER - 1, opens=True)


def ends_before_it_begins(item: RecurringBillItem, contract_end: date | None) -> bool:
    """Return whether an item ends before its opening period, so that it is never billed (A158)."""
    begins = item.first_billing_period_bill_item.accounting_period.start
    return any(end is not None and end < begins for end in (item.ended_on, contract_end))
