"""The JSON schemas are valid, true to what is written, and refuse what the reader refuses."""

import json
from collections.abc import Mapping
from dataclasses import fields
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from jsonschema import Draft202012Validator

import rentbilling as rb
import rentbilling.interface
from rentbilling.errors import UnknownWordError
from rentbilling.interface import SCHEMA_NAMES, schema_of
from rentbilling.records import Record
from rentbilling.testing.strategies.choices import chosen
from rentbilling.testing.strategies.items import choose_policy, choose_terms, choose_window
from rentbilling.values import DIALECT
from tests.refusals.tables import DKK, INDEX, STEP, STEPS, Row, refused_rules, rules
from tests.support.plans import by_index, lease, octobers
from tests.support.rows import rows

RECORD_KINDS: Mapping[str, type[Record]] = {
    name: kind
    for face in (rentbilling, rentbilling.interface)
    for name in dir(face)
    if isinstance(kind := getattr(face, name), type) and issubclass(kind, Record)
}

CYCLE = {"timeUnit": "Month", "periodLength": 1, "start": 1}
AMOUNT: dict[str, Any] = {"currency": "DKK", "amount": 8500.00}
RENT: dict[str, Any] = {
    "productKey": "key:rent",
    "amount": AMOUNT,
    "vat": {"taxMode": "Exclusive", "taxRate": 0.25},
    "dueDateRule": {"dayOfPeriod": 1},
    "billingCycle": {"timeUnit": "Month", "periodLength": 3, "start": 1},
    "startedOn": "2026-01-01",
    "firstBillingPeriodBillItem": {
        "amount": AMOUNT,
        "dueDate": "2026-01-01",
        "accountingPeriod": "2026-01-01/2026-03-31",
    },
}


def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(schema_of(name))


def faults(name: str, text: str) -> list[str]:
    return [error.message for error in validator(name).iter_errors(json.loads(text))]


def with_changes(data: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    return {**data, **changes}


@rows("name", SCHEMA_NAMES)
def test_every_schema_is_valid(name: str) -> None:
    """It is a schema of draft 2020-12, says so, and is named for what it describes."""
    schema = schema_of(name)
    Draft202012Validator.check_schema(schema)

    assert (DIALECT, name) == (schema["$schema"], schema["title"])


def test_every_record_has_a_schema() -> None:
    assert set(RECORD_KINDS) == set(SCHEMA_NAMES) & set(RECORD_KINDS)


def test_a_name_is_known_in_any_case() -> None:
    assert schema_of("LeaseTerms") == schema_of("leaseterms")


def test_an_unknown_name_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownWordError) as caught:
        schema_of("Rent")

    assert f"one of {', '.join(SCHEMA_NAMES)}" == caught.value.problems[0].expected


@rows("name", [None, rb.LeaseTerms, 5])
def test_a_schema_is_asked_for_by_name(name: Any) -> None:  # noqa: ANN401
    with pytest.raises(TypeError, match="a name such as 'LeaseTerms'"):
        schema_of(name)


@rows("name", RECORD_KINDS)
def test_a_record_knows_its_own_schema(name: str) -> None:
    assert schema_of(name) == RECORD_KINDS[name].model_json_schema()


def test_each_call_gives_a_schema_of_its_own() -> None:
    schema_of("DueDateRule")["properties"].clear()
    schema_of("BillingCycle")["properties"]["timeUnit"]["enum"].clear()
    schema_of("QuantityRecord")["properties"]["value"]["not"].clear()
    schema_of("IndexClause")["properties"]["indexedAmount"]["properties"]["amount"].clear()

    assert ["dayOfPeriod", "relativeTo"] == list(schema_of("DueDateRule")["properties"])
    assert "Month" in schema_of("BillingCycle")["properties"]["timeUnit"]["enum"]
    assert {"const": 0} == schema_of("QuantityRecord")["properties"]["value"]["not"]
    assert {"amount": {"exclusiveMinimum": 0}} == (
        schema_of("IndexClause")["properties"]["indexedAmount"]["properties"]
    )


