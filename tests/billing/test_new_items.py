"""Items from a price and a day of moving in: ordinary records, worked out by hand."""

from datetime import date
from decimal import Decimal
from functools import partial
from typing import Any

import pytest
from dateutil.relativedelta import relativedelta

import rentbilling as rb
from rentbilling.billing import one_time_item, recurring_item, rent_free, stepped_discount
from rentbilling.errors import InvalidInputError, InvalidRecordError, InvalidVatError
from tests.support.refusals import Call, refusal_text
from tests.support.rents import opening
from tests.support.rows import rows

REVERSED = "ended_on reversed_period"
HALF = rb.Discount(percentage=Decimal("0.5"))
WHOLE = rb.BillingPolicy(part_period="full")
RENT_WHOLE, PARKING_WHOLE = (
    rb.BillingPolicy(by_product={key: WHOLE}) for key in ("key:rent", "key:parking")
)


def weeks(start: int = 1) -> rb.BillingCycle:
    return rb.BillingCycle(time_unit="Week", period_length=2, start=start)


def opened(item: rb.RecurringBillItem) -> tuple[str, str, str]:
    first = item.first_billing_period_bill_item
    return str(first.amount), str(first.accounting_period), str(first.due_date)


@rows(
    ("terms", "first"),
    [
        # 17 of January's 31 days of 8,500; of a quarter (17/31 + 2) / 3; of a year + 11, / 12.
        ({}, ("4661.29 DKK", "2026-01-15/2026-01-31")),
        # An end on the day of moving in is one day of 31 (A158).
        ({"ended_on": "2026-01-15"}, ("274.19 DKK", "2026-01-15/2026-01-15")),
        ({"months": 3}, ("7220.43 DKK", "2026-01-15/2026-03-31")),
        ({"months": relativedelta(years=1)}, ("8180.11 DKK", "2026-01-15/2026-12-31")),
        # Half of 8,500 × 17 / 31; 16 of 30 days; a fortnight follows the opening directly.
        ({"discount": HALF}, ("2330.65 DKK", "2026-01-15/2026-01-31")),
        (
            {"policy": rb.BillingPolicy(part_period="thirty_day")},
            ("4533.33 DKK", "2026-01-15/2026-01-31"),
        ),
        (
            {"billing_cycle": rb.BillingCycle(time_unit="Day", period_length=14)},
            ("8500.00 DKK", "2026-01-15/2026-01-28"),
        ),
        # The product's own policy; not that of another one (A54).
        ({"policy": PARKING_WHOLE}, ("4661.29 DKK", "2026-01-15/2026-01-31")),
        ({"policy": RENT_WHOLE}, ("8500.00 DKK", "2026-01-15/2026-01-31")),
        # 100 units from the first day on: 466,129.03 / 100; from a later day they do not count.
        ({"quantities": {"2026-01-15": 100}}, ("4661.2903 DKK", "2026-01-15/2026-01-31")),
        ({"quantities": {"2026-01-16": 100}}, ("4661.29 DKK", "2026-01-15/2026-01-31")),
        # Of two units the line is rounded: 9,322.58 / 2.
        ({"quantity": "2"}, ("4661.29 DKK", "2026-01-15/2026-01-31")),
        (
            {"first_billing_period_bill_item": opening("2026-01-15/2026-01-31", price="1")},
            ("1 DKK", "2026-01-15/2026-01-31"),
        ),
    ],
)
def test_the_opening_is_computed_from_the_day_of_moving_in(
    terms: dict[str, Any], first: tuple[str, str]
) -> None:
    assert first == opened(rb.monthly_rent("8500 DKK", "2026-01-15", **terms))[:2]


