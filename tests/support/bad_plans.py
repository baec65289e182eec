"""What plans, rules, clauses and balances can have wrong: a table that each way in is tried with.

A row changes a good record at one place, as JSON has it; every row has exactly one problem.
"""

import json
import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, NamedTuple

import pytest

import rentbilling as rb
from rentbilling import errors
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


_AMOUNTS: dict[str, Any] = {**STEPS, "increments": [{"year": "2027", "amount": DKK}]}
_LEVELS: dict[str, Any] = {**STEPS, "increments": [STEP, {"year": "2028", "level": DKK}]}
_FIRST: dict[str, dict[str, Any]] = {"STEPS": STEPS, "AMOUNTS": _AMOUNTS, "LEVELS": _LEVELS}
_PARTS = {
    "DKK": DKK,
    "EUR": EUR,
    "NOTHING": NOTHING,
    "STEP": STEP,
    "STEP_OF_2028": {**STEP, "year": "2028"},
    "ONE_STEP": {**STEP, "recurrence": "OneTime"},
    "STEPS_ON": {**STEP, "recurrence": "Recurring"},
    "INDEX": INDEX,
    "INDEX_A": {**INDEX, "id": "a"},
    "INDEX_2": {**INDEX, "id": "rule-2"},
    "LIMITED": {**INDEX, **_AMOUNTS, "minimumPercentage": 0},
}


def _table(text: str) -> tuple[WrongRecord, ...]:
    """Read rows below lines that name the record, the error, its code and what is expected.

    A row is `FIRST + {"field": "@PART"} @ path = met`: without a path the last field is wrong, and
    without a value met it is the one at the path. Rows of one line are parted by semicolons.
    """
    found: list[WrongRecord] = []
    record, kind, code, expected = "", "", "", ""
    records = {each.__name__: each for each in GOOD}
    for line in text.splitlines():
        if not line.startswith(" "):
            names, _, expected = line.partition(": ")
            record, kind, code = names.split()
        elif not line.lstrip().startswith("#"):
            for row in line.strip().split("; "):
                given, _, met = row.partition(" = ")
                given, _, path = given.partition(" @ ")
                *first, fields = given.split(" + ")
                for name, part in _PARTS.items():
                    fields = fields.replace(f'"@{name}"', json.dumps(part))
                changes: dict[str, Any] = {**(_FIRST[first[0]] if first else {})}
                changes |= json.loads(fields)
                path = (path or [*changes][-1]).removeprefix(".")
                met = met or _shown(_at(changes, path))
                error = getattr(errors, kind)
                found.append(
                    WrongRecord(records[record], changes, path, error, code, met, expected)
                )
    return tuple(found)


def _at(data: Any, path: str) -> Any:  # noqa: ANN401 - JSON is any value
    for name in re.findall(r"[^.\[\]]+", path):
        data = data[int(name) if name.isdigit() else name]
    return data


def _shown(value: object) -> str:
    return "nothing" if value is None else repr(value)


