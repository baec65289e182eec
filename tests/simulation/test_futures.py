"""Futures: what is read from a simulation, each figure one that some path has."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from rentbilling import BillingPolicy, IndexSeries, YearMonth, bill_period
from rentbilling.simulation import Futures, IndexPaths, simulate
from rentbilling.testing import a_lease, a_plan, a_rent

NPI = IndexSeries("NPI", {"2025-10": "100.0", "2026-10": "100.0"})
COUNT = 10


def futures(**fields: Any) -> Futures:  # noqa: ANN401 - of the rent
    """Return ten paths of a rent of 100: it is 101 to 110 in 2028, path 9 first."""
    values = [[1000 + 10 * (COUNT - at)] for at in range(COUNT)]
    paths = IndexPaths.of_array(NPI, values, points=["2027-10"])
    lease = a_lease(a_rent(amount=100, **fields), plans=[a_plan(maximum="0.07")])
    return simulate(lease, paths, "2027-01-01/2028-12-31")


FUTURES = futures()


def test_columns_are_months_and_years() -> None:
    assert (10, 24) == FUTURES.gross.shape
    assert (YearMonth(2027, 1), YearMonth(2028, 12)) == (FUTURES.months[0], FUTURES.months[-1])
    assert ((10, 2), (2027, 2028)) == (FUTURES.yearly().shape, FUTURES.years)
    assert ("DKK", 2, 10) == (FUTURES.currency, FUTURES.places, len(FUTURES))


def test_a_quantile_is_the_figure_of_the_nearest_rank() -> None:
    """Rents of 2028 in order: 101 to 106, then 107 four times, as the cap holds.

    Of ten paths, 5 percent is place ⌈0.5⌉ = 1, 25 percent ⌈2.5⌉ = 3, 50 percent 5, 51 percent 6,
    100 percent 10, and 0 percent the first.
    """
    found = FUTURES.quantiles((5, 25, 50, 51, 100, 0), of="rent")[:, 1]

    assert [each * 1200 for each in (101, 103, 105, 106, 107, 101)] == found.tolist()


def test_exact_percentages_have_ranks_too() -> None:
    """10.1 percent of ten is place ⌈1.01⌉ = 2; 100/3 percent place ⌈3.33⌉ = 4."""
    found = FUTURES.quantiles((Decimal("10.1"), Fraction(100, 3)), of="gross", by="total")

    assert [[1200_00 + 1224_00], [1200_00 + 1248_00]] == found.tolist()


def test_rows_have_amounts_in_the_main_unit() -> None:
    rows = FUTURES.rows((50,))

    assert [
        {"year": 2027, "of": "gross", "currency": "DKK", "q50": Decimal("1200.00")},
        {"year": 2028, "of": "gross", "currency": "DKK", "q50": Decimal("1260.00")},
    ] == rows
    assert "2027-01" == FUTURES.rows((5,), by="month")[0]["month"]


def test_percentages_may_come_from_anything_that_gives_them() -> None:
    assert FUTURES.rows((5, 50)) == FUTURES.rows(each for each in (5, 50))
    assert FUTURES.rows((5, 50)) == FUTURES.rows(np.array([5, 50]))


def test_probability_counts_paths() -> None:
    """More than 1,260 in 2028: 106 and four times 107."""
    found = FUTURES.probability(lambda figures: figures > 1260_00)

    assert (Fraction(0), Fraction(1, 2)) == found


def test_limits_are_told_by_year() -> None:
    """The cap of 7 percent bites where the index rose by 8, 9 and 10 percent."""
    assert [0, 3] == FUTURES.limited.sum(axis=0).tolist()


def test_a_path_is_a_billing_result() -> None:
    """Path 9, whose index rose by one percent."""
    series = IndexSeries("NPI", dict(NPI.values) | {"2027-10": "101.0"}, assumed=["2027-10"])
    lease = a_lease(a_rent(amount=100), plans=[a_plan(maximum="0.07")])

    assert FUTURES.path(9) == bill_period(lease, "2027-01-01/2028-12-31", indices=series)


def test_net_vat_and_gross_belong_together() -> None:
    """25 percent on top."""
    found = futures(vat="Exclusive 0.25")

    assert (found.net * 125).tolist() == (found.gross * 100).tolist()
    assert (found.net + found.vat).tolist() == found.gross.tolist()
    assert found.payable.tolist() == found.gross.tolist()


def test_cash_rounding_shows_in_what_is_payable() -> None:
    """33.33 becomes 33.50 in cash (A52)."""
    paths = IndexPaths.of_array(NPI, [[1000]], points=["2027-10"])
    policy = BillingPolicy(cash_rounding={"DKK": Decimal("0.50")})
    found = simulate(a_lease(a_rent(amount="33.33")), paths, "2027-01-01/2027-01-31", policy=policy)

    assert ([[3333]], [[3350]]) == (found.gross.tolist(), found.payable.tolist())


def test_figures_are_whole_numbers() -> None:
    """All of them int64."""
    kinds = {FUTURES.figures(of, "year").dtype for of in ("rent", "net", "vat", "gross", "payable")}

    assert {np.dtype(np.int64)} == kinds


def test_a_figure_of_paths_says_what_it_is() -> None:
    assert "<Futures 10 paths, 2027-01-01/2028-12-31, DKK>" == repr(FUTURES)
    assert ["year", "of", "currency", "q5", "q25", "q50", "q75", "q95"] == [
        column.name for column in FUTURES.columns
    ]
    assert [column.name for column in FUTURES.columns] == [*FUTURES.rows()[0]]


def test_rows_in_total_name_the_period() -> None:
    """Both years together: the tenth path has 1,200 and 1,212."""
    (row,) = FUTURES.rows((0,), of="net", by="total")

    assert (FUTURES.period, Decimal("2412.00")) == (row["total"], row["q0"])