@rows("name", RECORD_KINDS)
def test_every_field_has_words(name: str) -> None:
    """The words of a schema are the docstrings below the fields."""
    properties = schema_of(name)["properties"]

    assert [] == [field for field, each in properties.items() if not each.get("description")]


@given(chosen(choose_terms))
def test_lease_terms_as_written_are_valid(terms: rb.LeaseTerms) -> None:
    assert [] == faults("LeaseTerms", rb.dumps(terms))


@given(chosen(choose_policy))
def test_a_policy_as_written_is_valid(policy: rb.BillingPolicy) -> None:
    assert [] == faults("BillingPolicy", rb.dumps(policy))


@given(chosen(choose_terms), chosen(choose_policy), chosen(choose_window))
def test_bills_as_written_are_valid_in_both_forms(
    terms: rb.LeaseTerms, policy: rb.BillingPolicy, period: rb.Period
) -> None:
    """What `dumps` writes of any result, plain or full, the schema of its form accepts (A56)."""
    result = rb.pending_bills(rb.compile_terms(terms, policy=policy), period)

    assert [] == faults("BillingResult", rb.dumps(result))
    assert [] == faults("BillingResultFull", rb.dumps(result, full=True))


@given(chosen(choose_terms), chosen(choose_window))
def test_each_bill_as_written_is_valid_in_both_forms(
    terms: rb.LeaseTerms, period: rb.Period
) -> None:
    for bill in rb.pending_bills(terms, period):
        assert [] == faults("PendingBill", rb.dumps(bill))
        assert [] == faults("PendingBillFull", rb.dumps(bill, full=True))


def test_the_plain_form_knows_nothing_of_the_full_one() -> None:
    """What a result knows beyond the interface is refused in the interface's own JSON (A56)."""
    terms = rb.loads(json.dumps(RENT))
    full = rb.dumps(rb.pending_bills(terms, "2026-01-01/2026-12-31"), full=True)

    assert faults("BillingResult", full)


def test_cash_rounding_comes_with_what_is_to_be_paid() -> None:
    """One without the other is not what is written (A52)."""
    policy = rb.BillingPolicy(cash_rounding={"DKK": Decimal("0.50")})
    terms = rb.loads(json.dumps(RENT))
    bill = json.loads(rb.dumps(rb.pending_bills(terms, "2026-01-01/2026-01-31", policy=policy)[0]))
    del bill["payable"]

    assert faults("PendingBill", json.dumps(bill))


def test_adjustments_as_written_are_valid_in_both_forms() -> None:
    """What is ours stands in the full form alone (A56)."""
    index = octobers("100", "101.0", "103")
    made = rb.rent_adjustments(lease(by_index(most="0.01")), "2021-01-01/2022-12-31", indices=index)
    result = rb.AdjustmentResult(
        made, (rb.Notice("a", "A.", "item", (("at", "1"),)), rb.Notice("b", "B."))
    )
    plain, full = rb.dumps(result), rb.dumps(result, full=True)

    assert 2 == len(result)
    assert [] == faults("AdjustmentResult", plain)
    assert [] == faults("AdjustmentResultFull", full)
    assert faults("AdjustmentResult", full)
    assert faults("AdjustmentResult", rb.dumps(result[0]))
    assert faults("AdjustmentResultFull", plain)
    (only_notices,) = faults("AdjustmentResult", f'{{"notices": [], {plain[1:]}')
    assert "notices" in only_notices
    for each in result:
        assert [] == faults("RentAdjustment", rb.dumps(each, full=True))


SERIES = {"name": "NPI", "values": {"2021-04": 104.8, "2021-Q2": "105.1", "2021": 105}}


