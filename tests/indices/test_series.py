"""Index series: exact values, what was known when, other bases, and assumptions (A41)."""

import pickle
from collections.abc import Iterable
from datetime import date
from decimal import Decimal
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from rentbilling.errors import InvalidInputError, MissingIndexError
from rentbilling.indices import AnyIndices, IndexKind, IndexPoint, IndexSeries, series_of
from rentbilling.records import read_json, write_json
from rentbilling.values import YearMonth
from tests.support.refusals import Call
from tests.support.rows import rows
from tests.support.series import CHANGES, CPI, LINKS, NEW, NPI, OLD, point, x

D = Decimal


def texts(points: Iterable[IndexPoint]) -> list[str]:
    return [str(each) for each in points]


def values_of(series: IndexSeries) -> dict[str, str]:
    return {str(each): str(value) for each, value in series.values.items()}


def figures(series: IndexSeries) -> list[str]:
    return list(values_of(series).values())


def months(year: int, *values: int) -> dict[str, int]:
    return {f"{year}-{at:02d}": value for at, value in enumerate(values, 1)}


def value_or_none(series: IndexSeries, at: IndexPoint, day: date | str) -> Fraction | None:
    try:
        return series.value_at(at, known_on=day)
    except MissingIndexError:
        return None


MONTHLY: IndexKind = "monthly_change"
RISES = x({"2021-01": "0.01", "2021-02": "-0.02"}, kind=MONTHLY)
QUARTERLY = x(dict.fromkeys(("2021-01", "2021-02", "2021-03"), "0.01"), kind=MONTHLY)
TWELVE = months(2021, *range(1, 13))
"""The months of a year, whose mean is 78 / 12 = 6.5."""
FLAT = x(months(2021, *([100] * 12)))
ONES = {f"2021-Q{at}": 1 for at in range(1, 5)}
QUARTERS = {f"2021-Q{at}": value for at, value in enumerate((101, 102, 103, 105), 1)}
MEAN_LATER = x({**TWELVE, "2021": 7}, known={"2021": "2022-02-01"})
NO_DECEMBER = x({**months(2021, *range(1, 12)), "2020": 100})
PART_ASSUMED = x(months(2021, 1, 2, 3), assumed=["2021-03"])
BARE = x({"2021": 1}, provisional={"2021"}, assumed=iter(["2021"]))
PUBLISHED = x(months(2023, 1, 2), known={"2023-01": "2023-02-10", "2023-02": "2023-03-10"})
ASSUMED = x(
    {"2021": 100, "2022": 102, "2023": 104}, known={"2023": "2022-06-01"}, assumed=["2022", "2023"]
)
"""An assumed value was never published: it counts on no day, unless a day is given (A41)."""

LINKED = NEW.linked(OLD, factor=LINKS, decimals=3)

FINNISH = IndexSeries("CPI", {"2016-01": "99.57", "2016-02": "100.00"}, base="2015=100")
LINK_1951: Any = {"base": "1951:10=100", "factor": D("19.058689")}
"""Finland's own: 99.57 × 19.058689 = 1897.67366373, published as a whole number."""

