"""Days, months and periods: both ends included, months found by their number (A4, A58)."""

import pickle
from datetime import UTC, date, datetime
from typing import Any

import pytest

from rentbilling.errors import UnknownWordError, shown
from rentbilling.values import Period, day_of, parse_date, period_of
from tests.support.refusals import Call, refusal_text, refused
from tests.support.rows import rows

JANUARY = Period.parse("2026-01-01/2026-01-31")
LAST_DAY = date(2026, 1, 31)
MIDNIGHT = datetime(2026, 1, 31, tzinfo=UTC)
ANY: Any = Period
ANY_PERIOD: Any = period_of
"""Without its types, for what no type checker lets through."""
days_of: Any = day_of
whole: Any = period_of


class Day(date):
    """A date of another library: a date, and no moment."""


def plainly(given: object) -> str:
    """Return a value as the name of a test; a backslash would be doubled with each collection."""
    return ascii(given).replace("\\", "/")[:40]


def texts(*given: str) -> list[Period]:
    return [Period.parse(text) for text in given]


def half_open(text: str) -> Period:
    return Period.parse(text, period_end="excluded")


def minus(*others: str) -> str:
    return " ".join(map(str, JANUARY.minus(*texts(*others))))


def joined(*runs: str) -> str:
    return " ".join(map(str, Period.joined(texts(*runs))))


def split(*days: Any) -> str:  # noqa: ANN401
    return " ".join(map(str, JANUARY.split_at(*days)))


def common(other: str) -> str:
    return str(JANUARY.intersection(Period.parse(other)))


