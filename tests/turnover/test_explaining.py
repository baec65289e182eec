"""Why a turnover rent is what it is: each step of a shop worked out by hand."""

from typing import Any

import pytest

from rentbilling import Amount, Period
from rentbilling.settlement import explain_statement
from rentbilling.turnover import explain_turnover, turnover_year
from tests.oracle.workings import replayed
from tests.support.settlements import (
    SalesReport,
    TurnoverClause,
    TurnoverTerms,
    TurnoverTier,
    money,
)


def explained(sales: list[int], *tiers: dict[str, Any], **fields: Any) -> str:  # noqa: ANN401
    """Return why a year of 12,000.00 base rent bears what it does, after replaying every step."""
    clause = TurnoverClause(tiers=[TurnoverTier(**each) for each in tiers], **fields)
    terms = TurnoverTerms(clauses=[clause], interval_months=12 // len(sales), true_up="yearly")
    intervals = terms.intervals(Period.year(2026))
    reports = [
        SalesReport(period=each, sales=money(one))
        for each, one in zip(intervals, sales, strict=True)
    ]
    rents = [Amount(12_000 // len(sales), "EUR")] * len(sales)
    found = explain_turnover(turnover_year(terms, reports, "2026", rents))
    for each in found:
        assert each.result == replayed(each)
    return str(found)


def test_bands_with_fixed_amounts() -> None:
    """1,000 x 5 % = 50; 3,999.99 x 4 % = 160.00; 5,000.01 x 3 % + 1,000 = 1,150.00: 1,360.00."""
    bands = (
        {"end": 1000, "rate": "5%"},
        {"end": "4999.99", "rate": "4%"},
        {"rate": "3%", "fixed": money(1000)},
    )
    text = explained([10_000], *bands)
    for step in (
        "1,360.00 EUR = 1,359.9999 rounded",
        "1,000.00 × 5 %",
        "4,999.99 − 1,000.00",
        "+ 1,000.00 [A87]",
    ):
        assert step in text, text


def test_a_breakpoint_that_sales_do_not_pass() -> None:
    text = explained([100_000], {"rate": "6%"}, natural=True)
    assert "turnover rent of 2026-01-01/2026-12-31: 0.00 EUR; sales do not pass" in text
    assert "breakpoint: 200,000.00 EUR = 12,000.00 / 6 % [A87]" in text


def test_the_minimum_of_a_band_and_base_rent_that_is_set_off() -> None:
    """43,000 x 13 % = 5,590 are less than 13,000, of which 12,000 are base rent."""
    band = {"rate": "13%", "minimum": money(13_000)}
    text = explained([43_000], band, tier_rule="whole", relation="higher_of")
    assert "within the minimum: 13,000.00 EUR = 5,590.00, at least 13,000.00 [A87]" in text
    assert "above base rent: 1,000.00 EUR = 13,000.00 − 12,000.00 [A87]" in text


def test_what_was_billed_before_is_taken_off() -> None:
    """Whole bands whose rate falls: 10 % of 9,000 are 900; 5 % of 12,000 are 600, 300 too much."""
    bands = {"end": 10_000, "rate": "10%"}, {"rate": "5%"}
    first, second, true_up = explained([9000, 3000], *bands, tier_rule="whole").split("\n\n")
    assert "turnover rent of 2026-01-01/2026-06-30: 900.00 EUR = 9,000.00 × 10 % [A87]" in first
    assert second.startswith("turnover rent of 2026-07-01/2026-12-31: 0.00 EUR = -300.00, at least")
    assert true_up.startswith("true-up of 2026-01-01/2026-12-31: -300.00 EUR = 600.00 − 900.00")


@pytest.mark.parametrize("explained_by", [explain_turnover, explain_statement])
def test_another_result_is_refused_by_name(explained_by: Any) -> None:  # noqa: ANN401
    with pytest.raises(TypeError, match=f"{explained_by.__name__} takes .*, not 'Olsen'"):
        explained_by("Olsen")
