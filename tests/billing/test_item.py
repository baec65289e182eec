"""One item made ready for billing: what it adds to the bills of an asked period."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

import rentbilling as rb
from rentbilling.billing import CompiledItem
from rentbilling.billing.lines import VatGroups
from rentbilling.errors import UnknownWordError
from rentbilling.values import NEVER
from tests.support.rents import day, opening, period, price_from, quarterly, rent
from tests.support.rows import rows

FOLLOWING = rb.BillingPolicy(business_day="following")

Told = list[tuple[str, str, str]]
"""Due date, days and net price in minor units of each line, in order of due dates."""


def billed(
    item: rb.RecurringBillItem,
    contract_end: str | None = None,
    policy: rb.BillingPolicy | None = None,
) -> CompiledItem:
    end = NEVER if contract_end is None else day(contract_end).toordinal()
    return CompiledItem(item, "recurring-1", end, VatGroups(), policy or rb.BillingPolicy())


def told(by_day: dict[int, list[Any]]) -> Told:
    return [
        (date.fromordinal(due).isoformat(), str(rb.Period.unchecked(first, last)), str(figures.net))
        for due in sorted(by_day)
        for figures, first, last in by_day[due]
    ]


def due(item: CompiledItem, days: str) -> Told:
    asked = period(days)
    by_day: dict[int, list[Any]] = {}
    item.add_lines(asked.first, asked.last, by_day)
    return told(by_day)


def started(item: CompiledItem, days: str) -> Told:
    asked = period(days)
    by_day: dict[int, list[Any]] = {}
    item.add_lines_started(asked.first, asked.last, by_day)
    return told(by_day)


def counted(item: CompiledItem, days: str) -> int:
    asked = period(days)
    return item.count_lines(asked.first, asked.last)


OPENING = ("2026-01-15", "2026-01-15/2026-01-31", "466129")
FEBRUARY = ("2026-02-02", "2026-02-01/2026-02-28", "850000")
MARCH = ("2026-03-02", "2026-03-01/2026-03-31", "850000")
APRIL = ("2026-04-02", "2026-04-01/2026-04-30", "850000")
ON_THE_2ND = rent(due_date_rule=rb.DueDateRule(day_of_period=2))
"""The plain rent, due on days that no weekend moves: Monday, Monday and Thursday."""


@rows(
    ("days", "expected"),
    [
        ("2026-01-01/2026-01-14", []),
        ("2026-01-15/2026-01-15", [OPENING]),
        ("2026-01-15/2026-02-28", [OPENING, FEBRUARY]),
        ("2026-02-02/2026-02-02", [FEBRUARY]),
        ("2026-02-03/2026-03-01", []),
        ("2026-02-03/2026-04-30", [MARCH, APRIL]),
        ("2026-03-31/2026-04-02", [APRIL]),
    ],
)
@rows("policy", [rb.BillingPolicy(), FOLLOWING])
def test_an_item_adds_what_falls_due_in_the_asked_days(
    policy: rb.BillingPolicy, days: str, expected: Told
) -> None:
    """The opening and the months, in the loop of the common case and beside it (A12, A13, A15)."""
    assert expected == due(billed(ON_THE_2ND, policy=policy), days)


def test_days_near_the_end_of_the_calendar_are_walked_with_care() -> None:
    """The lease ended long before: two months and nothing else in 8,000 years (A17)."""
    item = billed(ON_THE_2ND, "2026-04-30")

    assert [MARCH, APRIL] == due(item, "2026-03-01/9999-12-31")


def test_a_cycle_of_months_is_found_in_any_month() -> None:
    """Every fourth month from February 2026; asked years later, in between and at a start (A8)."""
    item = billed(rent(billing_cycle=rb.BillingCycle(period_length=4, start=2)))

    assert (
        [("2036-06-01", "2036-06-01/2036-09-30", "850000")],
        [],
        [("2036-10-01", "2036-10-01/2037-01-31", "850000")],
    ) == (
        due(item, "2036-03-15/2036-06-01"),
        due(item, "2036-06-02/2036-09-30"),
        due(item, "2036-10-01/2036-10-31"),
    )


@rows(
    ("cycle", "number", "days", "expected"),
    [
        ({}, 27, "2026-02-27/2026-03-27", ["2026-02-01/2026-02-28", "2026-03-01/2026-03-31"]),
        ({}, -1, "2026-01-31/2026-02-28", ["2026-02-01/2026-02-28", "2026-03-01/2026-03-31"]),
        # 31 days before 1 March and 1 April.
        ({}, -31, "2026-01-29/2026-03-01", ["2026-03-01/2026-03-31", "2026-04-01/2026-04-30"]),
        # 100 days before 1 May are 21 January, before 1 December 23 August.
        ({}, -100, "2026-01-21/2026-01-21", ["2026-05-01/2026-05-31"]),
        ({}, -100, "2026-08-23/2026-08-23", ["2026-12-01/2026-12-31"]),
        # Months from the 15th, of which day 20 and day 28 are in the next calendar month.
        ({"start_day": 15}, 20, "2026-08-01/2026-08-31", ["2026-07-15/2026-08-14"]),
        ({"start_day": 31}, 28, "2030-02-27/2030-02-27", ["2030-01-31/2030-02-27"]),
        # Quarters: the one before the asked month, or three after it.
        (
            {"period_length": 3, "start_day": 31},
            10,
            "2030-05-09/2030-05-10",
            ["2030-04-30/2030-07-30"],
        ),
        ({"period_length": 3}, -100, "2030-03-23/2030-03-23", ["2030-07-01/2030-09-30"]),
    ],
)
def test_bills_long_before_or_after_a_start_are_found(
    cycle: dict[str, Any], number: int, days: str, expected: list[str]
) -> None:
    """Whatever month the asked days are in (A9, A10)."""
    item = rent(
        billing_cycle=rb.BillingCycle(**cycle),
        due_date_rule=rb.DueDateRule(day_of_period=number),
        first_billing_period_bill_item=opening(due="2026-01-01"),
    )

    assert expected == [each for _, each, _ in due(billed(item), days)]


def test_lines_of_one_due_date_stand_together() -> None:
    """The opening, due with February, and the lines of another item follow each other (A16)."""
    late = billed(rent(first_billing_period_bill_item=opening(due="2026-02-01")))
    by_day: dict[int, list[Any]] = {}
    first = day("2026-02-01").toordinal()
    for item in (late, billed(quarterly("300.00")), billed(rent("100.00"))):
        item.add_lines(first, first, by_day)

    assert [
        ("2026-02-01", "2026-01-15/2026-01-31", "466129"),
        ("2026-02-01", "2026-02-01/2026-02-28", "850000"),
        ("2026-02-01", "2026-02-01/2026-02-28", "10000"),
    ] == told(by_day)


def test_months_of_one_price_share_their_figures() -> None:
    item = billed(rent())
    asked = period("2026-01-01/2026-03-31")
    answers: list[list[Any]] = []
    for _ in range(2):
        by_day: dict[int, list[Any]] = {}
        item.add_lines(asked.first, asked.last, by_day)
        answers.append([figures for ((figures, _, _),) in by_day.values()])
    made, same = answers

    assert made[1] is made[2]
    assert all(one is other for one, other in zip(made, same, strict=True))


@rows(("end", "expected"), [("2026-01-14", []), ("2026-01-15", [OPENING])])
def test_an_opening_period_after_the_end_adds_nothing(end: str, expected: Told) -> None:
    """By neither of the two ways to ask (A15, A17)."""
    item, days = billed(rent(), end), "2026-01-01/2026-12-31"

    assert (expected, expected) == (due(item, days), started(item, days))


def test_no_other_unit_is_billed() -> None:
    """The refusal lists the four; half a month is no whole length (A7)."""
    with pytest.raises(UnknownWordError) as unit:
        rb.BillingCycle(time_unit="Fortnight")
    with pytest.raises(rb.InvalidInputError) as length:
        rb.BillingCycle(period_length=Decimal("0.5"))  # type: ignore[arg-type]

    assert ("one of Month, Year, Week, Day", "not_a_whole_number") == (
        unit.value.problems[0].expected,
        length.value.code,
    )


@rows(
    ("days", "expected"),
    [
        ("2026-01-15/2026-01-15", [OPENING]),
        ("2026-01-16/2026-02-01", [FEBRUARY]),
        # February is under way on the 10th, but did not start in these days.
        ("2026-02-10/2026-03-01", [MARCH]),
        ("2026-02-10/2026-02-28", []),
    ],
)
def test_lines_can_be_asked_for_by_the_day_they_start(days: str, expected: Told) -> None:
    """They keep the due date of their bill (A15)."""
    assert expected == started(billed(ON_THE_2ND), days)


def test_each_part_of_a_split_starts_by_itself() -> None:
    """300 a quarter, 600 from 1 February: 400 start in February, due on 1 January (A15, A19)."""
    item = billed(quarterly("300.00", amount_records=(price_from("2026-02-01", "600"),)))

    assert [("2026-01-01", "2026-02-01/2026-03-31", "40000")] == started(
        item, "2026-02-01/2026-02-28"
    )


@rows(
    ("cancelled_on", "months"),
    [
        ("2026-03-15", ["2026-02-01/2026-02-28"]),
        ("2026-03-16", ["2026-02-01/2026-02-28", "2026-03-01/2026-03-31"]),
    ],
)
def test_nothing_starts_in_days_whose_bill_a_cancellation_stops(
    cancelled_on: str, months: list[str]
) -> None:
    """March falls due on the 15th (A15, A17)."""
    rule = rb.DueDateRule(day_of_period=15)
    item = billed(rent(due_date_rule=rule, cancelled_on=day(cancelled_on)))

    assert months == [each for _, each, _ in started(item, "2026-02-01/2026-12-31")]


def test_a_product_follows_its_own_policy() -> None:
    """The end on 14 February cuts nothing where parts count in full (A54)."""
    policy = rb.BillingPolicy(by_product={"key:rent": rb.BillingPolicy(part_period="full")})

    assert [("2026-02-01", "2026-02-01/2026-02-14", "850000")] == due(
        billed(rent(), "2026-02-14", policy), "2026-02-01/2026-02-28"
    )


CHANGING = quarterly(
    "300.00",
    # On the first day of a quarter, and inside two others.
    amount_records=(
        price_from("2026-02-01", "600"),
        price_from("2026-04-01", "700"),
        price_from("2026-08-15", "800"),
    ),
    discount=rb.Discount(percentage=Decimal("0.10"), end_date=day("2026-02-28")),
)


@rows(
    ("item", "days", "count"),
    [
        (rent(), "2026-01-01/2026-01-14", 0),
        (rent(), "2026-01-01/2026-01-31", 1),
        (rent(), "2026-02-02/2026-02-28", 0),
        (rent(), "2026-01-15/2026-12-31", 12),
        (rent(ended_on=day("2026-02-14")), "2026-01-15/2026-12-31", 2),
        (rent(cancelled_on=day("2026-03-01")), "2026-01-15/2026-12-31", 2),
        # January, February and March of the first quarter, one line for each.
        (CHANGING, "2026-01-01/2026-01-01", 3),
        (CHANGING, "2026-04-01/2026-04-01", 1),
        # The day after the quarter, and the one after that, are none of its days.
        (quarterly(amount_records=(price_from("2026-04-02", "1"),)), "2026-01-01/2026-01-01", 1),
        # 3 + 1 + 2 + 1.
        (CHANGING, "2026-01-01/2026-12-31", 7),
        # To 14 February only: the discount's end comes later.
        (CHANGING.evolve(ended_on=day("2026-02-14")), "2026-01-01/2026-12-31", 2),
    ],
)
def test_lines_are_counted_without_computing_them(
    item: rb.RecurringBillItem, days: str, count: int
) -> None:
    """As many as there are (A60)."""
    made = billed(item)

    assert (count, count) == (counted(made, days), len(due(made, days)))


@rows(
    ("item", "days", "lines"),
    [
        (rent(), "2026-01-01/2026-01-31", 1),
        (rent(), "2026-03-01/2026-05-31", 3),
        # The changes on 1 February, 1 March, 1 April and 15 August are lines of their own.
        (CHANGING, "2026-01-01/2026-12-31", 7),
    ],
)
def test_lines_that_start_are_counted_without_computing_them(
    item: rb.RecurringBillItem, days: str, lines: int
) -> None:
    """As many as there are (A60)."""
    made, asked = billed(item), period(days)

    assert lines == len(started(made, days)) == made.count_lines_started(asked.first, asked.last)


def test_an_item_knows_its_currency_and_its_notices() -> None:
    """A start before the opening due date, from the one to the other (A12)."""
    item = billed(rent(started_on=day("2026-01-01")))
    ((first, last, notice),) = item.notices

    assert ("DKK", "2026-01-01/2026-01-15", "started_on_before_opening_due_date") == (
        item.currency,
        str(rb.Period.unchecked(first, last)),
        notice.code,
    )
