"""Prices of other systems as bill items, and what the library bills for them.

An item opens with the days before its first regular period, and where there are none with the day
before it starts, which costs nothing. A method of counting part periods is one of our policies
together with the cycle whose days it counts: days over 30 are days of a 30-day cycle.
Law: a price is a line of a bill or a part of `share_out`, a share is `period_share` or that of a
line. Only days in the middle of a period, which no item has, are multiplied here, and rounded by
the library.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Context, Decimal
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final

import rentbilling as rb
from rentbilling.payers import BillDiscount, discount_bill
from rentbilling.schedule import period_share
from rentbilling.values import Rounding, rounded, share_out
from tests.outside.board import UnsaidError
from tests.outside.peers import days
from tests.outside.peers.asked import figure
from tests.outside.vat.billing import Piece, charged

CURRENCY: Final = "EUR"
"""Of cases that name none."""
NOTHING: Final = Decimal(0)
HUNDRED: Final = Decimal(100)
CENTS: Final = 2
UNTAXED: Final = rb.Vat("Exempt")

UNROUNDED: Final = rb.BillingPolicy(currencies={CURRENCY: 8})
"""For systems that keep amounts unrounded: as many minor units as a currency can have."""
BY_MONTHS: Final = rb.BillingPolicy()
BY_DAYS: Final = rb.BillingPolicy(part_period="period_days")
BY_THIRTY: Final = rb.BillingPolicy(part_period="thirty_day")
IN_FULL: Final = rb.BillingPolicy(part_period="full")

_METHODS: Final[Mapping[str, rb.BillingPolicy]] = MappingProxyType(
    {
        "actual_days_of_month": BY_MONTHS,
        "actual_days_of_each_month": BY_MONTHS,
        "actual_days_of_period": BY_DAYS,
        "strict_30": BY_THIRTY,
        "strict_30_360": BY_THIRTY,
        "annual_365": rb.BillingPolicy(part_period="year_365"),
        "half_month": rb.BillingPolicy(part_period="half_month"),
        "round_up_to_whole_period": IN_FULL,
    }
)


def money(value: object, currency: str = CURRENCY) -> rb.Amount:
    return rb.Amount(Decimal(str(value)), currency)


def fraction_of(percent: object) -> Decimal:
    """Return a percentage as the fraction that A5 asks for: 0.25 of "25" or "25%"."""
    return figure(percent).scaleb(-2)


def by_percentage(percent: object, **more: Any) -> rb.Discount:  # noqa: ANN401
    return rb.Discount(percentage=fraction_of(percent), **more)


def mode(word: str) -> Any:  # noqa: ANN401
    """Return a rounding mode in our spelling; the library refuses a word that it does not know."""
    plain = word.lower().replace(" ", "_").replace("-", "_")
    ours = {"half_away_from_zero": "half_up", "half_towards_zero": "half_down"}
    return ours.get(plain, plain)


# -------------------------------------------------------------------------------------- items


def opening(price: rb.Amount, period: rb.Period) -> rb.FirstBillingPeriodBillItem:
    """Return an opening period that falls due on its first day."""
    return rb.FirstBillingPeriodBillItem(
        amount=price, due_date=period.start, accounting_period=period
    )


def rent(
    price: rb.Amount | Decimal,
    cycle: rb.BillingCycle,
    start: date,
    *,
    opens: rb.FirstBillingPeriodBillItem | None = None,
    later: Mapping[date, Decimal] | None = None,
    **more: Any,  # noqa: ANN401
) -> rb.RecurringBillItem:
    """Return an item whose regular periods begin on a day or later, due on their first day."""
    price = price if isinstance(price, rb.Amount) else money(price)
    eve = days.before(start)
    first = opens or opening(rb.Amount(NOTHING, price.currency), rb.Period(eve, eve))
    records = sorted((later or {}).items())
    fields: dict[str, Any] = {
        "product_key": "key:rent",
        "vat": UNTAXED,
        "due_date_rule": days.AT_THE_START,
        "amount_records": tuple(
            rb.AmountRecord(value=money(value, price.currency), start=since)
            for since, value in records
        ),
        **more,
    }
    return rb.RecurringBillItem(
        amount=price,
        billing_cycle=cycle,
        started_on=first.due_date,
        first_billing_period_bill_item=first,
        **fields,
    )


def lines_due(
    items: rb.RecurringBillItem | Iterable[rb.RecurringBillItem],
    since: date,
    through: date,
    *,
    policy: rb.BillingPolicy = BY_DAYS,
) -> list[rb.PendingBillLineItem]:
    """Return the lines that fall due from one day through another, in the order of the bills."""
    if through < since:
        return []
    result = rb.pending_bills(items, rb.Period(since, through), policy=policy)
    return [line for bill in result for line in bill.lines]


def lines_of(
    items: rb.RecurringBillItem | Iterable[rb.RecurringBillItem],
    period: rb.Period,
    *,
    policy: rb.BillingPolicy = BY_MONTHS,
) -> list[rb.PendingBillLineItem]:
    chosen = policy.evolve(select="accounting_period")
    return lines_due(items, period.start, period.end, policy=chosen)


def total(amounts: Iterable[rb.Amount], currency: str = CURRENCY) -> rb.Amount:
    return sum(amounts, rb.Amount(NOTHING, currency))


def net(lines: Iterable[rb.PendingBillLineItem], currency: str = CURRENCY) -> rb.Amount:
    return total((line.net_price for line in lines), currency)


# ------------------------------------------------------------------------------------- prices


def price_of(price: Decimal, *, policy: rb.BillingPolicy = BY_MONTHS, **more: Any) -> Decimal:  # noqa: ANN401
    """Return what one whole period costs: a price times a quantity, less a discount."""
    there = date(2026, 1, 1)
    item = rent(price, rb.BillingCycle(time_unit="Day"), there, **more)
    return net(lines_of(item, rb.Period(there, there), policy=policy)).amount


def period_price(price: rb.Amount, period: rb.Period, **more: Any) -> rb.Amount:  # noqa: ANN401
    """Return what the library bills for one whole period of a price."""
    item = rent(price, days.cycle_of(period), period.start, **more)
    return net(lines_of(item, period, policy=BY_DAYS), price.currency)


def less(price: rb.Amount, *discounts: rb.Discount) -> rb.Amount:
    """Return what the library bills for a month of a price with discounts, one after another.

    An item refuses a discount above its own amount, but stops one at zero that a lower price comes
    later (A22); so where one is larger, the item begins with an amount that high and its price
    follows as a record.
    """
    month = rb.Period(date(2026, 1, 1), date(2026, 1, 31))
    most = max([price, *(each.amount for each in discounts if each.amount is not None)])
    later = {month.start: price.amount} if most > price else None
    return period_price(most, month, discounts=discounts, later=later)


def whole_bill(lines: Iterable[rb.Amount], discounts: Sequence[BillDiscount]) -> rb.Amount:
    """Return the total of a bill of some lines, less discounts of the whole of it (A73)."""
    pieces = [Piece(line.amount, UNTAXED) for line in lines]
    bill = charged(pieces, CURRENCY).bill
    assert bill is not None
    return discount_bill(bill, discounts).bills[0].total


def part_of(price: rb.Amount, share: Fraction) -> rb.Amount:
    """Return a share of a price, rounded once to the currency's minor unit."""
    return share_out(price, (share, 1 - share))[0]


