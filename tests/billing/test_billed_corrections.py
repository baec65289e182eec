"""Billed corrections: which earlier corrections count, and what cannot be told from them (A53).

The rent is 8,000 DKK a month, and turns out to be 8,100 after February was billed. On the bill of
March stand the 100 that were missing, and March.
"""

from typing import Any

import pytest

import rentbilling as rb
from tests.support.billed import APRIL, FEBRUARY, JANUARY, MARCH, after, sent, told_of
from tests.support.rents import Terms, day, fee, opening, quarterly, rent

WRONG, RIGHT = rent("8000.00"), rent("8100.00")
THIS_APRIL = ("2026-04-01", "regular", APRIL)
BY_START = rb.BillingPolicy(select="accounting_period")
QUARTER = "2026-01-01/2026-03-31"


def march(terms: Terms = RIGHT, earlier: Terms = WRONG, **options: Any) -> rb.BillingResult:  # noqa: ANN401
    february = sent(earlier, FEBRUARY, **options)
    return rb.pending_bills(terms, MARCH, already_billed=february, **options)


def monthly() -> rb.RecurringBillItem:
    """Return a rent of 8,500 a month from 1 January on."""
    return rent(first_billing_period_bill_item=opening("2025-12-01/2025-12-31", price="8500.00"))


def bare(result: rb.BillingResult) -> rb.BillingResult:
    return rb.loads(rb.dumps(result), rb.BillingResult)


def untold(terms: Terms, earlier: Any, period: str = APRIL, **options: Any) -> str:  # noqa: ANN401
    """Return what is expected in place of earlier bills of which some are missing."""
    with pytest.raises(rb.InvalidInputError) as refused:
        rb.pending_bills(terms, period, already_billed=earlier, **options)
    (problem,) = refused.value.problems
    assert ("already_billed", "untold_bills") == problem[:2]
    return problem.expected


class TestMonthByMonth:
    """Only the bills of the month before are told."""

    def test_a_correction_alone_is_not_all_that_was_billed(self) -> None:
        """April is 8,100 and nothing else: the bill of February, 8,000, is not told."""
        assert [(*THIS_APRIL, "8100.00")] == after(RIGHT, march(), APRIL)

    def test_a_first_day_after_the_corrected_bill_changes_nothing(self) -> None:
        """Bills count from 1 March on, and February was due before."""
        assert [(*THIS_APRIL, "8100.00")] == after(RIGHT, march(), APRIL, billed_since="2026-03-01")

    def test_a_period_with_its_adjustments_is_so_too(self) -> None:
        bills: Any = None
        totals = []
        for terms, period in ((WRONG, FEBRUARY), (RIGHT, MARCH), (RIGHT, APRIL)):
            bills = rb.bill_period(terms, period, already_billed=bills)
            totals += [f"{bill.total.amount:f}" for bill in bills]

        # 8,000, then 8,100 + 100, then 8,100.
        assert ["8000.00", "8200.00", "8100.00"] == totals

    def test_another_change_of_days_that_are_not_told_waits(self) -> None:
        """8,200 from February on: of February nothing is known, of March 100 are missing."""
        dearer = rent("8200.00")

        assert [("2026-04-01", "correction", MARCH, "100.00"), (*THIS_APRIL, "8200.00")] == after(
            dearer, march(), APRIL
        )

    def test_with_all_bills_it_is_corrected(self) -> None:
        """8,000 and 100 are told: 100 are missing for February, and 100 for March."""
        dearer = rent("8200.00")
        february = sent(WRONG, FEBRUARY)

        assert [
            ("2026-04-01", "correction", FEBRUARY, "100.00"),
            ("2026-04-01", "correction", MARCH, "100.00"),
            (*THIS_APRIL, "8200.00"),
        ] == after(dearer, [february, march()], APRIL)

    def test_a_credit_of_an_item_that_is_gone_is_not_charged_again(self) -> None:
        """The cellar, 400, was given back in March; April is the rent alone."""
        rents = rb.LeaseTerms(recurring_bill_items=(rent(id="rent"), rent("400.00", id="cellar")))
        without = rb.LeaseTerms(recurring_bill_items=(rent(id="rent"),))
        result = march(without, rents)

        assert ["8500.00", "-400.00"] == [f"{line.net_price.amount:f}" for line in result[0].lines]
        assert [(*THIS_APRIL, "8500.00")] == after(without, result, APRIL)

    def test_a_credit_of_days_after_an_end_is_not_charged_again(self) -> None:
        """The tenant left on 14 February: 4,250 went back on a bill of their own."""
        ended = rent(ended_on=day("2026-02-14"))

        assert [] == after(ended, march(ended, rent()), APRIL)

    def test_a_fee_that_was_corrected_is_left_alone(self) -> None:
        """100 were billed in February and 20 more in March."""
        dearer = [rent(), fee("120.00")]
        result = march(dearer, [rent(), fee()])

        assert "20.00" == f"{result[0].lines[-1].net_price.amount:f}"
        assert [(*THIS_APRIL, "8500.00")] == after(dearer, result, APRIL)

    def test_a_month_that_was_made_up_is_in_account(self) -> None:
        """February was missed and stands on the bill of March: at 8,100 each lacks 100."""
        made_up = rb.pending_bills(WRONG, MARCH, already_billed=sent(WRONG, JANUARY))

        assert [
            ("2026-04-01", "correction", FEBRUARY, "100.00"),
            ("2026-04-01", "correction", MARCH, "100.00"),
            (*THIS_APRIL, "8100.00"),
        ] == after(RIGHT, made_up, APRIL)

    def test_an_opening_that_began_earlier_is_corrected(self) -> None:
        """It was billed from 15 January on, and is 5,500 from the 10th on: nothing was before."""
        first = opening("2026-01-10/2026-01-31", price="5500.00")
        earlier = rent(first_billing_period_bill_item=first)

        # 5,500 − 4,661.29 = 838.71.
        assert [
            ("2026-02-01", "correction", "2026-01-10/2026-01-31", "838.71"),
            ("2026-02-01", "regular", FEBRUARY, "8500.00"),
        ] == after(earlier, sent(rent(), JANUARY), FEBRUARY)


