"""A realistic portfolio on columns has the bills of its leases one by one."""

import pytest

from rentbilling.portfolio import leases_to_arrow
from tests.portfolio.real_leases import ASKED, both_ways, compared, differing
from tests.portfolio.varied_leases import varied


@pytest.mark.parametrize("asked", ASKED)
def test_columns_give_what_each_lease_gets_alone(asked: str) -> None:
    """With adjustments, notices and problems; `poe portfolios` compares half a million."""
    columns, alone = both_ways(asked, 900, 150)

    assert set() == differing(columns, alone)
    assert columns.summary.scalar_leases < 75
    assert 150 == alone.summary.scalar_leases
    assert 1 == columns.summary.with_problems


@pytest.mark.parametrize("asked", ASKED)
def test_what_few_items_have_is_billed_as_each_lease_alone(asked: str) -> None:
    batch = leases_to_arrow(map(varied, range(140)))
    columns, alone = compared(batch, asked)

    assert set() == differing(columns, alone)
    assert columns.summary.scalar_leases < 70