def part_of_year(yearly: str | Decimal, periods_a_year: int) -> Decimal:
    """Return the price of one period of a yearly price, as exact as a price can be stated."""
    return Context(prec=15).divide(Decimal(yearly), Decimal(periods_a_year))


def stepped(
    steps: Sequence[tuple[rb.Period, Decimal]], *, policy: rb.BillingPolicy = UNROUNDED
) -> Decimal:
    """Return what is billed of a yearly rent that has a price in each of some runs of days.

    The rent is one item on the calendar's years; before, between and after the runs its price is 0,
    and each change of price is an amount record.
    """
    if not steps:
        return NOTHING
    span = rb.Period(steps[0][0].start, steps[-1][0].end)
    whole = days.calendar_periods(span, days.YEAR)
    prices: dict[date, Decimal] = {}
    for run, price in steps:
        prices[run.start] = price
        prices[days.after(run.end)] = NOTHING
    item = rent(NOTHING, days.YEAR, whole[0].start, later=prices)
    lines = lines_of(item, rb.Period(whole[0].start, whole[-1].end), policy=policy)
    return net(lines).amount


# -------------------------------------------------------------------------------------- parts


@dataclass(frozen=True, slots=True)
class Part:
    """Some days of a regular period, and how their share is counted."""

    run: rb.Period
    whole: rb.Period
    cycle: rb.BillingCycle = days.MONTH
    policy: rb.BillingPolicy = BY_MONTHS

    @property
    def share(self) -> Fraction:
        """The share of the whole that the days are."""
        return period_share(self.run, self.cycle, whole=self.whole, policy=self.policy)


