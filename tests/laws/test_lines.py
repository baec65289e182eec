"""The laws of rounding, sharing out, discounts and the figures of one line."""

from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from operator import itemgetter
from typing import Literal

from hypothesis import given, strategies as st

import rentbilling as rb
from rentbilling.testing.strategies.items import PLACES
from rentbilling.values import Rounding, rounded as rounded_by_library, share_out
from tests.oracle import raw_lines, rounded, shown_unit_price
from tests.support.strategies import figures, items, payments, policies, roundings, windows

Method = Literal["running_total", "largest_remainder", "first"]
METHODS: tuple[Method, ...] = ("running_total", "largest_remainder", "first")

fractions = st.builds(
    Fraction, st.integers(-(10**9), 10**9), st.sampled_from((1, 2, 3, 7, 8, 31, 200, 365, 2000))
)
weights = st.lists(
    st.one_of(st.integers(0, 100), st.sampled_from((Fraction(17, 31), Decimal("0.125")))),
    min_size=1,
    max_size=8,
).filter(any)


def minor_unit(currency: str) -> Fraction:
    return Fraction(1, 10 ** PLACES[currency])


def lines_of(
    item: rb.RecurringBillItem, period: rb.Period, policy: rb.BillingPolicy
) -> tuple[rb.PendingBillLineItem, ...]:
    return tuple(
        line for bill in rb.pending_bills(item, period, policy=policy) for line in bill.lines
    )


def stated_in(line: rb.PendingBillLineItem, mode: str) -> Fraction:
    """Return the money of a line in its own tax mode: gross if Inclusive, else net."""
    if line.vat.tax_mode == "Inclusive":
        quantum = minor_unit(line.amount.currency)
        return rounded(Fraction(line.amount.amount) * Fraction(line.quantity), quantum, mode)
    return Fraction(line.net_price.amount)


class TestRounding:
    """A number is rounded once, by the named mode, alike on both sides of zero (A3, A26)."""

    @given(fractions, st.integers(0, 4), roundings)
    def test_every_mode_means_what_it_says(
        self, value: Fraction, places: int, mode: Rounding
    ) -> None:
        assert rounded(value, Fraction(1, 10**places), mode) == Fraction(
            rounded_by_library(value, places, mode)
        )

    @given(fractions, st.integers(0, 4), roundings)
    def test_rounding_twice_is_rounding_once(
        self, value: Fraction, places: int, mode: Rounding
    ) -> None:
        once = rounded_by_library(value, places, mode)

        assert once == rounded_by_library(once, places, mode)

    @given(fractions, st.integers(0, 4), roundings)
    def test_rounding_does_not_favour_a_side(
        self, value: Fraction, places: int, mode: Rounding
    ) -> None:
        assert -rounded_by_library(value, places, mode) == rounded_by_library(-value, places, mode)

    @given(fractions, st.integers(0, 4), roundings)
    def test_rounding_moves_a_number_by_less_than_a_unit(
        self, value: Fraction, places: int, mode: Rounding
    ) -> None:
        off = abs(Fraction(rounded_by_library(value, places, mode)) - value) * 10**places

        assert off <= Fraction(1, 2) if mode.startswith("half") else off < 1


class TestSharingOut:
    """Money that is shared out is neither made nor lost."""

    @given(payments, weights, st.sampled_from(METHODS))
    def test_the_shares_sum_to_the_whole(
        self, amount: rb.Amount, parts: list[int | Fraction | Decimal], method: Method
    ) -> None:
        shares = share_out(amount, parts, method=method)

        assert amount.amount == sum(share.amount for share in shares)

    @given(payments, weights, st.sampled_from(METHODS))
    def test_no_share_is_off_by_more_than_a_minor_unit(
        self, amount: rb.Amount, parts: list[int | Fraction | Decimal], method: Method
    ) -> None:
        shares = share_out(amount, parts, method=method)
        one = Fraction(amount.amount) / sum(Fraction(part) for part in parts)

        for share, part in zip(shares, parts, strict=True):
            off = abs(Fraction(share.amount) - one * Fraction(part))

            assert off <= minor_unit(amount.currency)

    @given(payments, weights, st.sampled_from(METHODS))
    def test_who_has_no_weight_gets_nothing(
        self, amount: rb.Amount, parts: list[int | Fraction | Decimal], method: Method
    ) -> None:
        """A share without weight is 0."""
        shares = share_out(amount, parts, method=method)

        assert all(share.amount == 0 for share, part in zip(shares, parts, strict=True) if not part)

    @given(payments, weights)
    def test_a_larger_weight_never_gets_less(
        self, amount: rb.Amount, parts: list[int | Fraction | Decimal]
    ) -> None:
        """By largest remainders (A64), whatever the sign of the amount."""
        by_weight = sorted(zip(parts, share_out(amount, parts), strict=True), key=itemgetter(0))
        sizes = [abs(share.amount) for part, share in by_weight]
        larger = [after[0] > before[0] for before, after in pairwise(by_weight)]

        assert all(
            after >= before
            for (before, after), is_larger in zip(pairwise(sizes), larger, strict=True)
            if is_larger
        )


