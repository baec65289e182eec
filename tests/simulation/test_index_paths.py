"""Index paths: own arrays and simple models, as series that an office could publish (A41)."""

from decimal import Decimal

import numpy as np
import pytest

from rentbilling import IndexPoint, IndexSeries
from rentbilling.errors import MissingFactError
from rentbilling.simulation import IndexPaths
from tests.support.rows import rows

CPI = IndexSeries("CPI", {"2024": "100.0", "2025": "102.0"}, base="2015=100", source="office")
MONTHS = IndexSeries(
    "CPI", {f"{2019 + at // 12}-{at % 12 + 1:02d}": f"{100 + at}.0" for at in range(72)}
)
"""January 2019 to December 2024, one point more each month."""


def flat(points: int) -> IndexSeries:
    return IndexSeries(
        "CPI", {f"{2020 + at // 12}-{at % 12 + 1:02d}": "104.8" for at in range(points)}
    )


class TestOwnArrays:
    """Arrays of callers are read as they are meant, or refused with their place."""

    def test_whole_numbers_are_units_of_the_last_decimal(self) -> None:
        """1041 of a series with one decimal is 104.1."""
        paths = IndexPaths.of_array(CPI, [[1041, 1060], [1019, 1]], points=["2026", "2027"])

        assert (2, 1) == (len(paths), paths.decimals)
        assert [[1041, 1060], [1019, 1]] == paths.values.tolist()
        assert np.dtype(np.int64) == paths.values.dtype

    def test_a_path_is_a_series_with_its_values_assumed(self) -> None:
        series = IndexPaths.of_array(CPI, [[1041], [1019]], points=["2026"]).series(1)

        assert ["100.0", "102.0", "101.9"] == [str(each) for each in series.values.values()]
        assert frozenset([IndexPoint.parse("2026")]) == series.assumed
        assert ("CPI", "2015=100", "office") == (series.name, series.base, series.source)

    def test_points_may_come_in_any_order(self) -> None:
        paths = IndexPaths.of_array(CPI, [[1060, 1041]], points=["2027", "2026"])

        assert ["2026", "2027"] == [str(point) for point in paths.points]
        assert [[1041, 1060]] == paths.values.tolist()

    @rows(
        ("given", "units"),
        [
            (Decimal("104.25"), 1043),
            (Decimal("104.24999"), 1042),
            (104.25, 1043),
            (104.35, 1044),
            (104.15, 1042),
            (104.05, 1041),
            (0.15, 2),
            (104.2499999, 1042),
            (8_589_934_592.25, 85_899_345_923),
        ],
    )
    def test_numbers_are_rounded_half_up_as_they_print(self, given: object, units: int) -> None:
        """104.15 is a tie as it prints, although its binary form lies a little below."""
        values = np.array([[given]])

        assert [[units]] == IndexPaths.of_array(CPI, values, points=["2026"]).values.tolist()

    def test_every_binary_number_near_a_tie_reads_as_it_prints(self) -> None:
        """100.05 to 199.95 in steps of 0.1 are ties: all go up."""
        units = range(1000, 2000)
        values = np.array([[float(f"{each // 10}.{each % 10}5")] for each in units])
        found = IndexPaths.of_array(CPI, values, points=["2026"]).values[:, 0].tolist()

        assert [each + 1 for each in units] == found

    def test_points_come_after_those_of_their_own_unit(self) -> None:
        """Months are published up to March 2026, years up to 2024: the year 2025 is to come."""
        series = IndexSeries("CPI", {"2026-03": "103.0", "2023": "99.0", "2024": "100.0"})
        paths = IndexPaths.of_array(series, [[1010, 1035]], points=["2025", "2026-04"])

        assert ["2026-04", "2025"] == [str(point) for point in paths.points]

    def test_a_series_without_values_takes_any_point(self) -> None:
        paths = IndexPaths.of_array(IndexSeries("CPI", {}), [[104]], points=["2010"])

        assert "104" == str(paths.series(0).values[IndexPoint.parse("2010")])

    def test_a_path_that_is_not_there_is_refused(self) -> None:
        """There are paths 0 and 1."""
        paths = IndexPaths.of_array(CPI, [[1041], [1019]], points=["2026"])

        with pytest.raises(MissingFactError):
            paths.series(2)

    def test_values_cannot_be_changed(self) -> None:
        paths = IndexPaths.of_array(CPI, [[1041]], points=["2026"])

        with pytest.raises(ValueError, match="read-only"):
            paths.values[0, 0] = 1


def test_whole_numbers_of_numpy_are_whole_numbers() -> None:
    seed, paths, length, place = np.array([7, 3, 1, 2])
    drawn = IndexPaths.bootstrap(
        MONTHS, until="2025-03", paths=paths, seed=seed, block_months=length
    )
    same = IndexPaths.bootstrap(MONTHS, until="2025-03", paths=3, seed=7, block_months=1)

    assert same.values.tolist() == drawn.values.tolist()
    assert same.series(2) == drawn.series(place)


