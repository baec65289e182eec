"""Judges of shares: which part of a price a part of a period costs.

What does not live here: the runs of a bill generator (`subscriptions_runs`), changes inside a
period (`subscriptions_changes`).
"""

from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

from rentbilling import Amount, BillingPolicy, Period, period_share
from rentbilling.values.choices import PartPeriod
from tests.outside.board import Case, Head, Verdict, not_expressible
from tests.outside.peers.subscriptions_cycles import (
    Step,
    anchored,
    cycle_of,
    moved,
    of_the_calendar,
    regular_periods,
    step_named,
)
from tests.outside.peers.subscriptions_items import (
    BY_PERIOD_DAYS,
    lines_due,
    part_of,
    subscription,
    total,
)
from tests.outside.peers.subscriptions_reading import (
    day,
    day_before,
    ends_are_excluded,
    half_open,
    held,
    optional_day,
    period_between,
)

_THIRTY: Final = BillingPolicy(part_period="thirty_day")
_MONTH: Final = Step("Month")
_CURRENCY: Final = "EUR"
"""Of cases that name none; only its two decimals matter."""
_METHODS: Final[dict[str, PartPeriod]] = {
    "none": "full",
    "days of service / days of full period": "period_days",
}


# -------------------------------------------------------------------------------- Kill Bill


def days_between(case: Case, _head: Head) -> Verdict:
    """Judge the days from one date to another, the second excluded, in months of a fixed length."""
    given = case["input"]
    fixed = int(given["fixed_days_in_month"])
    start, end = day(given["startDate"]), day(given["endDate"])
    if fixed == 0:
        return held(case["expected"], {"days": Period(start, day_before(end)).days})
    if fixed != 30:
        return not_expressible(f"a month of {fixed} days")
    return held(case["expected"], {"days": months_between(start, end, _THIRTY) * fixed})


def days_before_a_cycle(case: Case, head: Head) -> Verdict:
    """Judge the share of the days before the first cycle date, in the period that ends there."""
    given = case["input"]
    end = day(given["nextBillingCycleDate"])
    step = step_named(given["period"])
    whole = Period(moved(end, step, -1), day_before(end))
    return _fixed_share(case, head, Period(day(given["startDate"]), whole.end), whole)


def days_after_a_cycle(case: Case, head: Head) -> Verdict:
    """Judge the share of the days after the last cycle date, in the period that begins there."""
    given = case["input"]
    start = day(given["previousBillThroughDate"])
    step = step_named(given["period"])
    whole = Period(start, day_before(moved(start, step, 1)))
    return _fixed_share(case, head, Period(start, day_before(day(given["endDate"]))), whole)


def _fixed_share(case: Case, _head: Head, part: Period, whole: Period) -> Verdict:
    """Judge a share counted in days, or in months of 30 days."""
    given = case["input"]
    fixed = int(given["fixed_days_in_month"])
    if fixed not in {0, 30}:
        return not_expressible(f"a month of {fixed} days")
    cycle = anchored(step_named(given["period"]), whole.start)
    policy = _THIRTY if fixed else BY_PERIOD_DAYS
    share = period_share(part, cycle, whole=whole, policy=policy)
    return held(case["expected"], {"fraction": share})


# ----------------------------------------------------------------------------------- Silver


def months_in_between(case: Case, _head: Head) -> Verdict:
    """Judge the months from one date to another, the second excluded, as an exact number."""
    given = case["input"]
    months = months_between(day(given["start"]), day(given["end"]), BillingPolicy())
    return held(case["expected"], {"months": months})


def months_between(start: date, end: date, policy: BillingPolicy) -> Fraction:
    """Return the shares of all months of a monthly service that ends the day before a date."""
    last = day_before(end)
    item = subscription(Amount(1, _CURRENCY), anchored(_MONTH, start), start, ended_on=last)
    lines = lines_due(item, start, last, policy=policy)
    return sum((line.share for line in lines), Fraction(0))


def calendar_part(case: Case, head: Head) -> Verdict:
    given = case["input"]
    excluded = ends_are_excluded(given.get("period_end"), head)
    part = period_between(given["period"], excluded=excluded)
    cycle = of_the_calendar(step_named(given["interval"]))
    price = Amount(Decimal(given["amount"]), _CURRENCY)
    starts = [period.start for period in regular_periods(cycle, part.start, part.end)]
    shares = [period_share(each, cycle, policy=BY_PERIOD_DAYS) for each in part.split_at(*starts)]
    amounts = [part_of(price, share) for share in shares]
    return held(case["expected"], {"total": total(amounts, _CURRENCY)})


# -------------------------------------------------------------------- Meteroid and OpenMeter


def cut_period(case: Case, head: Head) -> Verdict:
    """Judge what remains of a period that a first or a last day cuts, and which share it is."""
    given = case["input"]
    excluded = ends_are_excluded(given.get("period_end"), head)
    whole = period_between(given["period"], excluded=excluded)
    part = _remaining(whole, given, excluded=excluded)
    if part is None:
        return held(case["expected"], {"period": None, "fraction": Fraction(0)})
    days = half_open(part) if excluded else [part.start, part.end]
    share = period_share(part, cycle_of(whole), whole=whole, policy=BY_PERIOD_DAYS)
    return held(case["expected"], {"period": days, "fraction": share})


def _remaining(whole: Period, given: Any, *, excluded: bool) -> Period | None:  # noqa: ANN401
    """Return the days of a period from one date to another, both optional."""
    start = optional_day(given.get("from_date")) or whole.start
    end = optional_day(given.get("to_date"))
    last = whole.end if end is None else day_before(end) if excluded else end
    return Period(start, last).intersection(whole) if start <= last else None


def served_part(case: Case, head: Head) -> Verdict:
    given = case["input"]
    method = _METHODS.get(given["method"])
    if method is None:
        return not_expressible(f"the method {given['method']}")
    excluded = ends_are_excluded(given.get("period_end"), head)
    whole = period_between(given["full_period"], excluded=excluded)
    part = period_between(given["service_period"], excluded=excluded)
    policy = BillingPolicy(part_period=method)
    share = period_share(part, cycle_of(whole), whole=whole, policy=policy)
    price = Amount(Decimal(given["amount"]), given["currency"])
    return held(case["expected"], {"amount": part_of(price, share)})
