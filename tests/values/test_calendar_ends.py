"""The ends of the calendar: what would leave the years 1 to 9999 is refused in the error tree.

Law: whatever public function is asked about a lease near 0001-01-01 or 9999-12-31, it answers or
raises a RentBillingError, never an error of Python's own.
"""

from collections.abc import Callable
from contextlib import suppress
from datetime import date
from inspect import isfunction

import pytest
from hypothesis import given, note

import rentbilling as rb
import rentbilling.whatif
from rentbilling.policy import MidPeriodChange, Select
from rentbilling.whatif import Scenario, cap, without_adjustments
from tests.support.calendar_calls import CALLS, WITHOUT_DAYS
from tests.support.calendar_ends import Case, cases
from tests.support.plans import GOES_ON, by_index, by_steps, home, lease, octobers, plan, step
from tests.support.rents import amount, day, opening, rent
from tests.support.rows import rows

TOO_LATE = "not supported: an accounting period that ends after 9999-12-31"
LAST_MONTH = "9999-12-01/9999-12-31"
TEN_DAYS = rb.BillingCycle(time_unit="Day", period_length=10)
INDEX = octobers(100, 110, first=2019)


@given(cases())
def test_every_public_function_answers_or_refuses(case: Case) -> None:
    for name, call in CALLS.items():
        with suppress(rb.RentBillingError):
            note(name)
            call(case)


def test_every_public_function_is_asked() -> None:
    public = {
        name
        for face in (rentbilling, rentbilling.whatif)
        for name in dir(face)
        if isfunction(getattr(face, name))
    }

    assert set() == public - WITHOUT_DAYS - {name for row in CALLS for name in row.split()}


# ------------------------------------------------------------------- periods after 9999-12-31

UNTIL_2021 = by_index(last_year="2021")


def adjusted() -> rb.LeaseTerms:
    """Return a rent of ten days each from 2020 on, with a plan that ends in 2021."""
    return lease(UNTIL_2021, item=home(billing_cycle=TEN_DAYS))


def bills(
    terms: rb.LeaseTerms | rb.RecurringBillItem, period: str = LAST_MONTH
) -> rb.BillingResult:
    return rb.pending_bills(terms, period, indices=INDEX, policy=GOES_ON)


ASKED: dict[str, Callable[[rb.LeaseTerms], object]] = {
    "pending_bills": bills,
    "bill_period": lambda terms: rb.bill_period(terms, LAST_MONTH, indices=INDEX, policy=GOES_ON),
    "already_billed": lambda terms: rb.pending_bills(
        terms,
        LAST_MONTH,
        indices=INDEX,
        policy=GOES_ON,
        already_billed=bills(terms, "9999-11-01/9999-11-30"),
    ),
    "what_if": lambda terms: rb.what_if(
        terms, cap("0.01"), period=LAST_MONTH, indices=INDEX, policy=GOES_ON
    ),
    "forecast": lambda terms: rb.forecast(
        terms, years=1, start="9998-12-31", indices=INDEX, policy=GOES_ON
    ),
}


@rows("ask", ASKED.values(), ids=ASKED)
def test_a_period_after_the_last_day_is_refused_with_a_plan_too(
    ask: Callable[[rb.LeaseTerms], object],
) -> None:
    with pytest.raises(rb.UnsupportedCaseError) as alone:
        bills(home(billing_cycle=TEN_DAYS))
    with pytest.raises(rb.UnsupportedCaseError) as caught:
        ask(adjusted())

    assert TOO_LATE == str(caught.value) == str(alone.value)


@rows("select", ["due_date", "accounting_period"])
@rows("change", ["split", "next_period"])
@rows("cycle", [("Day", 10), ("Week", 1), ("Month", 7), ("Year", 7)])
def test_a_plan_changes_no_refusal(
    cycle: tuple[str, int], change: MidPeriodChange, select: Select
) -> None:
    policy = GOES_ON.evolve(mid_period_change=change, select=select)
    unit, length = cycle
    item = home(billing_cycle=rb.BillingCycle(time_unit=unit, period_length=length))
    terms = lease(UNTIL_2021, item=item)

    with pytest.raises(rb.UnsupportedCaseError, match=TOO_LATE):
        rb.pending_bills(terms, "9989-01-01/9999-12-31", indices=INDEX, policy=policy)


