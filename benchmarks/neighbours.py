"""What other packages take for a part of the work that they also do.

Law: a neighbour is given every advantage. What it can prepare is prepared outside the clock, and
it does less than a bill needs: dateutil gives due dates without periods, the money packages give
three sums without dates, periods or lines. A neighbour that is not installed is left out by name.
"""

from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from importlib.util import find_spec
from typing import Final

from dateutil.rrule import MONTHLY, rrule

from benchmarks.workload import PlainItem, PlainLease, first_day
from rentbilling import BillingCycle, DueDateRule, Period, accounting_periods, due_date

PRICES: Final = (Decimal("8500.00"), Decimal("650.50"), Decimal("300.25"))
"""Unit prices of the bill of three lines, in kroner."""

VAT_RATE: Final = Decimal("0.25")


def packages() -> tuple[str, ...]:
    """Return the money packages that can be compared here, by the name one imports."""
    return tuple(name for name in ("moneyed", "stockholm") if find_spec(name) is not None)


def moneyed_bill() -> Callable[[], Decimal]:
    """Return what makes the sums of a bill of three lines with py-moneyed."""
    from moneyed import Money  # noqa: PLC0415 - it need not be installed.

    prices = [Money(price, "DKK") for price in PRICES]
    nothing = Money(0, "DKK")
    quantity = Decimal(1)

    def total() -> Decimal:
        nets = [(price * quantity).round(2) for price in prices]
        subtotal = sum(nets, nothing)
        vat = (subtotal * VAT_RATE).round(2)
        amount: Decimal = (subtotal + vat).amount
        return amount

    return total


def stockholm_bill() -> Callable[[], Decimal]:
    """Return what makes the sums of a bill of three lines with stockholm."""
    from stockholm import Money  # noqa: PLC0415 - it need not be installed.

    prices = [Money(price, "DKK") for price in PRICES]
    nothing = Money(0, "DKK")
    quantity = Decimal(1)

    def total() -> Decimal:
        nets = [round(price * quantity, 2) for price in prices]
        subtotal = sum(nets, nothing)
        vat = round(subtotal * VAT_RATE, 2)
        return (subtotal + vat).as_decimal()

    return total


def rrule_dates(leases: tuple[PlainLease, ...], year: int) -> Callable[[], list[date]]:
    """Return what lists the due dates of a year's periods of all items with dateutil.

    The rules are built beforehand, from the first regular cycle of each item.
    """
    rules = [_rule(item) for lease in leases for item in lease.items]
    windows = [
        (low + shift, high + shift)
        for low, high in [(datetime(year, 1, 1), datetime(year, 12, 31))]  # noqa: DTZ001 - dates only.
        for shift in [timedelta(0), timedelta(-1)]
    ]

    def dates() -> list[date]:
        return [
            due.date() for rule, before in rules for due in rule.between(*windows[before], inc=True)
        ]

    return dates


def _rule(item: PlainItem) -> tuple[rrule, bool]:
    """Return a rule that recurs on the due days, and whether those lie before the periods."""
    before = item.due_day < 0
    following = date.fromordinal(item.opening.end + 1)
    month = following.year * 12 + following.month - 1
    month += (item.start - 1 - month) % item.months
    first_due = date.fromordinal(first_day(month) - before)
    rule = rrule(
        MONTHLY,
        interval=item.months,
        dtstart=datetime.combine(first_due, time()),
        bymonthday=-1 if before else 1,
    )
    return rule, before


def own_dates(leases: tuple[PlainLease, ...], year: int) -> Callable[[], list[date]]:
    window = Period(date(year, 1, 1), date(year, 12, 31))
    asked = [
        (
            BillingCycle(time_unit="Month", period_length=item.months, start=item.start),
            DueDateRule(day_of_period=item.due_day),
            date.fromordinal(item.opening.end),
        )
        for lease in leases
        for item in lease.items
    ]

    def dates() -> list[date]:
        return [
            due_date(rule, period)
            for cycle, rule, after in asked
            for period in accounting_periods(cycle, window, after=after)
        ]

    return dates
