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

from rentbilling.errors import MissingIndexError
from rentbilling.indices import IndexKind, IndexPoint, IndexSeries, series_of
from rentbilling.records import read_json, write_json
from rentbilling.values import YearMonth
from tests.support.refusals import Call
from tests.support.rows import rows

D, F = Decimal, Fraction
x: Any = partial(IndexSeries, "X")
csv: Any = partial(IndexSeries.from_csv, name="X")


def months(year: int, *values: int) -> dict[str, int]:
    return {f"{year}-{at:02d}": value for at, value in enumerate(values, 1)}


def told(series: IndexSeries) -> str:
    """Return the points and values of a series, as they are written."""
    return ", ".join(f"{point} {value}" for point, value in series.values.items())


def texts(points: Iterable[IndexPoint]) -> str:
    return " ".join(map(str, points))


# fmt: off
NPI = IndexSeries("NPI", {"2021-04": "104.8", "2021-05": "105.0", "2022-04": "111.6"},
                  base="2015=100", source="Danmarks Statistik, PRIS116")
CPI = IndexSeries(
    "CPI", {"2023-01": "101.5", "2023-02": 102, "2023-03": D("102.25"), "2022": "98.0"},
    known={"2023-01": "2023-02-10", "2023-02": date(2023, 3, 10), "2022": "2023-01-10"},
    provisional=["2023-02"])
CHANGES = IndexSeries("SATS", {"2021": "0.0216", "2022": 0, "2023": "-0.003"}, kind="change")
MONTHLY = x({"2021-01": "0.01", "2021-02": "-0.02", "2021-03": "0"}, kind="monthly_change")
TWELVE = months(2021, *range(1, 13))
"""The months of a year, whose mean is 78 / 12 = 6.5."""
ONES = {f"2021-Q{at}": 1 for at in range(1, 5)}
LATER = x({**TWELVE, "2021": 7}, known={"2021": "2022-02-01"})
HOLED = x({**months(2021, *range(1, 12)), "2020": 100})
PARTLY = x(months(2021, 1, 2, 3), assumed=["2021-03"])
# An assumed value was never published: it counts on no day, unless a day is given (A41).
ASSUMED = x({"2021": 100, "2022": 102, "2023": 104}, known={"2023": "2022-06-01"},
            assumed=["2022", "2023"])
# Spain's coefficients lead from the new base to that of 1992, Finland's factor to that of 1951.
OLD = IndexSeries("IPC 1992", {"2001-01": "133.413", "2001-08": "136.745"}, base="1992")
NEW = IndexSeries("IPC 2025", {"2002-01": "58.717", "2002-08": "60.030"}, base="2025=100")
LINKS: Any = {1: D("2.341468"), 8: D("2.360835")}
FINNISH = IndexSeries("CPI", {"2016-01": "99.57", "2016-02": "100.00"}, base="2015=100")
IN_1951 = partial(FINNISH.rebased, "1951:10=100", factor=D("19.058689"))

