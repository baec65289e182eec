"""Bills: what is asked for, what is billed together, and what is refused."""

from collections.abc import Callable, Iterable
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from rentbilling import (
    BillingCycle,
    BillingPolicy,
    BillingResult,
    CompiledTerms,
    DueDateRule,
    InvalidInputError,
    LeaseTerms,
    QuantityRecord,
    UnsupportedCaseError,
    bill_period,
    compile_terms,
    pending_bills,
)
from rentbilling.errors import InvalidPeriodError, InvalidRecordError
from tests.support.rents import (
    YEAR,
    amount,
    day,
    due_dates,
    fee,
    lines_of,
    noticed,
    opening,
    period,
    price_from,
    quarterly,
    rent,
    told,
    vat,
)

BY_START = BillingPolicy(select="accounting_period")
FEBRUARY = "2026-02-01/2026-02-28"
DAILY = BillingCycle(time_unit="Day")

TERMS = LeaseTerms(lease_id="lease-1", recurring_bill_items=(rent(),), one_time_bill_items=(fee(),))
"""The plain rent, and a fee of 100.00 due on 1 February."""


def totals(result: BillingResult) -> list[tuple[str, str]]:
    return [(bill.due_date.isoformat(), str(bill.total)) for bill in result]


def bound(lines: int, **choices: Any) -> BillingPolicy:  # noqa: ANN401
    return BillingPolicy(max_lines=lines, **choices)


@pytest.mark.parametrize(
    "given",
    [
        TERMS,
        [fee(), rent()],
        (rent(), fee()),
        (item for item in (rent(), fee())),
        compile_terms(TERMS),
    ],
)
def test_terms_items_and_compiled_terms_are_billed_alike(given: Any) -> None:  # noqa: ANN401
    """8,500 and the fee of 100 on one bill; a generator is an iterable, too (A16)."""
    result = pending_bills(given, FEBRUARY)

    assert [("2026-02-01", "8600.00 DKK")] == totals(result)


def test_one_item_is_billed_by_itself() -> None:
    """Recurring or one-time (A55)."""
    assert ([("2026-02-01", "8500.00 DKK")], [("2026-02-01", "100.00 DKK")]) == (
        totals(pending_bills(rent(), FEBRUARY)),
        totals(pending_bills(fee(), FEBRUARY)),
    )


@pytest.mark.parametrize("given", [None, 1, "rent", b"rent", {}, [rent(), None], [TERMS]])
def test_what_is_no_bill_item_is_refused(given: Any) -> None:  # noqa: ANN401
    with pytest.raises(InvalidRecordError) as caught:
        pending_bills(given, FEBRUARY)

    assert "not_billable" == caught.value.code


def test_terms_are_compiled_once_and_billed_for_many_periods() -> None:
    compiled = compile_terms(TERMS)
    january, february = (
        pending_bills(compiled, each) for each in ("2026-01-01/2026-01-31", FEBRUARY)
    )

    assert isinstance(compiled, CompiledTerms)
    assert compile_terms(compiled) is compiled
    assert ([("2026-01-15", "4661.29 DKK")], [("2026-02-01", "8600.00 DKK")]) == (
        totals(january),
        totals(february),
    )


def test_the_policy_is_baked_in() -> None:
    """An equal one may be said again, another one is refused (A59)."""
    own = BillingPolicy(part_period="full")
    compiled = compile_terms(TERMS, policy=own)
    result = pending_bills(compiled, FEBRUARY, policy=BillingPolicy(part_period="full"))

    with pytest.raises(InvalidRecordError) as caught:
        pending_bills(compiled, FEBRUARY, policy=BillingPolicy())

    assert (own, own, "policy", "policy_mismatch") == (
        compiled.policy,
        result.policy,
        caught.value.problems[0].path,
        caught.value.code,
    )


def test_an_answer_knows_what_was_asked() -> None:
    """Its period, its lease and its policy (A56)."""
    result = pending_bills(TERMS, FEBRUARY)

    assert (period(FEBRUARY), "lease-1", BillingPolicy()) == (
        result.period,
        result.lease_id,
        result.policy,
    )


def test_bills_and_adjustments_are_asked_for_together() -> None:
    """There are no adjustments yet, so that the bills are all."""
    result = bill_period(TERMS, FEBRUARY)

    assert (pending_bills(TERMS, FEBRUARY), ()) == (result, result.adjustments)


