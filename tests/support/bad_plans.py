"""What plans, rules, clauses and balances can have wrong: a table that each way in is tried with.

A row changes a good record at one place, as JSON has it; every row has exactly one problem.
"""

import json
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any, NamedTuple

import pytest

import rentbilling as rb
from rentbilling.errors import (
    CurrencyMismatchError,
    InvalidAdjustmentRuleError,
    InvalidAmountError,
    InvalidPeriodError,
    InvalidRecordError,
    UnknownWordError,
)
from rentbilling.records import Record
from tests.support.bad_items import RENT, refusal, snaked, snaked_path

DKK = {"currency": "DKK", "amount": 100}
EUR = {"currency": "EUR", "amount": 100}
NOTHING = {"currency": "DKK", "amount": 0}
STEP = {"year": "2027", "percentage": 0.03}
INDEX = {"adjustmentType": "Index", "adjustmentMonth": 1, "indexMonth": 10}
STEPS = {"adjustmentType": "Increment", "indexMonth": None, "increments": [STEP]}
"""Makes the rule of the table one of increments."""
LEASE = {"recurringBillItems": [RENT], "rentAdjustmentPlans": [{"rentAdjustmentRules": [INDEX]}]}

GOOD: Mapping[type[Record], dict[str, Any]] = {
    rb.IndexClause: {},
    rb.Increment: STEP,
    rb.RentAdjustmentRule: INDEX,
    rb.AdjustmentEffect: {},
    rb.RentAdjustment: {"adjustedOn": "2027-01-01"},
    rb.RentAdjustmentPlan: {"rentAdjustmentRules": [INDEX]},
    rb.Balance: {"balanceChargeType": "deposit", "amount": DKK},
    rb.LeaseTerms: LEASE,
}
"""A good record of each kind, as JSON has it."""


class WrongRecord(NamedTuple):
    """Something wrong with a record, and what is said about it."""

    record: type[Record]
    changes: dict[str, Any]
    """The fields that differ from the good record's."""
    path: str
    kind: type[rb.InvalidInputError]
    code: str
    met: str
    expected: str

    @property
    def data(self) -> dict[str, Any]:
        return {**GOOD[self.record], **self.changes}

    @property
    def told(self) -> tuple[str, str, str, str]:
        return self.path, self.code, self.met, self.expected

    def read(self) -> rb.InvalidInputError:
        with pytest.raises(rb.InvalidInputError) as caught:
            rb.loads(json.dumps(self.data), self.record)
        return caught.value

    def made(self) -> rb.InvalidInputError:
        plain = json.loads(json.dumps(self.data), parse_float=Decimal)
        with pytest.raises(rb.InvalidInputError) as caught:
            self.record(**snaked(plain))
        return caught.value


def assert_refused(wrong: WrongRecord) -> None:
    """See that a row is refused in JSON and in Python, each in its own spelling."""
    read, made = wrong.read(), wrong.made()
    path = snaked_path(wrong.path)

    assert [wrong.told] == refusal(read)
    assert [(path, *wrong.told[1:])] == refusal(made)
    assert wrong.kind is type(read) is type(made)


def named(wrong: WrongRecord) -> str:
    return f"{wrong.record.__name__} {json.dumps(wrong.changes)}"


Case = tuple[dict[str, Any], str, str]


def _rows(
    record: type[Record], kind: type[rb.InvalidInputError], code: str, expected: str, *cases: Case
) -> Iterator[WrongRecord]:
    """Yield a row for each case: the changed fields, the path, the value met."""
    for changes, path, met in cases:
        yield WrongRecord(record, changes, path, kind, code, met, expected)


_YEARLY = {"limitPer": "year_simple"}
_ELAPSED = {"proRata": "elapsed"}
_QUARTER = {"reference": "quarter"}
_EXCESS = {"excessOver": 0.03, "excessShare": 0.5}
_START = {"startPoint": "2020-06", "base": "2015=100"}
_ANCHORED = {"basis": "anchored"}


def _out_of_range(expected: str, *cases: Case) -> Iterator[WrongRecord]:
    return _rows(rb.IndexClause, InvalidAdjustmentRuleError, "out_of_range", expected, *cases)


def _whole(expected: str, name: str, *values: int, beside: Any = None) -> Iterator[WrongRecord]:  # noqa: ANN401
    cases = [({**(beside or {}), name: value}, name, str(value)) for value in values]
    return _out_of_range(f"a whole number from {expected}", *cases)


