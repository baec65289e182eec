"""How values of a payload are read: as what they say or not at all, with paths as spelled."""

from collections.abc import Mapping
from datetime import UTC, date, datetime
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import pytest
from pydantic import BaseModel, TypeAdapter, ValidationError

from rentbilling import (
    Amount,
    IndexPoint,
    InvalidInputError,
    LeaseTerms,
    OneTimeBillItem,
    Period,
    RecurringBillItem,
    Vat,
    YearMonth,
)
from rentbilling.records import (
    AmountField,
    CalendarMonthField,
    CurrencyField,
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

PRIVATE = {"currencies": {"PTS": 1}}
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
    """Return path, code and value met of everything that is wrong with a value."""
    with pytest.raises(ValidationError) as caught:
        read(kind, value, context)
    return told(error_from(caught.value, value))


def told(error: InvalidInputError) -> list[tuple[str, str, str]]:
    return [(each.path, each.code, each.met) for each in error.problems]


def refusal(kind: type[BaseModel], data: object) -> list[tuple[str, str]]:
    """Return path and code of everything that is wrong with a record's payload."""
    return faults(lambda: kind.model_validate(data))


@pytest.mark.parametrize(
    "given",
    [
        amount("8500.10"),
        {"currency": "DKK", "amount": Decimal("8500.10")},
        MappingProxyType({"currency": "DKK", "amount": Decimal("8500.10")}),
        {"currency": "DKK", "amount": 8500.1},
    ],
)
def test_an_amount_is_read_from_itself_or_an_object(given: object) -> None:
    """A binary number counts as the decimal it prints as (A1)."""
    assert amount("8500.10") == read(AmountField, given)


def test_an_amount_may_have_a_private_currency_that_the_reader_was_given() -> None:
    """Codes of `policy.currencies` are known beside ISO 4217 (A2)."""
    met = read(AmountField, {"currency": "PTS", "amount": 5}, PRIVATE)

    assert (Decimal(5), "PTS") == (met.amount, met.currency)


@pytest.mark.parametrize("context", [None, {}, {"currencies": {}}])
def test_a_private_currency_is_unknown_to_everybody_else(context: object) -> None:
    """Without the policy the code is refused by name (A2)."""
    assert [("currency", "unknown_currency", "'PTS'")] == problems(
        AmountField, {"currency": "PTS", "amount": 5}, context
    )


@pytest.mark.parametrize(
    ("given", "found"),
    [
        (8500, [("", "not_an_object", "8500")]),
        ({"currency": "DKK"}, [("amount", "missing", "nothing")]),
        ({"amount": 8500}, [("currency", "missing", "nothing")]),
        ({}, [("currency", "missing", "nothing"), ("amount", "missing", "nothing")]),
        ({"currency": 208, "amount": 1}, [("currency", "not_a_text", "208")]),
        ({"currency": "dkk", "amount": 1}, [("currency", "unknown_currency", "'dkk'")]),
        ({"currency": "DKK", "amount": True}, [("amount", "not_a_number", "True")]),
        ({"currency": "DKK", "amount": "1"}, [("amount", "not_a_number", "'1'")]),
        (
            {"currency": "DKK", "amount": 1, "unit": "m2", "per": 3},
            [("unit", "unknown_field", "'m2'"), ("per", "unknown_field", "3")],
        ),
        (
            {"currency": "kr", "amount": "much"},
            [("currency", "unknown_currency", "'kr'"), ("amount", "not_a_number", "'much'")],
        ),
    ],
)
def test_both_parts_of_an_amount_are_judged(
    given: object, found: list[tuple[str, str, str]]
) -> None:
    """Every problem is named at once, with the value met (A1, A2)."""
    assert found == problems(AmountField, given)


@pytest.mark.parametrize("code", ["DKK", "JPY"])
def test_a_currency_is_a_code(code: str) -> None:
    """Three capital letters of ISO 4217 (A2)."""
    assert code == read(CurrencyField, code)


@pytest.mark.parametrize(
    "given",
    [
        vat("Exclusive", "0.25"),
        {"taxMode": "exclusive", "taxRate": Decimal("0.25")},
        {"tax_mode": "Exclusive", "tax_rate": Decimal("0.250")},
        MappingProxyType({"taxMode": "Exclusive", "taxRate": 0.25}),
    ],
)
def test_a_vat_is_read_from_itself_or_an_object_in_either_spelling(given: object) -> None:
    """Modes in any case, rates as numbers (A27, A28)."""
    assert vat("Exclusive", "0.25") == read(VatField, given)


@pytest.mark.parametrize(
    ("given", "found"),
    [
        (0.25, [("", "not_an_object", "0.25")]),
        ({"taxMode": "Exclusive", "taxRate": 25}, [("taxRate", "out_of_range", "25")]),
        (
            {"taxMode": "Exclusive", "taxRate": 0.1 + 0.2},
            [("taxRate", "too_many_digits", "0.30000000000000004")],
        ),
        (
            {"taxMode": "VAT", "taxRate": True},
            [("taxMode", "unknown_tax_mode", "'VAT'"), ("taxRate", "not_a_number", "True")],
        ),
        (
            {"taxMode": "Exclusive", "rate": Decimal("0.25")},
            [("rate", "unknown_field", "0.25")],
        ),
    ],
)
def test_both_parts_of_a_vat_are_judged(given: object, found: list[tuple[str, str, str]]) -> None:
    """0.25 means 25 percent; float noise is no rate (A1, A5, A27)."""
    assert found == problems(VatField, given)


def test_a_spelling_given_beside_the_wire_name_is_unknown() -> None:
    given = {"taxMode": "Exempt", "tax_mode": "Exclusive"}

    assert [("tax_mode", "unknown_field", "'Exclusive'")] == problems(VatField, given)


def test_a_period_is_read_from_itself_or_its_text() -> None:
    """Both ends included (A4)."""
    january = Period(date(2026, 1, 1), date(2026, 1, 31))

    assert [january, january] == [
        read(PeriodField, january),
        read(PeriodField, "2026-01-01/2026-01-31"),
    ]


def test_a_half_open_period_is_read_where_the_service_writes_it() -> None:
    """The context says how the end is meant (A4)."""
    assert "2026-01-01/2026-01-31" == str(
        read(PeriodField, "2026-01-01/2026-02-01", {"period_end": "excluded"})
    )


@pytest.mark.parametrize(
    "given", [1, Decimal(1), Decimal("1.00"), 1.0, Fraction(2, 2), 999_999_999_999_999]
)
def test_a_whole_number_may_come_as_any_exact_number(given: Any) -> None:  # noqa: ANN401
    """1.0 is 1 (A7); a ratio is no number that JSON has."""
    if isinstance(given, Fraction):
        assert [("", "not_a_number", "Fraction(1, 1)")] == problems(WholeField, given)
    else:
        assert given == read(WholeField, given)


@pytest.mark.parametrize(
    ("given", "code"),
    [
        (Decimal("1.5"), "not_a_whole_number"),
        (0.5, "not_a_whole_number"),
        (10**15, "not_a_whole_number"),
        (True, "not_a_whole_number"),
        (None, "not_a_whole_number"),
        ("1", "not_a_whole_number"),
        ([1], "not_a_whole_number"),
        (Decimal("NaN"), "not_finite"),
        (float("inf"), "not_finite"),
        (Decimal("1E+999999"), "too_many_digits"),
    ],
)
def test_what_is_no_whole_number_is_not_made_one(given: object, code: str) -> None:
    """`true` is no number, a text is none either, and 1.5 is not cut (A1, A7)."""
    ((path, found, _),) = problems(WholeField, given)

    assert ("", code) == (path, found)


@pytest.mark.parametrize(("given", "unit"), [("Week", "Week"), ("dAy", "Day"), ("YEAR", "Year")])
def test_a_time_unit_is_read_in_any_case(given: str, unit: str) -> None:
    """It becomes the word of the interface (A7)."""
    assert unit == read(TimeUnitField, given)


@pytest.mark.parametrize("given", ["Moon", "", 1, None, ["Month"]])
def test_a_time_unit_outside_the_list_is_refused(given: object) -> None:
    """With the list of those that are known (A7)."""
    ((path, code, met),) = problems(TimeUnitField, given)

    assert ("", "unknown_time_unit", repr(given)) == (path, code, met)


@pytest.mark.parametrize(
    ("kind", "given", "read_as"),
    [
        (CalendarMonthField, 12, 12),
        (CalendarMonthField, Decimal("1.0"), 1),
        (DateTimeField, "2026-01-31T12:00:00Z", datetime(2026, 1, 31, 12, tzinfo=UTC)),
        (DateTimeField, "2026-01-31T12:00Z", datetime(2026, 1, 31, 12, tzinfo=UTC)),
        (DateTimeField, datetime(2026, 1, 31, tzinfo=UTC), datetime(2026, 1, 31, tzinfo=UTC)),
        (FlagField, True, True),
        (FlagField, False, False),
        (PointField, "2026-q1", IndexPoint.parse("2026-Q1")),
        (PointField, YearMonth(2026, 1), IndexPoint.month(2026, 1)),
        (RecurrenceField, "ONETIME", "OneTime"),
        (RecurrenceField, "recurring", "Recurring"),
        (YearField, "2026", "2026"),
        (YearField, "0001", "0001"),
        (YearField, 2026, "2026"),
        (YearField, 1000, "1000"),
        (YearField, 9999, "9999"),
        (YearMonthField, "2026-01", YearMonth(2026, 1)),
        (YearMonthField, YearMonth(2026, 1), YearMonth(2026, 1)),
    ],
)
def test_years_months_points_words_and_flags_are_read(
    kind: Any,  # noqa: ANN401
    given: object,
    read_as: object,
) -> None:
    """Each becomes a value of one kind, however it may be written (A31, A36, A58)."""
    met = read(kind, given)

    assert (read_as, type(read_as)) == (met, type(met))


@pytest.mark.parametrize(
    ("kind", "given", "code"),
    [
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
        (YearMonthField, IndexPoint.month(2026, 1), "not_a_year_month"),
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


@pytest.mark.parametrize("kind", [YearField, YearMonthField, PointField, DateTimeField])
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


def test_an_empty_payload_misses_every_required_field() -> None:
    assert [
        (name, "missing") for name in ("productKey", "amount", "vat", "dueDate", "accountingPeriod")
    ] == refusal(OneTimeBillItem, {})


def test_missing_keywords_are_named_as_in_python() -> None:
    with pytest.raises(InvalidInputError) as caught:
        OneTimeBillItem(
            product_key="key:fee", amount=amount("1"), vat=Vat("Exempt"), quantity=Decimal(0)
        )  # type: ignore[call-arg] # pyright: ignore[reportCallIssue]

    assert [
        ("due_date", "missing", "nothing"),
        ("accounting_period", "missing", "nothing"),
        ("quantity", "zero_quantity", "0"),
    ] == told(caught.value)


@pytest.mark.parametrize(
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
    assert found == refusal(OneTimeBillItem, data)


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
    ] == refusal(LeaseTerms, {"one_time_bill_items": [item]})


def test_a_problem_inside_a_list_names_its_place() -> None:
    """Counted from 0, as in JSON paths."""
    data = {"leaseId": "a", "oneTimeBillItems": [FEE, {**FEE, "quantity": 0}, 5]}

    assert [
        ("oneTimeBillItems[1].quantity", "zero_quantity"),
        ("oneTimeBillItems[2]", "not_an_object"),
    ] == refusal(LeaseTerms, data)


def test_a_misfit_among_records_made_before_has_a_path_too() -> None:
    with pytest.raises(InvalidInputError) as caught:
        LeaseTerms(currency="EUR", one_time_bill_items=(fee(),))

    assert [("one_time_bill_items[0].amount.currency", "currency_mismatch", "'DKK'")] == told(
        caught.value
    )


def test_sets_have_no_places() -> None:
    assert [("recurring_bill_items", "not_a_list")] == [
        (each.path, each.code)
        for each in _problems_of({"recurring_bill_items": {"a": 1}, "lease_id": "a"})
    ]


def _problems_of(fields: Mapping[str, Any]) -> Any:  # noqa: ANN401
    with pytest.raises(InvalidInputError) as caught:
        LeaseTerms(**fields)
    return caught.value.problems


def test_misfits_are_found_beside_fields_that_cannot_be_read() -> None:
    with pytest.raises(InvalidInputError) as caught:
        rent(id="", started_on=date(2026, 1, 16))

    assert {("id", "empty_text"), ("started_on", "started_after_opening_due_date")} == {
        (each.path, each.code) for each in caught.value.problems
    }


def test_a_problem_in_a_text_that_pydantic_reads_is_named_as_on_the_wire() -> None:
    assert [("vat.taxRate", "missing_rate"), ("dueDate", "not_a_date")] == faults(
        lambda: OneTimeBillItem.model_validate_json(
            '{"productKey": "key:fee", "amount": {"currency": "DKK", "amount": 1}, "vat": '
            '{"taxMode": "Exclusive"}, "dueDate": "2026-02-30", '
            '"accountingPeriod": "2026-02-01/2026-02-28"}'
        )
    )


def test_an_attribute_of_a_record_is_spelled_as_in_python() -> None:
    data = {"recurring_bill_items": [rent(id="a"), rent(id="a")]}

    assert [("recurring_bill_items[1].id", "duplicate_id")] == refusal(LeaseTerms, data)


def test_a_field_of_a_record_made_before_is_found_by_its_attributes() -> None:
    data = {"currency": "DKK", "recurringBillItems": [rent("1.00 EUR", **_euros())]}

    assert [("recurringBillItems[0].amount.currency", "currency_mismatch")] == refusal(
        LeaseTerms, data
    )


def _euros() -> dict[str, Any]:
    first = rent().first_billing_period_bill_item
    return {"first_billing_period_bill_item": first.evolve(amount=Amount(1, "EUR"))}


def test_a_recurring_item_is_no_one_time_item() -> None:
    assert [("", "not_an_object")] == refusal(RecurringBillItem, fee())


@pytest.mark.parametrize("kind", [AmountField, VatField])
def test_nothing_is_no_object(kind: object) -> None:
    """Where a value is required, null is told as what is missing (A6)."""
    assert [("", "missing", "nothing")] == problems(kind, None)
