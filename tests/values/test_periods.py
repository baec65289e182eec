"""Days, months and periods: both ends included, months found by their number (A4, A58)."""

import pickle
from datetime import UTC, date, datetime
from typing import Any, cast

import pytest

from rentbilling.errors import InvalidPeriodError, Problem, UnknownWordError, shown
from rentbilling.values import Period, day_of, parse_date, period_of

JANUARY = Period.parse("2026-01-01/2026-01-31")
MIDNIGHT = datetime(2026, 1, 31, tzinfo=UTC)


class Day(date):
    """A date of another library: a date, and no moment."""


def plainly(given: object) -> str:
    """Return a value as the name of a test; a backslash would be doubled with each collection."""
    return ascii(given).replace("\\", "/")[:40]


def texts(periods: tuple[Period, ...]) -> list[str]:
    return [str(period) for period in periods]


def refusal(given: object) -> tuple[str, str]:
    """Return the code and the advice with which a date is refused, having seen that it is shown."""
    with pytest.raises(InvalidPeriodError) as caught:
        parse_date(given)
    (problem,) = caught.value.problems
    said = {"not_a_date": "is not a date", "date_time_for_date": "is a date with a time of day"}
    assert ("", said[problem.code], shown(given)) == (problem.path, problem.message, problem.met)
    return problem.code, problem.expected


class TestDates:
    """A date is `YYYY-MM-DD` and nothing else (A58)."""

    @pytest.mark.parametrize("given", ["2026-01-31", date(2026, 1, 31)], ids=repr)
    def test_a_date_or_its_text_is_read(self, given: object) -> None:
        assert date(2026, 1, 31) == parse_date(given)

    def test_a_date_of_another_library_is_kept_as_a_plain_one(self) -> None:
        """It is a day and no moment; how it prints or pickles is not ours to rely on (A58)."""
        found = parse_date(Day(2026, 1, 31))

        assert (date(2026, 1, 31), date) == (found, type(found))

    @pytest.mark.parametrize(
        "given", ["2026-01-31", date(2026, 1, 31), Day(2026, 1, 31)], ids=["text", "date", "day"]
    )
    def test_a_day_is_taken_as_a_date_or_its_text(self, given: date | str) -> None:
        assert date(2026, 1, 31).toordinal() == day_of(given, "after")

    @pytest.mark.parametrize(
        ("given", "code"), [(MIDNIGHT, "date_time_for_date"), ("31.1.2026", "not_a_date")], ids=str
    )
    def test_the_refusal_of_a_day_says_which_it_is(self, given: date | str, code: str) -> None:
        """A call takes more than one (A58)."""
        with pytest.raises(InvalidPeriodError) as caught:
            day_of(given, "after")

        (problem,) = caught.value.problems
        assert ("after", code) == (problem.path, problem.code)

    @pytest.mark.parametrize("given", [None, 20260131, b"2026-01-31"], ids=repr)
    def test_nothing_else_is_a_day(self, given: object) -> None:
        with pytest.raises(TypeError, match="after is a date or its text, not ") as caught:
            day_of(cast("Any", given), "after")

        assert str(caught.value).endswith(repr(given))

    @pytest.mark.parametrize("text", ["0001-01-01", "9999-12-31", "2024-02-29"])
    def test_the_whole_calendar_can_be_written(self, text: str) -> None:
        assert text == str(parse_date(text))

    @pytest.mark.parametrize(
        "given",
        [
            "2025-12-31T23:00Z",
            "2025-12-31T23:00:00+02:00",
            "2025-12-31 23:00",
            "2025-12-31T00:00",
            "2025-12-31T23",
            "2025-12-31T00:00:00.0000000000000000000",
            datetime(2025, 12, 31, 23, tzinfo=UTC),
            datetime.fromisoformat("2025-12-31"),
        ],
        ids=str,
    )
    def test_a_date_time_is_refused_with_the_date_to_write(self, given: object) -> None:
        """2025-12-31T23:00Z is 1 January in Copenhagen: only the caller knows where it is (A58)."""
        assert (
            "date_time_for_date",
            "a date alone: 2025-12-31, or the day it is where the lease is",
        ) == refusal(given)

    @pytest.mark.parametrize("text", ["20260131", "2026-W05-6"])
    def test_another_spelling_is_refused_with_the_right_one(self, text: str) -> None:
        """Both are 31 January 2026 by the standard; here there is one spelling."""
        assert ("not_a_date", "YYYY-MM-DD: 2026-01-31") == refusal(text)

    @pytest.mark.parametrize(
        "given",
        [
            "2026-13-01",
            "2026-02-29",
            "2026-00-10",
            "0000-01-01",
            "10000-01-01",
            "31-01-2026",
            "31/01/2026",
            "2026-1-31",
            " 2026-01-31",
            "2026-01-31\n",
            "soon",
            "",
            "2026-01-31T25:00",
            # A date-time of 39 characters is told from a date, one of 40 is no text to be read.
            "9" * 39,
            "2026-01-31T00:00:00.00000000000000000000",
            "2026-01-31" * 100,
            # Digits of other scripts, which Python reads as numbers.
            "２０２６-０１-３１",  # noqa: RUF001
            "٢٠٢٦-٠١-٣١",  # noqa: RUF001
            b"2026-01-31",
            20260131,
            46_052.5,
            None,
            (2026, 1, 31),
        ],
        ids=plainly,
    )
    def test_what_is_no_date_is_refused(self, given: object) -> None:
        assert ("not_a_date", "YYYY-MM-DD") == refusal(given)


