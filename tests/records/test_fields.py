"""How values of a payload are read: as what they say or not at all, with paths as spelled."""

from collections.abc import Mapping
from datetime import UTC, date, datetime
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import pytest
from pydantic import BaseModel, TypeAdapter, ValidationError

import rentbilling as rb
from rentbilling.records import (
    AmountField,
    CalendarMonthField,
    DateField,
    DateTimeField,
    FlagField,
    IdField,
    NumberField,
    PeriodField,
    PointField,
    RecurrenceField,
    TextField,
    TimeUnitField,
    VatField,
    WholeField,
    YearField,
    YearMonthField,
)
from rentbilling.records.messages import error_from
from tests.support.refusals import faults
from tests.support.rents import amount, fee, rent, vat
from tests.support.rows import rows

PRIVATE = {"currencies": {"PTS": 1}}
JANUARY = rb.Period(date(2026, 1, 1), date(2026, 1, 31))
FEE: dict[str, Any] = {
    "productKey": "key:fee",
    "amount": {"currency": "DKK", "amount": 100},
    "vat": {"taxMode": "Exempt"},
    "dueDate": "2026-02-01",
    "accountingPeriod": "2026-02-01/2026-02-28",
}


def read(kind: Any, value: object, context: object = None) -> Any:  # noqa: ANN401
    return TypeAdapter(kind).validate_python(value, context=context)


def problems(kind: object, value: object, context: object = None) -> list[tuple[str, str, str]]:
    with pytest.raises(ValidationError) as caught:
        read(kind, value, context)
    return told(error_from(caught.value, value))


def told(error: rb.InvalidInputError) -> list[tuple[str, str, str]]:
    return [(each.path, each.code, each.met) for each in error.problems]


def refusal(kind: type[BaseModel], data: object) -> list[tuple[str, str]]:
    return faults(lambda: kind.model_validate(data))


def test_an_amount_may_have_a_private_currency_that_the_reader_was_given() -> None:
    """Codes of `policy.currencies` are known beside ISO 4217, and to nobody else (A2)."""
    points = {"currency": "PTS", "amount": 5}
    met = read(AmountField, points, PRIVATE)

    assert (Decimal(5), "PTS") == (met.amount, met.currency)
    strangers: tuple[object, ...] = (None, {}, {"currencies": {}})
    for context in strangers:
        assert [("currency", "unknown_currency", "'PTS'")] == problems(AmountField, points, context)


JUDGED: list[tuple[Any, object, list[tuple[str, str, str]]]] = [
    (AmountField, 8500, [("", "not_an_object", "8500")]),
    (AmountField, {"currency": "DKK"}, [("amount", "missing", "nothing")]),
    (AmountField, {"amount": 8500}, [("currency", "missing", "nothing")]),
    (AmountField, {}, [("currency", "missing", "nothing"), ("amount", "missing", "nothing")]),
    (AmountField, {"currency": 208, "amount": 1}, [("currency", "not_a_text", "208")]),
    (AmountField, {"currency": "dkk", "amount": 1}, [("currency", "unknown_currency", "'dkk'")]),
    (AmountField, {"currency": "DKK", "amount": True}, [("amount", "not_a_number", "True")]),
    (AmountField, {"currency": "DKK", "amount": "1"}, [("amount", "not_a_number", "'1'")]),
    (
        AmountField,
        {"currency": "DKK", "amount": 1, "unit": "m2", "per": 3},
        [("unit", "unknown_field", "'m2'"), ("per", "unknown_field", "3")],
    ),
    (
        AmountField,
        {"currency": "kr", "amount": "much"},
        [("currency", "unknown_currency", "'kr'"), ("amount", "not_a_number", "'much'")],
    ),
    # 0.25 means 25 percent; float noise is no rate (A1, A5, A27).
    (VatField, 0.25, [("", "not_an_object", "0.25")]),
    (VatField, {"taxMode": "Exclusive", "taxRate": 25}, [("taxRate", "out_of_range", "25")]),
    (
        VatField,
        {"taxMode": "Exclusive", "taxRate": 0.1 + 0.2},
        [("taxRate", "too_many_digits", "0.30000000000000004")],
    ),
    (
        VatField,
        {"taxMode": "VAT", "taxRate": True},
        [("taxMode", "unknown_tax_mode", "'VAT'"), ("taxRate", "not_a_number", "True")],
    ),
    (
        VatField,
        {"taxMode": "Exclusive", "rate": Decimal("0.25")},
        [("rate", "unknown_field", "0.25")],
    ),
    (
        VatField,
        {"taxMode": "Exempt", "tax_mode": "Exclusive"},
        [("tax_mode", "unknown_field", "'Exclusive'")],
    ),
    # Where a value is required, null is told as what is missing (A6).
    *((kind, None, [("", "missing", "nothing")]) for kind in (AmountField, VatField)),
]


