"""Bills in whatever form a test has them: computed, made by hand, as JSON, or as plain data.

Law: bills are taken in every form that `rentbilling.compare_bills` takes, and a refusal says which
side of a comparison it is about.
"""

from rentbilling import BillingPolicy, BillingResult, InvalidInputError, PendingBill
from rentbilling.codec import AnyBills, given_bills, paid_as, read_all
from rentbilling.policy import policy_of

__all__ = ("AnyBills", "bills_in")


def bills_in(
    given: AnyBills, *, policy: BillingPolicy | None = None, side: str = ""
) -> tuple[PendingBill, ...]:
    """Return the bills that a test has in some form.

    Raises:
        InvalidInputError: The text or the data cannot be read, or it is none of these; every
            problem with its path.

    Examples:
        >>> bills_in('{"bills": []}')
        ()
    """
    if isinstance(given, BillingResult):
        # Computed here, what is to be paid is known: the total, or the total rounded.
        return tuple(paid_as(bill, bill.sums[1]) if given.policy else bill for bill in given.bills)
    rules = policy_of(policy)
    try:
        there = given_bills(given)
        bills = read_all(there, rules)
        return tuple(
            paid_as(bill, each.units("payable", rules, bill.currency))
            for each, bill in zip(there, bills, strict=True)
        )
    except InvalidInputError as error:
        raise error.under(side) from None