@rows(
    ("cycle", "moved_in", "expected"),
    [
        # From a Monday, a Wednesday in weeks from Monday, one in weeks from Wednesday (A151).
        (weeks(), "2002-04-29", ["2002-04-29/2002-05-12", "2002-05-13/2002-05-26"]),
        (weeks(), "2002-05-01", ["2002-05-01/2002-05-05", "2002-05-06/2002-05-19"]),
        (weeks(3), "2002-05-01", ["2002-05-01/2002-05-14", "2002-05-15/2002-05-28"]),
        *(
            (rb.BillingCycle(time_unit=unit, period_length=length), moved_in, expected)
            for unit, length, moved_in, expected in (
                ("Year", 2, "2002-01-01", ["2002-01-01/2003-12-31", "2004-01-01/2005-12-31"]),
                ("Year", 2, "2002-07-01", ["2002-07-01/2002-12-31", "2003-01-01/2004-12-31"]),
                ("Month", 18, "2002-01-01", ["2002-01-01/2003-06-30", "2003-07-01/2004-12-31"]),
                ("Day", 10, "2002-01-15", ["2002-01-15/2002-01-24", "2002-01-25/2002-02-03"]),
            )
        ),
    ],
)
def test_cycles_without_a_grid_follow_their_opening(
    cycle: rb.BillingCycle, moved_in: str, expected: list[str]
) -> None:
    item = recurring_item("key:rent", "400 AUD", moved_in, billing_cycle=cycle)
    result = rb.pending_bills(item, (moved_in, "2008-01-01"))

    assert expected == [str(bill.lines[0].accounting_period) for bill in result][:2]
    assert () == result.notices


def test_what_is_not_given_is_as_usual_and_in_the_record() -> None:
    rent = rb.monthly_rent("8500 DKK", date(2026, 1, 15))

    assert ("key:rent", rb.Vat("Exempt"), rb.DueDateRule(), rb.BillingCycle(), None) == (
        rent.product_key,
        rent.vat,
        rent.due_date_rule,
        rent.billing_cycle,
        rent.quantity,
    )
    assert ("4661.29 DKK", "2026-01-15/2026-01-31", "2026-01-15") == opened(rent)
    assert opened(rent)[2] == str(rent.started_on)


def test_later_values_are_records_from_their_days() -> None:
    heating = recurring_item(
        "key:heating",
        rb.Amount(500, "EUR"),
        "2026-01-01",
        amounts={"2026-07-01": "525.50 EUR", date(2027, 1, 1): rb.Amount(530, "EUR")},
        quantities={"2026-08-01": "2.5"},
        vats={"2026-09-01": "Inclusive 21%"},
        due_day=-1,
    )

    assert ["525.50 EUR", "530 EUR"] == [str(each.value) for each in heating.amount_records]
    assert (Decimal("2.5"), rb.Vat("Inclusive", "0.21"), -1) == (
        heating.quantity_records[0].value,
        heating.vat_records[0].value,
        heating.due_date_rule.day_of_period,
    )


def test_an_item_that_is_billed_once_belongs_to_its_due_date() -> None:
    keys = one_time_item("key:keys", "250 DKK", "2026-03-15", vat="Exclusive 25%", quantity="2")
    cleaning = one_time_item("key:cleaning", "99 DKK", "2026-03-15", accounting_period="2026-03")

    assert ("2026-03-15/2026-03-15", Decimal(2)) == (str(keys.accounting_period), keys.quantity)
    assert "2026-03-01/2026-03-31" == str(cleaning.accounting_period)


def test_a_lease_takes_its_parts_one_by_one() -> None:
    rent, keys = (
        rb.monthly_rent("8500 DKK", "2026-01-15"),
        one_time_item("k", "1 DKK", "2026-03-15"),
    )
    wrong: Any = [rent]

    assert ("recurring-1", "one-time-1") == rb.LeaseTerms.of(keys, rent).item_ids
    with pytest.raises(TypeError, match="pass each RecurringBillItem or OneTimeBillItem or"):
        rb.LeaseTerms.of(wrong)