CLAUSE_RANGES: tuple[WrongRecord, ...] = (
    *_whole("0 to 120", "lagMonths", -1, 121),
    *_whole("0 to 10", "yearOffset", -1, 11),
    *_whole("1 to 4", "indexQuarter", 0, 5, beside=_QUARTER),
    *_whole("1 to 1200", "fromLagMonths", 0, 1201),
    *_whole("1 to 120", "meanOf", 0, 121),
    *_whole("0 to 10", "meanDecimals", -1, 11, beside={"meanOf": 3}),
    *_whole("1 to 100", "intervalYears", 0, 101),
    *_whole("1 to 1200", "intervalMonths", 0, 1201),
    *_whole("0 to 10", "percentageDecimals", -1, 11),
    *_whole("1 to 120", "limitMonths", 0, 121, beside=_YEARLY),
    *_whole("1 to 120", "proRataMonths", 0, 121, beside=_ELAPSED),
    *_out_of_range("0 or more; 0.05 is five percent", ({"threshold": -0.01}, "threshold", "-0.01")),
    *_out_of_range("0 or more", ({"threshold": -1, "thresholdUnit": "points"}, "threshold", "-1")),
    *_out_of_range(
        "a fraction: 0.05 is five percent; or the unit points",
        ({"threshold": 10.5}, "threshold", "10.5"),
    ),
    *_out_of_range(
        "a number from 0 to 10",
        ({"share": -0.1}, "share", "-0.1"),
        ({"share": 10.1}, "share", "10.1"),
    ),
    *_out_of_range(
        "a number from 0 to 10; 0.05 is five percent",
        ({**_EXCESS, "excessOver": -0.01}, "excessOver", "-0.01"),
        ({**_EXCESS, "excessOver": 11}, "excessOver", "11"),
    ),
    *_out_of_range(
        "a number from 0 to 1; 0.05 is five percent",
        ({**_EXCESS, "excessShare": -0.1}, "excessShare", "-0.1"),
        ({**_EXCESS, "excessShare": 50}, "excessShare", "50"),
        ({"indexedShare": -0.1}, "indexedShare", "-0.1"),
        ({"indexedShare": 80}, "indexedShare", "80"),
    ),
    *_out_of_range(
        "a number from -1 to 1; 0.05 is five percent",
        ({"surcharge": 2}, "surcharge", "2"),
        ({"surcharge": -1.1}, "surcharge", "-1.1"),
        # The unit of the threshold is no news to a surcharge.
        ({"surcharge": 2, "threshold": 5, "thresholdUnit": "points"}, "surcharge", "2"),
    ),
    *_out_of_range(
        "above 0",
        ({**_START, "startIndex": 0}, "startIndex", "0"),
        ({**_START, "startIndex": -104.8}, "startIndex", "-104.8"),
        ({**_ANCHORED, "correctionFactor": 0}, "correctionFactor", "0"),
        ({"amountQuantum": 0}, "amountQuantum", "0"),
        ({"amountQuantum": -0.5}, "amountQuantum", "-0.5"),
        ({"indexedAmount": NOTHING}, "indexedAmount", "0"),
    ),
)
"""Numbers of a clause that mean nothing."""


def _contradiction(expected: str, *cases: Case) -> Iterator[WrongRecord]:
    return _rows(rb.IndexClause, InvalidAdjustmentRuleError, "contradiction", expected, *cases)


CLAUSE_CONTRADICTIONS: tuple[WrongRecord, ...] = (
    *_contradiction(
        "one of the two",
        ({"lagMonths": 3, "yearOffset": 1}, "lagMonths", "3"),
        ({"lagMonths": 0, "yearOffset": 0}, "lagMonths", "0"),
        ({"intervalYears": 3, "intervalMonths": 18}, "intervalYears", "3"),
        ({"indexedShare": 0.8, "indexedAmount": DKK}, "indexedShare", "0.8"),
        ({**_QUARTER, "indexQuarter": 4, "lagMonths": 2}, "indexQuarter", "4"),
    ),
    *_contradiction(
        "none, or the reference month or quarter",
        ({"reference": "last_published", "lagMonths": 3}, "lagMonths", "3"),
        ({"reference": "year_mean", "lagMonths": 3}, "lagMonths", "3"),
    ),
    *_contradiction(
        "none, or the reference month or quarter or year_mean",
        ({"reference": "last_published", "yearOffset": 1}, "yearOffset", "1"),
    ),
    *_contradiction(
        "none, or the reference month",
        ({**_QUARTER, "fromLagMonths": 3}, "fromLagMonths", "3"),
        ({"reference": "year_mean", "fromLagMonths": 3}, "fromLagMonths", "3"),
    ),
    *_contradiction(
        "none",
        ({"meanOf": 3, "meanOfWhat": "changes", "intervalYears": 3}, "intervalYears", "3"),
        ({"meanOf": 3, "meanOfWhat": "changes", "startPoint": "2020"}, "startPoint", "2020"),
        ({"meanOf": 3, "meanOfWhat": "changes", "meanDecimals": 0}, "meanDecimals", "0"),
        ({"combine": "sum", "indexedShare": 0.5}, "indexedShare", "0.5"),
        ({"combine": "sum", "afterLimit": "carry"}, "afterLimit", "'carry'"),
        (
            {"lowerOf": ["HICP"], "startPoint": "2020", "base": "B", "startIndex": 100},
            "startIndex",
            "100",
        ),
    ),
    *_contradiction(
        "the basis chained or anchored",
        ({"basis": "mixed", "afterLimit": "carry"}, "afterLimit", "'carry'"),
        ({"basis": "last_indexed", "afterLimit": "carry"}, "afterLimit", "'carry'"),
    ),
    *_contradiction(
        "the basis chained",
        ({"basis": "anchored", "combine": "sum"}, "combine", "'sum'"),
        ({"basis": "mixed", "combine": "sum"}, "combine", "'sum'"),
    ),
    *_contradiction(
        "none, or the reference quarter",
        ({"indexQuarter": 2}, "indexQuarter", "2"),
        ({"indexQuarter": 2, "reference": "month"}, "indexQuarter", "2"),
        ({"indexQuarter": 2, "reference": "year_mean"}, "indexQuarter", "2"),
        ({"indexQuarter": 2, "reference": "last_published"}, "indexQuarter", "2"),
    ),
    *_contradiction(
        "the basis chained",
        ({**_ANCHORED, "surcharge": 0.01}, "surcharge", "0.01"),
        ({**_ANCHORED, **_EXCESS}, "excessOver", "0.03"),
        ({**_ANCHORED, "proRata": "first_year"}, "proRata", "'first_year'"),
        ({**_ANCHORED, "proRata": "elapsed"}, "proRata", "'elapsed'"),
    ),
    *_contradiction(
        "none: this basis compares with another point",
        ({**_ANCHORED, "fromLagMonths": 15}, "fromLagMonths", "15"),
        ({"basis": "last_indexed", "fromLagMonths": 15}, "fromLagMonths", "15"),
        ({"basis": "mixed", "fromLagMonths": 15}, "fromLagMonths", "15"),
    ),
    *_contradiction(
        "none, or the basis anchored",
        ({"baseAmount": DKK}, "baseAmount", "100"),
        ({"basis": "chained", "baseAmount": DKK}, "baseAmount", "100"),
        ({"basis": "mixed", "baseAmount": DKK}, "baseAmount", "100"),
    ),
    *_contradiction(
        "the basis anchored",
        ({"correctionFactor": 0.98}, "correctionFactor", "0.98"),
        ({"basis": "last_indexed", "correctionFactor": 0.98}, "correctionFactor", "0.98"),
        ({"basis": "mixed", "correctionFactor": 0.98}, "correctionFactor", "0.98"),
    ),
)
"""Fields of a clause that contradict each other."""


