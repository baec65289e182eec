"""Refusals of simulations: what is wrong is named with its code, its place and what was meant."""

from collections.abc import Callable
from decimal import Decimal
from functools import partial
from typing import Any

import numpy as np
import pytest

from rentbilling import IndexSeries
from rentbilling.errors import MissingFactError
from rentbilling.simulation import Futures, IndexPaths, simulate
from rentbilling.testing import a_lease, a_plan, a_rent
from tests.support.refusals import refusal_text, refused
from tests.support.rows import rows

CPI = IndexSeries("CPI", {"2024": "100.0", "2025": "102.0"})
CHANGES = IndexSeries("WAGES", {"2025": "0.02"}, kind="change")
MONTHLY = IndexSeries("IPCA", {"2026-01": "0.02"}, kind="monthly_change")
LONG = IndexSeries("CPI", {f"{year}": 1000 + 20 * year % 70 for year in range(2010, 2026)})
PATHS = IndexPaths.of_array(CPI, [[1041], [1060]], points=["2026"])
OTHERS = IndexPaths.of_array(IndexSeries("WAGES", {"2025": 200}), [[210]], points=["2026"])
DAYS = "2026-01-01/2026-12-31"


def own(values: object, series: Any = CPI, points: Any = ("2026",)) -> IndexPaths:  # noqa: ANN401
    return IndexPaths.of_array(series, values, points=points)


def drawn(**fields: Any) -> IndexPaths:  # noqa: ANN401 - wrong ones
    asked: dict[str, Any] = {"series": LONG, "until": "2030", "paths": 2, "seed": 1, **fields}
    return IndexPaths.bootstrap(**asked)


def pulled(**fields: Any) -> IndexPaths:  # noqa: ANN401 - wrong ones
    asked: dict[str, Any] = {"series": LONG, "until": "2030", "paths": 2, "seed": 1, **fields}
    return IndexPaths.ar1(**asked)


def futures() -> Futures:
    return simulate(a_lease(), PATHS, DAYS)


def ranked(q: Any) -> object:  # noqa: ANN401 - wrong ones
    return futures().quantiles((q,))