def test_nothing_to_bill_makes_an_empty_answer() -> None:
    assert ([], []) == (
        totals(pending_bills([], YEAR)),
        totals(pending_bills(rent(), "2026-02-02/2026-02-28")),
    )


@pytest.mark.parametrize(
    ("days", "dates"),
    [
        ("2026-01-16/2026-02-01", ["2026-02-01"]),
        ("2026-01-16/2026-01-31", []),
        ("2026-02-01/2026-02-01", ["2026-02-01"]),
        ("2026-02-01/2026-03-01", ["2026-02-01", "2026-03-01"]),
    ],
)
def test_both_ends_of_an_asked_period_belong_to_it(days: str, dates: list[str]) -> None:
    """One day is a period (A4, A15)."""
    assert (dates, dates) == (
        due_dates(rent(), days),
        [bill.due_date.isoformat() for bill in pending_bills(rent(), period(days))],
    )


def test_a_half_open_period_ends_the_day_before() -> None:
    """To 1 February is to 31 January; a period value has its days already (A4)."""
    half_open = BillingPolicy(period_end="excluded")

    assert ([], ["2026-02-01"], ["2026-02-01"]) == (
        due_dates(rent(), "2026-01-16/2026-02-01", half_open),
        due_dates(rent(), "2026-01-16/2026-02-02", half_open),
        [
            bill.due_date.isoformat()
            for bill in pending_bills(rent(), period("2026-01-16/2026-02-01"), policy=half_open)
        ],
    )


@pytest.mark.parametrize(
    ("days", "period_end", "expected"),
    [
        ("2026-02-28/2026-02-01", "included", "2026-02-01/2026-02-28"),
        ("2026-02-01/2026-02-01", "excluded", "at least one day"),
    ],
)
def test_a_reversed_or_empty_period_is_refused(days: str, period_end: Any, expected: str) -> None:  # noqa: ANN401
    """With what would be right (A4)."""
    with pytest.raises(InvalidPeriodError) as caught:
        pending_bills(rent(), days, policy=BillingPolicy(period_end=period_end))

    assert [("period", "reversed_period", expected)] == [
        (each.path, each.code, each.expected) for each in caught.value.problems
    ]


@pytest.mark.parametrize(
    ("days", "code", "expected"),
    [
        (
            "2025-12-31T23:00Z/2026-01-31",
            "date_time_for_date",
            "a date alone: 2025-12-31, or the day it is where the lease is",
        ),
        ("20260101/2026-01-31", "not_a_date", "YYYY-MM-DD: 2026-01-01"),
        ("2026-1-1/2026-01-31", "not_a_date", "YYYY-MM-DD"),
        ("2026-02-29/2026-03-31", "not_a_date", "YYYY-MM-DD"),
    ],
)
def test_an_asked_period_has_dates_and_nothing_else(days: str, code: str, expected: str) -> None:
    """31 December 23:00 UTC is 1 January in Copenhagen, another month's bills (A58)."""
    with pytest.raises(InvalidPeriodError) as caught:
        pending_bills(rent(), days)

    assert [("period", code, expected)] == [
        (each.path, each.code, each.expected) for each in caught.value.problems
    ]


@pytest.mark.parametrize(
    "make",
    [
        lambda text: fee().evolve(due_date=text),
        lambda text: rent(started_on=text),
        lambda text: rent(ended_on=text),
        lambda text: rent(cancelled_on=text),
        lambda text: LeaseTerms(contract_end=text),
    ],
)
def test_no_bill_depends_on_a_time_of_day(make: Callable[[str], object]) -> None:
    """Items and leases take dates alone (A58)."""
    made = make("2026-01-01")

    with pytest.raises(InvalidInputError) as caught:
        make("2025-12-31T23:00Z")

    assert (True, "date_time_for_date") == (made is not None, caught.value.code)


def test_bills_stand_in_order_of_due_date_then_currency() -> None:
    """Two currencies never meet in one sum (A2, A16)."""
    items = [
        fee("10.00 EUR", "2026-03-01"),
        fee("20.00 EUR", "2026-02-01"),
        fee("30.00 DKK", "2026-03-01"),
        fee("5.00 EUR", "2026-03-01"),
        fee("40.00 DKK", "2026-02-01"),
    ]

    assert [
        ("2026-02-01", "40.00 DKK"),
        ("2026-02-01", "20.00 EUR"),
        ("2026-03-01", "30.00 DKK"),
        ("2026-03-01", "15.00 EUR"),
    ] == totals(pending_bills(items, YEAR))