def _idle(expected: str, *cases: Case) -> Iterator[WrongRecord]:
    return _rows(rb.IndexClause, InvalidAdjustmentRuleError, "says_nothing", expected, *cases)


CLAUSE_IDLE: tuple[WrongRecord, ...] = (
    *_idle(
        "threshold as well",
        ({"thresholdUnit": "points"}, "thresholdUnit", "'points'"),
        ({"thresholdInclusive": False}, "thresholdInclusive", "False"),
    ),
    *_idle("excessShare as well", ({"excessOver": 0.03}, "excessOver", "0.03")),
    *_idle("excessOver as well", ({"excessShare": 0.5}, "excessShare", "0.5")),
    *_idle(
        "startPoint as well", ({"startIndex": 104.8, "base": "2015=100"}, "startIndex", "104.8")
    ),
    *_idle("base as well", ({"startIndex": 104.8, "startPoint": "2020-06"}, "startIndex", "104.8")),
    *_idle(
        "percentageDecimals as well",
        ({"percentageRounding": "down"}, "percentageRounding", "'down'"),
        ({"percentageRounded": "applied"}, "percentageRounded", "'applied'"),
    ),
    *_idle(
        "another meanOf",
        ({"meanOfWhat": "changes"}, "meanOfWhat", "'changes'"),
        ({"meanOfWhat": "changes", "meanOf": 1}, "meanOfWhat", "'changes'"),
        ({"meanDecimals": 1}, "meanDecimals", "1"),
    ),
    *_idle(
        "another proRata",
        ({"proRataMonths": 36}, "proRataMonths", "36"),
        ({"proRataMonths": 36, "proRata": "first_year"}, "proRataMonths", "36"),
    ),
    *_idle("another limitPer", ({"limitMonths": 36}, "limitMonths", "36")),
    *_idle(
        "the basis anchored",
        ({"shareOf": "money"}, "shareOf", "'money'"),
        ({"shareOf": "money", "basis": "mixed", "share": 0.75}, "shareOf", "'money'"),
    ),
)
"""Fields of a clause that have no effect there."""

