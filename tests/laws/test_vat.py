"""The laws of VAT groups and of the totals of a bill."""

from decimal import Decimal
from fractions import Fraction
from typing import get_args

from hypothesis import given

import rentbilling as rb
from rentbilling.policy import VatRounding
from rentbilling.testing.strategies.choices import EPOCH
from rentbilling.testing.strategies.items import CASH
from rentbilling.values import Rounding
from tests.oracle import UnknownVat, bills_by_oracle, bills_told_by, rounded
from tests.oracle.answers import told_vat
from tests.support.strategies import leases, policies, roundings, whole_bills, windows

OERE = Fraction(1, 100)
DUE = rb.Period(EPOCH, EPOCH)


def one_bill(items: tuple[rb.OneTimeBillItem, ...], policy: rb.BillingPolicy) -> rb.PendingBill:
    (bill,) = rb.pending_bills(items, DUE, policy=policy.evolve(select="due_date"))
    return bill


def gross_of(line: rb.PendingBillLineItem, mode: str) -> Fraction:
    """Return the gross of an Inclusive line: its price times its quantity, rounded."""
    return rounded(Fraction(line.amount.amount) * Fraction(line.quantity), OERE, mode)


def groups_of(bill: rb.PendingBill) -> dict[UnknownVat, list[rb.PendingBillLineItem]]:
    """Return the lines of a bill by their VAT, in order of first appearance."""
    groups: dict[UnknownVat, list[rb.PendingBillLineItem]] = {}
    for line in bill.lines:
        groups.setdefault(told_vat(line.vat), []).append(line)
    return groups


class TestTotals:
    """`subtotal` is the sum of the lines, `total` the subtotal and all VAT (A30)."""

    @given(leases, windows, policies)
    def test_the_subtotal_is_the_sum_of_the_lines(
        self, terms: rb.LeaseTerms, period: rb.Period, policy: rb.BillingPolicy
    ) -> None:
        for bill in rb.pending_bills(terms, period, policy=policy):
            assert bill.subtotal.amount == sum(line.net_price.amount for line in bill.lines)

    @given(leases, windows, policies)
    def test_the_total_is_the_subtotal_and_the_vat_totals(
        self, terms: rb.LeaseTerms, period: rb.Period, policy: rb.BillingPolicy
    ) -> None:
        for bill in rb.pending_bills(terms, period, policy=policy):
            vat = sum(total.amount.amount for total in bill.vat_totals)

            assert bill.total.amount == bill.subtotal.amount + vat

    @given(whole_bills, policies)
    def test_the_bases_sum_to_the_subtotal(
        self, items: tuple[rb.OneTimeBillItem, ...], policy: rb.BillingPolicy
    ) -> None:
        bill = one_bill(items, policy)

        assert bill.subtotal.amount == sum(total.base.amount for total in bill.vat_totals)

    @given(whole_bills, policies)
    def test_lines_that_were_computed_have_the_vat_of_any_policy(
        self, items: tuple[rb.OneTimeBillItem, ...], policy: rb.BillingPolicy
    ) -> None:
        """Rounding VAT in another place afterwards is as good as billing so (A29)."""
        lines = one_bill(items, policy).lines
        for where in get_args(VatRounding):
            other = policy.evolve(vat_rounding=where)

            assert one_bill(items, other).vat_totals == rb.vat_totals(lines, policy=other)


class TestVatGroups:
    """One VAT total for each tax mode and rate on the bill (A30)."""

    @given(whole_bills, policies)
    def test_groups_come_in_order_of_first_appearance(
        self, items: tuple[rb.OneTimeBillItem, ...], policy: rb.BillingPolicy
    ) -> None:
        bill = one_bill(items, policy)

        assert list(groups_of(bill)) == [told_vat(total.vat) for total in bill.vat_totals]

    @given(whole_bills, policies)
    def test_untaxed_modes_charge_nothing_and_show_no_rate(
        self, items: tuple[rb.OneTimeBillItem, ...], policy: rb.BillingPolicy
    ) -> None:
        """Exempt and ReverseCharge stand in the totals with 0 and by mode alone."""
        for total in one_bill(items, policy).vat_totals:
            if total.vat.tax_mode in {"Exempt", "ReverseCharge"}:
                assert total.vat.tax_rate is None
                assert total.amount.amount == 0

    @given(whole_bills, policies)
    def test_rates_are_compared_as_numbers(
        self, items: tuple[rb.OneTimeBillItem, ...], policy: rb.BillingPolicy
    ) -> None:
        """0.25 and 0.250 make one group: writing one for the other changes no total."""
        longer = rb.Vat("Exclusive", Decimal("0.250"))
        again = tuple(
            item.evolve(vat=longer) if item.vat == rb.Vat("Exclusive", Decimal("0.25")) else item
            for item in items
        )

        assert [t.amount for t in one_bill(items, policy).vat_totals] == [
            t.amount for t in one_bill(again, policy).vat_totals
        ]

    @given(whole_bills, policies)
    def test_the_lines_alone_give_the_same_totals(
        self, items: tuple[rb.OneTimeBillItem, ...], policy: rb.BillingPolicy
    ) -> None:
        bill = one_bill(items, policy)

        assert bill.vat_totals == rb.vat_totals(bill.lines, policy=policy)