CLAUSE_RANGES: tuple[WrongRecord, ...] = _table("""\
IndexClause InvalidAdjustmentRuleError out_of_range: a whole number from 0 to 120
    {"lagMonths": -1}; {"lagMonths": 121}
IndexClause InvalidAdjustmentRuleError out_of_range: a whole number from 0 to 10
    {"yearOffset": -1}; {"yearOffset": 11}; {"meanOf": 3, "meanDecimals": -1}
    {"meanOf": 3, "meanDecimals": 11}; {"percentageDecimals": -1}; {"percentageDecimals": 11}
IndexClause InvalidAdjustmentRuleError out_of_range: a whole number from 1 to 4
    {"reference": "quarter", "indexQuarter": 0}; {"reference": "quarter", "indexQuarter": 5}
IndexClause InvalidAdjustmentRuleError out_of_range: a whole number from 1 to 1200
    {"fromLagMonths": 0}; {"fromLagMonths": 1201}; {"intervalMonths": 0}; {"intervalMonths": 1201}
IndexClause InvalidAdjustmentRuleError out_of_range: a whole number from 1 to 120
    {"meanOf": 0}; {"meanOf": 121}; {"limitPer": "year_simple", "limitMonths": 0}
    {"limitPer": "year_simple", "limitMonths": 121}; {"proRata": "elapsed", "proRataMonths": 0}
    {"proRata": "elapsed", "proRataMonths": 121}
IndexClause InvalidAdjustmentRuleError out_of_range: a whole number from 1 to 100
    {"intervalYears": 0}; {"intervalYears": 101}
IndexClause InvalidAdjustmentRuleError out_of_range: 0 or more; 0.05 is five percent
    {"threshold": -0.01}
IndexClause InvalidAdjustmentRuleError out_of_range: 0 or more
    {"threshold": -1, "thresholdUnit": "points"} @ threshold
IndexClause InvalidAdjustmentRuleError out_of_range: a fraction: 0.05 is five percent; or the \
unit points
    {"threshold": 10.5}
IndexClause InvalidAdjustmentRuleError out_of_range: a number from 0 to 10
    {"share": -0.1}; {"share": 10.1}
IndexClause InvalidAdjustmentRuleError out_of_range: a number from 0 to 10; 0.05 is five percent
    {"excessOver": -0.01, "excessShare": 0.5} @ excessOver
    {"excessOver": 11, "excessShare": 0.5} @ excessOver
IndexClause InvalidAdjustmentRuleError out_of_range: a number from 0 to 1; 0.05 is five percent
    {"excessOver": 0.03, "excessShare": -0.1}; {"excessOver": 0.03, "excessShare": 50}
    {"indexedShare": -0.1}; {"indexedShare": 80}
IndexClause InvalidAdjustmentRuleError out_of_range: a number from -1 to 1; 0.05 is five percent
    {"surcharge": 2}; {"surcharge": -1.1}
    # The unit of the threshold is no news to a surcharge.
    {"surcharge": 2, "threshold": 5, "thresholdUnit": "points"} @ surcharge
IndexClause InvalidAdjustmentRuleError out_of_range: above 0
    {"startPoint": "2020-06", "base": "2015=100", "startIndex": 0}
    {"startPoint": "2020-06", "base": "2015=100", "startIndex": -104.8}
    {"basis": "anchored", "correctionFactor": 0}; {"amountQuantum": 0}; {"amountQuantum": -0.5}
    {"indexedAmount": "@NOTHING"} = 0
""")
"""Numbers of a clause that mean nothing."""