class TestRefusals:
    """Where a part of the days is told, nobody knows what was billed for the others."""

    def test_a_month_of_a_quarter_says_nothing_of_the_others(self) -> None:
        """February is told, and what is owed is a quarter from 1 January, due on that day."""
        expected = "all bills for the days from 2026-01-01 on, and billed_since=2026-01-01"

        assert f"{expected} where they are all" == untold(
            quarterly("25000.00"), sent(monthly(), FEBRUARY), MARCH
        )

    def test_bills_that_are_all_are_taken_for_all(self) -> None:
        """With 1 January as the first day, 25,000 − 8,500 = 16,500 are missing."""
        february = sent(monthly(), FEBRUARY)

        assert [("2026-03-01", "correction", QUARTER, "16500.00")] == after(
            quarterly("25000.00"), february, billed_since="2026-01-01"
        )

    def test_a_correction_of_bills_that_are_told_in_part_is_refused(self) -> None:
        """8,000 were charged for the quarter beside two months; the first of them is not told."""
        january, february = (sent(monthly(), each) for each in (JANUARY, FEBRUARY))
        third = rb.pending_bills(quarterly("25000.00"), MARCH, already_billed=[january, february])

        assert [("2026-03-01", "correction", QUARTER, "8000.00")] == told_of(third)
        # Said to be all: of the rent of January and March, 17,000, those 8,000 are billed.
        assert [
            ("2026-04-01", "correction", QUARTER, "9000.00"),
            (*THIS_APRIL, "8500.00"),
        ] == after(monthly(), [february, third], APRIL, billed_since="2026-01-01")
        # With all bills: January to March are 3 × 8,500 = 25,500, and 25,000 are billed.
        assert [("2026-04-01", "correction", QUARTER, "500.00"), (*THIS_APRIL, "8500.00")] == after(
            monthly(), [january, february, third], APRIL
        )
        assert untold(monthly(), [february, third]).startswith(
            "all bills for the days from 2026-01-01 on"
        )

    def test_a_bill_that_is_due_later_now_is_not_charged_again(self) -> None:
        rule = rent().due_date_rule.evolve(relative_to="end")

        assert untold(RIGHT.evolve(due_date_rule=rule), march()).startswith(
            "all bills for the days from 2026-02-01 on"
        )

    def test_an_opening_billed_late_says_nothing_of_the_months_before_its_bill(self) -> None:
        """January's part is due on 5 March, after the bill of February, which is not passed in.

        March's result has 100 for February. Billed again at its end, February would cost 8,000
        more, though they were billed on 1 February.
        """
        late = opening("2026-01-10/2026-01-31", due="2026-03-05")
        wrong, right = (
            terms.evolve(first_billing_period_bill_item=late) for terms in (WRONG, RIGHT)
        )
        rule = right.due_date_rule.evolve(relative_to="end")

        assert untold(right.evolve(due_date_rule=rule), march(right, wrong)).startswith(
            "all bills for the days from 2026-02-01 on"
        )

    def test_an_opening_billed_late_is_not_the_beginning_of_a_longer_cycle(self) -> None:
        """March is billed beside the opening; February, of the same quarter now, is unknown."""
        late = opening("2026-01-10/2026-01-31", due="2026-03-05")
        earlier = sent(rent(first_billing_period_bill_item=late), MARCH)
        quarter = quarterly("25000.00").evolve(
            first_billing_period_bill_item=late,
            billing_cycle=quarterly("25000.00").billing_cycle.evolve(start=2),
        )

        assert untold(quarter, earlier, APRIL)

    def test_a_fee_that_is_due_later_now_is_not_charged_again(self) -> None:
        """20 more were billed in March for the fee of February, which is due in April now."""
        result = march([rent(), fee("120.00")], [rent(), fee()])

        assert untold([rent(), fee("120.00", due="2026-04-10")], result)