ROWS: dict[str, tuple[Call, object]] = {
    # What is stated.
    "a value is exact: 1116/1048": (
        lambda: NPI.value_at("2022-04") / NPI.value_at("2021-04"),
        Fraction(279, 262),
    ),
    **{
        f"a point may be given as {at!r}": (
            lambda at=at: (IndexSeries("NPI", {at: "104.8"}), NPI.value_at(at)),  # type: ignore[misc]
            (IndexSeries("NPI", {"2021-04": D("104.8")}), Fraction(1048, 10)),
        )
        for at in ("2021-04", YearMonth(2021, 4), point("2021-04"))
    },
    "months, quarters and years are in order": (
        lambda: figures(x({"2022": 4, "2021-Q2": 3, "2021-06": 2, "2020": 5, "2020-06": 1})),
        ["1", "2", "3", "5", "4"],
    ),
    "points": (lambda: texts(CPI.points), ["2023-01", "2023-02", "2023-03", "2022"]),
    "fields are kept": (
        lambda: (NPI.name, NPI.base, NPI.kind, NPI.source),
        ("NPI", "2015=100", "level", "Danmarks Statistik, PRIS116"),
    ),
    "days and marks are kept": (
        lambda: (CPI.known, CPI.provisional, CPI.assumed),
        (
            {
                point("2023-01"): date(2023, 2, 10),
                point("2023-02"): date(2023, 3, 10),
                point("2022"): date(2023, 1, 10),
            },
            {point("2023-02")},
            set(),
        ),
    ),
    "name and values are enough": (
        lambda: (BARE.base, BARE.kind, BARE.known, BARE.source),
        (None, "level", {}, None),
    ),
    "marks come from any list": (
        lambda: (texts(BARE.provisional), texts(BARE.assumed)),
        (["2021"], ["2021"]),
    ),
    # The decimals are the most that are written: a closing zero counts, because it was published.
    "104.80 has two decimals": (lambda: x({"2021": "104.80", "2022": 1}).decimals, 2),
    "1898 has no decimals": (lambda: x({"2021": 1898}).decimals, 0),
    "1E+3 has no decimals": (lambda: x({"2021": D("1E+3")}).decimals, 0),
    "no values have no decimals": (lambda: x({}).decimals, 0),
    "holes": (
        lambda: texts(
            x(dict.fromkeys(("2021-11", "2022-02", "2020-Q4", "2021-Q2", "2019", "2021"), 1)).holes
        ),
        ["2021-12", "2022-01", "2021-Q1", "2020"],
    ),
    "no gaps, no holes": (lambda: (CPI.holes, x({}).holes), ((), ())),
    # A published change is a fraction: 0.0216 is 2.16 % (A5). It may be all or tenfold.
    "changes may be 0 or below": (
        lambda: [CHANGES.value_at(year) for year in ("2021", "2022", "2023")],
        [Fraction(27, 1250), 0, Fraction(-3, 1000)],
    ),
    **{
        f"a change of {value}": (
            partial(x({"2021": value}, kind="change").value_at, "2021"),
            value,
        )
        for value in (-1, 10)
    },
    # A coarser point without a stated value is the mean of finer ones, all of them.
    "a quarter is the mean of its months: 305.75 / 3": (
        lambda: {CPI.value_at("2023-Q1"), CPI.value_at(point("2023-Q1"))},
        {Fraction(1223, 12)},
    ),
    "a year is the mean of its months: 78 / 12": (
        lambda: x(TWELVE).value_at("2021"),
        Fraction(13, 2),
    ),
    "a year is the mean of its quarters: 411 / 4": (
        lambda: x(QUARTERS).value_at("2021"),
        Fraction(411, 4),
    ),
    "the mean of months, 6.5, comes before that of quarters, 1": (
        lambda: x({**TWELVE, **ONES}).value_at("2021"),
        Fraction(13, 2),
    ),
    "a stated value comes before any mean: Finland's rounded 1913": (
        lambda: IndexSeries("EKI", {**months(2016, *([1912] * 12)), "2016": 1913}).value_at("2016"),
        1913,
    ),
    "a mean is as provisional as any of its parts": (
        lambda: [CPI.is_provisional(at) for at in ("2023-01", "2023-02", "2023-Q1", "2022")],
        [False, True, True, False],
    ),
    "a mean is as assumed as any of its parts": (
        lambda: [PART_ASSUMED.is_assumed(at) for at in ("2021-01", "2021-03", "2021-Q1")],
        [False, True, True],
    ),
    # Only what was published by a day counts (A41).
    "days and marks go with the values": (
        lambda: (
            set(texts(CPI.known_on("2023-02-10").known)),
            CPI.known_on("2023-02-10").provisional,
        ),
        ({"2023-01", "2022"}, frozenset()),
    ),
    "assumed values count from a stated day only": (
        lambda: texts(ASSUMED.known_on("2050-01-01").points),
        ["2021", "2023"],
    ),
    "assumed values count where no day is asked for": (lambda: ASSUMED.value_at("2022"), 102),
    "a yearly value not yet published leaves the mean of the months": (
        lambda: [MEAN_LATER.value_at("2021", known_on=day) for day in ("2022-01-31", "2022-02-01")],
        [Fraction(13, 2), 7],
    ),
    "the latest month": (lambda: str(CPI.latest("month")), "2023-03"),
    "the latest year": (lambda: str(CPI.latest("year")), "2022"),
    "a month without a day of publication always counts": (
        lambda: str(CPI.latest("month", known_on="2023-01-01")),
        "2023-03",
    ),
    "the latest year on its day": (lambda: str(CPI.latest("year", known_on="2023-01-10")), "2022"),
    "the latest month is the last published": (
        lambda: str(PUBLISHED.latest(known_on="2023-03-09")),
        "2023-01",
    ),
    # Another base takes a stated factor.
    "a factor gives exact values": (
        lambda: values_of(FINNISH.rebased(**LINK_1951)),
        {"2016-01": "1897.67366373", "2016-02": "1905.8689"},
    ),
    "another base keeps the name": (
        lambda: (FINNISH.rebased(**LINK_1951).name, FINNISH.rebased(**LINK_1951).base),
        ("CPI", "1951:10=100"),
    ),
    "values on another base are rounded": (
        lambda: figures(FINNISH.rebased(**LINK_1951, decimals=0)),
        ["1898", "1906"],
    ),
    "104.8 / 4": (lambda: figures(NPI.rebased(None, factor=Fraction(1, 4)))[0], "26.2"),
    "104.8 × 2": (lambda: figures(NPI.rebased(None, factor=2))[0], "209.6"),
    "104.8 / 2": (lambda: figures(NPI.rebased(None, factor=D("0.5")))[0], "52.4"),
    # 111.6 / 104.8 × 100 = 106.4885… and 105.0 / 104.8 × 100 = 100.1908….
    "a point becomes 100": (
        lambda: values_of(NPI.rebased("2021-04=100", at="2021-04", decimals=2)),
        {"2021-04": "100.00", "2021-05": "100.19", "2022-04": "106.49"},
    ),
    "rounding is chosen": (
        lambda: [
            figures(NPI.rebased(None, at="2021-04", decimals=1, rounding=mode))[1]
            for mode in ("half_up", "up", "down")
        ],
        ["100.2", "100.2", "100.1"],
    ),
    # The mean of 1 to 12 is 6.5; 1 / 6.5 × 100 = 15.3846… and 13 / 6.5 × 100 = 200.
    "the mean of a year becomes 100": (
        lambda: [
            figures(x({**TWELVE, "2022-01": 13}).rebased("x", at="2021", decimals=3))[each]
            for each in (0, -1)
        ],
        ["15.385", "200.000"],
    ),
    "days and marks stay on another base": (lambda: CPI == CPI.rebased(None, factor=1), True),
    # Two bases become one series: 58.717 × 2.341468 = 137.483976…, 60.030 × 2.360835 = 141.720925….
    "each calendar month may have its factor": (
        lambda: (LINKED.name, LINKED.base, values_of(LINKED)),
        (
            "IPC 1992",
            "1992",
            {
                "2001-01": "133.413",
                "2001-08": "136.745",
                "2002-01": "137.484",
                "2002-08": "141.721",
            },
        ),
    ),
    "the year to January 2002 is 3.1 %": (
        lambda: round(LINKED.value_at("2002-01") / LINKED.value_at("2001-01") - 1, 3),
        Fraction("0.031"),
    ),
    # The other way the coefficient divides: 133.413 / 2.341468 = 56.97835….
    "old values can go to the new base": (
        lambda: (
            values_of(
                OLD.linked(
                    NEW,
                    factor={month: 1 / Fraction(each) for month, each in LINKS.items()},
                    decimals=3,
                ).named("IPC 2025")
            )
            | {"base": OLD.linked(NEW, factor=1).base, "name": OLD.linked(NEW, factor=1).name}
        ),
        {
            "2001-01": "56.978",
            # 136.745 / 2.360835 = 57.92230….
            "2001-08": "57.922",
            "2002-01": "58.717",
            "2002-08": "60.030",
            "base": "2025=100",
            "name": "IPC 2025",
        },
    ),
    "values of the newer series win": (
        lambda: x({"2021-01": 50, "2021-02": 51, "2021": 50}, source="A").linked(
            x({"2021-02": 103, "2021": 101}, base="new", source="B"), factor={1: 2}
        ),
        x({"2021-01": 100, "2021-02": 103, "2021": 101}, base="new", source="B; A"),
    ),
    "days and marks come from the series of the value": (
        lambda: x(
            {"2020": 50, "2021": 51},
            known={"2020": "2021-01-10", "2021": "2022-01-10"},
            provisional=["2020", "2021"],
            assumed=["2021"],
        ).linked(
            x({"2021": 103, "2022": 104}, known={"2022": "2023-01-10"}, assumed=["2022"]), factor=2
        ),
        x(
            {"2020": 100, "2021": 103, "2022": 104},
            known={"2020": "2021-01-10", "2022": "2023-01-10"},
            provisional=["2020"],
            assumed=["2022"],
        ),
    ),
    # Assumed values: 118.0 × 1.02 = 120.36, × 1.02 = 122.7672, × 1.02 = 125.222544.
    "each further point builds on the year before": (
        lambda: values_of(IndexSeries("NPI", {"2024": "118.0"}).extended(until="2027-12")),
        {"2024": "118.0", "2025": "120.360000", "2026": "122.767200", "2027": "125.222544"},
    ),
    "all of them are marked": (
        lambda: sorted(
            texts(IndexSeries("NPI", {"2024": "118.0"}).extended(until="2027-12").assumed)
        ),
        ["2025", "2026", "2027"],
    ),
    # 105 × 1.1 = 115.5 gives 116, and 116 × 1.1 = 127.6 gives 128: from what is written.
    "assumed values are rounded half up": (
        lambda: figures(x({"2021": 105}).extended(D("0.1"), "2023", 0)),
        ["105", "116", "128"],
    ),
    # 100 × 1.03 = 103, × 1 = 103, × 0.99 = 101.97.
    "each year may have its rate": (
        lambda: figures(
            x({"2021": 100}).extended(
                {2022: D("0.03"), 2023: 0, 2024: D("-0.01")}, until="2024", decimals=2
            )
        ),
        ["100", "103.00", "103.00", "101.97"],
    ),
    "assumed changes are the rate itself, and marked": (
        lambda: x({"2021-03": "0.031"}, kind="change").extended(until="2021-05"),
        x(
            {"2021-03": "0.031", "2021-04": "0.02", "2021-05": "0.02"},
            kind="change",
            assumed=["2021-04", "2021-05"],
        ),
    ),
    # 1.021^12 = 1.28324…, near 28.324 %; and 1.1^12 − 1 = 2.138428376721 is exact.
    "assumed changes of months make the rate in a year": (
        lambda: figures(
            x({"2021-12": "0.5"}, kind="monthly_change").extended(
                {2022: D("0.28324"), 2023: "213.8428376721%"}, until="2023-01"
            )
        ),
        ["0.5", *["0.021000"] * 12, "0.100000"],
    ),
    "a change of a month is the stated one": (lambda: RISES.value_at("2021-01"), Fraction(1, 100)),
    "changes of months are read from lines, too": (
        lambda: IndexSeries.from_csv("2021-01;0,01\n2021-02;-0,02", name="X", kind=MONTHLY),
        RISES,
    ),
    "the default is to the end of 2056: 35 years of 12 months": (
        lambda: (len(FLAT.extended().assumed), str(FLAT.extended().latest())),
        (420, "2056-12"),
    ),
    # An assumption never becomes a published value (A41).
    "published values are all that was known": (
        lambda: (
            FLAT.extended().known_on("2040-01-01"),
            str(FLAT.extended().latest(known_on="2040-01-01")),
        ),
        (FLAT, "2021-12"),
    ),
    "a series that is long enough stays as it is": (
        lambda: (NPI.extended(until="2022-04"), x({}).extended()),
        (NPI, x({})),
    ),
    # The year 10000 is not needed.
    "the last year of the calendar can be assumed": (
        lambda: values_of(x({"9998": 100}).extended(until="9999")),
        {"9998": "100", "9999": "102.000000"},
    ),
    # May 2022 builds on May 2021, which is there; June has nothing to build on.
    "a month without one a year before stays without": (
        lambda: values_of(NPI.extended(until="2022-06")),
        {**values_of(NPI), "2022-05": "107.100000"},
    ),
    "a series of Octobers gets further Octobers": (
        lambda: values_of(x({"2023-10": 100}).extended(until="2025-12")),
        {"2023-10": "100", "2024-10": "102.000000", "2025-10": "104.040000"},
    ),
    # Text with a line for each value.
    **{
        f"fields are parted: {text!r}": (
            partial(lambda given: values_of(IndexSeries.from_csv(given, name="NPI")), text),
            {"2021-04": "104.8", "2022-Q1": "110"},
        )
        for text in (
            "2021-04;104,8\n2022-Q1;110",
            "month;NPI\n2021-04;104.8;;\n2022-Q1;110\n",
            "\ufeff# NPI; 2015=100\n\nPeriod\tValue\r\n2021-04\t104,8\r\n2022-Q1\t110\r\n",
            '"month","2015=100"\n"2021-04","104.8"\n , \n"2022-q1", 110',
            "Net price index\n2021-04; 104,8 ;;no\n2022-Q1;110;;final",
        )
    },
    "days of publication and marks may follow": (
        lambda: IndexSeries.from_csv(
            "2021,100,2022-01-10\n2022,101,,Provisional\n2023,102,2024-01-10,yes\n",
            name="CPI",
            base="2021=100",
            source="office",
        ),
        IndexSeries(
            "CPI",
            {"2021": 100, "2022": 101, "2023": 102},
            base="2021=100",
            known={"2021": "2022-01-10", "2023": "2024-01-10"},
            provisional=["2022", "2023"],
            source="office",
        ),
    ),
    # A percentage is not guessed: 2.16 would be 216 %.
    "changes are read as they are written": (
        lambda: IndexSeries.from_csv("2021;-0,003\n2022;2.16", name="SATS", kind="change"),
        IndexSeries("SATS", {"2021": "-0.003", "2022": "2.16"}, kind="change"),
    ),
    # Plain data.
    "a row of texts is read": (
        lambda: IndexSeries.from_data(
            {"name": "Nettoprisindeks, 2015=100", "values": {"2022-04": "111.6"}}
        ),
        IndexSeries("Nettoprisindeks, 2015=100", {"2022-04": D("111.6")}),
    ),
    "a plain series has name and values": (lambda: x({}).to_data(), {"name": "X", "values": {}}),
    # Other readers of JSON give 104.8 as a binary number (A1).
    "a binary number counts as it prints": (
        lambda: IndexSeries.from_data({"name": "X", "values": {"2021": 104.8}}).value_at("2021"),
        Fraction(1048, 10),
    ),
    "null means that a field is not given": (
        lambda: IndexSeries.from_data(
            {"name": "X", "values": {"2021": 1}, "base": None, "known": None, "assumed": None}
        ),
        x({"2021": 1}),
    ),
    "a series can have another name": (
        lambda: CPI.named("Y").to_data(),
        CPI.to_data() | {"name": "Y"},
    ),
    # How a series shows.
    "levels": (lambda: repr(NPI), "<IndexSeries NPI 2015=100, 3 months 2021-04 to 2022-04>"),
    "two units": (lambda: repr(CPI), "<IndexSeries CPI, 3 months 2023-01 to 2023-03, 1 year 2022>"),
    "no values": (lambda: repr(x({})), "<IndexSeries X, no values>"),
    "an assumed quarter": (
        lambda: repr(x({"2024-Q1": 1, "2024-Q2": 1}, assumed=["2024-Q2"])),
        "<IndexSeries X, 2 quarters 2024-Q1 to 2024-Q2, 1 assumed>",
    ),
}


