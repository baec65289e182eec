"""Billed corrections: which earlier corrections count, and what cannot be told from them (A53).

The rent is 8,000 DKK a month, and turns out to be 8,100 after February was billed. On the bill of
March stand the 100 that were missing, and March.
"""

from collections.abc import Callable
from typing import Any

import rentbilling as rb
from tests.support.billed import APRIL, FEBRUARY, JANUARY, MARCH, Told, after, sent, told_of
from tests.support.refusals import refused
from tests.support.rents import Terms, day, fee, opening, quarterly, rent
from tests.support.rows import rows

WRONG, RIGHT = rent("8000.00"), rent("8100.00")
THIS_APRIL = ("2026-04-01", "regular", APRIL)
BY_START = rb.BillingPolicy(select="accounting_period")
QUARTER = "2026-01-01/2026-03-31"
DEARER, OF_A_QUARTER = rent("8200.00"), quarterly("25000.00")
ENDED = rent(ended_on=day("2026-02-14"))
WITH_A_FEE, WITH_A_DEARER_FEE = [rent(), fee()], [rent(), fee("120.00")]
LATE = opening("2026-01-10/2026-01-31", due="2026-03-05")
HOME, CELLAR = rent(id="rent"), rent("400.00", id="cellar")
REBATE = rent("-50.00")


def march(terms: Terms = RIGHT, earlier: Terms = WRONG, **options: Any) -> rb.BillingResult:  # noqa: ANN401
    february = sent(earlier, FEBRUARY, **options)
    return rb.pending_bills(terms, MARCH, already_billed=february, **options)


def monthly() -> rb.RecurringBillItem:
    """Return a rent of 8,500 a month from 1 January on."""
    return rent(first_billing_period_bill_item=opening("2025-12-01/2025-12-31", price="8500.00"))


def bare(result: rb.BillingResult) -> rb.BillingResult:
    return rb.loads(rb.dumps(result), rb.BillingResult)


def untold(terms: Terms, earlier: Any, period: str = APRIL) -> str:  # noqa: ANN401
    """Return what is expected in place of earlier bills of which some are missing."""
    error = refused(lambda: rb.pending_bills(terms, period, already_billed=earlier))
    (problem,) = error.problems
    assert ("already_billed", "untold_bills") == problem[:2]
    return problem.expected


def at_the_end(item: rb.RecurringBillItem) -> rb.RecurringBillItem:
    """Return an item that is due at the end of its periods."""
    return item.evolve(due_date_rule=item.due_date_rule.evolve(relative_to="end"))


def corrected_quarter() -> rb.BillingResult:
    """Return the 8,000 that a quarter lacks beside the bills of two months, told with both."""
    told = [sent(monthly(), each) for each in (JANUARY, FEBRUARY)]
    return rb.pending_bills(OF_A_QUARTER, MARCH, already_billed=told)


def made_up() -> list[rb.BillingResult]:
    """Return the bills of February for the rent, and of January for it and the cellar."""
    return [
        sent(HOME, FEBRUARY, policy=BY_START),
        sent([HOME, CELLAR], JANUARY, policy=BY_START),
    ]


