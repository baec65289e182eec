"""Meteroid: periods about a date and before a bill, cut periods, changes, discounts."""

from fractions import Fraction

from rentbilling import BillingCycle, Period
from rentbilling.payers import BillDiscount
from rentbilling.schedule import period_share
from tests.outside.peers import days, rents
from tests.outside.peers.asked import Asked, Figures, figure
from tests.outside.peers.changes import changed, price


def around_a_date(given: Asked) -> Figures:
    """Answer the period that holds a date; before the start of billing it is the first one."""
    start = days.of(given["billing_start"])
    target = max(start, days.of(given["target"]))
    found = days.containing(days.all_from(_cycle(given, "billing_start"), start, target), target)
    return _ends(found, "expected_start", "expected_end")


def before_a_bill_day(given: Asked) -> Figures:
    """Answer the period that is billed in arrears on a date: the last one that ended by then."""
    name = "billing_start_or_resume_date"
    start, bill_day = days.of(given[name]), days.of(given["invoice_date"])
    periods = days.all_from(_cycle(given, name), start, bill_day)
    ended = [period for period in periods if period.end < bill_day]
    return _ends(ended[-1] if ended else None, "expected_period_start", "expected_period_end")


def from_a_bill_day(given: Asked) -> Figures:
    """Answer the period that is billed in advance on a date; the first one may be short."""
    bill_day = days.of(given["invoice_date"])
    found = days.all_from(_cycle(given, "invoice_date"), bill_day, bill_day)[0]
    return _ends(found, "expected_period_start", "expected_period_end")


def _cycle(given: Asked, start: str) -> BillingCycle:
    """Return the cycle from the month of the start, on the billing day."""
    step = days.step(given["billing_period"])
    return days.anchored(step, days.of(given[start]), start_day=int(given["billing_day"]))


def _ends(period: Period | None, first: str, end: str) -> Figures:
    both = [None, None] if period is None else days.ends(period)
    return dict(zip((first, end), both, strict=True))


def cycles_begun(given: Asked) -> Figures:
    start, target = days.of(given["billing_start"]), days.of(given["target"])
    begun = days.regular(_cycle(given, "billing_start"), start, target)
    return {"expected": sum(period.start > start for period in begun)}


def cut_period(given: Asked) -> Figures:
    """Answer what remains of a period that a first or a last day cuts, and which share it is."""
    whole = days.run(given["period"], excluded=given.excluded)
    start = days.maybe(given.get("from_date")) or whole.start
    end = days.maybe(given.get("to_date"))
    last = whole.end if end is None else days.before(end) if given.excluded else end
    part = Period(start, last).intersection(whole) if start <= last else None
    if part is None:
        return {"period": None, "fraction": Fraction(0)}
    share = period_share(part, days.cycle_of(whole), whole=whole, policy=rents.BY_DAYS)
    return {"period": days.ends(part) if given.excluded else part, "fraction": share}


def changed_amount(given: Asked) -> Figures:
    old = price(given.get("old_amount", given.get("removed_monthly")))
    new = price(given.get("new_amount", given.get("added_monthly")))
    period = days.run(given["period"], excluded=given.excluded)
    return changed(old, new, period, days.of(given["change_date"]))


def one_after_another(given: Asked) -> Figures:
    """Answer amounts and percentages off a whole bill, each from what is left (A73)."""
    subtotal = rents.money(given["subtotal"])
    discounts = [
        BillDiscount(percentage=rents.fraction_of(text))
        if str(text).endswith("%")
        else BillDiscount(amount=rents.money(figure(text)))
        for text in given["discounts"]
    ]
    left = rents.whole_bill([subtotal], discounts)
    return {"discount": subtotal - left, "total": left}
