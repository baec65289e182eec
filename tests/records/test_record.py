"""The parts of a bill item: cycles, due date rules, opening periods, discounts, dated records."""

import inspect
import pickle
import subprocess
import sys
from decimal import Decimal
from typing import Any

import pytest

import rentbilling as rb
from rentbilling.errors import (
    CurrencyMismatchError,
    InvalidAmountError,
    InvalidCycleError,
    InvalidDiscountError,
    InvalidRecordError,
    UnknownWordError,
)
from rentbilling.records import CheckedRecord, OrWord, Record
from rentbilling.terms import discount_problems
from tests.support.refusals import faults
from tests.support.rents import amount, day, opening, period, rent
from tests.support.rows import rows

YEARS, WEEKS, DAYS = ({"time_unit": unit} for unit in ("Year", "Week", "Day"))


def test_a_cycle_is_a_calendar_month_unless_something_else_is_said() -> None:
    """Every field of a cycle has the value that most leases have (A7, A8, A9)."""
    cycle = rb.BillingCycle()

    assert ("Month", 1, 1, 1) == (
        cycle.time_unit,
        cycle.period_length,
        cycle.start,
        cycle.start_day,
    )


@rows(
    ("unit", "length", "months", "days"),
    [("Month", 3, 3, 0), ("Year", 2, 24, 0), ("Week", 2, 0, 14), ("Day", 10, 0, 10)],
)
def test_a_cycle_is_measured_in_months_or_in_days(
    unit: str, length: int, months: int, days: int
) -> None:
    """Months and years are months, weeks and days are days (A7)."""
    cycle = rb.BillingCycle(time_unit=unit, period_length=length)

    assert (months, days) == (cycle.months, cycle.days)


