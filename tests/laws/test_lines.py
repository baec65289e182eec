"""The laws of rounding and of sharing out."""

from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from operator import itemgetter
from typing import Literal

from hypothesis import given, strategies as st

import rentbilling as rb
from rentbilling.testing.strategies.items import PLACES
from rentbilling.values import Rounding, rounded as rounded_by_library, share_out
from tests.oracle import rounded, shown_unit_price
from tests.support.strategies import figures, payments, roundings

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


class TestRounding:
    """A number is rounded once, by the named mode, alike on both sides of zero (A3, A26)."""

    @given(fractions, st.integers(0, 4), roundings)
    def test_every_mode_means_what_it_says(
        self, value: Fraction, places: int, mode: Rounding
    ) -> None:
        assert rounded(value, Fraction(1, 10**places), mode) == Fraction(
            rounded_by_library(value, places, mode)
        )


class TestSharingOut:
    """Money that is shared out is neither made nor lost."""

    @given(payments, weights, st.sampled_from(METHODS))
    def test_the_shares_are_the_whole_and_near_their_weights(
        self, amount: rb.Amount, parts: list[int | Fraction | Decimal], method: Method
    ) -> None:
        """No share is off by more than a minor unit, and who has no weight gets nothing."""
        shares = share_out(amount, parts, method=method)
        one = Fraction(amount.amount) / sum(Fraction(part) for part in parts)

        assert amount.amount == sum(share.amount for share in shares)
        for share, part in zip(shares, parts, strict=True):
            assert abs(Fraction(share.amount) - one * Fraction(part)) <= minor_unit(amount.currency)
            assert part or share.amount == 0

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
    """What is printed adds up (A21); the oracle holds every line to it."""

    @given(figures, st.sampled_from((1, 3, Fraction(1, 2), 100, -2)), roundings)
    def test_the_oracle_finds_it_by_trying(
        self, exact: Decimal, quantity: Fraction | int, mode: Rounding
    ) -> None:
        unit = rounded(Fraction(exact), Fraction(1, 100), mode)
        line = rounded(unit * quantity, Fraction(1, 100), mode)

        assert unit == shown_unit_price(unit, Fraction(quantity), line, 2, mode)
