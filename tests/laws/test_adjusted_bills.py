"""Laws of bills whose rent is adjusted: they are those of the listed amounts (A19, A38, A42)."""

from datetime import date
from decimal import Decimal

from hypothesis import given, strategies as st

import rentbilling as rb
from tests.support.rents import opening, rent

YEARS = range(2023, 2029)
ASKED = rb.Period(date(2024, 1, 1), date(2028, 12, 31))

VALUES = st.decimals("50", "200", places=1)
AMOUNTS = st.decimals("0.01", "99999.99", places=2)


@st.composite
def leases(draw: st.DrawFn) -> tuple[rb.LeaseTerms, rb.IndexSeries]:
    """Draw a lease whose rent follows an index, in cycles of any length, and the index."""
    series = rb.IndexSeries("CPI", {f"{year}-06": draw(VALUES) for year in YEARS})
    length = draw(st.sampled_from((1, 2, 3, 6, 12)))
    price = f"{draw(AMOUNTS)}"
    first = opening("2024-01-01/2024-01-31", price=price)
    cycle = rb.BillingCycle(period_length=length)
    item = rent(price, first_billing_period_bill_item=first, billing_cycle=cycle)
    rule = rb.RentAdjustmentRule(
        adjustment_type="Index",
        adjustment_month=draw(st.integers(8, 12)),
        index_month=6,
        minimum_percentage=draw(st.sampled_from((None, Decimal(0)))),
        maximum_percentage=draw(st.sampled_from((None, Decimal("0.04")))),
    )
    plan = rb.RentAdjustmentPlan(rent_adjustment_rules=(rule,))
    return rb.LeaseTerms(recurring_bill_items=(item,), rent_adjustment_plans=(plan,)), series


@given(leases())
def test_adjusting_then_billing_is_billing_with_the_listed_amounts(
    given_lease: tuple[rb.LeaseTerms, rb.IndexSeries],
) -> None:
    terms, series = given_lease
    made = rb.rent_adjustments(terms, ASKED, indices=series)
    records = tuple(
        rb.AmountRecord(value=each.to_period_amount, start=each.adjusted_on)
        for each in made
        if each.to_period_amount is not None
    )
    (item,) = terms.recurring_bill_items
    listed = rb.LeaseTerms(recurring_bill_items=(item.evolve(amount_records=records),))
    # A quarter that begins in December needs the adjustment of the year after.
    days = rb.Period(date(2024, 1, 1), date(2028, 1, 1))
    assert rb.pending_bills(listed, days) == rb.pending_bills(terms, days, indices=series)


@given(leases(), st.permutations(range(2024, 2028)))
def test_compiled_terms_answer_alike_in_any_order(
    given_lease: tuple[rb.LeaseTerms, rb.IndexSeries], years: list[int]
) -> None:
    terms, series = given_lease
    compiled = rb.compile_terms(terms, indices=series)
    for year in years:
        days = rb.Period(date(year, 1, 1), date(year, 12, 31))
        assert rb.pending_bills(terms, days, indices=series) == rb.pending_bills(compiled, days)


@given(leases(), st.integers(2025, 2027))
def test_a_long_period_is_its_parts(
    given_lease: tuple[rb.LeaseTerms, rb.IndexSeries], cut: int
) -> None:
    terms, series = given_lease
    whole = rb.Period(date(2024, 1, 1), date(2027, 12, 31))
    parts = [
        bill
        for days in whole.split_at(date(cut, 1, 1))
        for bill in rb.pending_bills(terms, days, indices=series)
    ]
    assert list(rb.pending_bills(terms, whole, indices=series)) == parts


@given(AMOUNTS, st.sampled_from((1, 3, 12)))
def test_an_index_that_stays_changes_no_bill(price: Decimal, length: int) -> None:
    series = rb.IndexSeries("CPI", {f"{year}-06": 100 for year in YEARS})
    first = opening("2024-01-01/2024-01-31", price=f"{price}")
    cycle = rb.BillingCycle(period_length=length)
    item = rent(f"{price}", first_billing_period_bill_item=first, billing_cycle=cycle)
    rule = rb.RentAdjustmentRule(adjustment_type="Index", adjustment_month=8, index_month=6)
    plan = rb.RentAdjustmentPlan(rent_adjustment_rules=(rule,))
    terms = rb.LeaseTerms(recurring_bill_items=(item,), rent_adjustment_plans=(plan,))
    days = rb.Period(date(2024, 1, 1), date(2027, 12, 31))
    with_plan = rb.pending_bills(terms, days, indices=series)
    assert [bill.total for bill in rb.pending_bills(item, days)] == [
        bill.total for bill in with_plan
    ]
