"""Sales as they are reported: VAT, deductions, revisions, years to come (A100)."""

from fractions import Fraction
from typing import Any

import pytest

from rentbilling import InvalidInputError, Period
from rentbilling.turnover import expected_sales
from rentbilling.turnover.sales import counted_sales
from tests.support.settlements import SalesReport, TurnoverClause, TurnoverTier, money

JANUARY = "2026-01-01/2026-01-31"
CLAUSE = TurnoverClause(tiers=[TurnoverTier(rate="5%")])


def report(sales: object, **fields: Any) -> Any:  # noqa: ANN401
    return SalesReport(**{"period": JANUARY, "sales": money(sales), **fields})


def test_vat_inside_and_deductions_are_taken_off_exactly() -> None:
    vat = {"taxMode": "Inclusive", "taxRate": "0.25"}
    rows = (
        (report(1250, vat=vat), Fraction(100_000)),
        (report(100, vat={"taxMode": "Exclusive", "taxRate": "0.25"}), Fraction(10_000)),
        (report(1300, vat=vat, deductions=money(50)), Fraction(100_000)),
        # 100 / 1.19: exact until the rent is rounded.
        (report(100, vat={**vat, "taxRate": "0.19"}), Fraction(1_000_000, 119)),
    )
    assert [] == [
        each for each, expected in rows if expected != counted_sales(CLAUSE, [each]).units
    ]


def test_sales_with_vat_inside_need_its_rate() -> None:
    with pytest.raises(InvalidInputError, match="taxRate"):
        report(100, vat={"taxMode": "Inclusive"})


def test_the_highest_revision_counts_and_is_reported() -> None:
    counted = counted_sales(CLAUSE, [report(1200, revision=1), report(1000)])

    assert Fraction(120_000) == counted.units
    assert ["revised_report"] == [each.code for each in counted.notices]


def test_sales_below_zero_and_the_same_report_twice_are_refused() -> None:
    for given, code in (([report(-1)], "out_of_range"), ([report(1), report(2)], "overlap")):
        with pytest.raises(InvalidInputError) as refused:
            counted_sales(CLAUSE, given)
        assert code == refused.value.code
        assert code == "overlap" or refused.value.problems[0].met == "-1.00"


def test_the_days_of_a_report_may_be_a_month_or_a_year() -> None:
    assert [JANUARY, "2026-01-01/2026-12-31"] == [
        str(report(1, period=each).period) for each in ("2026-01", "2026")
    ]


def test_sales_of_later_years_are_estimates_of_the_same_months() -> None:
    """100 and a fifth more each year: 120, 144; February ends on its last day."""
    february = report(100, period="2026-02-01/2026-02-28", deductions=money(10), revision=2)
    found = expected_sales([february, report(1)], "20%", years=2)

    assert [Period.month(2027, 2), Period.month(2027, 1)] == [each.period for each in found[:2]]
    last = found[2]
    assert ("2028-02-01/2028-02-29", "144.00 EUR", "14.40 EUR") == (
        str(last.period),
        str(last.sales),
        str(last.deductions),
    )
    assert ("estimate", 0) == (last.state, last.revision)
