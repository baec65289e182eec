"""Items from a price and a day of moving in: ordinary records, worked out by hand."""

from datetime import date
from decimal import Decimal
from functools import partial
from typing import Any

import pytest
from dateutil.relativedelta import relativedelta

import rentbilling as rb
from rentbilling.billing import one_time_item, recurring_item, rent_free, stepped_discount
from rentbilling.errors import InvalidRecordError, InvalidVatError
from tests.support.refusals import Call, refusal_text, refused
from tests.support.rents import amount, day, opening, rent
from tests.support.rows import rows

WHOLE = rb.BillingPolicy(part_period="full")
RENT_WHOLE, PARKING_WHOLE = (
    rb.BillingPolicy(by_product={key: WHOLE}) for key in ("key:rent", "key:parking")
)


@rows(
    ("terms", "price", "last"),
    [
        # 17 of January's 31 days of 8,500; of a quarter (17/31 + 2) / 3; of a year + 11, / 12.
        ({}, "4661.29 DKK", "2026-01-31"),
        ({"months": 3}, "7220.43 DKK", "2026-03-31"),
        ({"months": relativedelta(years=1)}, "8180.11 DKK", "2026-12-31"),
        # An end on the day of moving in is one day of 31 (A158); half of 8,500 × 17 / 31.
        ({"ended_on": "2026-01-15"}, "274.19 DKK", "2026-01-15"),
        ({"discount": rb.Discount(percentage="50%")}, "2330.65 DKK", "2026-01-31"),
        (
            {"billing_cycle": rb.BillingCycle(time_unit="Day", period_length=14)},
            "8500.00 DKK",
            "2026-01-28",
        ),
        # The product's own policy; not that of another one (A54).
        ({"policy": PARKING_WHOLE}, "4661.29 DKK", "2026-01-31"),
        ({"policy": RENT_WHOLE}, "8500.00 DKK", "2026-01-31"),
        # 100 units from the first day on: 466,129.03 / 100; from a later day they do not count.
        ({"quantities": {"2026-01-15": 100}}, "4661.2903 DKK", "2026-01-31"),
        ({"quantities": {"2026-01-16": 100}}, "4661.29 DKK", "2026-01-31"),
        # Of two units the line is rounded: 9,322.58 / 2. A price of a year: 102,000 / 12 × 17/31.
        ({"quantity": "2"}, "4661.29 DKK", "2026-01-31"),
        ({"price_per": "year"}, "388.44 DKK", "2026-01-31"),
        (
            {"first_billing_period_bill_item": opening("2026-01-15/2026-01-20", price="1")},
            "1 DKK",
            "2026-01-20",
        ),
    ],
)
def test_the_opening_is_computed_from_the_day_of_moving_in(
    terms: dict[str, Any], price: str, last: str
) -> None:
    first = rb.monthly_rent("8500 DKK", "2026-01-15", **terms).first_billing_period_bill_item

    assert (price, f"2026-01-15/{last}", day("2026-01-15")) == (
        str(first.amount),
        str(first.accounting_period),
        first.due_date,
    )


def test_what_is_not_given_is_as_usual_and_in_the_record() -> None:
    assert rent() == rb.monthly_rent("8500.00 DKK", date(2026, 1, 15))


def test_later_values_are_records_from_their_days() -> None:
    heating = recurring_item(
        "key:heating",
        amount("500 EUR"),
        "2026-01-01",
        amounts={"2026-07-01": "525.50 EUR", date(2027, 1, 1): amount("530 EUR")},
        quantities={"2026-08-01": "2.5"},
        vats={"2026-09-01": "Inclusive 21%"},
        due_day=-1,
    )

    assert [("525.50 EUR", "2026-07-01"), ("530 EUR", "2027-01-01")] == [
        (str(each.value), str(each.start)) for each in heating.amount_records
    ]
    assert (Decimal("2.5"), rb.Vat("Inclusive", "0.21"), -1) == (
        heating.quantity_records[0].value,
        heating.vat_records[0].value,
        heating.due_date_rule.day_of_period,
    )


def test_an_item_that_is_billed_once_belongs_to_its_due_date() -> None:
    keys = one_time_item("key:keys", "250 DKK", "2026-03-15", vat="Exclusive 25%", quantity="2")
    cleaning = one_time_item("key:cleaning", "99 DKK", "2026-03-15", accounting_period="2026-03")

    assert ("2026-03-15/2026-03-15", Decimal(2)) == (str(keys.accounting_period), keys.quantity)
    assert ("2026-03-01/2026-03-31", rb.Vat("Exempt")) == (
        str(cleaning.accounting_period),
        cleaning.vat,
    )


def test_a_lease_takes_its_parts_one_by_one() -> None:
    home, keys = rent(), one_time_item("k", "1 DKK", "2026-03-15")
    wrong: Any = [home]

    assert ("recurring-1", "one-time-1") == rb.LeaseTerms.of(keys, home).item_ids
    with pytest.raises(TypeError, match="pass each RecurringBillItem or OneTimeBillItem or"):
        rb.LeaseTerms.of(wrong)


