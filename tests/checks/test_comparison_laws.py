"""The laws of pairs and causes, on bills of any lease under any policy."""

from hypothesis import given, strategies as st

from rentbilling import BillingPolicy, LeaseTerms, PendingBill, Period, compare_bills, pending_bills
from tests.support.changed_bills import changed
from tests.support.strategies import leases, policies, windows

MONTH = 31


def late(bill: PendingBill, days: int) -> PendingBill:
    parts = bill.currency, bill.places, bill.raw_lines, bill.raw_totals, bill.sums
    return PendingBill(bill.due + days, *parts)


class TestPairs:
    """What is equal is found wherever it stands, and what moved is told as moved."""

    @given(leases, windows, policies, st.data())
    def test_the_order_of_bills_says_nothing(
        self, terms: LeaseTerms, window: Period, policy: BillingPolicy, data: st.DataObject
    ) -> None:
        bills = [*pending_bills(terms, window, policy=policy)]

        assert compare_bills(bills, data.draw(st.permutations(bills))).is_equal

    @given(leases, windows, policies, st.sampled_from([1, MONTH, -MONTH]))
    def test_bills_that_are_all_late_differ_in_their_days_alone(
        self, terms: LeaseTerms, window: Period, policy: BillingPolicy, days: int
    ) -> None:
        bills = [*pending_bills(terms, window, policy=policy)]
        found = compare_bills(bills, [late(bill, days) for bill in bills])

        assert ["due_date"] * len(bills) == [each.code for each in found]

    @given(leases, windows, policies, st.data())
    def test_one_changed_figure_leaves_the_other_bills_equal(
        self, terms: LeaseTerms, window: Period, policy: BillingPolicy, data: st.DataObject
    ) -> None:
        """A bill is never compared with another one because a figure of it changed."""
        bills = [*pending_bills(terms, window, policy=policy)]
        if not bills:
            return
        at = data.draw(st.integers(0, len(bills) - 1))
        name, other = data.draw(st.sampled_from(list(changed(bills[at]))))
        found = compare_bills(bills, [*bills[:at], other, *bills[at + 1 :]])

        assert (0 if name == "base" else 1) == len(found)


class TestCauses:
    """A cause that is told for a VAT is one of another way of rounding."""

    @given(leases, windows, policies, policies)
    def test_bills_of_one_way_of_rounding_have_no_cause_in_rounding(
        self, terms: LeaseTerms, window: Period, policy: BillingPolicy, other: BillingPolicy
    ) -> None:
        same = other.evolve(
            rounding=policy.rounding, vat_rounding=policy.vat_rounding, by_product={}
        )
        plain = policy.evolve(by_product={})
        mine, theirs = (pending_bills(terms, window, policy=each) for each in (plain, same))

        for expected in (mine, mine.bills):
            found = compare_bills(expected, theirs.bills, diagnose=True)
            assert {None} >= {each.cause for each in found}
