"""A realistic portfolio on columns has the bills of its leases one by one."""

import pytest

from tests.portfolio.real_leases import ASKED, both_ways, differing


@pytest.mark.parametrize(
    ("kind", "asked"), [*(("realistic", each) for each in ASKED), ("adjusted", ASKED[1])]
)
def test_columns_give_what_each_lease_gets_alone(kind: str, asked: str) -> None:
    """With adjustments, notices and problems; `poe portfolios` compares half a million."""
    columns, alone = both_ways(asked, 900, 150, kind)

    assert set() == differing(columns, alone)
    assert columns.summary.scalar_leases < 10
    assert 150 == alone.summary.scalar_leases
    assert 1 == columns.summary.with_problems


@pytest.mark.parametrize("asked", ASKED)
def test_what_few_items_have_is_billed_as_each_lease_alone(asked: str) -> None:
    columns, alone = both_ways(asked, 0, 140, "varied")

    assert set() == differing(columns, alone)
    assert columns.summary.scalar_leases < 70
