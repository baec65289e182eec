"""Adjustment dates: on which days the rules of a plan adjust (A31, A32, A36, A153)."""

from datetime import date
from typing import Any

import rentbilling as rb
from rentbilling.adjustments import Bounds, RuleDates
from rentbilling.values import month_start
from tests.support.plans import by_index, by_steps, deposit, home, lease, made, octobers, plan, step
from tests.support.rows import rows


def dates_of(
    rule: rb.RentAdjustmentRule, after: str = "2020-01-31", until: int = 2026, **of_plan: str
) -> str:
    """Return the months of a rule after a day, up to the end of a year; at most six."""
    first = Bounds(date.fromisoformat(after).toordinal())
    dates = RuleDates(rule, plan(rule, **of_plan), first)
    found = [date.fromordinal(month_start(each)) for each in dates.between(0, until * 12 + 11)]
    assert all(each.day == 1 for each in found)
    return " ".join(f"{each:%Y-%m}" for each in found[:6])


def steps(years: str, month: int = 4, **fields: Any) -> rb.RentAdjustmentRule:  # noqa: ANN401
    """Return a rule with increments of some years, of which those with a star recur."""
    some = (step(each.strip("*"), "5 %", recurs=each.endswith("*")) for each in years.split())
    return by_steps(*some, adjustment_month=month, **fields)