@rows(("kind", "given", "found"), JUDGED)
def test_both_parts_of_an_amount_or_a_vat_are_judged(
    kind: object, given: object, found: list[tuple[str, str, str]]
) -> None:
    """Every problem is named at once, with the value met (A1, A2)."""
    assert found == problems(kind, given)


@rows(
    ("kind", "given", "read_as"),
    [
        # A binary number counts as the decimal it prints as (A1).
        *(
            (AmountField, given, amount("8500.10"))
            for given in (
                amount("8500.10"),
                {"currency": "DKK", "amount": Decimal("8500.10")},
                MappingProxyType({"currency": "DKK", "amount": Decimal("8500.10")}),
                {"currency": "DKK", "amount": 8500.1},
            )
        ),
        # Modes in any case, rates as numbers, in either spelling (A27, A28).
        *(
            (VatField, given, vat("Exclusive", "0.25"))
            for given in (
                vat("Exclusive", "0.25"),
                {"taxMode": "exclusive", "taxRate": Decimal("0.25")},
                {"tax_mode": "Exclusive", "tax_rate": Decimal("0.250")},
                MappingProxyType({"taxMode": "Exclusive", "taxRate": 0.25}),
            )
        ),
        # Both ends included (A4).
        *((PeriodField, given, JANUARY) for given in (JANUARY, "2026-01-01/2026-01-31")),
        # 1.0 is 1 (A7).
        *((WholeField, given, 1) for given in (1, Decimal(1), Decimal("1.00"), 1.0)),
        (WholeField, 999_999_999_999_999, 999_999_999_999_999),
        # The word of the interface, in any case (A7).
        *((TimeUnitField, word, word.title()) for word in ("Week", "dAy", "YEAR")),
        (CalendarMonthField, 12, 12),
        (CalendarMonthField, Decimal("1.0"), 1),
        (DateTimeField, "2026-01-31T12:00:00Z", datetime(2026, 1, 31, 12, tzinfo=UTC)),
        (DateTimeField, "2026-01-31T12:00Z", datetime(2026, 1, 31, 12, tzinfo=UTC)),
        (DateTimeField, datetime(2026, 1, 31, tzinfo=UTC), datetime(2026, 1, 31, tzinfo=UTC)),
        (FlagField, True, True),
        (FlagField, False, False),
        (PointField, "2026-q1", rb.IndexPoint.parse("2026-Q1")),
        (PointField, rb.YearMonth(2026, 1), rb.IndexPoint.month(2026, 1)),
        (RecurrenceField, "ONETIME", "OneTime"),
        (RecurrenceField, "recurring", "Recurring"),
        (YearField, "2026", "2026"),
        (YearField, "0001", "0001"),
        (YearField, 2026, "2026"),
        (YearField, 1000, "1000"),
        (YearField, 9999, "9999"),
        (YearMonthField, "2026-01", rb.YearMonth(2026, 1)),
        (YearMonthField, rb.YearMonth(2026, 1), rb.YearMonth(2026, 1)),
    ],
)
def test_a_value_is_read_as_what_it_says(
    kind: Any,  # noqa: ANN401
    given: object,
    read_as: object,
) -> None:
    """Each becomes a value of one kind, however it may be written (A31, A36, A58)."""
    met = read(kind, given)

    assert (read_as, type(read_as)) == (met, type(met))


