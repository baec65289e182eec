"""Explanations of lines: every step follows from its inputs and leads to the line (A79)."""

from fractions import Fraction
from typing import Any

import pytest

from rentbilling.settlement import explain_statement
from tests.oracle.workings import number, replayed
from tests.support.settlements import (
    CostPool,
    ExpenseSteps,
    LeaseCeiling,
    PoolPart,
    money,
    occupancies,
    pool,
    settled,
    units,
)

HALF_OF_TWO_YEARS = "2025-01-01/2026-12-31"
PARTS = [
    PoolPart(key="area", fraction="0.3"),
    PoolPart(key="units", amount=money(7)),
    PoolPart(key="persons"),
]
ROWS: dict[str, tuple[Any, dict[str, Any], dict[str, Any]]] = {
    "two parts and a rest": (CostPool(id="p", amount=money(100), parts=PARTS), {}, {}),
    "steps": (
        pool(100, "area", recoverable="90%", steps=ExpenseSteps(fee="5%", base=money(10))),
        {},
        {},
    ),
    "days of other periods": (pool("99.99", "area", incurred=HALF_OF_TWO_YEARS), {}, {}),
    "a ceiling, a factor and input VAT": (
        pool(100, "area", vat=money(19)),
        {"ceilings": [LeaseCeiling(amount=money(20))], "factor": "0.5"},
        {},
    ),
    "a credit": (pool("-10.01", "area"), {}, {}),
    "whole amounts": (pool("100.50", "area"), {}, {"step": 1}),
    "percentages": (pool(100, "area"), {}, {"percent_places": 1}),
    "unit prices": (pool(100, "area"), {}, {"unit_price_places": 1, "rounding": "down"}),
    "each by itself": (pool(100, "area 50%", "units"), {}, {"rounding": "half_up"}),
    "months": (pool(100, "area time=months"), {}, {}),
    "vacancy for the others": (pool(100, "area"), {}, {"landlord_bears": "0.5"}),
}


@pytest.mark.parametrize("name", ROWS)
def test_an_explanation_is_what_the_line_says(name: str) -> None:
    stated, fields, policy = ROWS[name]
    one, *others = occupancies(
        "t a /2025-03-14 persons=2",
        "n a 2025-03-15/ persons=1",
        "v b who=vacant persons=0",
        "c c persons=3",
    )
    house = units("a area=50", "b area=30", "c area=41")
    result = settled([stated], house, [one.evolve(**fields), *others], policy=policy)

    for statement in result:
        (line,) = statement.lines
        (working,) = explain_statement(statement)
        assert Fraction(line.amount.amount) == number(replayed(working))


def test_amounts_of_a_rest_have_their_cents() -> None:
    """90.00 are shared; a tenth of them goes by units, the rest by area."""
    base = ExpenseSteps(base=money(10))
    stated = pool(100, "units 10%", "area").evolve(steps=base)
    found = settled([stated], units("a area=1"), occupancies("t a"))

    said = str(explain_statement(found[0]))
    for line in ("rest: 81.00 EUR = 90.00 − 9.00 [A74]", "base: 90.00 EUR = 100.00 − 10.00 [A80]"):
        assert line in said


def test_an_explanation_is_of_one_pool_or_of_all() -> None:
    """A pool of 0.00 with a key of nothing is explained as nothing."""
    pools = [pool(0, "persons", id="nothing"), pool(5, "units"), pool(1, "direct units=b", id="b")]
    result = settled(pools, units("a", "b"), occupancies("t a persons=0"))

    assert 1 == len(explain_statement(result[0], "pool"))
    assert 0 == len(explain_statement(result[0], "b"))


def test_labels_have_our_names_in_words() -> None:
    """Ids of the caller stay as they are, also where they are words of ours (A95)."""
    stays = occupancies("t a /2025-03-14", "n a 2025-03-15/", "o b")
    cost = pool(100, "area time=degree_days", id="gross_up", steps=ExpenseSteps(base=money(9)))
    result = settled([cost], units("a area=50", "b area=31"), stays)
    (found,) = explain_statement(result.of("t"))

    labels = {step.label for step in found.steps()}
    assert {"share of gross_up", "share by degree days", "after base", "share by area"} <= labels


def test_what_limits_took_off_is_named() -> None:
    """100.00 less 40.00, and a tenth of the rest: 54.00 (A89)."""
    (stay,) = occupancies("t a factor=0.9")
    stay = stay.evolve(ceilings=[LeaseCeiling(amount=money(60))])
    result = settled([pool(100, "units")], units("a"), [stay])
    (found,) = explain_statement(result[0])

    assert "share after limits and factors: 54.00 EUR = 100.00 − 40.00 − 6.00 [A89]" in str(found)
    assert ["share", "lease_ceiling", "factor"] == [name for name, _ in found.values]
