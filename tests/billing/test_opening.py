"""The opening period: a price for it where none was agreed, asked for and never silent (A14)."""

from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from rentbilling import (
    Amount,
    BillingCycle,
    BillingPolicy,
    Discount,
    FirstBillingPeriodBillItem,
    InvalidInputError,
    UnsupportedCaseError,
    first_billing_period,
)
from rentbilling.errors import (
    CurrencyMismatchError,
    InvalidAmountError,
    InvalidDiscountError,
    InvalidPeriodError,
    InvalidRecordError,
)
from tests.support.rents import amount, day, lines_of, rent

MOVED_IN = day("2026-01-15")
WHOLE_PERIOD = BillingPolicy(discount_end="whole_period")


def opened(
    price: str = "8500.00",
    moved_in: str = "2026-01-15",
    cycle: BillingCycle | None = None,
    **options: Any,  # noqa: ANN401
) -> FirstBillingPeriodBillItem:
    """Return an opening period of the plain rent, moved in on 15 January 2026."""
    return first_billing_period(amount(price), cycle or BillingCycle(), day(moved_in), **options)


def price_of(*given: Any, **options: Any) -> str:  # noqa: ANN401
    return f"{opened(*given, **options).amount.amount:f}"


def tenth(end: str | None = None) -> Discount:
    """Return a discount of 10 %, to a last day where one is given."""
    return Discount(percentage=Decimal("0.10"), end_date=None if end is None else day(end))


def test_it_has_the_share_of_the_regular_price() -> None:
    """17 of 31 days at 8,500 are 144,500 / 31 = 4,661.290…; due on moving in (A14, A20)."""
    opening = opened()

    assert (amount("4661.29"), MOVED_IN, "2026-01-15/2026-01-31") == (
        opening.amount,
        opening.due_date,
        str(opening.accounting_period),
    )


def test_it_is_due_when_the_caller_says() -> None:
    assert day("2026-01-10") == opened(due_date=day("2026-01-10")).due_date


@pytest.mark.parametrize(
    ("cycle", "moved_in", "days"),
    [
        (BillingCycle(), "2026-01-01", "2026-01-01/2026-01-31"),
        (BillingCycle(), "2026-01-31", "2026-01-31/2026-01-31"),
        (BillingCycle(start_day=15), "2026-01-15", "2026-01-15/2026-02-14"),
        (BillingCycle(start_day=15), "2026-01-10", "2026-01-10/2026-01-14"),
        (BillingCycle(period_length=3, start=2), "2026-01-15", "2026-01-15/2026-01-31"),
        (BillingCycle(period_length=3), "2026-01-15", "2026-01-15/2026-03-31"),
        # Five months count from the first 1 January after moving in.
        (BillingCycle(period_length=5), "2026-03-15", "2026-03-15/2026-12-31"),
        (BillingCycle(time_unit="Year", start=4), "2026-03-15", "2026-03-15/2026-03-31"),
        # 15 January 2026 is a Thursday, the 19th a Monday.
        (BillingCycle(time_unit="Week"), "2026-01-15", "2026-01-15/2026-01-18"),
        (BillingCycle(time_unit="Week"), "2026-01-19", "2026-01-19/2026-01-25"),
        (BillingCycle(time_unit="Day", period_length=10), "2026-01-15", "2026-01-15/2026-01-24"),
    ],
)
def test_it_runs_to_the_day_before_the_next_regular_period(
    cycle: BillingCycle, moved_in: str, days: str
) -> None:
    """The first that starts after the day of moving in; of days it is one whole cycle (A14)."""
    assert days == str(opened(moved_in=moved_in, cycle=cycle).accounting_period)


@pytest.mark.parametrize(
    ("cycle", "price", "moved_in", "expected"),
    [
        # A whole month.
        (BillingCycle(), "8500.00", "2026-01-01", "8500.00"),
        # From the 15th: 5 days of the 31 from 15 December: 3,100 × 5/31.
        (BillingCycle(start_day=15), "3100.00", "2026-01-10", "500.00"),
        # A quarter from 15 January: (17/31 + 2)/3 of 9,300 = 79/93 × 9,300.
        (BillingCycle(period_length=3), "9300.00", "2026-01-15", "7900.00"),
        # Nearly ten months of a cycle of five: (17/31 + 9)/5 of 15,500 = 296/155 × 15,500.
        (BillingCycle(period_length=5), "15500.00", "2026-03-15", "29600.00"),
        # 4 of 7 days.
        (BillingCycle(time_unit="Week"), "700.00", "2026-01-15", "400.00"),
        (BillingCycle(time_unit="Day", period_length=10), "99.99", "2026-01-15", "99.99"),
        # A credit: 17/31 of −310.
        (BillingCycle(), "-310.00", "2026-01-15", "-170.00"),
        # 46,612.903… yen; 138.72987… dinars, which have three decimals.
        (BillingCycle(), "85000 JPY", "2026-01-15", "46613"),
        (BillingCycle(), "252.978 KWD", "2026-01-15", "138.730"),
    ],
)
def test_its_price_follows_its_days(
    cycle: BillingCycle, price: str, moved_in: str, expected: str
) -> None:
    """In the cycle's own months; above the regular price where it is longer (A14, A20)."""
    assert expected == price_of(price, moved_in, cycle)


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("actual_days", "4661.29"),
        ("period_days", "4661.29"),
        # 16 of 30 days: 4,533.333…
        ("thirty_day", "4533.33"),
        # 12 × 8,500 × 17 / 365 = 4,750.684…
        ("year_365", "4750.68"),
        # 17 days are a whole month.
        ("half_month", "8500.00"),
        ("full", "8500.00"),
    ],
)
def test_the_policy_says_how_its_share_is_counted(method: Any, expected: str) -> None:  # noqa: ANN401
    """All six methods (A20)."""
    assert expected == price_of(policy=BillingPolicy(part_period=method))