COUNT = "a whole number of 1 or more"
SEED = "a whole number of 0 or more"
NUMBER = "whole units, or Decimal values such as 104.8"
PERCENT = "whole or exact percents from 0 to 100"
# fmt: off
REFUSED: tuple[tuple[Callable[[], object], str, str], ...] = (
    # Own arrays
    (lambda: own([[1]], points=["26"]), "not_an_index_point",
     ("is not a month, quarter or year of an index (met '26'; expected YYYY-MM, YYYY-Q1 to"
     " YYYY-Q4, or YYYY)")),
    (lambda: own([[1041]], points=["2026-01"]), "other_unit",
     "points[0]: is no year (met '2026-01'; expected points of the series' own units)"),
    (lambda: own([[1041, 1042]], points=["2026", "2025"]), "duplicate_point",
     "points[1]: has a value already (met '2025'; expected a point without one)"),
    (lambda: own([1041]), "wrong_shape",
     "values: has another shape (met (1,); expected (paths, 1))"),
    (lambda: own([[1041], [1042, 1043]]), "wrong_shape",
     "values: have another shape (met 'rows of several lengths'; expected (paths, 1))"),
    (lambda: own([[1041]], points=["2010"]), "out_of_range",
     "points[0]: is not to come (met '2010'; expected a point after 2025)"),
    (lambda: own([[1041]], IndexSeries("CPI", {"2023": 100, "2025": 102}), points=["2024"]),
     "out_of_range", "points[0]: is not to come (met '2024'; expected a point after 2025)"),
    (lambda: own([[None]]), "not_a_number", f"values: has no number (met None; expected {NUMBER})"),
    (lambda: own([[Decimal("1E+16")]]), "not_a_number",
     f"values: has no number (met 1E+16; expected {NUMBER})"),
    (lambda: own(np.array([[104.1], [1e300]])), "not_a_number",
     f"values: has no number (met 1e+300; expected {NUMBER})"),
    (lambda: own([[1041], [0]]), "out_of_range",
     "values[1][0]: is out of range (met 0.0; expected a level above 0)"),
    (lambda: own([[1041], [10**30]]), "out_of_range",
     f"values[1][0]: is out of range (met 1{'0' * 29}.0; expected a level above 0)"),
    (lambda: own([[Decimal(10**15)]]), "out_of_range",
     "values[0][0]: is out of range (met 1000000000000000.0; expected a level above 0)"),
    (lambda: own(np.array([[104.1, 1e15]]), points=["2026", "2027"]), "out_of_range",
     "values[0][1]: is out of range (met 1000000000000000.0; expected a level above 0)"),
    (lambda: own([[2], [1001]], CHANGES), "out_of_range",
     "values[1][0]: is out of range (met 10.01; expected a change from -1 to 10)"),
    (lambda: own(np.array([[2**64 - 5]], dtype=np.uint64), CHANGES), "out_of_range",
     ("values[0][0]: is out of range (met 184467440737095516.11; expected a change from -1 to"
     " 10)")),
    # Models
    (lambda: IndexPaths.constant(CPI, Decimal("0.02"), until="2027", paths=0), "wrong_value",
     f"paths: is no count (met 0; expected {COUNT})"),
    (lambda: drawn(paths=True), "wrong_value", f"paths: is no count (met True; expected {COUNT})"),
    (lambda: drawn(seed="1"), "wrong_value", f"seed: is no seed (met '1'; expected {SEED})"),
    (lambda: drawn(seed=np.bool_(1)), "wrong_value",
     f"seed: is no seed (met {np.bool_(1)!r}; expected {SEED})"),
    (lambda: drawn(block_months=0), "wrong_value",
     f"block_months: is no count (met 0; expected {COUNT})"),
    (lambda: drawn(series=CPI), "too_short",
     ("series: is too short (met <IndexSeries CPI, 2 years 2024 to 2025>; expected at least"
     " three values that follow each other)")),
    (lambda: pulled(series=CHANGES), "not_levels",
     ("series: is nothing to model (met <IndexSeries WAGES, 1 year 2025>; expected levels of"
     " months, of quarters or of years)")),
    (lambda: pulled(mean="0.02"), "out_of_range",
     "mean: is out of range (met '0.02'; expected a Decimal from -1 to 1, such as 0.02)"),
    (lambda: pulled(persistence=True), "out_of_range",
     "persistence: is out of range (met True; expected a Decimal from -1 to 1, such as 0.02)"),
    (lambda: pulled(spread=Decimal("NaN")), "out_of_range",
     "spread: is out of range (met NaN; expected a Decimal from 0 to 1, such as 0.02)"),
    (lambda: pulled(until="2090", mean=Decimal(1), persistence=0, spread=0), "too_many_digits",
     "until: leads to values of more than 15 digits (met 'a model'; expected an earlier end)"),
    # Simulations
    (lambda: simulate(a_lease(), PATHS, "2026-13"), "not_a_period",
     ("period: is not a period (met '2026-13'; expected 2026, 2026-Q1, 2026-03, 2026-01/2026-03"
      " or YYYY-MM-DD/YYYY-MM-DD)")),
    (lambda: simulate(a_lease(), PATHS, DAYS, indices=CPI), "two_series",
     "indices.CPI: is simulated too (met 'CPI'; expected another name, or no paths of it)"),
    (lambda: simulate(a_lease(), {"CPI": PATHS, "WAGES": OTHERS}, DAYS), "path_counts_differ",
     ("paths: are not as many for all series (met {'CPI': 2, 'WAGES': 1}; expected as many of"
     " each)")),
    (lambda: simulate([a_lease(), a_lease(a_rent(currency="EUR"))], PATHS, DAYS),
     "currency_mismatch",
     "terms: have several currencies (met ['DKK', 'EUR']; expected one currency)"),
    # Futures
    (
        lambda: futures().yearly("grosz"),  # type: ignore[arg-type]
        "unknown_word",
        "of: is not a known word (met 'grosz'; expected one of rent, net, vat, gross, payable)",
    ),
    (
        lambda: futures().figures(by="week"),  # type: ignore[arg-type]
        "unknown_word",
        "by: is not a known word (met 'week'; expected one of year, month, total)",
    ),
    (lambda: futures().figures("rent", "month"), "unknown_word",
     "by: is not a known word (met 'month'; expected one of year)"),
    (lambda: futures().quantiles((101,)), "out_of_range",
     f"q: is no percentage (met 101; expected {PERCENT})"),
    (
        lambda: futures().rows(50),  # type: ignore[arg-type]
        "not_a_list",
        "q: is not a list (met 50; expected several percentages, such as (5, 50, 95))",
    ),
    (
        lambda: futures().quantiles("50"),  # type: ignore[arg-type]
        "not_a_list",
        "q: is not a list (met '50'; expected several percentages, such as (5, 50, 95))",
    ),
    (lambda: futures().quantiles((Decimal("NaN"),)), "out_of_range",
     f"q: is no percentage (met NaN; expected {PERCENT})"),
)
# fmt: on