# fmt: off
BILLED: dict[str, tuple[list[Told], Callable[[], list[Told]]]] = {
    # Month by month: only the bills of the month before are told.
    # April is 8,100 and nothing else: the bill of February, 8,000, is not told.
    "a correction alone is not all that was billed": (
        [(*THIS_APRIL, "8100.00")], lambda: after(RIGHT, march(), APRIL)),
    # Bills count from 1 March on, and February was due before.
    "a first day after the corrected bill changes nothing": (
        [(*THIS_APRIL, "8100.00")],
        lambda: after(RIGHT, march(), APRIL, billed_since="2026-03-01")),
    # 8,200 from February on: of February nothing is known, of March 100 are missing.
    "another change of days that are not told waits": (
        [("2026-04-01", "correction", MARCH, "100.00"), (*THIS_APRIL, "8200.00")],
        lambda: after(DEARER, march(), APRIL)),
    # 8,000 and 100 are told: 100 are missing for February, and 100 for March.
    "with all bills it is corrected": (
        [("2026-04-01", "correction", FEBRUARY, "100.00"),
         ("2026-04-01", "correction", MARCH, "100.00"), (*THIS_APRIL, "8200.00")],
        lambda: after(DEARER, [sent(WRONG, FEBRUARY), march()], APRIL)),
    # The cellar, 400, was given back in March; April is the rent alone.
    "an item that is gone was credited": (
        [("2026-03-01", "regular", MARCH, "8500.00"),
         ("2026-03-01", "correction", FEBRUARY, "-400.00")],
        lambda: told_of(march([HOME], [HOME, CELLAR]))),
    "a credit of an item that is gone is not charged again": (
        [(*THIS_APRIL, "8500.00")], lambda: after([HOME], march([HOME], [HOME, CELLAR]), APRIL)),
    # The tenant left on 14 February: 4,250 went back on a bill of their own.
    "a credit of days after an end is not charged again": (
        [], lambda: after(ENDED, march(ENDED, rent()), APRIL)),
    # 100 were billed in February and 20 more in March.
    "a fee is corrected": (
        [("2026-03-01", "regular", MARCH, "8500.00"),
         ("2026-03-01", "correction", "2026-02-01/2026-02-01", "20.00")],
        lambda: told_of(march(WITH_A_DEARER_FEE, WITH_A_FEE))),
    "a fee that was corrected is left alone": (
        [(*THIS_APRIL, "8500.00")],
        lambda: after(WITH_A_DEARER_FEE, march(WITH_A_DEARER_FEE, WITH_A_FEE), APRIL)),
    # February was missed and stands on the bill of March: at 8,100 each lacks 100.
    "a month that was made up is in account": (
        [("2026-04-01", "correction", FEBRUARY, "100.00"),
         ("2026-04-01", "correction", MARCH, "100.00"), (*THIS_APRIL, "8100.00")],
        lambda: after(
            RIGHT, rb.pending_bills(WRONG, MARCH, already_billed=sent(WRONG, JANUARY)), APRIL)),
    # It was billed from 15 January on, and is 5,500 from the 10th on: 5,500 − 4,661.29 = 838.71.
    "an opening that began earlier is corrected": (
        [("2026-02-01", "correction", "2026-01-10/2026-01-31", "838.71"),
         ("2026-02-01", "regular", FEBRUARY, "8500.00")],
        lambda: after(
            rent(first_billing_period_bill_item=opening("2026-01-10/2026-01-31", price="5500.00")),
            sent(rent(), JANUARY), FEBRUARY)),

    # Bills that are said to be all are taken for all.
    # With 1 January as the first day, 25,000 − 8,500 = 16,500 are missing.
    "one month of a quarter": (
        [("2026-03-01", "correction", QUARTER, "16500.00")],
        lambda: after(OF_A_QUARTER, sent(monthly(), FEBRUARY), billed_since="2026-01-01")),
    # 8,000 were charged for the quarter beside two months.
    "a quarter beside two months": (
        [("2026-03-01", "correction", QUARTER, "8000.00")], lambda: told_of(corrected_quarter())),
    # Of the rent of January and March, 17,000, those 8,000 are billed.
    "the first of two months is not told": (
        [("2026-04-01", "correction", QUARTER, "9000.00"), (*THIS_APRIL, "8500.00")],
        lambda: after(monthly(), [sent(monthly(), FEBRUARY), corrected_quarter()], APRIL,
                      billed_since="2026-01-01")),
    # January to March are 3 × 8,500 = 25,500, and 25,000 are billed.
    "a quarter with all bills": (
        [("2026-04-01", "correction", QUARTER, "500.00"), (*THIS_APRIL, "8500.00")],
        lambda: after(
            monthly(),
            [sent(monthly(), JANUARY), sent(monthly(), FEBRUARY), corrected_quarter()], APRIL)),

    # Of a service, without ids and kinds, a correction looks like any line (A56).
    # 8,000 and 100 for February, 8,100 for March: nothing but April is left.
    "all bills of a service": (
        [(*THIS_APRIL, "8100.00")],
        lambda: after(RIGHT, [bare(sent(WRONG, FEBRUARY)), bare(march())], APRIL)),
    "a credit alone of a service is not charged again": (
        [], lambda: after(ENDED, bare(march(ENDED, rent())), APRIL)),
    # −50 a month were billed for March, are owed, and are −60 in truth.
    "a rebate is no correction": ([], lambda: after(REBATE, bare(sent(REBATE, MARCH)), MARCH)),
    "a rebate is corrected": (
        [("2026-03-01", "correction", MARCH, "-10.00")],
        lambda: after(rent("-60.00"), bare(sent(REBATE, MARCH)), MARCH)),

    # Bills are asked for by the first days of their accounting periods (A15).
    "a correction alone, by accounting periods": (
        [(*THIS_APRIL, "8100.00")],
        lambda: after(RIGHT, march(policy=BY_START), APRIL, policy=BY_START)),
    "one item is made up": (
        [("2026-03-01", "regular", MARCH, "8500.00"),
         ("2026-03-01", "regular", FEBRUARY, "400.00"), ("2026-03-01", "regular", MARCH, "400.00")],
        lambda: after([HOME, CELLAR], made_up(), MARCH, policy=BY_START)),
    "what is made up for one item says nothing of others": (
        [(*THIS_APRIL, "8500.00"), (*THIS_APRIL, "400.00")],
        lambda: after([HOME, CELLAR], rb.pending_bills(
            [HOME, CELLAR], MARCH, policy=BY_START, already_billed=made_up()), APRIL,
            policy=BY_START)),
    # No bill of the fee of 2 March is told.
    "an item that was forgotten is not made up": (
        [(*THIS_APRIL, "8500.00")],
        lambda: after([rent(), fee(due="2026-03-02")], sent(rent(), MARCH, policy=BY_START), APRIL,
                      policy=BY_START)),
    "from a day that is said it is made up": (
        [(*THIS_APRIL, "8500.00"),
         ("2026-04-01", "one_time", "2026-03-02/2026-03-02", "100.00")],
        lambda: after([rent(), fee(due="2026-03-02")], sent(rent(), MARCH, policy=BY_START), APRIL,
                      policy=BY_START, billed_since="2026-03-01")),
}
UNTOLD: dict[str, tuple[str, Terms, Callable[[], rb.BillingResult | list[rb.BillingResult]]]] = {
    # The first of the two months is not told.
    "a correction of bills that are told in part": (
        "2026-01-01", monthly(), lambda: [sent(monthly(), FEBRUARY), corrected_quarter()]),
    "a bill that is due later now": ("2026-02-01", at_the_end(RIGHT), march),
    # January's part is due on 5 March, after the bill of February, which is not passed in. March's
    # result has 100 for February. Billed again at its end, February would cost 8,000 more, though
    # they were billed on 1 February.
    "an opening billed late says nothing of the months before its bill": (
        "2026-02-01", at_the_end(RIGHT.evolve(first_billing_period_bill_item=LATE)),
        lambda: march(RIGHT.evolve(first_billing_period_bill_item=LATE),
                      WRONG.evolve(first_billing_period_bill_item=LATE))),
    # March is billed beside the opening; February, of the same quarter now, is unknown.
    "an opening billed late is not the beginning of a longer cycle": (
        "2026-02-01", OF_A_QUARTER.evolve(
            first_billing_period_bill_item=LATE,
            billing_cycle=OF_A_QUARTER.billing_cycle.evolve(start=2)),
        lambda: sent(rent(first_billing_period_bill_item=LATE), MARCH)),
    # 20 more were billed in March for the fee of February, which is due in April now.
    "a fee that is due later now": (
        "2026-02-01", [rent(), fee("120.00", due="2026-04-10")],
        lambda: march(WITH_A_DEARER_FEE, WITH_A_FEE)),
    # 100 for February may be all of it, or what came to 8,000.
    "a difference alone of a service": ("2026-02-01", RIGHT, lambda: bare(march())),
}
# fmt: on


