"""References: which points a rule compares, and the change between them (A33, A40, A41)."""

from fractions import Fraction
from functools import partial
from typing import Any

import rentbilling as rb
from rentbilling.adjustments.rules.index_comparison import Reference, shown_index, trimmed
from rentbilling.indices import AnyIndices, IndexPoint, series_of
from tests.support.plans import by_index, lease, ruled, series
from tests.support.refusals import Call, refused
from tests.support.rows import rows

NPI = series({"2019-10": 100, "2020-10": 110})
OTHER = series({"2019-10": 1}, name="CPI")
point = IndexPoint.parse


def reference(
    index_month: int | None = None,
    indices: AnyIndices = NPI,
    **fields: Any,  # noqa: ANN401
) -> Reference:
    """Return the reference of a rule with this index month and a clause of these fields."""
    return Reference(by_index(index_month=index_month, **fields), series_of(indices))


def compared_from(found: Reference, adjusted: str) -> str:
    to = found.to_point(point(adjusted).number)
    return f"{found.from_point(to, point(adjusted).number)} {to}"


# fmt: off
CPI = series({"2023-01": 100, "2023-02": 101, "2023-03": 102, "2022": 99}, assumed=["2023-03"],
             known={"2023-01": "2023-02-10", "2023-02": "2023-03-10", "2022": "2023-01-10"})
ON_THE_DAY, A_DAY_LATER = (
    series({"2020-10": 110, "2020-11": 111}, known={"2020-10": "2020-11-10", "2020-11": known})
    for known in ("2021-01-01", "2021-01-02"))
LAST: dict[str, Any] = {"reference": "last_published", "indices": CPI}
QUARTER: dict[str, Any] = {"reference": "quarter"}
MEAN: dict[str, Any] = {"reference": "year_mean"}
POINTS: list[tuple[str, dict[str, Any], str]] = [
    # Without a clause, the latest index month that lies two months before (A33).
    *((adjusted, {"index_month": month}, found) for adjusted, month, found in (
        ("2026-01", 10, "2024-10 2025-10"), ("2026-01", 11, "2024-11 2025-11"),
        ("2026-01", 12, "2023-12 2024-12"), ("2026-01", 1, "2024-01 2025-01"),
        ("2026-07", 5, "2025-05 2026-05"), ("2026-07", 6, "2024-06 2025-06"),
        ("2026-03", 1, "2025-01 2026-01"), ("2026-02", 12, "2024-12 2025-12"))),
    # A lag counts from the adjustment, an interval as a whole; the year of the index may be given.
    ("2024-02", {"lag_months": 4}, "2022-10 2023-10"),
    ("2024-02", {"lag_months": 0}, "2023-02 2024-02"),
    ("2024-02", {"lag_months": 1, "interval_years": 3}, "2021-01 2024-01"),
    ("2024-02", {"lag_months": 2, "interval_months": 6}, "2023-06 2023-12"),
    ("2024-02", {"lag_months": 4, "from_lag_months": 60}, "2019-02 2023-10"),
    ("2024-01", {"index_month": 10, "interval_years": 5}, "2018-10 2023-10"),
    *(("2023-07", {"index_month": 4, "year_offset": years}, found) for years, found in enumerate((
        "2022-04 2023-04", "2021-04 2022-04", "2020-04 2021-04"))),
    # A quarter counts by its last month: the last one that is published, or a named one.
    *((adjusted, {**QUARTER, "lag_months": lag}, found) for adjusted, lag, found in (
        ("2024-01", 2, "2022-Q3 2023-Q3"), ("2023-11", 2, "2022-Q3 2023-Q3"),
        ("2023-10", 2, "2022-Q2 2023-Q2"), ("2024-01", 3, "2022-Q3 2023-Q3"),
        ("2024-01", 4, "2022-Q3 2023-Q3"), ("2024-01", 5, "2022-Q2 2023-Q2"))),
    *(("2023-03", {**QUARTER, **fields}, found) for fields, found in (
        ({"index_quarter": 2}, "2021-Q2 2022-Q2"), ({"index_quarter": 4}, "2021-Q4 2022-Q4"),
        ({"index_quarter": 1, "year_offset": 1}, "2021-Q1 2022-Q1"),
        ({"index_quarter": 1, "year_offset": 0}, "2022-Q1 2023-Q1"),
        ({"index_quarter": 2, "interval_years": 3}, "2019-Q2 2022-Q2"),
        ({"index_month": 6}, "2021-Q2 2022-Q2"), ({"index_month": 10}, "2021-Q4 2022-Q4"))),
    ("2023-05", {**QUARTER, "lag_months": 2, "interval_months": 6}, "2022-Q3 2023-Q1"),
    *(("2023-04", {**MEAN, **fields}, found) for fields, found in (
        ({}, "2021 2022"), ({"year_offset": 1}, "2021 2022"), ({"year_offset": 2}, "2020 2021"),
        ({"year_offset": 0}, "2022 2023"), ({"interval_years": 2}, "2020 2022"))),
    # The last value that was published by the day; an assumed value counts two months later.
    ("2023-03", LAST, "2022-01 2023-01"), ("2023-04", LAST, "2022-02 2023-02"),
    ("2023-05", LAST, "2022-03 2023-03"),
    ("2021-01", {**LAST, "indices": ON_THE_DAY}, "2019-11 2020-11"),
    ("2021-01", {**LAST, "indices": A_DAY_LATER}, "2019-10 2020-10"),
]

