"""Judges of bill runs (Kill Bill): all that a subscription owes up to a target date.

A cycle keeps its billing day of the month. The days before its first date are a part period of the
period that ends there, counted back plainly from that date. In advance everything is billed that
begins by the target date; in arrears what has ended by then; in arrears greedily what has begun.
What does not live here: what earlier invoices have (`subscriptions_invoices`).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any, Final

from rentbilling import (
    Amount,
    BillingCycle,
    FirstBillingPeriodBillItem,
    PendingBillLineItem,
    Period,
    RecurringBillItem,
    first_billing_period,
    period_share,
)
from tests.outside.board import Case, Head, Verdict, failed
from tests.outside.peers.subscriptions_cycles import (
    Step,
    anchored,
    first_period,
    moved,
    regular_periods,
    step_named,
    years_on,
)
from tests.outside.peers.subscriptions_items import (
    BY_PERIOD_DAYS,
    lines_due,
    net_of,
    opening_of,
    part_of,
    subscription,
)
from tests.outside.peers.subscriptions_reading import (
    day,
    day_after,
    day_before,
    held,
    optional_day,
)

_DIGITS: Final = 9
_CYCLES: Final = Amount(10**_DIGITS, "JPY")
"""A price whose whole units are the ninth decimal of a fraction: billed amounts are fractions with
nine decimals, each rounded once."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A subscription as a run sees it: its cycle, its first day and the day after its last."""

    step: Step
    cycle: BillingCycle
    start: date
    end: date | None

    @classmethod
    def given(cls, period: str, billing_day: Any, start: date, end: date | None) -> "Plan":  # noqa: ANN401
        """Return the plan of a case; days and weeks have no billing day."""
        step = step_named(period)
        day_of_month = int(billing_day or 0) or start.day
        cycle = anchored(step, start, start_day=day_of_month if step.keeps_the_day else None)
        return cls(step, cycle, start, end)

    @property
    def first_date(self) -> date:
        return first_period(self.cycle, self.start).start

    def billed_to(self, lines: Sequence[PendingBillLineItem], target: date) -> date | None:
        """Return the day to which a run has billed, excluded; None if it has reached no date."""
        if lines:
            return day_after(lines[-1].accounting_period.end)
        return self.start if self.first_date == self.start <= target else None

    def next_after(self, after: date | None) -> date:
        """Return the first cycle date after a day, or the first of all."""
        if after is None:
            return self.first_date
        years = self.step.years(1) + after.year - self.start.year
        dates = regular_periods(self.cycle, self.start, years_on(self.start, years))
        return next(period.start for period in dates if period.start > after)

    def billed(self, price: Amount, *, item_id: str = "subscription") -> RecurringBillItem:
        return subscription(
            price,
            self.cycle,
            self.start,
            item_id=item_id,
            opening=self._opening(price),
            ended_on=day_before(self.end) if self.end else None,
        )

    def _opening(self, price: Amount) -> FirstBillingPeriodBillItem | None:
        """Return the days before the first cycle date, at their share of the price.

        An end among them cuts them, which the price of an opening period does not know (A14).
        """
        first = self.first_date
        end = min(first, self.end or first)
        if first == self.start or end <= self.start:
            return None
        plain = anchored(self.step, first)
        if end == first:
            return first_billing_period(price, plain, self.start, policy=BY_PERIOD_DAYS)
        part = Period(self.start, day_before(end))
        whole = Period(moved(first, self.step, -1), day_before(first))
        share = period_share(part, plain, whole=whole, policy=BY_PERIOD_DAYS)
        return opening_of(part_of(price, share), part)


def in_the_run(
    lines: Iterable[PendingBillLineItem], target: date, mode: str
) -> list[PendingBillLineItem]:
    """Return the lines that a run bills, of those that begin by its target date."""
    if mode == "IN_ARREAR":
        return [line for line in lines if line.accounting_period.end < target]
    if mode == "IN_ARREAR_GREEDY":
        return [line for line in lines if line.accounting_period.start < target]
    return list(lines)


def _plan_of(given: Any) -> Plan:  # noqa: ANN401
    return Plan.given(
        given["period"], given["bcd"], day(given["start"]), optional_day(given.get("end"))
    )


# -------------------------------------------------------------------------------- fractions


def cycles_owed(case: Case, _head: Head) -> Verdict:
    """Judge the periods that a run bills, as fractions of a cycle, and the date that comes next."""
    given, expected = case["input"], case["expected"]
    plan, target = _plan_of(given), day(given["target_date"])
    item = plan.billed(_CYCLES)
    lines = lines_of_run(item, plan.start, target, given["mode"])
    if "error" in expected:
        return failed(f"error: expected {expected['error']}, got {len(lines)} lines")
    stated = [[each["start"], each["end"], each["cycles"]] for each in expected["items"]]
    ours = [
        [
            line.accounting_period.start,
            day_after(line.accounting_period.end),
            _as_fraction(line.net_price),
        ]
        for line in lines
    ]
    return held(
        {**expected, "items": stated},
        {
            "items": ours,
            "total_cycles": _as_fraction(net_of(lines, _CYCLES.currency)),
            "next": plan.next_after(plan.billed_to(lines, target)),
        },
    )


def lines_of_run(
    item: RecurringBillItem, start: date, target: date, mode: str
) -> list[PendingBillLineItem]:
    """Return the lines of one run; a target before the start is refused by the library."""
    period = Period(start, target)
    return in_the_run(lines_due(item, period.start, period.end), target, mode)


def _as_fraction(amount: Amount) -> Decimal:
    """Return an amount of the price above as the fraction that it is."""
    return amount.amount.scaleb(-_DIGITS)


def run_dates(case: Case, _head: Head) -> Verdict:
    """Judge the dates of a run: the first cycle date, how far it bills, and the next one."""
    given = case["input"]
    plan, target = _plan_of(given), day(given["target_date"])
    item = plan.billed(_CYCLES)
    lines = lines_of_run(item, plan.start, target, given["mode"]) if target >= plan.start else []
    billed_to = plan.billed_to(lines, target)
    return held(
        case["expected"],
        {
            "firstBillingCycleDate": plan.first_date,
            "effectiveEndDate": billed_to,
            "nextBillingCycleDate": plan.next_after(billed_to),
            "hasSomethingToBill": billed_to is not None,
        },
    )
