"""The laws of bills. The oracle judges every figure; what it judges needs no law of its own."""

import json
import pickle
from datetime import timedelta
from decimal import ROUND_DOWN, Decimal, localcontext
from fractions import Fraction
from typing import Any, get_args

import pytest
from hypothesis import given, settings, strategies as st

import rentbilling as rb
from rentbilling.policy import VatRounding
from rentbilling.testing.strategies.choices import EPOCH, Choices, chosen
from rentbilling.testing.strategies.items import PLACES, choose_discounts, choose_item
from tests.oracle import bills_by_oracle, bills_told_by, rounded
from tests.support.strategies import ALWAYS, Run, items, policies, runs, whole_bills, windows

TOP = {"dueDate", "pendingBillLineItems", "subtotal", "total", "vatTotals"}
LINE = {"productKey", "amount", "quantity", "unitNetPrice", "netPrice", "vat", "accountingPeriod"}
DUE, YEARS = (rb.Period(EPOCH, EPOCH + timedelta(days=days)) for days in (0, 730))
MORE = settings(max_examples=3 * settings().max_examples)


def choose_discounted(choices: Choices) -> rb.RecurringBillItem:
    """Choose an item with one to three discounts in the list."""
    item = choose_item(choices).evolve(discount=None, discounts=(), price_per="cycle")
    tried = (choose_discounts(choices, item.amount).get("discounts") for _ in range(12))
    found = next(filter(None, tried), [rb.Discount(percentage=Decimal("0.1"))])
    return item.evolve(discounts=found)


discounted = chosen(choose_discounted, 500)


class TestTheOracle:
    """A biller that walks day by day and knows only the assumptions finds the same bills."""

    @MORE
    @given(runs)
    def test_of_a_lease(self, run: Run) -> None:
        assert bills_by_oracle(run.terms, run.period, run.policy) == bills_told_by(run.bills)

    @given(runs)
    def test_by_the_policy_that_nobody_names(self, run: Run) -> None:
        found = rb.pending_bills(run.terms, run.period)

        assert bills_by_oracle(run.terms, run.period) == bills_told_by(found)

    @given(runs)
    def test_over_all_days(self, run: Run) -> None:
        """Every end, cancellation and opening is met (A12, A17)."""
        asked = run.other(period=ALWAYS)

        assert bills_by_oracle(run.terms, ALWAYS, run.policy) == bills_told_by(asked.bills)

    @MORE
    @given(discounted, policies)
    def test_of_discounts_in_a_list(
        self, item: rb.RecurringBillItem, policy: rb.BillingPolicy
    ) -> None:
        """Over all days, so that each begins and ends (A23, A61)."""
        found = rb.pending_bills(item, YEARS, policy=policy)

        assert bills_by_oracle([item], YEARS, policy) == bills_told_by(found)

    @MORE
    @given(whole_bills, policies, st.sampled_from(get_args(VatRounding)))
    def test_of_one_bill_with_many_vats(
        self, items: tuple[rb.OneTimeBillItem, ...], policy: rb.BillingPolicy, where: VatRounding
    ) -> None:
        """VAT is corrected one minor unit at a time, as on paper (A29, A30, A52)."""
        policy = policy.evolve(select="due_date", vat_rounding=where)
        found = rb.pending_bills(items, DUE, policy=policy)

        assert bills_by_oracle(items, DUE, policy) == bills_told_by(found)
        # Rounding VAT in another place afterwards is as good as billing so (A29).
        for other in get_args(VatRounding):
            rules = policy.evolve(vat_rounding=other)
            (bill,) = rb.pending_bills(items, DUE, policy=rules)
            assert bill.vat_totals == rb.vat_totals(found[0].lines, policy=rules)
            # Each line has its part of a total's VAT.
            assert bill.total.amount == sum(row["gross"] for row in bill.rows())


