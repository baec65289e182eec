"""A realistic portfolio on columns has the bills and adjustments of its leases one by one."""

from typing import Any

import pytest

from benchmarks.real_portfolios import INDEX, lease_batch
from rentbilling.portfolio import BillRecordBatches
from tests.portfolio.real_leases import ASKED, YEARS, adjusted, billed, differing, leases_of

FEW: Any = lease_batch("realistic", 100, first=900)


@pytest.mark.parametrize(
    ("kind", "asked"), [*(("realistic", each) for each in ASKED), ("adjusted", ASKED[1])]
)
def test_columns_give_what_each_lease_gets_alone(kind: str, asked: str) -> None:
    """With adjustments, notices and problems; `poe portfolios` compares half a million."""
    columns, alone = billed(asked, lease_batch(kind, 150, first=900))

    assert set() == differing(columns, alone)
    assert columns.summary.scalar_leases < 10
    assert 150 == alone.summary.scalar_leases
    assert 1 == columns.summary.with_problems


def test_the_years_of_a_portfolio_one_after_another_are_those_of_its_leases_alone() -> None:
    """Each year from the leases that the one before gave, and the bills of the last of them."""
    leases, made = FEW, 0
    for asked in ("2014-01-01/2022-12-31", "2023", "2024", "2025", YEARS[-1]):
        columns, alone = adjusted(asked, leases)
        assert set() == differing(columns, alone)
        leases = columns.leases
        made += columns.summary.adjustments

    assert made > 100
    bill = BillRecordBatches("2026-06", indices=INDEX)
    first = bill.billed(FEW.slice(0, 99))
    assert first.bills == bill.billed(leases).bills


def test_years_of_plain_plans_are_all_adjusted_on_columns() -> None:
    """Nobody reads a lease that only follows an index, and it has its twelve years at once."""
    columns, alone = adjusted(YEARS[0], lease_batch("indexed", 50))

    assert set() == differing(columns, alone)
    assert (0, 50) == (columns.summary.scalar_leases, alone.summary.scalar_leases)
    assert columns.summary.adjustments > 200
    assert 0 == adjusted(YEARS[1], columns.leases)[0].summary.scalar_leases


@pytest.mark.parametrize("asked", ASKED)
def test_what_few_items_have_is_billed_as_each_lease_alone(asked: str) -> None:
    columns, alone = billed(asked, leases_of("varied", 140))

    assert set() == differing(columns, alone)
    assert columns.summary.scalar_leases < 70


def test_what_few_items_have_is_adjusted_as_each_lease_alone() -> None:
    """Also the price of one of several units, which is the record (A18)."""
    assert set() == differing(*adjusted(YEARS[0], leases_of("varied", 60)))
