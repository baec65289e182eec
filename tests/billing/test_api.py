"""Bills: what is asked for, what is billed together, and what is refused."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

import rentbilling as rb
from rentbilling.errors import InvalidRecordError
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
    quantity_from,
    quarterly,
    rent,
    told,
    vat,
)
from tests.support.rows import rows

BY_START = rb.BillingPolicy(select="accounting_period")
FEBRUARY = "2026-02-01/2026-02-28"
DAILY = rb.BillingCycle(time_unit="Day")

TERMS = rb.LeaseTerms(
    lease_id="lease-1", recurring_bill_items=(rent(),), one_time_bill_items=(fee(),)
)
"""The plain rent, and a fee of 100.00 due on 1 February."""


def totals(result: rb.BillingResult) -> list[tuple[str, str]]:
    return [(bill.due_date.isoformat(), str(bill.total)) for bill in result]


def bound(lines: int, **choices: Any) -> rb.BillingPolicy:  # noqa: ANN401
    return rb.BillingPolicy(max_lines=lines, **choices)


TOGETHER = [("2026-02-01", "8600.00 DKK")]


@rows(
    ("given", "days", "expected"),
    [
        # Terms, items and compiled terms: 8,500 and the fee of 100 on one bill (A16).
        (TERMS, FEBRUARY, TOGETHER),
        ([fee(), rent()], FEBRUARY, TOGETHER),
        ((rent(), fee()), FEBRUARY, TOGETHER),
        ((item for item in (rent(), fee())), FEBRUARY, TOGETHER),
        (rb.compile_terms(TERMS), FEBRUARY, TOGETHER),
        # One item by itself, recurring or one-time (A55).
        (rent(), FEBRUARY, [("2026-02-01", "8500.00 DKK")]),
        (fee(), FEBRUARY, [("2026-02-01", "100.00 DKK")]),
        # A free month is on a bill of 0.00 (A16).
        (rent("0.00"), FEBRUARY, [("2026-02-01", "0.00 DKK")]),
        # Nothing to bill is an empty answer.
        ([], YEAR, []),
        (rent(), "2026-02-02/2026-02-28", []),
        # Bills are in order of due date, then currency: two currencies are never summed (A2, A16).
        (
            [
                fee("10.00 EUR", "2026-03-01"),
                fee("20.00 EUR", "2026-02-01"),
                fee("30.00 DKK", "2026-03-01"),
                fee("5.00 EUR", "2026-03-01"),
                fee("40.00 DKK", "2026-02-01"),
            ],
            YEAR,
            [
                ("2026-02-01", "40.00 DKK"),
                ("2026-02-01", "20.00 EUR"),
                ("2026-03-01", "30.00 DKK"),
                ("2026-03-01", "15.00 EUR"),
            ],
        ),
    ],
)
def test_each_due_date_and_currency_has_one_bill(
    given: Any,  # noqa: ANN401
    days: str,
    expected: list[tuple[str, str]],
) -> None:
    assert expected == totals(rb.pending_bills(given, days))


def test_terms_are_compiled_once_and_billed_for_many_periods() -> None:
    compiled = rb.compile_terms(TERMS)
    january, february = (
        rb.pending_bills(compiled, each) for each in ("2026-01-01/2026-01-31", FEBRUARY)
    )

    assert isinstance(compiled, rb.CompiledTerms)
    assert rb.compile_terms(compiled) is compiled
    assert ([("2026-01-15", "4661.29 DKK")], [("2026-02-01", "8600.00 DKK")]) == (
        totals(january),
        totals(february),
    )


def test_the_policy_is_baked_in() -> None:
    """An equal one may be said again, another one is refused (A59)."""
    own = rb.BillingPolicy(part_period="full")
    compiled = rb.compile_terms(TERMS, policy=own)
    result = rb.pending_bills(compiled, FEBRUARY, policy=rb.BillingPolicy(part_period="full"))

    with pytest.raises(InvalidRecordError) as caught:
        rb.pending_bills(compiled, FEBRUARY, policy=rb.BillingPolicy())

    assert (own, own, "policy", "policy_mismatch") == (
        compiled.policy,
        result.policy,
        caught.value.problems[0].path,
        caught.value.code,
    )


def test_an_answer_knows_what_was_asked() -> None:
    """Its period, its lease and its policy (A56)."""
    result = rb.pending_bills(TERMS, FEBRUARY)

    assert (period(FEBRUARY), "lease-1", rb.BillingPolicy()) == (
        result.period,
        result.lease_id,
        result.policy,
    )


HALF_OPEN = rb.BillingPolicy(period_end="excluded")


@rows(
    ("days", "policy", "dates"),
    [
        # Both ends belong to an asked period, whether a text or a value; one day is a period.
        *(
            (as_given(days), None, dates)
            for days, dates in (
                ("2026-01-16/2026-02-01", ["2026-02-01"]),
                ("2026-01-16/2026-01-31", []),
                ("2026-02-01/2026-02-01", ["2026-02-01"]),
                ("2026-02-01/2026-03-01", ["2026-02-01", "2026-03-01"]),
            )
            for as_given in (str, period)
        ),
        # A half-open one ends the day before; a period value has its days already.
        ("2026-01-16/2026-02-01", HALF_OPEN, []),
        ("2026-01-16/2026-02-02", HALF_OPEN, ["2026-02-01"]),
        (period("2026-01-16/2026-02-01"), HALF_OPEN, ["2026-02-01"]),
    ],
)
def test_the_bills_of_an_asked_period_are_due_in_it(
    days: Any,  # noqa: ANN401
    policy: rb.BillingPolicy | None,
    dates: list[str],
) -> None:
    """From its first to its last day (A4, A15)."""
    assert dates == due_dates(rent(), days, policy)


def test_lines_are_in_the_order_of_the_items() -> None:
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


@rows(
    ("policy", "expected"),
    [
        (None, [("2026-03-01/2026-03-31", "8500.00"), ("2026-02-10/2026-02-10", "100.00")]),
        (BY_START, [("2026-02-01/2026-02-28", "8500.00"), ("2026-02-10/2026-02-10", "100.00")]),
    ],
)
def test_an_asked_period_holds_what_is_due_or_what_starts_in_it(
    policy: rb.BillingPolicy | None, expected: list[tuple[str, str]]
) -> None:
    """Rent due the day before its month; a fee for 10 February due on the 28th (A15)."""
    early = rent(due_date_rule=rb.DueDateRule(day_of_period=-1))

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
    policy = rb.BillingPolicy(by_product={"key:parking": rb.BillingPolicy(rounding="down")})
    tax = vat("Exclusive", "0.25")
    items = [
        fee("33.33", quantity=Decimal("2.5"), vat=tax),
        fee("33.33", quantity=Decimal("2.5"), vat=tax, product_key="key:parking"),
    ]
    (bill,) = rb.pending_bills(items, FEBRUARY, policy=policy)

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
        [(notice.code, notice.item_id) for notice in rb.pending_bills(items, days).notices]
        for days in ("2026-01-01/2026-03-31", "2026-01-16/2026-03-31")
    )


def test_a_line_brings_its_notice_where_it_is_billed() -> None:
    """A fee with a credit quantity is due on 1 February, and not in March (A21, A55)."""
    items = [rent(), fee(quantity=-1)]

    assert ([("credit_quantity", {"quantity": "-1"})], []) == (
        noticed(items, FEBRUARY),
        noticed(items, "2026-03-01/2026-03-31"),
    )


SELECTS: tuple[dict[str, Any], ...] = ({"select": "due_date"}, {"select": "accounting_period"})
EACH_MONTH = tuple(price_from(f"2026-{month:02}-02", f"{month}") for month in range(1, 13))
CLOSED = {day("2026-03-01") + timedelta(days=each) for each in range(35)}

BOUNDED: list[tuple[list[Any], str, int, tuple[dict[str, Any], ...]]] = [
    # The opening and three months.
    ([rent()], "2026-01-15/2026-04-01", 4, SELECTS),
    ([rent(), rent()], "2026-02-01/2026-04-30", 6, SELECTS),
    # January's share and the rest of the quarter, and three whole quarters.
    ([quarterly(amount_records=(price_from("2026-02-01", "600"),))], YEAR, 5, SELECTS),
    ([fee(due=f"2026-02-{n:02}") for n in range(1, 29)], "2026-02-06/2026-02-15", 10, SELECTS),
    ([rent(), fee(), fee(due="2027-01-01")], "2026-01-15/2026-04-01", 5, SELECTS),
    ([rent(billing_cycle=DAILY)], "2026-02-01/2026-03-31", 59, SELECTS),
    # A day of February is the last one paid for, however long is asked.
    (
        [rent(billing_cycle=DAILY, ended_on=day("2026-02-02"))],
        "2026-02-01/2400-12-31",
        2,
        SELECTS,
    ),
    # A year that changes on the 2nd of each month, billed on its first day.
    (
        [
            rent(
                billing_cycle=rb.BillingCycle(time_unit="Year"),
                first_billing_period_bill_item=opening("2025-01-01/2025-12-31"),
                amount_records=EACH_MONTH,
            )
        ],
        "2026-01-01/2026-01-01",
        13,
        ({},),
    ),
    # 36 closed days and the Monday after them, whose 38 bills fall due together (A11).
    (
        [rent(billing_cycle=DAILY)],
        "2026-04-06/2026-04-06",
        38,
        ({"business_day": "following", "holidays": CLOSED},),
    ),
]


@rows(
    ("items", "days", "lines", "choices"),
    [(items, days, lines, each) for items, days, lines, ways in BOUNDED for each in ways],
)
def test_an_answer_of_more_lines_than_the_bound_is_refused(
    items: list[Any], days: str, lines: int, choices: dict[str, Any]
) -> None:
    """As many as the bound pass; the refusal says both figures (A60)."""
    found = lines_of(items, days, bound(lines, **choices))

    with pytest.raises(rb.UnsupportedCaseError) as caught:
        rb.pending_bills(items, days, policy=bound(lines - 1, **choices))

    assert (lines, "too_many_lines", {"lines": lines, "most": lines - 1}) == (
        len(found),
        caught.value.code,
        caught.value.facts,
    )


def test_too_many_lines_are_refused_before_any_is_computed() -> None:
    """June would have 17 digits, which only who computes it can find (A1, A60)."""
    doubled = quantity_from("2026-06-01", "20")
    item = rent("9999999999999.99", quantity_records=(doubled,))
    codes: list[str] = []
    for most in (11, 12):
        with pytest.raises(rb.UnsupportedCaseError) as caught:
            rb.pending_bills(item, YEAR, policy=bound(most))
        codes.append(caught.value.code)

    assert ["too_many_lines", "amount_too_large"] == codes


@rows("select", ["due_date", "accounting_period"])
def test_a_period_of_all_years_is_refused_by_the_bound(select: Any) -> None:  # noqa: ANN401
    """A line for each day of 8,000 years is more than 100,000 (A60)."""
    with pytest.raises(rb.UnsupportedCaseError) as caught:
        due_dates(
            [rent(billing_cycle=DAILY)], "0001-01-01/9999-12-31", rb.BillingPolicy(select=select)
        )

    assert ("too_many_lines", 100_000) == (caught.value.code, caught.value.facts["most"])
