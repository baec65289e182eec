"""What the landlords' peers write, said in our words: days, runs of days, cycles and rents.

Law: month arithmetic is asked of the library (`accounting_periods`); only single days are counted
here. A run of days that the model calls a period is a `Period`, both ends included.
What does not live here: what a case asks (the judges), shares of periods (`landlords_parts`).
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from decimal import Context, Decimal
from types import MappingProxyType
from typing import Any

from rentbilling import (
    Amount,
    AmountRecord,
    BillingCycle,
    BillingPolicy,
    Discount,
    DueDateRule,
    FirstBillingPeriodBillItem,
    PendingBillLineItem,
    Period,
    RecurringBillItem,
    Vat,
    accounting_periods,
    pending_bills,
    rounded,
)
from tests.outside.board import PASSED, Verdict, failed

CURRENCY = "EUR"
NOTHING = Decimal(0)
HUNDRED = Decimal(100)
CENTS = 2
UNTAXED = Vat("Exempt")

CALENDAR_MONTH = BillingCycle()
CALENDAR_YEAR = BillingCycle(time_unit="Year")

AT_THE_START = DueDateRule(day_of_period=1)
ON_THE_LAST_DAY = DueDateRule(day_of_period=-1, relative_to="end")

UNROUNDED = BillingPolicy(currencies={CURRENCY: 8})
"""For peers that keep amounts unrounded: as many minor units as a currency can have."""

# What several roundings to 8 decimals can come to.
_LAST_PLACES = Decimal("0.0000001")

_ONE_DAY = timedelta(days=1)

# How peers name a cycle: the unit and how many of it.
_UNITS: Mapping[str, tuple[str, int]] = MappingProxyType(
    {
        "day": ("Day", 1),
        "week": ("Week", 1),
        "month": ("Month", 1),
        "quarter": ("Month", 3),
        "semester": ("Month", 6),
        "half_year": ("Month", 6),
        "semi_year": ("Month", 6),
        "year": ("Year", 1),
        "annual": ("Year", 1),
    }
)
_LONGEST: Mapping[str, int] = MappingProxyType({"Day": 1, "Week": 7, "Month": 31, "Year": 366})


def day_of(text: str) -> date:
    return date.fromisoformat(text)


def day_or_none(text: str | None) -> date | None:
    return None if text is None else day_of(text)


def day_before(day: date, days: int = 1) -> date:
    return day - days * _ONE_DAY


def day_after(day: date, days: int = 1) -> date:
    return day + days * _ONE_DAY


def run(pair: Sequence[str]) -> Period:
    return Period(day_of(pair[0]), day_of(pair[1]))


def open_run(start: str | None, end: str | None) -> Period:
    return Period(day_or_none(start) or date.min, day_or_none(end) or date.max)


def half_open(text: str) -> Period:
    """Return the days of a text whose second date is the first day no longer meant."""
    return Period.parse(text, period_end="excluded")


def half_open_text(period: Period) -> str:
    """Return a period as a text whose second date is the day after it."""
    return f"{period.start}/{day_after(period.end)}"


def written(periods: Iterable[Period]) -> list[list[str | None]]:
    """Return periods as pairs of dates, as cases list them; what bounds nothing is None."""
    return [
        [
            None if period.start == date.min else period.start.isoformat(),
            None if period.end == date.max else period.end.isoformat(),
        ]
        for period in periods
    ]


def unit_of(word: str) -> tuple[str, int]:
    """Return unit and count of a cycle's name: `quarterly` is three months.

    Raises:
        KeyError: The name is none we know.
    """
    plain = word.lower().removesuffix("s")
    for ending in ("ly", ""):
        stem = plain.removesuffix(ending) if ending else plain
        stem = "day" if stem == "dai" else stem
        if stem in _UNITS:
            return _UNITS[stem]
    raise KeyError(word)


def cycle_from(first: date, word: str, length: int = 1) -> BillingCycle:
    unit, count = unit_of(word)
    if unit == "Day":
        return BillingCycle(time_unit="Day", period_length=count * length)
    if unit == "Week":
        return BillingCycle(time_unit="Week", period_length=length, start=first.isoweekday())
    return BillingCycle(
        time_unit=unit, period_length=count * length, start=first.month, start_day=first.day
    )


def periods_from(first: date, cycle: BillingCycle, count: int) -> tuple[Period, ...]:
    """Return the first periods of a cycle that begins on the day `first`."""
    reach = _LONGEST[cycle.time_unit] * int(cycle.period_length) * count
    return accounting_periods(
        cycle, Period(first, day_after(first, reach)), after=day_before(first)
    )[:count]


def period_with(day: date, cycle: BillingCycle) -> Period:
    """Return the period that holds a day, of a cycle that counts from the calendar."""
    reach = _LONGEST[cycle.time_unit] * int(cycle.period_length)
    return accounting_periods(cycle, Period(day_before(day, reach), day))[-1]


def periods_over(days: Period, cycle: BillingCycle) -> tuple[Period, ...]:
    """Return the periods that hold any of the days, of a cycle that counts from the calendar."""
    first = period_with(days.start, cycle)
    later = accounting_periods(cycle, days, after=first.end) if days.end > first.end else ()
    return (first, *later)


def year_periods(year: int, count: int) -> tuple[Period, ...]:
    """Return the periods of a calendar year that is billed so many times; none for no whole months.

    Raises:
        InvalidInputError: Twelve months do not come in that many equal numbers of months.
    """
    if not count:
        return ()
    # The length goes to the library as it comes out, so that the library refuses 1.5 months.
    length: dict[str, Any] = {"period_length": Decimal(12) / count}
    return accounting_periods(BillingCycle(**length), Period(date(year, 1, 1), date(year, 12, 31)))


def rule_of(offset: int, *, in_arrears: bool) -> DueDateRule:
    """Return the rule of a bill date so many days after a period's first day, or after its last."""
    if in_arrears:
        return DueDateRule(day_of_period=offset if offset > 0 else offset - 1, relative_to="end")
    return DueDateRule(day_of_period=offset + 1 if offset >= 0 else offset)