@pytest.mark.parametrize(
    ("cycle", "moved_in", "expected"),
    [
        # 9 and 17/31 months are one cycle of five and a second that has begun.
        (BillingCycle(period_length=5), "2026-03-15", "10000.00"),
        # 1 March to 31 December are ten months: two cycles, and no third.
        (BillingCycle(period_length=5), "2026-03-01", "10000.00"),
        # From 28 February they are ten months and a day.
        (BillingCycle(period_length=5), "2026-02-28", "15000.00"),
    ],
)
def test_in_full_every_cycle_that_was_begun_counts(
    cycle: BillingCycle, moved_in: str, expected: str
) -> None:
    """An opening of several cycles is as many times the regular price (A14, A20)."""
    assert expected == price_of(
        "5000.00", moved_in, cycle, policy=BillingPolicy(part_period="full")
    )


@pytest.mark.parametrize(
    ("rounding", "expected"), [("half_up", "4661.29"), ("up", "4661.30"), ("down", "4661.29")]
)
def test_it_is_rounded_as_the_policy_says(rounding: Any, expected: str) -> None:  # noqa: ANN401
    """4,661.290… (A3)."""
    assert expected == price_of(policy=BillingPolicy(rounding=rounding))


def test_the_line_is_rounded_for_all_units_together() -> None:
    """100 m² at 8.50: 466.13, which 4.6613 a unit gives and 4.66 does not (A14, A21)."""
    opening = opened("8.50", quantity=100)
    item = rent("8.50", quantity=100, first_billing_period_bill_item=opening)
    line = lines_of(item, "2026-01-15/2026-01-15")[0]

    assert (amount("4.6613"), amount("466.13")) == (opening.amount, line.net_price)


def test_a_credit_of_units_has_a_positive_price() -> None:
    """Minus 3 at 310.00 for 17/31 are −510.00, so one unit is 170.00 (A21, A26)."""
    assert "170.00" == price_of("310.00", quantity=Decimal(-3))


@pytest.mark.parametrize(
    ("discount", "expected"),
    [
        (None, "4661.29"),
        # 7,650 × 17/31 = 4,195.161…
        (tenth(), "4195.16"),
        # 8,000 × 17/31 = 4,387.096…
        (Discount(amount=amount("500.00")), "4387.10"),
        (Discount(amount=amount("8500.00")), "0.00"),
        # It ended the day before.
        (tenth("2026-01-14"), "4661.29"),
        # On its first day alone: (7,650 + 16 × 8,500)/31 = 143,650/31 = 4,633.870…
        (tenth("2026-01-15"), "4633.87"),
        # 6 days with it, 11 without: (6 × 7,650 + 11 × 8,500)/31 = 139,400/31 = 4,496.774…
        (tenth("2026-01-20"), "4496.77"),
        (tenth("2026-01-31"), "4195.16"),
        (tenth("2026-12-31"), "4195.16"),
    ],
)
def test_the_discount_is_in_the_price(discount: Discount | None, expected: str) -> None:
    """A stated opening amount is final, so that nothing comes off later (A14, A23, A24)."""
    assert expected == price_of(discount=discount)


@pytest.mark.parametrize(
    ("end", "expected"), [("2026-01-14", "4661.29"), ("2026-01-15", "4195.16")]
)
def test_a_discount_may_count_for_the_whole_period(end: str, expected: str) -> None:
    """Where the policy decides by the first day (A23)."""
    assert expected == price_of(discount=tenth(end), policy=WHOLE_PERIOD)


def test_a_discount_that_ends_inside_counts_by_the_days_of_the_method() -> None:
    """16 of 30 days: 6 with it, 10 without: 7,650 × 6/30 + 8,500 × 10/30 = 4,363.333… (A20)."""
    thirty = BillingPolicy(part_period="thirty_day")

    assert "4363.33" == price_of(discount=tenth("2026-01-20"), policy=thirty)


