"""References on many paths: the points that a clause compares, as on one path (A33, A41)."""

from collections.abc import Mapping

import numpy as np
import pytest

from rentbilling import BillingPolicy, IndexSeries, LeaseTerms
from rentbilling.errors import InvalidAdjustmentRuleError, MissingIndexError
from rentbilling.simulation import IndexPaths, simulate
from tests.simulation.futures_of import differing
from tests.support.plans import by_index, clause, home, lease, octobers, plan, ruled
from tests.support.rents import opening
from tests.support.rows import rows

GOES_ON = BillingPolicy(missing_index="notice")
DAYS = "2021-01-01/2024-12-31"


def months(first: int, last: int) -> list[str]:
    return [f"{year}-{month:02d}" for year in range(first, last + 1) for month in range(1, 13)]


def wavering(count: int, paths: int) -> list[list[int]]:
    """Return values in tenths that rise by and by, each path in its own way."""
    return [[1000 + 4 * at + (7 + path) * at % 23 for at in range(count)] for path in range(paths)]


def monthly(published: int = 2020, paths: int = 3) -> IndexPaths:
    """Return paths of months up to 2024, published from 2018 to the end of a year."""
    there, points = months(2018, published), months(published + 1, 2024)
    values = [f"{each // 10}.{each % 10}" for each in wavering(len(there), 1)[0]]
    series = IndexSeries("CPI", dict(zip(there, values, strict=True)), base="2015=100")
    rows = [row[len(there) :] for row in wavering(len(there) + len(points), paths)]
    return IndexPaths.of_array(series, rows, points=points)


MONTHLY = monthly()
MONTHS: Mapping[str, LeaseTerms] = {
    "mean_of_values": lease(ruled(mean_of=3)),
    "mean_rounded": lease(ruled(mean_of=12, mean_decimals=1)),
    "mean_of_changes": lease(ruled(mean_of=12, mean_of_what="changes", percentage_decimals=1)),
    "quarters_of_months": lease(ruled(reference="quarter", index_quarter=3)),
    "last_quarter": lease(ruled(reference="quarter", lag_months=5)),
    "year_mean": lease(ruled(reference="year_mean", mean_decimals=2)),
    "stated_start": lease(ruled(start_point="2019-03", start_index="99.9", base="2015=100")),
    "anchored_start": lease(
        ruled(start_point="2019-03", start_index="99.9", base="2015=100", basis="anchored")
    ),
    "lag": lease(ruled(lag_months=3)),
    "half_years": lease(ruled(lag_months=4, interval_months=6)),
    "first_year_twice": lease(
        ruled(lag_months=4, interval_months=6, pro_rata="first_year"),
        item=home(first_billing_period_bill_item=opening("2020-05-15/2020-05-31")),
    ),
    "from_lag": lease(ruled(lag_months=2, from_lag_months=17)),
    "two_years": lease(by_index(first_year="2022", interval_years=2)),
    "threshold_points": lease(ruled(threshold="8", threshold_unit="points")),
    "threshold_anchored": lease(ruled(threshold="0.05", basis="anchored", percentage_decimals=1)),
}


@rows("terms", MONTHS.values(), ids=MONTHS)
def test_months_are_compared_as_the_clause_says(terms: LeaseTerms) -> None:
    assert [] == differing(terms, MONTHLY, DAYS)


def test_a_start_that_is_simulated_parts_the_paths() -> None:
    own = clause(lag_months=3, start_point="2021-02")
    terms = lease(by_index(first_year="2021", index_month=None, index_clause=own))

    assert [] == differing(terms, MONTHLY, DAYS)


def test_a_mean_of_a_year_worked_by_hand() -> None:
    """2020: 100.0 each month. 2021, path 0: eleven times 102.0 and 108.0, 102.5; path 1: 96.0.

    10,000 × 1.025 = 10,250.00 and × 0.96 = 9,600.00.
    """
    flat = IndexSeries("CPI", dict.fromkeys(months(2019, 2020), "100.0"))
    paths = IndexPaths.of_array(flat, [[1020] * 11 + [1080], [960] * 12], points=months(2021, 2021))
    futures = simulate(lease(ruled(reference="year_mean")), paths, "2021-01-01/2022-12-31")

    assert [10_250_00, 9_600_00] == futures.adjustments[-1].after.tolist()
    assert [10_000_00, 10_000_00] == futures.adjustments[-1].before.tolist()


