"""The laws of workings: an independent evaluator replays each of them and finds the figure."""

import pickle

from hypothesis import given, strategies as st

import rentbilling as rb
from rentbilling.testing.strategies.adjusted_leases import Adjusted
from rentbilling.testing.strategies.choices import chosen
from tests.oracle.workings import replayed
from tests.support.adjusted import ASKED, adjusted_leases, exact_leases, leases_with_deposit
from tests.support.explained import check, check_adjustments
from tests.support.strategies import Run, policies, runs, whole_bills

places = chosen(lambda choices: choices.below(12))


class TestBills:
    """Every figure of every bill is explained, and the explanation leads to it (A21, A29, A30)."""

    @given(runs)
    def test_every_figure_follows_from_its_working(self, run: Run) -> None:
        """Of a bill that was sent as far as it tells."""
        check(run.bills)
        read = pickle.loads(pickle.dumps(run.bills))
        check(read)
        for bill in read:
            assert bill.payable == replayed(rb.explain(bill))

    @given(whole_bills, policies)
    def test_so_do_those_of_bills_with_many_lines(
        self, items: tuple[object, ...], policy: rb.BillingPolicy
    ) -> None:
        """One bill of stated lines, whose Inclusive nets are often corrected (A29)."""
        check(rb.pending_bills(items, "2023-01-01/2024-12-31", policy=policy))  # type: ignore[arg-type]


class TestAdjustments:
    """Every adjustment is explained, rule by rule, and the explanation leads to it (A37-A40)."""

    @given(adjusted_leases)
    def test_of_rules_of_every_kind(self, lease: Adjusted) -> None:
        check_adjustments(*lease)

    @given(leases_with_deposit)
    def test_of_rents_with_their_deposits(self, lease: Adjusted) -> None:
        """A balance of months, by a factor, and by a plan of its own (A39)."""
        check_adjustments(*lease)

    @given(exact_leases)
    def test_of_amounts_that_are_carried_exactly(self, lease: Adjusted) -> None:
        check_adjustments(*lease)

    @given(st.one_of(leases_with_deposit, adjusted_leases), places)
    def test_also_where_the_first_ones_are_listed(self, lease: Adjusted, count: int) -> None:
        """A listed adjustment is taken as listed, and those after it go on from it (A38)."""
        terms, series, policy = lease
        made = rb.rent_adjustments(terms, ASKED, indices=series, policy=policy)
        listed = rb.adjusted_terms(terms, made[:count], indices=series, policy=policy)
        check_adjustments(listed, series, policy)


class TestAdjustedBills:
    """A line tells which adjustment led to its price (A42)."""

    @given(adjusted_leases, st.integers(2020, 2030))
    def test_the_bills_of_a_quarter(self, lease: Adjusted, year: int) -> None:
        terms, series, policy = lease
        asked = f"{year}-01-01/{year}-03-31"
        check(rb.bill_period(terms, asked, indices=series, policy=policy))

    @given(leases_with_deposit, st.integers(2020, 2030))
    def test_the_bills_of_changes_of_a_balance(self, lease: Adjusted, year: int) -> None:
        """On the day of the change (A39)."""
        terms, series, policy = lease
        billed = policy.evolve(balance_change="once")
        asked = f"{year}-01-01/{year}-03-31"
        check(rb.pending_bills(terms, asked, indices=series, policy=billed))
