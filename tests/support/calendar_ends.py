"""Leases at the two ends of the calendar, and a call of every public function that takes days.

Everything lies near 0001-01-01 or near 9999-12-31, so that periods, due dates, index months and
adjustments would leave the years 1 to 9999.
"""

from datetime import date
from decimal import Decimal
from types import MappingProxyType
from typing import Any, Final, NamedTuple, get_args

from hypothesis import reject, strategies as st

from rentbilling import (
    AmountRecord,
    Balance,
    BillingCycle,
    BillingPolicy,
    BillingResult,
    Discount,
    DueDateRule,
    FirstBillingPeriodBillItem,
    IndexSeries,
    LeaseTerms,
    OneTimeBillItem,
    Period,
    QuantityRecord,
    RecurringBillItem,
    RentAdjustment,
    RentAdjustmentPlan,
    RentBillingError,
    Vat,
    bill_period,
    what_if,
)
from rentbilling.policy import PartPeriod
from rentbilling.whatif import BillingInputs, Scenario
from tests.support.plans import by_index, by_steps, clause, plan, step
from tests.support.rents import amount

FIRST, LAST = date.min.toordinal(), date.max.toordinal()
SPAN: Final = 800
"""Days from an end of the calendar in which most dates lie."""


class Case(NamedTuple):
    """A lease at an end of the calendar, and what is asked about it."""

    terms: LeaseTerms
    period: Period
    day: date
    policy: BillingPolicy
    indices: IndexSeries
    years: int

    @property
    def item(self) -> RecurringBillItem:
        return self.terms.recurring_bill_items[0]

    @property
    def cycle(self) -> BillingCycle:
        return self.item.billing_cycle

    @property
    def own(self) -> dict[str, Any]:
        return {"indices": self.indices, "policy": self.policy}

    @property
    def inputs(self) -> BillingInputs:
        return BillingInputs(self.terms, {self.indices.name: self.indices}, self.policy)

    @property
    def bills(self) -> BillingResult:
        return self.billed(self.terms)

    def billed(self, terms: LeaseTerms, **beside: Any) -> BillingResult:  # noqa: ANN401
        return bill_period(terms, self.period, **self.own, **beside)

    def what_if(self, scenario: Scenario) -> object:
        run = what_if(self.terms, scenario, period=self.period, **self.own)
        return run.rows(), str(run)


def _months(first: int, last: int) -> dict[str, int]:
    """Return an index that rises each month and each year."""
    years = range(first, last + 1)
    return {f"{year:04d}-{at:02d}": 99 + year - first + at for year in years for at in range(1, 13)}


SERIES: Final = MappingProxyType(
    {
        "first": IndexSeries("NPI", _months(1, 4), base="2015=100"),
        "last": IndexSeries("NPI", _months(9995, 9999), base="2015=100"),
        "yearly": IndexSeries("NPI", {f"{year:04d}": 100 + year for year in (1, 2, 3)}, base="B"),
        "quarterly": IndexSeries("NPI", {"9999-Q3": 100, "9999-Q4": 110}, base="B"),
        "few": IndexSeries("NPI", {"2019-10": 100, "2020-10": 110}, base="2015=100"),
    }
)


def days(at_end: bool, *, spread: int = SPAN) -> st.SearchStrategy[date]:
    near = st.one_of(st.sampled_from((0, 1, 30, 31, 365)), st.integers(0, spread))
    return near.map(lambda far: date.fromordinal(LAST - far if at_end else FIRST + far))


def spans(at_end: bool) -> st.SearchStrategy[Period]:
    return st.tuples(days(at_end), days(at_end)).map(lambda ends: Period(min(ends), max(ends)))


CYCLES = st.builds(
    lambda unit, length, start, day: BillingCycle(
        time_unit=unit,
        period_length=length,
        start=1 if unit == "Day" else 1 + start % 7 if unit == "Week" else start,
        start_day=day if unit in ("Month", "Year") else 1,
    ),
    st.sampled_from(("Day", "Week", "Month", "Year")),
    st.sampled_from((1, 1, 2, 3, 5, 10, 12, 24, 60, 1200)),
    st.integers(1, 12),
    st.sampled_from((1, 1, 2, 15, 29, 31)),
)
RULES = st.builds(
    DueDateRule,
    day_of_period=st.sampled_from((1, 1, -1, -30, -366, -36_525, 15, 31, 400, 36_525)),
    relative_to=st.sampled_from(("start", "end")),
)
POLICIES = st.builds(
    BillingPolicy,
    select=st.sampled_from(("due_date", "accounting_period")),
    business_day=st.sampled_from(("none", "none", "following", "preceding", "modified_following")),
    part_period=st.sampled_from(get_args(PartPeriod)),
    mid_period_change=st.sampled_from(("split", "next_period")),
    discount_end=st.sampled_from(("last_day", "whole_period")),
    missing_index=st.sampled_from(("refuse", "notice", "notice")),
    balance_change=st.sampled_from(("not_billed", "once")),
    max_lines=st.just(5000),
)
CLAUSES: st.SearchStrategy[dict[str, Any] | None] = st.sampled_from(
    (
        None,
        {"lag_months": 3},
        {"lag_months": 120, "from_lag_months": 121},
        {"year_offset": 10},
        {"reference": "last_published"},
        {"basis": "anchored", "start_point": "0001-01"},
        {"basis": "anchored", "start_point": "9999-12", "start_index": "100", "base": "2015=100"},
        {"mean_of": 12, "lag_months": 1},
        {"interval_years": 100},
        {"interval_months": 1, "lag_months": 1},
        {"interval_months": 7},
        {"limit_per": "year_compound", "limit_months": 1},
        {"pro_rata": "first_year"},
        {"pro_rata": "elapsed"},
        {"reference": "quarter", "index_quarter": 4},
        {"basis": "anchored", "share_of": "money", "share": "0.5", "start_point": "9998-12"},
        {"basis": "anchored", "start_point": "0001-12", "lag_months": 1},
    )
)