CLAUSE_CONTRADICTIONS: tuple[WrongRecord, ...] = _table("""\
IndexClause InvalidAdjustmentRuleError contradiction: one of the two
    {"lagMonths": 3, "yearOffset": 1} @ lagMonths; {"lagMonths": 0, "yearOffset": 0} @ lagMonths
    {"intervalYears": 3, "intervalMonths": 18} @ intervalYears
    {"indexedShare": 0.8, "indexedAmount": "@DKK"} @ indexedShare
    {"reference": "quarter", "indexQuarter": 4, "lagMonths": 2} @ indexQuarter
IndexClause InvalidAdjustmentRuleError contradiction: none, or the reference month or quarter
    {"reference": "last_published", "lagMonths": 3}; {"reference": "year_mean", "lagMonths": 3}
IndexClause InvalidAdjustmentRuleError contradiction: none, or the reference month or quarter or \
year_mean
    {"reference": "last_published", "yearOffset": 1}
IndexClause InvalidAdjustmentRuleError contradiction: none, or the reference month
    {"reference": "quarter", "fromLagMonths": 3}; {"reference": "year_mean", "fromLagMonths": 3}
IndexClause InvalidAdjustmentRuleError contradiction: 4 or more
    {"lagMonths": 3, "fromLagMonths": 2} @ fromLagMonths
    {"lagMonths": 3, "fromLagMonths": 3} @ fromLagMonths
IndexClause InvalidAdjustmentRuleError contradiction: none
    {"meanOf": 3, "meanOfWhat": "changes", "intervalYears": 3}
    {"meanOf": 3, "meanOfWhat": "changes", "startPoint": "2020"} = 2020
    {"meanOf": 3, "meanOfWhat": "changes", "meanDecimals": 0}
    {"combine": "sum", "indexedShare": 0.5}; {"combine": "sum", "afterLimit": "carry"}
    {"lowerOf": ["HICP"], "startPoint": "2020", "base": "B", "startIndex": 100}
IndexClause InvalidAdjustmentRuleError contradiction: the basis chained or anchored
    {"basis": "mixed", "afterLimit": "carry"}; {"basis": "last_indexed", "afterLimit": "carry"}
IndexClause InvalidAdjustmentRuleError contradiction: the basis chained
    {"basis": "anchored", "combine": "sum"}; {"basis": "mixed", "combine": "sum"}
    {"basis": "anchored", "surcharge": 0.01}
    {"basis": "anchored", "excessOver": 0.03, "excessShare": 0.5} @ excessOver
    {"basis": "anchored", "proRata": "first_year"}; {"basis": "anchored", "proRata": "elapsed"}
IndexClause InvalidAdjustmentRuleError contradiction: none, or the reference quarter
    {"indexQuarter": 2}; {"indexQuarter": 2, "reference": "month"} @ indexQuarter
    {"indexQuarter": 2, "reference": "year_mean"} @ indexQuarter
    {"indexQuarter": 2, "reference": "last_published"} @ indexQuarter
IndexClause InvalidAdjustmentRuleError contradiction: none: this basis compares with another point
    {"basis": "anchored", "fromLagMonths": 15}; {"basis": "last_indexed", "fromLagMonths": 15}
    {"basis": "mixed", "fromLagMonths": 15}
IndexClause InvalidAdjustmentRuleError contradiction: none, or the basis anchored
    {"baseAmount": "@DKK"} = 100; {"basis": "chained", "baseAmount": "@DKK"} = 100
    {"basis": "mixed", "baseAmount": "@DKK"} = 100
IndexClause InvalidAdjustmentRuleError contradiction: the basis anchored
    {"correctionFactor": 0.98}; {"basis": "last_indexed", "correctionFactor": 0.98}
    {"basis": "mixed", "correctionFactor": 0.98}
""")
"""Fields of a clause that contradict each other."""


CLAUSE_IDLE: tuple[WrongRecord, ...] = _table("""\
IndexClause InvalidAdjustmentRuleError says_nothing: threshold as well
    {"thresholdUnit": "points"}; {"thresholdInclusive": false}
IndexClause InvalidAdjustmentRuleError says_nothing: excessShare as well
    {"excessOver": 0.03}
IndexClause InvalidAdjustmentRuleError says_nothing: excessOver as well
    {"excessShare": 0.5}
IndexClause InvalidAdjustmentRuleError says_nothing: startPoint as well
    {"startIndex": 104.8, "base": "2015=100"} @ startIndex
IndexClause InvalidAdjustmentRuleError says_nothing: base as well
    {"startIndex": 104.8, "startPoint": "2020-06"} @ startIndex
IndexClause InvalidAdjustmentRuleError says_nothing: percentageDecimals as well
    {"percentageRounding": "down"}; {"percentageRounded": "applied"}
IndexClause InvalidAdjustmentRuleError says_nothing: another meanOf
    {"meanOfWhat": "changes"}; {"meanOfWhat": "changes", "meanOf": 1} @ meanOfWhat
    {"meanDecimals": 1}
IndexClause InvalidAdjustmentRuleError says_nothing: another proRata
    {"proRataMonths": 36}; {"proRataMonths": 36, "proRata": "first_year"} @ proRataMonths
IndexClause InvalidAdjustmentRuleError says_nothing: another limitPer
    {"limitMonths": 36}
IndexClause InvalidAdjustmentRuleError says_nothing: the basis anchored
    {"shareOf": "money"}; {"shareOf": "money", "basis": "mixed", "share": 0.75} @ shareOf
""")
"""Fields of a clause that have no effect there."""

