"""The laws of notices: what a person should look at is said, and nothing else is."""

from datetime import date, timedelta

from hypothesis import example, given

import rentbilling as rb
from rentbilling.testing.strategies.choices import EPOCH, chosen
from tests.oracle import Stretch, regular_periods
from tests.support.strategies import leases, policies, windows

DAY = timedelta(days=1)
ALWAYS = rb.Period(EPOCH - 400 * DAY, EPOCH + 1400 * DAY)

cuts = chosen(lambda choices: choices.below(731))

LATE_OPENING = rb.LeaseTerms(
    recurring_bill_items=(
        rb.RecurringBillItem(
            product_key="key:rent",
            amount=rb.Amount(8500, "DKK"),
            vat=rb.Vat("Exempt"),
            due_date_rule=rb.DueDateRule(),
            billing_cycle=rb.BillingCycle(),
            started_on=date(2024, 1, 20),
            first_billing_period_bill_item=rb.FirstBillingPeriodBillItem(
                amount=rb.Amount(8500, "DKK"),
                due_date=date(2024, 1, 20),
                accounting_period=rb.Period.parse("2023-12-01/2023-12-31"),
            ),
            cancelled_on=date(2024, 1, 10),
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


def whole_of(line: rb.PendingBillLineItem) -> rb.Period:
    return line.regular_period or line.accounting_period


class TestNotices:
    """What a person should look at is said once, in every answer that it concerns."""

    @given(leases, windows, policies)
    def test_nothing_is_said_twice(
        self, terms: rb.LeaseTerms, period: rb.Period, policy: rb.BillingPolicy
    ) -> None:
        notices = rb.pending_bills(terms, period, policy=policy).notices

        assert len(set(notices)) == len(notices)

    @given(leases, windows, policies)
    def test_credits_and_rates_that_charge_nothing_are_pointed_out(
        self, terms: rb.LeaseTerms, period: rb.Period, policy: rb.BillingPolicy
    ) -> None:
        """A line with a negative quantity (A21), or an untaxed one with a rate (A28), has one."""
        result = rb.pending_bills(terms, period, policy=policy)
        lines = [line for bill in result for line in bill.lines]

        assert {line.item_id for line in lines if line.quantity < 0} == told(
            result, "credit_quantity"
        )
        assert {
            line.item_id
            for line in lines
            if line.vat.tax_mode in {"Exempt", "ReverseCharge"} and line.vat.tax_rate
        } == told(result, "rate_without_tax")

    @given(leases, windows, policies)
    def test_days_left_out_after_the_opening_period_are_pointed_out(
        self, terms: rb.LeaseTerms, period: rb.Period, policy: rb.BillingPolicy
    ) -> None:
        """Who asks for days of a gap is told of it; nobody is told where there is none (A13)."""
        endless = terms.evolve(
            contract_end=None,
            recurring_bill_items=tuple(
                item.evolve(ended_on=None, cancelled_on=None) for item in terms.recurring_bill_items
            ),
        )
        found = told(rb.pending_bills(endless, period, policy=policy), "gap_after_opening_period")
        for item_id, item in zip(endless.item_ids, endless.recurring_bill_items, strict=False):
            after = item.first_billing_period_bill_item.accounting_period.end
            first = _first_regular(item)
            gap = Stretch(after + DAY, first - DAY).days()

            assert item_id in found or not any(day in period for day in gap)
            assert item_id not in found or gap

    @given(leases, windows, policies, cuts)
    def test_two_adjoining_periods_say_what_the_joined_one_says(
        self, terms: rb.LeaseTerms, period: rb.Period, policy: rb.BillingPolicy, cut: int
    ) -> None:
        by_due_date = policy.evolve(select="due_date")
        parts = period.split_at(period.start + (1 + cut % period.days) * DAY)
        joined = rb.pending_bills(terms, period, policy=by_due_date).notices
        apart = [rb.pending_bills(terms, part, policy=by_due_date).notices for part in parts]

        assert {(one.code, one.item_id) for one in joined} == {
            (one.code, one.item_id) for notices in apart for one in notices
        }

    @given(leases, policies)
    def test_an_opening_period_past_the_end_is_pointed_out(
        self, terms: rb.LeaseTerms, policy: rb.BillingPolicy
    ) -> None:
        """It is billed as stated; that its last day lies past the end is said (A17)."""
        found = told(rb.pending_bills(terms, ALWAYS, policy=policy), "opening_past_end")
        for item_id, item in zip(terms.item_ids, terms.recurring_bill_items, strict=False):
            stated = item.first_billing_period_bill_item.accounting_period
            end = min(item.ended_on or date.max, terms.contract_end or date.max)
            if item.cancelled_on is None:
                assert (item_id in found) == (stated.start <= end < stated.end)

    @given(leases, policies)
    def test_a_start_before_the_opening_due_date_is_pointed_out(
        self, terms: rb.LeaseTerms, policy: rb.BillingPolicy
    ) -> None:
        """Both should be the first due date (A12)."""
        code = "started_on_before_opening_due_date"
        endless = terms.evolve(
            contract_end=None,
            recurring_bill_items=tuple(
                item.evolve(ended_on=None, cancelled_on=None) for item in terms.recurring_bill_items
            ),
        )
        found = told(rb.pending_bills(endless, ALWAYS, policy=policy), code)

        assert found == {
            item_id
            for item_id, item in zip(endless.item_ids, endless.recurring_bill_items, strict=False)
            if item.started_on < item.first_billing_period_bill_item.due_date
        }

    @given(leases, policies)
    def test_periods_billed_after_a_cancellation_are_pointed_out(
        self, terms: rb.LeaseTerms, policy: rb.BillingPolicy
    ) -> None:
        """A cancellation stops bills, not days: what was due before it stays billed (A17)."""
        result = rb.pending_bills(terms, ALWAYS, policy=policy)
        cancelled = {
            item_id: item.cancelled_on
            for item_id, item in zip(terms.item_ids, terms.recurring_bill_items, strict=False)
            if item.cancelled_on is not None
        }

        assert told(result, "billed_after_cancellation") == {
            line.item_id
            for bill in result
            for line in bill.lines
            if line.item_id in cancelled and whole_of(line).start >= cancelled[line.item_id]
        }

    @given(leases, policies)
    @example(LATE_OPENING, rb.BillingPolicy())
    def test_days_before_a_cancellation_that_no_bill_covers_are_pointed_out(
        self, terms: rb.LeaseTerms, policy: rb.BillingPolicy
    ) -> None:
        """Who cancels between a period's first day and its bill leaves days unbilled (A17)."""
        result = rb.pending_bills(terms, ALWAYS, policy=policy)
        found = told(result, "unbilled_days_before_cancellation")
        for item_id, item in zip(terms.item_ids, terms.recurring_bill_items, strict=False):
            opening = item.first_billing_period_bill_item.accounting_period
            end = min(item.ended_on or date.max, terms.contract_end or date.max)
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
