"""Index series: exact values, what was known when, other bases, assumptions, and refusals (A41)."""

import pickle
from collections.abc import Callable, Mapping
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any, cast

import pytest
from hypothesis import given, strategies as st

from rentbilling.errors import (
    InvalidAmountError,
    InvalidInputError,
    InvalidPeriodError,
    InvalidRecordError,
    MissingIndexError,
    UnknownWordError,
)
from rentbilling.indices import AnyIndices, IndexKind, IndexPoint, IndexSeries, IndexUnit, series_of
from rentbilling.indices.values import Factor
from rentbilling.records import read_json, write_json
from rentbilling.values import YearMonth

NPI = IndexSeries(
    "NPI",
    {"2021-04": "104.8", "2021-05": "105.0", "2022-04": "111.6"},
    base="2015=100",
    source="Danmarks Statistik, PRIS116",
)
"""Three values of the Danish net price index, as they are published."""

CPI = IndexSeries(
    "CPI",
    {"2023-01": "101.5", "2023-02": 102, "2023-03": Decimal("102.25"), "2022": "98.0"},
    known={"2023-01": "2023-02-10", "2023-02": date(2023, 3, 10), "2022": "2023-01-10"},
    provisional=["2023-02"],
)
"""Three months and a yearly mean; nobody knows when the third month was published."""


def point(text: str) -> IndexPoint:
    return IndexPoint.parse(text)


def texts(points: "tuple[IndexPoint, ...] | frozenset[IndexPoint]") -> list[str]:
    return [str(each) for each in points]


def values_of(series: IndexSeries) -> dict[str, str]:
    return {str(each): str(value) for each, value in series.values.items()}


def months(year: int, *values: int) -> dict[str, int]:
    return {f"{year}-{at:02d}": value for at, value in enumerate(values, 1)}


def refusal(error: InvalidInputError) -> list[tuple[str, str]]:
    return [(each.path, each.code) for each in error.problems]


class TestWhatIsStated:
    """A series keeps what it is given, as values."""

    def test_a_value_is_exact(self) -> None:
        """111.6 / 104.8 = 1116/1048 = 279/262, which is 6.4885 % more."""
        change = NPI.value_at("2022-04") / NPI.value_at("2021-04")

        assert Fraction(279, 262) == change
        assert Fraction("0.064885") < change - 1 < Fraction("0.064886")

    @pytest.mark.parametrize("at", ["2021-04", YearMonth(2021, 4), point("2021-04")], ids=repr)
    def test_a_point_may_be_given_in_any_way(self, at: str | YearMonth | IndexPoint) -> None:
        series = IndexSeries("NPI", {at: "104.8"})

        assert Fraction(1048, 10) == series.value_at(at)
        assert {"2021-04": "104.8"} == values_of(series)

    def test_months_quarters_and_years_stand_in_order(self) -> None:
        series = IndexSeries("X", {"2022": 4, "2021-Q2": 3, "2021-06": 2, "2020": 5, "2020-06": 1})

        assert ["2020-06", "2021-06", "2021-Q2", "2020", "2022"] == texts(series.points)
        assert series.points == tuple(series.values)

    def test_what_is_said_of_the_series_is_kept(self) -> None:
        assert ("NPI", "2015=100", "level", "Danmarks Statistik, PRIS116") == (
            NPI.name,
            NPI.base,
            NPI.kind,
            NPI.source,
        )
        assert {point("2023-01"), point("2023-02"), point("2022")} == CPI.known.keys()
        assert date(2023, 3, 10) == CPI.known[point("2023-02")]
        assert (["2023-02"], []) == (texts(CPI.provisional), texts(CPI.assumed))

    def test_nothing_else_need_be_said(self) -> None:
        series = IndexSeries("X", {"2021": 1}, provisional={"2021"}, assumed=iter(["2021"]))

        assert (None, "level", {}, None) == (series.base, series.kind, series.known, series.source)
        assert (["2021"], ["2021"]) == (texts(series.provisional), texts(series.assumed))

    @pytest.mark.parametrize(
        ("values", "decimals"),
        [
            ({"2021": "104.80", "2022": 1}, 2),
            ({"2021": 1898}, 0),
            ({"2021": Decimal("1E+3")}, 0),
            ({}, 0),
        ],
        ids=repr,
    )
    def test_decimals_are_the_most_that_are_written(
        self, values: dict[str, Any], decimals: int
    ) -> None:
        """A closing zero counts, because it was published."""
        assert decimals == IndexSeries("X", values).decimals

    def test_holes_are_named(self) -> None:
        series = IndexSeries(
            "X", {"2021-11": 1, "2022-02": 1, "2020-Q4": 1, "2021-Q2": 1, "2019": 1, "2021": 1}
        )

        assert ["2021-12", "2022-01", "2021-Q1", "2020"] == texts(series.holes)

    def test_a_series_without_gaps_has_no_holes(self) -> None:
        assert () == CPI.holes == IndexSeries("X", {}).holes

    def test_changes_may_be_zero_or_below(self) -> None:
        """A published change is a fraction: 0.0216 is 2.16 % (A5)."""
        series = IndexSeries("SATS", {"2021": "0.0216", "2022": 0, "2023": "-0.003"}, kind="change")

        assert [Fraction(27, 1250), 0, Fraction(-3, 1000)] == [
            series.value_at(year) for year in ("2021", "2022", "2023")
        ]

    @pytest.mark.parametrize("value", [-1, 10])
    def test_a_change_may_be_all_or_tenfold(self, value: int) -> None:
        assert value == IndexSeries("X", {"2021": value}, kind="change").value_at("2021")