CLAUSE_UNREADABLE: tuple[WrongRecord, ...] = _table("""\
IndexClause InvalidRecordError unknown_word: one of 'chained', 'anchored', 'last_indexed' or 'mixed'
    {"basis": "first"}
    # Of a basis that is not known, it is not known what it excludes.
    {"basis": "Anchored", "baseAmount": "@DKK"} @ basis
    {"basis": "Anchored", "correctionFactor": 0.9} @ basis; {"basis": true}
IndexClause InvalidRecordError unknown_word: one of 'month', 'quarter', 'year_mean' or \
'last_published'
    {"reference": "Quarter", "indexQuarter": 2} @ reference
IndexClause InvalidRecordError unknown_word: one of 'percent' or 'points'
    {"threshold": 12, "thresholdUnit": "Points"}
IndexClause InvalidRecordError unknown_word: one of 'in_turn', 'sum', 'lower_of' or 'limit'
    {"combine": "add"}
IndexClause InvalidRecordError wrong_value: true or false
    {"increaseOnly": "yes"}; {"increaseOnly": 1}; {"floorAtStart": 0}
    {"threshold": 0.05, "thresholdInclusive": "no"}
IndexClause InvalidRecordError not_a_whole_number: a whole number such as 1
    {"lagMonths": 1.5}; {"intervalYears": true}; {"meanOf": "3"}
IndexClause InvalidPeriodError not_an_index_point: YYYY-MM, YYYY-Q1 to YYYY-Q4, or YYYY
    {"startPoint": "2020-13"}; {"startPoint": "2020-Q5"}; {"startPoint": 2020}
IndexClause InvalidRecordError empty_text: a text
    {"series": ""}; {"base": ""}; {"lowerOf": ["CPI", ""]} @ lowerOf[1]
IndexClause InvalidRecordError not_a_list: a list
    {"lowerOf": "CPI"}
IndexClause InvalidAmountError not_a_number: a number such as 0.03
    {"threshold": true}; {"share": true}
IndexClause InvalidAmountError not_an_object: an Amount, or an object with currency and amount
    {"floorAmount": 8500}
IndexClause InvalidRecordError unknown_field: a known field, such as surcharge
    {"surcharg": 3}
""")
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


WRONG_INCREMENTS: tuple[WrongRecord, ...] = _table("""\
Increment InvalidAdjustmentRuleError one_of_three: exactly one of them
    {"percentage": null} @ . = nothing; {"amount": "@DKK"} @ . = amount, percentage
    {"level": "@DKK"} @ . = percentage, level
    {"percentage": null, "amount": "@DKK", "level": "@DKK"} @ . = amount, level
    {"amount": "@DKK", "level": "@DKK"} @ . = amount, percentage, level
Increment InvalidAdjustmentRuleError out_of_range: a fraction from -1 to 10: 0.04 means four percent
    {"percentage": 10.5}; {"percentage": -1.01}
Increment InvalidAdjustmentRuleError contradiction: OneTime, or an amount
    {"percentage": null, "level": "@DKK", "recurrence": "Recurring"}
Increment InvalidPeriodError not_a_year: YYYY, such as 2026
    {"year": "27"}; {"year": 27}; {"year": 20270}; {"year": "0000"}; {"year": "2027-01"}
    {"year": true}
Increment InvalidRecordError missing: a text
    {"year": null}
Increment UnknownWordError unknown_recurrence: one of OneTime, Recurring
    {"recurrence": "Yearly"}; {"recurrence": true}
Increment InvalidAmountError not_a_number: a number such as 0.03
    {"percentage": true}
""")
"""Increments that cannot be followed."""