CLAUSE_UNREADABLE: tuple[WrongRecord, ...] = (
    *_rows(
        rb.IndexClause,
        InvalidRecordError,
        "unknown_word",
        "one of 'chained', 'anchored', 'last_indexed' or 'mixed'",
        ({"basis": "first"}, "basis", "'first'"),
        # Of a basis that nobody knows, nobody knows what it excludes.
        ({"basis": "Anchored", "baseAmount": DKK}, "basis", "'Anchored'"),
        ({"basis": "Anchored", "correctionFactor": 0.9}, "basis", "'Anchored'"),
        ({"basis": True}, "basis", "True"),
    ),
    *_rows(
        rb.IndexClause,
        InvalidRecordError,
        "unknown_word",
        "one of 'month', 'quarter', 'year_mean' or 'last_published'",
        ({"reference": "Quarter", "indexQuarter": 2}, "reference", "'Quarter'"),
    ),
    *_rows(
        rb.IndexClause,
        InvalidRecordError,
        "unknown_word",
        "one of 'percent' or 'points'",
        ({"threshold": 12, "thresholdUnit": "Points"}, "thresholdUnit", "'Points'"),
    ),
    *_rows(
        rb.IndexClause,
        InvalidRecordError,
        "unknown_word",
        "one of 'in_turn', 'sum', 'lower_of' or 'limit'",
        ({"combine": "add"}, "combine", "'add'"),
    ),
    *_rows(
        rb.IndexClause,
        InvalidRecordError,
        "wrong_value",
        "true or false",
        ({"increaseOnly": "yes"}, "increaseOnly", "'yes'"),
        ({"increaseOnly": 1}, "increaseOnly", "1"),
        ({"floorAtStart": 0}, "floorAtStart", "0"),
        ({"threshold": 0.05, "thresholdInclusive": "no"}, "thresholdInclusive", "'no'"),
    ),
    *_rows(
        rb.IndexClause,
        InvalidRecordError,
        "not_a_whole_number",
        "a whole number such as 1",
        ({"lagMonths": 1.5}, "lagMonths", "1.5"),
        ({"intervalYears": True}, "intervalYears", "True"),
        ({"meanOf": "3"}, "meanOf", "'3'"),
    ),
    *_rows(
        rb.IndexClause,
        InvalidPeriodError,
        "not_an_index_point",
        "YYYY-MM, YYYY-Q1 to YYYY-Q4, or YYYY",
        ({"startPoint": "2020-13"}, "startPoint", "'2020-13'"),
        ({"startPoint": "2020-Q5"}, "startPoint", "'2020-Q5'"),
        ({"startPoint": 2020}, "startPoint", "2020"),
    ),
    *_rows(
        rb.IndexClause,
        InvalidRecordError,
        "empty_text",
        "a text",
        ({"series": ""}, "series", "''"),
        ({"base": ""}, "base", "''"),
        ({"lowerOf": ["CPI", ""]}, "lowerOf[1]", "''"),
    ),
    *_rows(
        rb.IndexClause,
        InvalidRecordError,
        "not_a_list",
        "a list",
        ({"lowerOf": "CPI"}, "lowerOf", "'CPI'"),
    ),
    *_rows(
        rb.IndexClause,
        InvalidAmountError,
        "not_a_number",
        "a number such as 0.03",
        ({"threshold": True}, "threshold", "True"),
        ({"share": True}, "share", "True"),
    ),
    *_rows(
        rb.IndexClause,
        InvalidAmountError,
        "not_an_object",
        "an Amount, or an object with currency and amount",
        ({"floorAmount": 8500}, "floorAmount", "8500"),
    ),
    *_rows(
        rb.IndexClause,
        InvalidRecordError,
        "unknown_field",
        "a known field, such as surcharge",
        ({"surcharg": 3}, "surcharg", "3"),
    ),
)
"""Fields of a clause that cannot be read."""

WRONG_CLAUSES = (*CLAUSE_RANGES, *CLAUSE_CONTRADICTIONS, *CLAUSE_IDLE, *CLAUSE_UNREADABLE)

GOOD_CLAUSES: tuple[dict[str, Any], ...] = (
    {"lagMonths": 0},
    {"lagMonths": 120},
    {"yearOffset": 0},
    {"yearOffset": 10},
    {"reference": "quarter", "indexQuarter": 4, "yearOffset": 1},
    {"reference": "quarter", "lagMonths": 2},
    {"reference": "year_mean", "yearOffset": 1, "meanDecimals": 1},
    {"reference": "last_published", "lowerOf": ["wages", "rents"], "series": "CPI"},
    {"fromLagMonths": 1200},
    {"basis": "anchored", "startPoint": "2020-Q2", "base": "2015=100", "startIndex": 104.8},
    {"basis": "anchored", "baseAmount": {"currency": "EUR", "amount": -100}},
    {"basis": "last_indexed", "baseAmount": {"currency": "EUR", "amount": 800.5}},
    {"basis": "anchored", "share": 0.75, "shareOf": "money"},
    {"basis": "anchored", "correctionFactor": 0.9876},
    {"basis": "mixed", "surcharge": -1},
    {"intervalYears": 100},
    {"intervalMonths": 1200},
    {"meanOf": 120, "meanOfWhat": "changes"},
    {"percentageDecimals": 0, "percentageRounding": "down", "percentageRounded": "applied"},
    {"threshold": 10},
    {"threshold": 10.5, "thresholdUnit": "points", "thresholdInclusive": False},
    {"threshold": 0, "thresholdInclusive": False},
    {"increaseOnly": True, "floorAtStart": True},
    {"share": 0, "surcharge": 1},
    {"share": 10},
    {"excessOver": 0, "excessShare": 1},
    {"excessOver": 10, "excessShare": 0},
    {"limitPer": "year_compound", "limitMonths": 120},
    {"proRata": "elapsed", "proRataMonths": 1},
    {"proRata": "first_year"},
    {"afterLimit": "carry", "carried": "exact", "combine": "lower_of"},
    {"indexedShare": 1},
    {"indexedAmount": {"currency": "EUR", "amount": 0.01}},
    {"amountQuantum": 0.05, "amountRounding": "down", "amountRounded": "change"},
    {"amountPer": "year", "floorAmount": {"currency": "EUR", "amount": 0}},
    # What has its default has no effect anywhere.
    {"thresholdUnit": "percent", "meanOfWhat": "values", "shareOf": "change"},
    {"basis": "anchored", "surcharge": 0, "proRata": "none", "fromLagMonths": None},
    {"limitMonths": 12, "proRataMonths": 12, "percentageRounding": "half_up"},
)
"""Fields of a clause that go together, to the ends of their bounds."""