class TestPublishedChanges:
    """Series whose values are changes already, as some offices publish them."""

    PATHS = IndexPaths.of_array(
        octobers("0.020", "0.031", "-0.004", name="WAGES", kind="change"),
        [[25, 30, -5], [0, 12, 40], [-31, -12, 100]],
        points=("2022-10", "2023-10", "2024-10"),
    )

    @rows(
        "fields",
        [
            {},
            {"basis": "last_indexed"},
            {"threshold": "0.02"},
            {"interval_years": 2},
            {"basis": "anchored"},
            {"basis": "anchored", "threshold": "0.02"},
        ],
    )
    def test_they_are_compounded_since_the_last_one_applied(
        self, fields: dict[str, object]
    ) -> None:
        terms = lease(by_index(first_year="2021", **fields))

        assert [] == differing(terms, self.PATHS, "2021-01-01/2025-12-31")

    def test_they_are_worked_by_hand(self) -> None:
        """10,000 × 1.031 = 10,310.00; × 0.996 = 10,268.76; then 2.5 percent, none, −3.1 percent.

        10,268.76 × 1.025 = 10,525.479, and × 0.969 = 9,950.42844.
        """
        series = octobers("0.031", "-0.004", name="WAGES", kind="change", first=2020)
        paths = IndexPaths.of_array(series, [[25], [0], [-31]], points=["2022-10"])
        futures = simulate(lease(by_index()), paths, "2020-02-01/2023-12-31")

        last = futures.adjustments[-1]
        assert [10_268_76] * 3 == last.before.tolist()
        assert [10_525_48, 10_268_76, 9_950_43] == last.after.tolist()

    def test_a_threshold_in_points_is_refused_where_changes_are_lower(self) -> None:
        """On path 1 the lower one is a published change, which has no points (A40).

        WAGES rise by 5 percent in 2022; CPI on path 0 by 1 percent, on path 1 by 10.
        """
        cpi = octobers("100.0", "101.0", "102.0", name="CPI")
        paths = IndexPaths.of_array(cpi, [[1030], [1122]], points=["2022-10"])
        own = clause(series="CPI", lower_of=("WAGES",), threshold="0.5", threshold_unit="points")
        wages = octobers("0.5", "0.5", "0.5", "0.05", name="WAGES", kind="change")

        with pytest.raises(InvalidAdjustmentRuleError) as refused:
            simulate(
                lease(by_index(index_clause=own)), paths, "2021-01-01/2023-12-31", indices=wages
            )
        assert "contradiction" == refused.value.problems[0].code

    def test_a_lower_change_beside_levels_is_done_path_by_path(self) -> None:
        cpi = octobers("100.0", "101.0", "102.0", name="CPI")
        paths = IndexPaths.of_array(cpi, [[1030], [1122]], points=["2022-10"])
        own = clause(series="CPI", lower_of=("WAGES",), threshold="0.005")
        wages = octobers("0.5", "0.5", "0.5", "0.05", name="WAGES", kind="change")

        assert [] == differing(
            lease(by_index(index_clause=own)), paths, "2021-01-01/2023-12-31", None, [wages]
        )


