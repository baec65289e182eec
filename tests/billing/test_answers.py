"""Answers: what may be asked and given, what an answer knows, and how long it may be."""

from datetime import timedelta
from typing import Any

import rentbilling as rb
from tests.support.refusals import faults, refusal_text, refused
from tests.support.rents import (
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
)
from tests.support.rows import rows

FEBRUARY, MARCH, YEAR = "2026-02-01/2026-02-28", "2026-03-01/2026-03-31", "2026-01-01/2026-12-31"
TERMS = rb.LeaseTerms.of(rent(), fee(), lease_id="lease-1")
"""The plain rent, and a fee of 100.00 due on 1 February."""


@rows(
    ("given", "total"),
    [
        *((each, "8600.00 DKK") for each in (TERMS, [fee(), rent()], (rent(), fee()))),
        ((item for item in (rent(), fee())), "8600.00 DKK"),
        (rb.compile_terms(TERMS), "8600.00 DKK"),
        (rb.dumps(TERMS), "8600.00 DKK"),
        (rent(), "8500.00 DKK"),
        (fee(), "100.00 DKK"),
        ([], None),
    ],
)
def test_a_lease_or_its_items_are_billed(given: Any, total: str | None) -> None:  # noqa: ANN401
    assert ([] if total is None else [total]) == [
        str(bill.total) for bill in rb.pending_bills(given, FEBRUARY)
    ]


def test_terms_are_compiled_once_under_a_policy() -> None:
    """An equal policy may be said again, another one is refused (A59)."""
    own = rb.BillingPolicy(part_period="full")
    compiled = rb.compile_terms(TERMS, policy=own)
    result = rb.pending_bills(compiled, FEBRUARY, policy=rb.BillingPolicy(part_period="full"))

    assert rb.compile_terms(compiled) is compiled
    assert result == rb.pending_bills(compiled, FEBRUARY)
    assert (own, "lease-1", period(FEBRUARY)) == (result.policy, result.lease_id, result.period)
    assert [("policy", "policy_mismatch")] == faults(
        lambda: rb.pending_bills(compiled, FEBRUARY, policy=rb.BillingPolicy())
    )
    assert [("indices", "contradiction")] == faults(
        lambda: rb.pending_bills(compiled, FEBRUARY, indices=rb.IndexSeries("CPI", {}))
    )
    assert not [*rb.compile_terms(rent()).adjustments(period(YEAR))]


@rows(
    ("days", "excluded", "dates"),
    [
        *(
            (kind(days), False, dates)
            for days, dates in (
                ("2026-01-16/2026-02-01", ["2026-02-01"]),
                ("2026-01-16/2026-01-31", []),
                ("2026-02-01/2026-02-01", ["2026-02-01"]),
            )
            for kind in (str, period)
        ),
        # A text that names the day after the last; the days of a value are what they are (A4).
        ("2026-01-16/2026-02-01", True, []),
        (period("2026-01-16/2026-02-01"), True, ["2026-02-01"]),
    ],
)
def test_both_ends_of_an_asked_period_belong_to_it(
    days: Any,  # noqa: ANN401
    excluded: bool,
    dates: list[str],
) -> None:
    policy = rb.BillingPolicy(period_end="excluded" if excluded else "included")

    assert dates == due_dates(rent(), days, policy)


def test_each_notice_of_an_answer_is_given_once() -> None:
    """An item's own in its days, before those of lines, which are on every bill (A12, A21)."""
    items: list[Any] = [
        rent(quantity=-1, id="a"),
        rent(started_on=day("2026-01-01"), id="b"),
        fee(quantity=-1),
    ]
    found = [
        [(each.code, each.item_id) for each in rb.pending_bills(items, days).notices]
        for days in ("2026-01-01/2026-03-31", "2026-01-16/2026-01-31", MARCH)
    ]
    own, credit = ("started_on_before_opening_due_date", "b"), ("credit_quantity", "a")

    assert [[own, credit, ("credit_quantity", "one-time-1")], [], [credit]] == found