@rows(("expected", "call"), BILLED.values(), ids=BILLED)
def test_beside_earlier_bills_are_billed(
    expected: list[Told], call: Callable[[], list[Told]]
) -> None:
    assert expected == call()


@rows(("start", "terms", "earlier"), UNTOLD.values(), ids=UNTOLD)
def test_where_a_part_of_the_days_is_told_all_bills_are_asked_for(
    start: str, terms: Terms, earlier: Callable[[], Any]
) -> None:
    """Nobody knows what was billed for the others."""
    assert untold(terms, earlier()).startswith(f"all bills for the days from {start} on")


def test_a_month_of_a_quarter_says_nothing_of_the_others() -> None:
    """February is told, and what is owed is a quarter from 1 January, due on that day."""
    expected = "all bills for the days from 2026-01-01 on, and billed_since=2026-01-01"

    assert f"{expected} where they are all" == untold(
        OF_A_QUARTER, sent(monthly(), FEBRUARY), MARCH
    )


def test_a_period_with_its_adjustments_is_billed_beside_the_one_before() -> None:
    bills: Any = None
    totals = []
    for terms, period in ((WRONG, FEBRUARY), (RIGHT, MARCH), (RIGHT, APRIL)):
        bills = rb.bill_period(terms, period, already_billed=bills)
        totals += [f"{bill.total.amount:f}" for bill in bills]

    # 8,000, then 8,100 + 100, then 8,100.
    assert ["8000.00", "8200.00", "8100.00"] == totals