def counted(run: rb.Period, method: str, whole: rb.Period | None = None) -> tuple[Part, ...]:
    """Return the parts whose shares together are what a method counts for some days.

    The days are those of a billing period, by default of the calendar month in which they begin.
    """
    if method == "actual_over_30":
        return (of_length(run, 30),)
    policy = _policy_of(method)
    if policy not in {BY_DAYS, IN_FULL}:
        return in_each(run, days.MONTH, policy)
    whole = whole or days.calendar_period(run.start, days.MONTH)
    if days.calendar_period(whole.start, days.MONTH) == whole:
        return (Part(run, whole, days.MONTH, policy),)
    return (Part(run, whole, rb.BillingCycle(time_unit="Day", period_length=whole.days), policy),)


def counted_by_year(run: rb.Period, method: str) -> tuple[Part, ...]:
    """Return the same for a price of a whole year."""
    return in_each(run, days.YEAR, _policy_of(method))


def _policy_of(method: str) -> rb.BillingPolicy:
    if method not in _METHODS:
        raise UnsaidError(f"part periods counted by {method}")
    return _METHODS[method]


def of_length(run: rb.Period, length: int) -> Part:
    whole = rb.Period(run.start, days.after(run.start, length - 1))
    return Part(run, whole, rb.BillingCycle(time_unit="Day", period_length=length))


def in_each(run: rb.Period, cycle: rb.BillingCycle, policy: rb.BillingPolicy) -> tuple[Part, ...]:
    return tuple(Part(part, whole, cycle, policy) for part, whole in days.parts_of(run, cycle))


def charge(
    price: Decimal, part: Part, *, places: int = CENTS, rounding: Rounding = "half_up"
) -> Decimal:
    """Return what the days of a part cost at a price for the whole.

    Days from a period's start are an item that ends early, days up to its end an opening period.
    """
    policy = part.policy.evolve(currencies={CURRENCY: places}, rounding=rounding)
    run, whole = part.run, part.whole
    if run.start == whole.start and run.end <= whole.end:
        item = rent(price, part.cycle, whole.start, ended_on=run.end)
        return net(lines_of(item, rb.Period(whole.start, whole.start), policy=policy)).amount
    if run.end == whole.end and run.start > whole.start and part.cycle.time_unit == "Month":
        opened = rb.first_billing_period(money(price), part.cycle, run.start, policy=policy)
        return opened.amount.amount
    return rounded(Fraction(price) * part.share, places, rounding)


def charges(
    price: Decimal, parts: Iterable[Part], *, places: int = CENTS, rounding: Rounding = "half_up"
) -> Decimal:
    """Return what several parts cost together; each is rounded like a line."""
    return sum((charge(price, part, places=places, rounding=rounding) for part in parts), NOTHING)


def shares(parts: Iterable[Part]) -> Fraction:
    return sum((part.share for part in parts), Fraction(0))


def months_between(start: date, end: date, policy: rb.BillingPolicy) -> Fraction:
    """Return the shares of all months of a monthly service that ends the day before a date."""
    last = days.before(end)
    item = rent(Decimal(1), days.anchored(days.Step("Month"), start), start, ended_on=last)
    lines = lines_due(item, start, last, policy=policy)
    return sum((line.share for line in lines), Fraction(0))


def in_force(price: Decimal, later: Mapping[date, Decimal], day: date) -> Decimal:
    """Return the price that a bill of a day shows, of an item with later prices."""
    item = rent(price, rb.BillingCycle(time_unit="Day"), day, later=later)
    return lines_of(item, rb.Period(day, day))[0].amount.amount