ROWS: list[tuple[object, Call]] = [
    # What is stated: exact, in order, with its marks.
    (F(279, 262), lambda: NPI.value_at("2022-04") / NPI.value_at("2021-04")),
    *((F(1048, 10), partial(IndexSeries("NPI", {at: "104.8"}).value_at, "2021-04"))
      for at in ("2021-04", YearMonth(2021, 4), IndexPoint.parse("2021-04"))),
    ("2020-06 1, 2021-06 2, 2021-Q2 3, 2020 5, 2022 4",
     lambda: told(x({"2022": 4, "2021-Q2": 3, "2021-06": 2, "2020": 5, "2020-06": 1}))),
    ((("NPI", "2015=100", "level", "Danmarks Statistik, PRIS116"), (None, {}, None)),
     lambda: ((NPI.name, NPI.base, NPI.kind, NPI.source), (CPI.base, NPI.known, CPI.source))),
    ("2021 2021", lambda: f"{texts(x({'2021': 1}, provisional={'2021'}).provisional)} "
                          f"{texts(x({'2021': 1}, assumed=iter(['2021'])).assumed)}"),
    # The decimals are the most that are written: a closing zero was published.
    ([2, 0, 0, 0], lambda: [x(each).decimals for each in (
        {"2021": "104.80", "2022": 1}, {"2021": 1898}, {"2021": D("1E+3")}, {})]),
    ("2021-12 2022-01 2021-Q1 2020", lambda: texts(x(dict.fromkeys(
        ("2021-11", "2022-02", "2020-Q4", "2021-Q2", "2019", "2021"), 1)).holes)),
    ([(), ()], lambda: [CPI.holes, x({}).holes]),
    # A published change is a fraction (A5), and may be all or tenfold.
    ([F(27, 1250), 0, F(-3, 1000)], lambda: [*map(CHANGES.value_at, ("2021", "2022", "2023"))]),
    ([-1, 10], lambda: [x({"2021": each}, kind="change").value_at("2021") for each in (-1, 10)]),
    (F(1, 100), lambda: MONTHLY.value_at("2021-01")),
    # A coarser point has the mean of all its finer ones, months before quarters, if none is stated.
    ({F(1223, 12)}, lambda: {*map(CPI.value_at, ("2023-Q1", IndexPoint.parse("2023-Q1")))}),
    ([F(13, 2), F(13, 2), 1, 1913], lambda: [each.value_at("2021") for each in (
        x(TWELVE), x({**TWELVE, **ONES}), x(ONES), x({**TWELVE, "2021": 1913}))]),
    ([False, True, True, False],
     lambda: [*map(CPI.is_provisional, ("2023-01", "2023-02", "2023-Q1", "2022"))]),
    ([False, True, True], lambda: [*map(PARTLY.is_assumed, ("2021-01", "2021-03", "2021-Q1"))]),
    # Only what was published by a day counts (A41).
    *((known, lambda day=day: texts(CPI.known_on(day).points)) for day, known in (
        ("2023-01-09", "2023-03"), ("2023-01-10", "2023-03 2022"),
        ("2023-03-09", "2023-01 2023-03 2022"),
        (date(2023, 3, 10), "2023-01 2023-02 2023-03 2022"))),
    ("2023-01 2022, none", lambda: f"{texts(CPI.known_on('2023-02-10').known)}, "
                                   f"{texts(CPI.known_on('2023-02-10').provisional) or 'none'}"),
    (("2021 2023", 102),
     lambda: (texts(ASSUMED.known_on("2050-01-01").points), ASSUMED.value_at("2022"))),
    ([F(13, 2), 7],
     lambda: [LATER.value_at("2021", known_on=day) for day in ("2022-01-31", "2022-02-01")]),
    ("2023-03 2022 2023-03 2022", lambda: texts((
        CPI.latest(), CPI.latest("year"), CPI.latest(known_on="2023-01-01"),
        CPI.latest("year", known_on="2023-01-10")))),
    # Another base takes a stated factor: 99.57 × 19.058689, published as a whole number.
    (("CPI", "1951:10=100", "2016-01 1897.67366373, 2016-02 1905.8689"),
     lambda: (IN_1951().name, IN_1951().base, told(IN_1951()))),
    ("2016-01 1898, 2016-02 1906", lambda: told(IN_1951(decimals=0))),
    (["26.2", "209.6", "52.4"], lambda: [str(NPI.rebased(None, factor=each).values[NPI.points[0]])
                                         for each in (F(1, 4), 2, D("0.5"))]),
    # 111.6 / 104.8 × 100 = 106.4885…, 105.0 / 104.8 × 100 = 100.1908….
    ("2021-04 100.00, 2021-05 100.19, 2022-04 106.49",
     lambda: told(NPI.rebased("2021-04=100", at="2021-04", decimals=2))),
    (["100.2", "100.2", "100.1"], lambda: [str([*NPI.rebased(
        None, at="2021-04", decimals=1, rounding=each).values.values()][1])  # type: ignore[arg-type]
        for each in ("half_up", "up", "down")]),
    # The mean of 1 to 12 is 6.5: 13 / 6.5 × 100.
    ("200.0", lambda: told(x({**TWELVE, "2022-01": 13}).rebased("x", at="2021", decimals=1))[-5:]),
    (True, lambda: CPI == CPI.rebased(None, factor=1)),
    # Two bases become one: 58.717 × 2.341468 = 137.483976…, 60.030 × 2.360835 = 141.720925….
    ("2001-01 133.413, 2001-08 136.745, 2002-01 137.484, 2002-08 141.721",
     lambda: told(NEW.linked(OLD, factor=LINKS, decimals=3))),
    # The other way the coefficient divides: 133.413 / 2.341468 = 56.97835….
    ("2001-01 56.978, 2001-08 57.922, 2002-01 58.717, 2002-08 60.030", lambda: told(OLD.linked(
        NEW, factor={month: 1 / F(each) for month, each in LINKS.items()}, decimals=3))),
    (("IPC 2025", "2025=100"),
     lambda: (OLD.linked(NEW, factor=1).name, OLD.linked(NEW, factor=1).base)),
    (x({"2021-01": 100, "2021-02": 103, "2021": 101}, base="new", source="B; A"),
     lambda: x({"2021-01": 50, "2021-02": 51, "2021": 50}, source="A").linked(
         x({"2021-02": 103, "2021": 101}, base="new", source="B"), factor={1: 2})),
    (x({"2020": 100, "2021": 103, "2022": 104}, known={"2020": "2021-01-10", "2022": "2023-01-10"},
       provisional=["2020"], assumed=["2022"]),
     lambda: x({"2020": 50, "2021": 51}, known={"2020": "2021-01-10", "2021": "2022-01-10"},
               provisional=["2020", "2021"], assumed=["2021"]).linked(x(
         {"2021": 103, "2022": 104}, known={"2022": "2023-01-10"}, assumed=["2022"]), factor=2)),
    # Assumed values: 118 × 1.02 = 120.36, × 1.02; 105 × 1.1 = 115.5, so 116, × 1.1 = 127.6.
    (x({"2024": "118.0", "2025": "120.360000", "2026": "122.767200"}, assumed=["2025", "2026"]),
     lambda: x({"2024": "118.0"}).extended(until="2026-12")),
    ("2021 105, 2022 116, 2023 128", lambda: told(x({"2021": 105}).extended(D("0.1"), "2023", 0))),
    ("2021 100, 2022 103.00, 2023 103.00, 2024 101.97", lambda: told(x({"2021": 100}).extended(
        {2022: D("0.03"), 2023: 0, 2024: "-1%"}, until="2024", decimals=2))),
    (x({"2021-03": "0.031", "2021-04": "0.02", "2021-05": "0.02"}, kind="change",
       assumed=["2021-04", "2021-05"]),
     lambda: x({"2021-03": "0.031"}, kind="change").extended(until="2021-05")),
    # 1.021^12 = 1.28324…, near 28.324 %; and 1.1^12 − 1 = 2.138428376721 is exact.
    (["0.5", *["0.021000"] * 12, "0.100000"], lambda: [*map(str, x(
        {"2021-12": "0.5"}, kind="monthly_change").extended(
            {2022: D("0.28324"), 2023: "213.8428376721%"}, until="2023-01").values.values())]),
    # The default is to the end of 2056; nothing of it was ever known.
    ((420, "2056-12", x(TWELVE), "2021-12"), lambda: (
        len(x(TWELVE).extended().assumed), str(x(TWELVE).extended().latest()),
        x(TWELVE).extended().known_on("2040-01-01"),
        str(x(TWELVE).extended().latest(known_on="2040-01-01")))),
    ([NPI, x({})], lambda: [NPI.extended(until="2022-04"), x({}).extended()]),
    ("9998 100, 9999 102.000000", lambda: told(x({"9998": 100}).extended(until="9999"))),
    # May 2022 builds on May 2021; June has nothing to build on.
    (f"{told(NPI)}, 2022-05 107.100000", lambda: told(NPI.extended(until="2022-06"))),
    ("2023-10 100, 2024-10 102.000000",
     lambda: told(x({"2023-10": 100}).extended(until="2024-12"))),
    # Every unit of the series goes on, each to the end.
    (("2021-01 101, 2021-02 102, 2022-01 111.1, 2022-02 112.2, 2020-Q4 100, 2021-Q1 110,"
      " 2021-Q4 110.0"), lambda: told(
         x({"2021-01": 101, "2021-02": 102, "2020-Q4": 100, "2021-Q1": 110}).extended(
             D("0.1"), until="2022-02", decimals=1))),
    # Lines of text: points, values, days and marks.
    *(("2021-04 104.8, 2022-Q1 110", lambda text=text: told(csv(text))) for text in (
        "2021-04;104,8\n2022-Q1;110", "month;NPI\n2021-04;104.8;;\n2022-Q1;110\n",
        "\ufeff# NPI; 2015=100\n\nPeriod\tValue\r\n2021-04\t104,8\r\n2022-Q1\t110\r\n",
        '"month","2015=100"\n"2021-04","104.8"\n , \n"2022-q1", 110',
        "Net price index\n2021-04; 104,8 ;;no\n2022-Q1;110;;final")),
    (x({"2021": 100, "2022": 101, "2023": 102}, base="2021=100", source="office",
       known={"2021": "2022-01-10", "2023": "2024-01-10"}, provisional=["2022", "2023"]),
     lambda: csv("2021,100,2022-01-10\n2022,101,,Provisional\n2023,102,2024-01-10,yes\n",
                 base="2021=100", source="office")),
    # A percentage is not guessed: 2.16 would be 216 %.
    (x({"2021": "-0.003", "2022": "2.16"}, kind="change"),
     lambda: csv("2021;-0,003\n2022;2.16", kind="change")),
    (MONTHLY, lambda: csv("2021-01;0,01\n2021-02;-0,02\n2021-03;0", kind="monthly_change")),
    # Plain data; other readers of JSON give 104.8 as a binary number (A1).
    ({"name": "X", "values": {}}, lambda: x({}).to_data()),
    (x({"2021": "104.8"}), lambda: IndexSeries.from_data({"name": "X", "values": {"2021": 104.8}})),
    (x({"2021": 1}), lambda: IndexSeries.from_data(
        {"name": "X", "values": {"2021": 1}, "base": None, "known": None, "assumed": None})),
    (CPI.to_data() | {"name": "Y"}, lambda: CPI.named("Y").to_data()),
    # How a series shows.
    ("<IndexSeries NPI 2015=100, 3 months 2021-04 to 2022-04>", lambda: repr(NPI)),
    ("<IndexSeries CPI, 3 months 2023-01 to 2023-03, 1 year 2022>", lambda: repr(CPI)),
    ("<IndexSeries X, no values>", lambda: repr(x({}))),
    ("<IndexSeries X, 2 quarters 2024-Q1 to 2024-Q2, 1 assumed>",
     lambda: repr(x({"2024-Q1": 1, "2024-Q2": 1}, assumed=["2024-Q2"]))),
    # One series or several are found by name.
    *((names, lambda given=given: [(each, one.name) for each, one in series_of(given).items()])
      for given, names in (
        (None, []), ([], []), (NPI, [("NPI", "NPI")]), (iter([NPI]), [("NPI", "NPI")]),
        ((NPI, CPI), [("NPI", "NPI"), ("CPI", "CPI")]),
        ([NPI, NPI.named("NPI")], [("NPI", "NPI")]),
        ({"rent": NPI, "b": NPI}, [("rent", "rent"), ("b", "b")]))),
]

