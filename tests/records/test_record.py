"""The parts of a bill item: cycles, due date rules, opening periods, discounts, dated records."""

import inspect
import pickle
from decimal import Decimal
from typing import Any

import pytest

from rentbilling import (
    Amount,
    AmountRecord,
    BillingCycle,
    CurrencyMismatchError,
    DescriptionRecord,
    Discount,
    DueDateRule,
    FirstBillingPeriodBillItem,
    InvalidCycleError,
    InvalidDiscountError,
    InvalidDueDateRuleError,
    InvalidInputError,
    InvalidRecordError,
    QuantityRecord,
    UnknownWordError,
    VatRecord,
)
from rentbilling.records.record import JudgedRecord
from rentbilling.terms.item_parts import discount_faults, quantity_faults
from tests.support.rents import amount, day, opening, period, vat


def test_a_cycle_is_a_calendar_month_unless_something_else_is_said() -> None:
    """Every field of a cycle has the value that most leases have (A7, A8, A9)."""
    cycle = BillingCycle()

    assert ("Month", 1, 1, 1) == (
        cycle.time_unit,
        cycle.period_length,
        cycle.start,
        cycle.start_day,
    )


@pytest.mark.parametrize("word", ["Month", "month", "MONTH", "mOnTh"])
def test_a_time_unit_is_read_in_any_case(word: str) -> None:
    """It is kept as the interface writes it (A7)."""
    assert "Month" == BillingCycle(time_unit=word).time_unit


@pytest.mark.parametrize("length", [3, Decimal("3.0"), Decimal("3E0"), 3.0])
def test_a_whole_number_may_be_written_with_a_point(length: Any) -> None:  # noqa: ANN401
    """3.0 is 3 (A7)."""
    assert 3 == BillingCycle(period_length=length).period_length


@pytest.mark.parametrize(
    ("unit", "length", "months", "days"),
    [("Month", 3, 3, 0), ("Year", 2, 24, 0), ("Week", 2, 0, 14), ("Day", 10, 0, 10)],
)
def test_a_cycle_is_measured_in_months_or_in_days(
    unit: str, length: int, months: int, days: int
) -> None:
    """Months and years are months, weeks and days are days (A7)."""
    cycle = BillingCycle(time_unit=unit, period_length=length)

    assert (months, days) == (cycle.months, cycle.days)


@pytest.mark.parametrize(
    ("unit", "length", "anchored"),
    [
        *(("Month", length, False) for length in (1, 2, 3, 4, 6, 12)),
        *(("Month", length, True) for length in (5, 7, 24)),
        ("Year", 1, False),
        ("Year", 2, True),
        ("Week", 1, False),
        ("Week", 2, True),
        ("Day", 1, True),
        ("Day", 30, True),
    ],
)
def test_a_cycle_counts_from_the_opening_where_the_calendar_cannot_tell(
    unit: str,
    length: int,
    anchored: bool,
) -> None:
    """A length in months that divides 12, and a single week, need no opening (A8)."""
    assert anchored is BillingCycle(time_unit=unit, period_length=length).needs_anchor


@pytest.mark.parametrize(
    ("fields", "path", "met", "expected"),
    [
        ({"period_length": 0}, "period_length", "0", "a whole number from 1 to 1200"),
        ({"period_length": 1201}, "period_length", "1201", "a whole number from 1 to 1200"),
        ({"start": 0}, "start", "0", "a calendar month from 1 to 12"),
        ({"start": 13}, "start", "13", "a calendar month from 1 to 12"),
        (
            {"time_unit": "Year", "start": 13},
            "start",
            "13",
            "a calendar month from 1 to 12",
        ),
        (
            {"time_unit": "Week", "start": 8},
            "start",
            "8",
            "an ISO weekday from 1 (Monday) to 7",
        ),
        ({"time_unit": "Day", "start": 2}, "start", "2", "1"),
        ({"start_day": 0}, "start_day", "0", "a day of the month from 1 to 31"),
        ({"start_day": 32}, "start_day", "32", "a day of the month from 1 to 31"),
        ({"time_unit": "Week", "start_day": 2}, "start_day", "2", "1 for a cycle of the unit Week"),
        ({"time_unit": "Day", "start_day": 2}, "start_day", "2", "1 for a cycle of the unit Day"),
    ],
)
def test_a_cycle_that_gives_no_periods_is_refused(
    fields: dict[str, Any], path: str, met: str, expected: str
) -> None:
    """The refusal says what would be right for the unit (A7, A8, A9)."""
    with pytest.raises(InvalidCycleError) as refused:
        BillingCycle(**fields)

    assert [(path, "out_of_range", met, expected)] == [
        (each.path, each.code, each.met, each.expected) for each in refused.value.problems
    ]