def rent(price: Decimal, cycle: BillingCycle, first: date, **more: Any) -> RecurringBillItem:  # noqa: ANN401
    """Return an item whose regular periods begin on the day `first` or later.

    Args:
        price: Of one period.
        cycle: Its periods.
        first: The opening period is the day before it, for nothing.
        **more: Other fields of the item.

    Returns:
        The item.
    """
    eve = day_before(first)
    opening = FirstBillingPeriodBillItem(
        amount=Amount(0, CURRENCY), due_date=eve, accounting_period=Period(eve, eve)
    )
    fields: dict[str, Any] = {
        "product_key": "key:rent",
        "vat": UNTAXED,
        "due_date_rule": AT_THE_START,
        **more,
    }
    return RecurringBillItem(
        amount=Amount(price, CURRENCY),
        billing_cycle=cycle,
        started_on=eve,
        first_billing_period_bill_item=opening,
        **fields,
    )


def lines_of(
    items: RecurringBillItem | Iterable[RecurringBillItem],
    days: Period,
    *,
    policy: BillingPolicy | None = None,
) -> tuple[PendingBillLineItem, ...]:
    chosen = (policy or BillingPolicy()).evolve(select="accounting_period")
    bills = pending_bills(items, days, policy=chosen)
    return tuple(line for bill in bills for line in bill.lines)


def total_of(lines: Iterable[PendingBillLineItem]) -> Decimal:
    return sum((line.net_price.amount for line in lines), NOTHING)


def price_of(
    price: Decimal,
    *,
    quantity: Decimal | None = None,
    discount: Discount | None = None,
    policy: BillingPolicy | None = None,
) -> Decimal:
    """Return what one whole period costs: a price times a quantity, less a discount."""
    first = date(2026, 1, 1)
    item = rent(
        price,
        BillingCycle(time_unit="Day"),
        first,
        quantity=quantity,
        discount=discount,
    )
    return total_of(lines_of(item, Period(first, first), policy=policy))


def stepped(
    steps: Sequence[tuple[Period, Decimal]], *, policy: BillingPolicy = UNROUNDED
) -> Decimal:
    """Return what is billed of a yearly rent that has a price in each of some runs of days.

    The rent is one item on the calendar's years; before, between and after the runs its price is 0,
    and each change of price is an amount record.

    Args:
        steps: Runs of days in order, none overlapping, each with its price for a year.
        policy: How shares are counted and amounts rounded.

    Returns:
        The sum of all lines.
    """
    if not steps:
        return NOTHING
    span = Period(steps[0][0].start, steps[-1][0].end)
    whole = periods_over(span, CALENDAR_YEAR)
    prices: dict[date, Decimal] = {}
    for days, price in steps:
        prices[days.start] = price
        prices[day_after(days.end)] = NOTHING
    records = tuple(
        AmountRecord(value=Amount(price, CURRENCY), start=start)
        for start, price in sorted(prices.items())
    )
    item = rent(NOTHING, CALENDAR_YEAR, whole[0].start, amount_records=records)
    days = Period(whole[0].start, whole[-1].end)
    return total_of(lines_of(item, days, policy=policy))


def period_price(yearly: str | Decimal, periods_a_year: int) -> Decimal:
    """Return the price of one period of a yearly price, as exact as a price can be stated."""
    return Context(prec=15).divide(Decimal(yearly), Decimal(periods_a_year))


def agrees(expected: Any, actual: Decimal, *, what: str = "amount") -> Verdict:  # noqa: ANN401
    """Return whether our figure is the stated one.

    A figure stated with cents is met by ours rounded to its decimals, one stated with fewer by ours
    to the last of the decimals that we keep; one stated as `approx` is met to a millionth of it.
    """
    if expected is None:
        return failed(f"{what}: expected none, got {actual}")
    if isinstance(expected, Mapping):
        stated = Decimal(str(expected["approx"]))
        met = abs(stated - actual) <= abs(stated) / 10**6
    else:
        stated = Decimal(str(expected))
        places = -int(stated.as_tuple().exponent)
        near = abs(stated - actual) <= _LAST_PLACES
        met = near or (places >= CENTS and rounded(actual, places) == stated)
    return PASSED if met else failed(f"{what}: expected {stated}, got {actual}")


def all_of(verdicts: Iterable[Verdict]) -> Verdict:
    for verdict in verdicts:
        if verdict.outcome != "passed":
            return verdict
    return PASSED