class TestMeans:
    """A coarser point without a stated value is the mean of finer ones, all of them."""

    def test_a_quarter_is_the_mean_of_its_months(self) -> None:
        """(101.5 + 102 + 102.25) / 3 = 305.75 / 3 = 1223/12, not rounded."""
        assert Fraction(1223, 12) == CPI.value_at("2023-Q1") == CPI.value_at(point("2023-Q1"))

    def test_a_year_is_the_mean_of_its_months(self) -> None:
        """1 + 2 + … + 12 = 78, and 78 / 12 = 6.5."""
        assert Fraction(13, 2) == IndexSeries("X", months(2021, *range(1, 13))).value_at("2021")

    def test_a_year_is_the_mean_of_its_quarters(self) -> None:
        """(101 + 102 + 103 + 105) / 4 = 411/4."""
        quarters = {f"2021-Q{at}": value for at, value in enumerate((101, 102, 103, 105), 1)}

        assert Fraction(411, 4) == IndexSeries("X", quarters).value_at("2021")

    def test_the_mean_of_months_comes_before_that_of_quarters(self) -> None:
        """Both are there: the months give 6.5, the quarters would give 1."""
        quarters = dict.fromkeys((f"2021-Q{at}" for at in range(1, 5)), 1)
        series = IndexSeries("X", {**months(2021, *range(1, 13)), **quarters})

        assert Fraction(13, 2) == series.value_at("2021")

    def test_a_stated_value_comes_before_any_mean(self) -> None:
        """The office's yearly mean is rounded, and is what was published: 1913 of Finland."""
        series = IndexSeries("EKI", {**months(2016, *([1912] * 12)), "2016": 1913})

        assert 1913 == series.value_at("2016")

    @pytest.mark.parametrize("at", ["2021", "2021-Q4"])
    def test_a_mean_with_a_month_missing_is_no_mean(self, at: str) -> None:
        series = IndexSeries("X", {**months(2021, *range(1, 12)), "2020": 100})

        with pytest.raises(MissingIndexError):
            series.value_at(at)
        with pytest.raises(MissingIndexError):
            series.value_at("2020-01")

    def test_a_mean_is_as_provisional_as_any_of_its_parts(self) -> None:
        found = [CPI.is_provisional(at) for at in ("2023-01", "2023-02", "2023-Q1", "2022")]

        assert [False, True, True, False] == found

    def test_a_mean_is_as_assumed_as_any_of_its_parts(self) -> None:
        series = IndexSeries("X", months(2021, 1, 2, 3), assumed=["2021-03"])

        assert [False, True, True] == [
            series.is_assumed(at) for at in ("2021-01", "2021-03", "2021-Q1")
        ]


class TestWhatIsMissing:
    """A value that is not there is an error that names it (A41)."""

    def test_a_missing_value_is_named(self) -> None:
        with pytest.raises(MissingIndexError) as caught:
            NPI.value_at("2022-05")

        expected = MissingIndexError("missing_index", series="NPI", base="2015=100", at="2022-05")
        assert expected == caught.value

    def test_the_day_is_named_where_one_was_asked_for(self) -> None:
        """Published on 10 March, and asked for on the 9th."""
        with pytest.raises(MissingIndexError) as caught:
            CPI.value_at(YearMonth(2023, 2), known_on="2023-03-09")

        expected = MissingIndexError(
            "missing_index", series="CPI", base=None, at="2023-02", known_on=date(2023, 3, 9)
        )
        assert expected == caught.value

    @pytest.mark.parametrize("question", [CPI.is_provisional, CPI.is_assumed])
    def test_a_missing_value_is_neither_provisional_nor_final(
        self, question: Callable[[str], bool]
    ) -> None:
        with pytest.raises(MissingIndexError, match="at 2024-01"):
            question("2024-01")

    def test_a_point_that_cannot_be_read_is_refused(self) -> None:
        """A month is asked for as 2021-04."""
        with pytest.raises(InvalidPeriodError, match="is not a month, quarter or year"):
            NPI.value_at("April 2021")

    def test_a_day_that_cannot_be_read_is_refused(self) -> None:
        """A day is 2021-04-01."""
        with pytest.raises(InvalidPeriodError) as caught:
            NPI.value_at("2021-04", known_on="2021-04")

        assert [("known_on", "not_a_date")] == refusal(caught.value)

    def test_a_day_that_is_none_is_no_day(self) -> None:
        with pytest.raises(TypeError, match="day is a date or its text"):
            NPI.known_on(cast("Any", None))


class TestKnownOn:
    """Only what was published by a day counts (A41)."""

    @pytest.mark.parametrize(
        ("day", "known"),
        [
            ("2023-01-09", ["2023-03"]),
            ("2023-01-10", ["2023-03", "2022"]),
            ("2023-03-09", ["2023-01", "2023-03", "2022"]),
            (date(2023, 3, 10), ["2023-01", "2023-02", "2023-03", "2022"]),
        ],
    )
    def test_a_value_counts_from_the_day_of_its_publication(
        self, day: date | str, known: list[str]
    ) -> None:
        series = CPI.known_on(day)

        assert known == texts(series.points)
        assert known == [
            str(each) for each in CPI.points if value_or_none(CPI, each, day) is not None
        ]

    def test_what_is_said_of_a_value_goes_with_it(self) -> None:
        series = CPI.known_on("2023-02-10")

        assert {"2023-01", "2022"} == {str(each) for each in series.known}
        assert frozenset() == series.provisional

    def test_an_assumed_value_was_never_published(self) -> None:
        """So it counts on no day, unless the caller says from which day on (A41)."""
        series = IndexSeries(
            "X",
            {"2021": 100, "2022": 102, "2023": 104},
            known={"2023": "2022-06-01"},
            assumed=["2022", "2023"],
        )

        assert ["2021", "2023"] == texts(series.known_on("2050-01-01").points)
        assert 102 == series.value_at("2022")
        with pytest.raises(MissingIndexError):
            series.value_at("2022", known_on="2050-01-01")

    def test_a_yearly_value_not_yet_published_leaves_the_mean_of_the_months(self) -> None:
        """All months are known, the rounded yearly value comes later: 78 / 12 = 6.5, then 7."""
        series = IndexSeries(
            "X", {**months(2021, *range(1, 13)), "2021": 7}, known={"2021": "2022-02-01"}
        )

        assert Fraction(13, 2) == series.value_at("2021", known_on="2022-01-31")
        assert 7 == series.value_at("2021", known_on="2022-02-01")

    @pytest.mark.parametrize(
        ("unit", "day", "latest"),
        [
            ("month", None, "2023-03"),
            ("year", None, "2022"),
            ("month", "2023-01-01", "2023-03"),
            ("year", "2023-01-10", "2022"),
        ],
    )
    def test_the_latest_value_is_found(self, unit: IndexUnit, day: str | None, latest: str) -> None:
        assert latest == str(CPI.latest(unit, known_on=day))

    def test_the_latest_month_known_is_the_last_published(self) -> None:
        """The 10 February has January, the day before nothing."""
        series = IndexSeries(
            "X", months(2023, 1, 2), known={"2023-01": "2023-02-10", "2023-02": "2023-03-10"}
        )

        assert "2023-01" == str(series.latest(known_on="2023-03-09"))
        with pytest.raises(MissingIndexError) as caught:
            series.latest(known_on="2023-02-09")
        expected = MissingIndexError(
            "missing_index", series="X", base=None, at="month", known_on=date(2023, 2, 9)
        )
        assert expected == caught.value

    def test_no_value_of_a_unit_has_no_latest(self) -> None:
        with pytest.raises(MissingIndexError) as caught:
            NPI.latest("quarter")

        expected = MissingIndexError("missing_index", series="NPI", base="2015=100", at="quarter")
        assert expected == caught.value

    def test_an_unknown_unit_is_refused(self) -> None:
        with pytest.raises(UnknownWordError) as caught:
            NPI.latest(cast("Any", "week"))

        assert [("unit", "unknown_word")] == refusal(caught.value)