@pytest.mark.parametrize(("unit", "number"), [("Month", 1), ("Month", 31), ("Year", 29)])
def test_cycles_of_months_may_start_on_any_day_of_the_month(unit: str, number: int) -> None:
    """Shorter months use their last day (A9)."""
    assert number == BillingCycle(time_unit=unit, start_day=number).start_day


def test_everything_that_is_wrong_with_a_cycle_is_told_at_once() -> None:
    with pytest.raises(InvalidCycleError) as refused:
        BillingCycle(period_length=0, start=13, start_day=40)

    assert ["period_length", "start", "start_day"] == [each.path for each in refused.value.problems]


def test_a_cycle_is_judged_where_one_of_its_fields_cannot_be_read() -> None:
    with pytest.raises(InvalidInputError) as refused:
        BillingCycle(time_unit="Moon", start=13)

    assert {("time_unit", "unknown_time_unit"), ("start", "out_of_range")} == {
        (each.path, each.code) for each in refused.value.problems
    }


def test_an_unknown_time_unit_is_an_unknown_word_too() -> None:
    """A caller may catch it as a cycle or as a word outside the list (A7)."""
    with pytest.raises(UnknownWordError) as refused:
        BillingCycle(time_unit="Fortnight")

    assert isinstance(refused.value, InvalidCycleError)


@pytest.mark.parametrize("number", [1, -1, 31, -400])
def test_a_due_date_rule_counts_forward_or_back(number: int) -> None:
    """Any whole number but 0 names a day (A10)."""
    assert number == DueDateRule(day_of_period=number).day_of_period


def test_day_0_is_refused() -> None:
    """1 and −1 are neighbours, nothing lies between (A10)."""
    with pytest.raises(InvalidDueDateRuleError) as refused:
        DueDateRule(day_of_period=0)

    assert "day_zero" == refused.value.code


def test_a_rule_is_judged_where_its_day_cannot_be_read() -> None:
    with pytest.raises(InvalidRecordError) as refused:
        DueDateRule.model_validate({"dayOfPeriod": "first"})

    assert [("dayOfPeriod", "not_a_whole_number")] == [
        (each.path, each.code) for each in refused.value.problems
    ]


def test_a_rule_counts_from_the_start_or_from_the_end_only() -> None:
    """Other words are refused with the two that are known (A51)."""
    with pytest.raises(InvalidRecordError) as refused:
        DueDateRule.model_validate({"dayOfPeriod": 1, "relativeTo": "middle"})

    assert [("relativeTo", "unknown_word", "one of 'start' or 'end'")] == [
        (each.path, each.code, each.expected) for each in refused.value.problems
    ]


def test_an_opening_period_is_kept_as_it_was_agreed() -> None:
    """Amount, due date and days are taken as given (A12)."""
    agreed = FirstBillingPeriodBillItem(
        amount=amount("1234.56"),
        due_date=day("2025-12-20"),
        accounting_period=period("2026-01-15/2026-02-28"),
    )

    assert (amount("1234.56"), day("2025-12-20"), period("2026-01-15/2026-02-28")) == (
        agreed.amount,
        agreed.due_date,
        agreed.accounting_period,
    )


@pytest.mark.parametrize("share", ["0", "0.10", "1"])
def test_a_discount_is_a_fraction_from_0_to_1(share: str) -> None:
    """0.10 is ten percent (A5, A22)."""
    assert Decimal(share) == Discount(percentage=Decimal(share)).percentage


