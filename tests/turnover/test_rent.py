"""Turnover rent, worked out by hand (A87)."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from rentbilling import Amount, InvalidInputError, Period
from rentbilling.turnover import part_of_year, turnover_rent
from tests.support.settlements import SalesReport, TurnoverClause, TurnoverTier, money


def clause(*tiers: dict[str, Any], **fields: Any) -> Any:  # noqa: ANN401
    return TurnoverClause(tiers=[TurnoverTier(**each) for each in tiers], **fields)


ONE = {"rate": "5%"}
BANDS = ({"end": 1000, "rate": "5%"}, {"end": 4999, "rate": "4%"}, {"rate": "3%"})
ABOVE = ({"start": 100_000, "end": 200_000, "rate": "5%", "minimum": money(1)}, {"rate": "4%"})
TWO = ({"end": 2000, "rate": "6%"}, {"rate": "5%"})
ROWS: dict[str, tuple[Any, Any, Any, str]] = {
    "one rate": (clause(ONE), 2000, 0, "100.00"),
    # 300,000 are 100,000 above the breakpoint of 10,000 / 5 %.
    "a natural breakpoint": (clause(ONE, natural=True), 300_000, 10_000, "5000.00"),
    "a breakpoint": (clause(ONE, sales_breakpoint=money(400)), 1000, 0, "30.00"),
    "sales below it": (clause(ONE, sales_breakpoint=money(400)), 300, 0, "0.00"),
    # 5 % of 300,000 are 15,000, of which the base rent is paid already.
    "the higher of both": (clause(ONE, relation="higher_of"), 300_000, 10_000, "5000.00"),
    "a base rent that is higher": (clause(ONE, relation="higher_of"), 100, 10_000, "0.00"),
    # 50 + 159.96 + 30.03.
    "marginal bands": (clause(*BANDS), 6000, 0, "239.99"),
    "the lowest band": (clause(*BANDS), 500, 0, "25.00"),
    # A total on the edge belongs to the lower band.
    "whole bands": (clause(*BANDS, tier_rule="whole"), 1000, 0, "50.00"),
    "a whole band": (clause(*BANDS, tier_rule="whole"), 1001, 0, "40.04"),
    # 5 % of 100,000 above the first 100,000, and 4 % of 100,000 above 200,000.
    "bands above sales that bear nothing": (clause(*ABOVE), 300_000, 0, "9000.00"),
    "sales below the first band": (clause(*ABOVE), 99_999, 0, "0.00"),
    # All 150,000 at 5 %; below 100,000 nothing, and no minimum of a band.
    "a whole band above sales that bear nothing": (
        clause(*ABOVE, tier_rule="whole"),
        150_000,
        0,
        "7500.00",
    ),
    "whole bands that are not reached": (clause(*ABOVE, tier_rule="whole"), 99_999, 0, "0.00"),
    # Sales from 1,000 to 2,000 at 6 %, and 500 at 5 %; what is below the breakpoint bears nothing.
    "a breakpoint of several rates": (clause(*TWO, sales_breakpoint=money(1000)), 2500, 0, "85.00"),
    "sales up to it": (clause(*TWO, sales_breakpoint=money(1000)), 1000, 0, "0.00"),
    # All 1,500 above the breakpoint are in the first band, which counts from there.
    "bands from the breakpoint": (
        clause(*TWO, sales_breakpoint=money(1000), tiers_of="excess"),
        2500,
        0,
        "90.00",
    ),
    # 1,500 at the rate of the band that 2,500 reach.
    "whole bands above a breakpoint": (
        clause(*TWO, sales_breakpoint=money(1000), tier_rule="whole"),
        2500,
        0,
        "75.00",
    ),
    # 60 / 6 % = 1,000.
    "a natural breakpoint of a stated rate": (
        clause(*TWO, natural=True, natural_rate="6%"),
        2500,
        60,
        "85.00",
    ),
    "whole units": (clause(ONE, step=1), 1010, 0, "51.00"),
    "a minimum": (clause({"rate": "5%", "minimum": money(60)}), 1000, 0, "60.00"),
    "at least": (clause(ONE, minimum=money(70)), 1000, 0, "70.00"),
    "at most": (clause(ONE, maximum=money(30)), 1000, 0, "30.00"),
    "a fixed amount": (
        clause({"end": 1000, "rate": 0}, {"rate": 0, "start": 1000, "fixed": money(7)}),
        1000,
        0,
        "7.00",
    ),
    # 1,000 is the end of the lower band, and belongs to it; one cent more is in the upper one.
    "a fixed amount beyond a shared edge": (
        clause({"end": 1000, "rate": 0}, {"rate": 0, "fixed": money(7)}),
        1000,
        0,
        "0.00",
    ),
    "a fixed amount past a shared edge": (
        clause({"end": 1000, "rate": 0}, {"rate": 0, "fixed": money(7)}),
        Decimal("1000.01"),
        0,
        "7.00",
    ),
    "a fixed amount without sales": (clause({"rate": 0, "fixed": money(7)}), 0, 0, "0.00"),
    # 2,000 at 4 %, and 25 of the band.
    "a fixed amount of a whole band": (
        clause(
            {"end": 1000, "rate": "5%"},
            {"rate": "4%", "fixed": money(25)},
            tier_rule="whole",
        ),
        2000,
        0,
        "105.00",
    ),
    "a fixed amount that is not reached": (
        clause({"end": 1000, "rate": 0}, {"rate": 0, "fixed": money(7)}),
        999,
        0,
        "0.00",
    ),
}


@pytest.mark.parametrize("name", ROWS)
def test_what_is_due_on_top_of_the_base_rent(name: str) -> None:
    terms, sales, base, expected = ROWS[name]
    found = turnover_rent(terms, sales, base_rent=Amount(base, "EUR"))

    assert expected == f"{found.turnover_rent.amount:f}"
    assert found.total == found.turnover_rent + Amount(base, "EUR")


def test_a_part_of_a_year_has_a_part_of_the_breakpoint_or_of_the_result() -> None:
    """A quarter of 400.00 for sales of 300.00; or 214 of 365 days of 30.00."""
    terms, none = clause(ONE, sales_breakpoint=money(400)), Amount(0, "EUR")
    by_time = turnover_rent(terms, 300, base_rent=none, share=Fraction(1, 4))
    extended = turnover_rent(terms, 1000, base_rent=none, scale=Fraction(214, 365))

    assert ("100.00", "200.00", "10.00") == tuple(
        f"{each.amount:f}"
        for each in (by_time.sales_breakpoint, by_time.excess, by_time.turnover_rent)
    )
    assert "17.59" == f"{extended.turnover_rent.amount:f}"


def test_a_part_of_a_year_has_a_part_of_a_natural_breakpoint_and_of_its_base_rent() -> None:
    """Three months of 120,000.00 at 6 %: 500,000.00; sales of 600,000.00 bear 36,000.00 in all."""
    terms, year = clause({"rate": "6%"}, natural=True), Amount(120_000, "EUR")
    found = turnover_rent(terms, 600_000, base_rent=year, share=Fraction(3, 12))

    assert ("500000.00", "6000.00", "36000.00") == tuple(
        f"{each.amount:f}" for each in (found.sales_breakpoint, found.turnover_rent, found.total)
    )


def test_reports_count_with_their_minimum_and_estimates_are_reported() -> None:
    months = ("2026-01-01/2026-01-31", "2026-02-01/2026-02-28")
    reports = [
        SalesReport(period=months[1], sales=money(100)),
        SalesReport(period=months[0], sales=money(900), state="estimate"),
    ]
    terms = clause(ONE, minimum_report=money(300))
    found = turnover_rent(terms, reports, base_rent=Amount(0, "EUR"))

    assert ("1200.00", "60.00") == (f"{found.sales.amount:f}", f"{found.turnover_rent.amount:f}")
    assert ["estimated_sales"] == [each.code for each in found.notices]
    with pytest.raises(InvalidInputError, match="overlaps another report"):
        turnover_rent(terms, [*reports, reports[0]], base_rent=Amount(0, "EUR"))


def test_a_natural_breakpoint_without_base_rent_is_reported() -> None:
    found = turnover_rent(clause(ONE, natural=True), 100, base_rent=Amount(0, "EUR"))

    assert ["breakpoint_lost"] == [each.code for each in found.notices]


def test_an_opening_within_a_month_counts_by_days() -> None:
    """From 15 October: 78 of 365 days; from 1 October three of twelve months."""
    assert Fraction(78, 365) == part_of_year(Period.parse("2026-10-15/2026-12-31"))
    assert Fraction(3, 12) == part_of_year(Period.parse("2026-10-01/2026-12-31"))


REFUSED: dict[str, tuple[tuple[dict[str, Any], ...], dict[str, Any], str]] = {
    "no band": ((), {}, "wrong_tiers"),
    "no last band": (({"end": 1, "rate": 0},), {}, "wrong_tiers"),
    "falling ends": (
        ({"end": 2, "rate": 0}, {"end": 2, "rate": 0}, {"rate": 0}),
        {},
        "wrong_tiers",
    ),
    "a first band that begins where it ends": (
        ({"start": 2, "end": 2, "rate": 0}, {"rate": 0}),
        {},
        "wrong_tiers",
    ),
    "a gap": (({"end": 1, "rate": 0}, {"start": 3, "rate": 0}), {}, "tier_gap"),
    "two breakpoints": (
        ({"rate": 0},),
        {"natural": True, "sales_breakpoint": money(4)},
        "breakpoint_with_tiers",
    ),
    "several rates": (
        ({"end": 1, "rate": 0}, {"rate": 0}),
        {"natural": True},
        "breakpoint_with_tiers",
    ),
    "a breakpoint and a first amount": (
        ({"start": 5, "rate": 0},),
        {"sales_breakpoint": money(4)},
        "breakpoint_with_tiers",
    ),
    "a rate above 1": (({"rate": 5},), {}, "out_of_range"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_bands_that_contradict_themselves_are_refused(name: str) -> None:
    tiers, fields, code = REFUSED[name]
    with pytest.raises(InvalidInputError) as refused:
        clause(*tiers, **fields)

    assert code == refused.value.code


@pytest.mark.parametrize(("rate", "sales"), [("5%", -1), (0, 1)])
def test_negative_sales_and_a_breakpoint_without_a_rate_are_refused(
    rate: object, sales: int
) -> None:
    terms = clause({"rate": rate}, natural=True)
    with pytest.raises(InvalidInputError) as refused:
        turnover_rent(terms, sales, base_rent=Amount(1, "EUR"))

    assert "out_of_range" == refused.value.code


def test_sales_as_a_number_are_exact() -> None:
    """5 % of 1,234,567 yen are 61,728.35: 61,728."""
    five, nothing = clause({"rate": "5%"}), Amount(0, "JPY")
    assert "61728 JPY" == str(turnover_rent(five, "1234567", base_rent=nothing).turnover_rent)
    inexact: Any = 1234567.0
    with pytest.raises(InvalidInputError, match="is not an exact number"):
        turnover_rent(five, inexact, base_rent=nothing)


def test_another_currency_than_that_of_the_base_rent_is_refused() -> None:
    euro, dollar = Amount(0, "EUR"), money(1, "USD")
    report = SalesReport(period="2026-01-01/2026-01-31", sales=dollar)
    for terms, sales in ((clause(ONE), [report]), (clause(ONE, maximum=dollar), 1)):
        with pytest.raises(InvalidInputError) as refused:
            turnover_rent(terms, sales, base_rent=euro)
        assert "currency_mismatch" == refused.value.code


def test_parts_of_a_year_are_exact_and_not_below_0() -> None:
    part: Any
    for part, error in ((-1, InvalidInputError), (0.1, TypeError), ("1/4", TypeError)):
        for name in ("share", "scale"):
            with pytest.raises(error):
                turnover_rent(clause(ONE), 100, base_rent=Amount(0, "EUR"), **{name: part})


@pytest.mark.parametrize(
    ("currency", "start", "expected"),
    [
        # 5 % of 1,000 and 4 % of 500: a slice begins where the one below ends.
        ("JPY", "1001", "70"),
        ("EUR", "1000.01", "70.00"),
        ("KWD", "1000.001", "70.000"),
        ("EUR", "1001", "tier_gap"),
        ("KWD", "1000.01", "tier_gap"),
    ],
)
def test_bands_may_leave_out_one_minor_unit(currency: str, start: str, expected: str) -> None:
    terms = clause({"end": 1000, "rate": "5%"}, {"start": start, "rate": "4%"})
    if expected == "tier_gap":
        with pytest.raises(InvalidInputError, match="leaves a gap"):
            turnover_rent(terms, 1500, base_rent=Amount(0, currency))
    else:
        found = turnover_rent(terms, 1500, base_rent=Amount(0, currency))
        assert expected == f"{found.turnover_rent.amount:f}"
