"""What holds for every turnover rent (A87, A96-A102)."""

from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any

from hypothesis import given, strategies as st

from rentbilling import Amount, Period
from rentbilling.turnover import turnover_rent, turnover_year
from tests.support.settlements import (
    SalesReport,
    TurnoverClause,
    TurnoverTerms,
    TurnoverTier,
    money,
)

NONE = Amount(0, "EUR")
SALES = st.integers(0, 20_000)
BANDS = st.tuples(
    st.lists(st.integers(1, 9999), min_size=0, max_size=3, unique=True).map(sorted),
    st.lists(st.integers(0, 100), min_size=4, max_size=4),
)


def clause(bands: tuple[list[int], list[int]], **fields: Any) -> Any:  # noqa: ANN401
    ends, rates = bands
    tiers = [
        TurnoverTier(end=end, rate=Decimal(rate) / 100)
        for end, rate in zip([*ends, None], rates, strict=False)
    ]
    return TurnoverClause(tiers=tiers, **fields)


def due(terms: Any, sales: int, base: Amount = NONE) -> Fraction:  # noqa: ANN401
    return Fraction(turnover_rent(terms, sales, base_rent=base).turnover_rent.amount)


@given(BANDS, SALES, SALES, st.integers(0, 12_000), st.sampled_from(["sales", "excess"]))
def test_marginal_turnover_rent_rises_with_sales_and_is_the_area_under_the_rates(
    bands: tuple[list[int], list[int]], one: int, other: int, point: int, tiers_of: str
) -> None:
    """Each unit of sales above the breakpoint bears the rate of the band that it is in (A96)."""
    terms = clause(bands, sales_breakpoint=money(point), tiers_of=tiers_of)
    few, many = (due(terms, sales) for sales in sorted((one, other)))
    assert few <= many

    ends, rates = bands
    moved = [end + point * (tiers_of == "excess") for end in ends]
    edges = sorted({point, max(one, point), *(each for each in moved if point < each < one)})
    area = sum(
        (low_to_high[1] - low_to_high[0]) * rates[sum(end <= low_to_high[0] for end in moved)]
        for low_to_high in pairwise(edges)
    )
    assert Fraction(area, 100) == due(terms, one)
    assert 0 == due(terms, 0) == due(terms, point)


@given(st.integers(1, 100), SALES, SALES, st.integers(1, 9999))
def test_base_and_turnover_rent_are_the_larger_of_base_and_rate(
    percent: int, sales: int, base: int, edge: int
) -> None:
    """By a natural breakpoint as by the relation; two bands of one rate are one (A87)."""
    rent, share = Amount(base, "EUR"), Fraction(percent, 100)
    single: tuple[list[int], list[int]] = ([], [percent])
    natural, higher = clause(single, natural=True), clause(single, relation="higher_of")

    assert max(Fraction(base), share * sales) == base + due(higher, sales, rent)
    assert due(higher, sales, rent) == due(natural, sales, rent)
    assert (
        share * sales == due(clause(single), sales) == due(clause(([edge], [percent] * 2)), sales)
    )
    least = clause(single, minimum=money(base))
    assert base == due(least, 0)


@given(
    BANDS,
    st.lists(SALES, min_size=12, max_size=12),
    st.integers(0, 120_000),
    st.sampled_from(["additional", "higher_of"]),
    st.sampled_from(["marginal", "whole"]),
    st.sampled_from([1, 3, 5, 12]),
)
def test_intervals_and_true_up_are_the_rent_of_the_year(
    bands: tuple[list[int], list[int]],
    sales: list[int],
    point: int,
    relation: str,
    tier_rule: str,
    months: int,
) -> None:
    """Measured so far or as a year; so far needs no true-up where the rent never falls (A98)."""
    of_year = clause(bands, sales_breakpoint=money(point), relation=relation, tier_rule=tier_rule)
    reports = [
        SalesReport(period=month, sales=money(each))
        for month, each in zip(Period.year(2026).months, sales, strict=True)
    ]
    expected = due(of_year, sum(sales), Amount(1440, "EUR"))
    for measure in ("cumulative", "annualised"):
        terms = TurnoverTerms(
            clauses=[of_year], measure=measure, interval_months=months, true_up="yearly"
        )
        rents = [
            Amount(120 * len(each.months), "EUR") for each in terms.intervals(Period.year(2026))
        ]
        found = turnover_year(terms, reports, "2026", rents)

        assert expected == sum(Fraction(each.turnover_rent.amount) for each in found)
        assert all(each.turnover_rent.amount >= 0 for each in found if each.kind == "interval")
        if measure == "cumulative" and tier_rule == "marginal":
            assert {"interval"} == {each.kind for each in found}
