"""MicroRealEstate: periods of a contract, the bill of a month, and balances carried (A69)."""

from collections.abc import Sequence
from decimal import Decimal

import rentbilling as rb
from rentbilling.errors import InvalidDiscountError, InvalidPeriodError
from rentbilling.payers import carry
from tests.outside.board import UnsaidError
from tests.outside.peers import days, rents
from tests.outside.peers.asked import Asked, Figures, Near, is_refused


def number_of_periods(given: Asked) -> Figures:
    """Answer the number of periods of a term, which may be cut short or renewed.

    A renewed term is as long as the first one, counted in the cycle's own units.
    """
    begin, end = days.of(given["begin"]), days.of(given.get("terminated") or given["end"])
    terms: tuple[rb.Period, ...] = (rb.Period(begin, end),)
    if given.get("renew"):
        term = days.anchored(days.step(given["unit"], _count(given, terms[0])), begin)
        terms = days.first_of(term, begin, 1 + int(given["renew"]))
    return {"number_of_periods": sum(_count(given, each) for each in terms)}


def _count(given: Asked, term: rb.Period) -> int:
    cycle = days.anchored(days.step(given["unit"]), days.of(given["begin"]))
    return len(rb.accounting_periods(cycle, term, after=days.before(term.start)))


def invoice_total(given: Asked) -> Figures:
    """Answer the bill of a month: rents and charges of the items in force, less one discount."""
    return {"grand_total": Near(_payable(given, _month(given["month"]), rents.NOTHING))}


def with_balance(given: Asked) -> Figures:
    """Answer the bill of a month with what is unpaid of the months before."""
    unpaid = Decimal(given["unpaid_previous"])
    return {"balance": unpaid, "grand_total": Near(_payable(given, _month(given["month"]), unpaid))}


def running_balance(given: Asked) -> Figures:
    """Answer what is payable in each month: its bill, and what payments left of those before."""
    first, last = map(_month, given["months"])
    paid = iter(given.get("paid", ()))
    totals, owed = [], rents.NOTHING
    for month in days.calendar_periods(rb.Period(first.start, last.end), days.MONTH):
        totals.append(_payable(given, month, owed))
        owed = totals[-1] - Decimal(next(paid, 0))
    return {"grand_totals": [Near(total) for total in totals]}


def _month(text: str) -> rb.Period:
    return days.calendar_period(days.of(f"{text}-01"), days.MONTH)


def _payable(given: Asked, month: rb.Period, owed: Decimal) -> Decimal:
    """Return a month's bill with a balance taken into it; without a bill, the balance."""
    bills = _bills(given, month)
    return carry(bills[0], rents.money(owed)).payable.amount if bills else owed


def _bills(given: Asked, month: rb.Period) -> Sequence[rb.PendingBill]:
    rate = given.get("vat_rate")
    vat = rb.Vat("Exclusive", Decimal(rate)) if rate else rents.UNTAXED
    discount = Decimal(given.get("discount") or 0)
    items: list[rb.RecurringBillItem] = []
    for item in given["items"]:
        if not days.bounded(item["entry"], item["exit"]).overlaps(month):
            continue
        off = None if items or not discount else rb.Discount(amount=rents.money(discount))
        for price, less in ((item["rent"], off), (item.get("charges") or 0, None)):
            try:
                made = rents.rent(Decimal(price), days.MONTH, month.start, vat=vat, discount=less)
            except InvalidDiscountError as error:
                reason = "a discount above the price is refused when it is made (A22)"
                raise UnsaidError(reason) from error
            items.append(made)
    return rb.pending_bills(items, month).bills if items else ()


def validation(given: Asked) -> Figures:
    def checked() -> None:
        for last in (given["end"], given.get("terminated") or given["end"]):
            days.run((given["begin"], last))

    return {"error": is_refused(checked, InvalidPeriodError)}