@rows(
    "changes",
    [
        {"name": " "},
        {"name": 5},
        {"base": ""},
        {"kind": "index"},
        {"values": None},
        {"values": {"2021-13": 1}},
        {"values": {"2021-Q5": 1}},
        {"values": {"0000": 1}},
        {"values": {"2021": 0}},
        {"values": {"2021": "104,8"}},
        {"values": {"2021": True}},
        {"values": {"2021": 10.5}, "kind": "change"},
        {"values": {"2021": -1.5}, "kind": "change"},
        {"values": {"2021-04": -1}, "kind": "monthly_change"},
        {"values": {"2021-04": 10.5}, "kind": "monthly_change"},
        {"values": {"2021": 0.01}, "kind": "monthly_change"},
        {"values": {"2021-04": 0.01}, "kind": "monthly_change", "base": "b"},
        {"known": {"2021": "May 2021"}},
        {"provisional": "2021"},
        {"assumed": ["2021-00"]},
        {"unit": "month"},
    ],
)
def test_schema_and_reader_refuse_the_same_series(changes: dict[str, Any]) -> None:
    """A series with values of nothing, in percent, or at no point (A41)."""
    text = json.dumps({**SERIES, **changes})
    with pytest.raises(rb.InvalidInputError):
        rb.loads(text, rb.IndexSeries)

    assert faults("IndexSeries", text)


@rows(
    "changes",
    [
        {},
        {"base": None, "kind": None, "known": None, "source": None},
        {"kind": "level", "base": "2015=100", "source": "Statistics Denmark"},
        {"kind": "change", "values": {"2021": -1, "2022": 10, "2023": 0, "2024": -0.005}},
        {"kind": "monthly_change", "values": {"2021-04": -0.99, "2021-05": 10}, "base": None},
        {"known": {"2021-04": "2021-05-10"}, "provisional": ["2021-Q2"], "assumed": ["2021"]},
    ],
)
def test_schema_and_reader_accept_the_same_series(changes: dict[str, Any]) -> None:
    """As it is given and as it is written again (A41)."""
    text = json.dumps({**SERIES, **changes})
    series = rb.loads(text, rb.IndexSeries)

    assert [] == faults("IndexSeries", text)
    assert [] == faults("IndexSeries", rb.dumps(series))


WRONG_RECORDS: tuple[tuple[str, object], ...] = (
    ("BillingCycle", {}),
    ("BillingCycle", {**CYCLE, "timeUnit": "Moon"}),
    ("BillingCycle", {**CYCLE, "timeUnit": 1}),
    ("BillingCycle", {**CYCLE, "periodLength": 0}),
    ("BillingCycle", {**CYCLE, "periodLength": 1201}),
    ("BillingCycle", {**CYCLE, "periodLength": 1.5}),
    ("BillingCycle", {**CYCLE, "start": 13}),
    ("BillingCycle", {**CYCLE, "startDay": 32}),
    ("BillingCycle", {**CYCLE, "unit": "Month"}),
    ("BillingCycle", ["Month"]),
    ("DueDateRule", {"dayOfPeriod": 0}),
    ("DueDateRule", {"dayOfPeriod": 36_526}),
    ("DueDateRule", {"dayOfPeriod": -36_526}),
    ("DueDateRule", {"dayOfPeriod": True}),
    ("DueDateRule", {"relativeTo": "middle"}),
    ("Discount", {"percentage": 10}),
    ("Discount", {"percentage": "0.10"}),
    ("Discount", {"percentage": 0.10, "endDate": "31.12.2026"}),
    ("AmountRecord", {"value": 8500, "start": "2026-01-01"}),
    ("AmountRecord", {"value": AMOUNT}),
    ("AmountRecord", {"value": {"currency": "DKK"}, "start": "2026-01-01"}),
    ("AmountRecord", {"value": {**AMOUNT, "unit": "m2"}, "start": "2026-01-01"}),
    ("AmountRecord", {"value": {**AMOUNT, "currency": ""}, "start": "2026-01-01"}),
    ("VatRecord", {"value": {"taxMode": "Exclusive"}, "start": "2026-01-01"}),
    ("VatRecord", {"value": {"taxMode": "Inclusive", "taxRate": None}, "start": "2026-01-01"}),
    ("VatRecord", {"value": {"taxMode": "Exclusive", "taxRate": 25}, "start": "2026-01-01"}),
    ("VatRecord", {"value": {"taxMode": "Zero", "taxRate": 0}, "start": "2026-01-01"}),
    ("QuantityRecord", {"value": 0, "start": "2026-01-01"}),
    ("DescriptionRecord", {"value": 5, "start": "2026-01-01"}),
    ("RecurringBillItem", {}),
    ("RecurringBillItem", with_changes(RENT, {"productKey": ""})),
    ("RecurringBillItem", with_changes(RENT, {"quantity": 0})),
    ("RecurringBillItem", with_changes(RENT, {"startedOn": "2026-01-01T00:00:00Z"})),
    ("RecurringBillItem", with_changes(RENT, {"dueDateRule": {"dayOfPeriod": 0}})),
    ("RecurringBillItem", with_changes(RENT, {"amountRecords": {}})),
    ("RecurringBillItem", with_changes(RENT, {"rabat": 0.10})),
    ("LeaseTerms", {"leaseId": 7}),
    ("LeaseTerms", {"recurringBillItems": [{}]}),
    ("LeaseTerms", {"balances": [{}]}),
    ("LeaseTerms", {"rentAdjustmentPlans": {}}),
    ("LeaseTerms", {"rentAdjustmentPlans": [{"rentAdjustmentRules": [{}]}]}),
    ("LeaseTerms", {"rentAdjustmentPlans": [{"adjustments": [{}]}]}),
    ("Balance", {"amount": DKK}),
    ("Increment", {**STEP, "recurrence": "Yearly"}),
    ("AdjustmentEffect", {"reasons": "maximum"}),
)


