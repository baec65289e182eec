"""The parts of an index series: what cannot be read is refused at its place, all of it at once."""

from functools import partial
from typing import Any

import pytest

from rentbilling.indices import IndexPoint, IndexSeries, series_of
from rentbilling.values import YearMonth
from tests.indices.test_series import CHANGES, CPI, LINKS, MONTHLY, NEW, NPI, OLD, D, F, x
from tests.support.refusals import Call, refusal_text, refused
from tests.support.rows import rows

ANY: Any = IndexSeries
"""Without its types, for what no type checker lets through."""


def made(**given: Any) -> Call:  # noqa: ANN401
    """Return the act of making a series of the year 2021 with some other fields."""
    return lambda: ANY(**({"name": "X", "values": {"2021": "100"}} | given))


def levels(*values: Any, kind: str = "level") -> list[Call]:  # noqa: ANN401
    return [made(values={"2021-06": value}, kind=kind) for value in values]


def linked(factor: Any, old: IndexSeries = OLD) -> Call:  # noqa: ANN401
    return lambda: old.linked(NEW, factor=factor)


def extended(rate: Any) -> Call:  # noqa: ANN401
    return lambda: x({"2021": 100}).extended(rate, until="2022")


def from_data(data: Any) -> Call:  # noqa: ANN401
    return partial(ANY.from_data, data)


def from_csv(*texts: str) -> list[Call]:
    """Return the acts of reading lines after a comment, so that each is the second one."""
    return [partial(IndexSeries.from_csv, f"# first\n{text}", name="X") for text in texts]