def value_or_none(series: IndexSeries, at: IndexPoint, day: date | str) -> Fraction | None:
    try:
        return series.value_at(at, known_on=day)
    except MissingIndexError:
        return None


class TestRefusals:
    """What cannot be a series is refused with its path, all of it at once."""

    @pytest.mark.parametrize(
        ("given", "kind", "found"),
        [
            ({"name": ""}, InvalidRecordError, ("name", "empty_text")),
            ({"name": " "}, InvalidRecordError, ("name", "empty_text")),
            ({"name": None}, InvalidRecordError, ("name", "not_a_text")),
            ({"base": 2015}, InvalidRecordError, ("base", "not_a_text")),
            ({"base": ""}, InvalidRecordError, ("base", "empty_text")),
            ({"source": []}, InvalidRecordError, ("source", "not_a_text")),
            ({"kind": "percent"}, UnknownWordError, ("kind", "unknown_word")),
            ({"kind": []}, UnknownWordError, ("kind", "unknown_word")),
            ({"values": [("2021", 1)]}, InvalidRecordError, ("values", "not_an_object")),
            ({"known": ["2021"]}, InvalidRecordError, ("known", "not_an_object")),
            ({"known": {"2021": "soon"}}, InvalidPeriodError, ("known.2021", "not_a_date")),
            (
                {"known": {"2022": "2022-01-01"}},
                InvalidRecordError,
                ("known.2022", "no_such_value"),
            ),
            ({"known": {"x": "2022-01-01"}}, InvalidPeriodError, ("known.x", "not_an_index_point")),
            ({"provisional": "2021"}, InvalidRecordError, ("provisional", "wrong_value")),
            ({"provisional": 2021}, InvalidRecordError, ("provisional", "wrong_value")),
            ({"provisional": {"2021": 1}}, InvalidRecordError, ("provisional", "wrong_value")),
            ({"provisional": ["2022"]}, InvalidRecordError, ("provisional[0]", "no_such_value")),
            ({"assumed": ("2021", "2022")}, InvalidRecordError, ("assumed[1]", "no_such_value")),
            ({"assumed": [2021]}, InvalidPeriodError, ("assumed[0]", "not_an_index_point")),
        ],
        ids=repr,
    )
    def test_a_part_that_is_wrong_is_named(
        self, given: dict[str, Any], kind: type[InvalidInputError], found: tuple[str, str]
    ) -> None:
        right = {"name": "X", "values": {"2021": "100"}}

        with pytest.raises(InvalidInputError) as caught:
            IndexSeries(**(right | given))

        assert (kind, [found]) == (type(caught.value), refusal(caught.value))

    @pytest.mark.parametrize(
        ("value", "code"),
        [
            (0, "not_positive"),
            ("-104.8", "not_positive"),
            ("104,8", "not_a_number"),
            ("1e3", "not_a_number"),
            (" 104.8", "not_a_number"),
            ("NaN", "not_a_number"),
            ("", "not_a_number"),
            (None, "not_a_number"),
            (True, "not_a_number"),
            (104.8, "not_a_number"),
            (Fraction(1, 3), "not_a_number"),
            (Decimal("NaN"), "not_finite"),
            (Decimal("Infinity"), "not_finite"),
            ("1.0000000000000001", "too_many_digits"),
            (10**15, "too_many_digits"),
        ],
        ids=repr,
    )
    def test_a_level_is_an_exact_number_above_zero(self, value: object, code: str) -> None:
        """A binary number, a percent sign, an index of 0 have no place here (A1)."""
        with pytest.raises(InvalidAmountError) as caught:
            IndexSeries("X", {"2021-06": cast("Any", value)})

        assert [("values.2021-06", code)] == refusal(caught.value)

    @pytest.mark.parametrize("value", ["2.16 %", "-1.01", "10.1", Decimal("NaN")], ids=repr)
    def test_a_change_is_a_fraction(self, value: str | Decimal) -> None:
        """Below −1 nothing would be left, above 10 a percentage was meant (A5)."""
        with pytest.raises(InvalidAmountError) as caught:
            IndexSeries("X", {"2021": value}, kind="change")

        assert ["values.2021"] == [each.path for each in caught.value.problems]

    def test_a_change_out_of_range_says_what_is_meant(self) -> None:
        """12 would be 1,200 percent."""
        with pytest.raises(InvalidAmountError) as caught:
            IndexSeries("X", {"2021": 12}, kind="change")

        (problem,) = caught.value.problems
        assert ("out_of_range", "a fraction: 0.0216 is 2.16 percent") == (
            problem.code,
            problem.expected,
        )

    @pytest.mark.parametrize(
        "values",
        [
            {"2021-Q2": 1, "2021-q2": 1},
            {"2021-Q2": 1, point("2021-Q2"): 2},
        ],
        ids=repr,
    )
    def test_a_point_under_two_spellings_is_refused(self, values: dict[Any, Any]) -> None:
        with pytest.raises(InvalidRecordError) as caught:
            IndexSeries("X", values)

        assert [("values.2021-Q2", "duplicate_point")] == refusal(caught.value)

    def test_a_month_given_twice_is_refused(self) -> None:
        with pytest.raises(InvalidRecordError) as caught:
            IndexSeries("X", {"2021-06": 1, YearMonth(2021, 6): 1})

        assert [("values.2021-06", "duplicate_point")] == refusal(caught.value)

    def test_every_problem_is_told_at_once(self) -> None:
        with pytest.raises(InvalidInputError) as caught:
            IndexSeries(
                "",
                {"2021-13": 1, 2022: 1, "2021-01": 0, "2021-02": "1"},
                known={"2021-01": "x", "2021-02": "2021-02-01"},
                assumed={"2021-03", "2021-02", "2021-04"},
            )

        assert InvalidRecordError is type(caught.value)
        assert [
            ("values.2021-13", "not_an_index_point"),
            ("values.2022", "not_an_index_point"),
            ("values.2021-01", "not_positive"),
            ("name", "empty_text"),
            ("known.2021-01", "not_a_date"),
            ("assumed[1]", "no_such_value"),
            ("assumed[2]", "no_such_value"),
        ] == refusal(caught.value)