@rows(("asked", "code", "said"), REFUSED)
def test_what_is_wrong_is_refused_by_name(
    asked: Callable[[], object], code: str, said: str
) -> None:
    error = refused(asked)

    (problem,) = error.problems
    assert (code, said) == (problem.code, str(error))
    assert said.startswith(f"{problem.path}: " if problem.path else "is not")


MIXED = IndexSeries("CPI", {"2023": 100, "2024-01": 101, "2024-02": 102})
DOUBLED = {"2023": 100, "2024": 200, "2025": 400}
ALIKE: dict[str, list[Callable[[], object]]] = {
    "InvalidRecordError: values wrong_shape": [
        *(partial(own, each) for each in ([[1041, 1]], np.zeros((0, 1), dtype=int)))
    ],
    "InvalidAmountError: values[0][0] out_of_range": [partial(own, [[each]]) for each in (0, -5)],
    "InvalidAmountError: values not_a_number": [
        *(partial(own, [[each]]) for each in (Decimal("NaN"), "104.1")),
        *(partial(own, np.array([[float(each)]])) for each in ("nan", "inf")),
    ],
    "InvalidRecordError: points[0] duplicate_point": [partial(own, [[1041]], points=["2025"])],
    "InvalidRecordError: paths wrong_value": [partial(drawn, paths=0)],
    "InvalidRecordError: seed wrong_value": [partial(drawn, seed=each) for each in (-1, True)],
    "InvalidRecordError: series not_levels": [
        *(partial(drawn, series=each) for each in (CHANGES, MIXED)),
        partial(own, [[1]], MONTHLY, ["2026-02"]),
        partial(IndexPaths.constant, MONTHLY, Decimal("0.02"), until="2026-02"),
    ],
    "InvalidRecordError: mean out_of_range": [partial(pulled, mean=Decimal(2))],
    "InvalidRecordError: persistence out_of_range": [partial(pulled, persistence=Decimal("1.1"))],
    "InvalidRecordError: spread out_of_range": [partial(pulled, spread=Decimal("-0.1"))],
    # Changes that are all the same have no slope.
    "InvalidRecordError: until too_many_digits": [
        partial(pulled, series=IndexSeries("CPI", DOUBLED), until="2105")
    ],
    "UnknownWordError: by unknown_word": [lambda: futures().quantiles(of="rent", by="total")],
    "UnknownWordError: q out_of_range": [*(partial(ranked, each) for each in (-1, 0.5, True, "5"))],
}


@rows("said", ALIKE)
def test_what_is_wrong_in_the_same_way_is_refused_alike(said: str) -> None:
    for asked in ALIKE[said]:
        assert said == refusal_text(asked)


@rows(
    ("asked", "said"),
    [
        # Paths and leases are counted from 0.
        (lambda: PATHS.series(2), "unknown_path: path 2, known 0 to 1"),
        (lambda: PATHS.series("0"), "unknown_path: path 0, known 0 to 1"),  # type: ignore[arg-type]
        (lambda: PATHS.series(at=True), "unknown_path: path True, known 0 to 1"),
        (lambda: futures().path(-1), "unknown_path: path -1, known 0 to 1"),
        (lambda: futures().path(0, 1), "unknown_lease: lease 1, known 0 to 0"),
        # Misuse is of another type.
        (lambda: own([[1]], None), "IndexPaths takes an IndexSeries, not None"),
        (lambda: drawn(series=None), "a model needs an IndexSeries, not None"),
        (lambda: simulate(None, PATHS, DAYS), "simulate takes the terms of leases, not None"),  # type: ignore[arg-type]
        (lambda: simulate([1], PATHS, DAYS), "simulate takes the terms of leases, not 1"),  # type: ignore[list-item]
        (
            lambda: simulate(a_lease(), None, DAYS),  # type: ignore[arg-type]
            "simulate takes IndexPaths, or some by name, not None",
        ),
        (
            lambda: simulate(a_lease(), {}, DAYS),
            "simulate takes IndexPaths, or some by name, not {}",
        ),
        (
            lambda: simulate(a_lease(plans=[a_plan()]), {"CPI": CPI}, DAYS),  # type: ignore[dict-item]
            (
                "simulate takes IndexPaths, or some by name, not <IndexSeries CPI, 2 years 2024 to"
                " 2025>"
            ),
        ),
    ],
)
def test_what_is_not_there_or_of_another_type_is_refused_by_name(
    asked: Callable[[], object], said: str
) -> None:
    with pytest.raises(MissingFactError if "unknown" in said else TypeError) as error:
        asked()

    assert said == str(error.value)