# A value that is not there is an error that names it (A41).
MISSING: list[tuple[Call, IndexSeries, str, date | None]] = [
    (lambda: NPI.value_at("2022-05"), NPI, "2022-05", None),
    (lambda: CPI.value_at(YearMonth(2023, 2), known_on="2023-03-09"), CPI, "2023-02",
     date(2023, 3, 9)),
    (lambda: CPI.is_provisional("2024-01"), CPI, "2024-01", None),
    (lambda: CPI.is_assumed("2024-01"), CPI, "2024-01", None),
    # Changes of months have no mean (A152), nor have months with a hole; a year gives no months.
    (lambda: MONTHLY.value_at("2021-Q1"), MONTHLY, "2021-Q1", None),
    *((partial(HOLED.value_at, at), HOLED, at, None) for at in ("2021", "2021-Q4", "2020-01")),
    (lambda: ASSUMED.value_at("2022", known_on="2050-01-01"), ASSUMED, "2022", date(2050, 1, 1)),
    (lambda: CPI.latest("year", known_on="2023-01-09"), CPI, "year", date(2023, 1, 9)),
    (lambda: NPI.latest("quarter"), NPI, "quarter", None),
    (lambda: NPI.rebased("2021=100", at="2021"), NPI, "2021", None),
]
# fmt: on


