"""In Python the text of a number is one, and "3%" a rate; in JSON a number is no text (A1)."""

import json
from decimal import Decimal
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

import rentbilling as rb
from rentbilling.portfolio import bill_portfolio
from rentbilling.records import Record
from rentbilling.terms import AdjustmentEffect, Balance
from rentbilling.testing import a_lease, a_rent
from tests.support.refusals import faults
from tests.support.rows import rows

DAY = {"start": "2026-01-01"}
RULE = {"adjustment_type": "Index", "adjustment_month": 1, "index_month": 10}
DKK: dict[str, Any] = {"currency": "DKK"}
DEPOSIT = {"balance_charge_type": "deposit", "amount": {**DKK, "amount": 1}}

Row = tuple[type[Record], dict[str, Any], str, object, str]
"""A record, its other fields, a field, its value as a text, and the number as it is read."""

ROWS: list[Row] = [
    (rb.Discount, {}, "percentage", "10%", "0.10"),
    (rb.Discount, {}, "percentage", "6.25 %", "0.0625"),
    (rb.Discount, {}, "percentage", "0.1", "0.1"),
    (rb.Discount, {}, "amount", {**DKK, "amount": "3.50"}, "3.50"),
    (rb.QuantityRecord, DAY, "value", "2.5", "2.5"),
    (rb.AmountRecord, DAY, "value", {**DKK, "amount": "8500.00"}, "8500.00"),
    (rb.VatRecord, DAY, "value", {"taxMode": "Exclusive", "taxRate": "0.25"}, "0.25"),
    (rb.VatRecord, DAY, "value", {"taxMode": "Exclusive", "taxRate": "25%"}, "0.25"),
    (rb.RentAdjustmentRule, RULE, "maximum_percentage", "4%", "0.04"),
    (rb.RentAdjustmentRule, RULE, "minimum_percentage", "0", "0"),
    (rb.Increment, {"year": "2027", "recurrence": "OneTime"}, "percentage", "3%", "0.03"),
    (rb.IndexClause, {}, "share", "50%", "0.50"),
    (rb.IndexClause, {"threshold_unit": "points"}, "threshold", "3", "3"),
    (rb.IndexClause, {}, "amount_quantum", "0.05", "0.05"),
    (AdjustmentEffect, {}, "calculated_percentage", "2%", "0.02"),
    (AdjustmentEffect, {}, "to_index", "117.7", "117.7"),
    (Balance, DEPOSIT, "months", "3", "3"),
]


def named(value: object) -> str:
    return value.__name__ if isinstance(value, type) else str(value)


def number_in(value: Any) -> str:  # noqa: ANN401 - a number, amount or VAT
    return str(getattr(value, "amount", getattr(value, "tax_rate", value)))


@rows(("kind", "others", "name", "text", "number"), ROWS)
def test_python_reads_texts_where_json_has_numbers(
    kind: type[Record], others: dict[str, Any], name: str, text: object, number: str
) -> None:
    data = {**others, name: text}

    for made in (kind(**data), kind.model_validate(data)):
        assert number == number_in(getattr(made, name))
        assert made == rb.loads(rb.dumps(made), kind)


@rows(("kind", "others", "name", "text", "number"), ROWS)
def test_json_does_not(
    kind: type[Record], others: dict[str, Any], name: str, text: object, number: str
) -> None:
    """Nor what pydantic reads for others, such as the body of a request."""
    del number
    written = json.dumps({**others, name: text})

    for read in (rb.loads, lambda given, into: into.model_validate_json(given)):
        with pytest.raises(rb.InvalidInputError) as refused:
            read(written, kind)
        assert "not_a_number" in {problem.code for problem in refused.value.problems}
    with pytest.raises(ValidationError, match="is not a number"):
        TypeAdapter(kind).validate_python({**others, name: text})


@rows(
    ("kind", "others", "name", "wrong", "expected"),
    [
        (rb.RecurringBillItem, dict(a_rent()), "quantity", "two", "a number such as 2.5"),
        (rb.RecurringBillItem, dict(a_rent()), "quantity", "2%", "a number such as 2.5"),
        (rb.RecurringBillItem, dict(a_rent()), "quantity", "2,5", "a number such as 2.5"),
        (Balance, DEPOSIT, "months", "", "a number such as 8500.00"),
        (rb.Discount, {}, "percentage", "ten", "a fraction such as 0.03, or a text such as '3%'"),
        (rb.Discount, {}, "percentage", True, "a number such as 0.03"),
    ],
)
def test_a_text_that_is_no_number_is_refused_with_what_to_write(
    kind: type[Record], others: dict[str, Any], name: str, wrong: object, expected: str
) -> None:
    with pytest.raises(rb.InvalidInputError) as refused:
        kind(**{**others, name: wrong})

    assert [(name, "not_a_number", expected)] == [
        (each.path, each.code, each.expected) for each in refused.value.problems
    ]


@rows(("text", "path"), [("150%", "percentage"), ("3", "percentage"), ("-1%", "percentage")])
def test_bounds_hold_for_texts(text: str, path: str) -> None:
    data: Any = {"percentage": text}

    assert [(path, "out_of_range")] == faults(lambda: rb.Discount(**data))


def test_floats_are_read_by_their_shortest_text() -> None:
    assert (Decimal("0.1"), Decimal("2.5")) == (
        rb.Discount.model_validate({"percentage": 0.1}).percentage,
        a_rent().evolve(quantity=2.5).quantity,
    )


def test_a_portfolio_reads_the_dicts_of_python() -> None:
    lease = json.loads(rb.dumps(a_lease(a_rent(quantity=2))))
    lease["recurringBillItems"][0] |= {"quantity": "2", "amount": {**DKK, "amount": "8500.00"}}
    run = bill_portfolio([lease], "2026-03")

    run.to_tables()

    assert "17000.00 DKK" in str(run.summary)
