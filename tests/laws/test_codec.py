"""The laws of JSON: what is written is read again, digit for digit."""

import json
from decimal import Decimal
from typing import Any

from hypothesis import given

from rentbilling import (
    BillingPolicy,
    BillingResult,
    LeaseTerms,
    OneTimeBillItem,
    Period,
    RecurringBillItem,
    dumps,
    loads,
    pending_bills,
)
from tests.oracle import bills_told_by
from tests.support.strategies import items, leases, one_time_items, policies, windows

TOP = {"dueDate", "pendingBillLineItems", "subtotal", "total", "vatTotals"}
LINE = {
    "productKey",
    "amount",
    "quantity",
    "unitNetPrice",
    "netPrice",
    "vat",
    "accountingPeriod",
}


def parsed(text: str) -> Any:  # noqa: ANN401 - JSON is any value
    return json.loads(text, parse_float=Decimal)


class TestRecords:
    """Records written and read again are equal, and are written again letter by letter."""

    @given(items)
    def test_recurring_items_survive(self, item: RecurringBillItem) -> None:
        text = dumps(item)
        again = loads(text, RecurringBillItem)

        assert item == again
        assert text == dumps(again)

    @given(one_time_items)
    def test_one_time_items_survive(self, item: OneTimeBillItem) -> None:
        text = dumps(item)
        again = loads(text, OneTimeBillItem)

        assert item == again
        assert text == dumps(again)

    @given(leases)
    def test_lease_terms_survive(self, terms: LeaseTerms) -> None:
        """The file of a lease (A57) keeps everything that is billed."""
        text = dumps(terms)
        again = loads(text)

        assert terms == again
        assert text == dumps(again)

    @given(policies)
    def test_policies_survive(self, policy: BillingPolicy) -> None:
        """With products' own policies, holidays and steps; the fingerprint is the same (A59)."""
        again = loads(dumps(policy), BillingPolicy)

        assert policy == again
        assert policy.fingerprint == again.fingerprint

    @given(leases, windows, policies)
    def test_terms_read_again_bill_the_same(
        self, terms: LeaseTerms, period: Period, policy: BillingPolicy
    ) -> None:
        again = loads(dumps(terms))
        policy_again = loads(dumps(policy), BillingPolicy)

        assert pending_bills(terms, period, policy=policy) == pending_bills(
            again, period, policy=policy_again
        )

    @given(leases)
    def test_numbers_are_numbers_and_dates_are_dates(self, terms: LeaseTerms) -> None:
        """Amounts are JSON numbers, never texts, and null is never written (A1, A6)."""
        for item in parsed(dumps(terms)).get("recurringBillItems", []):
            assert isinstance(item["amount"]["amount"], (int, Decimal))
            assert None not in item.values()


class TestBills:
    """Bills are written as the interface has them, and in full on request (A56)."""

    @given(leases, windows, policies)
    def test_plain_bills_are_read_again_as_equal(
        self, terms: LeaseTerms, period: Period, policy: BillingPolicy
    ) -> None:
        result = pending_bills(terms, period, policy=policy)
        text = dumps(result)
        again = loads(text, BillingResult, policy=policy)

        assert result == again
        assert text == dumps(again)

    @given(leases, windows, policies)
    def test_full_bills_keep_what_is_beyond_the_interface(
        self, terms: LeaseTerms, period: Period, policy: BillingPolicy
    ) -> None:
        result = pending_bills(terms, period, policy=policy)
        again = loads(dumps(result, full=True), BillingResult, policy=policy)

        assert bills_told_by(result) == bills_told_by(again)
        assert result.notices == again.notices
        assert [line.item_id for bill in result for line in bill.lines] == [
            line.item_id for bill in again for line in bill.lines
        ]

    @given(leases, windows)
    def test_the_plain_form_has_the_fields_of_the_interface_alone(
        self, terms: LeaseTerms, period: Period
    ) -> None:
        data = parsed(dumps(pending_bills(terms, period)))

        assert {"bills"} == set(data)
        assert all(set(bill) == TOP for bill in data["bills"])
        assert all(
            set(line) == LINE for bill in data["bills"] for line in bill["pendingBillLineItems"]
        )

    @given(leases, windows, policies)
    def test_the_written_figures_are_the_computed_ones(
        self, terms: LeaseTerms, period: Period, policy: BillingPolicy
    ) -> None:
        result = pending_bills(terms, period, policy=policy)
        data = parsed(dumps(result))

        assert [
            (str(b.due_date), b.currency, b.subtotal.amount, b.total.amount) for b in result
        ] == [
            (b["dueDate"], b["total"]["currency"], b["subtotal"]["amount"], b["total"]["amount"])
            for b in data["bills"]
        ]