@st.composite
def plans(draw: st.DrawFn, at_end: bool) -> RentAdjustmentPlan:
    """Return a plan of an index or of increments, which ends somewhere or nowhere."""
    near = ("9990", "9998", "9999") if at_end else ("0001", "0002", "0003")
    first, last = sorted(draw(st.lists(st.sampled_from(near), min_size=2, max_size=2)))
    fields: dict[str, Any] = {"adjustment_month": draw(st.integers(1, 12))}
    if draw(st.booleans()):
        given = draw(CLAUSES)
        own = None if given is None else clause(**given)
        if draw(st.booleans()):
            fields |= {"first_year": first, "last_year": last}
        if own is not None and own.limit_per != "adjustment":
            fields |= {"least": "0", "most": "0.04"}
        points = None if own is not None and own.finds_points else draw(st.integers(1, 12))
        rule = by_index(index_clause=own, index_month=points, **fields)
    else:
        rule = by_steps(step(last, "3 %", recurs=draw(st.booleans())), **fields)
    ends: dict[str, Any] = {
        name: draw(days(at_end))
        for name in ("cancelled_on", "ended_on")
        if draw(st.integers(0, 5)) == 0
    }
    if draw(st.integers(0, 3)) == 0:
        when = draw(days(at_end)).replace(day=1)
        ends["adjustments"] = (RentAdjustment(adjusted_on=when, to_period_amount=amount("9")),)
    return plan(rule, adjusts_balance=draw(st.booleans()), balance_charge_type="Deposit", **ends)


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Return a lease at an end of the calendar with what is asked; refused ones are drawn again."""
    at_end = draw(st.booleans())
    opens = draw(spans(at_end))
    if opens.days > 100:
        opens = Period.unchecked(opens.first, opens.first + draw(st.integers(0, 40)))
    due = draw(st.just(opens.start) | days(at_end))
    when = days(at_end)
    rate = draw(st.sampled_from((Vat("Exempt"), Vat("Exclusive", Decimal("0.25")))))
    discount = None
    if draw(st.booleans()):
        discount = Discount(percentage=Decimal("0.1"), end_date=_maybe(draw, when))
    price = amount("10000")
    records = tuple(AmountRecord(value=amount("12000"), start=each) for each in _some(draw, when))
    quantities = tuple(QuantityRecord(value=Decimal(2), start=each) for each in _some(draw, when))
    try:
        item = RecurringBillItem(
            product_key="key:rent",
            amount=price,
            vat=rate,
            started_on=due,
            billing_cycle=draw(CYCLES),
            due_date_rule=draw(RULES),
            discount=discount,
            amount_records=records,
            quantity_records=quantities,
            ended_on=_maybe(draw, when),
            cancelled_on=_maybe(draw, when),
            first_billing_period_bill_item=FirstBillingPeriodBillItem(
                amount=price, due_date=due, accounting_period=opens
            ),
        )
        once = OneTimeBillItem(
            product_key="key:fee",
            amount=price,
            vat=rate,
            due_date=draw(when),
            accounting_period=draw(spans(at_end)),
        )
        terms = LeaseTerms(
            lease_id="lease-1",
            recurring_bill_items=(item,),
            one_time_bill_items=(once,),
            contract_start=_maybe(draw, when),
            contract_end=_maybe(draw, when),
            rent_adjustment_plans=(draw(plans(at_end)),) if draw(st.integers(0, 3)) else (),
            balances=(Balance(amount=price, months=_maybe(draw, st.sampled_from((1, 3, 1200)))),),
        )
    except RentBillingError:
        reject()
    named = ("last", "few", "quarterly") if at_end else ("first", "few", "yearly")
    return Case(
        terms,
        draw(spans(at_end)),
        draw(when),
        draw(POLICIES),
        SERIES[draw(st.sampled_from(named))],
        draw(st.sampled_from((1, 2, 200))),
    )


def _maybe(draw: st.DrawFn, strategy: st.SearchStrategy[Any]) -> Any:  # noqa: ANN401
    return draw(strategy) if draw(st.integers(0, 4)) == 0 else None


def _some(draw: st.DrawFn, when: st.SearchStrategy[date]) -> list[date]:
    return draw(st.lists(when, max_size=2, unique=True)) if draw(st.booleans()) else []
