"""Plans and index series are right as they stand, and percentages are fractions."""

from collections.abc import Callable
from decimal import Decimal

import pytest

import rentbilling as rb
from rentbilling.errors import InvalidAdjustmentRuleError
from rentbilling.testing import a_lease, a_plan, a_rent, an_index
from tests.support.plans import by_index
from tests.support.rows import rows


def test_plan_and_index_fit_the_plain_rent() -> None:
    """Two percent a year from October 2025: 8,670.00 in 2027, 8,843.40 in 2028."""
    terms = a_lease(plans=[a_plan()])
    bills = rb.pending_bills(terms, "2026-12-01/2028-01-31", indices=an_index())

    assert ["8500.00", "8670.00", "8843.40"] == [f"{bills[at].total.amount:f}" for at in (0, 1, 13)]


def test_a_percentage_is_added_every_year() -> None:
    """Three percent on 8,500 are 8,755.00, and three percent on that 9,017.65."""
    terms = a_lease(plans=[a_plan(percent="0.03")])

    assert rb.Amount(Decimal("9017.65"), "DKK") == rb.amount_in_force(
        terms, "recurring-1", "2028-06-01"
    )


def test_an_amount_is_added_every_year() -> None:
    """1,200 a year are 100 a month (A36)."""
    terms = a_lease(plans=[a_plan(amount=1200, first_year=2028)])

    assert rb.Amount(8500, "DKK") == rb.amount_in_force(terms, "recurring-1", "2027-06-01")
    assert rb.Amount(8600, "DKK") == rb.amount_in_force(terms, "recurring-1", "2028-06-01")


def test_limits_and_months_of_the_rule() -> None:
    (rule,) = a_plan(minimum=0, maximum="0.04", month=7, index_month=4).rent_adjustment_rules

    assert (Decimal(0), Decimal("0.04"), 7, 4) == (
        rule.minimum_percentage,
        rule.maximum_percentage,
        rule.adjustment_month,
        rule.index_month,
    )


def test_no_index_month_where_the_clause_finds_the_points() -> None:
    """A clause with a lag has no index month beside it (A33)."""
    (rule,) = a_plan(clause=rb.IndexClause(lag_months=2)).rent_adjustment_rules

    assert (None, 2) == (rule.index_month, rule.clause.lag_months)


def test_whole_rules_take_the_place_of_shortcuts() -> None:
    plan = a_plan(by_index(), id="plan-9")

    assert ((by_index(),), "plan-9") == (plan.rent_adjustment_rules, plan.id)


@rows("name", ["percent", "minimum", "maximum"])
def test_a_percentage_in_percent_is_refused(name: str) -> None:
    """Three for three percent would be three hundred (A5)."""
    with pytest.raises(InvalidAdjustmentRuleError, match=rf"{name}: looks like percent"):
        a_plan(**{name: 3})  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]


def test_percent_is_read_with_its_sign() -> None:
    assert a_plan(percent="0.03", maximum="0.04") == a_plan(percent="3%", maximum="4%")


def test_the_first_year_of_an_index_is_that_of_its_rule() -> None:
    assert "2030" == a_plan(first_year=2030).rent_adjustment_rules[0].first_year


@rows(
    "make, named",
    [
        (
            lambda: a_plan(by_index(), percent="0.03", month=2),
            "rules has no use for percent, month",
        ),
        (lambda: a_plan(percent="0.03", index_month=9), "index has no use for index_month"),
        (lambda: a_plan(percent="0.03", currency="EUR"), "amount has no use for currency"),
        (lambda: a_plan([by_index()]), r"RentAdjustmentRule by itself, a_plan\(\*rules\)"),  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
        (lambda: an_index({"2025": 1}, start="2020"), "values has no use for start"),
        (lambda: a_lease(plans=[a_rent()]), "RentAdjustmentPlan by itself"),  # type: ignore[list-item] # pyright: ignore[reportArgumentType]
    ],
)
def test_an_argument_without_a_meaning_is_refused(make: Callable[[], object], named: str) -> None:
    with pytest.raises(TypeError, match=named):
        make()


def test_one_plan_is_a_list_of_it() -> None:
    assert a_lease(plans=[a_plan()]) == a_lease(plans=a_plan())


def test_an_index_of_stated_values() -> None:
    made = an_index({"2025-10": 100, "2026-10": "102.5"}, name="NPI", base="2015=100")
    stated = {"2025-10": Decimal(100), "2026-10": Decimal("102.5")}

    assert rb.IndexSeries("NPI", stated, base="2015=100") == made


def test_an_index_that_grows_is_rounded_from_the_exact_value() -> None:
    """100 × 1.02³ = 106.1208; each year is rounded from the exact value, not from the last one."""
    made = an_index(start="2020", yearly="0.02", years=3)

    assert {"2020": "100.0000", "2021": "102.0000", "2022": "104.0400", "2023": "106.1208"} == {
        str(point): str(value) for point, value in made.values.items()
    }
