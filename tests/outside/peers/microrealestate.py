"""MicroRealEstate: how many periods a contract has, and the bill of a month."""

from decimal import Decimal

from rentbilling import Discount, Period, RecurringBillItem, Vat, accounting_periods, pending_bills
from rentbilling.errors import InvalidDiscountError, InvalidPeriodError
from tests.outside.board import UnsaidError
from tests.outside.peers import days, rents
from tests.outside.peers.asked import Asked, Figures, Near, is_refused


def number_of_periods(given: Asked) -> Figures:
    """Answer the number of periods of a term, which may be cut short or renewed.

    A renewed term is as long as the first one, counted in the cycle's own units.
    """
    begin, end = days.of(given["begin"]), days.of(given.get("terminated") or given["end"])
    terms: tuple[Period, ...] = (Period(begin, end),)
    if given.get("renew"):
        term = days.anchored(days.step(given["unit"], _count(given, terms[0])), begin)
        terms = days.first_of(term, begin, 1 + int(given["renew"]))
    return {"number_of_periods": sum(_count(given, each) for each in terms)}


def _count(given: Asked, term: Period) -> int:
    cycle = days.anchored(days.step(given["unit"]), days.of(given["begin"]))
    return len(accounting_periods(cycle, term, after=days.before(term.start)))


def invoice_total(given: Asked) -> Figures:
    """Answer the bill of a month: rents and charges of the items in force, less one discount."""
    month = days.calendar_period(days.of(f"{given['month']}-01"), days.MONTH)
    rate = given.get("vat_rate")
    vat = Vat("Exclusive", Decimal(rate)) if rate else rents.UNTAXED
    discount = Decimal(given.get("discount") or 0)
    items: list[RecurringBillItem] = []
    for item in given["items"]:
        if not days.bounded(item["entry"], item["exit"]).overlaps(month):
            continue
        off = None if items or not discount else Discount(amount=rents.money(discount))
        for price, less in ((item["rent"], off), (item.get("charges") or 0, None)):
            try:
                made = rents.rent(Decimal(price), days.MONTH, month.start, vat=vat, discount=less)
            except InvalidDiscountError as error:
                reason = "a discount above the price is refused when it is made (A22)"
                raise UnsaidError(reason) from error
            items.append(made)
    bills = pending_bills(items, month) if items else ()
    total = rents.total(bill.total for bill in bills)
    return {"grand_total": Near(total.amount)}


def validation(given: Asked) -> Figures:
    def checked() -> None:
        for last in (given["end"], given.get("terminated") or given["end"]):
            days.run((given["begin"], last))

    return {"error": is_refused(checked, InvalidPeriodError)}