WRONG_RULES: tuple[WrongRecord, ...] = _table("""\
RentAdjustmentRule InvalidRecordError out_of_range: a calendar month from 1 to 12
    {"adjustmentMonth": 13}; {"adjustmentMonth": 0}; {"indexMonth": 13}; {"indexMonth": -1}
RentAdjustmentRule InvalidRecordError not_a_whole_number: a whole number such as 1
    {"adjustmentMonth": "January"}; {"indexMonth": 1.5}; {"adjustmentMonth": true}
RentAdjustmentRule InvalidRecordError not_a_whole_number: a whole number such as 3
    {"adjustmentMonth": "march"}
RentAdjustmentRule InvalidRecordError missing: a whole number
    {"adjustmentMonth": null}
RentAdjustmentRule InvalidRecordError missing: a text
    {"adjustmentType": null}
RentAdjustmentRule InvalidPeriodError not_a_year: YYYY, such as 2026
    {"firstYear": "next"}; {"lastYear": "99"}; {"lastYear": 20300}
RentAdjustmentRule InvalidAdjustmentRuleError reversed_years: 2030 or later
    {"firstYear": "2030", "lastYear": "2029"}; {"firstYear": 2030, "lastYear": 2029} = '2029'
    # An increment cannot lie within such years, which is no news.
    STEPS + {"firstYear": "2030", "lastYear": "2029"}
RentAdjustmentRule InvalidAdjustmentRuleError out_of_range: a fraction from -1 to 1: 0.04 means \
four percent
    {"minimumPercentage": -2}; {"minimumPercentage": 3}; {"maximumPercentage": 1.01}
    {"maximumPercentage": -1.01}
RentAdjustmentRule InvalidAdjustmentRuleError limits_crossed: at most 0.04
    {"minimumPercentage": 0.041, "maximumPercentage": 0.04} @ minimumPercentage
RentAdjustmentRule InvalidAdjustmentRuleError limits_on_amounts: limits on percentages alone
    AMOUNTS + {"minimumPercentage": 0}; AMOUNTS + {"maximumPercentage": 0.04}
    LEVELS + {"maximumPercentage": 0.04}
    AMOUNTS + {"minimumPercentage": 0, "maximumPercentage": 0.04} @ minimumPercentage
RentAdjustmentRule InvalidAdjustmentRuleError increments_on_index: none, or the type Increment
    {"increments": ["@STEP"]} = 1 increment
    {"adjustmentType": "INDEX", "increments": ["@STEP", "@STEP_OF_2028"]} = 2 increments
RentAdjustmentRule InvalidAdjustmentRuleError no_increments: increments, or the adjustment type \
Index
    {"adjustmentType": "Increment"} @ increments = none
    {"adjustmentType": "Fixed", "increments": []} = none
    {"adjustmentType": "Increment", "increments": null} = none
RentAdjustmentRule InvalidAdjustmentRuleError no_index_month: a calendar month from 1 to 12
    {"indexMonth": null}; {"indexMonth": null, "indexClause": {"yearOffset": 1}} @ indexMonth
    {"indexMonth": null, "indexClause": {"reference": "quarter"}} @ indexMonth
RentAdjustmentRule InvalidAdjustmentRuleError contradiction: one of the two
    {"indexClause": {"lagMonths": 3}} @ indexMonth = 10
    {"indexClause": {"reference": "year_mean"}} @ indexMonth = 10
    {"indexClause": {"reference": "last_published"}} @ indexMonth = 10
    {"indexClause": {"reference": "quarter", "indexQuarter": 2}} @ indexMonth = 10
    {"indexClause": {"lagMonths": 0}} @ indexMonth = 10
    {"indexMonth": null, "indexClause": {"lagMonths": 3, "yearOffset": 1}} @ indexClause.lagMonths
RentAdjustmentRule InvalidAdjustmentRuleError contradiction: 4 or more
    {"indexClause": {"fromLagMonths": 3}} @ indexClause.fromLagMonths
    {"indexClause": {"fromLagMonths": 2, "yearOffset": 1}} @ indexClause.fromLagMonths
RentAdjustmentRule InvalidAdjustmentRuleError says_nothing: a minimum or a maximum as well
    {"indexClause": {"limitPer": "year_simple"}} @ indexClause.limitPer
    {"indexClause": {"limitPer": "year_compound"}} @ indexClause.limitPer
RentAdjustmentRule InvalidAdjustmentRuleError says_nothing: none
    STEPS + {"indexClause": {"lagMonths": 3}} @ indexClause.lagMonths
    STEPS + {"indexClause": {"threshold": 0.05}} @ indexClause.threshold
    STEPS + {"indexClause": {"basis": "anchored"}} @ indexClause.basis
    STEPS + {"indexClause": {"lowerOf": ["HICP"]}} @ indexClause.lowerOf = ('HICP',)
    {"maximumPercentage": 0.04, "indexClause": {"combine": "limit", "share": 0.5}} @ \
indexClause.share
    {"maximumPercentage": 0.04, "indexClause": {"combine": "limit", "series": "CPI"}} @ \
indexClause.series
    STEPS + {"maximumPercentage": 0.04, "indexClause": {"combine": "limit"}} @ increments = 1 \
increment
RentAdjustmentRule InvalidAdjustmentRuleError says_nothing: a minimum or a maximum
    {"indexClause": {"combine": "limit"}} @ . = neither
RentAdjustmentRule InvalidAdjustmentRuleError year_outside: 2028 to 9999
    STEPS + {"firstYear": "2028"} @ increments[0].year
RentAdjustmentRule InvalidAdjustmentRuleError year_outside: 2028 to 2028
    STEPS + {"firstYear": "2028", "lastYear": "2028"} @ increments[0].year
RentAdjustmentRule InvalidAdjustmentRuleError year_outside: 0001 to 2026
    STEPS + {"lastYear": "2026"} @ increments[0].year
RentAdjustmentRule InvalidAdjustmentRuleError duplicate_year: one of each kind a year
    STEPS + {"increments": ["@STEP", "@STEP"]} @ increments[1].year
    STEPS + {"increments": ["@STEP", "@ONE_STEP"]} @ increments[1].year
    STEPS + {"increments": ["@STEPS_ON", {"year": 2027, "amount": "@DKK", "recurrence": \
"recurring"}]} @ increments[1].year = '2027'
RentAdjustmentRule CurrencyMismatchError currency_mismatch: DKK
    STEPS + {"increments": [{"year": "2027", "amount": "@DKK"}, {"year": "2028", "amount": \
"@EUR"}, {"year": "2029", "amount": "@DKK"}]} @ increments[1].amount.currency
    STEPS + {"increments": ["@STEP", {"year": "2028", "amount": "@DKK"}, {"year": "2029", \
"level": "@EUR"}]} @ increments[2].level.currency
RentAdjustmentRule InvalidAdjustmentRuleError one_of_three: exactly one of them
    STEPS + {"increments": ["@STEP", {"year": "2028"}]} @ increments[1] = nothing
RentAdjustmentRule InvalidRecordError not_an_object: an IndexClause, or an object with its fields
    {"indexClause": "DK"}
RentAdjustmentRule InvalidRecordError not_a_list: a list
    STEPS + {"increments": "3 %"}
""")
"""Rules that cannot be followed."""