ROWS: list[tuple[Call, object]] = [
    # A date is `YYYY-MM-DD` and nothing else (A58).
    (lambda: parse_date("2026-01-31"), LAST_DAY),
    (lambda: parse_date(LAST_DAY), LAST_DAY),
    *(
        (lambda text=text: str(parse_date(text)), text)
        for text in ("0001-01-01", "9999-12-31", "2024-02-29")
    ),
    # A date of another library becomes a plain one: how it prints or pickles is unknown (A58).
    (lambda: (parse_date(Day(2026, 1, 31)), type(parse_date(Day(2026, 1, 31)))), (LAST_DAY, date)),
    *(
        (lambda given=given: day_of(given, "after"), LAST_DAY.toordinal())
        for given in ("2026-01-31", LAST_DAY, Day(2026, 1, 31))
    ),
    # Both ends are included (A4).
    (lambda: (JANUARY.start, JANUARY.end, JANUARY.days), (date(2026, 1, 1), LAST_DAY, 31)),
    (lambda: (JANUARY.first, JANUARY.last), (date(2026, 1, 1).toordinal(), LAST_DAY.toordinal())),
    (lambda: Period.parse("2026-01-01/2026-01-01").days, 1),
    (lambda: Period(date(2026, 1, 1), LAST_DAY), JANUARY),
    (lambda: period_of(JANUARY), JANUARY),
    *(
        (lambda given=given: period_of(given), JANUARY)
        for given in (
            *("2026-01-01/2026-01-31", "2026-01", ("2026-01-01", "2026-01-31")),
            (date(2026, 1, 1), LAST_DAY),
        )
    ),
    # A month or a year has its days, however the end of two days is written.
    (lambda: half_open("2026-01"), JANUARY),
    (lambda: Period.month(2026, 1), JANUARY),
    (lambda: str(Period.parse("2024-02")), "2024-02-01/2024-02-29"),
    (lambda: str(Period.parse("9999")), "9999-01-01/9999-12-31"),
    (lambda: str(Period.year(1)), "0001-01-01/0001-12-31"),
    # January until 1 February, which is not part of it; a period has its days already (A4).
    (lambda: half_open("2026-01-01/2026-02-01"), JANUARY),
    (lambda: period_of("2026-01-01/2026-02-01", period_end="excluded"), JANUARY),
    (lambda: period_of(JANUARY, period_end="excluded"), JANUARY),
    # Common days.
    (lambda: common("2026-01-15/2026-02-14"), "2026-01-15/2026-01-31"),
    (lambda: common("2025-12-01/2026-01-01"), "2026-01-01/2026-01-01"),
    (lambda: common("2026-01-10/2026-01-20"), "2026-01-10/2026-01-20"),
    (lambda: common("2025-01-01/2026-12-31"), "2026-01-01/2026-01-31"),
    (lambda: common("2026-01-31/2026-02-28"), "2026-01-31/2026-01-31"),
    (lambda: common("2026-02-01/2026-02-28"), "None"),
    (lambda: common("2025-12-01/2025-12-31"), "None"),
    # What remains without other days.
    (minus, "2026-01-01/2026-01-31"),
    (lambda: minus("2026-01-10/2026-01-19"), "2026-01-01/2026-01-09 2026-01-20/2026-01-31"),
    (lambda: minus("2025-12-20/2026-01-04"), "2026-01-05/2026-01-31"),
    (lambda: minus("2026-01-31/2026-02-28"), "2026-01-01/2026-01-30"),
    (lambda: minus("2025-01-01/2026-12-31"), ""),
    (lambda: minus("2026-01-01/2026-01-31"), ""),
    (lambda: minus("2025-12-01/2025-12-31", "2026-02-01/2026-02-28"), "2026-01-01/2026-01-31"),
    # One before it, and one of its first day.
    (lambda: minus("2025-11-01/2025-11-30", "2026-01-01/2026-01-01"), "2026-01-02/2026-01-31"),
    # All but its last day.
    (lambda: minus("2026-01-01/2026-01-30"), "2026-01-31/2026-01-31"),
    # Out of order and overlapping: days 3-6 and 20-25.
    (
        lambda: minus("2026-01-20/2026-01-25", "2026-01-03/2026-01-05", "2026-01-05/2026-01-06"),
        "2026-01-01/2026-01-02 2026-01-07/2026-01-19 2026-01-26/2026-01-31",
    ),
    # The same days are the fewest periods.
    (joined, ""),
    (lambda: joined("2026-02-01/2026-02-28", "2026-01-01/2026-01-31"), "2026-01-01/2026-02-28"),
    (lambda: joined("2026-01-01/2026-01-31", "2026-01-05/2026-01-06"), "2026-01-01/2026-01-31"),
    (
        lambda: joined("2026-01-01/2026-01-30", "2026-02-01/2026-02-28"),
        "2026-01-01/2026-01-30 2026-02-01/2026-02-28",
    ),
    # A cut is made before each day inside, given as a date or as its text.
    (split, "2026-01-01/2026-01-31"),
    (lambda: split(date(2026, 1, 15)), "2026-01-01/2026-01-14 2026-01-15/2026-01-31"),
    (lambda: split("2026-01-15"), "2026-01-01/2026-01-14 2026-01-15/2026-01-31"),
    (lambda: split(LAST_DAY), "2026-01-01/2026-01-30 2026-01-31/2026-01-31"),
    (lambda: split("2026-01-01", "2025-12-01", "2026-02-01"), "2026-01-01/2026-01-31"),
    (
        lambda: split("2026-01-20", "2026-01-10", date(2026, 1, 10)),
        "2026-01-01/2026-01-09 2026-01-10/2026-01-19 2026-01-20/2026-01-31",
    ),
    # Months are cut to the period; the last month of the calendar has an end.
    (
        lambda: list(Period.parse("2024-01-15/2024-03-03").months),
        texts("2024-01-15/2024-01-31", "2024-02-01/2024-02-29", "2024-03-01/2024-03-03"),
    ),
    (lambda: list(Period(date(9999, 12, 1), date.max).months), texts("9999-12-01/9999-12-31")),
    # A period is a value.
    (lambda: pickle.loads(pickle.dumps(JANUARY)), JANUARY),
    (lambda: repr(JANUARY), "Period(datetime.date(2026, 1, 1), datetime.date(2026, 1, 31))"),
]


@rows(("call", "expected"), ROWS)
def test_dates_and_periods_give(call: Call, expected: object) -> None:
    assert expected == call()