YEARS = series({"2018": 100, "2019": 100, "2020": 100, "2021": 100, "2022": 101, "2023": 104})
QUARTERS = series({f"2021-Q{each}": 100 for each in (1, 2, 3, 4)}
                  | {"2022-Q1": 100, "2022-Q2": 101, "2022-Q3": 100, "2022-Q4": 101})
RATES = series({"2020": "0.02", "2021": "0.03", "2022": "-0.01"}, base=None, kind="change")
HEALTH: dict[str, Any] = {
    "indices": series({"2019-08": "110", "2020-08": "111", "2022-10": "127.92"}), "lag_months": 1,
    "start_point": "2019-08", "start_index": "109.07", "base": "2015=100", "basis": "anchored"}
CHANGES: list[tuple[dict[str, Any], str, Fraction]] = [
    # 109.07 at the start, whatever the series says there; elsewhere the series counts.
    (HEALTH, "2019-08 2022-10", Fraction("127.92") / Fraction("109.07") - 1),
    (HEALTH, "2020-08 2022-10", Fraction("127.92") / 111 - 1),
    # (100 + 109) / 2 over (90 + 100) / 2 is 1.1; 305 / 3 = 101.666…; the mean of a year is 100.5.
    ({"index_month": 10, "mean_of": 2, "indices": series(
      {"2019-09": 90, "2019-10": 100, "2020-09": 100, "2020-10": 109})},
     "2019-10 2020-10", Fraction(1, 10)),
    ({**MEAN, "mean_of": 3, "mean_decimals": 0, "indices": YEARS}, "2020 2023", Fraction(2, 100)),
    ({**MEAN, "mean_of": 3, "indices": YEARS}, "2020 2023", Fraction(305, 300) - 1),
    ({**MEAN, "mean_decimals": 0, "indices": QUARTERS}, "2021 2022", Fraction(1, 100)),
    # Published changes are chained: 1.02 × 1.03 × 0.99 = 1.040094; every other one, 1.02 × 0.99.
    ({**MEAN, "indices": RATES}, "2019 2022", Fraction("0.040094")),
    ({**MEAN, "interval_years": 2, "indices": RATES}, "2020 2022", Fraction("-0.01")),
    ({**MEAN, "interval_years": 2, "indices": RATES}, "2018 2022", Fraction("0.0098")),
    # A point of another unit chains nothing.
    ({**MEAN, "indices": RATES}, "2019-06 2021", Fraction(3, 100)),
]
SHOWN = [
    # As published, or with ten decimals, and no more digits than a number may have (A1).
    *((shown, shown_index(series({"2019-10": "104.80"}), at, value)) for at, value, shown in (
        (point("2019-10"), Fraction(1048, 10), "104.80"),
        (point("2019-10"), Fraction(1049, 10), "104.9"),
        (point("2020-10"), Fraction(305, 3), "101.6666666667"), (None, Fraction(7), "7"),
        (None, Fraction(1_234_567, 7), "176366.714285714"), (None, None, "None"))),
    *((shown, trimmed(value, places)) for value, places, shown in (
        (Fraction(1, 10**7), 6, "0"), (Fraction(200), 6, "200"), (Fraction(-1, 40), 6, "-0.025"),
        (Fraction(200), 0, "200"))),
]

BASE = "indexClause.base: is not the base of the series NPI (met '2025=100'; expected"
LINKED = "or the series rebased by its link factor)"
NO_POINTS = ("rentAdjustmentPlans[0].rentAdjustmentRules[0].indexClause.thresholdUnit: is of"
             " points, and the series has none (met 'points'; expected percent)")
