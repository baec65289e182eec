"""The scenario of a turnover rent, worked out by hand (A103)."""

from typing import Any

import pytest

from rentbilling import Amount, InvalidInputError, what_if
from rentbilling.testing import a_lease, a_rent
from rentbilling.turnover import TurnoverTerms, expected_sales
from rentbilling.whatif import BillingInputs, forecast, raise_rent, with_turnover_rent
from tests.support.settlements import (
    SalesReport,
    TurnoverClause,
    TurnoverTerms as AnyTerms,
    TurnoverTier,
    money,
)

LEASE = a_lease(a_rent(amount=10_000))
TERMS: TurnoverTerms = AnyTerms(
    clauses=[TurnoverClause(tiers=[TurnoverTier(rate="10%")], relation="higher_of")],
    interval_months=12,
    part_year="extended",
)
SOLD: Any = [SalesReport(period="2026-01-01/2026-12-31", sales=money(1_500_000, "DKK"))]


def items(scenario: Any) -> list[tuple[str, str]]:  # noqa: ANN401
    made = scenario(BillingInputs.of(LEASE)).terms.one_time_bill_items
    return [(str(each.amount), str(each.due_date)) for each in made]


def test_what_is_above_the_base_rent_is_billed_once() -> None:
    """10 % of 1,500,000 are 150,000; the base rent is 120,000, raised by 10 % 132,000."""
    scenario = with_turnover_rent(TERMS, SOLD, ["2026"], due_days=10)
    raised = raise_rent("10%", on="start")

    assert [("30000.00 DKK", "2027-01-10")] == items(scenario)
    for both in (scenario | raised, raised | scenario):
        assert [("18000.00 DKK", "2027-01-10")] == items(both)


def test_expected_sales_show_how_much_a_forecast_depends_on_them() -> None:
    """1,500,000 grow by 0 % and by 10 %: 30,000 a year, or 45,000 and 61,500 in 2028 and 2029."""
    scenarios = {
        rate: with_turnover_rent(
            TERMS, expected_sales(SOLD, rate, years=2), ["2027", "2028"], name=rate
        )
        for rate in ("0%", "10%")
    }
    inputs = {name: each(BillingInputs.of(LEASE)).terms for name, each in scenarios.items()}
    totals = {
        name: [f"{row['net']:f}" for row in forecast(terms, years=4).yearly().rows()]
        for name, terms in inputs.items()
    }
    assert {
        "0%": ["120000.00", "120000.00", "150000.00", "150000.00"],
        "10%": ["120000.00", "120000.00", "165000.00", "181500.00"],
    } == totals
    runs = what_if(LEASE, [*scenarios.values()], period="2028-01-01/2028-12-31")
    assert ["0%", "10%"] == [run.name for run in runs.variants]


def test_what_are_no_terms_is_refused() -> None:
    wrong: Any = Amount(1, "DKK")
    with pytest.raises(InvalidInputError, match="TurnoverTerms"):
        with_turnover_rent(wrong, SOLD, ["2026"])