class TestBases:
    """Another base takes a factor that somebody stated."""

    def test_a_factor_keeps_every_ratio(self) -> None:
        """Finland's own: CPI 2015=100 times 19.058689 is the index of 1951, 99.57 gives 1898.

        99.57 × 19.058689 = 1897.67366373, published as a whole number.
        """
        cpi = IndexSeries("CPI", {"2016-01": "99.57", "2016-02": "100.00"}, base="2015=100")

        rebased = cpi.rebased("1951:10=100", factor=Decimal("19.058689"))

        assert {"2016-01": "1897.67366373", "2016-02": "1905.8689"} == values_of(rebased)
        assert ("CPI", "1951:10=100") == (rebased.name, rebased.base)
        whole = cpi.rebased("1951:10=100", factor=Decimal("19.058689"), decimals=0)
        assert {"2016-01": "1898", "2016-02": "1906"} == values_of(whole)

    @pytest.mark.parametrize(
        ("factor", "value"),
        [(Fraction(1, 4), "26.2"), (2, "209.6"), (Decimal("0.5"), "52.4")],
        ids=repr,
    )
    def test_a_factor_is_any_exact_number(self, factor: Factor, value: str) -> None:
        """104.8 / 4 = 26.2, 104.8 × 2 = 209.6, 104.8 / 2 = 52.4."""
        assert value == values_of(NPI.rebased(None, factor=factor))["2021-04"]

    def test_a_point_becomes_100(self) -> None:
        """111.6 / 104.8 × 100 = 106.4885… and 105.0 / 104.8 × 100 = 100.1908…, to two decimals."""
        rebased = NPI.rebased("2021-04=100", at="2021-04", decimals=2)

        expected = {"2021-04": "100.00", "2021-05": "100.19", "2022-04": "106.49"}
        assert expected == values_of(rebased)

    def test_the_mean_of_a_year_becomes_100(self) -> None:
        """The mean of 1 to 12 is 6.5; 13 / 6.5 × 100 = 200."""
        series = IndexSeries("X", {**months(2021, *range(1, 13)), "2022-01": 13})

        rebased = series.rebased("2021=100", at="2021", decimals=3)

        assert (Fraction(200), "15.385") == (
            rebased.value_at("2022-01"),
            values_of(rebased)["2021-01"],
        )

    def test_rounding_is_chosen(self) -> None:
        """105.0 / 104.8 × 100 = 100.1908… rounds up to 100.2, down to 100.1."""
        found = [
            values_of(NPI.rebased(None, at="2021-04", decimals=1, rounding=mode))["2021-05"]
            for mode in ("half_up", "up", "down")
        ]

        assert ["100.2", "100.2", "100.1"] == found

    def test_what_is_known_of_a_value_stays(self) -> None:
        rebased = CPI.rebased(None, factor=1)

        assert CPI == rebased

    @pytest.mark.parametrize(
        "how",
        [{"at": "2021-04"}, {"factor": Fraction(1, 3)}, {"factor": Decimal("1.23456789012345")}],
    )
    def test_values_without_an_end_need_decimals(self, how: dict[str, Any]) -> None:
        """More than 15 digits cannot be written, and nothing is rounded unasked."""
        with pytest.raises(InvalidRecordError) as caught:
            NPI.rebased(None, **how)

        assert [("decimals", "decimals_needed")] == refusal(caught.value)

    def test_a_rounded_value_may_be_too_long_too(self) -> None:
        """104.8 / 3 with 14 decimals has 16 digits."""
        with pytest.raises(InvalidAmountError) as caught:
            NPI.rebased(None, factor=Fraction(1, 3), decimals=14)

        assert [("values.2021-04", "too_many_digits")] == refusal(caught.value)

    def test_a_value_that_rounds_to_nothing_is_refused(self) -> None:
        """104.8 × 0.001 = 0.1048 has no whole part."""
        with pytest.raises(InvalidAmountError) as caught:
            IndexSeries("X", {"2021": "104.8"}).rebased(None, factor=Decimal("0.001"), decimals=0)

        assert [("values.2021", "not_positive")] == refusal(caught.value)

    @pytest.mark.parametrize("how", [{}, {"factor": 2, "at": "2021-04"}], ids=repr)
    def test_exactly_one_way_is_given(self, how: dict[str, Any]) -> None:
        with pytest.raises(InvalidRecordError) as caught:
            NPI.rebased("x", **how)

        assert [("factor", "factor_or_at")] == refusal(caught.value)

    @pytest.mark.parametrize(
        ("factor", "code"),
        [(0, "not_positive"), (Decimal(-1), "not_positive"), (Decimal("NaN"), "not_finite")],
        ids=repr,
    )
    def test_a_factor_is_above_zero(self, factor: Factor, code: str) -> None:
        with pytest.raises(InvalidAmountError) as caught:
            NPI.rebased("x", factor=factor)

        assert [("factor", code)] == refusal(caught.value)

    def test_a_binary_factor_is_refused(self) -> None:
        with pytest.raises(TypeError, match="an exact number is needed"):
            NPI.rebased("x", factor=cast("Any", 0.5))

    def test_a_base_point_that_is_missing_is_named(self) -> None:
        with pytest.raises(MissingIndexError, match="at 2021"):
            NPI.rebased("2021=100", at="2021")

    def test_an_unknown_rounding_is_refused_also_where_nothing_is_rounded(self) -> None:
        with pytest.raises(UnknownWordError):
            NPI.rebased("x", factor=1, rounding=cast("Any", "bankers"))

    def test_changes_have_no_base(self) -> None:
        changes = IndexSeries("SATS", {"2021": "0.02"}, kind="change")

        acts: tuple[Callable[[], IndexSeries], ...] = (
            lambda: changes.rebased("x", factor=2),
            lambda: changes.linked(NPI, factor=2),
            lambda: NPI.linked(changes, factor=2),
        )
        for act in acts:
            with pytest.raises(InvalidRecordError) as caught:
                act()
            assert [("kind", "not_levels")] == refusal(caught.value)


