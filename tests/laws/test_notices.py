"""The laws of notices: what a person should look at is said, and nothing else is."""

from datetime import date, timedelta

from hypothesis import example, given

import rentbilling as rb
from tests.oracle import Stretch, regular_periods
from tests.support.strategies import ALWAYS, Run, cuts, runs

DAY = timedelta(days=1)

LATE_OPENING = rb.LeaseTerms.of(
    rb.monthly_rent(
        "8500 DKK",
        moved_in="2023-12-01",
        cancelled_on="2024-01-10",
        first_billing_period_bill_item=rb.FirstBillingPeriodBillItem(
            amount=rb.Amount(8500, "DKK"),
            due_date="2024-01-20",
            accounting_period="2023-12-01/2023-12-31",
        ),
    )
)
"""December falls due on 20 January, after the cancellation; January, due on the 1st, is billed."""


def told(result: rb.BillingResult, code: str) -> set[str | None]:
    return {notice.item_id for notice in result.notices if notice.code == code}


def _first_regular(item: rb.RecurringBillItem) -> date:
    """Return the first day of an item's regular periods."""
    opening = item.first_billing_period_bill_item.accounting_period
    days = Stretch(opening.start, opening.end)
    return regular_periods(item.billing_cycle, days, opening.end + 400 * DAY)[0].span.first


def without_ends(terms: rb.LeaseTerms) -> rb.LeaseTerms:
    items = (item.evolve(ended_on=None, cancelled_on=None) for item in terms.recurring_bill_items)
    return terms.evolve(contract_end=None, recurring_bill_items=tuple(items))


def whole_of(line: rb.PendingBillLineItem) -> rb.Period:
    return line.regular_period or line.accounting_period


class TestNotices:
    """What a person should look at is said once, in every answer that it concerns."""

    @given(runs)
    def test_nothing_is_said_twice(self, run: Run) -> None:
        notices = run.bills.notices

        assert len(set(notices)) == len(notices)

    @given(runs)
    def test_credits_and_rates_that_charge_nothing_are_pointed_out(self, run: Run) -> None:
        """A line with a negative quantity (A21), or an untaxed one with a rate (A28), has one."""
        result = run.bills
        lines = [line for bill in result for line in bill.lines]

        assert {line.item_id for line in lines if line.quantity < 0} == told(
            result, "credit_quantity"
        )
        assert {
            line.item_id
            for line in lines
            if line.vat.tax_mode in {"Exempt", "ReverseCharge"} and line.vat.tax_rate
        } == told(result, "rate_without_tax")

    @given(runs)
    def test_days_left_out_after_the_opening_period_are_pointed_out(self, run: Run) -> None:
        """Who asks for days of a gap is told of it; nobody is told where there is none (A13)."""
        endless = without_ends(run.terms)
        found = told(run.other(terms=endless).bills, "gap_after_opening_period")
        for item_id, item in zip(endless.item_ids, endless.recurring_bill_items, strict=False):
            after = item.first_billing_period_bill_item.accounting_period.end
            first = _first_regular(item)
            gap = Stretch(after + DAY, first - DAY).days()

            assert item_id in found or not any(day in run.period for day in gap)
            assert item_id not in found or gap

    @given(runs, cuts)
    def test_two_adjoining_periods_say_what_the_joined_one_says(self, run: Run, cut: int) -> None:
        run = run.other(policy=run.policy.evolve(select="due_date"))
        joined, apart = run.bills.notices, [part.bills.notices for part in run.cut(cut)]

        assert {(one.code, one.item_id) for one in joined} == {
            (one.code, one.item_id) for notices in apart for one in notices
        }

    @given(runs)
    def test_an_opening_period_past_the_end_is_pointed_out(self, run: Run) -> None:
        """It is billed as stated; that its last day lies past the end is said (A17)."""
        found = told(run.other(period=ALWAYS).bills, "opening_past_end")
        for item_id, item in zip(run.terms.item_ids, run.terms.recurring_bill_items, strict=False):
            stated = item.first_billing_period_bill_item.accounting_period
            end = min(item.ended_on or date.max, run.terms.contract_end or date.max)
            if item.cancelled_on is None:
                assert (item_id in found) == (stated.start <= end < stated.end)

    @given(runs)
    def test_a_start_before_the_opening_due_date_is_pointed_out(self, run: Run) -> None:
        """Both should be the first due date (A12)."""
        code = "started_on_before_opening_due_date"
        endless = without_ends(run.terms)
        found = told(run.other(terms=endless, period=ALWAYS).bills, code)

        assert found == {
            item_id
            for item_id, item in zip(endless.item_ids, endless.recurring_bill_items, strict=False)
            if item.started_on < item.first_billing_period_bill_item.due_date
        }

    @given(runs)
    def test_periods_billed_after_a_cancellation_are_pointed_out(self, run: Run) -> None:
        """A cancellation stops bills, not days: what was due before it stays billed (A17)."""
        result = run.other(period=ALWAYS).bills
        cancelled = {
            item_id: item.cancelled_on
            for item_id, item in zip(
                run.terms.item_ids, run.terms.recurring_bill_items, strict=False
            )
            if item.cancelled_on is not None
        }

        assert told(result, "billed_after_cancellation") == {
            line.item_id
            for bill in result
            for line in bill.lines
            if line.item_id in cancelled and whole_of(line).start >= cancelled[line.item_id]
        }

    @given(runs)
    @example(Run(LATE_OPENING, ALWAYS, rb.BillingPolicy()))
    def test_days_before_a_cancellation_that_no_bill_covers_are_pointed_out(self, run: Run) -> None:
        """Who cancels between a period's first day and its bill leaves days unbilled (A17)."""
        result = run.other(period=ALWAYS).bills
        found = told(result, "unbilled_days_before_cancellation")
        for item_id, item in zip(run.terms.item_ids, run.terms.recurring_bill_items, strict=False):
            opening = item.first_billing_period_bill_item.accounting_period
            end = min(item.ended_on or date.max, run.terms.contract_end or date.max)
            cancelled = item.cancelled_on or date.max
            last = min(cancelled - DAY, end)
            billed = [
                line.accounting_period
                for bill in result
                for line in bill.lines
                if line.item_id == item_id
            ]
            if item.cancelled_on is None or last < opening.start:
                assert item_id not in found
            else:
                left = rb.Period(opening.start, last).minus(
                    *billed, rb.Period(opening.end, _first_regular(item) - DAY)
                )

                # Days of a gap have their own notice, and may be named in this one or not.
                assert item_id in found or not left