REFUSED: list[tuple[str, str, Call]] = [
    # Index figures of two bases have no ratio (A41).
    *(("base_mismatch", f"{BASE} {base or 'a base'}, {LINKED}", partial(
        reference, lag_months=2, base="2025=100", indices=series({"2019-10": 100}, base=base)))
      for base in ("2015=100", None)),
    ("says_nothing", ("indexClause.startIndex: does not apply to published changes (met 100;"
                      " expected none, or a series of levels)"), lambda: reference(
        base="2015=100", start_point=point("2019"), start_index="100", **MEAN,
        indices=series({"2020": "0.01"}, kind="change"))),
    ("contradiction", ("indexClause.startPoint: is no year, and published changes follow each"
                       " other by the year (met '2019-06'; expected a year)"),
     lambda: reference(start_point="2019-06", indices=RATES, **MEAN)),
    ("series_needed", ("indexClause.series: is missing, and several series were passed (met None;"
                       " expected one of NPI, CPI)"),
     lambda: reference(lag_months=2, indices=(NPI, OTHER))),
    *(("contradiction", f"indexClause.intervalMonths: is no whole number of {unit} (met 4; {end}",
       lambda fields=fields: compared_from(reference(interval_months=4, **fields), "2023-05"))
      for fields, unit, end in (
        ({**QUARTER, "lag_months": 2}, "quarters", "expected a multiple of 3)"),
        (MEAN, "years", "expected a multiple of 12)"))),
    # Points of what has none.
    *(("contradiction", NO_POINTS, lambda fields=fields, values=values: rb.rent_adjustments(
        lease(ruled(threshold="10", threshold_unit="points", **fields)), "2021", indices=values))
      for fields, values in (
        (MEAN, series({"2019": "0.01", "2020": "0.02"}, kind="change")),
        ({"mean_of": 2, "mean_of_what": "changes"},
         series({"2019-10": 100, "2020-10": 110, "2019-09": 100, "2020-09": 110})))),
    # What is about levels, of changes of months (A152).
    *((code, "", lambda fields=fields: rb.rent_adjustments(
        lease(ruled(series="M", **fields)), "2026", indices=(MONTHS, OTHER))) for code, fields in (
        ("says_nothing", {"start_point": "2024-12", "start_index": "100", "base": "B"}),
        ("says_nothing", {"mean_of": 3, "mean_decimals": 1}),
        ("says_nothing", {**MEAN, "mean_decimals": 1}),
        ("says_nothing", {"threshold": "5", "threshold_unit": "points"}))),
]
MONTHS = series({f"2025-{month:02}": "0.001" for month in range(1, 13)}, "M", base=None,
                kind="monthly_change")
MISSING: list[tuple[rb.MissingIndexError, Call]] = [
    (rb.MissingIndexError("no_known_index", series="NPI", at="2023-02-01"),
     lambda: reference(**LAST).to_point(2023 * 12 + 1)),
    *((rb.MissingIndexError("missing_index", series="NPI", base="2015=100", at="2021-10"),
       lambda to=to, start=start: reference(10).compared(point(to), point(start)))
      for start, to in (("2020-10", "2021-10"), ("2021-10", "2020-10"))),
    *((rb.MissingIndexError("missing_series", series=name, passed=passed),
       lambda fields=fields, given=given: reference(10, given, **fields))
      for fields, given, name, passed in (
        ({"series": "CPI"}, NPI, "CPI", "NPI"), ({"series": "CPI"}, None, "CPI", "none"),
        ({"lower_of": ("WAGES",)}, NPI, "WAGES", "NPI"), ({}, None, "of the rule", "none"),
        ({"series": "WAGES"}, (NPI, OTHER), "WAGES", "NPI, CPI"))),
]
# fmt: on


@rows(("adjusted", "fields", "expected"), POINTS)
def test_a_rule_compares_these_points(adjusted: str, fields: dict[str, Any], expected: str) -> None:
    assert expected == compared_from(reference(**fields), adjusted)


@rows(("fields", "points", "change"), CHANGES)
def test_the_change_between_two_points_is_exact(
    fields: dict[str, Any], points: str, change: Fraction
) -> None:
    start, to = map(point, points.split())

    assert change == reference(**fields).compared(to, start).change


@rows(("expected", "found"), SHOWN)
def test_an_index_is_shown(expected: str, found: object) -> None:
    assert expected == (f"{found:f}" if found is not None else "None")


@rows(("code", "sentence", "call"), REFUSED)
def test_what_does_not_fit_its_series_is_refused(code: str, sentence: str, call: Call) -> None:
    error = refused(call)

    assert (code, sentence or str(error)) == (error.problems[0].code, str(error))


@rows(("expected", "call"), MISSING)
def test_what_is_not_there_is_missed(expected: rb.MissingIndexError, call: Call) -> None:
    assert expected == refused(call, rb.MissingIndexError)