class TestPeriodTexts:
    """Both ends are included (A4)."""

    def test_january_is_written_with_its_last_day(self) -> None:
        """31 days from the 1st to the 31st (A4)."""
        assert (date(2026, 1, 1), date(2026, 1, 31), 31) == (
            JANUARY.start,
            JANUARY.end,
            JANUARY.days,
        )

    def test_one_day_is_a_period(self) -> None:
        """It starts and ends on the same day (A4)."""
        assert 1 == Period.parse("2026-01-01/2026-01-01").days

    def test_a_reversed_period_is_refused_with_the_right_order(self) -> None:
        """Nobody turns it round silently (A4)."""
        with pytest.raises(InvalidPeriodError) as caught:
            Period.parse("2026-01-31/2026-01-01")

        assert (
            Problem(
                "",
                "reversed_period",
                "ends before it starts",
                "'2026-01-31/2026-01-01'",
                "2026-01-01/2026-01-31",
            ),
        ) == caught.value.problems

    @pytest.mark.parametrize(
        "text",
        [
            "2026-01-01",
            "2026-01-01/2026-01-15/2026-01-31",
            "",
            b"2026-01-01/2026-01-31",
            20260101,
            None,
            JANUARY,
        ],
        ids=repr,
    )
    def test_what_is_not_two_dates_is_no_period(self, text: object) -> None:
        with pytest.raises(InvalidPeriodError) as caught:
            Period.parse(cast("Any", text))

        assert (
            Problem("", "not_a_period", "is not a period", shown(text), "YYYY-MM-DD/YYYY-MM-DD"),
        ) == caught.value.problems

    @pytest.mark.parametrize(
        ("text", "code"),
        [
            ("2026-01-01/2026-02-30", "not_a_date"),
            ("/", "not_a_date"),
            ("2026-01-01/", "not_a_date"),
            ("2026-01-01 / 2026-01-31", "not_a_date"),
            ("2026-01-01/P1M", "not_a_date"),
            ("2026-01-01T00:00/2026-01-31T24:00", "date_time_for_date"),
        ],
    )
    def test_both_dates_are_dates(self, text: str, code: str) -> None:
        with pytest.raises(InvalidPeriodError) as caught:
            Period.parse(text)

        assert code == caught.value.code

    def test_the_half_open_form_is_read_where_the_policy_says_so(self) -> None:
        """January until 1 February, which is not part of it (A4)."""
        half_open = Period.parse("2026-01-01/2026-02-01", period_end="excluded")

        assert JANUARY == half_open

    @pytest.mark.parametrize("word", ["exluded", "Included", "", None, ["excluded"]], ids=repr)
    def test_an_unknown_way_to_end_is_refused(self, word: object) -> None:
        """A misspelt one would have added a day (A4)."""
        with pytest.raises(UnknownWordError, match="included or excluded") as caught:
            Period.parse("2026-01-01/2026-02-01", period_end=cast("Any", word))

        expected = "included or excluded"
        assert (
            Problem("period_end", "unknown_word", "is not a known word", shown(word), expected),
        ) == caught.value.problems

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("2026-01-01/2026-01-01", "at least one day"),
            ("2026-01-31/2026-01-01", "2026-01-01/2026-01-31"),
            ("0001-01-01/0001-01-01", "at least one day"),
        ],
    )
    def test_a_half_open_period_without_a_day_is_refused(self, text: str, expected: str) -> None:
        with pytest.raises(InvalidPeriodError) as caught:
            Period.parse(text, period_end="excluded")

        (problem,) = caught.value.problems
        assert ("reversed_period", expected) == (problem.code, problem.expected)


