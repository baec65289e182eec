"""Adjustments of prices of a year or a month, worked out by hand (A38, A65).

The index rises by 5 %, and the price on 1 January 2027.
"""

from decimal import Decimal
from typing import Any

import pytest

import rentbilling as rb
from rentbilling.billing import recurring_item
from tests.oracle.workings import all_replayed
from tests.support.explained import check
from tests.support.plans import by_index, by_steps, step

INDEX = rb.IndexSeries("NPI", {"2025-10": 100, "2026-10": 105}, base="2015=100")
IN_2027 = "2027-01-01/2027-12-31"


def item(amount: str, price_per: str, months: int = 3) -> rb.RecurringBillItem:
    return recurring_item(
        "key:rent", f"{amount} DKK", "2025-10-01", months=months, price_per=price_per
    )


def lease(rent: rb.RecurringBillItem, **changes: Any) -> rb.LeaseTerms:  # noqa: ANN401
    plan = rb.RentAdjustmentPlan(rent_adjustment_rules=(by_index(first_year="2027"),))
    fields = {"recurring_bill_items": (rent,), "rent_adjustment_plans": (plan,)}
    return rb.LeaseTerms(**{**fields, **changes})


def adjusted(
    terms: rb.LeaseTerms, policy: rb.BillingPolicy | None = None
) -> tuple[rb.RentAdjustment, list[str]]:
    """Return the adjustment of 2027 and the totals of its bills; their workings replay."""
    made = rb.rent_adjustments(terms, IN_2027, indices=INDEX, policy=policy)
    bills = rb.pending_bills(terms, IN_2027, indices=INDEX, policy=policy)
    check(bills)

    assert [each.to_period_amount for each in made] == all_replayed(rb.explain(made))
    return made[0], [f"{bill.total.amount:f}" for bill in bills]


def figures(found: rb.RentAdjustment) -> list[str]:
    amounts = (
        *(found.from_yearly_amount, found.to_yearly_amount),
        *(found.from_period_amount, found.to_period_amount),
    )
    return [f"{each.amount:f}" for each in amounts if each is not None]


@pytest.mark.parametrize(
    ("rent", "expected", "bills"),
    [
        # 10,000 × 1.05 a year; shown by the quarter 2,500 and 2,625.
        (item("10000.00", "year"), ["10000.00", "10500.00", "2500.00", "2625.00"], ["2625.00"] * 4),
        # 10,000.01 × 1.05 = 10,500.0105, rounded for the year; a quarter is 2,625.0025.
        (
            item("10000.01", "year"),
            ["10000.01", "10500.01", "2500.00", "2625.00"],
            ["2625.00", "2625.01", "2625.00", "2625.00"],
        ),
        # 833.33 × 1.05 = 874.9965 a month; 2,499.99 and 2,625 a quarter.
        (item("833.33", "month"), ["9999.96", "10500.00", "2499.99", "2625.00"], ["2625.00"] * 4),
        # As before for a price of a quarter: 2,500.01 × 1.05 = 2,625.0105.
        (item("2500.01", "cycle"), ["10000.04", "10500.04", "2500.01", "2625.01"], ["2625.01"] * 4),
    ],
)
def test_the_price_as_it_is_stated_is_adjusted(
    rent: rb.RecurringBillItem, expected: list[str], bills: list[str]
) -> None:
    """So the reported amount of a year is the sum of its bills."""
    found, totals = adjusted(lease(rent))

    assert (expected, bills) == (figures(found), totals)


@pytest.mark.parametrize(
    ("words", "yearly"),
    [
        # 400 a year, or 400 a quarter.
        ("per_year", "10400.00"),
        ("per_period", "11600.00"),
    ],
)
def test_an_increment_is_for_a_year_or_a_billing_period(words: Any, yearly: str) -> None:  # noqa: ANN401
    plan = rb.RentAdjustmentPlan(rent_adjustment_rules=(by_steps(step("2027", "400")),))
    terms = lease(item("10000.00", "year"), rent_adjustment_plans=(plan,))

    found, _ = adjusted(terms, rb.BillingPolicy(increment_amount=words))

    assert yearly == figures(found)[1]


def test_a_deposit_of_three_months_follows() -> None:
    """3 × 10,000 / 12 = 2,500, and 3 × 10,500 / 12 = 2,625 (A39)."""
    plan = rb.RentAdjustmentPlan(
        rent_adjustment_rules=(by_index(first_year="2027"),),
        adjusts_balance=True,
        adjusts_recurring_bill_item=True,
    )
    balance = rb.Balance(amount=rb.Amount("2500.00", "DKK"), months=Decimal(3))
    terms = lease(item("10000.00", "year"), rent_adjustment_plans=(plan,), balances=(balance,))

    [found] = rb.rent_adjustments(terms, IN_2027, indices=INDEX)

    assert rb.Amount("2625.00", "DKK") == found.to_balance_amount


def test_listed_adjustments_go_by_the_year_whatever_a_quarter_is_rounded_to() -> None:
    terms = lease(item("10000.01", "year"))
    made = rb.rent_adjustments(terms, IN_2027, indices=INDEX)
    after = rb.adjusted_terms(terms, made)

    assert (
        rb.pending_bills(terms, IN_2027, indices=INDEX).bills
        == rb.pending_bills(after, IN_2027).bills
    )