class TestLinks:
    """Two bases become one series by published factors."""

    OLD = IndexSeries("IPC 1992", {"2001-01": "133.413", "2001-08": "136.745"}, base="1992")
    NEW = IndexSeries("IPC 2025", {"2002-01": "58.717", "2002-08": "60.030"}, base="2025=100")
    LINKS: Mapping[int, Any] = {1: Decimal("2.341468"), 8: Decimal("2.360835")}

    def test_each_calendar_month_may_have_its_factor(self) -> None:
        """Spain's coefficients lead from the new base to that of 1992, rounded to 3 decimals.

        58.717 × 2.341468 = 137.483976…, 60.030 × 2.360835 = 141.720925…; the year to January 2002
        is 137.484 / 133.413 = 1.0305…: 3.1 %.
        """
        linked = self.NEW.linked(self.OLD, factor=self.LINKS, decimals=3)

        assert ("IPC 1992", "1992") == (linked.name, linked.base)
        assert {
            "2001-01": "133.413",
            "2001-08": "136.745",
            "2002-01": "137.484",
            "2002-08": "141.721",
        } == values_of(linked)
        change = linked.value_at("2002-01") / linked.value_at("2001-01") - 1
        assert Fraction("0.0305") < change < Fraction("0.0306")

    def test_old_values_can_go_to_the_new_base(self) -> None:
        """The other way the coefficient divides: 133.413 / 2.341468 = 56.97835…."""
        links = {month: 1 / Fraction(link) for month, link in self.LINKS.items()}

        linked = self.OLD.linked(self.NEW, factor=links, decimals=3)

        assert ("IPC 2025", "2025=100") == (linked.name, linked.base)
        assert "56.978" == values_of(linked)["2001-01"]
        assert "58.717" == values_of(linked)["2002-01"]

    def test_values_of_the_newer_series_win(self) -> None:
        old = IndexSeries("X", {"2021-01": 50, "2021-02": 51, "2021": 50}, source="A")
        new = IndexSeries("X", {"2021-02": 103, "2021": 101}, base="new", source="B")

        linked = old.linked(new, factor={1: 2})

        assert {"2021-01": "100", "2021-02": "103", "2021": "101"} == values_of(linked)
        assert "B; A" == linked.source

    def test_what_is_said_of_values_comes_from_where_they_come_from(self) -> None:
        old = IndexSeries(
            "X",
            {"2020": 50, "2021": 51},
            known={"2020": "2021-01-10", "2021": "2022-01-10"},
            provisional=["2020", "2021"],
            assumed=["2021"],
        )
        new = IndexSeries(
            "X", {"2021": 103, "2022": 104}, known={"2022": "2023-01-10"}, assumed=["2022"]
        )

        linked = old.linked(new, factor=2)

        assert {"2020": "2021-01-10", "2022": "2023-01-10"} == {
            str(at): str(day) for at, day in linked.known.items()
        }
        assert (["2020"], ["2022"]) == (texts(linked.provisional), texts(linked.assumed))
        assert linked.source is None

    @pytest.mark.parametrize(
        ("factor", "path"),
        [(None, "factor"), ({8: 2}, "factor.1"), ({}, "factor.1"), ({1: None}, "factor.1")],
        ids=repr,
    )
    def test_a_factor_is_never_guessed(self, factor: object, path: str) -> None:
        with pytest.raises(InvalidRecordError) as caught:
            self.OLD.linked(self.NEW, factor=cast("Any", factor))

        assert [(path, "link_factor_needed")] == refusal(caught.value)

    def test_a_factor_by_calendar_month_is_for_months(self) -> None:
        with pytest.raises(InvalidRecordError) as caught:
            IndexSeries("X", {"2020-Q1": 1}).linked(self.NEW, factor=self.LINKS)

        assert [("factor", "link_factor_needed")] == refusal(caught.value)

    def test_a_factor_of_a_month_is_above_zero(self) -> None:
        with pytest.raises(InvalidAmountError) as caught:
            self.OLD.linked(self.NEW, factor={1: 0, 8: 1})

        assert [("factor.1", "not_positive")] == refusal(caught.value)

    def test_only_series_are_linked(self) -> None:
        with pytest.raises(TypeError, match="an IndexSeries is linked with another"):
            self.OLD.linked(cast("Any", {"2021": 1}), factor=2)