@rows(("call", "expected"), ROWS.values(), ids=ROWS)
def test_a_series_gives(call: Call, expected: object) -> None:
    found = call()

    assert expected == found
    if isinstance(expected, IndexSeries) and isinstance(found, IndexSeries):
        assert values_of(expected) == values_of(found)


@rows(
    ("day", "known"),
    [
        ("2023-01-09", ["2023-03"]),
        ("2023-01-10", ["2023-03", "2022"]),
        ("2023-03-09", ["2023-01", "2023-03", "2022"]),
        (date(2023, 3, 10), ["2023-01", "2023-02", "2023-03", "2022"]),
    ],
)
def test_a_value_counts_from_the_day_of_its_publication(day: date | str, known: list[str]) -> None:
    """Only what was published by a day counts (A41)."""
    assert known == texts(CPI.known_on(day).points)
    assert known == [str(each) for each in CPI.points if value_or_none(CPI, each, day) is not None]


def test_every_unit_of_the_series_goes_on() -> None:
    series = x(
        {
            **months(2021, *range(101, 113)),
            **dict.fromkeys(("2020-Q2", "2020-Q3", "2020-Q4", "2020"), 100),
            "2021-Q1": 110,
        }
    )

    longer = series.extended(D("0.1"), until="2022-02", decimals=1)

    assert {
        "2022-01": "111.1",
        "2022-02": "112.2",
        **dict.fromkeys(("2021-Q2", "2021-Q3", "2021-Q4", "2021"), "110.0"),
    } == {str(at): str(longer.values[at]) for at in longer.assumed}


