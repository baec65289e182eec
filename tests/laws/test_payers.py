"""The laws of bills that payers share, of their discounts, and of balances taken into them."""

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

from hypothesis import assume, given, settings, strategies as st

from rentbilling import (
    Amount,
    BillingPolicy,
    InvalidInputError,
    OneTimeBillItem,
    PendingBill,
    Period,
    check_bill,
    explain,
    pending_bills,
)
from rentbilling.payers import BillDiscount, carry, discount_bill, split_bill
from rentbilling.testing.strategies.choices import EPOCH
from rentbilling.testing.strategies.items import CASH
from tests.calls.names import bill_of
from tests.oracle.payers import can_be_made, split_by_oracle
from tests.oracle.workings import replayed
from tests.support.strategies import roundings, whole_bills

NAMES = "ABCDEF"
MORE = settings(max_examples=2 * settings().max_examples)
weights = st.lists(st.integers(0, 5), min_size=1, max_size=6).filter(any)
policies = st.builds(
    BillingPolicy,
    rounding=roundings,
    vat_rounding=st.sampled_from(("per_rate", "per_line")),
    cash_rounding=st.sampled_from(({}, CASH)),
)
Made = tuple[PendingBill, BillingPolicy]


def one_bill(items: Sequence[OneTimeBillItem], policy: BillingPolicy) -> Made:
    (bill,) = pending_bills(items, Period(EPOCH, EPOCH), policy=policy)
    return bill, policy


billed = st.builds(one_bill, whole_bills, policies)
small_bills = st.lists(
    st.tuples(
        st.integers(1, 40),
        st.sampled_from(("Exclusive 25%", "Exclusive 9%", "Inclusive 25%", "Exempt")),
    ),
    min_size=1,
    max_size=3,
).map(lambda lines: bill_of(*(f"{Decimal(units) / 100} {vat}" for units, vat in lines)))
discounts = st.lists(
    st.one_of(
        st.integers(0, 5000).map(lambda units: ("amount", Decimal(units) / 100)),
        st.integers(0, 100).map(lambda percent: ("percentage", Decimal(percent) / 100)),
    ),
    max_size=3,
)


def by_weights(given_weights: Sequence[int]) -> dict[str, Fraction]:
    shares = [Fraction(each, sum(given_weights)) for each in given_weights]
    return dict(zip(NAMES, shares, strict=False))


def figures_of(bill: PendingBill) -> list[int]:
    """Return every figure of a bill in minor units, in an order that all its parts have."""
    nets = [line[0].net for line in bill.raw_lines]
    bases = [line[0].base for line in bill.raw_lines]
    totals = [units for _, *both in bill.raw_totals for units in both]
    return [*nets, *bases, *totals, *bill.sums[:2]]


def summed(bills: Sequence[PendingBill]) -> list[int]:
    return [sum(figures) for figures in zip(*map(figures_of, bills), strict=True)]