WRONG_PLANS: tuple[WrongRecord, ...] = _table("""\
RentAdjustmentPlan InvalidAdjustmentRuleError says_nothing: an item or a balance
    {"adjustsRecurringBillItem": false} = false
    {"adjustsRecurringBillItem": false, "adjustsBalance": false} @ adjustsRecurringBillItem = false
RentAdjustmentPlan InvalidRecordError wrong_value: true or false
    {"adjustsRecurringBillItem": "true"}; {"adjustsBalance": 1}
    {"adjustsRecurringBillItem": false, "adjustsBalance": "yes"}
RentAdjustmentPlan InvalidRecordError duplicate_id: an own id
    {"rentAdjustmentRules": ["@INDEX_A", "@INDEX_A"]} @ rentAdjustmentRules[1].id
    {"rentAdjustmentRules": ["@INDEX", "@INDEX_A", "@INDEX_A"]} @ rentAdjustmentRules[2].id
    # A rule without an id is known by its place.
    {"rentAdjustmentRules": ["@INDEX_2", "@INDEX"]} @ rentAdjustmentRules[1].id = 'rule-2'
RentAdjustmentPlan InvalidRecordError equal_days: another day
    {"adjustments": [{"adjustedOn": "2027-01-01"}, {"adjustedOn": "2027-01-01"}]} @ \
adjustments[1].adjustedOn = 2027-01-01
RentAdjustmentPlan InvalidPeriodError not_a_date_time: such as 2026-01-31T12:00:00Z
    {"created": "2026-01-31"}; {"created": "2026-01-31T12:00:00"}
    {"created": "2026-01-31 12:00:00Z"}; {"modified": "2026-W05-6T12:00Z"}
    {"modified": "2026-01-31T24:00Z"}; {"modified": 1769860800}
RentAdjustmentPlan InvalidPeriodError not_a_date: YYYY-MM-DD
    {"cancelledOn": "soon"}; {"nextAdjustmentDate": 0}
RentAdjustmentPlan InvalidPeriodError not_a_date: YYYY-MM-DD: 2026-12-31
    {"cancelledOn": "31.12.2026"}
RentAdjustmentPlan InvalidPeriodError date_time_for_date: a date alone: 2026-01-31, or the day it \
is where the lease is
    {"endedOn": "2026-01-31T23:00:00Z"}; {"cancelledOrEndedOn": "2026-01-31T23:00:00Z"}
RentAdjustmentPlan InvalidRecordError empty_text: a text
    {"adjusteeRef": ""}; {"balanceChargeType": ""}; {"id": ""}
RentAdjustmentPlan InvalidRecordError unknown_field: a known field, such as adjustments
    {"adjustment": "x"}
RentAdjustmentPlan InvalidRecordError not_an_object: a RentAdjustmentRule, or an object with its \
fields
    {"rentAdjustmentRules": ["@INDEX", "Index"]} @ rentAdjustmentRules[1]
RentAdjustmentPlan InvalidAdjustmentRuleError limits_on_amounts: limits on percentages alone
    {"rentAdjustmentRules": ["@INDEX", "@LIMITED"]} @ rentAdjustmentRules[1].minimumPercentage
""")
"""Plans that cannot be followed."""

