"""The laws of whole answers: windows, order, ends, repeatability, and the oracle's judgement."""

import pickle
from collections import Counter
from datetime import timedelta
from decimal import ROUND_DOWN, localcontext

import pytest
from hypothesis import given

import rentbilling as rb
from rentbilling.testing.strategies.choices import EPOCH, chosen
from tests.oracle import ToldLine, bills_by_oracle, bills_told_by
from tests.support.strategies import leases, policies, windows

DAY = timedelta(days=1)
# An opening may fall due before its first day.
ALWAYS = rb.Period(EPOCH - timedelta(days=500), EPOCH + timedelta(days=1100))

cuts = chosen(lambda choices: choices.below(731))


def stated(result: rb.BillingResult) -> Counter[ToldLine]:
    """Return the lines of an answer, whatever bills they stand on and in whatever order."""
    return Counter(line for bill in bills_told_by(result.bills) for line in bill.lines)


class TestOracle:
    """A biller that walks day by day and knows only the assumptions finds the same bills."""

    @given(leases, windows, policies)
    def test_every_figure_of_every_bill_agrees(
        self, terms: rb.LeaseTerms, period: rb.Period, policy: rb.BillingPolicy
    ) -> None:
        assert bills_by_oracle(terms, period, policy) == bills_told_by(
            rb.pending_bills(terms, period, policy=policy)
        )

    @given(leases, windows)
    def test_the_policy_that_nobody_names_is_the_default(
        self, terms: rb.LeaseTerms, period: rb.Period
    ) -> None:
        assert bills_by_oracle(terms, period) == bills_told_by(rb.pending_bills(terms, period))


class TestWindows:
    """An asked period holds what falls due in it, wherever it is cut (A15)."""

    @given(leases, windows, policies, cuts)
    def test_two_adjoining_periods_give_what_the_joined_one_gives(
        self, terms: rb.LeaseTerms, period: rb.Period, policy: rb.BillingPolicy, cut: int
    ) -> None:
        by_due_date = policy.evolve(select="due_date")
        parts = period.split_at(period.start + (1 + cut % period.days) * DAY)

        assert [*rb.pending_bills(terms, period, policy=by_due_date)] == [
            bill for part in parts for bill in rb.pending_bills(terms, part, policy=by_due_date)
        ]

    @given(leases, windows, policies, cuts)
    def test_by_accounting_period_no_line_is_lost_or_found_twice(
        self, terms: rb.LeaseTerms, period: rb.Period, policy: rb.BillingPolicy, cut: int
    ) -> None:
        """Selected by their days, the lines of two adjoining periods are those of the joined one.

        Nets of Inclusive lines may move by a minor unit, because a bill may fall apart.
        """
        by_period = policy.evolve(select="accounting_period")
        parts = period.split_at(period.start + (1 + cut % period.days) * DAY)
        joined = stated(rb.pending_bills(terms, period, policy=by_period))
        apart = sum(
            (stated(rb.pending_bills(terms, part, policy=by_period)) for part in parts), Counter()
        )

        assert Counter((one.product_key, one.first_day, one.amount) for one in joined) == Counter(
            (one.product_key, one.first_day, one.amount) for one in apart
        )

    @given(leases, windows, policies)
    def test_every_bill_falls_due_in_the_asked_period(
        self, terms: rb.LeaseTerms, period: rb.Period, policy: rb.BillingPolicy
    ) -> None:
        for bill in rb.pending_bills(terms, period, policy=policy):
            if policy.select == "due_date":
                assert bill.due_date in period
            else:
                assert all(line.accounting_period.start in period for line in bill.lines)