@rows(
    ("kind", "given", "code"),
    [
        # `true` is no number, a text or a ratio is none either, and 1.5 is not cut (A1, A7).
        *(
            (WholeField, given, "not_a_whole_number")
            for given in (Decimal("1.5"), 0.5, 10**15, True, None, "1", [1])
        ),
        *((WholeField, given, "not_finite") for given in (Decimal("NaN"), float("inf"))),
        (WholeField, Decimal("1E+999999"), "too_many_digits"),
        (WholeField, Fraction(2, 2), "not_a_number"),
        *(
            (TimeUnitField, given, "unknown_time_unit")
            for given in ("Moon", "", 1, None, ["Month"])
        ),
        (CalendarMonthField, 13, "out_of_range"),
        (CalendarMonthField, 0, "out_of_range"),
        (CalendarMonthField, "1", "not_a_whole_number"),
        (CalendarMonthField, True, "not_a_whole_number"),
        (DateTimeField, "2026-01-31T12:00:00", "not_a_date_time"),
        (DateTimeField, "2026-01-31T24:00:00Z", "not_a_date_time"),
        (DateTimeField, "2026-02-29T12:00:00Z", "not_a_date_time"),
        (DateTimeField, "20260131T120000Z", "not_a_date_time"),
        (DateTimeField, "2026-01-31t12:00:00z", "not_a_date_time"),
        (DateTimeField, date(2026, 1, 31), "not_a_date_time"),
        (DateTimeField, 0, "not_a_date_time"),
        (FlagField, 1, "wrong_value"),
        (FlagField, 0, "wrong_value"),
        (FlagField, "true", "wrong_value"),
        (FlagField, "off", "wrong_value"),
        (FlagField, None, "wrong_value"),
        (PointField, 2026, "not_an_index_point"),
        (RecurrenceField, "Once", "unknown_recurrence"),
        (RecurrenceField, None, "unknown_recurrence"),
        (YearField, 999, "not_a_year"),
        (YearField, 10_000, "not_a_year"),
        (YearField, "0000", "not_a_year"),
        (YearField, "2026 ", "not_a_year"),
        (YearField, "\u0662\u0660\u0662\u0666", "not_a_year"),
        (YearField, Decimal(2026), "not_a_year"),
        (YearField, True, "not_a_year"),
        (YearMonthField, "2026-13", "not_a_year_month"),
        (YearMonthField, "2026", "not_a_year_month"),
        (YearMonthField, rb.IndexPoint.month(2026, 1), "not_a_year_month"),
        (TextField, 5, "not_a_text"),
        (IdField, "", "empty_text"),
        (IdField, 5, "not_a_text"),
        (IdField, "\ud800", "not_a_text"),
        (NumberField, "5", "not_a_number"),
        (DateField, datetime(2026, 1, 1, tzinfo=UTC), "date_time_for_date"),
        (DateField, 0, "not_a_date"),
        (dict[str, int], 5, "not_an_object"),
        (tuple[int, ...], 5, "not_a_list"),
    ],
)
def test_a_value_is_never_coerced(kind: object, given: object, code: str) -> None:
    ((path, found, _),) = problems(kind, given)

    assert ("", code) == (path, found)


@rows("kind", [YearField, YearMonthField, PointField, DateTimeField])
def test_a_number_too_long_to_be_written_is_refused_like_others(kind: object) -> None:
    """Python itself refuses to write one of 5,001 digits."""
    ((path, _, met),) = problems(kind, 10**5000)

    # 5,001 digits are 16,610 bits, of which 3 in 10 are counted.
    assert ("", "an integer of about 4983 digits") == (path, met)


def test_what_we_have_no_words_for_is_passed_on() -> None:
    with pytest.raises(ValidationError) as caught:
        read(int, "five")
    (problem,) = error_from(caught.value, "five").problems

    assert ("int_parsing", "'five'", "another value") == (
        problem.code,
        problem.met,
        problem.expected,
    )


def test_missing_keywords_are_named_as_in_python() -> None:
    with pytest.raises(rb.InvalidInputError) as caught:
        rb.OneTimeBillItem(
            product_key="key:fee", amount=amount("1"), vat=rb.Vat("Exempt"), quantity=Decimal(0)
        )  # type: ignore[call-arg] # pyright: ignore[reportCallIssue]

    assert [
        ("due_date", "missing", "nothing"),
        ("accounting_period", "missing", "nothing"),
        ("quantity", "zero_quantity", "0"),
    ] == told(caught.value)