class TestMakingPeriods:
    """A period is made of two dates, a text, or is one already (A4)."""

    def test_two_dates_make_a_period(self) -> None:
        assert JANUARY == Period(date(2026, 1, 1), date(2026, 1, 31))

    def test_dates_the_wrong_way_round_are_refused(self) -> None:
        with pytest.raises(InvalidPeriodError) as caught:
            Period(date(2026, 1, 31), date(2026, 1, 1))

        (problem,) = caught.value.problems
        assert ("'2026-01-31/2026-01-01'", "2026-01-01/2026-01-31") == (
            problem.met,
            problem.expected,
        )

    def test_a_date_time_is_no_end(self) -> None:
        """It is refused although Python calls it a kind of date (A58)."""
        with pytest.raises(InvalidPeriodError) as caught:
            Period(date(2026, 1, 1), MIDNIGHT)

        assert "date_time_for_date" == caught.value.code

    @pytest.mark.parametrize("given", [JANUARY, "2026-01-01/2026-01-31"], ids=str)
    def test_a_period_is_taken_as_such_or_as_its_text(self, given: Period | str) -> None:
        assert JANUARY == period_of(given)

    def test_a_half_open_text_is_taken_where_the_policy_says_so(self) -> None:
        assert (JANUARY, JANUARY) == (
            period_of("2026-01-01/2026-02-01", period_end="excluded"),
            period_of(JANUARY, period_end="excluded"),
        )

    def test_the_refusal_says_that_it_is_the_period(self) -> None:
        with pytest.raises(InvalidPeriodError) as caught:
            period_of("January")

        (problem,) = caught.value.problems
        assert ("period", "not_a_period") == (problem.path, problem.code)

    @pytest.mark.parametrize("given", [None, 5, date(2026, 1, 1), b"2026"], ids=repr)
    def test_a_function_that_takes_nothing_else_says_so(self, given: object) -> None:
        with pytest.raises(TypeError, match="due_date takes a Period or its text, not ") as caught:
            period_of(cast("Any", given), by="due_date")

        assert str(caught.value).endswith(repr(given))