@rows(("name", "data"), WRONG_RECORDS)
def test_schema_and_reader_refuse_the_same(name: str, data: object) -> None:
    text = json.dumps(data)
    with pytest.raises(rb.RentBillingError):
        rb.loads(text, RECORD_KINDS[name])

    assert faults(name, text)


LEFT_TO_THE_READER: tuple[tuple[str, object], ...] = (
    ("BillingCycle", {**CYCLE, "timeUnit": "Week", "start": 8}),
    ("BillingCycle", {**CYCLE, "timeUnit": "Week", "startDay": 2}),
    ("BillingCycle", {**CYCLE, "timeUnit": "Day", "start": 2}),
    ("Discount", {}),
    ("Discount", {"amount": None, "percentage": None}),
    ("Discount", {"amount": AMOUNT, "percentage": 0.10}),
    ("Increment", {"year": "2027", "percentage": None, "amount": None}),
    ("ChangeLease", {"leaseId": "a", "balances": [], "clear": ["balances"]}),
)


@rows(("name", "data"), LEFT_TO_THE_READER)
def test_what_fields_demand_of_each_other_is_left_to_the_reader(name: str, data: object) -> None:
    """A schema says of each field what it may be; the reader refuses what contradicts itself."""
    text = json.dumps(data)
    with pytest.raises(rb.InvalidInputError):
        rb.loads(text, RECORD_KINDS[name])

    assert [] == faults(name, text)


BETWEEN_FIELDS = frozenset(
    [
        *("contradiction", "currency_mismatch", "duplicate_id", "duplicate_year", "equal_days"),
        *("increments_on_index", "limits_crossed", "limits_on_amounts", "no_increments"),
        *("no_index_month", "one_of_three", "reversed_years", "says_nothing", "unknown_currency"),
        "year_outside",
    ]
)
"""Codes of what several fields, or a policy, have wrong together."""


@rows(
    "row",
    [
        each
        for each in refused_rules("IndexClause", "Increment", "RentAdjustmentRule", "Balance")
        # How much a threshold can be depends on its unit.
        if each.code not in BETWEEN_FIELDS and each.changes != "threshold = 10.5"
    ],
)
def test_schema_and_reader_refuse_the_same_plans_and_rules(row: Row) -> None:
    """What the reader refuses of one field alone (A40)."""
    assert faults(row.record.__name__, row.text)