@rows(
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
    assert anchored is rb.BillingCycle(time_unit=unit, period_length=length).needs_anchor


REFUSED: tuple[tuple[type[Record], dict[str, Any], type[rb.InvalidInputError], list[Any]], ...] = (
    # The refusal says what would be right for the unit (A7, A8, A9).
    *(
        (rb.BillingCycle, fields, InvalidCycleError, [(path, "out_of_range", met, expected)])
        for fields, path, met, expected in (
            ({"period_length": 0}, "period_length", "0", "a whole number from 1 to 1200"),
            ({"period_length": 1201}, "period_length", "1201", "a whole number from 1 to 1200"),
            ({"start": 0}, "start", "0", "a calendar month from 1 to 12"),
            ({"start": 13}, "start", "13", "a calendar month from 1 to 12"),
            ({**YEARS, "start": 13}, "start", "13", "a calendar month from 1 to 12"),
            ({**WEEKS, "start": 8}, "start", "8", "an ISO weekday from 1 (Monday) to 7"),
            ({**DAYS, "start": 2}, "start", "2", "1"),
            ({"start_day": 0}, "start_day", "0", "a day of the month from 1 to 31"),
            ({"start_day": 32}, "start_day", "32", "a day of the month from 1 to 31"),
            ({**WEEKS, "start_day": 2}, "start_day", "2", "1 for a cycle of the unit Week"),
            ({**DAYS, "start_day": 2}, "start_day", "2", "1 for a cycle of the unit Day"),
        )
    ),
    # Everything that is wrong at once, also where one of the fields cannot be read.
    (
        rb.BillingCycle,
        {"period_length": 0, "start": 13, "start_day": 40},
        InvalidCycleError,
        [
            ("period_length", "out_of_range"),
            ("start", "out_of_range"),
            ("start_day", "out_of_range"),
        ],
    ),
    (
        rb.BillingCycle,
        {"time_unit": "Moon", "start": 13},
        InvalidRecordError,
        [("time_unit", "unknown_time_unit"), ("start", "out_of_range")],
    ),
    # Days are counted from the start or from the end only (A51).
    (
        rb.DueDateRule,
        {"dayOfPeriod": 1, "relativeTo": "middle"},
        InvalidRecordError,
        [("relativeTo", "unknown_word", "'middle'", "one of 'start' or 'end'")],
    ),
    # Neither below 0 (A5, A22); other wrong discounts are lines of `tests/refusals`.
    *(
        (rb.Discount, fields, InvalidDiscountError, [(path, code, met)])
        for fields, path, code, met in (
            ({"percentage": Decimal("-0.1")}, "percentage", "out_of_range", "-0.1"),
            ({"amount": rb.Amount(-1, "DKK")}, "amount", "out_of_range", "-1"),
        )
    ),
    # What cannot be read is not said to be absent, or to be 0.
    (rb.Discount, {"percentage": "ten"}, InvalidAmountError, [("percentage", "not_a_number")]),
    (
        rb.QuantityRecord,
        {"value": True, "start": "2026-05-01"},
        InvalidAmountError,
        [("value", "not_a_number")],
    ),
    # A quantity of 0 bills nothing (A21).
    (
        rb.QuantityRecord,
        {"value": Decimal("0.0"), "start": day("2026-05-01")},
        InvalidRecordError,
        [("value", "zero_quantity")],
    ),
)
"""Records that cannot be billed: each problem as far as it is tested here, from its path on."""


@rows(("kind", "fields", "error", "problems"), REFUSED)
def test_what_cannot_be_billed_is_refused(
    kind: type[Record],
    fields: dict[str, Any],
    error: type[rb.InvalidInputError],
    problems: list[tuple[str, ...]],
) -> None:
    found = faults(lambda: kind(**fields), error, "path code met expected")
    assert problems == [each[: len(known)] for each, known in zip(found, problems, strict=True)]


def test_an_unknown_time_unit_is_an_unknown_word_too() -> None:
    """A caller may catch it as a cycle or as a word outside the list (A7)."""
    with pytest.raises(UnknownWordError) as refused:
        rb.BillingCycle(time_unit="Fortnight")

    assert isinstance(refused.value, InvalidCycleError)


@rows(
    ("price", "discount", "expected"),
    [
        # It never turns the sign (A22): 9,000 off 8,500 would be a credit.
        (
            "8500",
            "9000",
            (InvalidDiscountError, "discount_above_amount", "9000", "at most 8500"),
        ),
        # It may make the line 0, which is listed (A16, A22).
        ("8500", "8500.00", None),
        # On a negative amount only a percentage is allowed (A22).
        ("-100", "10", (InvalidDiscountError, "discount_on_credit", "10", "a percentage")),
        # Two currencies never meet in one sum (A2).
        (
            "8500",
            "10 EUR",
            (CurrencyMismatchError, "currency_mismatch", "'EUR'", "DKK"),
        ),
    ],
)
def test_a_discount_by_amount_fits_the_price(price: str, discount: str, expected: Any) -> None:  # noqa: ANN401
    found = [
        (kind, each.code, each.met, each.expected)
        for kind, each in discount_problems(amount(price), rb.Discount(amount=amount(discount)))
    ]

    assert ([expected] if expected else []) == found


def test_a_record_is_frozen() -> None:
    cycle = rb.BillingCycle()

    with pytest.raises(AttributeError, match=r"frozen; evolve\(start=…\)"):
        cycle.start = 2  # type: ignore[misc] # pyright: ignore[reportAttributeAccessIssue]


def test_no_field_of_a_record_can_be_taken_away() -> None:
    cycle: Any = rb.BillingCycle()

    with pytest.raises(AttributeError, match="BillingCycle is frozen"):
        del cycle.start
    with pytest.raises(AttributeError, match="BillingCycle is frozen"):
        cycle.color = "red"


def test_a_record_may_be_changed_in_either_spelling() -> None:
    cycle = rb.BillingCycle(period_length=3).evolve(timeUnit="Year", start=2)

    assert rb.BillingCycle(time_unit="Year", period_length=3, start=2) == cycle


def test_a_field_is_changed_in_one_spelling_at_a_time() -> None:
    assert [("time_unit", "unknown_field", "'Week'")] == faults(
        lambda: rb.BillingCycle().evolve(timeUnit="Year", time_unit="Week"),
        InvalidRecordError,
        "path code met",
    )


def test_who_writes_python_is_shown_python_names() -> None:
    found = inspect.signature(rb.Discount)

    assert ["amount", "percentage", "description", "end_date", "start_date", "of"] == list(
        found.parameters
    )
    assert (rb.Amount | None, Decimal | None, str | None) == tuple(
        found.parameters[name].annotation for name in ("amount", "percentage", "description")
    )
    assert {None} == {each.default for each in found.parameters.values()}


def test_a_field_without_a_default_is_shown_as_required() -> None:
    found = inspect.signature(rb.AmountRecord).parameters

    assert {"id": None, "value": inspect.Parameter.empty, "start": inspect.Parameter.empty} == {
        name: each.default for name, each in found.items()
    }
    assert {inspect.Parameter.KEYWORD_ONLY} == {each.kind for each in found.values()}


def test_a_changed_record_is_checked_again() -> None:
    with pytest.raises(InvalidCycleError):
        rb.BillingCycle().evolve(start=13)


def test_a_changed_record_keeps_the_rest() -> None:
    quarters = rb.BillingCycle(period_length=3, start=2)
    changed = quarters.evolve(start=3)

    assert (rb.BillingCycle(period_length=3, start=3), 2) == (changed, quarters.start)


def test_a_part_that_a_record_need_not_have_is_taken_away_by_none() -> None:
    discounted = rent(discount=rb.Discount(percentage=Decimal("0.1")))
    plain = discounted.evolve(discount=None, discounts=())

    assert plain == rent()
    assert plain.model_fields_set == {*rent().model_fields_set, "discounts"}
    with pytest.raises(InvalidRecordError, match="required"):
        discounted.evolve(first_billing_period_bill_item=None)


def test_a_record_reads_plain_data_in_either_spelling() -> None:
    camel = rb.BillingCycle.model_validate({"timeUnit": "Month", "periodLength": 3, "start": 1})
    snake = rb.BillingCycle.model_validate({"time_unit": "Month", "period_length": 3, "start": 1})

    assert camel == snake


@rows(
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
    assert [(path, code)] == faults(lambda: rb.BillingCycle.model_validate_json(text))


def test_records_pickle() -> None:
    records = (rb.BillingCycle(start=2), opening(), rb.Discount(percentage=Decimal("0.1")))

    assert records == pickle.loads(pickle.dumps(records))


def test_a_record_without_rules_of_its_own_has_no_problems() -> None:
    assert [] == list(CheckedRecord.cross_field_problems({}))


def test_json_is_read_with_what_the_reader_was_given() -> None:
    """Points with their minor units, and a half-open period: to 1 February is to 31 January."""
    text = (
        '{"amount": {"currency": "PTS", "amount": 5}, "dueDate": "2026-01-15",'
        ' "accountingPeriod": "2026-01-15/2026-02-01"}'
    )
    found = rb.FirstBillingPeriodBillItem.model_validate_json(
        text, context={"currencies": {"PTS": 1}, "period_end": "excluded"}
    )

    assert ("PTS", period("2026-01-15/2026-01-31")) == (
        found.amount.currency,
        found.accounting_period,
    )


FROM_MANY_THREADS = """
import sys
from threading import Barrier, Thread
from rentbilling import LeaseTerms
sys.setswitchinterval(1e-6)
unbuilt, together, read = not LeaseTerms.__pydantic_complete__, Barrier(8), []
def first():
    together.wait()
    # The quick reader needs none; what it leaves alone, such as options of pydantic, does.
    data = {"leaseId": "lease-1", "recurringBillItems": []}
    read.append(LeaseTerms.model_validate(data, strict=False))
threads = [Thread(target=first) for _ in range(8)]
for each in threads:
    each.start()
for each in threads:
    each.join()
print(unbuilt, LeaseTerms.__pydantic_complete__, {(type(each), each.lease_id) for each in read})
"""


def test_a_validator_is_built_once_whoever_needs_it_first() -> None:
    """On import none is; eight threads then read their first lease at once."""
    finished = subprocess.run(
        [sys.executable, "-c", FROM_MANY_THREADS], capture_output=True, check=True, text=True
    )

    assert "True True {(<class 'rentbilling.terms.lease_terms.LeaseTerms'>, 'lease-1')}\n" == (
        finished.stdout
    )


def test_fields_are_given_by_name() -> None:
    with pytest.raises(TypeError) as caught:
        rb.BillingCycle("Month", 1)  # type: ignore[call-arg] # as a newcomer would

    assert "BillingCycle takes its fields by name: BillingCycle(time_unit=…), not 'Month'" == str(
        caught.value
    )


def test_words_in_place_of_an_object_add_nothing_to_its_schema() -> None:
    assert {} == OrWord(("full",)).schema(object)