class TestAssumptions:
    """Values after the last published ones are assumed only when asked for, and marked."""

    def test_each_further_point_builds_on_the_year_before(self) -> None:
        """118.0 × 1.02 = 120.36, × 1.02 = 122.7672, × 1.02 = 125.222544."""
        series = IndexSeries("NPI", {"2024": "118.0"}).extended(until="2027-12")

        assert {
            "2024": "118.0",
            "2025": "120.360000",
            "2026": "122.767200",
            "2027": "125.222544",
        } == values_of(series)
        assert ["2025", "2026", "2027"] == sorted(texts(series.assumed))

    def test_every_unit_of_the_series_goes_on(self) -> None:
        series = IndexSeries(
            "X",
            {
                **months(2021, *range(101, 113)),
                "2020-Q2": 100,
                "2020-Q3": 100,
                "2020-Q4": 100,
                "2021-Q1": 110,
                "2020": 100,
            },
        )

        longer = series.extended(Decimal("0.1"), until="2022-02", decimals=1)

        assert {
            "2022-01": "111.1",
            "2022-02": "112.2",
            "2021-Q2": "110.0",
            "2021-Q3": "110.0",
            "2021-Q4": "110.0",
            "2021": "110.0",
        } == {at: value for at, value in values_of(longer).items() if point(at) in longer.assumed}

    def test_assumed_values_are_rounded_half_up(self) -> None:
        """105 × 1.1 = 115.5 gives 116, and 116 × 1.1 = 127.6 gives 128: from what is written."""
        series = IndexSeries("X", {"2021": 105}).extended(Decimal("0.1"), "2023", 0)

        assert ["105", "116", "128"] == list(values_of(series).values())

    def test_each_year_may_have_its_rate(self) -> None:
        """100 × 1.03 = 103, × 1 = 103, × 0.99 = 101.97."""
        rates: dict[int, Decimal | int] = {2022: Decimal("0.03"), 2023: 0, 2024: Decimal("-0.01")}

        series = IndexSeries("X", {"2021": 100}).extended(rates, until="2024", decimals=2)

        assert ["100", "103.00", "103.00", "101.97"] == list(values_of(series).values())

    def test_assumed_changes_are_the_rate_itself(self) -> None:
        series = IndexSeries("X", {"2021-03": "0.031"}, kind="change").extended(until="2021-05")

        assert {"2021-03": "0.031", "2021-04": "0.02", "2021-05": "0.02"} == values_of(series)
        assert [False, True] == [series.is_assumed(at) for at in ("2021-03", "2021-05")]

    def test_the_end_of_2056_is_far_enough_by_default(self) -> None:
        """From 2022 on that is 35 years of 12 months."""
        series = IndexSeries("X", months(2021, *([100] * 12))).extended()

        assert (35 * 12, "2056-12") == (len(series.assumed), str(series.latest()))

    def test_published_values_are_all_that_was_known(self) -> None:
        """An assumption is never mixed up with them (A41)."""
        series = IndexSeries("X", months(2021, *([100] * 12)))

        assert series == series.extended().known_on("2040-01-01")
        assert "2021-12" == str(series.extended().latest(known_on="2040-01-01"))

    def test_a_series_that_is_long_enough_stays_as_it_is(self) -> None:
        empty = IndexSeries("X", {})

        assert NPI == NPI.extended(until="2022-04")
        assert empty == empty.extended()

    def test_the_calendar_s_last_year_can_be_assumed(self) -> None:
        """Nothing is asked of the year 10000."""
        series = IndexSeries("X", {"9998": 100}).extended(until="9999")

        assert {"9998": "100", "9999": "102.000000"} == values_of(series)

    def test_a_month_without_one_a_year_before_stays_without(self) -> None:
        """May 2022 builds on May 2021, which is there; June has nothing to build on."""
        found = values_of(NPI.extended(until="2022-06"))

        assert "107.100000" == found["2022-05"]
        assert "2022-06" not in found

    def test_a_series_of_octobers_gets_further_octobers(self) -> None:
        """100, then 102 and 104.04: the months that a lease asks for are enough."""
        series = IndexSeries("X", {"2023-10": 100}).extended(until="2025-12")

        assert {"2023-10": "100", "2024-10": "102.000000", "2025-10": "104.040000"} == values_of(
            series
        )

    @pytest.mark.parametrize(
        ("rate", "found"),
        [
            ({2023: 0}, ("rate.2022", "missing")),
            ({2022: Decimal(11)}, ("rate.2022", "out_of_range")),
            (Decimal("-1.5"), ("rate", "out_of_range")),
            (0.02, ("rate", "not_a_number")),
            (None, ("rate", "not_a_number")),
        ],
        ids=repr,
    )
    def test_a_rate_that_is_missing_or_wrong_is_refused(
        self, rate: object, found: tuple[str, str]
    ) -> None:
        """A rate is a fraction: 0.02 is 2 % (A5)."""
        with pytest.raises(InvalidInputError) as caught:
            IndexSeries("X", {"2021": 100}).extended(cast("Any", rate), until="2022")

        assert [found] == refusal(caught.value)

    def test_a_value_that_grows_too_long_is_refused_at_once(self) -> None:
        """11 times each year: 100,000,000 × 11 ** 7 = 1,948,717,100,000,000 has 16 digits."""
        series = IndexSeries("X", {"2021": 10**8})

        with pytest.raises(InvalidAmountError) as caught:
            series.extended(10, until="9999")

        assert [("values.2028", "too_many_digits")] == refusal(caught.value)

    def test_an_end_that_cannot_be_read_is_refused(self) -> None:
        with pytest.raises(InvalidPeriodError):
            NPI.extended(until="2030-01-01")


class TestLines:
    """A text with a line for each value."""

    @pytest.mark.parametrize(
        "text",
        [
            "2021-04;104,8\n2022-Q1;110",
            "month;NPI\n2021-04;104.8;;\n2022-Q1;110\n",
            "\ufeff# NPI; 2015=100\n\nPeriod\tValue\r\n2021-04\t104,8\r\n2022-Q1\t110\r\n",
            '"month","2015=100"\n"2021-04","104.8"\n , \n"2022-q1", 110',
            "Net price index\n2021-04; 104,8 ;;no\n2022-Q1;110;;final",
        ],
        ids=repr,
    )
    def test_semicolons_tabs_or_commas_part_the_fields(self, text: str) -> None:
        series = IndexSeries.from_csv(text, name="NPI")

        assert {"2021-04": "104.8", "2022-Q1": "110"} == values_of(series)

    def test_days_of_publication_and_marks_may_follow(self) -> None:
        series = IndexSeries.from_csv(
            "2021,100,2022-01-10\n2022,101,,Provisional\n2023,102,2024-01-10,yes\n",
            name="CPI",
            base="2021=100",
            source="office",
        )

        assert series == IndexSeries(
            "CPI",
            {"2021": 100, "2022": 101, "2023": 102},
            base="2021=100",
            known={"2021": "2022-01-10", "2023": "2024-01-10"},
            provisional=["2022", "2023"],
            source="office",
        )

    def test_changes_are_read_as_they_are_written(self) -> None:
        """A percentage is not guessed: 2.16 would be 216 %."""
        series = IndexSeries.from_csv("2021;-0,003\n2022;2.16", name="SATS", kind="change")

        assert {"2021": "-0.003", "2022": "2.16"} == values_of(series)

    def test_a_text_without_values_is_an_empty_series(self) -> None:
        assert IndexSeries("X", {}) == IndexSeries.from_csv("# nothing yet\n", name="X")

    @pytest.mark.parametrize(
        ("text", "kind", "code"),
        [
            ("2021-13;1", InvalidPeriodError, "not_an_index_point"),
            ("20x1;abc", InvalidPeriodError, "not_an_index_point"),
            ("April;1", InvalidPeriodError, "not_an_index_point"),
            ("2021;abc", InvalidAmountError, "not_a_number"),
            ("2021;2,16 %", InvalidAmountError, "not_a_number"),
            ("2021;1.234,5", InvalidAmountError, "not_a_number"),
            ('2021,"104,8"', InvalidAmountError, "not_a_number"),
            ("2021;0", InvalidAmountError, "not_positive"),
            ("2021;1;soon", InvalidPeriodError, "not_a_date"),
            ("2021,104,8", InvalidPeriodError, "not_a_date"),
            ("2021;1;;maybe", UnknownWordError, "unknown_word"),
            ("2021;;", InvalidRecordError, "wrong_fields"),
            ("2021;1;;no;5", InvalidRecordError, "wrong_fields"),
            ("2021", InvalidRecordError, "wrong_fields"),
            ("2021;" + "1" * 140_000, InvalidRecordError, "not_a_line"),
        ],
        ids=lambda given: repr(given)[:30],
    )
    def test_a_line_that_cannot_be_read_is_refused(
        self, text: str, kind: type[InvalidInputError], code: str
    ) -> None:
        """The path counts from 0, the sentence from 1, as an editor does."""
        with pytest.raises(InvalidInputError) as caught:
            IndexSeries.from_csv(f"# first\n{text}", name="X")

        (problem,) = caught.value.problems
        assert (kind, "lines[1]", code) == (type(caught.value), problem.path, problem.code)
        assert problem.message.startswith("line 2 ")

    def test_every_line_is_told_at_once(self) -> None:
        with pytest.raises(InvalidRecordError) as caught:
            IndexSeries.from_csv("a;b\nc;d\n2021;1\n2021;2\n2022;-1", name="X")

        assert [
            ("lines[1]", "not_an_index_point"),
            ("lines[3]", "duplicate_point"),
            ("lines[4]", "not_positive"),
        ] == refusal(caught.value)

    def test_what_is_wrong_beside_the_lines_is_refused_too(self) -> None:
        with pytest.raises(InvalidRecordError) as caught:
            IndexSeries.from_csv("2021;1", name="")

        assert [("name", "empty_text")] == refusal(caught.value)

    def test_only_a_text_has_lines(self) -> None:
        with pytest.raises(TypeError, match="from_csv takes a text"):
            IndexSeries.from_csv(cast("Any", b"2021;1"), name="X")