@rows("row", [row for row in rules() if row.outcome == "accepted"])
def test_schema_and_reader_accept_the_same_rules(row: Row) -> None:
    """Also with null for everything that a clause does not say (A6, A40)."""
    name = row.record.__name__
    assert [] == faults(name, row.text)
    if name == "IndexClause":
        empty = dict.fromkeys(schema_of(name)["properties"])
        assert [] == faults(name, json.dumps({**empty, **json.loads(row.text)}))


@rows(
    ("name", "data"),
    [
        ("Increment", {"year": "2027", "level": DKK, "recurrence": "OneTime"}),
        ("Increment", {"year": "0001", "amount": DKK, "percentage": None, "recurrence": None}),
        ("Increment", {"year": "9999", "percentage": -1, "recurrence": "Recurring"}),
        ("RentAdjustmentRule", {**INDEX, "increments": [], "indexClause": None}),
        ("RentAdjustmentRule", {**INDEX, "increments": None, "firstYear": "2027"}),
        ("RentAdjustmentRule", {**INDEX, "minimumPercentage": -1, "maximumPercentage": 1}),
        ("RentAdjustmentRule", {**INDEX, "adjustmentMonth": 12, "indexMonth": 1.0}),
        ("RentAdjustmentRule", {**INDEX, "indexMonth": None, "indexClause": {"lagMonths": 0}}),
        (
            "RentAdjustmentRule",
            {"adjustmentType": "index", "adjustmentMonth": 7, "indexClause": {"lagMonths": 3}},
        ),
        (
            "RentAdjustmentRule",
            {**INDEX, "indexMonth": None, "indexClause": {"reference": "last_published"}},
        ),
        (
            "RentAdjustmentRule",
            {
                **INDEX,
                "indexMonth": None,
                "indexClause": {"reference": "quarter", "indexQuarter": 2},
            },
        ),
        (
            "RentAdjustmentRule",
            {**INDEX, "maximumPercentage": 0.1, "indexClause": {"limitPer": "year_compound"}},
        ),
        (
            "RentAdjustmentRule",
            {
                "adjustmentType": "Cap",
                "adjustmentMonth": 1,
                "maximumPercentage": 0.035,
                "indexClause": {"combine": "limit"},
            },
        ),
        ("RentAdjustmentRule", {**INDEX, **STEPS, "minimumPercentage": 0, "id": "r"}),
        ("RentAdjustmentRule", {**INDEX, **STEPS, "increments": [{"year": "2027", "amount": DKK}]}),
        ("RentAdjustmentPlan", {}),
        ("RentAdjustmentPlan", {"created": "2026-01-31T12:00:00.5+01:00", "adjustments": None}),
        ("RentAdjustmentPlan", {"adjustsRecurringBillItem": False, "adjustsBalance": True}),
        ("RentAdjustmentPlan", {"adjustsRecurringBillItem": None, "adjustsBalance": None}),
        ("RentAdjustment", {"adjustedOn": "2027-01-01", "year": "2026", "planId": "p"}),
        (
            "AdjustmentEffect",
            {"fromYearMonth": "2026-12", "fromPoint": "2026-q4", "toPoint": "2027"},
        ),
        ("Balance", {"balanceChargeType": "prepaidRent", "amount": DKK, "months": 0.5}),
        ("BillingCycle", {**CYCLE, "startDay": None}),
        ("BillingCycle", {"timeUnit": "Week", "periodLength": 2, "start": 7}),
        ("BillingCycle", {"timeUnit": "Year", "periodLength": 1200, "start": 12, "startDay": 31}),
        ("DueDateRule", {"dayOfPeriod": -31, "relativeTo": "end"}),
        ("DueDateRule", {"dayOfPeriod": 36_525}),
        ("DueDateRule", {"dayOfPeriod": -36_525}),
        ("Discount", {"amount": AMOUNT, "percentage": None, "endDate": None}),
        ("Discount", {"percentage": 1, "description": "Free"}),
        ("VatRecord", {"value": {"taxMode": "Exempt", "taxRate": None}, "start": "2026-01-01"}),
        ("QuantityRecord", {"id": None, "value": -1.5, "start": "2026-01-01"}),
        ("RecurringBillItem", RENT),
        ("RecurringBillItem", with_changes(RENT, {"quantity": 100.5, "endedOn": "2027-02-28"})),
        ("LeaseTerms", {"recurringBillItems": [RENT], "balances": []}),
    ],
)
def test_schema_and_reader_accept_the_same(name: str, data: object) -> None:
    """What the reader accepts as it is written, its schema accepts, too; null is absent (A6)."""
    text = json.dumps(data)
    rb.loads(text, RECORD_KINDS[name])

    assert [] == faults(name, text)


