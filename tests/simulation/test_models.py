"""Path models and arrays: histories with holes, ends without points, and numbers of every width."""

from decimal import Decimal
from typing import Any

import numpy as np

from rentbilling import IndexPoint, IndexSeries
from rentbilling.simulation import IndexPaths
from tests.support.plans import octobers
from tests.support.rows import rows

CPI = IndexSeries("CPI", {"2024": "100.0", "2025": "102.0"}, base="2015=100")


def test_what_lies_before_a_hole_is_no_history() -> None:
    """October 2018 is left alone by the hole of 2019: since 2020 each one is twice the last."""
    series = IndexSeries(
        "NPI", {"2018-10": 7, "2020-10": 100, "2021-10": 200, "2022-10": 400, "2023-10": 800}
    )
    paths = IndexPaths.bootstrap(series, until="2025-12", paths=3, seed=4)

    assert [[1600, 3200]] * 3 == paths.values.tolist()
    assert ["2024-10", "2025-10"] == [str(point) for point in paths.points]


@rows("model", ["bootstrap", "ar1"])
@rows("until", ["2021", "2022-10", "2023-09"])
def test_an_end_before_the_next_point_leaves_nothing_to_simulate(model: str, until: str) -> None:
    """The last October is that of 2022, and the next one comes in 2023."""
    series = octobers(100, 101, 103, 102)
    paths = getattr(IndexPaths, model)(series, until=until, paths=3, seed=1)

    assert (3, ()) == (len(paths), paths.points)
    assert (3, 0) == paths.values.shape
    assert series == paths.series(2)


def test_a_fall_never_reaches_zero() -> None:
    """Nine tenths are lost at most in a year, and the last decimal stays.

    100 to 1 is a loss of 99 percent, which would go on: 10.0 → 1.0 → 0.1 → 0.1.
    """
    series = IndexSeries("CPI", {"2023": "1000.0", "2024": "1000.0", "2025": "100.0"})
    fall = {"mean": Decimal(-1), "persistence": Decimal(0), "spread": Decimal(0)}
    paths = IndexPaths.ar1(series, until="2029", paths=1, seed=1, **fall)

    assert [[100, 10, 1, 1]] == paths.values.tolist()


def test_quarters_are_drawn_by_quarters_of_the_year() -> None:
    series = IndexSeries(
        "CPI", {f"{2020 + at // 4}-Q{at % 4 + 1}": 200 if at % 4 == 0 else 100 for at in range(16)}
    )
    paths = IndexPaths.bootstrap(series, until="2025-Q4", paths=4, seed=9, block_months=3)

    assert [[200, 100, 100, 100] * 2] * 4 == paths.values.tolist()


def test_paths_tell_of_their_series() -> None:
    paths = IndexPaths.of_array(CPI, [[1041, 1060], [1019, 1000]], points=["2026", "2027"])

    assert ("CPI", "2015=100", 1) == (paths.name, paths.base, paths.decimals)
    assert "<IndexPaths CPI, 2 paths of 2 points 2026 to 2027>" == repr(paths)
    column = paths.column(IndexPoint.parse("2027"))
    assert column is not None
    assert [1060, 1000] == column.tolist()
    assert paths.column(IndexPoint.parse("2025")) is None


@rows(
    ("values", "units"),
    [
        (np.array([[1041]], dtype=np.uint64), 1041),
        (np.array([[1041]], dtype=np.int16), 1041),
        (np.array([[104.35]], dtype=np.float32), 1044),
        (np.array([[2048.0]], dtype=np.float16), 20_480),
        (np.array([[104.25]], dtype=np.longdouble), 1043),
        (np.array([[Decimal("104.25")]], dtype=object), 1043),
        (np.array([[1041]], dtype=object), 1041),
        (np.array([[np.int64(1041)]], dtype=object), 1041),
        (np.array([[99_999_999_999_999.0]]), 999_999_999_999_990),
    ],
)
def test_numbers_of_every_width_are_read_as_they_print(values: Any, units: int) -> None:  # noqa: ANN401
    """104.35 in 32 bits prints as that, although it is 104.34999..., and is rounded half up."""
    assert [[units]] == IndexPaths.of_array(CPI, values, points=["2026"]).values.tolist()
