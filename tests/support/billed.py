"""Short ways to bill beside earlier bills, and to say what came of it."""

from typing import Any

from rentbilling import BillingResult, pending_bills
from tests.support.rents import Terms

JANUARY = "2026-01-01/2026-01-31"
FEBRUARY = "2026-02-01/2026-02-28"
TWO = "2026-01-01/2026-02-28"
MARCH = "2026-03-01/2026-03-31"
APRIL = "2026-04-01/2026-04-30"

Told = tuple[str, str, str, str]
"""Due date, kind, days and net price of a line."""


def sent(terms: Terms, days: str = TWO, **options: Any) -> BillingResult:  # noqa: ANN401
    """Return the bills that were sent for some days: January and February unless told otherwise."""
    return pending_bills(terms, days, **options)


def told_of(result: BillingResult) -> list[Told]:
    """Return due date, kind, days and net price of all lines of some bills."""
    return [
        (str(bill.due_date), line.kind, str(line.accounting_period), f"{line.net_price.amount:f}")
        for bill in result
        for line in bill.lines
    ]


def after(
    terms: Terms,
    earlier: Any,  # noqa: ANN401
    days: str = MARCH,
    **options: Any,  # noqa: ANN401
) -> list[Told]:
    """Return what is billed in March, unless told otherwise, beside earlier bills."""
    return told_of(pending_bills(terms, days, already_billed=earlier, **options))