class TestBillsOfAService:
    """Without ids and kinds a correction looks like any line (A56)."""

    def test_a_difference_alone_is_not_taken_for_a_rent(self) -> None:
        """100 for February may be all of it, or what came to 8,000."""
        assert untold(RIGHT, bare(march())).startswith("all bills for the days from 2026-02-01 on")

    def test_with_all_bills_it_counts(self) -> None:
        """8,000 and 100 for February, 8,100 for March: nothing but April is left."""
        both = [bare(sent(WRONG, FEBRUARY)), bare(march())]

        assert [(*THIS_APRIL, "8100.00")] == after(RIGHT, both, APRIL)

    def test_a_credit_alone_is_not_charged_again(self) -> None:
        ended = rent(ended_on=day("2026-02-14"))

        assert [] == after(ended, bare(march(ended, rent())), APRIL)

    def test_a_rebate_is_no_correction(self) -> None:
        """−50 a month were billed for March, are owed, and are −60 in truth."""
        rebate = rent("-50.00")

        assert [] == after(rebate, bare(sent(rebate, MARCH)), MARCH)
        assert [("2026-03-01", "correction", MARCH, "-10.00")] == after(
            rent("-60.00"), bare(sent(rebate, MARCH)), MARCH
        )


class TestAccountingPeriods:
    """Bills are asked for by the first days of their accounting periods (A15)."""

    def test_a_correction_alone_is_not_all_that_was_billed(self) -> None:
        assert [(*THIS_APRIL, "8100.00")] == after(
            RIGHT, march(policy=BY_START), APRIL, policy=BY_START
        )

    def test_what_is_made_up_for_one_item_says_nothing_of_others(self) -> None:
        items = [rent(id="rent"), rent("400.00", id="cellar")]
        earlier = [sent(items[0], FEBRUARY, policy=BY_START), sent(items, JANUARY, policy=BY_START)]
        result = rb.pending_bills(items, MARCH, policy=BY_START, already_billed=earlier)

        assert ["8500.00", "400.00", "400.00"] == [told[3] for told in told_of(result)]
        assert [(*THIS_APRIL, "8500.00"), (*THIS_APRIL, "400.00")] == after(
            items, result, APRIL, policy=BY_START
        )

    def test_an_item_that_was_forgotten_is_made_up_from_a_day_that_is_said(self) -> None:
        """No bill of the fee of 2 March is told."""
        items = [rent(), fee(due="2026-03-02")]
        earlier = sent(rent(), MARCH, policy=BY_START)

        assert [(*THIS_APRIL, "8500.00")] == after(items, earlier, APRIL, policy=BY_START)
        assert ["8500.00", "100.00"] == [
            told[3]
            for told in after(items, earlier, APRIL, policy=BY_START, billed_since="2026-03-01")
        ]