@rows(
    "data",
    [
        [],
        {"version": 2},
        {"rounding": "bankers"},
        {"discountOpening": "yes"},
        {"maxLines": 0},
        {"holidays": ["Christmas"]},
        {"holidays": "2026-12-25"},
        {"currencies": {"XTS": 9}},
        {"cashRounding": {"DKK": 0}},
        {"cashRounding": {"DKK": "0.50"}},
        {"byProduct": {"key:rent": {"partPeriod": "weekly"}}},
        {"byProduct": []},
        {"part_period": "full"},
    ],
)
def test_schema_and_reader_refuse_the_same_policies(data: object) -> None:
    text = json.dumps(data)
    with pytest.raises(rb.InvalidInputError):
        rb.loads(text, rb.BillingPolicy)

    assert faults("BillingPolicy", text)


# One value other than the default for each field, as it stands in JSON.
OTHER_CHOICES: Mapping[str, object] = {
    "rounding": "up",
    "currencies": {"XTS": 3},
    "periodEnd": "excluded",
    "businessDay": "following",
    "holidays": ["2026-12-25"],
    "select": "accounting_period",
    "midPeriodChange": "next_period",
    "partPeriod": "full",
    "discountEnd": "whole_period",
    "discountOpening": True,
    "vatDay": "period_end",
    "vatRounding": "per_line",
    "cashRounding": {"DKK": 0.50},
    "byProduct": {"key:parking": {"partPeriod": "full"}},
    "maxLines": 10,
    "incrementAmount": "per_period",
    "missingIndex": "notice",
    "balanceChange": "once",
}


def test_there_is_another_choice_for_every_field_of_the_policy() -> None:
    assert len(fields(rb.BillingPolicy)) == len(OTHER_CHOICES)


@rows("name", OTHER_CHOICES)
def test_every_field_of_the_policy_is_in_its_schema(name: str) -> None:
    """A choice that the reader reads, the schema knows; so is null, which is no choice (A6)."""
    for value in (OTHER_CHOICES[name], None):
        text = json.dumps({"version": 1, name: value})
        rb.loads(text, rb.BillingPolicy)

        assert [] == faults("BillingPolicy", text)


@rows("name", OTHER_CHOICES)
def test_a_product_s_own_policy_has_the_fields_of_its_lines(name: str) -> None:
    """What belongs to the whole bill is refused in it by both, the rest accepted by both (A54)."""
    text = json.dumps({"byProduct": {"key:rent": {name: OTHER_CHOICES[name]}}})
    try:
        rb.loads(text, rb.BillingPolicy)
    except rb.InvalidInputError:
        refused = True
    else:
        refused = False

    assert refused is bool(faults("BillingPolicy", text))


def test_a_policy_with_holidays_is_written_as_its_schema_says() -> None:
    policy = rb.BillingPolicy(holidays=frozenset({date(2026, 12, 25), date(2026, 12, 26)}))

    assert [] == faults("BillingPolicy", rb.dumps(policy))