_A_YEAR = "YYYY, such as 2026"
_A_MONTH = "a calendar month from 1 to 12"
_A_PERCENTAGE = "a fraction from -1 to 10: 0.04 means four percent"


def _increment(code: str, expected: str, *cases: Case) -> Iterator[WrongRecord]:
    return _rows(rb.Increment, InvalidAdjustmentRuleError, code, expected, *cases)


WRONG_INCREMENTS: tuple[WrongRecord, ...] = (
    *_increment(
        "one_of_three",
        "exactly one of them",
        ({"percentage": None}, "", "nothing"),
        ({"amount": DKK}, "", "amount, percentage"),
        ({"level": DKK}, "", "percentage, level"),
        ({"percentage": None, "amount": DKK, "level": DKK}, "", "amount, level"),
        ({"amount": DKK, "level": DKK}, "", "amount, percentage, level"),
    ),
    *_increment(
        "out_of_range",
        _A_PERCENTAGE,
        ({"percentage": 10.5}, "percentage", "10.5"),
        ({"percentage": -1.01}, "percentage", "-1.01"),
    ),
    *_increment(
        "contradiction",
        "OneTime, or an amount",
        (
            {"percentage": None, "level": DKK, "recurrence": "Recurring"},
            "recurrence",
            "'Recurring'",
        ),
    ),
    *_rows(
        rb.Increment,
        InvalidPeriodError,
        "not_a_year",
        _A_YEAR,
        ({"year": "27"}, "year", "'27'"),
        ({"year": 27}, "year", "27"),
        ({"year": 20270}, "year", "20270"),
        ({"year": "0000"}, "year", "'0000'"),
        ({"year": "2027-01"}, "year", "'2027-01'"),
        ({"year": True}, "year", "True"),
    ),
    *_rows(
        rb.Increment, InvalidRecordError, "missing", "a text", ({"year": None}, "year", "nothing")
    ),
    *_rows(
        rb.Increment,
        UnknownWordError,
        "unknown_recurrence",
        "one of OneTime, Recurring",
        ({"recurrence": "Yearly"}, "recurrence", "'Yearly'"),
        ({"recurrence": True}, "recurrence", "True"),
    ),
    *_rows(
        rb.Increment,
        InvalidAmountError,
        "not_a_number",
        "a number such as 0.03",
        ({"percentage": True}, "percentage", "True"),
    ),
)
"""Increments that cannot be followed."""


def _rule(code: str, expected: str, *cases: Case) -> Iterator[WrongRecord]:
    kind = InvalidAdjustmentRuleError
    return _rows(rb.RentAdjustmentRule, kind, code, expected, *cases)


def _clause(**fields: Any) -> dict[str, Any]:  # noqa: ANN401
    return {"indexClause": fields}


_AMOUNTS = {**STEPS, "increments": [{"year": "2027", "amount": DKK}]}
_LEVELS = {**STEPS, "increments": [STEP, {"year": "2028", "level": DKK}]}