@rows(
    ("text", "expected"),
    [("2025-12-31", False), ("2026-01-01", True), ("2026-01-31", True), ("2026-02-01", False)],
)
def test_both_ends_lie_in_a_period(text: str, expected: bool) -> None:
    """The days next to them do not, given as a date or as its text (A4)."""
    day = parse_date(text)

    assert [expected] * 3 == [
        there in JANUARY for there in (day, text, Day(day.year, day.month, day.day))
    ]


# Refusals.

ALONE = "a date alone: 2025-12-31, or the day it is where the lease is"
FORM = "YYYY-MM-DD"
# Of a date: the code, what is expected, and what is given.
NO_DATES: list[tuple[str, str, object]] = [
    # 2025-12-31T23:00Z is 1 January in Copenhagen: only the caller knows where it is (A58).
    *(
        ("date_time_for_date", ALONE, given)
        for given in (
            "2025-12-31T23:00Z",
            "2025-12-31T23:00:00+02:00",
            "2025-12-31 23:00",
            "2025-12-31T00:00",
            "2025-12-31T23",
            "2025-12-31T00:00:00.0000000000000000000",
            datetime(2025, 12, 31, 23, tzinfo=UTC),
            datetime.fromisoformat("2025-12-31T00:00:00.000001"),
        )
    ),
    *(
        ("not_a_date", f"{FORM}: {given[:7]} has {days} days", given)
        for given, days in (("2026-02-29", 28), ("2028-02-30", 29), ("9999-12-00", 31))
    ),
    # Both are 31 January 2026 by the standard; here there is one spelling.
    *(("not_a_date", f"{FORM}: 2026-01-31", given) for given in ("20260131", "2026-W05-6")),
    *(
        ("not_a_date", FORM, given)
        for given in (
            *(
                "31/01/2026",
                "2026-13-01",
                "2026-00-10",
                "0000-01-01",
                "10000-01-01",
                "00-00-2026",
                "1/2/26",
            ),
            *(" 2026-01-31", "2026-01-31\n"),
            *("soon", "", "2026-01-31T25:00"),
            # A date-time has up to 39 characters; a text of 40 is not read.
            *("9" * 39, "2026-01-31T00:00:00.00000000000000000000", "2026-01-31" * 100),
            # Digits of other scripts, which Python reads as numbers.
            "２０２６-０１-３１",  # noqa: RUF001
            "٢٠٢٦-٠١-٣١",  # noqa: RUF001
            *(b"2026-01-31", 20260131, 46_052.5, None, (2026, 1, 31)),
        )
    ),
]


@rows(("code", "expected", "given"), NO_DATES)
def test_another_date_is_refused_with_the_date_to_write(
    code: str, expected: str, given: object
) -> None:
    (problem,) = refused(lambda: parse_date(given)).problems

    said = {"not_a_date": "is not a date", "date_time_for_date": "is a date with a time of day"}
    assert ("", code, said[code], shown(given), expected) == problem


REFUSED: dict[str, list[Call]] = {
    # The path says which day of a call it is (A58).
    "InvalidPeriodError: after date_time_for_date": [lambda: day_of(MIDNIGHT, "after")],
    "InvalidPeriodError: after not_a_date": [lambda: day_of("31.1.2026", "after")],
    "InvalidPeriodError: day not_a_date": [lambda: "soon" in JANUARY],
    # A date-time is no day, although Python calls it a kind of date (A58).
    "InvalidPeriodError: day date_time_for_date": [
        lambda: MIDNIGHT in JANUARY,
        lambda: JANUARY.split_at(MIDNIGHT),
    ],
    "InvalidPeriodError: date_time_for_date": [
        lambda: Period(date(2026, 1, 1), MIDNIGHT),
        lambda: Period.parse("2026-01-01T00:00/2026-01-31T24:00"),
    ],
    # Both dates of a text are dates.
    "InvalidPeriodError: not_a_date": [
        lambda text=text: Period.parse(text)  # type: ignore[misc]
        for text in (
            *("2026-01-01/2026-02-30", "/", "2026-01-01/", "2026-01-01 / 2026-01-31"),
            "2026-01-01/P1M",
        )
    ],
    "InvalidPeriodError: period not_a_period": [
        *(lambda: period_of("January"), lambda: ANY_PERIOD(("2026-01-01",))),
    ],
    "InvalidPeriodError: period reversed_period": [lambda: period_of(("2026-01-31", "2026-01-01"))],
    "InvalidPeriodError: not_a_year_month": [
        lambda: Period.month(2026, 13),
        lambda: Period.year(0),
    ],
    # JSON has two days and nothing else (A4).
    "InvalidPeriodError: not_a_period": [
        lambda text=text: Period.parse_days(text)  # type: ignore[misc]
        for text in ("2026-01", "2026")
    ],
}