class TestPlainData:
    """A series goes to JSON and comes back."""

    def test_a_row_of_texts_is_read(self) -> None:
        series = IndexSeries.from_data(
            {
                "name": "Nettoprisindeks (net price index), 2015=100",
                "values": {"2021-04": "104.8", "2022-04": "111.6"},
            }
        )

        assert Fraction(279, 262) == series.value_at("2022-04") / series.value_at("2021-04")

    def test_everything_that_is_said_is_written(self) -> None:
        series = IndexSeries(
            "SATS",
            {"2022": "0.02", "2021-Q1": 0, "2021-01": "0.010"},
            base="b",
            kind="change",
            known={"2022": "2023-01-10", "2021-01": "2021-02-10"},
            provisional=["2022", "2021-Q1"],
            assumed=["2022"],
            source="s",
        )

        data = series.to_data()

        assert [
            ("name", "SATS"),
            ("base", "b"),
            ("kind", "change"),
            (
                "values",
                {"2021-01": Decimal("0.010"), "2021-Q1": Decimal(0), "2022": Decimal("0.02")},
            ),
            ("known", {"2021-01": "2021-02-10", "2022": "2023-01-10"}),
            ("provisional", ["2021-Q1", "2022"]),
            ("assumed", ["2022"]),
            ("source", "s"),
        ] == list(data.items())
        assert ["2021-01", "2022"] == list(data["known"])
        assert series == IndexSeries.from_data(data)

    def test_a_plain_series_has_name_and_values(self) -> None:
        assert {"name": "X", "values": {}} == IndexSeries("X", {}).to_data()

    def test_a_text_of_json_and_back_keeps_every_digit(self) -> None:
        """104.80 stays 104.80."""
        series = IndexSeries("X", {"2021": "104.80"}, provisional=["2021"])

        text = write_json(series.to_data())

        assert '{"name": "X", "values": {"2021": 104.80}, "provisional": ["2021"]}' == text
        assert {"2021": "104.80"} == values_of(IndexSeries.from_data(read_json(text)))

    def test_a_binary_number_counts_as_it_prints(self) -> None:
        """Other readers of JSON give 104.8 as one (A1)."""
        series = IndexSeries.from_data({"name": "X", "values": {"2021": 104.8}})

        assert Fraction(1048, 10) == series.value_at("2021")

    @pytest.mark.parametrize(
        ("data", "found"),
        [
            ([], [("", "not_an_object")]),
            ({}, [("name", "missing"), ("values", "missing")]),
            ({"name": "X", "values": None}, [("values", "missing")]),
            (
                {"name": "X", "frequency": "month", 5: None},
                [("frequency", "unknown_field"), ("5", "unknown_field"), ("values", "missing")],
            ),
            ({"name": "X", "values": []}, [("values", "not_an_object")]),
            ({"name": "X", "values": {"2021": 0.1 + 0.2}}, [("values.2021", "not_a_number")]),
            ({"name": "X", "values": {"2021": None}}, [("values.2021", "not_a_number")]),
            ({"name": "X", "values": {}, "kind": "x"}, [("kind", "unknown_word")]),
        ],
        ids=repr,
    )
    def test_other_data_are_refused(self, data: object, found: list[tuple[str, str]]) -> None:
        with pytest.raises(InvalidInputError) as caught:
            IndexSeries.from_data(data)

        assert found == refusal(caught.value)

    def test_null_means_not_said(self) -> None:
        data = {"name": "X", "values": {"2021": 1}, "base": None, "known": None, "assumed": None}

        assert IndexSeries("X", {"2021": 1}) == IndexSeries.from_data(data)


class TestValue:
    """A series is a value."""

    @pytest.mark.parametrize(
        "other",
        [
            {"name": "Y"},
            {"values": {"2021": 1}},
            {"values": {"2021": 1, "2022": 3}},
            {"base": "b"},
            {"kind": "change"},
            {"known": {"2021": "2022-01-10"}},
            {"provisional": ["2021"]},
            {"assumed": ["2021"]},
            {"source": "s"},
        ],
        ids=repr,
    )
    def test_series_are_equal_when_all_that_they_say_is(self, other: dict[str, Any]) -> None:
        """However it was said: 1.0 is 1, a month is its text."""
        said: dict[str, Any] = {"name": "X", "values": {"2021": 1, "2022": 2}}
        same = IndexSeries("X", {point("2022"): "2.0", "2021": Decimal("1.0")})

        assert same == IndexSeries(**said)
        assert hash(same) == hash(IndexSeries(**said))
        assert same != IndexSeries(**(said | other))
        assert cast("object", "X") != same

    def test_a_series_cannot_change(self) -> None:
        values = {"2021": 1}
        series = cast("Any", IndexSeries("X", values))
        values["2021"] = 2

        assert 1 == series.value_at("2021")
        for name in ("name", "values", "other"):
            with pytest.raises((AttributeError, TypeError)):
                setattr(series, name, 1)
        with pytest.raises(TypeError):
            series.values[point("2021")] = 2
        with pytest.raises(TypeError):
            series.known[point("2021")] = date(2021, 1, 1)

    @pytest.mark.parametrize(
        ("series", "shown"),
        [
            (NPI, "<IndexSeries NPI 2015=100, 3 months 2021-04 to 2022-04>"),
            (CPI, "<IndexSeries CPI, 3 months 2023-01 to 2023-03, 1 year 2022>"),
            (IndexSeries("X", {}), "<IndexSeries X, no values>"),
            (
                IndexSeries("X", {"2024-Q1": 1, "2024-Q2": 1}, assumed=["2024-Q2"]),
                "<IndexSeries X, 2 quarters 2024-Q1 to 2024-Q2, 1 assumed>",
            ),
        ],
    )
    def test_a_series_shows_what_it_holds(self, series: IndexSeries, shown: str) -> None:
        assert shown == repr(series)

    @pytest.mark.parametrize("series", [NPI, CPI, IndexSeries("X", {}).extended()], ids=repr)
    def test_a_series_survives_pickling(self, series: IndexSeries) -> None:
        again = pickle.loads(pickle.dumps(series))

        assert (series, values_of(series)) == (again, values_of(again))

    def test_a_series_can_have_another_name(self) -> None:
        assert CPI.to_data() | {"name": "Y"} == CPI.named("Y").to_data()