WRONG_RULES: tuple[WrongRecord, ...] = (
    *_rows(
        rb.RentAdjustmentRule,
        InvalidRecordError,
        "out_of_range",
        _A_MONTH,
        ({"adjustmentMonth": 13}, "adjustmentMonth", "13"),
        ({"adjustmentMonth": 0}, "adjustmentMonth", "0"),
        ({"indexMonth": 13}, "indexMonth", "13"),
        ({"indexMonth": -1}, "indexMonth", "-1"),
    ),
    *_rows(
        rb.RentAdjustmentRule,
        InvalidRecordError,
        "not_a_whole_number",
        "a whole number such as 1",
        ({"adjustmentMonth": "January"}, "adjustmentMonth", "'January'"),
        ({"indexMonth": 1.5}, "indexMonth", "1.5"),
        ({"adjustmentMonth": True}, "adjustmentMonth", "True"),
    ),
    *_rows(
        rb.RentAdjustmentRule,
        InvalidRecordError,
        "not_a_whole_number",
        "a whole number such as 3",
        ({"adjustmentMonth": "march"}, "adjustmentMonth", "'march'"),
    ),
    *_rows(
        rb.RentAdjustmentRule,
        InvalidRecordError,
        "missing",
        "a whole number",
        ({"adjustmentMonth": None}, "adjustmentMonth", "nothing"),
    ),
    *_rows(
        rb.RentAdjustmentRule,
        InvalidRecordError,
        "missing",
        "a text",
        ({"adjustmentType": None}, "adjustmentType", "nothing"),
    ),
    *_rows(
        rb.RentAdjustmentRule,
        InvalidPeriodError,
        "not_a_year",
        _A_YEAR,
        ({"firstYear": "next"}, "firstYear", "'next'"),
        ({"lastYear": "99"}, "lastYear", "'99'"),
        ({"lastYear": 20300}, "lastYear", "20300"),
    ),
    *_rule(
        "reversed_years",
        "2030 or later",
        ({"firstYear": "2030", "lastYear": "2029"}, "lastYear", "'2029'"),
        ({"firstYear": 2030, "lastYear": 2029}, "lastYear", "'2029'"),
        # An increment cannot lie within such years, which is no news.
        ({**STEPS, "firstYear": "2030", "lastYear": "2029"}, "lastYear", "'2029'"),
    ),
    *_rule(
        "out_of_range",
        "a fraction from -1 to 1: 0.04 means four percent",
        ({"minimumPercentage": -2}, "minimumPercentage", "-2"),
        ({"minimumPercentage": 3}, "minimumPercentage", "3"),
        ({"maximumPercentage": 1.01}, "maximumPercentage", "1.01"),
        ({"maximumPercentage": -1.01}, "maximumPercentage", "-1.01"),
    ),
    *_rule(
        "limits_crossed",
        "at most 0.04",
        ({"minimumPercentage": 0.041, "maximumPercentage": 0.04}, "minimumPercentage", "0.041"),
    ),
    *_rule(
        "limits_on_amounts",
        "limits on percentages alone",
        ({**_AMOUNTS, "minimumPercentage": 0}, "minimumPercentage", "0"),
        ({**_AMOUNTS, "maximumPercentage": 0.04}, "maximumPercentage", "0.04"),
        ({**_LEVELS, "maximumPercentage": 0.04}, "maximumPercentage", "0.04"),
        ({**_AMOUNTS, "minimumPercentage": 0, "maximumPercentage": 0.04}, "minimumPercentage", "0"),
    ),
    *_rule(
        "increments_on_index",
        "none, or the type Increment",
        ({"increments": [STEP]}, "increments", "1 increment"),
        (
            {"adjustmentType": "INDEX", "increments": [STEP, {**STEP, "year": "2028"}]},
            "increments",
            "2 increments",
        ),
    ),
    *_rule(
        "no_increments",
        "increments, or the adjustment type Index",
        ({"adjustmentType": "Increment"}, "increments", "none"),
        ({"adjustmentType": "Fixed", "increments": []}, "increments", "none"),
        ({"adjustmentType": "Increment", "increments": None}, "increments", "none"),
    ),
    *_rule(
        "no_index_month",
        _A_MONTH,
        ({"indexMonth": None}, "indexMonth", "nothing"),
        ({"indexMonth": None, **_clause(yearOffset=1)}, "indexMonth", "nothing"),
        ({"indexMonth": None, **_clause(reference="quarter")}, "indexMonth", "nothing"),
    ),
    *_rule(
        "contradiction",
        "one of the two",
        (_clause(lagMonths=3), "indexMonth", "10"),
        (_clause(reference="year_mean"), "indexMonth", "10"),
        (_clause(reference="last_published"), "indexMonth", "10"),
        (_clause(**_QUARTER, indexQuarter=2), "indexMonth", "10"),
        (_clause(lagMonths=0), "indexMonth", "10"),
    ),
    *_rule(
        "says_nothing",
        "a minimum or a maximum as well",
        (_clause(limitPer="year_simple"), "indexClause.limitPer", "'year_simple'"),
        (_clause(limitPer="year_compound"), "indexClause.limitPer", "'year_compound'"),
    ),
    *_rule(
        "says_nothing",
        "none",
        ({**STEPS, **_clause(lagMonths=3)}, "indexClause.lagMonths", "3"),
        ({**STEPS, **_clause(threshold=0.05)}, "indexClause.threshold", "0.05"),
        ({**STEPS, **_clause(basis="anchored")}, "indexClause.basis", "'anchored'"),
        ({**STEPS, **_clause(lowerOf=["HICP"])}, "indexClause.lowerOf", "('HICP',)"),
        (
            {"maximumPercentage": 0.04, **_clause(combine="limit", share=0.5)},
            "indexClause.share",
            "0.5",
        ),
        (
            {"maximumPercentage": 0.04, **_clause(combine="limit", series="CPI")},
            "indexClause.series",
            "'CPI'",
        ),
    ),
    *_rule("says_nothing", "a minimum or a maximum", (_clause(combine="limit"), "", "neither")),
    *_rule(
        "says_nothing",
        "none",
        (
            {**STEPS, "maximumPercentage": 0.04, **_clause(combine="limit")},
            "increments",
            "1 increment",
        ),
    ),
    *_rule(
        "year_outside",
        "2028 to 9999",
        ({**STEPS, "firstYear": "2028"}, "increments[0].year", "'2027'"),
    ),
    *_rule(
        "year_outside",
        "2028 to 2028",
        ({**STEPS, "firstYear": "2028", "lastYear": "2028"}, "increments[0].year", "'2027'"),
    ),
    *_rule(
        "year_outside",
        "0001 to 2026",
        ({**STEPS, "lastYear": "2026"}, "increments[0].year", "'2027'"),
    ),
    *_rule(
        "duplicate_year",
        "one of each kind a year",
        ({**STEPS, "increments": [STEP, STEP]}, "increments[1].year", "'2027'"),
        (
            {**STEPS, "increments": [STEP, {**STEP, "recurrence": "OneTime"}]},
            "increments[1].year",
            "'2027'",
        ),
        (
            {
                **STEPS,
                "increments": [
                    {**STEP, "recurrence": "Recurring"},
                    {"year": 2027, "amount": DKK, "recurrence": "recurring"},
                ],
            },
            "increments[1].year",
            "'2027'",
        ),
    ),
    *_rows(
        rb.RentAdjustmentRule,
        CurrencyMismatchError,
        "currency_mismatch",
        "DKK",
        (
            {
                **STEPS,
                "increments": [
                    {"year": "2027", "amount": DKK},
                    {"year": "2028", "amount": EUR},
                    {"year": "2029", "amount": DKK},
                ],
            },
            "increments[1].amount.currency",
            "'EUR'",
        ),
        (
            {
                **STEPS,
                "increments": [
                    STEP,
                    {"year": "2028", "amount": DKK},
                    {"year": "2029", "level": EUR},
                ],
            },
            "increments[2].level.currency",
            "'EUR'",
        ),
    ),
    # What is wrong inside a rule is told at its place, and nothing is guessed from it.
    *_rule(
        "contradiction",
        "one of the two",
        ({"indexMonth": None, **_clause(lagMonths=3, yearOffset=1)}, "indexClause.lagMonths", "3"),
    ),
    *_rule(
        "one_of_three",
        "exactly one of them",
        ({**STEPS, "increments": [STEP, {"year": "2028"}]}, "increments[1]", "nothing"),
    ),
    *_rows(
        rb.RentAdjustmentRule,
        InvalidRecordError,
        "not_an_object",
        "an IndexClause, or an object with its fields",
        ({"indexClause": "DK"}, "indexClause", "'DK'"),
    ),
    *_rows(
        rb.RentAdjustmentRule,
        InvalidRecordError,
        "not_a_list",
        "a list",
        ({**STEPS, "increments": "3 %"}, "increments", "'3 %'"),
    ),
)
"""Rules that cannot be followed."""


