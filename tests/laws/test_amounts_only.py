"""A plain index rule's amounts alone are those of its full history, and there is no notice."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any, Final

import pytest
from hypothesis import given, strategies as st

import rentbilling as rb
from rentbilling.adjustments import LeaseHistories
from rentbilling.adjustments.rules.rule import CompiledRule
from rentbilling.errors import RentBillingError
from rentbilling.indices import series_of
from rentbilling.policy import DEFAULT
from rentbilling.terms import QuantityRecord
from tests.support.rents import opening, rent
from tests.support.rows import rows

YEARS: Final = range(2020, 2032)
MONTH: Final = rb.Period.parse("2030-06-01/2030-06-30")
PERCENTAGES: Final = st.none() | st.decimals("-0.02", "0.02", places=3)
CLAUSES: Final[tuple[dict[str, Any] | None, ...]] = (
    None,
    None,
    {},
    {"interval_years": 2},
    {"interval_months": 6, "lag_months": 3},
    {"from_lag_months": 15, "lag_months": 3},
    {"lag_months": 24, "from_lag_months": 25},
    {"lag_months": 14},
    {"year_offset": 1},
    {"reference": "quarter", "index_quarter": 2},
    {"reference": "quarter", "lag_months": 2, "interval_months": 7},
    {"reference": "year_mean"},
    {"basis": "anchored"},
    {"basis": "anchored", "lag_months": 3},
    {"basis": "anchored", "reference": "quarter", "lag_months": 2, "interval_months": 6},
    {"basis": "anchored", "percentage_decimals": 1},
    {"basis": "anchored", "share": Decimal("0.75"), "amount_quantum": Decimal(10)},
    {"basis": "mixed"},
    {"carried": "exact"},
    {"share": Decimal("0.75")},
    {"percentage_decimals": 1},
    {"percentage_decimals": 0, "percentage_rounding": "down", "percentage_rounded": "applied"},
    {"excess_over": Decimal("0.01"), "excess_share": Decimal("0.5")},
    {"surcharge": Decimal("0.01"), "interval_years": 2},
    {"surcharge": Decimal(-1)},
    {"threshold": Decimal("0.03")},
    {"increase_only": True},
    {"amount_quantum": Decimal(10)},
    {"amount_quantum": Decimal("0.05"), "amount_rounding": "down", "percentage_decimals": 2},
    {"amount_quantum": Decimal(12), "amount_per": "year", "lag_months": 2},
    {"amount_quantum": Decimal(5), "amount_rounded": "change"},
    {"amount_rounding": "up"},
    {"amount_quantum": Decimal(100_000)},
    {"mean_of": 3},
)


def index_month_of(clause: dict[str, Any] | None, month: int) -> int | None:
    """Return the month of the index where the clause does not name its points otherwise."""
    return None if {"lag_months", "reference"} & (clause or {}).keys() else month


def months(value: Callable[[int], Decimal], **marks: Any) -> rb.IndexSeries:  # noqa: ANN401
    """Return an index of all months of the years."""
    numbers = range(12 * len(YEARS))
    points = [f"{YEARS[0] + at // 12}-{at % 12 + 1:02d}" for at in numbers]
    return rb.IndexSeries("CPI", dict(zip(points, map(value, numbers), strict=True)), **marks)


RISING: Final = months(lambda at: Decimal(1000 + 3 * at) / 10)


def lease(
    clause: dict[str, Any] | None = None,
    price: str = "8500.00",
    **item: Any,  # noqa: ANN401
) -> rb.LeaseTerms:
    rule = rb.RentAdjustmentRule(
        adjustment_type="Index",
        adjustment_month=1,
        index_month=index_month_of(clause, 10),
        maximum_percentage=Decimal("0.05"),
        index_clause=None if clause is None else rb.IndexClause(**clause),
    )
    return terms_of(rule, price, **item)


def terms_of(rule: rb.RentAdjustmentRule, price: str, **item: Any) -> rb.LeaseTerms:  # noqa: ANN401
    first = opening("2022-01-01/2022-01-31", price=price)
    plan = rb.RentAdjustmentPlan(rent_adjustment_rules=(rule,))
    return rb.LeaseTerms(
        recurring_bill_items=(rent(price, first_billing_period_bill_item=first, **item),),
        rent_adjustment_plans=(plan,),
    )


def answer(do: Callable[[], object]) -> object:
    """Return what is answered, or the refusal."""
    try:
        return do()
    except RentBillingError as error:
        return type(error), str(error)


def assert_alike(
    terms: rb.LeaseTerms,
    series: rb.IndexSeries,
    years: list[int],
    policy: rb.BillingPolicy = DEFAULT,
) -> None:
    """Compare a history that bills ask with one that explanations ask."""
    alone, full = (LeaseHistories(terms, series_of(series), policy).items[0] for _ in range(2))
    first = date(2022, 1, 1).toordinal()
    for year in years:
        day = date(year, 3, 1).toordinal()
        steps = answer(lambda day=day: [(each.day, each.unit) for each in full.until(day)])  # type: ignore[misc]
        assert answer(lambda day=day: list(alone.units_until(day))) == steps  # type: ignore[misc]
        told = answer(lambda day=day: list(full.notices(first, day)))  # type: ignore[misc]
        assert answer(lambda day=day: list(alone.notices(first, day))) == told  # type: ignore[misc]


@st.composite
def rules(draw: st.DrawFn) -> rb.RentAdjustmentRule:
    least, most = draw(PERCENTAGES), draw(PERCENTAGES)
    if least is not None and most is not None and least > most:
        least, most = most, least
    clause = draw(st.sampled_from(CLAUSES))
    return rb.RentAdjustmentRule(
        adjustment_type="Index",
        adjustment_month=draw(st.integers(1, 12)),
        index_month=index_month_of(clause, draw(st.integers(1, 12))),
        minimum_percentage=least,
        maximum_percentage=most,
        index_clause=None if clause is None else rb.IndexClause(**clause),
    )


@given(
    rules(),
    st.decimals("0.01", "99999.9999", places=4),
    st.lists(st.integers(900, 1100), min_size=12 * len(YEARS), max_size=12 * len(YEARS)),
    st.lists(st.sampled_from(range(2022, 2034)), min_size=1, max_size=4),
    st.sampled_from((DEFAULT, rb.BillingPolicy(rounding="down", missing_index="notice"))),
)
def test_amounts_alone_are_those_of_the_steps(
    rule: rb.RentAdjustmentRule,
    price: Decimal,
    values: list[int],
    years: list[int],
    policy: rb.BillingPolicy,
) -> None:
    series = months(lambda at: Decimal(values[at]) / 10)
    assert_alike(terms_of(rule, f"{price}"), series, years, policy)


@rows("clause", CLAUSES)
def test_each_clause_of_the_law_gives_its_amounts(clause: dict[str, Any] | None) -> None:
    assert_alike(lease(clause), RISING, [2025, 2029, 2024, 2031])


@rows(
    "series",
    [
        months(lambda at: Decimal(1000 + at), provisional=["2025-10"]),
        months(lambda at: Decimal(1000 + at), assumed=["2025-10"]),
        months(lambda at: Decimal(100 if at < 40 else 300)),
        months(lambda at: Decimal(300 if at < 40 else 100)),
        rb.IndexSeries("CPI", {"2021-10": 100, "2022-10": 101, "2023-10": 103}),
        rb.IndexSeries("CPI", {f"{year}-10": Decimal("0.02") for year in YEARS}, kind="change"),
    ],
    ids=["provisional", "assumed", "doubled", "fallen", "missing", "changes"],
)
def test_what_has_a_notice_or_a_refusal_is_left_to_the_steps(series: rb.IndexSeries) -> None:
    for clause in (None, {"share": Decimal("0.75")}):
        assert_alike(lease(clause), series, [2023, 2027, 2030])


def test_a_percentage_above_one_has_a_notice() -> None:
    (rule,) = lease({"surcharge": Decimal(1)}).rent_adjustment_plans[0].rent_adjustment_rules

    assert_alike(terms_of(rule.evolve(maximum_percentage=None), "8500.00"), RISING, [2024])


@rows(
    "terms",
    [
        lease(price="0.01"),
        lease(price="0.00"),
        lease(quantity=Decimal(2)),
        lease(
            quantity_records=(QuantityRecord(value=Decimal(2), start=date(2025, 5, 1)),),
        ),
        lease(
            amount_records=(rb.AmountRecord(value=rb.Amount(9000, "DKK"), start=date(2025, 5, 1)),),
        ),
    ],
    ids=["small", "zero", "quantity", "quantity record", "amount record"],
)
def test_other_items_are_left_to_the_steps(terms: rb.LeaseTerms) -> None:
    falling = months(lambda at: Decimal(2000 - 13 * at) / 10)
    for series in (RISING, falling):
        assert_alike(terms, series, [2024, 2028, 2031])


def test_more_adjustments_than_an_answer_may_have_are_refused_alike() -> None:
    assert_alike(lease(), RISING, [2031], replace(DEFAULT, max_lines=3))


def test_bills_of_a_plain_rule_take_no_step_and_explanations_take_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    steps = []
    by_index = CompiledRule.by_index

    def counted(self: CompiledRule, *rest: Any) -> Any:  # noqa: ANN401
        steps.append(self)
        return by_index(self, *rest)

    monkeypatch.setattr(CompiledRule, "by_index", counted)
    result = rb.pending_bills(lease(), MONTH, indices=RISING)
    assert not steps

    str(rb.explain(result))
    assert len(steps) >= MONTH.start.year - 2023 + 1


@rows(
    ("increments", "limit", "plain"),
    [
        (["2024 0.02 Recurring"], None, True),
        (["2023 0.02 OneTime", "2025 -0.01 Recurring", "2026 0.1 OneTime"], "0.05", True),
        (["2024 0.02 OneTime"], None, True),
        # Notices: a percentage above one, and a year before the first adjustment.
        (["2024 1.5 Recurring"], None, False),
        (["2021 0.02 OneTime", "2024 0.02 Recurring"], None, False),
        # Down to nothing, which is no amount to go on from.
        (["2024 -1 OneTime", "2026 0.02 Recurring"], None, True),
    ],
)
def test_increments_alone_are_those_of_the_full_history(
    increments: list[str], limit: str | None, plain: bool
) -> None:
    steps = [each.split() for each in increments]
    rule = rb.RentAdjustmentRule(
        adjustment_type="Increment",
        adjustment_month=1,
        maximum_percentage=None if limit is None else Decimal(limit),
        increments=tuple(
            rb.Increment(year=year, percentage=Decimal(percentage), recurrence=recurrence)
            for year, percentage, recurrence in steps
        ),
    )
    terms = terms_of(rule, "8500.00")

    assert plain == (LeaseHistories(terms, {}, DEFAULT).items[0].plain is not None)
    assert_alike(terms, RISING, [2023, 2025, 2027, 2031])


def test_increments_of_amounts_need_the_full_history() -> None:
    step = rb.Increment(year="2024", amount=rb.Amount(1200, "DKK"), recurrence="Recurring")
    rule = rb.RentAdjustmentRule(
        adjustment_type="Increment", adjustment_month=1, increments=(step,)
    )

    assert_alike(terms_of(rule, "8500.00"), RISING, [2023, 2025, 2031])


def test_a_clause_of_defaults_written_out_is_plain() -> None:
    """As columns of Parquet have it, where every field is given."""
    clause = rb.IndexClause(lag_months=3)
    named = {name: getattr(clause, name) for name in rb.IndexClause.model_fields}
    rule = rb.RentAdjustmentRule(
        adjustment_type="Index", adjustment_month=1, index_clause=rb.IndexClause(**named)
    )
    histories = LeaseHistories(terms_of(rule, "8500.00"), series_of(RISING), DEFAULT)

    assert histories.items[0].plain is not None