def test_lines_stand_in_the_order_of_the_items() -> None:
    """Recurring before one-time, whatever the order of their days (A16)."""
    items = [
        fee("1.00", "2026-02-01", "2026-03-01/2026-03-31"),
        rent("100.00"),
        fee("2.00", "2026-02-01", "2026-01-01/2026-01-31"),
        rent("200.00", first_billing_period_bill_item=opening(due="2026-02-01")),
    ]

    assert ["100.00", "4661.29", "200.00", "1.00", "2.00"] == [
        net for _, net in told(items, FEBRUARY)
    ]


def test_lines_and_bills_of_nothing_are_listed() -> None:
    """A free month is on a bill of 0.00 (A16)."""
    assert ([("2026-02-01", "0.00 DKK")], 1) == (
        totals(pending_bills(rent("0.00"), FEBRUARY)),
        len(lines_of(rent("0.00"), FEBRUARY)),
    )


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        (None, [("2026-03-01/2026-03-31", "8500.00"), ("2026-02-10/2026-02-10", "100.00")]),
        (BY_START, [("2026-02-01/2026-02-28", "8500.00"), ("2026-02-10/2026-02-10", "100.00")]),
    ],
)
def test_an_asked_period_holds_what_is_due_or_what_starts_in_it(
    policy: BillingPolicy | None, expected: list[tuple[str, str]]
) -> None:
    """Rent due the day before its month; a fee for 10 February due on the 28th (A15)."""
    early = rent(due_date_rule=DueDateRule(day_of_period=-1))

    assert expected == told(
        [early, fee(due="2026-02-28", days="2026-02-10/2026-02-10")], FEBRUARY, policy
    )


def test_a_fee_is_asked_for_by_its_due_date_or_its_first_day() -> None:
    """One for January due in March, one for March due in January; bills keep their date (A15)."""
    fees = [
        fee(due="2026-03-10", days="2026-01-05/2026-01-31"),
        fee(due="2026-01-10", days="2026-03-05/2026-03-31"),
    ]
    months = [f"{month}-01/{month}-28" for month in ("2026-01", "2026-03")]

    assert ([["2026-01-10"], ["2026-03-10"]], [["2026-03-10"], ["2026-01-10"]]) == (
        [due_dates(fees, each) for each in months],
        [due_dates(fees, each, BY_START) for each in months],
    )


def test_a_product_of_its_own_policy_shares_the_bill() -> None:
    """2.5 × 33.33 = 83.325: 83.33 and, cut down, 83.32; VAT on both is 41.6625 (A54)."""
    policy = BillingPolicy(by_product={"key:parking": BillingPolicy(rounding="down")})
    tax = vat("Exclusive", "0.25")
    items = [
        fee("33.33", quantity=Decimal("2.5"), vat=tax),
        fee("33.33", quantity=Decimal("2.5"), vat=tax, product_key="key:parking"),
    ]
    (bill,) = pending_bills(items, FEBRUARY, policy=policy)

    assert (["83.33", "83.32"], amount("166.65"), amount("208.31")) == (
        [f"{line.net_price.amount:f}" for line in bill.lines],
        bill.subtotal,
        bill.total,
    )


def test_every_line_names_its_item() -> None:
    """By its id, or by its position (A56, A57)."""
    items = [rent(), rent(id="garage"), fee(), fee(id="key")]

    assert ["recurring-1", "garage", "one-time-1", "key"] == [
        line.item_id for line in lines_of(items, FEBRUARY)
    ]


def test_each_notice_of_an_answer_is_given_once() -> None:
    """An item's own, while it is in question, before those of lines; the credit is on every bill.

    The start on 1 January is in question to the opening's due date, 15 January (A12, A21).
    """
    items = [rent(quantity=-1, id="a"), rent(started_on=day("2026-01-01"), id="b")]
    own, credit = ("started_on_before_opening_due_date", "b"), ("credit_quantity", "a")

    assert ([own, credit], [credit]) == tuple(
        [(notice.code, notice.item_id) for notice in pending_bills(items, days).notices]
        for days in ("2026-01-01/2026-03-31", "2026-01-16/2026-03-31")
    )