def _plan(kind: type[rb.InvalidInputError], code: str, expected: str, *cases: Case) -> Any:  # noqa: ANN401
    return _rows(rb.RentAdjustmentPlan, kind, code, expected, *cases)


_TWINS = [{**INDEX, "id": "a"}, {**INDEX, "id": "a"}]

WRONG_PLANS: tuple[WrongRecord, ...] = (
    *_plan(
        InvalidAdjustmentRuleError,
        "says_nothing",
        "an item or a balance",
        ({"adjustsRecurringBillItem": False}, "adjustsRecurringBillItem", "false"),
        (
            {"adjustsRecurringBillItem": False, "adjustsBalance": False},
            "adjustsRecurringBillItem",
            "false",
        ),
    ),
    *_plan(
        InvalidRecordError,
        "wrong_value",
        "true or false",
        ({"adjustsRecurringBillItem": "true"}, "adjustsRecurringBillItem", "'true'"),
        ({"adjustsBalance": 1}, "adjustsBalance", "1"),
        ({"adjustsRecurringBillItem": False, "adjustsBalance": "yes"}, "adjustsBalance", "'yes'"),
    ),
    *_rows(
        rb.RentAdjustmentPlan,
        InvalidRecordError,
        "duplicate_id",
        "an own id",
        ({"rentAdjustmentRules": _TWINS}, "rentAdjustmentRules[1].id", "'a'"),
        ({"rentAdjustmentRules": [INDEX, *_TWINS]}, "rentAdjustmentRules[2].id", "'a'"),
        # A rule without an id is known by its place.
        (
            {"rentAdjustmentRules": [{**INDEX, "id": "rule-2"}, INDEX]},
            "rentAdjustmentRules[1].id",
            "'rule-2'",
        ),
    ),
    *_rows(
        rb.RentAdjustmentPlan,
        InvalidRecordError,
        "equal_days",
        "another day",
        (
            {"adjustments": [{"adjustedOn": "2027-01-01"}, {"adjustedOn": "2027-01-01"}]},
            "adjustments[1].adjustedOn",
            "2027-01-01",
        ),
    ),
    *_plan(
        InvalidPeriodError,
        "not_a_date_time",
        "such as 2026-01-31T12:00:00Z",
        ({"created": "2026-01-31"}, "created", "'2026-01-31'"),
        ({"created": "2026-01-31T12:00:00"}, "created", "'2026-01-31T12:00:00'"),
        ({"created": "2026-01-31 12:00:00Z"}, "created", "'2026-01-31 12:00:00Z'"),
        ({"modified": "2026-W05-6T12:00Z"}, "modified", "'2026-W05-6T12:00Z'"),
        ({"modified": "2026-01-31T24:00Z"}, "modified", "'2026-01-31T24:00Z'"),
        ({"modified": 1769860800}, "modified", "1769860800"),
    ),
    *_plan(
        InvalidPeriodError,
        "not_a_date",
        "YYYY-MM-DD",
        ({"cancelledOn": "soon"}, "cancelledOn", "'soon'"),
        ({"nextAdjustmentDate": 0}, "nextAdjustmentDate", "0"),
    ),
    *_plan(
        InvalidPeriodError,
        "not_a_date",
        "YYYY-MM-DD: 2026-12-31",
        ({"cancelledOn": "31.12.2026"}, "cancelledOn", "'31.12.2026'"),
    ),
    *_plan(
        InvalidPeriodError,
        "date_time_for_date",
        "a date alone: 2026-01-31, or the day it is where the lease is",
        ({"endedOn": "2026-01-31T23:00:00Z"}, "endedOn", "'2026-01-31T23:00:00Z'"),
        (
            {"cancelledOrEndedOn": "2026-01-31T23:00:00Z"},
            "cancelledOrEndedOn",
            "'2026-01-31T23:00:00Z'",
        ),
    ),
    *_plan(
        InvalidRecordError,
        "empty_text",
        "a text",
        ({"adjusteeRef": ""}, "adjusteeRef", "''"),
        ({"balanceChargeType": ""}, "balanceChargeType", "''"),
        ({"id": ""}, "id", "''"),
    ),
    *_plan(
        InvalidRecordError,
        "unknown_field",
        "a known field, such as adjustments",
        ({"adjustment": "x"}, "adjustment", "'x'"),
    ),
    *_plan(
        InvalidRecordError,
        "not_an_object",
        "a RentAdjustmentRule, or an object with its fields",
        ({"rentAdjustmentRules": [INDEX, "Index"]}, "rentAdjustmentRules[1]", "'Index'"),
    ),
    *_plan(
        InvalidAdjustmentRuleError,
        "limits_on_amounts",
        "limits on percentages alone",
        (
            {"rentAdjustmentRules": [INDEX, {**INDEX, **_AMOUNTS, "minimumPercentage": 0}]},
            "rentAdjustmentRules[1].minimumPercentage",
            "0",
        ),
    ),
)
"""Plans that cannot be followed."""

