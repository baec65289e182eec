"""The period of a cycle, its due date, and the share of it that is billed.

Law: periods and due dates are checked against the schedule.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Final

from rentbilling.explanations import operations as op
from rentbilling.explanations.working import Working, agreed
from rentbilling.policy import BillingPolicy, PartPeriod
from rentbilling.schedule import (
    Schedule,
    business_day,
    calendar_years,
    opening_share,
    own_month,
)
from rentbilling.terms import BillingCycle, RecurringBillItem, periods_a_year
from rentbilling.values import MONTHS_PER_YEAR, Period, day_in_month

_SATURDAY: Final = 5
_YEAR_DAYS: Final = 365
_THIRTY_DAYS: Final = 30
_DAYS: Final = ("Saturday", "Sunday")
_THIRTY: Final = "days of 30/360"


def regular_period(
    item: RecurringBillItem, schedule: Schedule, days: Period, label: str
) -> Working:
    """Return the regular period of a cycle, counted from its first start (A8, A9, A13)."""
    cycle = item.billing_cycle
    after = item.first_billing_period_bill_item.accounting_period.end
    begins = date.fromordinal(schedule.start_of(0))
    unit, every, months = cycle.time_unit, MONTHS_PER_YEAR, cycle.months
    if months and every % months == 0:
        every = months
    # Directly after an opening of whole cycles, in a month in which no other cycle would start.
    if months and (begins.month - cycle.start) % every:
        unit = "Day"
    inputs: tuple[op.NamedInput, ...] = (
        ("after", op.stated("opening period's last day", after, "A12")),
        ("unit", unit),
        ("every", every),
        ("start", cycle.start),
        ("start day", cycle.start_day),
    )
    first = Working("first start of the cycle", "first", inputs, begins, "A8", None)
    number = schedule.number_from(days.first)
    rule = "A8" if cycle.start_day == 1 else "A9"
    kind = cycle.period_length, cycle.time_unit, cycle.start_day
    found = op.period(label, rule, first, number, *kind)
    return agreed(found, days, "a regular period")


def part_of_period(
    regular: Working, part: tuple[int, int], cut: int | None, why: str | None = None
) -> Working:
    """Return the days of a part of a regular period (A17, A19)."""
    whole = regular.result
    assert isinstance(whole, Period)  # noqa: S101 - for the type checkers
    start, end = date.fromordinal(part[0]), date.fromordinal(part[1])
    bounds: list[op.NamedInput] = []
    if start != whole.start:
        bounds.append(("from", op.stated("day of the change", start, "A19")))
    if part[1] == cut:
        bounds.append(("until", op.stated("last day paid for", end, "A17", why)))
    elif end != whole.end:
        bounds.append(("until", op.stated("day before the next change", end, "A19")))
    rule = "A19" if len(bounds) > 1 or part[1] != cut else "A17"
    return op.cut_to("accounting period", rule, regular, *bounds)


def due_date(
    item: RecurringBillItem, regular: Working, schedule: Schedule, policy: BillingPolicy, due: date
) -> Working:
    """Return why a regular period falls due on a day (A10, A11, A51)."""
    days = regular.result
    assert isinstance(days, Period)  # noqa: S101 - for the type checkers
    rule = item.due_date_rule
    there = _before_moving(rule.day_of_period, days, schedule, rule.relative_to)
    left = there.result
    assert isinstance(left, date)  # noqa: S101 - for the type checkers
    if left.toordinal() != business_day(left.toordinal(), policy):
        there = _moved(there, left, policy)
    return agreed(there, due, "a due date")


def _before_moving(number: int, days: Period, schedule: Schedule, relative_to: str) -> Working:
    """Return the due date before weekends and holidays count."""
    label, by_start = "due date", relative_to == "start"
    if by_start and number == 1:
        note = "the first day of the period"
        return op.day(label, "A10", first_day=days.start, days=0, note=note)
    counted_from = f"counted from its {relative_to}"
    of_rule = op.stated("day of the period", number, "A10" if by_start else "A51", counted_from)
    if by_start:
        begins = op.stated("period's first day", days.start, "A8")
        if number < 0:
            return op.day(label, "A10", first_day=begins, days=of_rule)
        later = op.total("days after the first", "A10", day=of_rule, first_day=-1)
        if number > days.days:
            most = "maximum", op.counted("days of the period", days.first, days.last, "A8")
            note = "a day past the period's end means its last day"
            last = op.limited("day that there is", "A10", day=of_rule, maximum=most, note=note)
            later = op.total("days after the first", "A10", day=last, first_day=-1)
        return op.day(label, "A10", first_day=begins, days=later)
    return _from_the_end(number, days, schedule, of_rule)


def _from_the_end(number: int, days: Period, schedule: Schedule, of_rule: Working) -> Working:
    """Return the due date of a rule that counts from the end of a period (A51)."""
    label = "due date"
    if number == -1:
        note = "the last day of the period"
        return op.day(label, "A51", last_day=days.end, days=0, note=note)
    ends = op.stated("period's last day", days.end, "A8")
    if number == 1:
        return op.day(label, "A51", last_day=ends, days=of_rule)
    if number < 0:
        earlier = op.total("days after the last", "A51", day=of_rule, last_day=1)
        return op.day(label, "A51", last_day=ends, days=earlier)
    at = schedule.number_from(days.first)
    length = schedule.start_of(at + 2) - schedule.start_of(at + 1)
    if number <= length:
        return op.day(label, "A51", last_day=ends, days=of_rule)
    most = "maximum", op.stated("days of the next period", length, "A8")
    last = op.limited("day that there is", "A51", day=of_rule, maximum=most)
    return op.day(label, "A51", last_day=ends, days=last)


def _moved(due: Working, left: date, policy: BillingPolicy) -> Working:
    """Return the business day that a due date moves to (A11)."""
    there = business_day(left.toordinal(), policy)
    way = 1 if there > left.toordinal() else -1
    closed: list[op.NamedInput] = []
    for ordinal in range(left.toordinal(), there, way):
        when = date.fromordinal(ordinal)
        weekday = when.weekday()
        name = _DAYS[weekday - _SATURDAY] if weekday >= _SATURDAY else "holiday"
        closed.append((name, when))
    return op.moved("due date", "A11", due, way, closed)


def share_of_cut(
    cut: tuple[int, int], whole: tuple[int, int], cycle: BillingCycle, method: PartPeriod
) -> Working:
    """Return how many regular periods an opening or the billed days of a period are (A17, A20)."""
    label = "share of the period"
    if method == "full":
        share = opening_share(Period.unchecked(*cut), cycle, method)
        return op.stated(label, share, "A20", "a part counts as a whole period")
    found = _counted_share(label, cut, whole, cycle, method)
    # An opening may be longer than a cycle, a part of a period never counts more than all of it.
    if op.number_of(found) <= 1 or cut[0] < whole[0]:
        return found
    counted = replace(found, label=f"share as {method} counts")
    return op.limited(label, "A20", share=counted, maximum=("maximum", 1))


def _counted_share(
    label: str,
    cut: tuple[int, int],
    whole: tuple[int, int],
    cycle: BillingCycle,
    method: PartPeriod,
) -> Working:
    """Return the share that is billed, by the method that counts it (A20, A66)."""
    days = op.counted("days billed", *cut, "A20")
    if not cycle.months:
        of = op.stated("days of the cycle", cycle.days, "A20")
        return op.quotient(label, "A20", days=days, days_of_the_cycle=of)
    if method in ("year_365", "year_actual"):
        times = op.stated("periods of a year", periods_a_year(cycle), "A38")
        if method == "year_actual":
            parts = [_part_of_year(*each) for each in calendar_years(*cut)]
            named = [("part of a year", each) for each in parts]
            over = parts[0] if len(parts) == 1 else op.total("parts of years", "A66", *named)
            return op.product(label, "A66", parts_of_years=over, periods=times)
        over = op.product("days times periods", "A20", days=days, periods=times)
        of = op.stated("days of a year", _YEAR_DAYS, "A20")
        return op.quotient(label, "A20", days=over, days_of_a_year=of)
    if method in ("actual_days", "half_month", "days_over_30"):
        over = months_of(cut, cycle, "months billed", method)
        of = op.stated("months of the cycle", cycle.months, "A20")
        return op.quotient(label, "A20", months=over, months_of_the_cycle=of)
    if method == "thirty_day":
        over = op.counted("days billed", *cut, "A20", _THIRTY)
        of = op.counted("days of the period", *whole, "A20", _THIRTY)
        return op.quotient(label, "A20", days=over, days_of_the_period=of)
    of = op.counted("days of the period", *whole, "A20")
    return op.quotient(label, "A20", days=days, days_of_the_period=of)


def _part_of_year(first: int, last: int, length: int) -> Working:
    """Return some days as a part of their calendar year (A66)."""
    days = op.counted("days of the year billed", first, last, "A66")
    ends = date(date.fromordinal(first).year, 12, 31).toordinal()
    of = op.counted("days of the year", ends + 1 - length, ends, "A66")
    return op.quotient("part of a year", "A66", days=days, days_of_the_year=of)


def share_of_part(
    at: int,
    parts: Sequence[tuple[int, int]],
    whole: Working | None,
    cycle: BillingCycle,
    method: PartPeriod,
) -> Working:
    """Return the share of the period that one part of a split has (A20)."""
    thirty = method == "thirty_day" and cycle.months
    if thirty:
        weights = [op.counted("days of the part", *part, "A20", _THIRTY) for part in parts]
        named = [(f"part {place}", weight) for place, weight in enumerate(weights, 1)]
        of = op.total("days of all parts", "A20", *named)
        weight = weights[at]
    elif cycle.months:
        weight = months_of(parts[at], cycle, "months of the part")
        of = months_of((parts[0][0], parts[-1][1]), cycle, "months of all parts")
    else:
        weight = op.counted("days of the part", *parts[at], "A20")
        of = op.counted("days of all parts", parts[0][0], parts[-1][1], "A20")
    word = "days" if thirty or not cycle.months else "months"
    label = "share of the period" if whole is None else "share of what is billed"
    found = op.quotient(label, "A20", (word, weight), (f"{word} of all parts", of))
    if whole is None:
        return found
    return op.product("share of the part", "A20", share_billed=whole, of_which=found)


def months_of(
    days: tuple[int, int], cycle: BillingCycle, label: str, method: PartPeriod = "actual_days"
) -> Working:
    first, last = days
    start_day = cycle.start_day
    opening, closing = own_month(first, start_day), own_month(last, start_day)
    begins, ends = first, last
    parts: list[op.NamedInput] = []
    if first != day_in_month(opening, start_day) or (
        opening == closing and last + 1 != day_in_month(closing + 1, start_day)
    ):
        until = min(last, day_in_month(opening + 1, start_day) - 1)
        parts.append(("part of a month", _month_part(first, until, opening, start_day, method)))
        begins = until + 1
    tail: list[op.NamedInput] = []
    if begins <= last and last + 1 != day_in_month(closing + 1, start_day):
        ends = day_in_month(closing, start_day) - 1
        tail = [("part of a month", _month_part(ends + 1, last, closing, start_day, method))]
    if begins <= ends:
        parts.append(("whole months", op.counted("whole months", begins, ends, "A20", "months")))
    parts += tail
    if len(parts) == 1:
        ((_, only),) = parts
        assert isinstance(only, Working)  # noqa: S101 - for the type checkers
        return replace(only, label=label)
    return op.total(label, "A20", *parts)


def _month_part(first: int, last: int, month: int, start_day: int, method: PartPeriod) -> Working:
    """Return some days as a part of one of the cycle's own months."""
    begins, after = day_in_month(month, start_day), day_in_month(month + 1, start_day)
    days, label = op.counted("days", first, last, "A20"), "part of a month"
    if method == "days_over_30":
        return op.quotient(label, "A66", days=days, days_of_a_month=_THIRTY_DAYS)
    of = op.counted("days of the month", begins, after - 1, "A20")
    if method == "half_month":
        return op.halved(label, "A20", days=days, days_of_the_month=of)
    return op.quotient(label, "A20", days=days, days_of_the_month=of)
