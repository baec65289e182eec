"""A balance taken into a bill: what is payable, and what rest remains (A69).

Law: what is payable and the rest are the bill and the balance together; no ledger is kept.
"""

from typing import NamedTuple

from rentbilling.billing import PendingBill
from rentbilling.errors import other_currency, paths_under, shown
from rentbilling.values import Amount, decimal_of, units_of


class Carried(NamedTuple):
    """A bill with a balance taken into it."""

    bill: PendingBill
    balance: Amount
    """Above 0 the tenant owes it, below 0 it is a credit."""
    payable: Amount
    """The bill's payable amount with what it takes of the balance."""
    rest: Amount
    """What is left of a credit: 0, or below 0."""


def carry(bill: PendingBill, balance: Amount) -> Carried:
    """Return what is payable of a bill with a balance, and what remains of the balance (A69).

    What the tenant owes (above 0) is added. A credit (below 0) is used up to the amount payable,
    which it never turns negative; a bill of 0 or less uses none. The sum begins with the bill's
    cash rounding (A52) and is not rounded again.

    Raises:
        CurrencyMismatchError: The balance is in another currency.
        InvalidAmountError: The balance is finer than the bill's currency.
        TypeError: The bill is no PendingBill, or the balance no Amount.

    Examples:
        >>> from rentbilling import monthly_rent, pending_bills
        >>> rent = monthly_rent("1250.00 EUR", moved_in="2026-01-01")
        >>> (bill,) = pending_bills(rent, "2026-02-01/2026-02-28")
        >>> owed, credit = (carry(bill, Amount(each, "EUR")) for each in (87, -1500))
        >>> str(owed.payable), str(credit.payable), str(credit.rest)
        ('1337.00 EUR', '0.00 EUR', '-250.00 EUR')
    """
    if not isinstance(bill, PendingBill) or not isinstance(balance, Amount):
        wrong = bill if not isinstance(bill, PendingBill) else balance
        raise TypeError(f"carry takes a PendingBill and an Amount, not {shown(wrong)}")
    if balance.currency != bill.currency:
        raise other_currency("balance.currency", balance.currency, bill.currency)
    with paths_under("balance"):
        units = units_of(balance, {bill.currency: bill.places})
    _, total, cash = bill.sums
    payable = total + (cash or 0)
    used = units if units > 0 else max(units, min(-payable, 0))
    shown_units = (payable + used, units - used)
    amounts = (
        Amount.unchecked(decimal_of(each, bill.places), bill.currency) for each in shown_units
    )
    return Carried(bill, balance, *amounts)