WRONG_ADJUSTMENTS: tuple[WrongRecord, ...] = (
    *_rows(
        rb.RentAdjustment,
        InvalidRecordError,
        "missing",
        "a date, YYYY-MM-DD",
        ({"adjustedOn": None}, "adjustedOn", "nothing"),
    ),
    *_rows(
        rb.RentAdjustment,
        InvalidPeriodError,
        "not_a_date",
        "YYYY-MM-DD",
        ({"adjustedOn": 2027}, "adjustedOn", "2027"),
    ),
    *_rows(
        rb.RentAdjustment,
        InvalidPeriodError,
        "not_a_year",
        _A_YEAR,
        ({"year": "27"}, "year", "'27'"),
    ),
    *_rows(
        rb.RentAdjustment,
        InvalidAmountError,
        "not_an_object",
        "an Amount, or an object with currency and amount",
        ({"toPeriodAmount": 8500}, "toPeriodAmount", "8500"),
    ),
    *_rows(
        rb.RentAdjustment,
        UnknownWordError,
        "unknown_currency",
        "a code such as DKK or EUR, or one of policy.currencies",
        (
            {"fromYearlyAmount": {"currency": "kr", "amount": 1}},
            "fromYearlyAmount.currency",
            "'kr'",
        ),
    ),
    *_rows(
        rb.AdjustmentEffect,
        InvalidPeriodError,
        "not_a_year_month",
        "YYYY-MM",
        ({"fromYearMonth": "2026"}, "fromYearMonth", "'2026'"),
        ({"toYearMonth": "2026-13"}, "toYearMonth", "'2026-13'"),
        ({"toYearMonth": "2026-Q1"}, "toYearMonth", "'2026-Q1'"),
        ({"toYearMonth": 202601}, "toYearMonth", "202601"),
    ),
    *_rows(
        rb.AdjustmentEffect,
        InvalidPeriodError,
        "not_an_index_point",
        "YYYY-MM, YYYY-Q1 to YYYY-Q4, or YYYY",
        ({"fromPoint": "0000"}, "fromPoint", "'0000'"),
        ({"toPoint": "2026-1"}, "toPoint", "'2026-1'"),
    ),
    *_rows(
        rb.AdjustmentEffect,
        InvalidAmountError,
        "not_a_number",
        "a number such as 0.03",
        ({"calculatedPercentage": True}, "calculatedPercentage", "True"),
    ),
    *_rows(
        rb.AdjustmentEffect,
        InvalidAmountError,
        "not_a_number",
        "a number such as 8500.00",
        ({"toIndex": True}, "toIndex", "True"),
    ),
    *_rows(
        rb.AdjustmentEffect,
        InvalidRecordError,
        "not_a_text",
        "a text",
        ({"reasons": ["maximum", 1]}, "reasons[1]", "1"),
    ),
    *_rows(
        rb.Balance,
        InvalidRecordError,
        "out_of_range",
        "a number above 0, up to 1200",
        ({"months": 0}, "months", "0"),
        ({"months": -3}, "months", "-3"),
        ({"months": 1201}, "months", "1201"),
    ),
    *_rows(
        rb.Balance,
        InvalidRecordError,
        "empty_text",
        "a text",
        ({"balanceChargeType": ""}, "balanceChargeType", "''"),
        ({"productKey": ""}, "productKey", "''"),
        ({"id": ""}, "id", "''"),
    ),
    *_rows(
        rb.Balance,
        InvalidAmountError,
        "missing",
        "a number such as 8500.00",
        ({"amount": {"currency": "DKK"}}, "amount.amount", "nothing"),
    ),
)
"""Adjustments, effects and balances that are wrong in themselves."""
