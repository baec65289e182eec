"""Corrections: what a case cannot say of them: their explanations, copies, and refusals (A53).

The rent is 8,500 DKK a month; January 2026 (from the 15th) and February are billed.
"""

import pickle
from datetime import timedelta
from typing import Any

import pytest

import rentbilling as rb
from rentbilling.billing import CorrectionFigures
from tests.support.billed import FEBRUARY, JANUARY, MARCH, sent
from tests.support.explained import check
from tests.support.plans import by_index, deposit, lease, octobers, plan
from tests.support.refusals import faults, refused
from tests.support.rents import day, fee, opening, quarterly, rent
from tests.support.rows import rows

PLAIN, DEARER = rent(), rent("8600.00")
HALF = rent(ended_on=day("2026-02-14"))
FIRST_OF_PERIOD = "the first day of the period"


def beside(terms: Any, **options: Any) -> rb.BillingResult:  # noqa: ANN401
    """Return the bills of March beside those of January and February of the plain rent."""
    return rb.pending_bills(terms, MARCH, already_billed=sent(PLAIN), **options)


@rows(
    ("terms", "said"),
    [
        (
            DEARER,
            ["8,600.00 DKK; by the terms", "net price: 8,600.00 DKK; the item's own amount"],
        ),
        (HALF, ["4,250.00 DKK; by the terms", "net price: 4,250.00 DKK = 8,500.00 × 0.5"]),
        # February is no longer paid for, or no longer billed; the opening is as it is stated.
        (rent(ended_on=day("2026-01-31")), ["0.00 DKK; by the terms", "billed before"]),
        (rent(cancelled_on=day("2026-02-01")), ["0.00 DKK; by the terms", "billed before"]),
        (
            rent(first_billing_period_bill_item=opening(price="5000.00")),
            ["5,000.00 DKK; by the terms", "billed before"],
        ),
        (fee("1.00", due="2026-03-01"), ["0.00 DKK; by the terms", "billed before"]),
    ],
)
def test_what_is_due_now_is_worked_out_by_the_terms(terms: Any, said: list[str]) -> None:  # noqa: ANN401
    result = beside(terms)
    check(result)
    lines = str(rb.explain(result, bill=0)).splitlines()
    (at, *_) = [place for place, line in enumerate(lines) if "due now: " in line]

    assert f"due now: {said[0]}" in lines[at]
    assert said[1] in lines[at + 1]


def test_a_correction_says_what_it_is_the_difference_of() -> None:
    """8,600 is due now, less the 8,500 that were billed; copies and checks know it too."""
    result = beside(DEARER)
    text = str(rb.explain(result, bill=0, line=0))
    again = pickle.loads(pickle.dumps(result))
    figures = again[0].lines[0].figures

    assert "net price: 100.00 DKK = 8,600.00 − 8,500.00 [A53]" in text
    assert "key:rent, difference to what was billed" in text
    assert result == again
    assert isinstance(figures, CorrectionFigures)
    assert (860_000, 850_000) == (figures.owed, figures.billed)
    assert ["extra_line", "subtotal", "total"] == [
        each.code for each in rb.compare_bills(rb.pending_bills(DEARER, MARCH), result)
    ]
    assert result == beside(rb.compile_terms(DEARER))


@rows(
    ("item", "own"),
    [
        (PLAIN, FIRST_OF_PERIOD),
        (HALF, FIRST_OF_PERIOD),
        (fee(), "stated by the item"),
        (
            rent(
                first_billing_period_bill_item=opening("2026-02-01/2026-02-28"),
                ended_on=day("2026-02-28"),
            ),
            "stated for the opening period",
        ),
    ],
)
def test_a_line_that_is_made_up_says_when_it_was_due(item: Any, own: str) -> None:  # noqa: ANN401
    """It is on the bill of 1 March, and was due on 1 February."""
    # Bills are known from 20 January on, when the opening period was due already.
    known = fee("1.00", due="2026-01-20", id="known")
    result = rb.pending_bills([known, item], MARCH, already_billed=sent(known, JANUARY))
    text = str(rb.explain(result, bill=0, line=0))

    assert "due date: 2026-03-01; made up on the first bill after it was due [A53]" in text
    assert f"due date: 2026-02-01; {own}" in text


def test_a_deposit_that_is_made_up_says_when_it_changed() -> None:
    both = plan(by_index(), adjusts_recurring_bill_item=True, adjusts_balance=True)
    terms = lease(both, balances=(deposit(months="3"),))
    policy = rb.BillingPolicy(balance_change="once", missing_index="notice")
    january = sent(terms, "2021-01-01/2021-01-31", indices=octobers(100), policy=policy)
    february = rb.pending_bills(
        terms, "2021-02", indices=octobers(100, 102), policy=policy, already_billed=january
    )

    assert "due date: 2021-01-01; the day of the adjustment" in str(
        rb.explain(february, bill=0, line=2)
    )


def test_forty_closed_days_are_refused() -> None:
    """In a period of a month they cannot be, and its first day is taken (A159)."""
    closed = [day("2027-01-01") + timedelta(each) for each in range(365)]
    policy = rb.BillingPolicy(business_day="following", holidays=closed)
    item = rb.monthly_rent("11025 SEK", "2026-02-17", id="r")
    billed = rb.pending_bills(item, "2026-03-01/2026-04-30")
    with pytest.raises(rb.UnsupportedCaseError, match="no business day within 40 days"):
        rb.pending_bills([], "2027", policy=policy, already_billed=billed)
    (bill,) = rb.pending_bills([], "2027-01", policy=policy, already_billed=billed)
    assert day("2027-01-01") == bill.due_date


def test_what_cannot_be_told_is_asked_for() -> None:
    """A month of a quarter says nothing of the others; a first day alone says nothing."""
    months = rent(first_billing_period_bill_item=opening("2025-12-01/2025-12-31", price="8500.00"))
    (problem,) = refused(
        lambda: rb.pending_bills(
            quarterly("25000.00"), MARCH, already_billed=sent(months, FEBRUARY)
        )
    ).problems

    assert (
        "all bills for the days from 2026-01-01 on, and billed_since=2026-01-01 where they are all"
    ) == problem.expected
    for bill in (rb.pending_bills, rb.bill_period):
        assert [("billed_since", "says_nothing")] == faults(
            lambda bill=bill: bill(rent(), MARCH, billed_since="2026-01-01")  # type: ignore[misc]
        )
    assert [("billed_since", "not_a_date")] == faults(
        lambda: rb.pending_bills(rent(), MARCH, already_billed=[], billed_since="2026-13-01")
    )