TO_2023 = {"until": 2023}
# fmt: off
DATES: list[tuple[str, rb.RentAdjustmentRule, dict[str, Any]]] = [
    # Once a year, from the first year to the last, both included, after the opening period.
    ("2021-01 2022-01 2023-01", by_index(), TO_2023),
    ("2023-01 2024-01", by_index(first_year="2023"), {"until": 2024}),
    ("2021-01 2022-01 2023-01", by_index(last_year="2023"), {}),
    ("2023-01", by_index(first_year="2023", last_year="2023"), {}),
    ("2021-01 2022-01 2023-01", by_index(first_year="2015"), TO_2023),
    ("", by_index(last_year="2019"), {}),
    *((first, by_index(adjustment_month=month), {"after": after, "until": int(first[:4])})
      for after, month, first in (
        ("2020-01-31", 2, "2020-02"), ("2020-01-30", 2, "2020-02"), ("2020-02-01", 2, "2021-02"),
        ("2020-01-31", 1, "2021-01"), ("2019-12-31", 1, "2020-01"))),
    # Without a first year, none comes before the day on which the plan was created (A58).
    *((first, by_index(), {"created": created, "until": int(first[:4])}) for created, first in (
        ("2022-12-31T23:59:59+00:00", "2023-01"), ("2023-01-01T12:00:00+00:00", "2023-01"),
        ("2023-01-02T00:00:00+00:00", "2024-01"), ("2019-06-01T00:00:00+00:00", "2021-01"),
        # Half past midnight on 2 January in Copenhagen, still the 1st in Greenwich.
        ("2023-01-02T00:30:00+01:00", "2024-01"))),
    ("2021-01 2022-01", by_index(first_year="2021"),
     {"created": "2024-06-01T00:00:00+00:00", "until": 2022}),
    # Nothing on or after a cancellation, nothing after an end.
    *((last, by_index(first_year="2022"), of_plan) for last, of_plan in (
        ("2022-01", {"cancelled_on": "2023-01-01"}),
        ("2022-01 2023-01", {"cancelled_on": "2023-01-02"}),
        ("2022-01 2023-01", {"ended_on": "2023-01-01"}), ("2022-01", {"ended_on": "2022-12-31"}),
        ("2022-01", {"cancelled_or_ended_on": "2023-01-01"}),
        ("2022-01 2023-01", {"cancelled_or_ended_on": "2023-01-01", "ended_on": "2023-01-01"}),
        ("2022-01", {"cancelled_or_ended_on": "2022-01-01", "cancelled_on": "2023-01-01"}),
        ("2022-01", {"cancelled_on": "2023-01-01", "ended_on": "2025-01-01"}))),
    # Years are counted from the first year, or from the first adjustment that is possible.
    *((found, by_index(interval_years=years, **fields), {}) for years, fields, found in (
        (2, {}, "2021-01 2023-01 2025-01"), (5, {}, "2021-01 2026-01"),
        (5, {"first_year": "2022"}, "2022-01"),
        (2, {"first_year": "2016"}, "2022-01 2024-01 2026-01"),
        (3, {"first_year": "2015", "last_year": "2025"}, "2021-01 2024-01"))),
    # Months that divide a year keep the grid of the adjustment month, others count from it.
    *((found, by_index(interval_months=months, lag_months=2), {}) for months, found in (
        (1, "2020-02 2020-03 2020-04 2020-05 2020-06 2020-07"),
        (3, "2020-04 2020-07 2020-10 2021-01 2021-04 2021-07"),
        (6, "2020-07 2021-01 2021-07 2022-01 2022-07 2023-01"),
        (18, "2021-01 2022-07 2024-01 2025-07"), (24, "2021-01 2023-01 2025-01"),
        (5, "2021-01 2021-06 2021-11 2022-04 2022-09 2023-02"))),
    ("2022-01 2022-04 2022-07 2022-10",
     by_index(interval_months=3, lag_months=2, first_year="2022", last_year="2022"), {}),
    # Increments have days in their years, recurring ones in all later years.
    ("2021-01 2024-01", steps("2021 2024", month=1), {}),
    ("2021-01 2023-01 2024-01", steps("2021 2023*", month=1), {"until": 2024}),
    # An interval counts from their first year; a date before the first possible day is passed over.
    *((found, steps(years, **fields), {"until": int(found[-7:-3])}) for fields, years, found in (
        ({"interval_years": 3}, "2028*", "2028-04 2031-04 2034-04"),
        ({"interval_years": 3, "first_year": "2027"}, "2028*", "2030-04 2033-04"),
        ({"interval_years": 3}, "2018*", "2021-04 2024-04"),
        ({"interval_years": 3}, "2018 2028*", "2030-04 2033-04"),
        ({"interval_years": 3}, "2027 2029 2030", "2027-04 2030-04"),
        ({"interval_years": 1}, "2028*", "2028-04 2029-04"),
        ({"interval_months": 18}, "2027*", "2027-04 2028-10 2030-04"),
        ({"interval_months": 18}, "2019*", "2020-10 2022-04 2023-10"),
        ({"interval_months": 6}, "2027*", "2027-04 2027-10"),
        ({"interval_months": 5}, "2027*", "2027-04 2027-09"))),
    # One of a single year is made on the first date of its year, in place of a recurring one.
    *((found, steps(years, interval_months=months), {"after": "2021-05-31", "until": 2028})
      for months, years, found in (
        (6, "2026 2027", "2026-04 2027-04"), (1, "2027 2028", "2027-04 2028-01"),
        (5, "2027 2028", "2027-04 2028-02"), (6, "2021 2022", "2022-04"),
        (6, "2026* 2027", "2026-04 2026-10 2027-04 2028-04 2028-10"),
        (6, "2026 2027*", "2026-04 2027-04 2027-10 2028-04 2028-10"))),
]
INDEX, CAP = octobers(*range(100, 125)), by_index(most="0.04", combine="limit")
BOTH = lease(by_index(), by_steps(step(2021, "2 %"), adjustment_month=7))
USED_UP = lease(by_steps(step(2021, "2 %"), step(2024, "2 %")))
LAST: list[tuple[str, rb.LeaseTerms]] = [
    # An item and its contract stop a plan, too.
    *((last, lease(by_index(), item=home().evolve(**item), **terms)) for last, item, terms in (
        ("2023-01-01", {"ended_on": "2023-01-01"}, {}),
        ("2022-01-01", {"ended_on": "2022-12-31"}, {}),
        ("2022-01-01", {"cancelled_on": "2023-01-01"}, {}),
        ("2022-01-01", {}, {"contract_end": "2022-12-31"}),
        ("2023-01-01", {}, {"contract_end": "2023-01-01"}),
        ("2022-01-01", {"ended_on": "2022-06-30"}, {"contract_end": "2024-01-01"}))),
]
NEXT: list[tuple[str, Any, str]] = [
    *((found, lease(by_index(last_year="2023")), after) for after, found in (
        ("2019-01-01", "2021-01-01"), ("2020-12-31", "2021-01-01"), ("2021-01-01", "2022-01-01"),
        ("2023-01-01", "None"))),
    # The earliest of all plans counts; increments are used up; a rule that only limits has no day.
    ("2021-07-01", BOTH, "2021-01-01"), ("2022-01-01", BOTH, "2021-07-01"),
    ("2024-01-01", USED_UP, "2021-01-01"), ("None", USED_UP, "2024-01-01"),
    ("None", plan(by_index(last_year="2020"), CAP), "2021-01-01"),
    ("2025-01-01", plan(by_index(first_year="2025"), CAP), "2021-01-01"),
    # A plan alone has no opening; a balance follows that of the rent.
    ("2012-01-01", plan(by_index()), "2011-06-15"), ("None", rb.LeaseTerms(), "2021-01-01"),
    ("2020-02-01", lease(plan(by_index(adjustment_month=2), adjusts_recurring_bill_item=False,
                              adjusts_balance=True), balances=(deposit(),)), "2020-01-01"),
]
# fmt: on


@rows(("expected", "rule", "how"), DATES)
def test_a_rule_adjusts_in(expected: str, rule: rb.RentAdjustmentRule, how: dict[str, Any]) -> None:
    assert expected == dates_of(rule, **how)


@rows(("last", "terms"), LAST)
def test_a_lease_is_adjusted_for_the_last_time_on(last: str, terms: rb.LeaseTerms) -> None:
    assert last == made(terms, INDEX)[-1][0]


@rows(("expected", "asked", "after"), NEXT)
def test_the_next_day_needs_no_index(expected: str, asked: Any, after: str) -> None:  # noqa: ANN401
    assert expected == str(rb.next_adjustment_date(asked, after))


def test_the_years_of_a_recurring_one_are_not_counted_through() -> None:
    """There are eight thousand of them, which every compiled plan would wait for."""
    rule = steps("2021 2023*", month=1)
    dates = RuleDates(rule, plan(rule), Bounds(date(2022, 1, 31).toordinal()))

    assert isinstance(dates.between(0, 12 * 9999), range)