@pytest.mark.parametrize(
    ("fields", "path", "code", "met"),
    [
        ({}, "", "one_of_two", "neither"),
        ({"amount": Amount(1, "DKK"), "percentage": Decimal("0.1")}, "", "one_of_two", "both"),
        ({"percentage": Decimal(10)}, "percentage", "out_of_range", "10"),
        ({"percentage": Decimal("-0.1")}, "percentage", "out_of_range", "-0.1"),
        ({"amount": Amount(-1, "DKK")}, "amount", "out_of_range", "-1"),
    ],
)
def test_a_discount_that_cannot_be_taken_off_is_refused(
    fields: dict[str, Any], path: str, code: str, met: str
) -> None:
    """Exactly one of amount and percentage, neither below 0, the share not above 1 (A5, A22)."""
    with pytest.raises(InvalidDiscountError) as refused:
        Discount(**fields)

    assert [(path, code, met)] == [
        (each.path, each.code, each.met) for each in refused.value.problems
    ]


def test_a_discount_whose_share_cannot_be_read_is_not_said_to_have_neither() -> None:
    with pytest.raises(InvalidInputError) as refused:
        Discount.model_validate({"percentage": "ten"})

    assert [("percentage", "not_a_number")] == [
        (each.path, each.code) for each in refused.value.problems
    ]


def test_a_discount_larger_than_the_amount_is_refused() -> None:
    """It never turns the sign (A22): 9,000 off 8,500 would make a credit."""
    ((kind, problem),) = discount_faults(amount("8500"), amount("9000"))

    assert (InvalidDiscountError, "discount_above_amount", "at most 8500") == (
        kind,
        problem.code,
        problem.expected,
    )


def test_a_discount_as_large_as_the_amount_is_fine() -> None:
    """It makes the line 0, which is listed (A16, A22)."""
    assert [] == list(discount_faults(amount("8500"), amount("8500.00")))


def test_a_credit_takes_no_discount_by_amount() -> None:
    """On a negative amount only a percentage is allowed (A22)."""
    ((kind, problem),) = discount_faults(amount("-100"), amount("10"))

    assert (InvalidDiscountError, "discount_on_credit", "a percentage") == (
        kind,
        problem.code,
        problem.expected,
    )


def test_a_discount_has_the_currency_of_the_amount() -> None:
    """Two currencies never meet in one sum (A2)."""
    ((kind, problem),) = discount_faults(amount("8500"), amount("10 EUR"))

    assert (CurrencyMismatchError, "discount.amount.currency", "'EUR'", "DKK") == (
        kind,
        problem.path,
        problem.met,
        problem.expected,
    )


@pytest.mark.parametrize("quantity", [None, Decimal(-1), Decimal("0.001")])
def test_any_quantity_but_0_bills_something(quantity: Decimal | None) -> None:
    """Absent is 1 and a negative one is a credit (A21)."""
    assert [] == list(quantity_faults("quantity", quantity))


def test_a_quantity_of_0_bills_nothing() -> None:
    """It is refused, in an item as in a record (A21)."""
    with pytest.raises(InvalidRecordError) as refused:
        QuantityRecord(value=Decimal("0.0"), start=day("2026-05-01"))

    assert [("value", "zero_quantity")] == [
        (each.path, each.code) for each in refused.value.problems
    ]


def test_a_quantity_that_cannot_be_read_is_not_said_to_be_0() -> None:
    with pytest.raises(InvalidInputError) as refused:
        QuantityRecord.model_validate({"value": True, "start": "2026-05-01"})

    assert [("value", "not_a_number")] == [
        (each.path, each.code) for each in refused.value.problems
    ]


def test_dated_records_carry_a_value_from_a_day() -> None:
    """Amounts, VATs, texts and quantities each have their record (A18)."""
    start = day("2026-05-01")
    records = (
        AmountRecord(id="a", value=amount("9000"), start=start),
        VatRecord(value=vat("Exclusive", "0.25"), start=start),
        DescriptionRecord(value="Rent", start=start),
        QuantityRecord(value=Decimal(2), start=start),
    )

    assert [amount("9000"), vat("Exclusive", "0.25"), "Rent", Decimal(2)] == [
        record.value for record in records
    ]


def test_a_record_is_frozen() -> None:
    cycle = BillingCycle()

    with pytest.raises(AttributeError, match=r"frozen; evolve\(start=…\)"):
        cycle.start = 2  # type: ignore[misc] # pyright: ignore[reportAttributeAccessIssue]