DAILY = rb.BillingCycle(time_unit="Day")
SELECTS: tuple[dict[str, Any], ...] = ({"select": "due_date"}, {"select": "accounting_period"})
EACH_MONTH = tuple(price_from(f"2026-{month:02}-02", f"{month}") for month in range(1, 13))
CLOSED = {day("2026-03-01") + timedelta(days=each) for each in range(35)}
CHANGING = quarterly(
    "300.00",
    amount_records=(
        price_from("2026-02-01", "600"),
        price_from("2026-04-01", "700"),
        price_from("2026-08-15", "800"),
    ),
    discount=rb.Discount(percentage="0.1", end_date=day("2026-02-28")),
)
EACH_YEAR = rent(
    billing_cycle=rb.BillingCycle(time_unit="Year"),
    first_billing_period_bill_item=opening("2025-01-01/2025-12-31"),
    amount_records=EACH_MONTH,
)
MOVING = {"business_day": "following", "holidays": CLOSED}
# fmt: off
# The items, the days, and how many lines they have, by each day that may select a line.
BOUNDED: list[tuple[list[Any], str, int, tuple[dict[str, Any], ...]]] = [
    # The opening and three months.
    ([rent()], "2026-01-15/2026-04-01", 4, SELECTS),
    ([rent(), rent()], "2026-02-01/2026-04-30", 6, SELECTS),
    # January, February and March of the first quarter, 1 + 2 + 1 of the others.
    ([CHANGING], YEAR, 7, SELECTS),
    ([CHANGING.evolve(ended_on=day("2026-02-14"))], YEAR, 2, SELECTS),
    ([fee(due=f"2026-02-{n:02}") for n in range(1, 29)], "2026-02-06/2026-02-15", 10, SELECTS),
    ([rent(), fee(), fee(due="2027-01-01")], "2026-01-15/2026-04-01", 5, SELECTS),
    ([rent(billing_cycle=DAILY)], "2026-02-01/2026-03-31", 59, SELECTS),
    ([rent(ended_on=day("2026-02-14"))], YEAR, 2, SELECTS),
    ([rent(cancelled_on=day("2026-03-01"))], YEAR, 2, SELECTS),
    ([rent(), rent(ended_on=day("2026-02-14"))], "2026-03-01/2026-12-31", 10, SELECTS),
    # A day of February is the last one paid for, however long is asked.
    ([rent(billing_cycle=DAILY, ended_on=day("2026-02-02"))], "2026-02-01/2400-12-31", 2, SELECTS),
    # A year that changes on the 2nd of each month, billed on its first day.
    ([EACH_YEAR], "2026-01-01/2026-01-01", 13, ({},)),
    # 36 closed days and the Monday after them, whose 38 bills fall due together (A11).
    ([rent(billing_cycle=DAILY)], "2026-04-06/2026-04-06", 38, (MOVING,)),
]
# fmt: on


@rows(
    ("items", "days", "lines", "choices"),
    [(items, days, lines, each) for items, days, lines, ways in BOUNDED for each in ways],
)
def test_an_answer_of_more_lines_than_the_bound_is_refused(
    items: list[Any], days: str, lines: int, choices: dict[str, Any]
) -> None:
    """As many as the bound pass; the refusal says both figures (A60)."""
    fits, short = (rb.BillingPolicy(max_lines=most, **choices) for most in (lines, lines - 1))
    error = refused(lambda: rb.pending_bills(items, days, policy=short), rb.UnsupportedCaseError)

    assert lines == len(lines_of(items, days, fits))
    assert ("too_many_lines", {"lines": lines, "most": lines - 1}) == (error.code, error.facts)


@rows("choice", SELECTS)
def test_too_many_lines_are_refused_before_any_is_computed(choice: dict[str, Any]) -> None:
    """13 in 2026; from 15 June on one would have 17 digits. A line for each day of 8,000 years."""
    doubled = quantity_from("2026-06-15", "20")
    item = rent("9999999999999.99", quantity_records=(doubled,))
    for most, code in ((12, "too_many_lines"), (13, "amount_too_large")):
        policy = rb.BillingPolicy(max_lines=most, **choice)
        assert f"UnsupportedCaseError: {code}" == refusal_text(
            lambda policy=policy: rb.pending_bills(item, YEAR, policy=policy)  # type: ignore[misc]
        )
    error = refused(
        lambda: rb.pending_bills(
            rent(billing_cycle=DAILY), "0001-01-01/9999-12-31", policy=rb.BillingPolicy(**choice)
        ),
        rb.UnsupportedCaseError,
    )
    assert ("too_many_lines", 100_000) == (error.code, error.facts["most"])


@rows("sign", ["", "-"])
def test_a_line_that_is_too_large_is_named(sign: str) -> None:
    """Twice 5,000,000,000,000 has 16 digits (A1)."""
    item = fee(f"{sign}5000000000000", quantity=2, id="keys")
    error = refused(lambda: rb.pending_bills(item, FEBRUARY), rb.UnsupportedCaseError)

    assert {"item": "keys", "case": "a line of more than 15 digits"} == error.facts


def test_notices_of_a_line_say_what_a_person_should_look_at() -> None:
    """The sentence is part of the interface (A22, A28)."""
    found = rb.pending_bills(
        [
            fee(vat=rb.Vat("Exempt", "0.25")),
            rent(
                discount=rb.Discount(amount=rb.Amount(500, "DKK")),
                amount_records=(price_from("2026-02-01", "100"),),
            ),
        ],
        FEBRUARY,
    ).notices

    assert [
        "the discount is larger than the price and stops at zero",
        "a tax rate given with an untaxed mode charges nothing",
    ] == [each.message for each in found]
    assert not noticed(rent(), FEBRUARY)
