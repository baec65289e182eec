"""The laws of prices of a year or a month (A65): their bills add up, whatever the cycle."""

from decimal import Decimal
from fractions import Fraction

from hypothesis import given, strategies as st

from rentbilling import BillingPolicy, RecurringBillItem, pending_bills
from rentbilling.billing import recurring_item
from rentbilling.terms import PricePer
from rentbilling.values import divide_rounded

cents = st.integers(-10_000_000, 10_000_000)
cycles = st.sampled_from((1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 18, 24))
words: st.SearchStrategy[PricePer] = st.sampled_from(("year", "month"))
modes = st.sampled_from(("half_up", "half_even", "half_down", "up", "down"))
quantities = st.sampled_from((Decimal(1), Decimal("33.333"), Decimal(3)))


def regular_units(of: RecurringBillItem, last_year: int, policy: BillingPolicy) -> list[int]:
    """Return the net of each regular period from 2026 to the end of a year, in cents."""
    found = pending_bills(of, f"2026-01-01/{last_year}-12-31", policy=policy)
    return [
        int(line.net_price.amount.scaleb(2))
        for bill in found
        for line in bill.lines
        if line.kind == "regular"
    ]


@given(cents, cycles, words, modes, quantities)
def test_so_many_bills_are_the_price_of_their_months(
    units: int, months: int, price_per: PricePer, mode: str, quantity: Decimal
) -> None:
    """Any first ones sum to the exact price of their months, rounded once."""
    policy = BillingPolicy.from_data({"rounding": mode})
    price = f"{Decimal(units).scaleb(-2)} EUR"
    item = recurring_item(
        "key:rent", price, "2025-12-01", quantity=quantity, price_per=price_per, months=months
    )
    found = regular_units(item, 2031, policy)
    of_a_month = Fraction(units) * Fraction(quantity) / (12 if price_per == "year" else 1)

    for count in range(1, len(found) + 1):
        exact = of_a_month * months * count
        assert sum(found[:count]) == divide_rounded(*exact.as_integer_ratio(), policy.rounding)
