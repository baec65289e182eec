"""The laws of several discounts of one item (A61)."""

from datetime import timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Literal

from hypothesis import given, strategies as st

from rentbilling import (
    BillingPolicy,
    Discount,
    PendingBillLineItem,
    Period,
    RecurringBillItem,
    dumps,
    loads,
    pending_bills,
)
from rentbilling.testing.strategies.choices import Choices, chosen
from rentbilling.testing.strategies.items import PLACES, choose_discounts, choose_item
from tests.oracle import rounded
from tests.support.strategies import items, policies, windows

DAY = timedelta(days=1)
ORDERS = st.permutations(range(3))


def choose_discounted(choices: Choices) -> RecurringBillItem:
    """Choose an item with one to three discounts in the list."""
    item = choose_item(choices).evolve(discount=None, discounts=(), price_per="cycle")
    while True:
        found = choose_discounts(choices, item.amount)
        if found.get("discounts"):
            return item.evolve(**found)
        if not found.get("discount"):
            return item.evolve(discounts=[Discount(percentage=Decimal("0.1"))])


discounted = chosen(choose_discounted, 240)


def lines_of(
    item: RecurringBillItem, period: Period, policy: BillingPolicy | None = None
) -> list[PendingBillLineItem]:
    found = pending_bills(item, period, policy=policy)
    return [line for bill in found for line in bill.lines]


def with_bases(
    item: RecurringBillItem, of: Literal["rest", "list"], *, amounts: bool
) -> RecurringBillItem:
    """Return an item whose percentages are all of one base, with its amounts or without."""
    made = [
        each
        if each.amount is not None and amounts
        else Discount(
            percentage=each.percentage or Decimal("0.05"),
            start_date=each.start_date,
            end_date=each.end_date,
            of=of,
        )
        for each in item.discounts
    ]
    return item.evolve(discounts=made)


class TestOrder:
    """Of the list price discounts commute, of the rest percentages do."""

    @given(discounted, ORDERS, windows, policies)
    def test_discounts_of_the_list_price_commute(
        self, item: RecurringBillItem, order: list[int], period: Period, policy: BillingPolicy
    ) -> None:
        own = with_bases(item, "list", amounts=True)
        turned = own.evolve(discounts=in_order(own.discounts, order))

        assert pending_bills(own, period, policy=policy) == pending_bills(
            turned, period, policy=policy
        )

    @given(discounted, ORDERS, windows, policies)
    def test_percentages_of_the_rest_commute(
        self, item: RecurringBillItem, order: list[int], period: Period, policy: BillingPolicy
    ) -> None:
        own = with_bases(item, "rest", amounts=False)
        turned = own.evolve(discounts=in_order(own.discounts, order))

        assert pending_bills(own, period, policy=policy) == pending_bills(
            turned, period, policy=policy
        )


def in_order(discounts: tuple[Discount, ...], order: list[int]) -> list[Discount]:
    return [discounts[at] for at in order if at < len(discounts)]


class TestSameness:
    """What comes to the same is billed the same, digit for digit."""

    @given(items, windows, policies)
    def test_a_list_of_one_is_the_one_discount(
        self, item: RecurringBillItem, period: Period, policy: BillingPolicy
    ) -> None:
        as_list = item.evolve(discount=None, discounts=item.all_discounts)

        assert dumps(pending_bills(item, period, policy=policy), full=True) == dumps(
            pending_bills(as_list, period, policy=policy), full=True
        )

    @given(items, windows, policies)
    def test_a_discount_on_no_day_that_is_billed_changes_nothing(
        self, item: RecurringBillItem, period: Period, policy: BillingPolicy
    ) -> None:
        far = Discount(percentage=Decimal("0.5"), start_date="2900-01-01")
        long_ago = Discount(percentage=Decimal("0.5"), end_date="1900-01-01")
        more = item.evolve(discount=None, discounts=(far, *item.all_discounts, long_ago))

        assert dumps(pending_bills(item, period, policy=policy), full=True) == dumps(
            pending_bills(more, period, policy=policy), full=True
        )

    @given(discounted, windows, policies, st.integers(0, 700))
    def test_a_discount_may_be_told_in_two_parts(
        self, item: RecurringBillItem, period: Period, policy: BillingPolicy, days: int
    ) -> None:
        """The second follows the next day and has the same effect: nothing is split (A19)."""
        first, *others = item.discounts
        there = period.start + timedelta(days=days)
        if (first.start_date and first.start_date > there) or (
            first.end_date and first.end_date <= there
        ):
            return
        parts = first.evolve(end_date=there), first.evolve(start_date=there + DAY)
        told = item.evolve(discounts=(*parts, *others))

        assert pending_bills(item, period, policy=policy) == pending_bills(
            told, period, policy=policy
        )

    @given(discounted)
    def test_what_is_written_is_read_again(self, item: RecurringBillItem) -> None:
        assert item == loads(dumps(item), RecurringBillItem)


@given(discounted, windows)
def test_what_was_taken_off_adds_up(item: RecurringBillItem, period: Period) -> None:
    """A whole line and what each discount took off are the line without discounts."""
    quantum = Fraction(1, 10 ** PLACES[item.amount.currency])
    plain = lines_of(item.evolve(discounts=()), period)
    full = {line.accounting_period: line for line in plain if line.kind == "regular"}
    for line in lines_of(item, period):
        listed = full.get(line.accounting_period)
        if line.kind == "regular" and listed is not None:
            own, whole = (
                rounded(Fraction(each.amount.amount) * Fraction(each.quantity), quantum, "half_up")
                for each in (line, listed)
            )
            taken = sum(Fraction(each.taken_off.amount) for each in line.discounts)

            assert whole == own + taken