@rows("found", REFUSED)
def test_what_is_no_day_or_period_is_refused_at_its_place(found: str) -> None:
    for call in REFUSED[found]:
        assert found == refusal_text(call)


NO_PERIODS: tuple[Any, ...] = (
    *("2026-01-01/2026-01-15/2026-01-31", b"2026-01-01/2026-01-31", 20260101, None, JANUARY),
)
NO_MONTHS = ("2026-01-01", "", "2026-13", "0000", "26", "2026-Q5")
REVERSED = ("", "reversed_period", "ends before it starts")

# The whole problem: path, code, sentence, what was given, what is expected.
PROBLEMS: list[tuple[Call, tuple[str, ...]]] = [
    # A reversed period is refused with the right order, never turned round (A4).
    (
        lambda: Period.parse("2026-01-31/2026-01-01"),
        (*REVERSED, "'2026-01-31/2026-01-01'", "2026-01-01/2026-01-31"),
    ),
    (
        lambda: Period(LAST_DAY, date(2026, 1, 1)),
        (*REVERSED, "'2026-01-31/2026-01-01'", "2026-01-01/2026-01-31"),
    ),
    *(
        (lambda text=text: half_open(text), (*REVERSED, f"'{text}'", expected))
        for text, expected in (
            ("2026-01-01/2026-01-01", "at least one day"),
            ("2026-01-31/2026-01-01", "2026-01-01/2026-01-31"),
            ("0001-01-01/0001-01-01", "at least one day"),
        )
    ),
    *(
        (
            lambda given=given: ANY.parse(given),
            (
                *("", "not_a_period", "is not a period", shown(given)),
                "YYYY-MM-DD/YYYY-MM-DD"
                if isinstance(given, str)
                else "a text: 2026, 2026-Q1, 2026-03, 2026-01/2026-03 or YYYY-MM-DD/YYYY-MM-DD",
            ),
        )
        for given in NO_PERIODS
    ),
    *(
        (
            lambda given=given: ANY.parse(given),
            (
                *("", "not_a_period", "is not a period", shown(given)),
                "2026, 2026-Q1, 2026-03, 2026-01/2026-03 or YYYY-MM-DD/YYYY-MM-DD",
            ),
        )
        for given in NO_MONTHS
    ),
    # A misspelt word would have added a day (A4).
    *(
        (
            lambda word=word: ANY.parse("2026-01-01/2026-02-01", period_end=word),
            (
                *("period_end", "unknown_word", "is not a known word"),
                *(shown(word), "included or excluded"),
            ),
        )
        for word in ("exluded", "Included", "", None, ["excluded"])
    ),
]


@rows(
    ("text", "days"),
    [
        ("2026-Q1", "2026-01-01/2026-03-31"),
        ("2026-q4", "2026-10-01/2026-12-31"),
        ("2026-01/2026-03", "2026-01-01/2026-03-31"),
        ("2025-Q4/2026-Q1", "2025-10-01/2026-03-31"),
        ("2025/2026", "2025-01-01/2026-12-31"),
        ("2026-02/2026-Q4", "2026-02-01/2026-12-31"),
        ("9999-12", "9999-12-01/9999-12-31"),
    ],
)
def test_quarters_and_months_are_periods(text: str, days: str) -> None:
    assert days == str(Period.parse(text))