class TestDaysOfAPeriod:
    """What lies in a period, and what two have in common."""

    @pytest.mark.parametrize(
        ("text", "expected"),
        [("2025-12-31", False), ("2026-01-01", True), ("2026-01-31", True), ("2026-02-01", False)],
    )
    def test_both_ends_lie_in_it(self, text: str, expected: bool) -> None:
        """The days beside them do not, given as a date or as its text (A4)."""
        day = parse_date(text)

        assert [expected] * 3 == [
            there in JANUARY for there in (day, text, Day(day.year, day.month, day.day))
        ]

    @pytest.mark.parametrize(
        ("given", "code"), [(MIDNIGHT, "date_time_for_date"), ("soon", "not_a_date")], ids=str
    )
    def test_a_moment_lies_in_no_period(self, given: date | str, code: str) -> None:
        """Which day it is depends on where one stands (A58)."""
        with pytest.raises(InvalidPeriodError) as caught:
            _ = given in JANUARY

        assert code == caught.value.code

    @pytest.mark.parametrize("given", [5, None, JANUARY], ids=repr)
    def test_what_is_no_day_lies_in_no_period(self, given: object) -> None:
        with pytest.raises(TypeError, match="day is a date or its text, not"):
            _ = cast("Any", given) in JANUARY

    @pytest.mark.parametrize("name", ["overlaps", "intersection", "minus"])
    @pytest.mark.parametrize("other", ["2026-01-15/2026-01-20", None, date(2026, 1, 1)], ids=repr)
    def test_only_periods_have_days_in_common(self, name: str, other: object) -> None:
        """A text is read first: nobody can tell here whether it includes its last day (A4)."""
        with pytest.raises(TypeError, match=r"^a Period is needed, not ") as caught:
            getattr(JANUARY, name)(other)

        # What is subtracted is shown with all that was to be subtracted.
        met = (other,) if name == "minus" else other
        assert str(caught.value).endswith(f", not {shown(met)}")

    def test_only_periods_are_joined(self) -> None:
        with pytest.raises(TypeError) as caught:
            Period.joined([JANUARY, cast("Any", "2026")])

        assert f"a Period is needed, not {shown([JANUARY, '2026'])}" == str(caught.value)

    @pytest.mark.parametrize(
        ("other", "expected"),
        [
            ("2026-01-15/2026-02-14", "2026-01-15/2026-01-31"),
            ("2025-12-01/2026-01-01", "2026-01-01/2026-01-01"),
            ("2026-01-10/2026-01-20", "2026-01-10/2026-01-20"),
            ("2025-01-01/2026-12-31", "2026-01-01/2026-01-31"),
            ("2026-01-31/2026-02-28", "2026-01-31/2026-01-31"),
            ("2026-02-01/2026-02-28", None),
            ("2025-12-01/2025-12-31", None),
        ],
    )
    def test_common_days_are_a_period_or_none(self, other: str, expected: str | None) -> None:
        common = JANUARY.intersection(Period.parse(other))

        assert expected == (None if common is None else str(common))

    @pytest.mark.parametrize(
        ("others", "expected"),
        [
            ([], ["2026-01-01/2026-01-31"]),
            (["2026-01-10/2026-01-19"], ["2026-01-01/2026-01-09", "2026-01-20/2026-01-31"]),
            (["2025-12-20/2026-01-04"], ["2026-01-05/2026-01-31"]),
            (["2026-01-31/2026-02-28"], ["2026-01-01/2026-01-30"]),
            (["2025-01-01/2026-12-31"], []),
            (["2026-01-01/2026-01-31"], []),
            (["2025-12-01/2025-12-31", "2026-02-01/2026-02-28"], ["2026-01-01/2026-01-31"]),
            # One before it, and one of its first day.
            (["2025-11-01/2025-11-30", "2026-01-01/2026-01-01"], ["2026-01-02/2026-01-31"]),
            # All but its last day.
            (["2026-01-01/2026-01-30"], ["2026-01-31/2026-01-31"]),
            # Out of order and overlapping: days 3-6 and 20-25.
            (
                ["2026-01-20/2026-01-25", "2026-01-03/2026-01-05", "2026-01-05/2026-01-06"],
                ["2026-01-01/2026-01-02", "2026-01-07/2026-01-19", "2026-01-26/2026-01-31"],
            ),
        ],
    )
    def test_what_remains_without_other_days(self, others: list[str], expected: list[str]) -> None:
        assert expected == texts(JANUARY.minus(*map(Period.parse, others)))

    @pytest.mark.parametrize(
        ("runs", "expected"),
        [
            ([], []),
            (["2026-02-01/2026-02-28", "2026-01-01/2026-01-31"], ["2026-01-01/2026-02-28"]),
            (["2026-01-01/2026-01-31", "2026-01-05/2026-01-06"], ["2026-01-01/2026-01-31"]),
            (
                ["2026-01-01/2026-01-30", "2026-02-01/2026-02-28"],
                ["2026-01-01/2026-01-30", "2026-02-01/2026-02-28"],
            ),
        ],
    )
    def test_the_same_days_are_the_fewest_periods(
        self, runs: list[str], expected: list[str]
    ) -> None:
        assert expected == texts(Period.joined(map(Period.parse, runs)))