WRONG_ADJUSTMENTS: tuple[WrongRecord, ...] = _table("""\
RentAdjustment InvalidRecordError missing: a date, YYYY-MM-DD
    {"adjustedOn": null}
RentAdjustment InvalidPeriodError not_a_date: YYYY-MM-DD
    {"adjustedOn": 2027}
RentAdjustment InvalidPeriodError not_a_year: YYYY, such as 2026
    {"year": "27"}
RentAdjustment InvalidAmountError not_an_object: an Amount, or an object with currency and amount
    {"toPeriodAmount": 8500}
RentAdjustment UnknownWordError unknown_currency: a code such as DKK or EUR, or one of \
policy.currencies
    {"fromYearlyAmount": {"currency": "kr", "amount": 1}} @ fromYearlyAmount.currency
AdjustmentEffect InvalidPeriodError not_a_year_month: YYYY-MM
    {"fromYearMonth": "2026"}; {"toYearMonth": "2026-13"}; {"toYearMonth": "2026-Q1"}
    {"toYearMonth": 202601}
AdjustmentEffect InvalidPeriodError not_an_index_point: YYYY-MM, YYYY-Q1 to YYYY-Q4, or YYYY
    {"fromPoint": "0000"}; {"toPoint": "2026-1"}
AdjustmentEffect InvalidAmountError not_a_number: a number such as 0.03
    {"calculatedPercentage": true}
AdjustmentEffect InvalidAmountError not_a_number: a number such as 8500.00
    {"toIndex": true}
AdjustmentEffect InvalidRecordError not_a_text: a text
    {"reasons": ["maximum", 1]} @ reasons[1]
Balance InvalidRecordError out_of_range: a number above 0, up to 1200
    {"months": 0}; {"months": -3}; {"months": 1201}
Balance InvalidRecordError empty_text: a text
    {"balanceChargeType": ""}; {"productKey": ""}; {"id": ""}
Balance InvalidAmountError missing: a number such as 8500.00
    {"amount": {"currency": "DKK"}} @ amount.amount = nothing
""")
"""Adjustments, effects and balances that are wrong in themselves."""