# A value that is not there is an error that names it (A41).

MISSING: list[tuple[Call, IndexSeries, str, date | None]] = [
    (lambda: NPI.value_at("2022-05"), NPI, "2022-05", None),
    # Published on 10 March, and asked for on the 9th.
    (
        lambda: CPI.value_at(YearMonth(2023, 2), known_on="2023-03-09"),
        CPI,
        "2023-02",
        date(2023, 3, 9),
    ),
    (lambda: CPI.is_provisional("2024-01"), CPI, "2024-01", None),
    # Changes of months have no mean (A152).
    (lambda: QUARTERLY.value_at("2021-Q1"), QUARTERLY, "2021-Q1", None),
    (lambda: CPI.is_assumed("2024-01"), CPI, "2024-01", None),
    # A mean with a month missing is no mean, and a year does not give its months.
    (lambda: NO_DECEMBER.value_at("2021"), NO_DECEMBER, "2021", None),
    (lambda: NO_DECEMBER.value_at("2021-Q4"), NO_DECEMBER, "2021-Q4", None),
    (lambda: NO_DECEMBER.value_at("2020-01"), NO_DECEMBER, "2020-01", None),
    (lambda: ASSUMED.value_at("2022", known_on="2050-01-01"), ASSUMED, "2022", date(2050, 1, 1)),
    (lambda: PUBLISHED.latest(known_on="2023-02-09"), PUBLISHED, "month", date(2023, 2, 9)),
    (lambda: NPI.latest("quarter"), NPI, "quarter", None),
    (lambda: NPI.rebased("2021=100", at="2021"), NPI, "2021", None),
]