class TestSameAnswer:
    """The same arguments give the same answer, whoever asks, and in what mood."""

    @given(runs)
    def test_the_inputs_are_unchanged(self, run: Run) -> None:
        before = pickle.dumps(run)
        run.billed()

        assert pickle.loads(before) == run

    @given(runs)
    def test_the_callers_decimal_context_changes_nothing(self, run: Run) -> None:
        with localcontext() as context:
            context.prec = 6
            context.rounding = ROUND_DOWN
            narrow = bills_told_by(run.billed())

        assert bills_told_by(run.bills) == narrow

    @given(runs)
    def test_compiled_terms_bill_the_same(self, run: Run) -> None:
        compiled = rb.compile_terms(run.terms, policy=run.policy)
        rb.pending_bills(compiled, ALWAYS)
        again = rb.pending_bills(compiled, str(run.period))

        assert bills_told_by(run.bills) == bills_told_by(again)
        assert run.bills.notices == again.notices

    @given(runs)
    def test_equal_answers_have_equal_hashes(self, run: Run) -> None:
        again = run.billed()

        assert hash(run.bills) == hash(again)
        assert set(run.bills) == set(again)
        assert {e for bill in again for e in bill.vat_totals} == {
            e for bill in run.bills for e in bill.vat_totals
        }
        assert {e for bill in again for e in bill.lines} == {e for b in run.bills for e in b.lines}

    @given(runs)
    def test_the_bound_of_lines_is_met_exactly(self, run: Run) -> None:
        """An answer of more lines than the policy allows is refused, and no other (A60)."""
        lines = sum(len(bill.lines) for bill in run.bills)
        most = run.policy.evolve(max_lines=lines or 1)

        assert run.bills == run.other(policy=most).bills
        if lines > 1:
            with pytest.raises(rb.UnsupportedCaseError) as caught:
                run.other(policy=run.policy.evolve(max_lines=lines - 1)).billed()

            assert {"lines": lines, "most": lines - 1} == caught.value.facts


class TestJson:
    """What is written is read again, digit for digit, also what is beyond the interface (A56)."""

    @given(runs, st.booleans())
    def test_bills_are_read_again_letter_by_letter(self, run: Run, full: bool) -> None:
        text = rb.dumps(run.bills, full=full)
        again = rb.loads(text, rb.BillingResult, policy=run.policy)

        assert text == rb.dumps(again, full=full)
        assert run.bills == again
        if full:
            assert bills_told_by(run.bills) == bills_told_by(again)
            assert run.bills.notices == again.notices

    @given(runs)
    def test_the_plain_form_has_the_fields_of_the_interface_alone(self, run: Run) -> None:
        data: Any = json.loads(rb.dumps(run.other(policy=rb.BillingPolicy()).bills))

        assert {"bills"} == set(data)
        assert all(set(bill) == TOP for bill in data["bills"])
        lines = [line for bill in data["bills"] for line in bill["pendingBillLineItems"]]
        assert all(set(line) == LINE for line in lines)

    @given(runs)
    def test_policies_survive(self, run: Run) -> None:
        """With products' own policies, holidays and steps; the fingerprint is the same (A59)."""
        again = rb.loads(rb.dumps(run.policy), rb.BillingPolicy)

        assert run.policy == again
        assert run.policy.fingerprint == again.fingerprint


class TestDiscounts:
    """Several discounts of one item (A61)."""

    @given(items, windows, policies)
    def test_what_says_nothing_new_changes_nothing(
        self, item: rb.RecurringBillItem, period: rb.Period, policy: rb.BillingPolicy
    ) -> None:
        """The one discount as a list, and discounts on no day that is billed, to the digit."""
        far = rb.Discount(percentage=Decimal("0.5"), start_date="2900-01-01")
        long_ago = rb.Discount(percentage=Decimal("0.5"), end_date="1900-01-01")
        expected = rb.dumps(rb.pending_bills(item, period, policy=policy), full=True)
        for listed in (item.all_discounts, (far, *item.all_discounts, long_ago)):
            other = item.evolve(discount=None, discounts=listed)

            assert expected == rb.dumps(rb.pending_bills(other, period, policy=policy), full=True)

    @given(discounted, windows)
    def test_what_was_taken_off_adds_up(
        self, item: rb.RecurringBillItem, period: rb.Period
    ) -> None:
        """A whole line and what each discount took off are the line without discounts."""
        quantum = Fraction(1, 10 ** PLACES[item.amount.currency])
        with_them, without = (
            {e.accounting_period: e for b in rb.pending_bills(each, period) for e in b.lines}
            for each in (item, item.evolve(discounts=()))
        )
        for days, line in with_them.items():
            if line.kind == "regular" and days in without and without[days].kind == "regular":
                own, whole = (
                    rounded(Fraction(e.amount.amount) * Fraction(e.quantity), quantum, "half_up")
                    for e in (line, without[days])
                )
                assert whole == own + sum(Fraction(e.taken_off.amount) for e in line.discounts)