class TestPayers:
    """Payers pay a bill: all of it, and each a bill that is right in itself."""

    @MORE
    @given(billed, weights)
    def test_their_bills(self, made: Made, given_weights: list[int]) -> None:
        """They add up, the oracle has the same figures, and explanations lead to them."""
        bill, policy = made
        shares = by_weights(given_weights)

        result = split_bill(bill, shares, policy=policy)

        assert figures_of(bill) == summed(result.bills)
        assert check_bill(result).is_consistent
        assert [each.payable for each in result] == [replayed(each) for each in explain(result)]
        parts = split_by_oracle(bill, list(shares.values()), policy)
        for part, found in zip(parts, result, strict=True):
            assert list(part.nets) == [Fraction(line.net_price.amount) for line in found.lines]
            assert list(part.vats) == [Fraction(each.amount.amount) for each in found.vat_totals]
            assert part.total == Fraction(found.total.amount)
        assert [bill] == list(split_bill(bill, {"A": 1}, policy=policy))

    @given(billed, weights)
    def test_their_order_moves_single_units_at_most(
        self, made: Made, given_weights: list[int]
    ) -> None:
        """A unit for each line, and for each payer one of each VAT total."""
        bill, policy = made
        shares = by_weights(given_weights)
        turned = dict(reversed(shares.items()))
        before, after = (split_bill(bill, each, policy=policy) for each in (shares, turned))

        names = {each.payer.name: each for each in before if each.payer}
        most = len(bill.raw_lines) + len(shares) * len(bill.raw_totals)
        for each in after:
            assert each.payer is not None
            assert abs(each.sums[1] - names[each.payer.name].sums[1]) <= most

    @given(small_bills, st.lists(st.integers(0, 60), min_size=1, max_size=3), st.booleans())
    def test_a_fixed_amount_is_met_where_any_net_and_vat_make_it(
        self, bill: PendingBill, units: list[int], is_credit: bool
    ) -> None:
        """Of a credit, too, whose figures are those of the charge with the other sign."""
        assume(sum(units) <= bill.sums[1])
        fixed = {
            name: Amount(Decimal(each) / 100, "EUR")
            for name, each in zip(NAMES, units, strict=False)
        }

        result = split_bill(bill, {**fixed, "rest": "rest"})

        assert figures_of(bill) == summed(result.bills)
        assert check_bill(result).is_consistent
        short = {dict(each.facts)["payer"] for each in result.notices}
        for name, part in zip(fixed, result, strict=False):
            makes = can_be_made(Fraction(fixed[name].amount), bill, BillingPolicy())
            assert (name in short) == (part.total != fixed[name])
            assert makes or name in short
            assert not part.payer or not part.payer.corrections
            if len(fixed) == 1:
                assert makes != (name in short)
        if is_credit:
            lines = [f"{-line.amount.amount} {line.vat.tax_mode}" for line in bill.lines]
            rates = [line.vat.tax_rate for line in bill.lines]
            texts = [
                f"{line} {rate * 100}%" if rate else line
                for line, rate in zip(lines, rates, strict=True)
            ]
            mirrored = split_bill(
                bill_of(*texts), {**{name: -each for name, each in fixed.items()}, "rest": "rest"}
            )
            assert [-each.total for each in result] == [each.total for each in mirrored]

    @given(small_bills, st.lists(st.integers(1, 5), min_size=1, max_size=3))
    def test_fixed_amounts_that_are_met_are_refused_only_by_name(
        self, bill: PendingBill, given_weights: list[int]
    ) -> None:
        whole = bill.sums[1]
        units = [whole * each // sum(given_weights) for each in given_weights]
        units[0] += whole - sum(units)
        fixed = {
            name: Amount(Decimal(each) / 100, "EUR")
            for name, each in zip(NAMES, units, strict=False)
        }

        try:
            result = split_bill(bill, fixed)
        except InvalidInputError as error:
            if [each.code for each in error.problems] != ["amount_not_made"]:
                raise
            return

        assert list(fixed.values()) == [each.total for each in result]
        assert figures_of(bill) == summed(result.bills)
        assert check_bill(result).is_consistent


class TestDiscountsOfABill:
    """A discount takes off what it says, and never more than there is."""

    @given(billed, discounts)
    def test_the_bill_is_right_and_never_turns(
        self, billed: Made, listed: list[tuple[str, Decimal]]
    ) -> None:
        bill, policy = billed
        modes = {line.vat.tax_mode for line in bill.lines}
        assume({"Exclusive", "Inclusive"} - modes or all(name != "amount" for name, _ in listed))
        made = [
            BillDiscount(
                amount=Amount(value.quantize(Decimal(1)), bill.currency), description=f"Off {at}"
            )
            if name == "amount"
            else BillDiscount(percentage=value, description=f"Off {at}")
            for at, (name, value) in enumerate(listed)
        ]

        result = discount_bill(bill, made, policy=policy)

        (less,) = result
        assert check_bill(result).is_consistent
        assert [less.payable] == [replayed(each) for each in explain(result)]
        own = len(bill.raw_lines)
        for at, line in enumerate(less.lines[own:], own):
            working = explain(result, bill=0, line=at)
            assert line.description in {each.note for each in working.steps()}
        before, after = (by_group(each) for each in (bill, less))
        assert list(bill.lines) == list(less.lines[:own]) or "Inclusive" in modes
        assert all(0 <= after[key] <= before[key] or before[key] <= 0 for key in before)
        assert all(before[key] == after[key] for key in before if before[key] <= 0)
        asked = [each.amount.amount for each in made if each.amount is not None]
        if not result.notices and len(asked) == len(made):
            taken = Fraction(sum(before.values()) - sum(after.values()), 10**bill.places)
            assert sum(asked) == taken


def by_group(bill: PendingBill) -> dict[object, int]:
    found: dict[object, int] = {}
    for figures, _, _ in bill.raw_lines:
        category = figures.vat.category
        found[category] = found.get(category, 0) + figures.base
    return found


class TestBalances:
    """A balance and a bill are what is payable and what is left."""

    @given(billed, st.integers(-(10**7), 10**7))
    def test_nothing_is_lost_and_a_credit_turns_nothing(self, made: Made, units: int) -> None:
        bill, _ = made
        balance = Amount(units, bill.currency)

        found = carry(bill, balance)

        assert bill.payable + balance == found.payable + found.rest
        assert found.rest.amount <= 0
        assert found.payable.amount >= min(bill.payable.amount, Decimal(0))
        assert found.payable == replayed(explain(found))
