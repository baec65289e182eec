"""Flat laws: the kernel gives what the scalar engine gives, to the last text (A16, A21, A29)."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings, strategies as st

from rentbilling import BillingPolicy, LeaseTerms, Period, pending_bills
from rentbilling.errors import RentBillingError
from rentbilling.policy import DEFAULT
from rentbilling.portfolio.arrow.calendar import (
    FIRST_DAY,
    LAST_DAY,
    first_day,
    month_of,
    month_parts,
)
from rentbilling.portfolio.arrow.rounding import halves_up
from rentbilling.portfolio.kernel import bills as flat_bills, sums as flat_sums
from rentbilling.portfolio.kernel.reading import read_flat
from rentbilling.portfolio.kernel.writing import bill_batch
from rentbilling.portfolio.leases.batches import leases_to_arrow
from rentbilling.schedule.part_periods import month_parts as month_parts_alone
from rentbilling.values import divide_rounded, month_index, month_start
from tests.portfolio.flat_portfolios import bills_of, flat_portfolios, long_windows
from tests.support.strategies import leases


def assert_same(portfolio: Sequence[LeaseTerms], period: Period) -> int:
    """Hold what the kernel writes against the scalar path; return how many leases it billed."""
    found = bill_batch(leases_to_arrow(portfolio), period, DEFAULT)
    if found is None:
        return 0
    results = {
        place: (terms, pending_bills(terms, period))
        for place, terms in enumerate(portfolio)
        if found.done[place]
    }
    found.bills.validate(full=True)

    assert {()} >= {result.notices for _, result in results.values()}
    assert bills_of(results).to_pylist() == found.bills.to_pylist()
    return len(results)


@given(flat_portfolios, long_windows)
def test_portfolios_are_billed_as_by_the_scalar_engine(
    portfolio: tuple[LeaseTerms, ...], period: Period
) -> None:
    assert_same(portfolio, period)


@given(st.lists(leases, min_size=1, max_size=4), flat_portfolios, long_windows)
def test_rare_leases_leave_the_others_as_they_are(
    rare: list[LeaseTerms], portfolio: tuple[LeaseTerms, ...], period: Period
) -> None:
    assert_same([*portfolio[:2], *rare, *portfolio[2:]], period)


@given(flat_portfolios, long_windows, st.integers(1, 40))
@settings(deadline=None)
def test_chunks_change_nothing(
    portfolio: tuple[LeaseTerms, ...], period: Period, rows: int
) -> None:
    read = read_flat(leases_to_arrow(portfolio))
    assert read is not None
    whole = flat_bills.bill_flat(read.items, period)
    parts = flat_bills.bill_flat(read.items, period, rows=rows)

    assert whole.nbytes == parts.nbytes
    for name in flat_bills.FlatBills.__dataclass_fields__:
        assert np.array_equal(getattr(whole, name), getattr(parts, name))


@given(flat_portfolios, long_windows)
def test_longer_keys_are_sorted_in_parts(portfolio: tuple[LeaseTerms, ...], period: Period) -> None:
    """Where 64 bits do not hold what lines are sorted by, they stand in the same order (A16)."""
    read = read_flat(leases_to_arrow(portfolio))
    assert read is not None
    whole = flat_bills.bill_flat(read.items, period)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(flat_sums, "KEY_BITS", 1)
        parts = flat_bills.bill_flat(read.items, period)

    for name in flat_bills.FlatBills.__dataclass_fields__:
        assert np.array_equal(getattr(whole, name), getattr(parts, name))


@given(st.lists(flat_portfolios, min_size=1, max_size=3), long_windows, st.data())
def test_a_slice_of_a_batch_is_billed_like_its_leases_alone(
    portfolios: list[tuple[LeaseTerms, ...]], period: Period, data: st.DataObject
) -> None:
    portfolio = [lease for each in portfolios for lease in each]
    first = data.draw(st.integers(0, len(portfolio) - 1))
    batch = leases_to_arrow(portfolio).slice(first)
    found = bill_batch(batch, period, DEFAULT)
    expected = bill_batch(leases_to_arrow(portfolio[first:]), period, DEFAULT)

    assert (expected is None) == (found is None)
    if expected is not None and found is not None:
        assert expected.bills.to_pylist() == found.bills.to_pylist()
        assert expected.done.tolist() == found.done.tolist()


@given(flat_portfolios, long_windows)
def test_a_lease_that_the_scalar_engine_refuses_is_not_eligible(
    portfolio: tuple[LeaseTerms, ...], period: Period
) -> None:
    policy = BillingPolicy(max_lines=30)
    found = bill_batch(leases_to_arrow(portfolio), period, policy)
    done = np.zeros(len(portfolio), dtype=bool) if found is None else found.done
    for terms, billed in zip(portfolio, done, strict=True):
        try:
            pending_bills(terms, period, policy=policy)
        except RentBillingError:
            assert not billed


@given(st.lists(st.integers(-(10**15), 10**15), min_size=1), st.integers(1, 10**6))
def test_halves_go_away_from_zero(numbers: list[int], below: int) -> None:
    """An array is rounded like each of its numbers, over one divisor and over one for each (A3)."""
    expected = [divide_rounded(number, below) for number in numbers]
    over = np.array(numbers, dtype=np.int64)

    assert expected == halves_up(over, below).tolist()
    assert expected == halves_up(over, np.full(len(numbers), below)).tolist()


days = st.integers(FIRST_DAY, LAST_DAY - 400)


@given(days, st.integers(0, 400), st.integers(1, 31))
def test_tables_of_days_are_the_calendar(first: int, length: int, start_day: int) -> None:
    """Months, the days that they begin on, and their parts are those of the scalar engine (A20)."""
    january = month_index(FIRST_DAY)
    day, last, on = np.array([first]), np.array([first + length]), np.array([start_day])
    month = month_of(day)

    assert month_index(first) == int(month[0]) + january
    assert month_start(month_index(first)) == int(first_day(month)[0])
    expected = month_parts_alone(first, first + length, start_day)
    if first >= FIRST_DAY + 31:
        assert expected == int(month_parts(day, last, on)[0])


def test_a_batch_without_leases_has_no_bills() -> None:
    assert bill_batch(leases_to_arrow([]), Period.parse("2026-01-01/2026-12-31"), DEFAULT) is None


def test_an_empty_lease_has_nothing_due() -> None:
    found = bill_batch(
        leases_to_arrow([LeaseTerms(lease_id="lease-1")]),
        Period.parse("2026-01-01/2026-12-31"),
        DEFAULT,
    )

    assert found is not None
    assert ([True], 0) == (found.done.tolist(), found.bills.num_rows)
    assert isinstance(found.bills, pa.RecordBatch)
