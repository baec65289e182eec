"""What holds for every turnover rent (A87, A96-A102)."""

from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any

from hypothesis import given, strategies as st

from rentbilling import Amount, Period
from rentbilling.turnover import explain_turnover, turnover_rent, turnover_year
from tests.oracle.workings import replayed
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


CLAUSES = st.builds(
    clause,
    BANDS,
    natural=st.just(value=False),
    sales_breakpoint=st.sampled_from([None, money(0), money(24_000)]),
    tiers_of=st.sampled_from(["sales", "excess"]),
    tier_rule=st.sampled_from(["marginal", "whole"]),
    minimum=st.sampled_from([None, money(700)]),
    maximum=st.sampled_from([None, money(900)]),
    step=st.sampled_from([None, "5"]),
)


@given(
    CLAUSES,
    CLAUSES,
    st.lists(st.tuples(SALES, SALES), min_size=12, max_size=12),
    st.fixed_dictionaries(
        {
            "interval_months": st.sampled_from([5, 12]),
            "measure": st.sampled_from(["cumulative", "annualised", "interval"]),
            "part_year": st.sampled_from(["breakpoint", "extended"]),
            "deduct": st.sampled_from(["in_order", "by_sales"]),
            "minimum": st.sampled_from([None, money(1000)]),
            "maximum": st.sampled_from([None, money(1500)]),
        }
    ),
    st.sampled_from(["additional", "higher_of"]),
)
def test_explanations_lead_to_every_figure_of_a_year(
    one: Any,  # noqa: ANN401
    other: Any,  # noqa: ANN401
    sales: list[tuple[int, int]],
    fields: dict[str, Any],
    relation: str,
) -> None:
    """Also where a year opens late, and where its true-up gives back what was billed."""
    both = [one.evolve(relation=relation), other.evolve(group="wine", relation=relation)]
    true_up = "none" if fields["measure"] == "interval" else "yearly"
    if true_up == "none":
        fields = {**fields, "part_year": "breakpoint"}
    terms = TurnoverTerms(clauses=both, true_up=true_up, **fields)
    year = Period.parse("2026-07-15/2026-12-31")
    months = Period.parse("2026-07-15/2027-07-14").months
    reported = terms.reported_days(year)
    reports = [
        SalesReport(period=month, sales=money(each), group=group)
        for month, both_sales in zip(months, sales, strict=False)
        for each, group in zip(both_sales, (None, "wine"), strict=True)
        if month.last <= reported.last
    ]
    rents = [Amount(300, "EUR") for _ in terms.intervals(year)]
    found = turnover_year(terms, reports, year, rents)
    workings = explain_turnover(found)

    assert [each.turnover_rent for each in found] == [each.result for each in workings]
    assert [each.turnover_rent.amount for each in found] == [
        getattr(replayed(each), "amount", replayed(each)) for each in workings
    ]