def test_a_line_brings_its_notice_where_it_is_billed() -> None:
    """A fee with a credit quantity is due on 1 February, and not in March (A21, A55)."""
    items = [rent(), fee(quantity=-1)]

    assert ([("credit_quantity", {"quantity": "-1"})], []) == (
        noticed(items, FEBRUARY),
        noticed(items, "2026-03-01/2026-03-31"),
    )


@pytest.mark.parametrize(
    ("items", "days", "lines"),
    [
        # The opening and three months.
        ([rent()], "2026-01-15/2026-04-01", 4),
        ([rent(), rent()], "2026-02-01/2026-04-30", 6),
        # January's share and the rest of the quarter, and three whole quarters.
        ([quarterly(amount_records=(price_from("2026-02-01", "600"),))], YEAR, 5),
        ([fee(due=f"2026-02-{n:02}") for n in range(1, 29)], "2026-02-06/2026-02-15", 10),
        ([rent(), fee(), fee(due="2027-01-01")], "2026-01-15/2026-04-01", 5),
        ([rent(billing_cycle=DAILY)], "2026-02-01/2026-03-31", 59),
        # A day of February is the last one paid for, however long is asked.
        ([rent(billing_cycle=DAILY, ended_on=day("2026-02-02"))], "2026-02-01/2400-12-31", 2),
    ],
)
@pytest.mark.parametrize("select", ["due_date", "accounting_period"])
def test_an_answer_of_more_lines_than_the_bound_is_refused(
    items: Iterable[Any],
    days: str,
    lines: int,
    select: Any,  # noqa: ANN401
) -> None:
    """As many as the bound pass; the refusal says both figures (A60)."""
    found = lines_of(items, days, bound(lines, select=select))

    with pytest.raises(UnsupportedCaseError) as caught:
        pending_bills(items, days, policy=bound(lines - 1, select=select))

    assert (lines, "too_many_lines", {"lines": lines, "most": lines - 1}) == (
        len(found),
        caught.value.code,
        caught.value.facts,
    )


def test_too_many_lines_are_refused_before_any_is_computed() -> None:
    """June would have 17 digits, which only who computes it can find (A1, A60)."""
    doubled = QuantityRecord(value=Decimal(20), start=day("2026-06-01"))
    item = rent("9999999999999.99", quantity_records=(doubled,))
    codes: list[str] = []
    for most in (11, 12):
        with pytest.raises(UnsupportedCaseError) as caught:
            pending_bills(item, YEAR, policy=bound(most))
        codes.append(caught.value.code)

    assert ["too_many_lines", "amount_too_large"] == codes


@pytest.mark.parametrize("select", ["due_date", "accounting_period"])
def test_a_period_of_all_years_is_refused_by_the_bound(select: Any) -> None:  # noqa: ANN401
    """A line for each day of 8,000 years is more than 100,000 (A60)."""
    with pytest.raises(UnsupportedCaseError) as caught:
        due_dates(
            [rent(billing_cycle=DAILY)], "0001-01-01/9999-12-31", BillingPolicy(select=select)
        )

    assert ("too_many_lines", 100_000) == (caught.value.code, caught.value.facts["most"])


def test_the_lines_of_one_day_are_bounded_too() -> None:
    """A year that changes on the 2nd of each month, billed on its first day: 13 lines (A60)."""
    prices = tuple(price_from(f"2026-{month:02}-02", f"{month}") for month in range(1, 13))
    first = opening("2025-01-01/2025-12-31")
    yearly = rent(
        billing_cycle=BillingCycle(time_unit="Year"),
        first_billing_period_bill_item=first,
        amount_records=prices,
    )
    found = lines_of(yearly, "2026-01-01/2026-01-01", bound(13))

    with pytest.raises(UnsupportedCaseError) as caught:
        lines_of(yearly, "2026-01-01/2026-01-01", bound(12))

    assert (13, {"lines": 13, "most": 12}) == (len(found), caught.value.facts)


def test_bills_that_move_to_one_day_are_bounded_too() -> None:
    """36 closed days and the Monday after them, whose 38 bills fall due together (A11, A60)."""
    closed = {day("2026-03-01") + timedelta(days=each) for each in range(35)}
    daily, monday = rent(billing_cycle=DAILY), "2026-04-06/2026-04-06"
    moves = {"business_day": "following", "holidays": closed}
    found = lines_of(daily, monday, bound(38, **moves))

    with pytest.raises(UnsupportedCaseError) as caught:
        lines_of(daily, monday, bound(37, **moves))

    assert (38, {"lines": 38, "most": 37}) == (len(found), caught.value.facts)