def test_a_vat_is_a_text() -> None:
    wrong: Any = 25
    with pytest.raises(InvalidVatError, match='such as "Exclusive 25%" or "Exempt"'):
        recurring_item("key:heating", "500 DKK", "2026-01-15", vat=wrong)


def test_steps_follow_one_another() -> None:
    """Half for two quarters, then 500 DKK less without end; in any order (A63)."""
    steps = stepped_discount({"2026-07-01": rb.Amount(500, "DKK"), date(2026, 1, 1): "50%"})

    assert (
        rb.Discount(
            percentage=Decimal("0.5"), start_date=date(2026, 1, 1), end_date=date(2026, 6, 30)
        ),
        rb.Discount(amount=rb.Amount(500, "DKK"), start_date=date(2026, 7, 1)),
    ) == steps


def test_an_opening_has_the_discounts_of_its_days() -> None:
    """Free to 20 January, 11 of 31 days of 9,300 are 3,300 (A14, A62)."""
    free = rent_free("2026-01-15", "2026-01-20", description="Free")
    rent = rb.monthly_rent("9300 DKK", "2026-01-15", discounts=[free])

    assert rb.Amount(3300, "DKK") == rent.first_billing_period_bill_item.amount
    assert ("Free", Decimal(1)) == (free.description, free.percentage)


@rows(
    ("call", "expected"),
    [
        (lambda: rent_free("2026-02-01", "2026-01-31"), "end_date reversed_period"),
        # An end before the beginning, of the computed opening and of a stated one (A158).
        (partial(rb.monthly_rent, "1 DKK", "2026-01-15", ended_on="2025-12-31"), REVERSED),
        (
            lambda: recurring_item(
                *("key:heating", "1 DKK", "2026-01-15"),
                ended_on=date(2026, 1, 20),
                first_billing_period_bill_item=rb.monthly_rent(
                    "1 DKK", "2026-02-01"
                ).first_billing_period_bill_item,
            ),
            REVERSED,
        ),
        (
            lambda: rb.first_billing_period(
                rb.Amount(1, "DKK"), rb.BillingCycle(), "2026-01-15", ended_on="2026-01-14"
            ),
            REVERSED,
        ),
        (lambda: rent_free("2026-02-30", "2026-03-31"), "start_date"),
        (lambda: stepped_discount({"2026-01-01": 2}), "steps out_of_range"),
    ],
)
def test_steps_that_cannot_be_are_refused(call: Call, expected: str) -> None:
    assert expected in refusal_text(call)


@rows(
    ("argument", "expected"),
    [
        ("moved_out", "ended_on"),
        ("until", "ended_on"),
        ("start", "moved_in"),
        ("due", "due_day, such as 1, or due_date_rule"),
        ("deposit", "a Balance beside the item: LeaseTerms.of(item, Balance(...))"),
        ("cycle", "months, such as 3 for a quarter, or billing_cycle"),
        ("amonts", "amounts"),
        ("ended", "ended_on"),
        ("colour", "one of product_key, amount, moved_in, vat, quantity, months"),
    ],
)
def test_an_unknown_argument_is_refused_with_the_one_that_is_meant(
    argument: str, expected: str
) -> None:
    with pytest.raises(InvalidRecordError, match=f"{argument}: is not an argument") as caught:
        recurring_item("key:rent", "500 DKK", "2026-01-01", **{argument: "x"})  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]

    assert caught.value.problems[0].expected.startswith(expected)


def test_a_one_time_item_has_arguments_of_its_own() -> None:
    with pytest.raises(InvalidRecordError, match=r"until: is not an argument .*one of product_key"):
        one_time_item("key:fee", "500 DKK", "2026-01-01", until="2026-02-01")


@rows(("argument", "value"), [("months", "quarter"), ("months", 0), ("due_day", 0)])
def test_a_refusal_names_the_argument(argument: str, value: object) -> None:
    with pytest.raises(InvalidInputError, match=f"^{argument}: "):
        recurring_item("key:rent", "500 DKK", "2026-01-01", **{argument: value})  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