@rows(("call", "series", "at", "day"), MISSING)
def test_a_missing_value_is_named(
    call: Call, series: IndexSeries, at: str, day: date | None
) -> None:
    named: dict[str, Any] = {"series": series.name, "base": series.base, "at": at}
    with pytest.raises(MissingIndexError) as caught:
        call()

    expected = MissingIndexError("missing_index", **named, **({"known_on": day} if day else {}))
    assert expected == caught.value


# Plain data, values.


def test_all_fields_are_written_and_read_again() -> None:
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
        ("values", {"2021-01": D("0.010"), "2021-Q1": D(0), "2022": D("0.02")}),
        ("known", {"2021-01": "2021-02-10", "2022": "2023-01-10"}),
        ("provisional", ["2021-Q1", "2022"]),
        ("assumed", ["2022"]),
        ("source", "s"),
    ] == list(data.items())
    assert ["2021-01", "2022"] == list(data["known"])
    assert series == IndexSeries.from_data(data)


def test_a_text_of_json_and_back_keeps_every_digit() -> None:
    """104.80 stays 104.80."""
    series = x({"2021": "104.80"}, provisional=["2021"])

    text = write_json(series.to_data())

    assert '{"name": "X", "values": {"2021": 104.80}, "provisional": ["2021"]}' == text
    assert {"2021": "104.80"} == values_of(IndexSeries.from_data(read_json(text)))