@rows(("expected", "call"), ROWS)
def test_a_series_gives(expected: object, call: Call) -> None:
    found = call()

    assert expected == found
    if isinstance(expected, IndexSeries) and isinstance(found, IndexSeries):
        assert told(expected) == told(found)


@rows(("call", "series", "at", "day"), MISSING)
def test_a_missing_value_is_named(
    call: Call, series: IndexSeries, at: str, day: date | None
) -> None:
    named: dict[str, Any] = {"series": series.name, "base": series.base, "at": at}
    with pytest.raises(MissingIndexError) as caught:
        call()

    expected = MissingIndexError("missing_index", **named, **({"known_on": day} if day else {}))
    assert expected == caught.value


def test_all_fields_are_written_in_order_and_every_digit_is_kept() -> None:
    """104.80 stays 104.80."""
    known = {"2022": "2023-01-10", "2021-01": "2021-02-10"}
    marks: Any = {"provisional": ["2022", "2021-Q1"], "assumed": ["2022"], "source": "s"}
    values = {"2022": "104.80", "2021-Q1": 1, "2021-01": "0.010"}
    text = write_json(x(values, base="b", known=known, **marks).to_data())

    assert text == (
        '{"name": "X", "base": "b", "values": {"2021-01": 0.010, "2021-Q1": 1, "2022": 104.80},'
        ' "known": {"2021-01": "2021-02-10", "2022": "2023-01-10"},'
        ' "provisional": ["2021-Q1", "2022"], "assumed": ["2022"], "source": "s"}'
    )
    assert text == write_json(IndexSeries.from_data(read_json(text)).to_data())
    assert '"kind": "change"' in write_json(CHANGES.to_data())