@rows(
    ("text", "expected"),
    [
        ("3.2026", "2026, 2026-Q1, 2026-03, 2026-01/2026-03 or YYYY-MM-DD/YYYY-MM-DD"),
        ("03/2026", "2026-03"),
        ("2026-03/2026-01", "2026-01/2026-03"),
    ],
)
def test_another_form_is_refused_with_the_right_one(text: str, expected: str) -> None:
    assert expected == refused(lambda: Period.parse(text)).problems[0].expected


def test_two_months_are_not_read_as_half_open() -> None:
    """2026-01/2026-02 is January under one reading, and February too under the other."""
    (problem,) = refused(lambda: half_open("2026-01/2026-02")).problems

    assert "YYYY-MM-DD/YYYY-MM-DD, the second the day after the last" == problem.expected
    assert "2026-01-01/2026-01-31" == str(half_open("2026-01"))


@rows(("call", "expected"), PROBLEMS)
def test_no_period_is_guessed(call: Call, expected: tuple[str, ...]) -> None:
    error = refused(call)

    assert (expected,) == error.problems
    assert (expected[1] == "unknown_word") == isinstance(error, UnknownWordError)


NO_DAYS: tuple[Any, ...] = (None, 20260131, b"2026-01-31")
MISUSED: list[tuple[Call, str]] = [
    *(
        (lambda each=each: days_of(each, "after"), f"after is a date or its text, not {each!r}")
        for each in NO_DAYS
    ),
    *(
        (
            lambda each=each: whole(each, by="due_date"),
            f"due_date takes a Period, its text or two days, not {each!r}",
        )
        for each in (None, 5, date(2026, 1, 1), b"2026")
    ),
    *(
        (lambda each=each: each in JANUARY, f"day is a date or its text, not {shown(each)}")  # pyright: ignore[reportOperatorIssue]
        for each in (5, None, JANUARY)
    ),
    (lambda: split(5), "day is a date or its text, not 5"),
    # A text is read first: here it is unknown whether it includes its last day (A4).
    *(
        (
            lambda name=name, other=other: getattr(JANUARY, name)(other),
            # What is subtracted is shown with all that was to be subtracted.
            f"a Period is needed, not {shown((other,) if name == 'minus' else other)}",
        )
        for name in ("overlaps", "intersection", "minus")
        for other in ("2026-01-15/2026-01-20", None, date(2026, 1, 1))
    ),
    (
        lambda: ANY.joined([JANUARY, "2026"]),
        f"a Period is needed, not {shown([JANUARY, '2026'])}",
    ),
]


@rows(("call", "sentence"), MISUSED)
def test_misuse_is_a_type_error(call: Call, sentence: str) -> None:
    with pytest.raises(TypeError) as caught:
        call()

    assert sentence == str(caught.value)


# Periods are values: equal by their ends, frozen, hashable, in order.


def test_periods_with_the_same_ends_are_equal() -> None:
    same = Period(date(2026, 1, 1), date(2026, 1, 31))
    others = texts("2026-01-01/2026-01-30", "2025-01-01/2026-01-31")

    assert (same, hash(same)) == (JANUARY, hash(JANUARY))
    assert JANUARY not in [*others, "2026-01-01/2026-01-31"]
    assert 3 == len({hash(each) for each in (JANUARY, *JANUARY.split_at("2026-01-15"))})


@rows("name", ["start", "end", "first", "last", "days", "months", "note"])
def test_a_period_cannot_be_changed(name: str) -> None:
    with pytest.raises(AttributeError):
        setattr(JANUARY, name, 1)


def test_periods_have_an_order() -> None:
    first, second, third = days = texts(
        "2026-01-01/2026-01-15", "2026-01-01/2026-01-31", "2026-01-02/2026-01-03"
    )
    same = Period(date(2026, 1, 1), date(2026, 1, 31))

    assert (days, True, True, True, False) == (
        sorted([third, second, first]),
        first < second < third,
        second <= same,
        third > first,
        first >= second,
    )
    assert (False, False) == (same < JANUARY, JANUARY < same)
    with pytest.raises(TypeError, match="not supported between"):
        sorted(["2026-01-01/2026-01-31", JANUARY])  # type: ignore[type-var]