@rows(
    ("data", "found"),
    [
        ({**FEE, "color": "red"}, [("color", "unknown_field")]),
        ({**FEE, "quantity": 0}, [("quantity", "zero_quantity")]),
        (
            {**FEE, "dueDate": 0, "quantity": 0},
            [("dueDate", "not_a_date"), ("quantity", "zero_quantity")],
        ),
        ({**FEE, "vat": {"taxMode": "Exclusive"}}, [("vat.taxRate", "missing_rate")]),
        ({**FEE, "vat": {"taxRate": 0}}, [("vat.taxMode", "missing")]),
        ({**FEE, "vat": {"tax_mode": "Exclusive"}}, [("vat.tax_rate", "missing_rate")]),
        ([], [("", "not_an_object")]),
        ("fee", [("", "not_an_object")]),
    ],
)
def test_problems_stand_at_the_path_that_the_caller_wrote(
    data: object, found: list[tuple[str, str]]
) -> None:
    assert found == refusal(rb.OneTimeBillItem, data)


def test_snake_case_payloads_have_snake_case_paths() -> None:
    item = {
        "product_key": "key:fee",
        "amount": {"currency": "DKK", "amount": 1},
        "vat": {"taxMode": "Exclusive"},
        "due_date": 0,
        "accounting_period": "2026-02-01/2026-02-28",
    }

    assert [
        ("one_time_bill_items[0].vat.taxRate", "missing_rate"),
        ("one_time_bill_items[0].due_date", "not_a_date"),
    ] == refusal(rb.LeaseTerms, {"one_time_bill_items": [item]})


def test_a_misfit_among_records_made_before_has_a_path_too() -> None:
    with pytest.raises(rb.InvalidInputError) as caught:
        rb.LeaseTerms(currency="EUR", one_time_bill_items=(fee(),))

    assert [("one_time_bill_items[0].amount.currency", "currency_mismatch", "'DKK'")] == told(
        caught.value
    )


def test_sets_have_no_places() -> None:
    assert [("recurring_bill_items", "not_a_list")] == [
        (each.path, each.code)
        for each in _problems_of({"recurring_bill_items": {"a": 1}, "lease_id": "a"})
    ]


def _problems_of(fields: Mapping[str, Any]) -> Any:  # noqa: ANN401
    with pytest.raises(rb.InvalidInputError) as caught:
        rb.LeaseTerms(**fields)
    return caught.value.problems


def test_misfits_are_found_beside_fields_that_cannot_be_read() -> None:
    with pytest.raises(rb.InvalidInputError) as caught:
        rent(id="", started_on=date(2026, 1, 16))

    assert {("id", "empty_text"), ("started_on", "started_after_opening_due_date")} == {
        (each.path, each.code) for each in caught.value.problems
    }


def test_a_problem_in_a_text_that_pydantic_reads_is_named_as_on_the_wire() -> None:
    assert [("vat.taxRate", "missing_rate"), ("dueDate", "not_a_date")] == faults(
        lambda: rb.OneTimeBillItem.model_validate_json(
            '{"productKey": "key:fee", "amount": {"currency": "DKK", "amount": 1}, "vat": '
            '{"taxMode": "Exclusive"}, "dueDate": "2026-02-30", '
            '"accountingPeriod": "2026-02-01/2026-02-28"}'
        )
    )


def test_an_attribute_of_a_record_is_spelled_as_in_python() -> None:
    data = {"recurring_bill_items": [rent(id="a"), rent(id="a")]}

    assert [("recurring_bill_items[1].id", "duplicate_id")] == refusal(rb.LeaseTerms, data)


def test_a_field_of_a_record_made_before_is_found_by_its_attributes() -> None:
    data = {"currency": "DKK", "recurringBillItems": [rent("1.00 EUR", **_euros())]}

    assert [("recurringBillItems[0].amount.currency", "currency_mismatch")] == refusal(
        rb.LeaseTerms, data
    )


def _euros() -> dict[str, Any]:
    first = rent().first_billing_period_bill_item
    return {"first_billing_period_bill_item": first.evolve(amount=rb.Amount(1, "EUR"))}


def test_a_recurring_item_is_no_one_time_item() -> None:
    assert [("", "not_an_object")] == refusal(rb.RecurringBillItem, fee())