def test_series_are_equal_when_all_their_fields_are() -> None:
    """In whichever way they are given: 1.0 is 1, a month is its text."""
    fields: dict[str, Any] = {"name": "X", "values": {"2021": 1, "2022": 2}}
    same = x({IndexPoint.parse("2022"): "2.0", "2021": D("1.0")})
    others: list[dict[str, Any]] = [
        *({"values": each} for each in ({"2021": 1}, {"2021": 1, "2022": 3})),
        *({"name": "Y"}, {"base": "b"}, {"kind": "change"}, {"known": {"2021": "2022-01-10"}}),
        *({"provisional": ["2021"]}, {"assumed": ["2021"]}, {"source": "s"}),
    ]

    assert (same, hash(same)) == (IndexSeries(**fields), hash(IndexSeries(**fields)))
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
    year = IndexPoint.parse("2021")
    maps: Any = ((series.values, year), (series.known, year), (series_of(NPI), "x"))
    for mapping, key in maps:
        with pytest.raises(TypeError):
            mapping[key] = CPI


def test_a_path_is_read_by_the_caller() -> None:
    with pytest.raises(TypeError, match=r"takes a text, not .*; write path.read_text"):
        csv(Path("npi.csv"))


# The laws, with drawn series.

POINTS = (*TWELVE, *months(2020, *range(12)), *ONES, "2019", "2020", "2021")
DAYS = st.dates(min_value=date(2020, 1, 1), max_value=date(2023, 1, 1))
LEVELS = st.decimals(min_value="0.1", max_value="99999.999", places=3)
RATES = st.decimals(min_value="-1", max_value="10", places=4)


@st.composite
def drawn_series(draw: st.DrawFn, kind: IndexKind = "level") -> IndexSeries:
    """Draw a series with values at some points, some of which are dated or marked."""
    figures = LEVELS if kind == "level" else RATES
    values = draw(st.dictionaries(st.sampled_from(POINTS), figures, max_size=20))
    some = st.sets(st.sampled_from(sorted(values))) if values else st.just(set[str]())
    known, provisional, assumed = (
        {at: draw(DAYS) for at in sorted(draw(some))},
        draw(some),
        draw(some),
    )
    base, source = (
        draw(st.sampled_from((None, "2015=100"))),
        draw(st.sampled_from((None, "office"))),
    )
    return IndexSeries(
        "X", values, base=base, kind=kind, known=known, provisional=provisional, assumed=assumed,
        source=source,
    )  # fmt: skip


@given(drawn_series() | drawn_series("change"))
def test_law_plain_data_and_back_is_the_same(series: IndexSeries) -> None:
    again = IndexSeries.from_data(read_json(write_json(series.to_data())))

    assert series == again == pickle.loads(pickle.dumps(series))
    assert told(series) == told(again)


@given(drawn_series(), st.integers(min_value=1, max_value=10**6))
def test_law_a_factor_keeps_every_ratio(series: IndexSeries, thousandths: int) -> None:
    factor = D(thousandths).scaleb(-3)
    rebased = series.rebased(series.base, factor=factor)

    for earlier, later in zip(series.points, series.points[1:], strict=False):
        ratio = series.value_at(later) / series.value_at(earlier)
        assert ratio == rebased.value_at(later) / rebased.value_at(earlier)
    assert series == rebased.rebased(series.base, factor=1 / F(factor))


@given(drawn_series(), DAYS, DAYS)
def test_law_more_is_known_later(series: IndexSeries, one: date, other: date) -> None:
    early, late = sorted((one, other))
    known = series.known_on(early)

    assert set(known.points) <= set(series.known_on(late).points) <= set(series.points)
    assert known == known.known_on(late) == series.known_on(late).known_on(early)
    for text in (*POINTS, "2020-Q1"):
        try:
            expected = known.value_at(text)
        except MissingIndexError:
            with pytest.raises(MissingIndexError):
                series.value_at(text, known_on=early)
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
    start = IndexPoint.parse("2021-01")
    series = x({start.shifted(at): level + 1 for at, level in enumerate(levels)})
    longer = series.extended(rate, until="2026-12", decimals=decimals)

    assert dict(series.values) == {at: longer.values[at] for at in series.points}
    assert IndexPoint.parse("2026-12") == longer.latest()
    for at in longer.assumed:
        exact = longer.value_at(at.years_earlier(1)) * (1 + F(rate))
        assert abs(longer.value_at(at) - exact) <= F(1, 2 * 10**decimals)