def test_a_period_that_ends_with_the_calendar_is_billed() -> None:
    """December 9999, adjusted in 2021 by 110 / 100: 10,000 x 1.1."""
    made = bills(lease(UNTIL_2021, item=home()))

    assert ["11000.00 DKK"] == [str(bill.total) for bill in made]


@rows("select", ["due_date", "accounting_period"])
def test_an_adjustment_of_the_last_day_is_billed(select: Select) -> None:
    """A cycle of single days reaches 9999-12-31, on which a listed adjustment counts (A38)."""
    listed = rb.RentAdjustment(adjusted_on=date.max, to_period_amount=amount("12000.00"))
    item = home(billing_cycle=rb.BillingCycle(time_unit="Day"))
    terms = lease(plan(UNTIL_2021, adjustments=(listed,)), item=item)

    policy = GOES_ON.evolve(select=select)
    made = rb.pending_bills(terms, "9999-12-30/9999-12-31", indices=INDEX, policy=policy)

    assert ["10000.00 DKK", "12000.00 DKK"] == [str(bill.total) for bill in made]


def test_a_forecast_may_end_with_the_calendar() -> None:
    """The year 9999 has twelve bills; no year comes after it."""
    item = home(first_billing_period_bill_item=opening("9998-12-01/9998-12-31"))

    assert 12 == len(rb.forecast(item, years=1, start="9999-01-01").result)
    with pytest.raises(rb.UnsupportedCaseError, match="a forecast beyond the year 9999"):
        rb.forecast(item, years=1, start="9999-01-02")


# ----------------------------------------------------------------------- adjustments at the ends


def at_the_end() -> rb.RecurringBillItem:
    first = opening("9999-12-01/9999-12-31", price="10000.00")
    return rent("10000.00", first_billing_period_bill_item=first)


def test_a_listed_adjustment_in_the_last_opening_period_brings_its_notice() -> None:
    """After the opening period no day of the calendar is left (A32)."""
    listed = rb.RentAdjustment(adjusted_on=day("9999-12-15"), to_period_amount=amount("12000.00"))
    terms = lease(plan(by_index(), adjustments=(listed,)), item=at_the_end())

    made = rb.rent_adjustments(terms, LAST_MONTH, indices=INDEX, policy=GOES_ON)

    assert [("listed_before_start", (("adjustedOn", "9999-12-15"),))] == [
        (notice.code, notice.facts) for notice in made.notices
    ]


@rows("end", ["cancelled_on", "ended_on"])
def test_a_plan_that_ends_on_the_first_day_adjusts_nothing(end: str) -> None:
    """The day before a cancellation on 0001-01-01 has no date."""
    terms = lease(plan(by_index(), **{end: date.min}))

    assert rb.next_adjustment_date(terms, "0001-01-01") is None
    assert [] == list(rb.rent_adjustments(terms, "0001-01-01/0001-12-31", indices=INDEX))


def test_an_item_cancelled_on_the_first_day_is_not_adjusted() -> None:
    first = opening("0001-01-01/0001-01-31", price="10000.00")
    item = home(first_billing_period_bill_item=first, started_on=date.min, cancelled_on=date.min)

    assert rb.next_adjustment_date(lease(by_index(), item=item), "0001-01-01") is None


# ------------------------------------------------------------------------------- scenarios

SCENARIOS = {
    "a cap of no year": cap("0.01", on="9999-06-01"),
    "a plan that ends on the first day": without_adjustments(on=date.min),
}


@rows("scenario", SCENARIOS.values(), ids=SCENARIOS)
def test_a_scenario_of_nothing_that_is_left_changes_no_bill(scenario: Scenario) -> None:
    terms = lease(by_steps(step("9999", "3 %"), adjustment_month=1), item=at_the_end())

    run = rb.what_if(terms, scenario, period=LAST_MONTH)

    assert run.baseline.results[0].bills == run.variants[0].results[0].bills