class TestPrintedUnitPrice:
    """What is printed adds up: unit price times quantity rounds to the line (A21)."""

    @given(items, windows, policies)
    def test_unit_net_price_times_quantity_rounds_to_the_net_price(
        self, item: rb.RecurringBillItem, period: rb.Period, policy: rb.BillingPolicy
    ) -> None:
        plain = policy.evolve(by_product={})
        for line in lines_of(item, period, plain):
            product = Fraction(line.unit_net_price.amount) * Fraction(line.quantity)

            assert rounded(product, minor_unit(line.amount.currency), policy.rounding) == Fraction(
                line.net_price.amount
            )

    @given(items, windows, policies)
    def test_it_has_no_more_decimals_than_it_needs(
        self, item: rb.RecurringBillItem, period: rb.Period, policy: rb.BillingPolicy
    ) -> None:
        plain = policy.evolve(by_product={})
        for line in lines_of(item, period, plain):
            price, places = line.unit_net_price.amount, PLACES[line.amount.currency]
            decimals = -int(price.as_tuple().exponent)

            assert places <= decimals
            assert places == decimals or price.as_tuple().digits[-1] != 0

    @given(figures, st.sampled_from((1, 3, Fraction(1, 2), 100, -2)), roundings)
    def test_the_oracle_finds_it_by_trying(
        self, exact: Decimal, quantity: Fraction | int, mode: Rounding
    ) -> None:
        unit = rounded(Fraction(exact), Fraction(1, 100), mode)
        line = rounded(unit * quantity, Fraction(1, 100), mode)

        assert unit == shown_unit_price(unit, Fraction(quantity), line, 2, mode)


class TestPartsOfASplit:
    """The parts of a split period lose no cent: the whole is rounded once (A19, A21)."""

    @given(items, windows, policies)
    def test_the_parts_of_a_period_sum_to_the_rounded_whole(
        self, item: rb.RecurringBillItem, period: rb.Period, policy: rb.BillingPolicy
    ) -> None:
        plain = policy.evolve(by_product={}, select="due_date")
        # Prices of a month or a year go on in a running total, across periods too (A65).
        item = item.evolve(price_per="cycle")
        exact = {
            raw.days.first: raw.exact_unit * raw.quantity
            for raw in raw_lines([item], period, plain)
        }
        wholes: dict[tuple[rb.Period, bool], list[rb.PendingBillLineItem]] = {}
        for line in lines_of(item, period, plain):
            whole = line.regular_period or line.accounting_period
            wholes.setdefault((whole, line.vat.tax_mode == "Inclusive"), []).append(line)

        for lines in wholes.values():
            total = sum(exact[line.accounting_period.start] for line in lines)
            quantum = minor_unit(item.amount.currency)

            assert rounded(Fraction(total), quantum, policy.rounding) == sum(
                stated_in(line, policy.rounding) for line in lines
            )


def undiscounted(item: rb.RecurringBillItem) -> rb.RecurringBillItem:
    return item.evolve(discount=None, discounts=())


class TestDiscounts:
    """A discount makes a line smaller, and never turns its sign (A22)."""

    @given(items, windows, policies)
    def test_no_line_has_another_sign_than_without_the_discount(
        self, item: rb.RecurringBillItem, period: rb.Period, policy: rb.BillingPolicy
    ) -> None:
        for line in lines_of(item, period, policy):
            unit, net = line.amount.amount, line.net_price.amount

            assert unit * line.quantity * net >= 0

    @given(items, windows, policies)
    def test_a_discount_takes_off_and_never_adds(
        self, item: rb.RecurringBillItem, period: rb.Period, policy: rb.BillingPolicy
    ) -> None:
        with_it = raw_lines([item], period, policy)
        without = raw_lines([undiscounted(item)], period, policy)
        full = {(line.due_date, line.days.first): line for line in without}

        for line in with_it:
            plain = full.get((line.due_date, line.days.first))
            if plain is not None and plain.days == line.days:
                assert abs(line.exact_unit) <= abs(plain.exact_unit)

    @given(items, windows)
    def test_a_discount_of_nothing_changes_no_sum(
        self, item: rb.RecurringBillItem, period: rb.Period
    ) -> None:
        """Less 0 % is the full price."""
        plain = rb.pending_bills(undiscounted(item), period)
        nothing = undiscounted(item).evolve(discount={"percentage": Decimal(0)})

        assert [bill.total for bill in plain] == [
            bill.total for bill in rb.pending_bills(nothing, period)
        ]


class TestOpeningPeriod:
    """The opening period is billed as it was stated: never recomputed, never split (A12)."""

    @given(items)
    def test_its_line_is_the_stated_amount_times_the_quantity(
        self, item: rb.RecurringBillItem
    ) -> None:
        open_ended = item.evolve(ended_on=None, cancelled_on=None)
        opening = item.first_billing_period_bill_item
        bills = rb.pending_bills(open_ended, rb.Period(opening.due_date, opening.due_date))
        stated = [line for bill in bills for line in bill.lines if line.kind == "opening"]

        assert [opening.accounting_period] == [line.accounting_period for line in stated]
        assert rounded(
            Fraction(opening.amount.amount) * Fraction(stated[0].quantity),
            minor_unit(item.amount.currency),
            "half_up",
        ) == stated_in(stated[0], "half_up")

    @given(items)
    def test_it_is_not_billed_twice(self, item: rb.RecurringBillItem) -> None:
        terms = rb.LeaseTerms(recurring_bill_items=(item,))
        always = rb.Period.parse("2023-01-01/2026-12-31")
        lines = [line for bill in rb.pending_bills(terms, always) for line in bill.lines]

        assert sum(line.kind == "opening" for line in lines) <= 1