class TestConstant:
    """One rate a year on all paths."""

    def test_it_is_the_extended_series(self) -> None:
        """102.0 × 1.02 = 104.04 → 104.0; 104.0 × 1.02 = 106.08 → 106.1."""
        paths = IndexPaths.constant(CPI, Decimal("0.02"), until="2027", paths=2)

        assert [[1040, 1061], [1040, 1061]] == paths.values.tolist()
        assert CPI.extended(Decimal("0.02"), "2027", 1) == paths.series(0)


class TestBootstrap:
    """Changes that were published, drawn again."""

    @rows("length", [1, 5, 12, 60])
    def test_a_constant_history_stays_constant(self, length: int) -> None:
        paths = IndexPaths.bootstrap(
            flat(30), until="2026-06", paths=4, seed=1, block_months=length
        )

        assert 48 == len(paths.points)
        assert {1048} == set(paths.values.ravel().tolist())

    def test_a_season_stays_in_its_place(self) -> None:
        history = IndexSeries(
            "CPI",
            {
                f"{year}-{month:02d}": "200.0" if month == 1 else "100.0"
                for year in range(2018, 2024)
                for month in range(1, 13)
            },
        )
        paths = IndexPaths.bootstrap(history, until="2027-12", paths=5, seed=3)

        by_month = paths.values.reshape(5, 4, 12)
        assert {2000} == set(by_month[:, :, 0].ravel().tolist())
        assert {1000} == set(by_month[:, :, 1:].ravel().tolist())

    def test_a_series_of_octobers_gets_further_octobers(self) -> None:
        """Holes make the changes yearly ones: 1, 2 or 3 percent of what was."""
        history = IndexSeries(
            "CPI", {"2021-10": 10000, "2022-10": 10100, "2023-10": 10302, "2024-10": 10611}
        )
        paths = IndexPaths.bootstrap(history, until="2026-12", paths=50, seed=11)

        assert ["2025-10", "2026-10"] == [str(point) for point in paths.points]
        # 10611 × 1.01, × 1.02 and × 10611/10302.
        assert {10717, 10823, 10929} == set(paths.values[:, 0].tolist())

    def test_a_seed_gives_the_same_paths_for_ever(self) -> None:
        """Frozen: the stream of PCG64 and arithmetic of whole numbers do not change."""
        drawn = IndexPaths.bootstrap(MONTHS, until="2025-03", paths=3, seed=7, block_months=1)

        assert [[1722, 1737, 1754], [1721, 1736, 1748], [1722, 1732, 1744]] == drawn.values.tolist()


class TestAutoregression:
    """Changes that go back to a mean."""

    def test_without_noise_it_is_the_recursion(self) -> None:
        """100, 110: change 10 %. Mean 2 %, half of the rest stays: 6 %, 4 %, 3 %.

        110.00 × 1.06 = 116.60; × 1.04 = 121.264 → 121.26; × 1.03 = 124.90192 → 124.90.
        """
        history = IndexSeries("CPI", {"2023": "100.00", "2024": "100.00", "2025": "110.00"})
        paths = IndexPaths.ar1(
            history,
            until="2028",
            paths=2,
            seed=5,
            mean=Decimal("0.02"),
            persistence=Decimal("0.5"),
            spread=Decimal(0),
        )

        assert [[11660, 12126, 12490]] * 2 == paths.values.tolist()

    def test_parameters_are_estimated_and_shown(self) -> None:
        """Changes 1/10, 0, 1/10: mean 1/15; off 1/30, −2/30, 1/30.

        The slope is (−2 − 2) / (1 + 4) = −4/5; the rests are −2/30 + 4/150 = −1/25 and
        1/30 − 8/150 = −1/50, their mean square 1/1000, its root 0.0316227766.
        """
        history = IndexSeries("CPI", {"2022": 100, "2023": 110, "2024": 110, "2025": 121})
        paths = IndexPaths.ar1(history, until="2026", paths=1, seed=5)

        assert {
            "mean": Decimal("0.066666667"),
            "persistence": Decimal("-0.800000000"),
            "spread": Decimal("0.031622776"),
        } == paths.parameters

    def test_what_is_new_has_mean_and_spread(self) -> None:
        """Of 20,000 draws with a spread of 1 %, around no change: 68 % within one spread."""
        history = IndexSeries("CPI", {"2023": 10**6, "2024": 10**6, "2025": 10**6})
        paths = IndexPaths.ar1(
            history,
            until="2026",
            paths=20_000,
            seed=2,
            mean=Decimal(0),
            persistence=Decimal(0),
            spread=Decimal("0.01"),
        )
        off = paths.values[:, 0] - 10**6

        assert abs(int(off.mean())) < 300
        assert 6700 <= int((abs(off) <= 10**4).sum()) * 10_000 // 20_000 <= 6950

    def test_a_seed_gives_the_same_paths_for_ever(self) -> None:
        paths = IndexPaths.ar1(MONTHS, until="2025-03", paths=3, seed=7)

        assert [[1720, 1730, 1741], [1720, 1731, 1741], [1720, 1730, 1741]] == paths.values.tolist()