class TestParts:
    """A period cut at days, or at months."""

    @pytest.mark.parametrize(
        ("days", "expected"),
        [
            ([], ["2026-01-01/2026-01-31"]),
            (["2026-01-15"], ["2026-01-01/2026-01-14", "2026-01-15/2026-01-31"]),
            (["2026-01-31"], ["2026-01-01/2026-01-30", "2026-01-31/2026-01-31"]),
            (["2026-01-01", "2025-12-01", "2026-02-01"], ["2026-01-01/2026-01-31"]),
            (
                ["2026-01-20", "2026-01-10", "2026-01-10"],
                ["2026-01-01/2026-01-09", "2026-01-10/2026-01-19", "2026-01-20/2026-01-31"],
            ),
        ],
    )
    def test_a_cut_is_made_before_each_day_inside(
        self, days: list[str], expected: list[str]
    ) -> None:
        assert expected == texts(JANUARY.split_at(*map(parse_date, days)))

    def test_a_cut_is_made_before_a_text_too(self) -> None:
        assert ["2026-01-01/2026-01-14", "2026-01-15/2026-01-31"] == texts(
            JANUARY.split_at("2026-01-15")
        )

    @pytest.mark.parametrize(
        ("given", "kind"), [(MIDNIGHT, InvalidPeriodError), (5, TypeError)], ids=str
    )
    def test_no_cut_is_made_at_what_is_no_day(self, given: object, kind: type[Exception]) -> None:
        """A date-time cuts nothing, although Python calls it a kind of date (A58)."""
        with pytest.raises(kind, match=r"^day(:| is a date or its text)"):
            JANUARY.split_at(cast("Any", given))

    def test_the_months_are_cut_to_the_period(self) -> None:
        period = Period.parse("2024-01-15/2024-03-03")

        assert [
            "2024-01-15/2024-01-31",
            "2024-02-01/2024-02-29",
            "2024-03-01/2024-03-03",
        ] == texts(period.months)

    def test_the_last_month_of_the_calendar_has_an_end(self) -> None:
        """Nobody asks for January 10000."""
        assert ["9999-12-01/9999-12-31"] == texts(Period(date(9999, 12, 1), date.max).months)


class TestPeriodsAreValues:
    """Equal by their ends, frozen, hashable, picklable."""

    def test_periods_with_the_same_ends_are_equal(self) -> None:
        same = Period(date(2026, 1, 1), date(2026, 1, 31))

        assert (True, hash(JANUARY)) == (same == JANUARY, hash(same))

    @pytest.mark.parametrize(
        "other",
        [
            Period.parse("2026-01-01/2026-01-30"),
            Period.parse("2025-01-01/2026-01-31"),
            "2026-01-01/2026-01-31",
        ],
        ids=repr,
    )
    def test_other_ends_make_another_period(self, other: object) -> None:
        assert other != JANUARY

    @pytest.mark.parametrize("name", ["start", "end", "first", "last", "days", "months", "note"])
    def test_a_period_cannot_be_changed(self, name: str) -> None:
        with pytest.raises(AttributeError):
            setattr(JANUARY, name, 1)

    def test_periods_have_an_order(self) -> None:
        days = ["2026-01-01/2026-01-15", "2026-01-01/2026-01-31", "2026-01-02/2026-01-03"]
        first, second, third = map(Period.parse, days)

        assert (days, True, True, True, False) == (
            texts(tuple(sorted([third, second, first]))),
            first < second < third,
            second <= Period.parse("2026-01-01/2026-01-31"),
            third > first,
            first >= second,
        )

    def test_a_period_is_not_before_its_like(self) -> None:
        same = Period(date(2026, 1, 1), date(2026, 1, 31))

        assert (False, False) == (same < JANUARY, JANUARY < same)

    def test_other_periods_hash_apart(self) -> None:
        others = [JANUARY, *JANUARY.split_at("2026-01-15")]

        assert len(others) == len({hash(each) for each in others})

    def test_a_period_and_a_text_have_no_order(self) -> None:
        with pytest.raises(TypeError, match="not supported between"):
            _ = cast("Any", "2026-01-01/2026-01-31") < JANUARY

    def test_a_period_pickles(self) -> None:
        assert JANUARY == pickle.loads(pickle.dumps(JANUARY))

    def test_a_period_shows_the_call_that_makes_it(self) -> None:
        assert "Period(datetime.date(2026, 1, 1), datetime.date(2026, 1, 31))" == repr(JANUARY)

    def test_the_ends_are_also_ordinals(self) -> None:
        assert (JANUARY.start.toordinal(), JANUARY.end.toordinal()) == (JANUARY.first, JANUARY.last)