def test_no_field_of_a_record_can_be_taken_away() -> None:
    cycle: Any = BillingCycle()

    with pytest.raises(AttributeError, match="BillingCycle is frozen"):
        del cycle.start
    with pytest.raises(AttributeError, match="BillingCycle is frozen"):
        cycle.color = "red"


def test_a_record_may_be_changed_in_either_spelling() -> None:
    cycle = BillingCycle(period_length=3).evolve(timeUnit="Year", start=2)

    assert BillingCycle(time_unit="Year", period_length=3, start=2) == cycle


def test_a_field_is_changed_in_one_spelling_at_a_time() -> None:
    with pytest.raises(InvalidRecordError) as refused:
        BillingCycle().evolve(timeUnit="Year", time_unit="Week")

    assert [("time_unit", "unknown_field", "'Week'")] == [
        (each.path, each.code, each.met) for each in refused.value.problems
    ]


def test_who_writes_python_is_shown_python_names() -> None:
    found = inspect.signature(Discount)

    assert ["amount", "percentage", "description", "end_date"] == list(found.parameters)
    assert (Amount | None, Decimal | None, str | None) == tuple(
        found.parameters[name].annotation for name in ("amount", "percentage", "description")
    )
    assert {None} == {each.default for each in found.parameters.values()}


def test_a_field_without_a_default_is_shown_as_required() -> None:
    found = inspect.signature(AmountRecord).parameters

    assert {"id": None, "value": inspect.Parameter.empty, "start": inspect.Parameter.empty} == {
        name: each.default for name, each in found.items()
    }
    assert {inspect.Parameter.KEYWORD_ONLY} == {each.kind for each in found.values()}


def test_a_changed_record_is_checked_again() -> None:
    with pytest.raises(InvalidCycleError):
        BillingCycle().evolve(start=13)


def test_a_changed_record_keeps_the_rest() -> None:
    quarters = BillingCycle(period_length=3, start=2)
    changed = quarters.evolve(start=3)

    assert (BillingCycle(period_length=3, start=3), 2) == (changed, quarters.start)


def test_a_record_reads_plain_data_in_either_spelling() -> None:
    camel = BillingCycle.model_validate({"timeUnit": "Month", "periodLength": 3, "start": 1})
    snake = BillingCycle.model_validate({"time_unit": "Month", "period_length": 3, "start": 1})

    assert camel == snake


def test_a_record_reads_json_as_pydantic_does() -> None:
    text = '{"timeUnit": "Month", "periodLength": 3, "start": 1}'

    assert BillingCycle(period_length=3) == BillingCycle.model_validate_json(text)


@pytest.mark.parametrize(
    ("text", "path", "code"),
    [
        ('{"timeUnit": "Month", "periodLength": 0, "start": 1}', "periodLength", "out_of_range"),
        ('{"periodLength": ', "", "not_json"),
        (
            '{"timeUnit": "Month", "periodLength": 3, "start": 1, "color": 1}',
            "color",
            "unknown_field",
        ),
    ],
)
def test_json_read_as_pydantic_does_is_refused_with_our_errors(
    text: str, path: str, code: str
) -> None:
    with pytest.raises(InvalidInputError) as refused:
        BillingCycle.model_validate_json(text)

    assert [(path, code)] == [(each.path, each.code) for each in refused.value.problems]


def test_records_pickle() -> None:
    records = (BillingCycle(start=2), opening(), Discount(percentage=Decimal("0.1")))

    assert records == pickle.loads(pickle.dumps(records))


def test_a_record_without_misfits_of_its_own_has_none() -> None:
    """The law of a judged record is empty unless it says otherwise."""
    assert [] == list(JudgedRecord.misfits({}))


def test_json_is_read_with_what_the_reader_was_given() -> None:
    """Points with their minor units, and a half-open period: to 1 February is to 31 January."""
    text = (
        '{"amount": {"currency": "PTS", "amount": 5}, "dueDate": "2026-01-15",'
        ' "accountingPeriod": "2026-01-15/2026-02-01"}'
    )
    found = FirstBillingPeriodBillItem.model_validate_json(
        text, context={"currencies": {"PTS": 1}, "period_end": "excluded"}
    )

    assert ("PTS", period("2026-01-15/2026-01-31")) == (
        found.amount.currency,
        found.accounting_period,
    )