class TestVatOnTop:
    """VAT on top is rounded once for each rate, or once for each line (A29)."""

    @given(whole_bills, roundings)
    def test_the_vat_of_a_rate_is_rounded_once(
        self, items: tuple[rb.OneTimeBillItem, ...], mode: Rounding
    ) -> None:
        bill = one_bill(items, rb.BillingPolicy(rounding=mode))
        for total in bill.vat_totals:
            if total.vat.tax_mode == "Exclusive":
                assert rounded(
                    Fraction(total.base.amount) * Fraction(total.vat.tax_rate or 0), OERE, mode
                ) == Fraction(total.amount.amount)

    @given(whole_bills, roundings)
    def test_per_line_the_vat_of_a_rate_is_a_sum_of_rounded_ones(
        self, items: tuple[rb.OneTimeBillItem, ...], mode: Rounding
    ) -> None:
        bill = one_bill(items, rb.BillingPolicy(rounding=mode, vat_rounding="per_line"))
        groups = groups_of(bill)
        for total in bill.vat_totals:
            vat = told_vat(total.vat)
            if vat.mode == "Exclusive" and vat.rate is not None:
                assert sum(
                    rounded(Fraction(line.net_price.amount) * vat.rate, OERE, mode)
                    for line in groups[vat]
                ) == Fraction(total.amount.amount)


class TestVatInside:
    """With VAT inside, what the tenant was promised stays (A29)."""

    @given(whole_bills, policies)
    def test_the_gross_of_a_group_is_the_sum_of_the_grosses_of_its_lines(
        self, items: tuple[rb.OneTimeBillItem, ...], policy: rb.BillingPolicy
    ) -> None:
        plain = policy.evolve(by_product={})
        bill = one_bill(items, plain)
        groups = groups_of(bill)
        for total in bill.vat_totals:
            if total.vat.tax_mode == "Inclusive":
                assert sum(
                    gross_of(line, policy.rounding) for line in groups[told_vat(total.vat)]
                ) == Fraction(total.base.amount + total.amount.amount)

    @given(whole_bills, roundings)
    def test_the_vat_is_the_rounded_part_of_the_gross(
        self, items: tuple[rb.OneTimeBillItem, ...], mode: Rounding
    ) -> None:
        """It is gross × rate / (1 + rate), rounded once."""
        bill = one_bill(items, rb.BillingPolicy(rounding=mode))
        for total in bill.vat_totals:
            vat = told_vat(total.vat)
            if vat.mode == "Inclusive" and vat.rate is not None:
                gross = Fraction(total.base.amount + total.amount.amount)

                assert rounded(gross * vat.rate / (1 + vat.rate), OERE, mode) == Fraction(
                    total.amount.amount
                )

    @given(whole_bills, policies)
    def test_no_net_is_moved_by_more_than_two_minor_units(
        self, items: tuple[rb.OneTimeBillItem, ...], policy: rb.BillingPolicy
    ) -> None:
        plain = policy.evolve(by_product={})
        for line in one_bill(items, plain).lines:
            vat = told_vat(line.vat)
            if vat.mode == "Inclusive" and vat.rate is not None:
                exact = gross_of(line, policy.rounding) / (1 + vat.rate)

                assert abs(Fraction(line.net_price.amount) - exact) < 2 * OERE


class TestCashRounding:
    """Cash rounding is an amount of its own; the totals before it stay (A52)."""

    @given(whole_bills, policies)
    def test_the_totals_are_those_without_it(
        self, items: tuple[rb.OneTimeBillItem, ...], policy: rb.BillingPolicy
    ) -> None:
        cash = policy.evolve(cash_rounding=CASH)
        plain = policy.evolve(cash_rounding={})

        assert one_bill(items, plain).total == one_bill(items, cash).total

    @given(whole_bills, policies)
    def test_what_is_payable_is_a_whole_number_of_steps(
        self, items: tuple[rb.OneTimeBillItem, ...], policy: rb.BillingPolicy
    ) -> None:
        bill = one_bill(items, policy.evolve(cash_rounding=CASH))

        assert bill.payable.amount % CASH["DKK"] == 0
        assert bill.cash_rounding == bill.payable - bill.total


class TestOracle:
    """The oracle's VAT, corrected one minor unit at a time on paper, agrees."""

    @given(whole_bills, policies)
    def test_a_whole_bill_of_stated_lines_agrees(
        self, items: tuple[rb.OneTimeBillItem, ...], policy: rb.BillingPolicy
    ) -> None:
        selected = policy.evolve(select="due_date")

        assert bills_by_oracle(items, DUE, selected) == bills_told_by(
            rb.pending_bills(items, DUE, policy=selected)
        )