rebased: Any = partial(partial, NPI.rebased, "x")
# fmt: off
REFUSED: list[tuple[str, list[Call]]] = [
    # Names, words and marks.
    ("InvalidRecordError: name empty_text", [made(name=""), made(name=" ")]),
    ("InvalidRecordError: name not_a_text", [made(name=None)]),
    ("InvalidRecordError: base not_a_text", [made(base=2015)]),
    ("InvalidRecordError: base empty_text", [made(base="")]),
    ("InvalidRecordError: source not_a_text", [made(source=[])]),
    ("UnknownWordError: kind unknown_word", [made(kind="percent"), made(kind=[])]),
    ("InvalidRecordError: values not_an_object", [made(values=[("2021", 1)])]),
    ("InvalidRecordError: known not_an_object", [made(known=["2021"])]),
    ("InvalidPeriodError: known.2021 not_a_date", [made(known={"2021": "soon"})]),
    ("InvalidRecordError: known.2022 no_such_value", [made(known={"2022": "2022-01-01"})]),
    ("InvalidPeriodError: known.x not_an_index_point", [made(known={"x": "2022-01-01"})]),
    ("InvalidRecordError: provisional wrong_value", [
        made(provisional=given) for given in ("2021", 2021, {"2021": 1})]),
    ("InvalidRecordError: provisional[0] no_such_value", [made(provisional=["2022"])]),
    ("InvalidRecordError: assumed[1] no_such_value", [made(assumed=("2021", "2022"))]),
    ("InvalidPeriodError: assumed[0] not_an_index_point", [made(assumed=[2021])]),
    # A level is a number above 0: a percent sign is refused, and float noise (A1).
    ("InvalidAmountError: values.2021-06 not_positive", levels(0, "-104.8")),
    ("InvalidAmountError: values.2021-06 not_a_number", levels(
        "104,8", "1e3", " 104.8", "NaN", "", None, F(1, 3), *[True])),
    ("InvalidAmountError: values.2021-06 not_finite", levels(D("NaN"), D("Infinity"))),
    ("InvalidAmountError: values.2021-06 too_many_digits", levels("1.0000000000000001", 10**15)),
    # A change is a fraction: below −1 nothing would be left, above 10 a percentage was meant (A5).
    ("InvalidAmountError: values.2021-06 not_a_number", levels("2.16 %", None, kind="change")),
    ("InvalidAmountError: values.2021-06 out_of_range", levels("-1.01", "10.1", 12, kind="change")),
    ("InvalidAmountError: values.2021-06 not_finite", levels(D("NaN"), kind="change")),
    ("InvalidAmountError: values.2021 too_many_digits", [
        from_data({"name": "X", "values": {"2021": 0.1 + 0.2}})]),
    # A change of a month is of a month, leaves something, and has no base (A152).
    ("InvalidAmountError: values.2021-06 out_of_range", levels(-1, "10.1", kind="monthly_change")),
    ("InvalidRecordError: values.2021 out_of_range, base says_nothing", [
        made(values={"2021": 0, "2021-01": 0}, kind="monthly_change", base="b")]),
    ("InvalidRecordError: values.2021-Q1 out_of_range", [
        made(values={"2021-Q1": 0}, kind="monthly_change")]),
    ("InvalidRecordError: values.2021-Q2 duplicate_point", [
        made(values={"2021-Q2": 1, other: 2})
        for other in ("2021-q2", IndexPoint.parse("2021-Q2"))]),
    ("InvalidRecordError: values.2021-06 duplicate_point", [
        made(values={"2021-06": 1, YearMonth(2021, 6): 1})]),
    (("InvalidRecordError: values.2021-13 not_an_index_point, values.2022 not_an_index_point,"
      " values.2021-01 not_positive, name empty_text, known.2021-01 not_a_date,"
      " assumed[1] no_such_value, assumed[2] no_such_value"), [lambda: ANY(
        "", {"2021-13": 1, 2022: 1, "2021-01": 0, "2021-02": "1"},
        known={"2021-01": "x", "2021-02": "2021-02-01"},
        assumed={"2021-03", "2021-02", "2021-04"})]),
    # Questions.
    ("InvalidPeriodError: not_an_index_point", [
        lambda: NPI.value_at("April 2021"), lambda: NPI.extended(until="2030-01-01")]),
    ("InvalidPeriodError: known_on not_a_date", [
        lambda: NPI.value_at("2021-04", known_on="2021-04")]),
    ("UnknownWordError: unit unknown_word", [lambda: ANY.latest(NPI, "week")]),
    # Bases. More than 15 digits cannot be written, and nothing is rounded unasked.
    ("InvalidRecordError: decimals decimals_needed", [
        rebased(at="2021-04"), rebased(factor=F(1, 3)), rebased(factor=D("1.23456789012345"))]),
    ("InvalidAmountError: values.2021-04 too_many_digits", [rebased(factor=F(1, 3), decimals=14)]),
    # 104.8 × 0.001 = 0.1048 has no whole part.
    (("InvalidAmountError: values.2021-04 not_positive, values.2021-05 not_positive,"
      " values.2022-04 not_positive"), [rebased(factor=D("0.001"), decimals=0)]),
    ("InvalidRecordError: factor factor_or_at", [rebased(), rebased(factor=2, at="2021-04")]),
    ("InvalidAmountError: factor not_positive", [rebased(factor=0), rebased(factor=D(-1))]),
    ("InvalidAmountError: factor not_finite", [rebased(factor=D("NaN"))]),
    ("UnknownWordError: unknown_word", [rebased(factor=1, rounding="bankers")]),
    ("InvalidRecordError: kind not_levels", [
        lambda: CHANGES.rebased("x", factor=2), lambda: CHANGES.linked(NPI, factor=2),
        lambda: NPI.linked(CHANGES, factor=2), lambda: MONTHLY.rebased(None, factor=2)]),
    # A factor is never guessed, and a factor by calendar month is for months.
    ("InvalidRecordError: factor link_factor_needed", [
        linked(None), linked(LINKS, x({"2020-Q1": 1}))]),
    ("InvalidRecordError: factor.1 link_factor_needed", [
        linked({8: 2}), linked({}), linked({1: None})]),
    ("InvalidAmountError: factor.1 not_positive", [linked({1: 0, 8: 1})]),
    # A rate is a fraction: 0.02 is 2 % (A5).
    ("InvalidRecordError: rate.2022 missing", [extended({2023: 0})]),
    ("InvalidAmountError: rate.2022 out_of_range", [extended({2022: D(11)})]),
    ("InvalidAmountError: rate out_of_range", [extended(D("-1.5"))]),
    ("InvalidAmountError: rate not_a_number", [extended("much"), extended(None)]),
    # 11 times each year: 100,000,000 × 11 ** 7 = 1,948,717,100,000,000 has 16 digits.
    ("InvalidAmountError: values.2028 too_many_digits", [
        lambda: x({"2021": 10**8}).extended("1000%", until="9999")]),
    # Lines.
    ("InvalidPeriodError: lines[1] not_an_index_point", from_csv(
        "2021-13;1", "20x1;abc", "April;1")),
    ("InvalidAmountError: lines[1] not_a_number", from_csv(
        "2021;abc", "2021;2,16 %", "2021;1.234,5", '2021,"104,8"')),
    ("InvalidAmountError: lines[1] not_positive", from_csv("2021;0")),
    ("InvalidPeriodError: lines[1] not_a_date", from_csv("2021;1;soon", "2021,104,8")),
    ("UnknownWordError: lines[1] unknown_word", from_csv("2021;1;;maybe")),
    ("InvalidRecordError: lines[1] wrong_fields", from_csv("2021;;", "2021;1;;no;5", "2021")),
    ("InvalidRecordError: lines[1] not_a_line", from_csv("2021;" + "1" * 140_000)),
    (("InvalidRecordError: lines[1] not_an_index_point, lines[3] duplicate_point,"
      " lines[4] not_positive"), [
        lambda: IndexSeries.from_csv("a;b\nc;d\n2021;1\n2021;2\n2022;-1", name="X")]),
    # Plain data.
    ("InvalidRecordError: not_an_object", [from_data([])]),
    ("InvalidRecordError: name missing, values missing", [from_data({})]),
    ("InvalidRecordError: values missing", [from_data({"name": "X", "values": None})]),
    ("InvalidRecordError: frequency unknown_field, 5 unknown_field, values missing", [
        from_data({"name": "X", "frequency": "month", 5: None})]),
    # No ratio is made of values of two bases (A41).
    ("InvalidRecordError: indices.NPI two_series", [
        lambda: series_of([NPI, CPI, NPI.rebased("2000=100", factor=D("1.25"))])]),
]
SENTENCES: list[tuple[str, Call]] = [
    # A line is counted from 1 in the sentence, as in an editor; the path counts from 0.
    ("lines[1]: line 2 is not a month, quarter or year", from_csv("2021-13;1")[0]),
    ("(met 12; expected a fraction: 0.0216 is 2.16 percent)", levels(12, kind="change")[0]),
    ("(met '2015=100 and 2000=100'; expected another name for each, or one base only)",
     lambda: series_of([NPI, NPI.rebased("2000=100", factor=D("1.25"))])),
    *(("holds no index value (met nothing", partial(IndexSeries.from_csv, text, name="NPI"))
      for text in ("", "month;value\n", "# nothing yet\n", "npi")),
]
NOT_INDICES: Any = (
    5, "NPI", [NPI, "CPI"], {"NPI": {"2021": 1}}, {1: NPI}, {None: NPI}, NPI.to_data())
MISUSED: list[tuple[str, Call]] = [
    ("day is a date or its text", partial(ANY.known_on, NPI, None)),
    ("an exact number is needed", rebased(factor=0.5)),
    ("an IndexSeries is linked with another", lambda: ANY.linked(OLD, {"2021": 1}, factor=2)),
    ("from_csv takes a text", partial(ANY.from_csv, b"2021;1", name="X")),
    *(("indices is an IndexSeries, several, or a mapping", partial(series_of, each))
      for each in NOT_INDICES),
]
# fmt: on


@rows(("expected", "calls"), REFUSED)
def test_what_cannot_be_used_is_refused_at_its_place(expected: str, calls: list[Call]) -> None:
    assert [expected] * len(calls) == [refusal_text(call) for call in calls]


@rows(("sentence", "call"), SENTENCES)
def test_a_refusal_says(sentence: str, call: Call) -> None:
    assert sentence in str(refused(call))


@rows(("sentence", "call"), MISUSED)
def test_misuse_is_a_type_error(sentence: str, call: Call) -> None:
    with pytest.raises(TypeError, match=sentence):
        call()