def test_steps_follow_one_another_and_a_free_month_is_all_of_it() -> None:
    """Half for two quarters, then 500 DKK less without end; in any order (A62, A63)."""
    steps = stepped_discount({"2026-07-01": amount("500"), date(2026, 1, 1): "50%"})
    half = rb.Discount(percentage="50%", start_date="2026-01-01", end_date="2026-06-30")

    assert (half, rb.Discount(amount=amount("500"), start_date="2026-07-01")) == steps
    assert rent_free("2026-01-15", "2026-01-20", description="Free") == rb.Discount(
        percentage=1, start_date="2026-01-15", end_date="2026-01-20", description="Free"
    )
    one = rb.Discount(percentage="15%")
    assert rb.pending_bills(rent(discount=one), "2026") == rb.pending_bills(
        rent(discounts=[one]), "2026"
    )


def test_words_for_both_ends_of_part_periods_are_written_and_read() -> None:
    """One word is both; what is not given is not written (A66)."""
    item = recurring_item("key:rent", "9300.00 EUR", "2026-01-01", part_period="half_month")
    written, named = rb.dumps(item), '{"first": "half_month", "last": "half_month"}'
    yearly = rb.dumps(recurring_item("key:rent", "1 EUR", "2026-01-01", price_per="year"))

    assert f'"partPeriod": {named}' in written
    assert item == rb.loads(written, rb.RecurringBillItem)
    assert item == rb.loads(written.replace(named, '"half_month"'), rb.RecurringBillItem)
    assert '"pricePer": "year"' in yearly
    assert not {"partPeriod", "pricePer"} & {*rb.dumps(rent()).split('"')}
    assert "1.00 EUR a year" in str(rb.LeaseTerms.of(rb.loads(yearly, rb.RecurringBillItem)))


item = partial(recurring_item, "key:heating", "500 DKK", "2026-01-15")
lines = partial(rent, "1000")
TENTH, FIFTH = rb.Discount(percentage="10%"), rb.Discount(percentage="20%")
REFUSED: list[tuple[str, Call]] = [
    # An end before the beginning, of the computed opening and of a stated one (A158).
    ("InvalidPeriodError: ended_on reversed_period", lambda: item(ended_on="2025-12-31")),
    (
        "InvalidPeriodError: ended_on reversed_period",
        lambda: item(
            ended_on=date(2026, 1, 20),
            first_billing_period_bill_item=opening("2026-02-01/2026-02-28"),
        ),
    ),
    (
        "InvalidDiscountError: end_date reversed_period",
        lambda: rent_free("2026-02-01", "2026-01-31"),
    ),
    ("InvalidPeriodError: start_date not_a_date", lambda: rent_free("2026-02-30", "2026-03-31")),
    ("InvalidAmountError: steps out_of_range", lambda: stepped_discount({"2026-01-01": 2})),
    # Words and numbers, named as the argument that was given.
    ("UnknownWordError: part_period unknown_word", lambda: item(part_period="days/30")),
    ("InvalidRecordError: price_per unknown_word", lambda: item(price_per="week")),
    ("InvalidRecordError: months not_a_whole_number", lambda: item(months="quarter")),
    ("InvalidCycleError: months out_of_range", lambda: item(months=0)),
    ("InvalidDueDateRuleError: due_day day_zero", lambda: item(due_day=0)),
    # What an item's discounts cannot be (A22, A61); 834 off each month of 833.33 is too much (A65).
    (
        "InvalidDiscountError: discounts one_of_two",
        lambda: lines(discount=TENTH, discounts=[FIFTH]),
    ),
    (
        "InvalidDiscountError: discounts[1].amount discount_above_amount",
        lambda: lines(discounts=[TENTH, rb.Discount(amount=amount("1000.01"))]),
    ),
    (
        "InvalidDiscountError: discounts[0].amount discount_on_credit",
        lambda: rent("-1", discounts=[rb.Discount(amount=amount("1"))]),
    ),
    (
        "CurrencyMismatchError: discounts[0].amount.currency currency_mismatch",
        lambda: lines(discounts=[rb.Discount(amount=amount("1 EUR"))]),
    ),
    (
        "InvalidDiscountError: of discount_of_amount",
        lambda: rb.Discount(amount=amount("1"), of="rest"),
    ),
    (
        "InvalidDiscountError: discount.amount discount_above_amount",
        lambda: rent("10000", price_per="year", discount=rb.Discount(amount=amount("834"))),
    ),
]


@rows(("expected", "call"), REFUSED)
def test_what_cannot_be_is_refused_at_its_argument(expected: str, call: Call) -> None:
    assert expected == refusal_text(call)


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
    (problem,) = refused(lambda: item(**{argument: "x"}), InvalidRecordError).problems

    assert (argument, "unknown_field") == (problem.path, problem.code)
    assert problem.expected.startswith(expected)


def test_a_refusal_says_what_would_be_right() -> None:
    wrong: Any = 25
    with pytest.raises(InvalidVatError, match='such as "Exclusive 25%" or "Exempt"'):
        item(vat=wrong)
    with pytest.raises(InvalidRecordError, match=r"until: is not an argument .*one of product_key"):
        one_time_item("key:fee", "500 DKK", "2026-01-01", until="2026-02-01")  # type: ignore[call-arg]
