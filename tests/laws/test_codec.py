"""The laws of JSON: what is written is read again, digit for digit."""

import json
from decimal import Decimal
from typing import Any

from hypothesis import given

import rentbilling as rb
from tests.oracle import bills_told_by
from tests.support.strategies import items, leases, one_time_items, policies, windows

TOP = {"dueDate", "pendingBillLineItems", "subtotal", "total", "vatTotals"}
LINE = {"productKey", "amount", "quantity", "unitNetPrice", "netPrice", "vat", "accountingPeriod"}


def parsed(text: str) -> Any:  # noqa: ANN401 - JSON is any value
    return json.loads(text, parse_float=Decimal)


class TestRecords:
    """Records written and read again are equal, and are written again letter by letter."""

    @given(items)
    def test_recurring_items_survive(self, item: rb.RecurringBillItem) -> None:
        text = rb.dumps(item)
        again = rb.loads(text, rb.RecurringBillItem)

        assert item == again
        assert text == rb.dumps(again)

    @given(one_time_items)
    def test_one_time_items_survive(self, item: rb.OneTimeBillItem) -> None:
        text = rb.dumps(item)
        again = rb.loads(text, rb.OneTimeBillItem)

        assert item == again
        assert text == rb.dumps(again)

    @given(leases)
    def test_lease_terms_survive(self, terms: rb.LeaseTerms) -> None:
        """The file of a lease (A57) keeps everything that is billed."""
        text = rb.dumps(terms)
        again = rb.loads(text)

        assert terms == again
        assert text == rb.dumps(again)

    @given(policies)
    def test_policies_survive(self, policy: rb.BillingPolicy) -> None:
        """With products' own policies, holidays and steps; the fingerprint is the same (A59)."""
        again = rb.loads(rb.dumps(policy), rb.BillingPolicy)

        assert policy == again
        assert policy.fingerprint == again.fingerprint

    @given(leases, windows, policies)
    def test_terms_read_again_bill_the_same(
        self, terms: rb.LeaseTerms, period: rb.Period, policy: rb.BillingPolicy
    ) -> None:
        again = rb.loads(rb.dumps(terms))
        policy_again = rb.loads(rb.dumps(policy), rb.BillingPolicy)

        assert rb.pending_bills(terms, period, policy=policy) == rb.pending_bills(
            again, period, policy=policy_again
        )

    @given(leases)
    def test_numbers_are_numbers_and_dates_are_dates(self, terms: rb.LeaseTerms) -> None:
        """Amounts are JSON numbers, never texts, and null is never written (A1, A6)."""
        for item in parsed(rb.dumps(terms)).get("recurringBillItems", []):
            assert isinstance(item["amount"]["amount"], (int, Decimal))
            assert None not in item.values()


class TestBills:
    """Bills are written as the interface has them, and in full on request (A56)."""

    @given(leases, windows, policies)
    def test_plain_bills_are_read_again_as_equal(
        self, terms: rb.LeaseTerms, period: rb.Period, policy: rb.BillingPolicy
    ) -> None:
        result = rb.pending_bills(terms, period, policy=policy)
        text = rb.dumps(result)
        again = rb.loads(text, rb.BillingResult, policy=policy)

        assert result == again
        assert text == rb.dumps(again)

    @given(leases, windows, policies)
    def test_full_bills_keep_what_is_beyond_the_interface(
        self, terms: rb.LeaseTerms, period: rb.Period, policy: rb.BillingPolicy
    ) -> None:
        result = rb.pending_bills(terms, period, policy=policy)
        again = rb.loads(rb.dumps(result, full=True), rb.BillingResult, policy=policy)

        assert bills_told_by(result) == bills_told_by(again)
        assert result.notices == again.notices
        assert [line.item_id for bill in result for line in bill.lines] == [
            line.item_id for bill in again for line in bill.lines
        ]

    @given(leases, windows)
    def test_the_plain_form_has_the_fields_of_the_interface_alone(
        self, terms: rb.LeaseTerms, period: rb.Period
    ) -> None:
        data = parsed(rb.dumps(rb.pending_bills(terms, period)))

        assert {"bills"} == set(data)
        assert all(set(bill) == TOP for bill in data["bills"])
        assert all(
            set(line) == LINE for bill in data["bills"] for line in bill["pendingBillLineItems"]
        )

    @given(leases, windows, policies)
    def test_the_written_figures_are_the_computed_ones(
        self, terms: rb.LeaseTerms, period: rb.Period, policy: rb.BillingPolicy
    ) -> None:
        result = rb.pending_bills(terms, period, policy=policy)
        data = parsed(rb.dumps(result))

        assert [
            (str(b.due_date), b.currency, b.subtotal.amount, b.total.amount) for b in result
        ] == [
            (b["dueDate"], b["total"]["currency"], b["subtotal"]["amount"], b["total"]["amount"])
            for b in data["bills"]
        ]