class TestOrder:
    """Bills come by due date and currency, lines by item and days (A16)."""

    @given(leases, windows, policies)
    def test_no_two_bills_share_due_date_and_currency(
        self, terms: rb.LeaseTerms, period: rb.Period, policy: rb.BillingPolicy
    ) -> None:
        keys = [
            (bill.due_date, bill.currency)
            for bill in rb.pending_bills(terms, period, policy=policy)
        ]

        assert sorted(set(keys)) == keys

    @given(leases, windows, policies)
    def test_the_order_of_the_items_changes_no_figure(
        self, terms: rb.LeaseTerms, period: rb.Period, policy: rb.BillingPolicy
    ) -> None:
        around = terms.evolve(
            recurring_bill_items=terms.recurring_bill_items[::-1],
            one_time_bill_items=terms.one_time_bill_items[::-1],
        )
        as_given = rb.pending_bills(terms, period, policy=policy)
        turned = rb.pending_bills(around, period, policy=policy)

        assert [(bill.due_date, bill.subtotal, bill.total, bill.payable) for bill in as_given] == [
            (bill.due_date, bill.subtotal, bill.total, bill.payable) for bill in turned
        ]
        assert [Counter(bill.vat_totals) for bill in as_given] == [
            Counter(bill.vat_totals) for bill in turned
        ]

    @given(leases, windows, policies)
    def test_a_lease_bills_what_its_items_bill(
        self, terms: rb.LeaseTerms, period: rb.Period, policy: rb.BillingPolicy
    ) -> None:
        together = stated(rb.pending_bills(terms, period, policy=policy))
        apart: Counter[ToldLine] = Counter()
        for item in terms.recurring_bill_items:
            alone = terms.evolve(recurring_bill_items=(item,), one_time_bill_items=())
            apart += stated(rb.pending_bills(alone, period, policy=policy))
        for once in terms.one_time_bill_items:
            apart += stated(rb.pending_bills(once, period, policy=policy))

        assert Counter(
            (one.first_day, one.last_day, one.amount) for one in together.elements()
        ) == (Counter((one.first_day, one.last_day, one.amount) for one in apart.elements()))


class TestEnds:
    """An end is the last day paid for; a cancellation stops bills, not days (A17)."""

    @given(leases, policies)
    def test_no_regular_line_reaches_past_the_end(
        self, terms: rb.LeaseTerms, policy: rb.BillingPolicy
    ) -> None:
        if terms.contract_end is not None:
            for bill in rb.pending_bills(terms, ALWAYS, policy=policy):
                for line in bill.lines:
                    if line.kind in {"regular", "part"}:
                        assert line.accounting_period.end <= terms.contract_end

    @given(leases, policies)
    def test_nothing_falls_due_from_the_cancellation_on(
        self, terms: rb.LeaseTerms, policy: rb.BillingPolicy
    ) -> None:
        for item in terms.recurring_bill_items:
            day = item.cancelled_on
            for bill in rb.pending_bills(item, ALWAYS, policy=policy):
                for line in bill.lines:
                    if day is not None and item.due_date_rule.relative_to == "start":
                        assert bill.due_date < day
                    elif day is not None and line.regular_period is not None:
                        assert line.regular_period.start < day

    @given(leases, policies)
    def test_one_time_items_are_never_stopped_or_cut(
        self, terms: rb.LeaseTerms, policy: rb.BillingPolicy
    ) -> None:
        lines = [
            line for bill in rb.pending_bills(terms, ALWAYS, policy=policy) for line in bill.lines
        ]

        assert Counter(item.accounting_period for item in terms.one_time_bill_items) == Counter(
            line.accounting_period for line in lines if line.kind == "one_time"
        )

    @given(leases, policies)
    def test_no_day_of_an_item_is_billed_twice(
        self, terms: rb.LeaseTerms, policy: rb.BillingPolicy
    ) -> None:
        for item in terms.recurring_bill_items:
            found = [
                line.accounting_period
                for bill in rb.pending_bills(item, ALWAYS, policy=policy)
                for line in bill.lines
            ]

            assert sum(one.days for one in found) == sum(
                one.days for one in rb.Period.joined(found)
            )