class TestSeveral:
    """Callers hand in one series, several, or several by name."""

    @pytest.mark.parametrize(
        ("given", "names"),
        [
            (None, []),
            ([], []),
            (NPI, ["NPI"]),
            ((NPI, CPI), ["NPI", "CPI"]),
            pytest.param(iter([NPI]), ["NPI"], id="iterator"),
            ([NPI, NPI.named("NPI")], ["NPI"]),
            ({"NPI": NPI}, ["NPI"]),
            ({"rent index": NPI}, ["rent index"]),
            ({"a": NPI, "b": NPI}, ["a", "b"]),
        ],
        ids=repr,
    )
    def test_series_are_found_by_name(self, given: AnyIndices, names: list[str]) -> None:
        found = series_of(given)

        assert names == list(found)
        assert names == [each.name for each in found.values()]

    def test_the_answer_cannot_change(self) -> None:
        with pytest.raises(TypeError):
            cast("Any", series_of(NPI))["x"] = CPI

    def test_two_bases_under_one_name_are_refused(self) -> None:
        """No ratio is made of values of two bases (A41)."""
        with pytest.raises(InvalidRecordError) as caught:
            series_of([NPI, CPI, NPI.rebased("2000=100", factor=Decimal("1.25"))])

        (problem,) = caught.value.problems
        assert ("indices.NPI", "two_series", "'2015=100 and 2000=100'") == (
            problem.path,
            problem.code,
            problem.met,
        )
        assert "another name for each, or one base only" == problem.expected

    @pytest.mark.parametrize(
        "given",
        [5, "NPI", [NPI, "CPI"], {"NPI": {"2021": 1}}, {1: NPI}, {None: NPI}, NPI.to_data()],
        ids=repr,
    )
    def test_anything_else_is_refused(self, given: object) -> None:
        with pytest.raises(TypeError, match="indices is an IndexSeries, several, or a mapping"):
            series_of(cast("Any", given))


# The laws, with drawn series.

POINTS = tuple(
    [str(each) for year in ("2020", "2021") for each in point(year).within("month")]
    + [str(each) for each in point("2021").within("quarter")]
    + ["2019", "2020", "2021"]
)
DAYS = st.dates(min_value=date(2020, 1, 1), max_value=date(2023, 1, 1))
LEVELS = st.decimals(min_value="0.1", max_value="99999.999", places=3)
CHANGES = st.decimals(min_value="-1", max_value="10", places=4)


@st.composite
def drawn_series(draw: st.DrawFn, kind: IndexKind = "level") -> IndexSeries:
    """Draw a series with values at some points, some of which are dated or marked."""
    figures = LEVELS if kind == "level" else CHANGES
    values = draw(st.dictionaries(st.sampled_from(POINTS), figures, max_size=20))
    some = st.sets(st.sampled_from(sorted(values))) if values else st.just(set[str]())
    return IndexSeries(
        draw(st.sampled_from(("NPI", "CPI"))),
        values,
        base=draw(st.sampled_from((None, "2015=100"))),
        kind=kind,
        known={at: draw(DAYS) for at in sorted(draw(some))},
        provisional=draw(some),
        assumed=draw(some),
        source=draw(st.sampled_from((None, "office"))),
    )


@given(drawn_series() | drawn_series("change"))
def test_law_plain_data_and_back_is_the_same(series: IndexSeries) -> None:
    again = IndexSeries.from_data(read_json(write_json(series.to_data())))

    assert series == again == pickle.loads(pickle.dumps(series))
    assert values_of(series) == values_of(again)


@given(drawn_series(), st.integers(min_value=1, max_value=10**6))
def test_law_a_factor_keeps_every_ratio(series: IndexSeries, thousandths: int) -> None:
    factor = Decimal(thousandths).scaleb(-3)

    rebased = series.rebased(series.base, factor=factor)

    for earlier, later in zip(series.points, series.points[1:], strict=False):
        assert series.value_at(later) / series.value_at(earlier) == (
            rebased.value_at(later) / rebased.value_at(earlier)
        )
    assert series == rebased.rebased(series.base, factor=1 / Fraction(factor))


@given(drawn_series(), DAYS, DAYS)
def test_law_more_is_known_later(series: IndexSeries, one: date, other: date) -> None:
    early, late = sorted((one, other))
    known = series.known_on(early)

    assert set(known.points) <= set(series.known_on(late).points) <= set(series.points)
    assert known == known.known_on(early) == known.known_on(late)
    assert known == series.known_on(late).known_on(early)
    for text in (*POINTS, "2020-Q1"):
        try:
            expected = known.value_at(text)
        except MissingIndexError:
            assert value_or_none(series, point(text), early) is None
        else:
            assert expected == series.value_at(text, known_on=early)


@given(
    st.lists(LEVELS, min_size=12, max_size=30),
    st.decimals(min_value="-0.05", max_value="0.2", places=4),
    st.integers(min_value=2, max_value=6),
)
def test_law_an_assumption_touches_nothing_stated(
    levels: list[Decimal], rate: Decimal, decimals: int
) -> None:
    """Stated values stay, and each assumed one is the year before times 1 + rate, to half a unit.

    Levels are 1 or more here, so that no assumed one rounds to 0.
    """
    start = point("2021-01")
    values = {start.shifted(at): level + 1 for at, level in enumerate(levels)}
    series = IndexSeries("X", values)

    longer = series.extended(rate, until="2026-12", decimals=decimals)

    assert frozenset(series.points) == frozenset(longer.points) - longer.assumed
    assert dict(series.values) == {at: longer.values[at] for at in series.points}
    assert point("2026-12") == longer.latest()
    half = Fraction(1, 2 * 10**decimals)
    for at in longer.assumed:
        exact = longer.value_at(at.years_earlier(1)) * (1 + Fraction(rate))
        assert abs(longer.value_at(at) - exact) <= half
