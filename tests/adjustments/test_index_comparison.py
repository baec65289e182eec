"""References: which points a rule compares, and the change between them (A33, A40, A41)."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from rentbilling import IndexPoint, IndexSeries, MissingIndexError, RentAdjustmentRule
from rentbilling.adjustments.index_comparison import Reference, shown_index, trimmed
from rentbilling.errors import InvalidAdjustmentRuleError
from rentbilling.indices import AnyIndices, series_of
from tests.support.plans import by_index, series

NPI = series({"2019-10": 100, "2020-10": 110})


def point(text: str) -> IndexPoint:
    return IndexPoint.parse(text)


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


def points(found: Reference, when: str) -> tuple[str, str]:
    to = found.to_point(month(when))
    return str(found.from_point(to, month(when))), str(to)


class TestMonths:
    """Without a clause, the latest index month that lies two months before (A33)."""

    @pytest.mark.parametrize(
        ("adjusted", "index_month", "start", "to"),
        [
            ("2026-01", 10, "2024-10", "2025-10"),
            ("2026-01", 11, "2024-11", "2025-11"),
            ("2026-01", 12, "2023-12", "2024-12"),
            ("2026-01", 1, "2024-01", "2025-01"),
            ("2026-07", 4, "2025-04", "2026-04"),
            ("2026-07", 5, "2025-05", "2026-05"),
            ("2026-07", 6, "2024-06", "2025-06"),
            ("2026-03", 1, "2025-01", "2026-01"),
            ("2026-02", 12, "2024-12", "2025-12"),
        ],
    )
    def test_the_latest_that_is_published(
        self, adjusted: str, index_month: int, start: str, to: str
    ) -> None:
        assert (start, to) == points(reference(index_month), adjusted)

    @pytest.mark.parametrize(
        ("fields", "start", "to"),
        [
            ({"lag_months": 4}, "2022-10", "2023-10"),
            ({"lag_months": 0}, "2023-02", "2024-02"),
            ({"lag_months": 1, "interval_years": 3}, "2021-01", "2024-01"),
            ({"lag_months": 2, "interval_months": 6}, "2023-06", "2023-12"),
            ({"lag_months": 4, "from_lag_months": 60}, "2019-02", "2023-10"),
        ],
        ids=str,
    )
    def test_a_lag_counts_from_the_adjustment(
        self, fields: dict[str, Any], start: str, to: str
    ) -> None:
        """Four months before February 2024 is October 2023, the Dutch way."""
        assert (start, to) == points(reference(**fields), "2024-02")

    @pytest.mark.parametrize(
        ("offset", "start", "to"),
        [(0, "2022-04", "2023-04"), (1, "2021-04", "2022-04"), (2, "2020-04", "2021-04")],
    )
    def test_a_year_may_be_told(self, offset: int, start: str, to: str) -> None:
        assert (start, to) == points(reference(4, year_offset=offset), "2023-07")

    def test_an_interval_of_years_is_compared_as_a_whole(self) -> None:
        assert ("2018-10", "2023-10") == points(reference(10, interval_years=5), "2024-01")


class TestQuartersAndYears:
    """A quarter counts by its last month, a year by its mean."""

    @pytest.mark.parametrize(
        ("adjusted", "to"), [("2024-01", "2023-Q3"), ("2023-11", "2023-Q3"), ("2023-10", "2023-Q2")]
    )
    def test_the_last_quarter_that_is_published(self, adjusted: str, to: str) -> None:
        assert to == points(reference(reference="quarter", lag_months=2), adjusted)[1]

    @pytest.mark.parametrize(
        ("fields", "start", "to"),
        [
            ({"index_quarter": 2}, "2021-Q2", "2022-Q2"),
            ({"index_quarter": 4}, "2021-Q4", "2022-Q4"),
            ({"index_quarter": 1, "year_offset": 1}, "2021-Q1", "2022-Q1"),
            ({"index_quarter": 1, "year_offset": 0}, "2022-Q1", "2023-Q1"),
            ({"index_quarter": 2, "interval_years": 3}, "2019-Q2", "2022-Q2"),
        ],
        ids=str,
    )
    def test_a_quarter_may_be_named(self, fields: dict[str, Any], start: str, to: str) -> None:
        """The latest second quarter before March 2023, the fourth, and by years."""
        assert (start, to) == points(reference(reference="quarter", **fields), "2023-03")

    @pytest.mark.parametrize(("index_month", "to"), [(6, "2022-Q2"), (10, "2022-Q4")])
    def test_an_index_month_names_its_quarter(self, index_month: int, to: str) -> None:
        assert to == points(reference(index_month, reference="quarter"), "2023-03")[1]

    def test_every_half_year_by_quarters(self) -> None:
        found = reference(reference="quarter", lag_months=2, interval_months=6)

        assert ("2022-Q3", "2023-Q1") == points(found, "2023-05")

    @pytest.mark.parametrize(
        ("fields", "start", "to"),
        [
            ({}, "2021", "2022"),
            ({"year_offset": 1}, "2021", "2022"),
            ({"year_offset": 2}, "2020", "2021"),
            ({"year_offset": 0}, "2022", "2023"),
            ({"interval_years": 2}, "2020", "2022"),
        ],
        ids=str,
    )
    def test_the_mean_of_a_year(self, fields: dict[str, Any], start: str, to: str) -> None:
        assert (start, to) == points(reference(reference="year_mean", **fields), "2023-04")

    @pytest.mark.parametrize(
        ("fields", "unit", "expected"),
        [
            ({"reference": "quarter", "lag_months": 2}, "quarters", "a multiple of 3"),
            ({"reference": "year_mean"}, "years", "a multiple of 12"),
        ],
    )
    def test_an_interval_that_splits_its_unit_is_refused(
        self, fields: dict[str, Any], unit: str, expected: str
    ) -> None:
        found = reference(interval_months=4, **fields)
        with pytest.raises(InvalidAdjustmentRuleError) as caught:
            points(found, "2023-05")

        (problem,) = caught.value.problems
        assert ("indexClause.intervalMonths", "contradiction", f"is no whole number of {unit}") == (
            problem.path,
            problem.code,
            problem.message,
        )
        assert ("4", expected) == (problem.met, problem.expected)


class TestLastPublished:
    """The last value that was published by the day of the adjustment."""

    CPI = series(
        {"2023-01": 100, "2023-02": 101, "2023-03": 102, "2022": 99},
        known={"2023-01": "2023-02-10", "2023-02": "2023-03-10", "2022": "2023-01-10"},
        assumed=["2023-03"],
    )

    @pytest.mark.parametrize(
        ("adjusted", "to"), [("2023-03", "2023-01"), ("2023-04", "2023-02"), ("2023-05", "2023-03")]
    )
    def test_the_day_decides(self, adjusted: str, to: str) -> None:
        """February is out on 10 March; an assumed value counts two months later."""
        found = reference(indices=self.CPI, reference="last_published")

        assert to == str(found.to_point(month(adjusted)))

    def test_nothing_published_is_an_error(self) -> None:
        found = reference(indices=self.CPI, reference="last_published")
        with pytest.raises(MissingIndexError) as caught:
            found.to_point(month("2023-02"))

        assert MissingIndexError("no_known_index", series="NPI", at="2023-02-01") == caught.value


class TestChanges:
    """The change between two points of one series."""

    def compared(self, found: Reference, to: str, start: str) -> Fraction:
        return found.compared(point(to), point(start)).change

    def test_the_ratio_is_exact(self) -> None:
        """110 / 100 − 1, and 10 points."""
        found = reference(10).compared(point("2020-10"), point("2019-10"))

        assert (Fraction(1, 10), Fraction(10)) == (found.change, found.points)
        assert [100, 110] == [found.from_value, found.to_value]
        assert (point("2019-10"), point("2020-10"), NPI) == (
            found.from_point,
            found.to_point,
            found.series,
        )

    def test_a_missing_value_is_named(self) -> None:
        for to, start in (("2021-10", "2020-10"), ("2020-10", "2021-10")):
            with pytest.raises(MissingIndexError) as caught:
                reference(10).compared(point(to), point(start))
            assert "2021-10" == caught.value.facts["at"]

    def test_the_contract_may_state_its_first_value(self) -> None:
        """109.07 at the start, whatever the series says there; elsewhere the series counts."""
        health = series({"2019-08": "110", "2020-08": "111", "2022-10": "127.92"})
        found = reference(
            indices=health,
            lag_months=1,
            start_point="2019-08",
            start_index="109.07",
            base="2015=100",
            basis="anchored",
        )

        assert Fraction("127.92") / Fraction("109.07") - 1 == self.compared(
            found, "2022-10", "2019-08"
        )
        assert Fraction("127.92") / 111 - 1 == self.compared(found, "2022-10", "2020-08")

    def test_the_mean_of_several_values_may_be_compared(self) -> None:
        """(100 + 102 + 104) / 3 = 102 over (94 + 96 + 98) / 3 = 96, the Helsinki way."""
        values = {"2018": 94, "2019": 96, "2020": 98, "2021": 100, "2022": 102, "2023": 104}
        found = reference(indices=series(values), reference="year_mean", mean_of=3)

        assert Fraction(102, 96) - 1 == self.compared(found, "2023", "2020")

    @pytest.mark.parametrize(("decimals", "mean"), [(0, "102"), (1, "101.7")])
    def test_a_mean_may_be_rounded(self, decimals: int, mean: str) -> None:
        """(100 + 101 + 104) / 3 = 101.666…, over the same mean of three years of 100."""
        values = {"2018": 100, "2019": 100, "2020": 100, "2021": 100, "2022": 101, "2023": 104}
        found = reference(
            indices=series(values), reference="year_mean", mean_of=3, mean_decimals=decimals
        )

        assert Fraction(mean) / 100 - 1 == self.compared(found, "2023", "2020")

    def test_a_yearly_mean_may_be_rounded(self) -> None:
        """The mean of 100 and 101 in quarters is 100.5, so 101."""
        values = {f"2021-Q{each}": 100 for each in (1, 2, 3, 4)}
        values |= {"2022-Q1": 100, "2022-Q2": 101, "2022-Q3": 100, "2022-Q4": 101}
        found = reference(indices=series(values), reference="year_mean", mean_decimals=0)

        assert Fraction(1, 100) == self.compared(found, "2022", "2021")

    def test_the_mean_of_yearly_changes_may_be_compared(self) -> None:
        """Ontario: the mean of 2 percent and 4 percent is 3; no points stand beside it."""
        values = {"2021-01": 100, "2021-02": 100, "2022-01": 102, "2022-02": 104}
        found = reference(
            indices=series(values), lag_months=2, mean_of=2, mean_of_what="changes"
        ).compared(point("2022-02"), point("2021-02"))

        assert (Fraction(3, 100), None, None, None) == (
            found.change,
            found.points,
            found.from_value,
            found.from_point,
        )

    def test_the_lowest_change_of_several_series_counts(self) -> None:
        """Prices 4 percent, wages 3, and a cap of 2.2: the effect tells which one it was."""
        both = [
            series({"2022-10": 100, "2023-10": 104}, name="CPI"),
            series({"2022-10": 50, "2023-10": "51.5"}, name="WAGES"),
            series({"2022-10": 10, "2023-10": "10.3"}, name="TWIN"),
        ]
        found = reference(10, both, series="CPI", lower_of=("WAGES", "TWIN")).compared(
            point("2023-10"), point("2022-10")
        )

        assert (Fraction(3, 100), "WAGES") == (found.change, found.series.name)

    def test_the_first_series_counts_where_it_is_the_lowest(self) -> None:
        """Prices 1 percent, wages 3."""
        both = [
            series({"2022-10": 100, "2023-10": 101}, name="CPI"),
            series({"2022-10": 50, "2023-10": "51.5"}, name="WAGES"),
        ]
        found = reference(10, both, series="CPI", lower_of=("WAGES",)).compared(
            point("2023-10"), point("2022-10")
        )

        assert (Fraction(1, 100), "CPI") == (found.change, found.series.name)


class TestPublishedChanges:
    """A series of published changes has no levels."""

    RATES = IndexSeries(
        "RATES", {"2020": "0.02", "2021": "0.03", "2022": Decimal("-0.01")}, kind="change"
    )

    def test_the_published_change_counts(self) -> None:
        found = reference(indices=self.RATES, reference="year_mean")
        compared = found.compared(point("2021"), point("2020"))

        assert (Fraction(3, 100), None, None, None, point("2021")) == (
            compared.change,
            compared.from_point,
            compared.from_value,
            compared.points,
            compared.to_point,
        )

    def test_changes_since_the_point_that_was_kept_are_chained(self) -> None:
        """1.02 × 1.03 × 0.99 = 1.040094."""
        found = reference(indices=self.RATES, reference="year_mean")

        assert Fraction("0.040094") == found.compared(point("2022"), point("2019")).change

    def test_an_interval_counts_every_such_change(self) -> None:
        found = reference(indices=self.RATES, reference="year_mean", interval_years=2)

        assert Fraction("-0.01") == found.compared(point("2022"), point("2020")).change
        assert Fraction("1.02") * Fraction("0.99") - 1 == (
            found.compared(point("2022"), point("2018")).change
        )

    def test_a_start_of_another_unit_is_refused(self) -> None:
        with pytest.raises(InvalidAdjustmentRuleError) as refused:
            reference(indices=self.RATES, reference="year_mean", start_point="2019-06")

        (problem,) = refused.value.problems
        assert ("contradiction", "indexClause.startPoint") == (problem.code, problem.path)
        assert "a year" == problem.expected

    def test_points_of_another_unit_chain_nothing(self) -> None:
        found = reference(indices=self.RATES, reference="year_mean")

        assert Fraction(3, 100) == found.compared(point("2021"), point("2019-06")).change


class TestSeries:
    """Which series a rule follows."""

    def rule(self, **fields: Any) -> RentAdjustmentRule:  # noqa: ANN401
        return by_index(**fields)

    def test_the_only_series_needs_no_name(self) -> None:
        assert NPI == Reference(self.rule(), series_of(NPI)).series

    def test_one_of_several_has_to_be_named(self) -> None:
        both = series_of([NPI, series({"2019-10": 1}, name="CPI")])

        assert "CPI" == Reference(self.rule(series="CPI"), both).series.name
        with pytest.raises(InvalidAdjustmentRuleError) as caught:
            Reference(self.rule(), both)
        (problem,) = caught.value.problems
        assert ("indexClause.series", "series_needed", "one of NPI, CPI") == (
            problem.path,
            problem.code,
            problem.expected,
        )

    @pytest.mark.parametrize(
        ("fields", "indices", "facts"),
        [
            ({"series": "CPI"}, NPI, {"series": "CPI", "passed": "NPI"}),
            ({"series": "CPI"}, None, {"series": "CPI", "passed": "none"}),
            ({"lower_of": ("WAGES",)}, NPI, {"series": "WAGES", "passed": "NPI"}),
        ],
    )
    def test_a_series_that_was_not_passed_is_missed(
        self, fields: dict[str, Any], indices: AnyIndices, facts: dict[str, str]
    ) -> None:
        with pytest.raises(MissingIndexError) as caught:
            Reference(self.rule(**fields), series_of(indices))

        assert facts.items() <= caught.value.facts.items()
        assert "missing_series" == caught.value.code

    def test_no_series_at_all_is_missed(self) -> None:
        with pytest.raises(MissingIndexError) as caught:
            Reference(self.rule(), series_of(None))

        assert ("missing_series", "none") == (caught.value.code, caught.value.facts["passed"])

    def test_a_series_of_another_base_is_refused(self) -> None:
        """Index figures of two bases have no ratio (A41)."""
        assert NPI == Reference(self.rule(base="2015=100"), series_of(NPI)).series
        with pytest.raises(InvalidAdjustmentRuleError) as caught:
            Reference(self.rule(base="2025=100"), series_of(NPI))
        (problem,) = caught.value.problems
        assert ("indexClause.base", "base_mismatch", "'2025=100'") == (
            problem.path,
            problem.code,
            problem.met,
        )


class TestShown:
    """Figures as they are reported."""

    @pytest.mark.parametrize(
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

    @pytest.mark.parametrize(
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


class TestInFull:
    """What does not fit a series is refused with all that a person needs."""

    RATES = series({"2020": "0.01", "2021": "0.02"}, kind="change")

    BASE = "indexClause.base: is not the base of the series NPI (met '2025=100'; expected"
    REBASED = "or the series rebased by its link factor)"
    LEVELS = "(met 100; expected none, or a series of levels)"
    START = "is no year, and published changes follow each other by the year"
    SEVERAL = "is missing, and several series were passed"

    @pytest.mark.parametrize(
        ("fields", "indices", "text"),
        [
            ({"base": "2025=100"}, NPI, f"{BASE} 2015=100, {REBASED}"),
            (
                {"base": "2025=100"},
                series({"2019-10": 100}, base=None),
                f"{BASE} a base, {REBASED}",
            ),
            (
                {
                    "base": "2015=100",
                    "start_point": IndexPoint.parse("2019"),
                    "start_index": "100",
                    "reference": "year_mean",
                },
                RATES,
                f"indexClause.startIndex: says nothing about published changes {LEVELS}",
            ),
            (
                {"start_point": "2019-06", "reference": "year_mean"},
                RATES,
                f"indexClause.startPoint: {START} (met '2019-06'; expected a year)",
            ),
            (
                {},
                (NPI, series({"2019-10": 1}, name="CPI")),
                f"indexClause.series: {SEVERAL} (met None; expected one of NPI, CPI)",
            ),
        ],
        ids=["base", "no base", "start index", "start point", "series"],
    )
    def test_a_clause(self, fields: dict[str, Any], indices: AnyIndices, text: str) -> None:
        month_or_year = {} if "reference" in fields else {"lag_months": 2}
        with pytest.raises(InvalidAdjustmentRuleError) as refused:
            reference(indices=indices, **fields, **month_or_year)

        assert text == str(refused.value)

    def test_a_series_that_is_not_among_those_passed(self) -> None:
        both = (NPI, series({"2019-10": 1}, name="CPI"))
        with pytest.raises(MissingIndexError) as missed:
            reference(indices=both, series="WAGES", lag_months=2)

        assert "NPI, CPI" == missed.value.facts["passed"]


class TestWhatIsCompared:
    """Means, lags and days of publication, at their edges."""

    def test_the_mean_of_two_values(self) -> None:
        """(100 + 109) / 2 over (90 + 100) / 2 is 1.1."""
        values = {"2019-09": 90, "2019-10": 100, "2020-09": 100, "2020-10": 109}
        found = reference(10, series(values), mean_of=2)

        assert Fraction(1, 10) == found.compared(point("2020-10"), point("2019-10")).change

    def test_the_mean_of_two_changes_tells_its_series_and_point(self) -> None:
        """2 and 4 percent, of the series that was passed."""
        values = series({"2021-01": 100, "2021-02": 100, "2022-01": 102, "2022-02": 104})
        found = reference(indices=values, lag_months=2, mean_of=2, mean_of_what="changes")
        compared = found.compared(point("2022-02"), point("2021-02"))

        assert (values, point("2022-02")) == (compared.series, compared.to_point)

    @pytest.mark.parametrize(("lag", "to"), [(3, "2023-Q3"), (4, "2023-Q3"), (5, "2023-Q2")])
    def test_a_quarter_may_lie_further_back(self, lag: int, to: str) -> None:
        """Four months before January 2024 ends September, five months before it does not."""
        assert to == points(reference(reference="quarter", lag_months=lag), "2024-01")[1]

    @pytest.mark.parametrize(
        ("known", "to"), [("2021-01-01", "2020-11"), ("2021-01-02", "2020-10")]
    )
    def test_what_is_published_on_the_day_is_known(self, known: str, to: str) -> None:
        values = series(
            {"2020-10": 110, "2020-11": 111}, known={"2020-10": "2020-11-10", "2020-11": known}
        )

        assert point(to) == reference(indices=values, reference="last_published").to_point(
            month("2021-01")
        )