def test_series_are_equal_when_all_their_fields_are() -> None:
    """In whichever way they are given: 1.0 is 1, a month is its text."""
    fields: dict[str, Any] = {"name": "X", "values": {"2021": 1, "2022": 2}}
    same = x({point("2022"): "2.0", "2021": D("1.0")})
    others: list[dict[str, Any]] = [
        {"name": "Y"},
        {"values": {"2021": 1}},
        {"values": {"2021": 1, "2022": 3}},
        {"base": "b"},
        {"kind": "change"},
        {"known": {"2021": "2022-01-10"}},
        {"provisional": ["2021"]},
        {"assumed": ["2021"]},
        {"source": "s"},
    ]

    assert same == IndexSeries(**fields)
    assert hash(same) == hash(IndexSeries(**fields))
    assert [] == [each for each in others if same == IndexSeries(**(fields | each))]
    assert same != "X"


def test_a_series_cannot_change() -> None:
    values = {"2021": 1}
    series: Any = x(values)
    values["2021"] = 2

    assert 1 == series.value_at("2021")
    for name in ("name", "values", "other"):
        with pytest.raises((AttributeError, TypeError)):
            setattr(series, name, 1)
    found: Any = series_of(NPI)
    fixed = ((series.values, point("2021")), (series.known, point("2021")), (found, "x"))
    for mapping, key in fixed:
        with pytest.raises(TypeError):
            mapping[key] = CPI


