"""References: which points a rule compares, and the change between them (A33, A40, A41)."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from rentbilling import IndexSeries, MissingIndexError
from rentbilling.adjustments.rules.index_comparison import (
    IndexChange,
    Reference,
    shown_index,
    trimmed,
)
from rentbilling.errors import InvalidAdjustmentRuleError
from rentbilling.indices import AnyIndices, series_of
from tests.support.plans import by_index, series
from tests.support.rows import rows
from tests.support.series import point

NPI = series({"2019-10": 100, "2020-10": 110})
CPI = series(
    {"2023-01": 100, "2023-02": 101, "2023-03": 102, "2022": 99},
    known={"2023-01": "2023-02-10", "2023-02": "2023-03-10", "2022": "2023-01-10"},
    assumed=["2023-03"],
)
ON_THE_DAY, A_DAY_LATER = (
    series({"2020-10": 110, "2020-11": 111}, known={"2020-10": "2020-11-10", "2020-11": known})
    for known in ("2021-01-01", "2021-01-02")
)
YEARS = {"2018": 100, "2019": 100, "2020": 100, "2021": 100, "2022": 101, "2023": 104}
QUARTERS = {f"2021-Q{each}": 100 for each in (1, 2, 3, 4)} | {
    "2022-Q1": 100,
    "2022-Q2": 101,
    "2022-Q3": 100,
    "2022-Q4": 101,
}
TWO_MONTHS = series({"2021-01": 100, "2021-02": 100, "2022-01": 102, "2022-02": 104})
WAGES = series({"2022-10": 50, "2023-10": "51.5"}, name="WAGES")
RATES = IndexSeries(
    "RATES", {"2020": "0.02", "2021": "0.03", "2022": Decimal("-0.01")}, kind="change"
)
HEALTH = {
    "indices": series({"2019-08": "110", "2020-08": "111", "2022-10": "127.92"}),
    "lag_months": 1,
    "start_point": "2019-08",
    "start_index": "109.07",
    "base": "2015=100",
    "basis": "anchored",
}


def month(text: str) -> int:
    return point(text).last_month


def reference(
    index_month: int | None = None,
    indices: AnyIndices = NPI,
    **fields: Any,  # noqa: ANN401
) -> Reference:
    """Return the reference of a rule with this index month and a clause of these fields."""
    rule = by_index(index_month=index_month, **fields)
    return Reference(rule, series_of(indices))


# fmt: off
POINTS: list[tuple[str, dict[str, Any], str]] = [
    # Without a clause, the latest index month that lies two months before (A33).
    ("2026-01", {"index_month": 10}, "2024-10 2025-10"),
    ("2026-01", {"index_month": 11}, "2024-11 2025-11"),
    ("2026-01", {"index_month": 12}, "2023-12 2024-12"),
    ("2026-01", {"index_month": 1}, "2024-01 2025-01"),
    ("2026-07", {"index_month": 4}, "2025-04 2026-04"),
    ("2026-07", {"index_month": 5}, "2025-05 2026-05"),
    ("2026-07", {"index_month": 6}, "2024-06 2025-06"),
    ("2026-03", {"index_month": 1}, "2025-01 2026-01"),
    ("2026-02", {"index_month": 12}, "2024-12 2025-12"),
    # A lag counts from the adjustment: four months before February 2024 is October 2023, the Dutch
    # way.
    ("2024-02", {"lag_months": 4}, "2022-10 2023-10"),
    ("2024-02", {"lag_months": 0}, "2023-02 2024-02"),
    ("2024-02", {"lag_months": 1, "interval_years": 3}, "2021-01 2024-01"),
    ("2024-02", {"lag_months": 2, "interval_months": 6}, "2023-06 2023-12"),
    ("2024-02", {"lag_months": 4, "from_lag_months": 60}, "2019-02 2023-10"),
    # The year of the index may be given.
    ("2023-07", {"index_month": 4, "year_offset": 0}, "2022-04 2023-04"),
    ("2023-07", {"index_month": 4, "year_offset": 1}, "2021-04 2022-04"),
    ("2023-07", {"index_month": 4, "year_offset": 2}, "2020-04 2021-04"),
    # An interval of years is compared as a whole.
    ("2024-01", {"index_month": 10, "interval_years": 5}, "2018-10 2023-10"),
    # A quarter counts by its last month: the last one that is published.
    ("2024-01", {"reference": "quarter", "lag_months": 2}, "2022-Q3 2023-Q3"),
    ("2023-11", {"reference": "quarter", "lag_months": 2}, "2022-Q3 2023-Q3"),
    ("2023-10", {"reference": "quarter", "lag_months": 2}, "2022-Q2 2023-Q2"),
    # Four months before January 2024 ends September, five months before it does not.
    ("2024-01", {"reference": "quarter", "lag_months": 3}, "2022-Q3 2023-Q3"),
    ("2024-01", {"reference": "quarter", "lag_months": 4}, "2022-Q3 2023-Q3"),
    ("2024-01", {"reference": "quarter", "lag_months": 5}, "2022-Q2 2023-Q2"),
    # The latest second quarter before March 2023, the fourth, and by years.
    ("2023-03", {"reference": "quarter", "index_quarter": 2}, "2021-Q2 2022-Q2"),
    ("2023-03", {"reference": "quarter", "index_quarter": 4}, "2021-Q4 2022-Q4"),
    ("2023-03", {"reference": "quarter", "index_quarter": 1, "year_offset": 1}, "2021-Q1 2022-Q1"),
    ("2023-03", {"reference": "quarter", "index_quarter": 1, "year_offset": 0}, "2022-Q1 2023-Q1"),
    ("2023-03", {"reference": "quarter", "index_quarter": 2, "interval_years": 3},
     "2019-Q2 2022-Q2"),
    # An index month names its quarter.
    ("2023-03", {"reference": "quarter", "index_month": 6}, "2021-Q2 2022-Q2"),
    ("2023-03", {"reference": "quarter", "index_month": 10}, "2021-Q4 2022-Q4"),
    # Every half year by quarters.
    ("2023-05", {"reference": "quarter", "lag_months": 2, "interval_months": 6}, "2022-Q3 2023-Q1"),
    # A year counts by its mean.
    ("2023-04", {"reference": "year_mean"}, "2021 2022"),
    ("2023-04", {"reference": "year_mean", "year_offset": 1}, "2021 2022"),
    ("2023-04", {"reference": "year_mean", "year_offset": 2}, "2020 2021"),
    ("2023-04", {"reference": "year_mean", "year_offset": 0}, "2022 2023"),
    ("2023-04", {"reference": "year_mean", "interval_years": 2}, "2020 2022"),
    # The last value that was published by the day: February is out on 10 March.
    ("2023-03", {"reference": "last_published", "indices": CPI}, "2022-01 2023-01"),
    ("2023-04", {"reference": "last_published", "indices": CPI}, "2022-02 2023-02"),
    # An assumed value counts two months later.
    ("2023-05", {"reference": "last_published", "indices": CPI}, "2022-03 2023-03"),
    # What is published on the day itself is known.
    ("2021-01", {"reference": "last_published", "indices": ON_THE_DAY}, "2019-11 2020-11"),
    ("2021-01", {"reference": "last_published", "indices": A_DAY_LATER}, "2019-10 2020-10"),
]
# fmt: on


@rows(("adjusted", "fields", "expected"), POINTS)
def test_a_rule_compares_these_points(adjusted: str, fields: dict[str, Any], expected: str) -> None:
    found = reference(**fields)
    to = found.to_point(month(adjusted))

    assert expected == f"{found.from_point(to, month(adjusted))} {to}"


@rows(
    ("fields", "unit", "expected"),
    [
        ({"reference": "quarter", "lag_months": 2}, "quarters", "a multiple of 3"),
        ({"reference": "year_mean"}, "years", "a multiple of 12"),
    ],
)
def test_an_interval_that_splits_its_unit_is_refused(
    fields: dict[str, Any], unit: str, expected: str
) -> None:
    found = reference(interval_months=4, **fields)
    with pytest.raises(InvalidAdjustmentRuleError) as caught:
        found.from_point(found.to_point(month("2023-05")), month("2023-05"))

    message = f"is no whole number of {unit} (met 4; expected {expected})"
    assert f"indexClause.intervalMonths: {message}" == str(caught.value)
    assert "contradiction" == caught.value.problems[0].code


def test_without_a_published_value_there_is_nothing_to_compare() -> None:
    found = reference(indices=CPI, reference="last_published")
    with pytest.raises(MissingIndexError) as caught:
        found.to_point(month("2023-02"))

    assert MissingIndexError("no_known_index", series="NPI", at="2023-02-01") == caught.value


# fmt: off
CHANGES: list[tuple[dict[str, Any], str, Fraction]] = [
    # The contract may state its first value: 109.07 at the start, whatever the series says there;
    # elsewhere the series counts.
    (HEALTH, "2019-08 2022-10", Fraction("127.92") / Fraction("109.07") - 1),
    (HEALTH, "2020-08 2022-10", Fraction("127.92") / 111 - 1),
    # The mean of several values: (100 + 102 + 104) / 3 = 102 over (94 + 96 + 98) / 3 = 96, the
    # Helsinki way.
    ({"reference": "year_mean", "mean_of": 3, "indices": series(
      {"2018": 94, "2019": 96, "2020": 98, "2021": 100, "2022": 102, "2023": 104})},
     "2020 2023", Fraction(102, 96) - 1),
    # The mean of two: (100 + 109) / 2 over (90 + 100) / 2 is 1.1.
    ({"index_month": 10, "mean_of": 2, "indices": series(
      {"2019-09": 90, "2019-10": 100, "2020-09": 100, "2020-10": 109})},
     "2019-10 2020-10", Fraction(1, 10)),
    # A mean may be rounded: (100 + 101 + 104) / 3 = 101.666…, over three years of 100.
    ({"reference": "year_mean", "mean_of": 3, "mean_decimals": 0, "indices": series(YEARS)},
     "2020 2023", Fraction(2, 100)),
    ({"reference": "year_mean", "mean_of": 3, "mean_decimals": 1, "indices": series(YEARS)},
     "2020 2023", Fraction("0.017")),
    # So may that of a year: the mean of 100 and 101 in quarters is 100.5, so 101.
    ({"reference": "year_mean", "mean_decimals": 0, "indices": series(QUARTERS)},
     "2021 2022", Fraction(1, 100)),
    # Published changes since the point that was kept are chained: 1.02 × 1.03 × 0.99 = 1.040094.
    ({"reference": "year_mean", "indices": RATES}, "2019 2022", Fraction("0.040094")),
    # An interval counts every such change: −0.01, and 1.02 × 0.99 = 1.0098.
    ({"reference": "year_mean", "interval_years": 2, "indices": RATES}, "2020 2022",
     Fraction("-0.01")),
    ({"reference": "year_mean", "interval_years": 2, "indices": RATES}, "2018 2022",
     Fraction("0.0098")),
    # A point of another unit chains nothing.
    ({"reference": "year_mean", "indices": RATES}, "2019-06 2021", Fraction(3, 100)),
]
# fmt: on


@rows(("fields", "points", "change"), CHANGES)
def test_the_change_between_two_points_is_exact(
    fields: dict[str, Any], points: str, change: Fraction
) -> None:
    start, to = map(point, points.split())

    assert change == reference(**fields).compared(to, start).change


def compared(points: str, index_month: int | None = None, **fields: Any) -> IndexChange:  # noqa: ANN401
    start, to = map(point, points.split())
    return reference(index_month, **fields).compared(to, start)


def test_the_ratio_is_exact() -> None:
    """110 / 100 − 1, and 10 points."""
    found = compared("2019-10 2020-10", 10)

    assert (Fraction(1, 10), Fraction(10)) == (found.change, found.points)
    assert [100, 110] == [found.from_value, found.to_value]
    assert ("2019-10", "2020-10") == (str(found.from_point), str(found.to_point))
    assert NPI == found.series


@rows("points", ["2020-10 2021-10", "2021-10 2020-10"])
def test_a_missing_value_is_named(points: str) -> None:
    with pytest.raises(MissingIndexError) as caught:
        compared(points, 10)

    assert "2021-10" == caught.value.facts["at"]


def test_the_mean_of_yearly_changes_may_be_compared() -> None:
    """Ontario: the mean of 2 percent and 4 percent is 3; there are no points, and one series."""
    found = compared(
        "2021-02 2022-02", indices=TWO_MONTHS, lag_months=2, mean_of=2, mean_of_what="changes"
    )

    assert (Fraction(3, 100), None) == (found.change, found.points)
    assert (None, None) == (found.from_value, found.from_point)
    assert (TWO_MONTHS, point("2022-02")) == (found.series, found.to_point)


@rows(
    ("prices", "lower_of", "change", "name"),
    [(104, ("WAGES", "TWIN"), 3, "WAGES"), (101, ("WAGES",), 1, "CPI")],
)
def test_the_lowest_change_of_several_series_counts(
    prices: int, lower_of: tuple[str, ...], change: int, name: str
) -> None:
    """Wages rise by 3 percent, as their twin does, prices by 4 or by 1."""
    cpi = series({"2022-10": 100, "2023-10": prices}, name="CPI")
    twin = series({"2022-10": 10, "2023-10": "10.3"}, name="TWIN")
    passed = [cpi, WAGES, twin][: 1 + len(lower_of)]
    found = compared("2022-10 2023-10", 10, indices=passed, series="CPI", lower_of=lower_of)

    assert (Fraction(change, 100), name) == (found.change, found.series.name)


def test_a_published_change_has_no_levels() -> None:
    found = compared("2020 2021", indices=RATES, reference="year_mean")

    assert (Fraction(3, 100), point("2021")) == (found.change, found.to_point)
    assert (None, None, None) == (found.from_point, found.from_value, found.points)


def test_the_only_series_needs_no_name() -> None:
    assert NPI == reference(10).series
    assert NPI == reference(10, base="2015=100").series


def test_one_of_several_series_is_named() -> None:
    assert (
        "CPI" == reference(10, (NPI, series({"2019-10": 1}, name="CPI")), series="CPI").series.name
    )


@rows(
    ("fields", "indices", "series", "passed"),
    [
        ({"series": "CPI"}, NPI, "CPI", "NPI"),
        ({"series": "CPI"}, None, "CPI", "none"),
        ({"lower_of": ("WAGES",)}, NPI, "WAGES", "NPI"),
        ({"series": "WAGES"}, (NPI, series({"2019-10": 1}, name="CPI")), "WAGES", "NPI, CPI"),
        ({}, None, "of the rule", "none"),
    ],
)
def test_a_series_that_was_not_passed_is_missed(
    fields: dict[str, Any], indices: AnyIndices, series: str, passed: str
) -> None:
    with pytest.raises(MissingIndexError) as caught:
        reference(10, indices, **fields)

    assert MissingIndexError("missing_series", series=series, passed=passed) == caught.value


class TestShown:
    """Figures as they are reported."""

    @rows(
        ("at", "value", "shown"),
        [
            ("2019-10", Fraction(1048, 10), "104.80"),
            ("2019-10", Fraction(1049, 10), "104.9"),
            ("2020-10", Fraction(305, 3), "101.6666666667"),
            (None, Fraction(7), "7"),
        ],
    )
    def test_an_index_is_as_published_or_has_ten_decimals(
        self, at: str | None, value: Fraction, shown: str
    ) -> None:
        there = None if at is None else point(at)

        assert shown == f"{shown_index(series({'2019-10': '104.80'}), there, value):f}"

    def test_no_index_is_none(self) -> None:
        assert None is shown_index(NPI, None, None)

    @rows(
        ("value", "shown"),
        [(Fraction(1, 10**7), "0"), (Fraction(200), "200"), (Fraction(-1, 40), "-0.025")],
    )
    def test_zeros_at_the_end_are_left_out(self, value: Fraction, shown: str) -> None:
        assert shown == f"{trimmed(value, 6):f}"

    def test_zeros_of_a_whole_number_stay(self) -> None:
        """200, rounded to whole ones."""
        assert "200" == f"{trimmed(Fraction(200), 0):f}"

    def test_an_index_has_no_more_digits_than_a_number_may_have(self) -> None:
        """1,234,567 / 7 = 176,366.714285714285…: six digits and nine decimals (A1)."""
        assert "176366.714285714" == f"{shown_index(NPI, None, Fraction(1_234_567, 7)):f}"


BASE = "indexClause.base: is not the base of the series NPI (met '2025=100'; expected"
REBASED = "or the series rebased by its link factor)"
# fmt: off
REFUSED: list[tuple[dict[str, Any], str, str]] = [
    # Index figures of two bases have no ratio (A41).
    ({"lag_months": 2, "base": "2025=100", "indices": NPI}, "base_mismatch",
     f"{BASE} 2015=100, {REBASED}"),
    ({"lag_months": 2, "base": "2025=100", "indices": series({"2019-10": 100}, base=None)},
     "base_mismatch", f"{BASE} a base, {REBASED}"),
    ({"base": "2015=100", "start_point": point("2019"), "start_index": "100",
      "reference": "year_mean", "indices": series({"2020": "0.01"}, kind="change")}, "says_nothing",
     ("indexClause.startIndex: does not apply to published changes (met 100; expected none, or a"
     " series of levels)")),
    ({"start_point": "2019-06", "reference": "year_mean", "indices": RATES}, "contradiction",
     ("indexClause.startPoint: is no year, and published changes follow each other by the year (met"
     " '2019-06'; expected a year)")),
    ({"lag_months": 2, "indices": (NPI, series({"2019-10": 1}, name="CPI"))}, "series_needed",
     ("indexClause.series: is missing, and several series were passed (met None; expected one of"
     " NPI, CPI)")),
]
# fmt: on


@rows(
    ("fields", "code", "text"), REFUSED, ids=["base", "no base", "start index", "start", "series"]
)
def test_a_clause_that_does_not_fit_its_series_is_refused(
    fields: dict[str, Any], code: str, text: str
) -> None:
    with pytest.raises(InvalidAdjustmentRuleError) as refused:
        reference(**fields)

    assert (text, code) == (str(refused.value), refused.value.problems[0].code)