def test_a_discount_in_the_price_does_not_come_off_again() -> None:
    """The item carries it too, and the opening bill asks for 4,195.16 (A12, A24)."""
    opening = opened(discount=tenth())
    item = rent(discount=tenth(), first_billing_period_bill_item=opening)

    assert [amount("4195.16"), amount("7650.00")] == [
        line.net_price for line in lines_of(item, "2026-01-15/2026-02-01")
    ]


def test_it_is_only_a_help() -> None:
    """What an item states is billed, also where the share would be another amount (A12, A14)."""
    stated = opened().evolve(amount=amount("1.00"))
    line = lines_of(rent(first_billing_period_bill_item=stated), "2026-01-15/2026-01-15")[0]

    assert (amount("1.00"), "opening", Fraction(1)) == (line.net_price, line.kind, line.share)


def test_a_private_currency_has_the_minor_units_of_the_policy() -> None:
    """17/31 of 100.0 points are 54.83…; with one decimal 54.8 (A2)."""
    policy = BillingPolicy(currencies={"POINTS": 1})
    points = Amount(100, "POINTS", currencies=policy.currencies)
    found = first_billing_period(points, BillingCycle(), MOVED_IN, policy=policy)

    assert Decimal("54.8") == found.amount.amount


@pytest.mark.parametrize(
    ("price", "off", "kind", "code"),
    [
        ("8500.00", "8500.01", InvalidDiscountError, "discount_above_amount"),
        ("-8500.00", "1.00", InvalidDiscountError, "discount_on_credit"),
        ("8500.00", "1.00 EUR", CurrencyMismatchError, "currency_mismatch"),
    ],
)
def test_a_discount_that_an_item_could_not_have_is_refused(
    price: str, off: str, kind: type[InvalidInputError], code: str
) -> None:
    """As when the item is made (A2, A22)."""
    with pytest.raises(kind) as caught:
        opened(price, discount=Discount(amount=amount(off)))

    assert code == caught.value.code


@pytest.mark.parametrize(
    ("quantity", "kind", "code"),
    [
        (0, InvalidRecordError, "zero_quantity"),
        (Decimal("NaN"), InvalidAmountError, "not_finite"),
        (True, InvalidAmountError, "not_a_number"),
        ("2", InvalidAmountError, "not_a_number"),
    ],
)
def test_a_quantity_of_nothing_or_no_number_is_refused(
    quantity: Any,  # noqa: ANN401
    kind: type[InvalidInputError],
    code: str,
) -> None:
    """With its path; binary numbers and texts come in through `loads` only (A1, A21)."""
    with pytest.raises(kind) as caught:
        opened(quantity=quantity)

    assert [("quantity", code)] == [(each.path, each.code) for each in caught.value.problems]


@pytest.mark.parametrize("field", ["moved_in", "due_date"])
def test_a_date_time_is_refused(field: str) -> None:
    """Which day 23:00 is depends on where the lease is (A58)."""
    late = datetime(2026, 1, 15, 23)  # noqa: DTZ001 - that it has no zone is part of the point.
    given: dict[str, Any] = {"moved_in": MOVED_IN, "due_date": date(2026, 1, 15), field: late}

    with pytest.raises(InvalidPeriodError) as caught:
        first_billing_period(amount("8500.00"), BillingCycle(), **given)

    assert "date_time_for_date" == caught.value.code


def test_days_may_be_given_as_texts() -> None:
    """As dates are written (A58)."""
    found = first_billing_period(
        amount("8500.00"), BillingCycle(), "2026-01-15", due_date="2026-01-10"
    )

    assert (amount("4661.29"), day("2026-01-10")) == (found.amount, found.due_date)


@pytest.mark.parametrize(
    "cycle",
    [
        {"period_length": 3, "start": 11},
        {"time_unit": "Year", "start": 2},
        {"time_unit": "Day", "period_length": 18},
    ],
)
def test_an_opening_period_past_the_calendar_is_refused(cycle: dict[str, Any]) -> None:
    """To the end of December 9999 it may run, and to no day of the year 10000."""
    last = opened(moved_in="9999-12-15", cycle=BillingCycle(time_unit="Day", period_length=17))

    with pytest.raises(UnsupportedCaseError) as caught:
        opened(moved_in="9999-12-15", cycle=BillingCycle(**cycle))

    assert ("9999-12-15/9999-12-31", "unsupported") == (
        str(last.accounting_period),
        caught.value.code,
    )


@pytest.mark.parametrize(
    ("name", "value"), [("amount", 8500), ("cycle", "Month"), ("discount", Decimal("0.1"))]
)
def test_what_no_value_could_make_right_is_a_type_error(name: str, value: object) -> None:
    given: dict[str, Any] = {"amount": amount("1.00"), "cycle": BillingCycle(), name: value}

    with pytest.raises(TypeError):
        first_billing_period(moved_in=MOVED_IN, **given)