class TestSameAnswer:
    """The same arguments give the same answer, whoever asks, however often, and in what mood."""

    @given(leases, windows, policies)
    def test_asking_twice_gives_equal_answers(
        self, terms: rb.LeaseTerms, period: rb.Period, policy: rb.BillingPolicy
    ) -> None:
        first = rb.pending_bills(terms, period, policy=policy)
        second = rb.pending_bills(terms, period, policy=policy)

        assert first == second
        assert first.notices == second.notices
        assert first.policy_fingerprint == second.policy_fingerprint

    @given(leases, windows, policies)
    def test_the_inputs_are_unchanged(
        self, terms: rb.LeaseTerms, period: rb.Period, policy: rb.BillingPolicy
    ) -> None:
        before = pickle.dumps((terms, period, policy))
        rb.pending_bills(terms, period, policy=policy)

        assert pickle.loads(before) == (terms, period, policy)

    @given(leases, windows, policies)
    def test_the_callers_decimal_context_changes_nothing(
        self, terms: rb.LeaseTerms, period: rb.Period, policy: rb.BillingPolicy
    ) -> None:
        usual = bills_told_by(rb.pending_bills(terms, period, policy=policy))
        with localcontext() as context:
            context.prec = 6
            context.rounding = ROUND_DOWN
            narrow = bills_told_by(rb.pending_bills(terms, period, policy=policy))

        assert usual == narrow

    @given(leases, windows, policies)
    def test_compiled_terms_bill_the_same(
        self, terms: rb.LeaseTerms, period: rb.Period, policy: rb.BillingPolicy
    ) -> None:
        compiled = rb.compile_terms(terms, policy=policy)
        plain = rb.pending_bills(terms, period, policy=policy)
        rb.pending_bills(compiled, ALWAYS)
        again = rb.pending_bills(compiled, period)

        assert bills_told_by(plain) == bills_told_by(again)
        assert plain.notices == again.notices

    @given(leases, windows, policies)
    def test_a_period_is_billed_as_its_text_is(
        self, terms: rb.LeaseTerms, period: rb.Period, policy: rb.BillingPolicy
    ) -> None:
        assert rb.pending_bills(terms, period, policy=policy) == rb.bill_period(
            terms, str(period), policy=policy
        )


class TestBound:
    """An answer of more lines than the policy allows is refused, and no other (A60)."""

    @given(leases, windows, policies)
    def test_the_bound_is_met_exactly(
        self, terms: rb.LeaseTerms, period: rb.Period, policy: rb.BillingPolicy
    ) -> None:
        result = rb.pending_bills(terms, period, policy=policy)
        lines = sum(len(bill.lines) for bill in result)

        assert result == rb.pending_bills(terms, period, policy=policy.evolve(max_lines=lines or 1))
        if lines > 1:
            with pytest.raises(rb.UnsupportedCaseError) as caught:
                rb.pending_bills(terms, period, policy=policy.evolve(max_lines=lines - 1))

            assert {"lines": lines, "most": lines - 1} == caught.value.facts


class TestResultsAreValues:
    """Results pickle, hash and compare."""

    @given(leases, windows, policies)
    def test_a_pickled_answer_is_the_same_answer(
        self, terms: rb.LeaseTerms, period: rb.Period, policy: rb.BillingPolicy
    ) -> None:
        result = rb.pending_bills(terms, period, policy=policy)
        again = pickle.loads(pickle.dumps(result))

        assert result == again
        assert bills_told_by(result) == bills_told_by(again)
        assert result.notices == again.notices

    @given(leases, windows, policies)
    def test_equal_answers_have_equal_hashes(
        self, terms: rb.LeaseTerms, period: rb.Period, policy: rb.BillingPolicy
    ) -> None:
        first = rb.pending_bills(terms, period, policy=policy)
        second = rb.pending_bills(terms, period, policy=policy)

        assert hash(first) == hash(second)
        assert set(first) == set(second)
        assert {line for bill in first for line in bill.lines} == {
            line for bill in second for line in bill.lines
        }

    @given(leases, windows)
    def test_an_answer_is_a_sequence_of_its_bills(
        self, terms: rb.LeaseTerms, period: rb.Period
    ) -> None:
        result = rb.pending_bills(terms, period)

        assert [*result] == [result[at] for at in range(len(result))] == [*result.bills]