@rows("series", [NPI, CPI, x({}).extended()])
def test_a_series_survives_pickling(series: IndexSeries) -> None:
    again = pickle.loads(pickle.dumps(series))

    assert (series, values_of(series)) == (again, values_of(again))


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
def test_one_series_or_several_are_found_by_name(given: AnyIndices, names: list[str]) -> None:
    found = series_of(given)

    assert names == list(found)
    assert names == [each.name for each in found.values()]


# The laws, with drawn series.

POINTS = tuple(
    [str(each) for year in ("2020", "2021") for each in point(year).within("month")]
    + [str(each) for each in point("2021").within("quarter")]
    + ["2019", "2020", "2021"]
)
DAYS = st.dates(min_value=date(2020, 1, 1), max_value=date(2023, 1, 1))
LEVELS = st.decimals(min_value="0.1", max_value="99999.999", places=3)
RATES = st.decimals(min_value="-1", max_value="10", places=4)


@st.composite
def drawn_series(draw: st.DrawFn, kind: IndexKind = "level") -> IndexSeries:
    """Draw a series with values at some points, some of which are dated or marked."""
    figures = LEVELS if kind == "level" else RATES
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


@rows("text", ["", "month;value\n", "# nothing yet\n", "npi"])
def test_a_text_without_a_value_is_no_series(text: str) -> None:
    with pytest.raises(InvalidInputError, match=r"holds no index value \(met nothing"):
        IndexSeries.from_csv(text, name="NPI")


def test_a_path_is_read_by_the_caller() -> None:
    path: Any = Path("npi.csv")
    with pytest.raises(TypeError, match=r"takes a text, not .*; write path.read_text"):
        IndexSeries.from_csv(path, name="NPI")