class TestSeveralSeries:
    """The lower of two changes, one of them simulated."""

    WAGES = octobers(200, 206, 212, 215, 230, name="WAGES")

    @rows("threshold", [None, "12"])
    def test_the_lower_change_counts(self, threshold: str | None) -> None:
        cpi = octobers("100.0", "102.0", name="CPI")
        paths = IndexPaths.of_array(
            cpi,
            [[1030, 1060, 1090], [1055, 1055, 1056], [1010, 1100, 1090]],
            points=("2021-10", "2022-10", "2023-10"),
        )
        unit = "percent" if threshold is None else "points"
        own = clause(series="CPI", lower_of=("WAGES",), threshold=threshold, threshold_unit=unit)

        assert [] == differing(lease(by_index(index_clause=own)), paths, DAYS, None, [self.WAGES])

    def test_it_is_worked_by_hand(self) -> None:
        """WAGES rise from 206 to 212, 2.9126 percent: 10,200 becomes 10,497.09 at most.

        October 2020: 102/100 and 206/200: 2 percent. CPI in 2021: 103/102 gives 10,300.00; 3.43
        percent on path 1, 105.5/102, so WAGES count: 10,200 × 212/206 = 10,497.087.
        """
        cpi = octobers("100.0", "102.0", name="CPI")
        paths = IndexPaths.of_array(cpi, [[1030], [1055]], points=["2021-10"])
        own = clause(series="CPI", lower_of=("WAGES",))
        futures = simulate(
            lease(by_index(index_clause=own)), paths, "2021-01-01/2022-12-31", indices=self.WAGES
        )

        assert [10_300_00, 10_497_09] == futures.adjustments[1].after.tolist()


class TestLastPublished:
    """The last value that was published by the day; simulated ones two months after their month."""

    def test_it_is_followed_in_arrays(self) -> None:
        series = IndexSeries(
            "CPI",
            {"2019-10": "100.0", "2020-10": "103.0"},
            known={"2019-10": "2019-11-10", "2020-10": "2020-11-10"},
        )
        rows = [[1040, 1060, 1090], [1030, 1030, 1200]]
        paths = IndexPaths.of_array(series, rows, points=("2021-10", "2022-10", "2023-10"))
        terms = lease(by_index(first_year="2021", index_month=None, index_clause=LAST))

        assert [] == differing(terms, paths, DAYS)

    def test_a_value_that_nobody_knew_of_is_noticed_or_refused(self) -> None:
        """On 1 January 2021 nothing was published yet (A41)."""
        series = IndexSeries("CPI", {"2020-10": "103.0"}, known={"2020-10": "2021-11-10"})
        paths = IndexPaths.of_array(series, [[1040], [1060]], points=["2021-10"])
        terms = lease(by_index(first_year="2021", index_month=None, index_clause=LAST))

        assert [] == differing(terms, paths, DAYS, GOES_ON, scalar_runs=2)
        with pytest.raises(MissingIndexError):
            simulate(terms, paths, DAYS)


LAST = clause(reference="last_published")


def test_an_interval_that_is_no_whole_quarter_needs_no_point_of_its_own() -> None:
    quarters = IndexSeries(
        "CPI", {f"{2019 + at // 4}-Q{at % 4 + 1}": f"{100 + at}.0" for at in range(8)}
    )
    points = [f"{2021 + at // 4}-Q{at % 4 + 1}" for at in range(8)]
    paths = IndexPaths.of_array(
        quarters,
        [[1080 + 7 * at for at in range(8)], [1080 - 9 * at for at in range(8)]],
        points=points,
    )
    own = clause(
        reference="quarter",
        lag_months=2,
        interval_months=4,
        start_point="2019-Q1",
        basis="anchored",
    )
    terms = lease(by_index(first_year="2021", index_month=None, index_clause=own))

    assert [] == differing(terms, paths, "2021-01-01/2022-12-31")


def test_a_series_that_nobody_passed_is_noticed_beside_one_that_was() -> None:
    """The first rule follows CPI, the second one WAGES, which is missing (A41)."""
    cpi = octobers("100.0", "102.0", name="CPI")
    paths = IndexPaths.of_array(cpi, [[1030], [1055]], points=["2021-10"])
    missing = by_index(series="WAGES")
    terms = lease(plan(by_index(series="CPI"), missing))

    assert [] == differing(terms, paths, "2021-01-01/2022-12-31", GOES_ON, scalar_runs=2)


def test_paths_without_points_are_the_published_series() -> None:
    none = np.zeros((3, 0), dtype=np.int64)
    paths = IndexPaths.of_array(octobers(100, 103, 104), none, points=())

    assert [] == differing(lease(by_index(most="0.02")), paths, "2021-01-01/2022-12-31")
    assert "<IndexPaths NPI, 3 paths of 0 points>" == repr(paths)
